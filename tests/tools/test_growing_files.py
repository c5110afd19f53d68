"""Lines that are appended: none is lost, and none stands behind half of another."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.shared.storage import growing_file
from tools.shared.storage.growing_file import GrowingFile, JournalError, append_line, whole_lines

OLD = b'{"a":1}\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b""),
        (OLD, OLD),
        (OLD + b'{"a":"b', OLD),
        (OLD + b'{"a":"\xc3', OLD),
        (OLD + b"\0" * 40, OLD),
        (OLD + b"\x1a", OLD),
        (OLD.rstrip() + b"\x1a", OLD),
        (b'{"a', b""),
        (b'{"a":1}', OLD),
        (OLD + b"a word of a user", OLD + b"a word of a user\n"),
    ],
)
def test_a_line_stands_behind_the_last_whole_one(before: bytes, after: bytes, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(before)
    append_line(path, b"{}")
    assert path.read_bytes() == after + b"{}\n"


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    append_line(tmp_path / "f", b"{}")
    assert (tmp_path / "f").read_bytes() == b"{}\n"


def test_a_file_is_left_only_if_something_was_written_or_it_was_there(tmp_path: Path) -> None:
    path, there, link = tmp_path / "f", tmp_path / "there", tmp_path / "link"
    there.touch()
    link.symlink_to(path)
    for name in (path, there, link):
        GrowingFile(name).close()
    assert sorted(os.listdir(tmp_path)) == ["link", "there"]
    file = GrowingFile(link)
    file.write(b"{}")
    file.close()
    assert path.read_bytes() == b"{}"


@pytest.mark.parametrize("name", ["write", "fsync"])
def test_what_fails_leaves_the_whole_lines(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_bytes(OLD + b'{"h')
    real: Callable[..., Any] = os.write

    def fail(handle: int, data: bytes = b"") -> int:
        if name == "write" and len(data) > 2:
            return real(handle, data[:2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(growing_file.os, name, fail)
        with pytest.raises(OSError, match="No space"):
            append_line(path, b'{"new":1}')
    assert path.read_bytes() == OLD
    append_line(path, b'{"new":1}')
    assert path.read_bytes() == OLD + b'{"new":1}\n'


def test_the_second_process_waits_for_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    file = GrowingFile(path)
    threading.Timer(0.1, file.close).start()
    append_line(path, b"{}")
    assert path.read_bytes() == b"{}\n"
    file = GrowingFile(path)
    monkeypatch.setattr(growing_file, "PATIENCE", 0.01)
    with pytest.raises(JournalError, match="another match is writing it"):
        append_line(path, b"{}")
    file.close()


@pytest.mark.parametrize(
    ("content", "lines", "torn"),
    [
        (b"", [], 0),
        (b"a\nb\n", [b"a", b"b"], 0),
        (b"a\nb", [b"a"], 1),
        (b"a\nb\0c\n", [b"a"], 4),
        (b"a\0\nb\n", [b"a\0", b"b"], 0),
    ],
)
def test_half_a_line_is_one_without_its_end_or_with_zero_bytes(content: bytes, lines: list[bytes], torn: int) -> None:
    assert whole_lines(content) == (lines, torn)
