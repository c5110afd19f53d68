"""docs/serve.md: the options, messages and fields that it lists are those that there are."""

import re

import click

from ddzbot.rules import BOTZONE2
from tests.support import ROOT
from tools.serve import connection, rooms, wire
from tools.serve.__main__ import main
from tools.serve.shown import shown_game
from tools.table.table import Table

DOCS = (ROOT / "docs/serve.md").read_text(encoding="utf-8")


def test_the_page_lists_every_option_and_no_other() -> None:
    options = {name for option in main.params if isinstance(option, click.Option) for name in option.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", DOCS)) == options - {"--help"}


def test_the_page_lists_every_message_with_its_fields() -> None:
    for name, (_, fields) in wire._KINDS.items():
        assert f"| `{name}` | {', '.join(f'`{field}`' for field in fields)} |" in DOCS


def test_the_page_names_every_field_of_a_state() -> None:
    table = Table(BOTZONE2, 1, [None, None, None])
    assert all(f"`{field}`" in DOCS for field in shown_game(table, 0))


def test_the_page_names_the_limits() -> None:
    assert str(wire.MOST_BYTES) in DOCS and f"{connection.MOST_VIEWERS} connections" in DOCS
    assert f"{rooms.MOST_ROOMS} tables at most" in DOCS
