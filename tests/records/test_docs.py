"""The examples of docs/reference/records.md are what the programs read and write."""

import re

import pytest

from ddzbot.view import View
from tests.support import ROOT
from tools.records.files import records_of, text_of
from tools.records.notation import parse_position, parse_view, position_text, view_text
from tools.records.text import record_text
from tools.records.text_reader import parse_record

PAGE = (ROOT / "docs" / "reference" / "records.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL))
GAME = parse_record(BLOCKS["ddzn"])


def test_the_text_in_the_documentation_is_canonical() -> None:
    assert record_text(GAME) == BLOCKS["ddzn"]
    assert GAME.illegal_moves() == []


def test_the_json_in_the_documentation_is_canonical() -> None:
    assert text_of(records_of(BLOCKS["json"], "json"), "json") == BLOCKS["json"]


@pytest.mark.parametrize("line", BLOCKS["position"].splitlines())
def test_the_positions_in_the_documentation_are_canonical(line: str) -> None:
    assert position_text(parse_position(line)) == line


@pytest.mark.parametrize("line", BLOCKS["view"].splitlines())
def test_the_views_in_the_documentation_are_canonical(line: str) -> None:
    assert view_text(parse_view(line)) == line


def test_position_and_view_in_the_documentation_are_of_the_game_in_it() -> None:
    game = GAME.game(13)
    assert BLOCKS["position"].splitlines()[0] == position_text(game)
    assert BLOCKS["view"].splitlines()[0] == view_text(View.of(game, 1))
