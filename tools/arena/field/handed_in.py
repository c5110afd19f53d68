"""
What lies in a folder of programs: a file, a folder or a zip each, copied so that a sandbox can start it.

Whoever handed it in may have put anything there. A name is a text of one line, links are never followed, and what a
zip unpacks to has a bound.
"""

import hashlib
import shutil
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...shared.plain import plain

__all__ = ["MOST_BYTES", "HandedIn", "HandedInError", "copied", "digest_of", "handed_in"]

MOST_BYTES = 64 << 20
"""Of all files of a program."""
_MOST_FILES = 2000
_LONGEST_NAME = 40
_DIGITS = 16
_NO_PROGRAMS = {".md", ".txt", ".csv", ".json", ".html", ".pdf", ".gz", ".ddzn", ".jsonl"}
_LEFT_OUT = {"__pycache__", "__MACOSX", ".git", ".venv", ".DS_Store"}
UPLOAD = "upload.zip"
"""What a zip is called that Python runs as it is, as the site does."""


class HandedInError(ValueError):
    """Something that is no program; the message says why, as the end of a sentence."""


class HandedIn(NamedTuple):
    """One program of the folder."""

    name: str
    """Of the file without its suffix; whole where two would be called the same."""
    path: Path


def handed_in(folder: Path, taken: frozenset[str] = frozenset()) -> list[HandedIn]:
    """
    Lists the programs of a folder by name; *taken* are names that others bear.

    :raises ValueError: for a folder that cannot be read, or has none.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if _may_be(path))
    except OSError as error:
        raise ValueError(f"field {folder}: it cannot be read ({error.strerror})") from None
    if not paths:
        raise ValueError(f"field {folder}: there is no program in it")
    short = Counter(_name(path.stem if path.is_file() else path.name) for path in paths)
    found, names = [], set(taken)
    for path in paths:
        name = _name(path.stem if path.is_file() else path.name)
        if short[name] > 1 or name in names:
            name = _name(path.name)
        name = next(one for one in _numbered(name) if one not in names)
        names.add(name)
        found.append(HandedIn(name, path))
    return found


def _may_be(path: Path) -> bool:
    hidden = path.name.startswith(".") or path.name in _LEFT_OUT
    return not hidden and not (path.is_file() and path.suffix in _NO_PROGRAMS) and (path.is_file() or path.is_dir())


def _name(text: str) -> str:
    name = plain(text).strip() or "?"
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} ({number})"
        number += 1


def digest_of(path: Path) -> str:
    """
    Hashes a program: its files, their names and whether they may be run.

    :raises HandedInError: if it is too large, or cannot be read.
    """
    digest = hashlib.sha256()
    try:
        for name, file in _files(path):
            runs = bool(file.stat().st_mode & stat.S_IXUSR)
            content = file.read_bytes()
            digest.update(f"{name!r} {runs} {len(content)}\n".encode())
            digest.update(content)
    except OSError as error:
        raise HandedInError(f"it cannot be read ({error.strerror})") from None
    return digest.hexdigest()[:_DIGITS]


def copied(path: Path, folder: Path) -> None:
    """
    Copies a program into a new *folder*; a zip is unpacked, unless Python runs it as it is.

    :raises HandedInError: for what is too large, damaged, or cannot be read.
    """
    try:
        folder.mkdir(parents=True)
        if path.is_file() and path.suffix == ".zip":
            _unpack(path, folder)
        else:
            for name, file in _files(path):
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
                target.chmod(0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644)
    except OSError as error:
        raise HandedInError(f"it cannot be read ({error.strerror})") from None
    for inner in (folder, *folder.rglob("*")):
        if inner.is_dir():
            inner.chmod(0o755)


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    """Yields the files of a program by name; of links only the one in the field itself counts."""
    if path.is_file():
        found = [(path.name, path)]
    else:
        found = [
            (file.relative_to(path).as_posix(), file)
            for file in sorted(path.rglob("*"))
            if file.is_file() and not file.is_symlink() and not _LEFT_OUT & {*file.relative_to(path).parts}
            if not any(above.is_symlink() for above in file.parents if above.is_relative_to(path) and above != path)
        ]
    if len(found) > _MOST_FILES or sum(file.stat().st_size for _, file in found) > MOST_BYTES:
        raise HandedInError(f"it has more than {MOST_BYTES >> 20} MiB or {_MOST_FILES} files")
    yield from found


def _unpack(path: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(path) as packed:
            members = [one for one in packed.infolist() if not one.is_dir()]
            if any(one.filename == "__main__.py" for one in members):
                shutil.copyfile(path, folder / UPLOAD)
                return
            if len(members) > _MOST_FILES or sum(one.file_size for one in members) > MOST_BYTES:
                raise HandedInError(f"it has more than {MOST_BYTES >> 20} MiB or {_MOST_FILES} files")
            for one in members:
                parts = Path(one.filename).parts
                kind = stat.S_IFMT(one.external_attr >> 16)
                if _LEFT_OUT & {*parts} or kind not in (0, stat.S_IFREG):
                    continue
                target = folder.joinpath(*parts)
                if not target.resolve().is_relative_to(folder.resolve()):
                    raise HandedInError(f"its file {one.filename!r} lies outside of it")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(packed.read(one))
                target.chmod(0o755 if one.external_attr >> 16 & stat.S_IXUSR else 0o644)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, zlib.error, UnicodeError) as error:
        raise HandedInError(f"it is no whole zip file ({error})") from None
