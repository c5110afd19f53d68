"""
What lies in a folder of programs: a file, a folder or a zip each, copied so that a sandbox can start it.

A hand-in may hold anything. So links are never followed, only files are opened, everything is
counted while it is read, and a name is bytes that are shown as a text of one line.
"""

import hashlib
import io
import os
import stat
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ...shared.bounds import reason_of
from ...shared.message import Message
from ...shared.names import PERSON
from ...shared.plain import plain_name

MOST_BYTES = 64 << 20
"""Of all files of a program."""
MOST_FILES = 2000
_MOST_ENTRIES = 5 * MOST_FILES
"""Of all its folders: files, folders, links and what else there may be."""
_DEEPEST = 32
_LONGEST_NAME = 40
_LONGEST_PATH = 100
"""Characters of a file's name in a sentence."""
_MOST_DIRECTORY = 1 << 20
"""Bytes of a zip's list of files, of which zipfile would else take more memory than all files have."""
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Of all others zipfile unpacks as much at once as there is in them."""
_ENCRYPTED = 1
_DIGITS = 16
_NO_PROGRAMS = {".md", ".txt", ".csv", ".json", ".html", ".pdf", ".gz", ".ddzn", ".jsonl"}
_LEFT_OUT = {"__pycache__", "__MACOSX", ".git", ".venv", ".DS_Store"}
_IN_THE_WAY = (FileExistsError, NotADirectoryError, IsADirectoryError)
_SAME_NAME = Message("a file and a folder of it have the same name")
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Windows has pipes elsewhere, and lines of its own."""
_TOO_MUCH = Message("it has more than {mib} MiB or {files} files", mib=MOST_BYTES >> 20, files=MOST_FILES)
UPLOAD = "upload.zip"
"""What a zip is called that Python runs as it is, as the site does."""


class HandedInError(ValueError):
    """The hand-in is no program; the message has the reason, as the end of a sentence."""


class HandedIn(NamedTuple):
    """One program of the folder."""

    name: str
    """Of the file without its suffix; whole where two would be called the same."""
    path: Path


class File(NamedTuple):
    """One file of a program."""

    parts: tuple[str, ...]
    """Its folders and its name."""
    runs: bool
    """Whether it may be run."""
    content: bytes


def handed_in(folder: Path, taken: frozenset[str] = frozenset()) -> list[HandedIn]:
    """
    Lists the programs of a folder by name; *taken* are names that others bear.

    :raises ValueError: for a folder that cannot be read, or has none.
    """
    try:
        paths = sorted(folder / entry for entry in os.listdir(folder) if _may_be(folder / entry))
    except OSError as error:
        raise ValueError(
            Message("class {folder}: it cannot be read: {why}", folder=folder, why=reason_of(error))
        ) from None
    if not paths:
        raise ValueError(Message("class {folder}: there is no program in it", folder=folder))
    short = Counter(map(_short, paths))
    programs, names = [], {PERSON, *taken}
    for path in paths:
        name = _short(path)
        if short[name] > 1 or name in names:
            name = _name(path.name)
        name = next(candidate for candidate in _numbered(name) if candidate not in names)
        names.add(name)
        programs.append(HandedIn(name, path))
    return programs


def _may_be(path: Path) -> bool:
    """Leaves out files that are no programs by their names; each other one plays or is named with its reason."""
    if path.name.startswith(".") or path.name in _LEFT_OUT:
        return False
    # An archive that cannot be taken has to be named; a file of games is no hand-in.
    packed = path.name.lower().endswith(".tar.gz")
    return packed or path.suffix.lower() not in _NO_PROGRAMS or stat.S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    """Gets the type of a file, behind a link too, and its permissions; 0 where that cannot be found out."""
    try:
        return path.stat().st_mode
    except OSError:
        return 0


def _short(path: Path) -> str:
    return _name(path.name if stat.S_ISDIR(_mode(path)) else path.stem)


