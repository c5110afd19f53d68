"""The examples of docs/reference/records.md are what the programs read and write."""

import re
from pathlib import Path

import pytest

from ddzbot.view import View
from tests.support import ROOT
from tools.records.api import read_games
from tools.records.files import records_of, text_of
from tools.records.notation import parse_position, parse_view, position_text, view_text
from tools.records.text import record_text
from tools.records.text_reader import parse_record

PAGE = (ROOT / "docs" / "reference" / "records.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL))
GAME = parse_record(BLOCKS["ddzn"])


def test_every_form_in_the_documentation_is_canonical_and_of_its_game() -> None:
    assert record_text(GAME) == BLOCKS["ddzn"]
    assert GAME.illegal_moves() == []
    assert text_of(records_of(BLOCKS["json"], "json"), "json") == BLOCKS["json"]
    positions, views = BLOCKS["position"].splitlines(), BLOCKS["view"].splitlines()
    assert [position_text(parse_position(line)) for line in positions] == positions
    assert [view_text(parse_view(line)) for line in views] == views
    assert (positions[0], views[0]) == (position_text(GAME.game(13)), view_text(View.of(GAME.game(13), 1)))


def test_the_program_in_the_documentation_reads_and_writes_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    exec(BLOCKS["python"], {})
    first, wrote = capsys.readouterr().out.splitlines()
    count, _, position = first.partition(" ")
    assert position_text(parse_position(position)) == position
    assert 0 < int(wrote) == len(read_games("games.ddzn")) < int(count)
