"""What is handed in for a class: names, folders and zips, and what a program that is compiled hands over."""

import io
import os
import tempfile
import zipfile
from pathlib import Path

from tests.fuzz.checks import assert_is_a_sentence
from tools.arena.field.build import files_made
from tools.arena.field.entries import _sentence
from tools.arena.field.handed_in import (
    MOST_BYTES,
    MOST_FILES,
    File,
    HandedInError,
    copy_program,
    digest_of,
    handed_in,
    write,
)
from tools.shared.plain import plain_name

MAIN = b"print('a program')\n"
NAMES = [
    "main.py",
    "bot/main.py",
    "\u6211\u7684.py",
    "a\nb.py",
    "../up.py",
    "/etc/x.py",
    "d/" * 40 + "x",
    "__main__.py",
]


def hand_in_seeds() -> list[bytes]:
    """Zips of every kind, what a build prints, and names of files, one a line."""
    zips = [_zipped({file: MAIN}, zipfile.ZIP_DEFLATED) for file in NAMES]
    methods = (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    zips += [_zipped({"main.py": MAIN, "more/b.py": b"\0" * 999}, method) for method in methods]
    printed = b"".join(
        b"%d 1 %d\n%s%s" % (len(file), len(MAIN), file, MAIN)
        for file in (b"bot", b"more/b.o", b"\xce\xd2", b"../up", b"")
    )
    names = (
        "\n".join(file for file in NAMES if "/" not in file and "\n" not in file).encode() + b"\n\xce\xd2\xb5\xc4.py"
    )
    return [*zips, printed, printed[:25], names]


def _zipped(files: dict[str, bytes], method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        for member, content in files.items():
            packed.writestr(zipfile.ZipInfo(member), content, method)
    return file.getvalue()


def check_hand_in(data: bytes) -> None:
    """Takes bytes as a zip, as what a build hands over, and as names: nothing is written but what may be."""
    with tempfile.TemporaryDirectory() as folder:
        _check_zip(data, Path(folder))
        _check_made(data, Path(folder))
        _check_names(data, Path(folder))
        assert {path.name for path in Path(folder).iterdir()} <= {"odd.zip", "copy", "made", "names"}


def _check_zip(data: bytes, folder: Path) -> None:
    path = folder / "odd.zip"
    path.write_bytes(data)
    try:
        assert copy_program(path, folder / "copy") == digest_of(path)
    except (HandedInError, OSError) as error:
        assert_is_a_sentence(plain_name(_sentence(error)))
    _check_folder(folder / "copy")


def _check_made(data: bytes, folder: Path) -> None:
    files: list[File] = []
    try:
        files += files_made(data)
    except HandedInError as error:
        assert_is_a_sentence(plain_name(_sentence(error)))
    assert sum(len(file.content) for file in files) <= len(data)
    (folder / "made").mkdir()
    for file in files:
        try:
            write(file, folder / "made")
        except OSError as error:
            assert_is_a_sentence(plain_name(_sentence(error)))
    _check_folder(folder / "made")


def _check_folder(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if not path.is_dir()]
    assert len(files) <= MOST_FILES and sum(path.lstat().st_size for path in files) <= MOST_BYTES
    assert not any(path.is_symlink() for path in files)
    for path in files:
        plain_name(path.name).encode("utf-8")


def _check_names(data: bytes, folder: Path) -> None:
    names = folder / "names"
    names.mkdir()
    for file in data.split(b"\n")[:20]:
        if file.strip(b".") and b"/" not in file and b"\0" not in file and len(file) < 256:
            (names / os.fsdecode(file)).write_bytes(MAIN)
    try:
        programs = handed_in(names)
    except ValueError as error:
        assert "there is no program in it" in str(error)
        return
    assert len({program.name for program in programs}) == len(programs)
    for program in programs:
        assert plain_name(program.name) == program.name
        program.name.encode("utf-8")
        assert digest_of(program.path)
