"""Games that are played again with another bid forced."""

import pytest
from click.testing import CliRunner

from ddzbot.engine import Engine
from ddzbot.game import shuffled
from ddzbot.rules import BOTZONE2
from ddzbot.search.limit import Limit
from tools.match.forced import Forced, forced_bids, main, table_of
from tools.match.plan import Plan
from tools.match.table import PlayerTable

PLAN = Plan("botzone2", ("random", "rule"), 3, 1, "gate")


def player_table() -> PlayerTable:
    return PlayerTable(BOTZONE2, Limit(), {"A": Engine("random"), "B": Engine("rule")})


def test_a_forced_bid_is_made_and_the_others_are_asked() -> None:
    deal = shuffled(BOTZONE2, "forced")
    free = player_table().play(deal, "ABB", [1, 2, 3]).game
    forced = player_table().play(deal, "ABB", [1, 2, 3], {0: 3}).game
    assert free is not None and forced is not None
    assert forced.bids == (3,)
    assert player_table().play(deal, "ABB", [1, 2, 3], dict(enumerate(free.bids))).game == free


def test_every_other_legal_bid_of_the_first_contestant_is_forced() -> None:
    found = list(forced_bids(PLAN, player_table(), 0))
    assert found
    for one in found:
        assert one.made != one.forced
        assert one.forced in (0, 1, 2, 3)
    # A leads the auction in three of six seatings; there it has three other bids.
    assert sum(one.position == 0 for one in found) == 9


def test_the_table_has_means_by_place_and_bid() -> None:
    rows = [Forced(0, 3, 0, -2.0), Forced(0, 3, 0, -4.0), Forced(2, 0, 3, 1.0)]
    table = table_of(rows)
    cells = [list(column.cells) for column in table.columns]
    assert cells[0] == ["first", "third"]
    assert cells[3] == ["2", "1"]
    assert cells[4][0] == "-3.00 ± 1.96"


def test_the_command_plays_and_refuses_programs() -> None:
    done = CliRunner().invoke(main, ["random", "rule", "--sets", "1", "--quiet"])
    assert done.exit_code == 0, done.output
    assert "points more" in done.output
    done = CliRunner().invoke(main, ["python bot.py", "rule"])
    assert (done.exit_code, "programs cannot be forced" in done.output) == (2, True)


@pytest.mark.parametrize("rules", ["botzone", "mini"])
def test_rules_without_an_auction_are_refused(rules: str) -> None:
    assert CliRunner().invoke(main, ["random", "rule", "--rules", rules]).exit_code == 2
