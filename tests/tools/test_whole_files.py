"""Files that are written in one step."""

import os
from pathlib import Path

import pytest

from tools.shared.whole_files import check_target, put, put_table, written_whole


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
