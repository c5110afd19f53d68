"""docs/guide/serve.md lists the options that there are, and published.py the fields of a state."""

import re

import click

from ddzbot.rules import BOTZONE2
from tests.support import ROOT
from tools.tables.serve import published
from tools.tables.serve.__main__ import main
from tools.tables.table.table import Table

DOCS = (ROOT / "docs" / "guide" / "serve.md").read_text(encoding="utf-8")


def test_the_page_names_every_option_and_no_other() -> None:
    options = {name for option in main.params if isinstance(option, click.Option) for name in option.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", DOCS)) == options


def test_every_field_of_a_state_is_described() -> None:
    table = Table(BOTZONE2, 1, [None, None, None])
    assert all(f"``{field}``" in str(published.__doc__) for field in published.shown_game(table, 0))
