"""The corpus says of positions what kernel, generator and the definition by subsets find, and of games the judge."""

import json
from typing import Any

import pytest

from ddzbot.cards import contains, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RULE_SETS, RuleSet, legal_moves
from ddzbot.testing.cases import parse_case
from ddzbot.testing.corpus import digest, game_of, grown, lines_of, position_line
from ddzbot.testing.game_steps import expected
from tests.platforms import PLATFORMS
from tests.rules import definition
from tests.rules.test_recorded_games import RULES, deal_of, records

every_rule_set = pytest.mark.parametrize("rules", PLATFORMS.values(), ids=PLATFORMS)


def entries(rules: RuleSet) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of(rules)]


def positions(rules: RuleSet) -> list[dict[str, Any]]:
    return [entry for entry in entries(rules) if "hand" in entry]


@every_rule_set
def test_generator_and_kernel_have_the_moves_that_the_file_says(rules: RuleSet, kernel: Kernel) -> None:
    for line in lines_of(rules):
        entry = json.loads(line)
        if "hand" in entry:
            case = parse_case(entry["hand"], entry["to_beat"])
            assert position_line(rules, case, entry.get("trap", "")) == line
            fast = kernel.legal_moves(rules, case.hand, case.move_to_beat(rules))
            assert (len(fast), digest(map(str, fast))) == (entry["count"], entry["sha256"])


@every_rule_set
def test_the_definition_by_subsets_has_the_moves_that_the_file_says(rules: RuleSet) -> None:
    # Generator and definition are compared on other hands, too.
    for entry in positions(rules)[::4]:
        theirs = definition.legal(rules.name, entry["hand"], entry["to_beat"] or None)
        case = parse_case(entry["hand"], entry["to_beat"])
        ours = set(map(str, legal_moves(rules, case.hand, case.move_to_beat(rules))))
        # The moves on which the two differ come first: they are what one wants to see when this fails.
        assert (sorted(ours - theirs), sorted(theirs - ours)) == ([], []), entry
        assert (len(theirs), digest(theirs)) == (entry["count"], entry["sha256"])


@every_rule_set
def test_games_have_the_verdict_of_the_file(rules: RuleSet) -> None:
    games = [entry for entry in entries(rules) if "hands" in entry]
    assert len(games) >= 2
    for entry in games:
        found = expected(game_of(rules, entry))
        assert (found["landlord"], found["scores"]) == (entry["landlord"], entry["scores"])


@pytest.mark.parametrize("game", RULES)
def test_the_verdicts_of_the_platform_are_its_judges(game: str) -> None:
    judged = {(deal_of(one).hands, *one["scores"]) for one in records(game)}
    games = [entry for entry in entries(RULES[game]) if "hands" in entry]
    assert all(one["verdict"] == f"judge of {game}" for one in games)
    assert {(tuple(map(parse_hand, one["hands"])), *one["scores"]) for one in games} <= judged


@every_rule_set
def test_positions_are_different_leads_and_follows_from_one_deck(rules: RuleSet) -> None:
    found = positions(rules)
    assert {bool(one["to_beat"]) for one in found} == {True, False}
    assert len({(one["hand"], one["to_beat"]) for one in found}) == len(found)
    assert sum("trap" in one for one in found) >= 40
    for one in found:
        assert contains(rules.deck, parse_hand(one["hand"] + one["to_beat"]))
        assert len(one["hand"]) <= rules.largest_hand


def test_it_grows_the_same_way_from_the_same_seed() -> None:
    rules = RULE_SETS["mini"]
    assert [*grown(rules, 30, 1)] == [*grown(rules, 30, 1)] != [*grown(rules, 30, 2)]
    assert len({*grown(rules, 30, 1)}) == 30
