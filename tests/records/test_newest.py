"""The newest game of a folder: of which file, and which of its games."""

import os
from pathlib import Path

import pytest

from tests.records.some_records import EXAMPLE
from tools.records.files import records_of, write_records
from tools.records.newest import newest_game
from tools.records.record import RecordError


def test_it_is_the_last_game_of_the_file_that_was_written_last(tmp_path: Path) -> None:
    (game,) = records_of(EXAMPLE)
    for number, (name, games) in enumerate((("play.ddzn", 3), ("serve.ddzn", 2), ("last.jsonl", 1)), 1):
        write_records(tmp_path / name, [game] * games)
        os.utime(tmp_path / name, ns=(number, number))
    (tmp_path / "last.review.html").write_text("<html>", "utf-8")
    (tmp_path / ".play.ddzn.lock").touch()
    assert newest_game(tmp_path) == (tmp_path / "last.jsonl", 1)
    os.utime(tmp_path / "play.ddzn", ns=(9, 9))
    assert newest_game(tmp_path) == (tmp_path / "play.ddzn", 3)


def test_without_a_game_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "page.html").touch()
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(RecordError) as caught:
            newest_game(folder)
        assert str(caught.value) == f"{folder}: there is no game here yet; play one, or name a file"
