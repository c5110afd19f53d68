"""The positions of counts.perft have as many legal moves as the file says, and as the definition finds."""

from typing import NamedTuple

import pytest

from ddzbot.cards import contains, parse_hand
from ddzbot.rules import RULE_SETS, legal_moves, read_move, rule_set
from tests.rules import definition
from tests.support import ROOT

FILE = ROOT / "tests" / "data" / "rules" / "counts.perft"


class Position(NamedTuple):
    """One line of the file."""

    rules_name: str
    hand: str
    to_beat: str | None
    count: int


def positions() -> list[Position]:
    lines = FILE.read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return [Position(rules, hand, None if table == "-" else table, int(count)) for rules, hand, table, count in rows]


def ours(position: Position) -> set[str]:
    rules = rule_set(position.rules_name)
    table = None if position.to_beat is None else read_move(rules, parse_hand(position.to_beat))
    found = legal_moves(rules, parse_hand(position.hand), table)
    assert len({str(move) for move in found}) == len(found)
    return {str(move) for move in found}


@pytest.mark.parametrize("position", positions(), ids=lambda position: "-".join(map(str, position[:3])))
def test_a_position_has_as_many_moves_as_the_file_and_the_definition_say(position: Position) -> None:
    found = ours(position)
    theirs = definition.legal(position.rules_name, position.hand, position.to_beat)
    # The moves on which the two differ come first: they are what one wants to see when this fails.
    assert (sorted(found - theirs), sorted(theirs - found), len(found)) == ([], [], position.count)


def test_the_file_asks_for_leads_and_follows_of_every_rule_set() -> None:
    asked = {(position.rules_name, position.to_beat is None) for position in positions()}
    assert asked == {(name, leads) for name in RULE_SETS for leads in (True, False)}


def test_every_position_fits_into_one_deck() -> None:
    for position in positions():
        rules = rule_set(position.rules_name)
        assert contains(rules.deck, parse_hand(position.hand + (position.to_beat or "")))
        assert len(position.hand) <= rules.largest_hand
