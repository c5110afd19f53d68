"""The levels: whom they are, that each plays, and that their Elo are those of the kept tournament."""

import re
from itertools import pairwise

import pytest

from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import parse_limit
from tests.support import ROOT
from tools.lab.experiments.plan import read_plan
from tools.records.fallbacks import failures_of
from tools.shared.contestants import parse_contestant
from tools.shared.language import page_words
from tools.shared.names import divided
from tools.tables.table.bots import bot, checked_bot
from tools.tables.table.levels import BEST, LEVELS, NAMES, choices, level_named, level_word, player_text
from tools.tables.table.table import Table

RESULTS = ROOT / "results" / "levels"
RANKED = re.compile(r"^\| \d+ \| `(\w+)` \| (-?\d+) \((-?\d+) to (-?\d+)\)", re.MULTILINE)


@pytest.mark.parametrize("rules", ["botzone2", "mini"])
@pytest.mark.parametrize("level", NAMES)
def test_each_level_plays_a_whole_game(level: str, rules: str) -> None:
    table = Table(RULE_SETS[rules], 7, [bot(level, 7, position) for position in range(3)], [level] * 3)
    table.advance(parse_limit("20p"))
    assert table.over and table.record().names == (level,) * 3
    assert not any(failures_of(move.note.debug or {}) for move in table.record().moves)


def test_elo_are_those_of_the_kept_tournament_and_at_least_100_apart() -> None:
    kept = {name: int(elo) for name, elo, _, _ in RANKED.findall((RESULTS / "TABLES.md").read_text("utf-8"))}
    assert {name: elo for name, elo in kept.items() if name in NAMES} == {level.name: level.elo for level in LEVELS}
    assert all(upper.elo - lower.elo >= 100 for lower, upper in pairwise(LEVELS))
    assert kept["rule"] - LEVELS[0].elo > 200


def test_the_tournament_was_played_by_the_levels() -> None:
    (tournament,) = (one for one in read_plan(RESULTS / "plan.toml") if one.kind == "tournament")
    played = {name: divided(text)[1] for name, text in tournament.started.items()}
    of_best = played.pop(BEST.name)
    assert played == {level.name: level.player for level in LEVELS if level is not BEST}
    assert parse_contestant(of_best).player == checked_bot(BEST.name).player
    assert [level.name for level in LEVELS if level.limit] == [BEST.name]


def test_a_level_is_named_in_both_languages() -> None:
    words = page_words()
    assert [words[f"level_{name}"][0].lower() for name in NAMES] == list(NAMES)
    assert [level_named(words[f"level_{name}"][1]) for name in NAMES] == list(NAMES)
    assert [level_named(name) for name in (*NAMES, "rule")] == [*NAMES, "rule"]
    assert level_word("champion") == player_text("champion") == "champion"


def test_the_proposed_bot_comes_first_and_none_twice() -> None:
    assert choices("rule", ("champion", "rule")) == ("rule", *NAMES, "champion")
    assert choices(BEST.name, ("rule",))[0] == BEST.name


def test_an_unknown_bot_is_refused_with_all_levels() -> None:
    with pytest.raises(ValueError, match=r"player 'expert' is unknown.*; the levels are beginner, casual, good,"):
        checked_bot("expert")
    with pytest.raises(ValueError, match=r"the option 'x' is unknown; there are (?!.*the levels)"):
        checked_bot("champion:x=1")