def _name(text: str) -> str:
    name = plain_name(text).strip() or "?"
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

    :raises HandedInError: if it is too large, or none.
    :raises OSError: if it cannot be read.
    """
    digest = hashlib.sha256()
    for _ in _hash_files(_files(path), digest):
        pass
    return _digits(digest)


def copy_program(path: Path, folder: Path) -> str:
    """
    Copies a program into a new *folder*, and gets the hash of what was copied.

    A zip is unpacked, unless Python runs it as it is.

    :raises HandedInError: for what is too large, or damaged.
    :raises OSError: for what cannot be read or written.
    """
    digest = hashlib.sha256()
    files = _hash_files(_files(path), digest)
    folder.mkdir(parents=True)
    if stat.S_ISREG(_mode(path)) and path.suffix.lower() == ".zip":
        files = (inner for file in files for inner in _unpack(file.content))
    for file in files:
        write(file, folder)
    for above in (folder, *folder.rglob("*")):
        if above.is_dir():
            above.chmod(0o755)
    return _digits(digest)


def write(file: File, folder: Path) -> None:
    """
    Writes a file into a folder that holds no links.

    :raises HandedInError: if it cannot be written.
    """
    target = folder.joinpath(*file.parts)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
    except OSError as error:
        path = repr(plain_name("/".join(file.parts))[:_LONGEST_PATH])
        why = _SAME_NAME if isinstance(error, _IN_THE_WAY) else reason_of(error)
        raise HandedInError(Message("its file {file} cannot be made: {why}", file=path, why=why)) from None
    target.chmod(0o755 if file.runs else 0o644)


def within(name: str) -> tuple[str, ...]:
    """
    Splits the name of a file that shall lie in a folder.

    :raises HandedInError: if it would lie outside of it, or too deep.
    """
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\0" in name or not path.parts:
        raise HandedInError(Message("its file {file} lies outside of it", file=repr(plain_name(name)[:_LONGEST_PATH])))
    if len(path.parts) > _DEEPEST:
        raise HandedInError(Message("it has folders in folders, more than {most} deep", most=_DEEPEST))
    return path.parts


def _digits(digest: "hashlib._Hash") -> str:
    return digest.hexdigest()[:_DIGITS]


def _hash_files(files: Iterable[File], digest: "hashlib._Hash") -> Iterator[File]:
    for file in files:
        digest.update(f"{'/'.join(file.parts)!r} {file.runs} {len(file.content)}\n".encode())
        digest.update(file.content)
        yield file


def _files(path: Path) -> Iterator[File]:
    """Yields the files of a program by name; of links only the one in the field itself counts."""
    kind = stat.S_IFMT(path.stat().st_mode)
    if kind not in (stat.S_IFREG, stat.S_IFDIR):
        raise HandedInError(Message("it is neither a file nor a folder"))
    files = sorted(_below(path)) if kind == stat.S_IFDIR else [((path.name,), path)]
    left = MOST_BYTES
    for parts, file in files:
        runs, content = _read(file, left)
        left -= len(content)
        yield File(parts, runs, content)


def _below(path: Path) -> list[tuple[tuple[str, ...], Path]]:
    """Lists the files of a folder, each by its parts."""
    files: list[tuple[tuple[str, ...], Path]] = []
    folders: list[tuple[tuple[str, ...], Path]] = [((), path)]
    entries = 0
    while folders:
        above, folder = folders.pop()
        with os.scandir(folder) as inner:
            for entry in inner:
                entries += 1
                parts, file = (*above, entry.name), folder / entry.name
                if entry.name not in _LEFT_OUT and entry.is_dir(follow_symlinks=False):
                    within("/".join((*parts, "file")))
                    folders.append((parts, file))
                elif entry.name not in _LEFT_OUT and entry.is_file(follow_symlinks=False):
                    files.append((parts, file))
                if entries > _MOST_ENTRIES or len(files) > MOST_FILES:
                    raise HandedInError(_TOO_MUCH)
    return files


def _read(file: Path, most: int) -> tuple[bool, bytes]:
    # A file that has become a pipe meanwhile must not keep us waiting.
    with open(os.open(file, _READ), "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise HandedInError(Message("it changed while it was read"))
        if status.st_size > most:
            raise HandedInError(_TOO_MUCH)
        content = opened.read(status.st_size + 1)
    if len(content) != status.st_size:
        raise HandedInError(Message("it changed while it was read"))
    return bool(status.st_mode & stat.S_IXUSR), content


class _Packed(io.BytesIO):
    """The bytes of a zip, of which no more than so many are read at once."""

    most: int | None = _MOST_DIRECTORY

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        if self.most is not None and len(content) > self.most:
            raise HandedInError(_TOO_MUCH)
        return content


def _unpack(content: bytes) -> Iterator[File]:
    """Yields the files of a zip, or the zip itself if Python runs it as it is."""
    packed = _Packed(content)
    try:
        with zipfile.ZipFile(packed) as archive:
            packed.most = None
            members = [member for member in archive.infolist() if not member.is_dir()]
            if strange := next((member.orig_filename for member in members if "\\" in member.orig_filename), ""):
                name = plain_name(strange)[:_LONGEST_PATH]
                problem = "its names have \\ in place of /, as {name}: pack it with another program"
                raise HandedInError(Message(problem, name=name))
            if any(member.filename == "__main__.py" for member in members):
                yield File((UPLOAD,), False, content)
                return
            yield from _members(archive, members)
    except (HandedInError, OSError):
        raise
    except Exception as error:  # zipfile has many exceptions for bytes that are no zip
        raise HandedInError(Message("it is no whole zip file ({why})", why=str(error))) from None


def _members(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> Iterator[File]:
    if len(members) > MOST_FILES:
        raise HandedInError(_TOO_MUCH)
    left = MOST_BYTES
    for member in members:
        mode = member.external_attr >> 16
        if _LEFT_OUT & {*PurePosixPath(member.filename).parts} or stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            continue
        if member.flag_bits & _ENCRYPTED:
            raise HandedInError(Message("it is encrypted: hand it in without a password"))
        if member.compress_type not in _METHODS:
            problem = "it is packed in a way that few programs read: pack it again by the usual one, deflate"
            raise HandedInError(Message(problem))
        if member.file_size > left:
            raise HandedInError(_TOO_MUCH)
        left -= member.file_size
        parts = within(member.filename)
        with archive.open(member) as file:
            # Asked for all, zipfile unpacks a GiB at once, whatever size the zip names.
            content = file.read(member.file_size)
        yield File(parts, bool(mode & stat.S_IXUSR), content)
