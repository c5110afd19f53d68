"""Screens in both languages, wide and at 40 columns, where all that the wide one has is there, folded."""

import functools
import re
from collections import Counter

import click
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from tests.support import ROOT
from tools.study.show import main as show
from tools.tables.play.__main__ import main as play

pytestmark = pytest.mark.usefixtures("with_kernel")

DEMO = str(ROOT / "tests" / "data" / "rule-demo-1.ddzn")
FAST = ("--bot", "rule", "--limit", "20p", "--seed", "5")
WORDS = ("help", "moves", "moves four_two_solo", "hint", "3", "history", "table", "back", "nonsense")
SCREENS: dict[str, tuple[click.Command, tuple[str, ...], tuple[str, ...]]] = {
    "a game": (show, (DEMO,), ()),
    "a game as one seat saw it": (show, (DEMO, "--seat", "landlord_up", "--thoughts"), ()),
    "a table": (play, FAST, WORDS),
    "a table with an auction": (play, (*FAST, "--rules", "botzone2"), ("help", "hint", "moves", "3", *WORDS)),
    "an endgame": (play, ("--endgame", "20", "--limit", "100000p"), ("help", "moves", "table", "hint")),
    "the endgames": (play, ("--endgame",), ()),
    "mistakes": (play, ("--learn", DEMO, "--limit", "50p"), ("help", "history", "hint")),
}
COMMAND = re.compile(r"\S+ -m tools .*")
"""What is to be pasted stays in one line, however long."""
SECONDS = re.compile(r"\d+\.\d\d? (?:s|秒)")
LOCALES = ("C.UTF-8", "zh_CN.UTF-8")
WIDE = 400
DATA = re.compile(
    r"\S+\.(?:ddzn|ddzw)|(?:Game|Seed): .*|'nonsense': .*|\{.*\}|[TJQKABL]{2,}|save FILE|10 or T|jokers|> .*"
)
"""Names of files and tags, what a player wrote, cards, and what one types."""
NAMES = {"rule", "champion", "exact", "standard", "botzone", "botzone2", "landlord", "nonsense"}
TYPED = {"help", "pass", "hint", "back", "undo", "moves", "table", "history", "quit"}
ONCE = ("a game", "an endgame")
NAMED = [pytest.param(name, marks=() if name in ONCE else pytest.mark.whole) for name in SCREENS]


@functools.cache
def shown(name: str, columns: int, locale: str) -> str:
    """Gets what a command prints, without the times."""
    command, words, lines = SCREENS[name]
    typed = "".join(f"{line}\n" for line in lines)
    done = CliRunner().invoke(command, list(words), input=typed, env={"COLUMNS": str(columns), "LC_ALL": locale})
    assert (done.exit_code, done.exception) == (0, None), done.output
    return SECONDS.sub("", done.stdout)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMED)
def test_at_40_columns_no_line_is_longer_and_nothing_is_left_out(name: str, locale: str) -> None:
    narrow, wide = shown(name, 40, locale), shown(name, WIDE, locale)
    assert [line for line in narrow.splitlines() if cell_len(line) > 40 and not COMMAND.search(line)] == []
    assert "…\n" not in narrow
    there = Counter(SECONDS.sub("", " ".join(narrow.split())))
    there[" "] = there["\n"] = there["."] = 10_000  # impossible ranks have no row among few others
    assert Counter(wide) - there == Counter()
    cards = re.findall(r"\b[3-9TJQKA2LB]{8,}\b", wide)
    assert all(one in re.sub(r"\s", "", narrow) for one in cards)


@pytest.mark.parametrize("name", NAMED)
def test_where_the_locale_is_chinese_no_english_is_left(name: str) -> None:
    text = DATA.sub("", COMMAND.sub("", shown(name, WIDE, LOCALES[1])))
    assert {*re.findall(r"[A-Za-z]{2,}", text)} - NAMES - TYPED == set()
