"""Files that are written in one step."""

import errno
import os
import stat
from pathlib import Path

import pytest

from tools.shared.storage.whole_file import check_target, put, put_table, written_whole


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_is_replaced_when_all_of_it_is_written_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.bin"
    put(path, b"old")
    with written_whole(path) as file:
        file.write(b"n")
        file.flush()
        assert path.read_bytes() == b"old"
        file.write(b"ew")
    assert path.read_bytes() == b"new"
    assert os.listdir(path.parent) == ["a.bin"]


def test_after_an_error_the_file_is_as_it_was_and_no_half_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    put(path, b"old")
    with pytest.raises(KeyboardInterrupt), written_whole(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_of_two_errors_the_first_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    path = tmp_path / "a.bin"
    put(path, b"old")
    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(OSError, match="No space left"):
        put(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("call", ["fsync", "replace", "open"])
def test_the_error_of_a_full_disk_names_the_file(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space left") as caught:
        put(tmp_path / "a.bin", b"new")
    assert caught.value.filename == str(tmp_path / "a.bin")


def test_a_link_stays_one_and_its_file_is_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "a.bin", tmp_path / "b.bin"
    link.symlink_to(path)
    for content in (b"old", b"new"):
        put(link, content)
        assert (link.is_symlink(), path.read_bytes()) == (True, content)


def test_a_file_may_be_for_its_owner_alone(tmp_path: Path) -> None:
    with written_whole(tmp_path / "a.bin", mode=0o600) as file:
        file.write(b"hidden cards")
    assert stat.S_IMODE((tmp_path / "a.bin").stat().st_mode) == 0o600


def test_a_folder_is_made_unless_that_would_hide_a_slip(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), written_whole(tmp_path / "no" / "a.bin", make_folder=False):
        raise AssertionError
    assert os.listdir(tmp_path) == []


def test_it_is_on_the_disk_before_it_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = tmp_path / "a.bin", list[str]()
    sync, replace = os.fsync, os.replace

    def fsync(handle: int) -> None:
        seen.append(f"{os.fstat(handle).st_size} bytes")
        sync(handle)

    def replaces(old: Path, new: Path) -> None:
        seen.append("replaced")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replaces)
    put(path, b"12345")
    assert seen == ["5 bytes", "replaced"]


def test_a_target_is_tried_and_stays_as_it_is(tmp_path: Path) -> None:
    check_target(tmp_path / "new.bin")
    assert list(tmp_path.iterdir()) == []
    put(tmp_path / "old.bin", b"old")
    check_target(tmp_path / "old.bin")
    assert (tmp_path / "old.bin").read_bytes() == b"old"
    with pytest.raises(FileNotFoundError):
        check_target(tmp_path / "no" / "such.bin")


def test_a_table_has_its_fields_first_and_none_as_an_empty_cell(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    put_table(path, ("games", "loss", "name"), [(1, 0.5, "a,b"), (2, None, "c")])
    assert path.read_bytes() == b'games,loss,name\n1,0.5,"a,b"\n2,,c\n'
