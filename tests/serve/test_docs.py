"""docs/guide/serve.md lists the options, messages and fields that there are."""

import re
from typing import get_args

import click

from ddzbot.rules import BOTZONE2
from tests.support import ROOT
from tools.tables.serve import wire
from tools.tables.serve.__main__ import main
from tools.tables.serve.shown import shown_game
from tools.tables.table.table import Table

DOCS = (ROOT / "docs" / "guide" / "serve.md").read_text(encoding="utf-8")


def test_the_page_names_every_option_and_no_other() -> None:
    options = {name for option in main.params if isinstance(option, click.Option) for name in option.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", DOCS)) == options | {"--help"}


def test_the_page_lists_every_message_with_its_fields() -> None:
    for kind in get_args(wire.Request):
        fields = ", ".join(f"`{field}`" for field in kind.__struct_fields__)
        assert f"| `{kind.__struct_config__.tag}` | {fields} |" in DOCS


def test_the_page_names_every_field_of_a_state() -> None:
    table = Table(BOTZONE2, 1, [None, None, None])
    assert all(f"`{field}`" in DOCS for field in shown_game(table, 0))
