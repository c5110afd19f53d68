"""
The files of this machine that a program in the sandbox sees, besides the system's.

These are its interpreter, and its own files: the folder in which its file lies, and the files and folders that its
command line names besides. Its file is the program, or the first file that the command line of an interpreter names;
without one its folder is the one that it is started in. Of its own files it gets a copy, at the place where they lie.
A folder that is too large to be copied is shown as it is if the command line names it and it has no file of a match.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..shared.message import Message
from ..shared.named_files import named_files
from ..shared.storage.state import state_folder
from .own_copies import MOST_FILES, MOST_MIB, Copy, Source, TooLargeError, release, take

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix")))
OWN = (Path("/tmp"), Path("/dev/shm"))
"""Folders that each program has for itself, and may write to."""


class Shown(NamedTuple):
    """The files that a program sees besides the system's."""

    binds: tuple[tuple[Path, Path], ...]
    """The mounts as pairs of paths, folders before their contents."""
    links: tuple[tuple[Path, Path], ...]
    """The target and the place of each link."""
    copies: tuple[Copy, ...]
    left_out: tuple[tuple[Path, str], ...]
    """Folders of which only what the command line names is seen, and why."""


class _Named(NamedTuple):
    """The paths that a command line names."""

    main: Path
    """The folder of the program."""
    folders: frozenset[Path]
    files: frozenset[Path]
    links: frozenset[Path]


def visible_files(program: Path, words: Sequence[str], here: Path) -> Shown:
    """
    Finds out what a program sees that is started in the folder *here*, and copies what has to be.

    :raises OSError: if its own folder cannot be copied.
    """
    homes = {home for path in {program, program.resolve()} for home in _shown_of(_home(path), here)}
    return _Showing(_named(program, words, here), homes, here).visible_files()


def named_by(program: Path | None, words: Sequence[str], here: Path) -> set[Path]:
    """Lists the files and folders of a program: no other program sees them."""
    if program is None:
        return set()
    named = _named(program, words, here)
    return {*named.folders, *named.files, named.main} - {here}


class _Showing:
    def __init__(self, named: _Named, homes: set[Path], here: Path) -> None:
        self._named, self._homes, self._here = named, homes, here
        self._mine = {named.main, *named.folders, *named.files}
        others = (*named_files(), *_places_of_the_user())
        self._hidden = {
            path for path in others if not any(named_path.is_relative_to(path) for named_path in self._mine)
        }
        self._binds: dict[Path, Path] = {home: home for home in homes}
        self._copies: list[Copy] = []
        self._left_out: list[tuple[Path, str]] = []

    def visible_files(self) -> Shown:
        try:
            for folder in sorted({self._named.main, *self._named.folders}):
                if not self._is_there(folder):
                    self._show_folder(folder)
            for file in sorted(self._named.files):
                if not self._is_there(file):
                    self._show(file, Source(file))
        except BaseException:
            for copy in self._copies:
                release(copy)
            raise
        links = tuple((link.resolve(), link) for link in sorted(self._named.links) if not self._is_there(link))
        binds = tuple((self._binds[target], target) for target in sorted(self._binds))
        return Shown(binds, links, tuple(self._copies), tuple(self._left_out))

    def _is_there(self, path: Path) -> bool:
        return any(path.is_relative_to(target) for target in self._binds)

    def _show_folder(self, folder: Path) -> None:
        inner = {path for path in self._mine if path.is_relative_to(folder) and path != folder}
        rooms = {home for home in self._homes if home.is_relative_to(folder)}
        self._show(folder, Source(folder, frozenset(inner), frozenset(self._hidden), frozenset(rooms)))

    def _show(self, path: Path, source: Source) -> None:
        try:
            if any(folder.is_relative_to(path) for folder in OWN):
                self._left_out.append((path, Message("the sandbox has its own")))
                return
            copy = take(source)
        except TooLargeError:
            if path in self._named.folders | self._named.files and not self._is_of_a_match(path):
                self._binds[path] = path
            else:
                self._left_out.append(
                    (path, Message("it has more than {mib} MiB or {files} files", mib=MOST_MIB, files=MOST_FILES))
                )
            return
        self._copies.append(copy)
        self._binds[path] = copy.path

    def _is_of_a_match(self, folder: Path) -> bool:
        places = (self._here, *_places_of_the_user(), *named_files())
        return folder not in self._named.files and any(path.is_relative_to(folder) for path in places)


def _named(program: Path, words: Sequence[str], here: Path) -> _Named:
    folders: set[Path] = set()
    files: set[Path] = set()
    links: set[Path] = set()
    main = program.parent if _is_own(program, here) and _home(program) is None else None
    if main is not None:
        files.add(program)
    for reading in (reading for word in words for reading in _readings(word)):
        path = Path(os.path.normpath(here / reading))
        try:
            kind = stat.S_IFMT(path.stat().st_mode)
            resolved = path.resolve() if kind == stat.S_IFDIR else path.parent.resolve() / path.name
        except (OSError, ValueError, RuntimeError):
            continue
        if not _is_own(resolved, here) or kind not in (stat.S_IFREG, stat.S_IFDIR):
            continue
        links |= {
            link for link in (path, *path.parents) if link.is_symlink() and link != resolved and not _in_system(link)
        }
        (folders if kind == stat.S_IFDIR else files).add(resolved)
        if main is None and kind == stat.S_IFREG:
            main = resolved.parent
    return _Named(main or here, frozenset(folders), frozenset(files), frozenset(links))


def _home(program: Path) -> Path | None:
    """Gets the folder of an interpreter, which has libraries beside the folder ``bin``."""
    folder = program.parent
    is_one = not _in_system(program) and folder.name == "bin" and (folder.parent / "lib").is_dir()
    return folder.parent if is_one else None


def _shown_of(home: Path | None, here: Path) -> list[Path]:
    """Lists what is shown of an interpreter's folder, in which other things may lie, as in ``~/.local``."""
    if home is None:
        return []
    others = (here, *_places_of_the_user(), *named_files())
    return [home / "bin", home / "lib"] if any(path.is_relative_to(home) for path in others) else [home]


def _places_of_the_user() -> list[Path]:
    """Lists the user's home and what our programs keep; none for a user who has neither."""
    try:
        return [Path.home(), state_folder()]
    except RuntimeError:
        return []


def _readings(word: str) -> Iterator[str]:
    """Yields what may be the name of a file in a word."""
    option, equals, value = word.partition("=")
    yield from (reading for reading in (word, value if equals and option else "") if reading)


def _is_own(path: Path, here: Path) -> bool:
    """Tells a file of the program's own from the system's and from an interpreter."""
    return not _in_system(path) or (here not in SYSTEM and _in_system(here) and path.is_relative_to(here))


def _in_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM)
