"""docs/guide/serve.md and docs/reference/serve.md list the options, messages and fields that there are."""

import re
from typing import get_args

import click

from ddzbot.rules import BOTZONE2
from tests.support import ROOT
from tools.shared.work import answering
from tools.tables.serve import app, connection, finished, reviews, rooms, seats, site, wire
from tools.tables.serve.__main__ import main
from tools.tables.serve.shown import shown_game
from tools.tables.table import thinking
from tools.tables.table.table import Table

DOCS = "".join((ROOT / "docs" / folder / "serve.md").read_text(encoding="utf-8") for folder in ("guide", "reference"))
PROSE = " ".join(DOCS.split())
"""The same without its line breaks."""


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


def test_the_page_names_the_bounds() -> None:
    for line in [
        f"| tables | {rooms.MOST_ROOMS}; {rooms.MOST_OF_SOURCE} that were made from one address |",
        f"| a table where nobody watches or has a seat | {rooms.EMPTY_SECONDS / 60:g} minutes, or",
        f"| connections | {site.MOST_CONNECTIONS}, and half of the open files that the system grants; ",
        f"the system grants; {site.MOST_OF_SOURCE} from one address |",
        f"| a connection that takes nothing of what is sent to it | {site.STALLED_SECONDS:g} s; ",
        f"{site.LAGGING_SECONDS:g} s where there is no room for another one |",
        f"| pages of finished games that are made at once | {app.PAGES_AT_ONCE}; who",
        f"malformed request, or refused connections | {60 / site.LOG_SECONDS:g} a minute |",
        f"| connections that watch a table | {seats.MOST_WATCHERS}; a further one",
        f"| connections of a seat | {seats.MOST_OF_SEAT}; with a further one",
        f"| {connection.MOST_STRANGERS} of each kind, with a further one the oldest ends; ",
        f"the oldest ends; {connection.JOIN_SECONDS:g} s each |",
        f"| {wire.MOST_BYTES} bytes; a request for a table {app.MOST_BODY} |",
        f"| messages that make no sense | {connection.PATIENCE}, then",
        f"| messages that a slow connection lags behind | {connection.MOST_WAITING}, then",
        f"| a connection that does not answer pings | {1.5 * connection.HEARTBEAT:g} s |",
        f"| answers of one process of bots | {answering.MOST_ANSWERS}, then",
        f"| finished games whose replay and record a table keeps | {finished.MOST_GAMES} |",
        f"| reviews of a table | one at a time; it keeps {reviews.MOST_REVIEWS} |",
        f"| decisions without an answer | a review leaves out one, and ends with {reviews.MOST_FAILURES} |",
        f"the bot's limit plus `--patience` ({thinking.GRACE:g} s)",
        f"a limit in playouts alone counts as {thinking.USUAL_PATIENCE:g} s. A bid may take",
        f"After {thinking.MOST_HANGS} such moves or bids",
        f"with a limit of 1 s one hanging bot costs a game {thinking.MOST_HANGS * (1 + thinking.GRACE):g} s at most",
    ]:
        assert line in PROSE
