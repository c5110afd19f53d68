"""
Copies of a program's files, one for each seat: two programs that read one file could talk over it.

A copy serves one running program at a time, and then the next one, as long as nothing has changed in what it was made
of. All of them lie in a folder that ends with this process, however that ends.
"""

import os
import re
import shutil
import stat
import tempfile
import threading
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

MOST_MIB = 64
MOST_FILES = 2000
"""Of a folder that is copied."""
_MOST_LEVELS = 100
_MOST_FREE = 8
"""Copies that wait for their next program."""
_LEFT_OUT = {"__pycache__", "__MACOSX"}
_OF_MATCHES = re.compile(
    rb'\s*(?:\{"format": ?"ddzbot-|ddzbot-deals/|\[Event "|\{"game": ?"\w*FightTheLandlord'
    rb"|<!doctype html>[^\0]*<title>ddzbot)"
)
"""The first bytes of results, deals, games, records and pages, which have the seed or the hands of a match."""
_GAMES = (".ddzn", ".ddzn.gz")
_HEAD = 1200
_PACKED_HEAD = 4096


class TooLargeError(Exception):
    """Raised for a folder that is not copied."""


class Source(NamedTuple):
    """The files to copy: a file, or a folder without hidden files, files of matches, and excluded names."""

    path: Path
    kept: frozenset[Path] = frozenset()
    """The path that was named, which is copied in any case; of a link its target."""
    left_out: frozenset[Path] = frozenset()
    rooms: frozenset[Path] = frozenset()
    """Folders in it that are made and stay empty, for something else to be put there."""


class Copy(NamedTuple):
    """A copy in use."""

    key: "_Key"
    path: Path


class _Found(NamedTuple):
    name: str
    kind: int
    size: int
    changed: int
    runs: bool


_Key = tuple[Source, tuple[_Found, ...]]


class _Pool:
    def __init__(self) -> None:
        # Not at the top: a browser, which imports this, has no processes.
        from ..shared.work.orphans import GUARD

        self.owner = os.getpid()
        self.folder = Path(tempfile.mkdtemp(prefix="ddzbot-"))
        GUARD.remove(self.folder)
        self.made = 0
        self.free: list[Copy] = []


_pool: _Pool | None = None
_lock = threading.Lock()


def take(source: Source) -> Copy:
    """
    Gets a copy for one program.

    :raises TooLargeError: for a folder with too much in it.
    :raises OSError: if it cannot be read, or there is no room.
    """
    global _pool
    key = source, tuple(_list_entries(source))
    with _lock:
        if _pool is None or _pool.owner != os.getpid() or not _pool.folder.is_dir():
            _pool = _Pool()
        pool = _pool
        for copy in pool.free:
            if copy.key == key:
                pool.free.remove(copy)
                return copy
        pool.made += 1
        path = pool.folder / str(pool.made)
    try:
        _make(path, *key)
    except BaseException:
        _remove(path)
        raise
    return Copy(key, path)


def release(copy: Copy) -> None:
    """Gives a copy back when its program is gone."""
    with _lock:
        if _pool is None or _pool.owner != os.getpid():
            return
        # Changes since then have no place to go to.
        stale = [pooled for pooled in _pool.free if pooled.key[0] == copy.key[0] and pooled.key != copy.key]
        _pool.free = [copy, *(pooled for pooled in _pool.free if pooled not in stale)]
        stale += _pool.free[_MOST_FREE:]
        del _pool.free[_MOST_FREE:]
    for dropped in stale:
        _remove(dropped.path)


def _list_entries(source: Source) -> Iterator[_Found]:
    """Lists what is copied, folders before what is in them. This is looked at before every start, so it is quick."""
    files = size = 0
    for entry in _Walk(source).found():
        files, size = files + 1, size + entry.size
        if files > MOST_FILES or size > MOST_MIB << 20:
            raise TooLargeError
        yield entry


class _Walk:
    def __init__(self, source: Source) -> None:
        self._top = str(source.path)
        self._kept = {*map(str, source.kept)}
        self._above = {
            str(folder) for path in source.kept for folder in path.parents if folder.is_relative_to(source.path)
        }
        self._left_out = {*map(str, source.left_out | source.rooms)}

    def found(self) -> Iterator[_Found]:
        state = os.stat(self._top)
        yield _of("", state)
        if stat.S_ISDIR(state.st_mode):
            yield from self._inside(self._top, "", 0, False)

    def _inside(self, folder: str, prefix: str, levels: int, named_alone: bool) -> Iterator[_Found]:
        """Yields what is in a folder; of one that is hidden only what was named is copied."""
        if levels > _MOST_LEVELS:
            raise TooLargeError
        with os.scandir(folder) as inner:
            entries = sorted(inner, key=lambda entry: entry.name)
        for entry in entries:
            path, is_kept = entry.path, entry.path in self._kept
            included = not named_alone and not entry.name.startswith(".") and entry.name not in _LEFT_OUT
            if not is_kept and path not in self._above and (not included or path in self._left_out):
                continue
            try:
                state = entry.stat(follow_symlinks=is_kept)
            except OSError:
                continue
            relative = prefix + entry.name
            if stat.S_ISDIR(state.st_mode):
                if os.access(path, os.R_OK | os.X_OK):
                    yield _of(relative, state)
                    yield from self._inside(path, f"{relative}/", levels + 1, not (included or is_kept))
            elif _is_one(state, path, is_kept):
                yield _of(relative, state)


def _is_one(state: os.stat_result, path: str, is_kept: bool) -> bool:
    """Tells a link or a file that is copied from other things."""
    is_file = stat.S_ISREG(state.st_mode)
    return stat.S_ISLNK(state.st_mode) or (is_file and (is_kept or not _is_closed(path, state.st_ctime_ns)))


def _of(name: str, state: os.stat_result) -> _Found:
    kind = stat.S_IFMT(state.st_mode)
    if kind == stat.S_IFDIR:
        return _Found(name, kind, 0, 0, True)
    size = state.st_size if kind == stat.S_IFREG else 0
    return _Found(name, kind, size, state.st_mtime_ns, bool(state.st_mode & stat.S_IXUSR))


@lru_cache(maxsize=4 * MOST_FILES)
def _is_closed(path: str, _changed: int) -> bool:
    """Tells a file that cannot be read, or belongs to a match."""
    if path.endswith(_GAMES):
        return True
    packed = path.endswith(".gz")
    try:
        with open(path, "rb") as file:
            head = file.read(_PACKED_HEAD if packed else _HEAD)
    except OSError:
        return True
    if packed:
        try:
            head = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, _HEAD)
        except zlib.error:
            return False
    return _OF_MATCHES.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def _make(path: Path, source: Source, entries: tuple[_Found, ...]) -> None:
    for entry in entries:
        origin, target = (source.path / entry.name, path / entry.name) if entry.name else (source.path, path)
        if entry.kind == stat.S_IFDIR:
            target.mkdir(0o755)
            target.chmod(0o755)
        elif entry.kind == stat.S_IFLNK:
            target.symlink_to(os.readlink(origin))
        else:
            shutil.copyfile(origin, target)
            target.chmod(0o755 if entry.runs else 0o644)
            os.utime(target, ns=(entry.changed, entry.changed))
    for room in source.rooms:
        target = path / room.relative_to(source.path)
        target.mkdir(0o755, parents=True, exist_ok=True)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
