"""
Split and LessSplit against their definitions, on random hands.

``DDZ_SPLIT_HANDS=2000`` in the environment asks for that many hands instead of 300.
"""

import os
import random
from collections.abc import Iterator

import pytest

from ddzbot import kernel
from ddzbot.cards import UNIT, Hand, contains, count, hand_text, parse_hand
from ddzbot.less_split import candidates, divisions
from ddzbot.rules import BOTZONE, PASS, RULE_SETS, Move, RuleSet, legal_moves, parse_move
from tests.support import kernel_path, require

HANDS = int(os.environ.get("DDZ_SPLIT_HANDS", "300"))
NAMES = sorted(RULE_SETS)
THESIS_EXAMPLE = "34556789LB"


@pytest.fixture(params=["kernel", "reference"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers by the kernel, then without it."""
    environment = {"DDZ_NO_KERNEL": "1"}
    if request.param == "kernel":
        environment = {"DDZ_KERNEL": require(kernel_path(), "a C compiler")}
    monkeypatch.setattr(kernel, "_choice", kernel.choose(environment))


def random_hands(rules: RuleSet, seed: str, number: int, largest: int = 9) -> Iterator[Hand]:
    """Yields hands of few ranks as often as of many, so that chains, planes and bombs are common."""
    draw = random.Random(f"split/{rules.name}/{seed}")
    for _ in range(number):
        start = draw.randrange(10)
        ranks = range(start, start + 5) if draw.random() < 0.5 else range(15)
        deck = [UNIT[rank] for rank in ranks for _ in range(count(rules.deck, rank))]
        yield sum(draw.sample(deck, min(len(deck), draw.randint(1, largest))))


def defined_divisions(rules: RuleSet, hand: Hand) -> set[tuple[Hand, ...]]:
    """Lists all multisets of leads that make up the hand: leads in a row, none before the last."""
    leads = sorted(move.cards for move in legal_moves(rules, hand))

    def from_lead(first: int, rest: Hand) -> Iterator[tuple[Hand, ...]]:
        if not rest:
            yield ()
        for at in range(first, len(leads)):
            if contains(rest, leads[at]):
                for others in from_lead(at, rest - leads[at]):
                    yield (leads[at], *others)

    return set(from_lead(0, hand))


def defined_candidates(rules: RuleSet, hand: Hand, to_beat: Move | None, k: int) -> list[Move]:
    """Lists the legal moves that occur in a division of at most the fewest and *k* moves."""
    all_divisions = divisions(rules, hand)
    most = len(all_divisions[0]) + k
    inside = {cards for division in all_divisions if len(division) <= most for cards in division}
    return [move for move in legal_moves(rules, hand, to_beat) if move.is_pass or move.cards in inside]


def some_table(rules: RuleSet, draw: random.Random) -> Move | None:
    """Draws what is to be beaten: nothing, or a legal lead of a small hand."""
    hand = next(random_hands(rules, str(draw.random()), 1, 6))
    return draw.choice([None, *legal_moves(rules, hand)])


def test_the_example_of_the_thesis_has_exactly_16_divisions() -> None:
    assert len(divisions(BOTZONE, parse_hand(THESIS_EXAMPLE))) == 16


def test_the_example_of_the_thesis_begins_with_its_shortest_division() -> None:
    assert list(map(hand_text, divisions(BOTZONE, parse_hand(THESIS_EXAMPLE))[0])) == ["5", "3456789", "LB"]


def test_the_empty_hand_has_one_division_of_no_moves() -> None:
    assert divisions(BOTZONE, 0) == [()]


@pytest.mark.parametrize("name", NAMES)
def test_split_lists_every_multiset_of_leads_that_is_the_hand(name: str) -> None:
    rules = RULE_SETS[name]
    for hand in random_hands(rules, "definition", HANDS // len(NAMES)):
        found = divisions(rules, hand)
        assert len(set(found)) == len(found), hand_text(hand)
        assert set(found) == defined_divisions(rules, hand), hand_text(hand)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", NAMES)
def test_candidates_are_the_moves_of_the_short_divisions(name: str) -> None:
    rules = RULE_SETS[name]
    draw = random.Random(name)
    for hand in random_hands(rules, "candidates", HANDS // len(NAMES)):
        to_beat, k = some_table(rules, draw), draw.randrange(4)
        assert candidates(rules, hand, to_beat, k) == defined_candidates(rules, hand, to_beat, k), hand_text(hand)


@pytest.mark.usefixtures("engine")
def test_a_pass_is_always_a_candidate() -> None:
    assert candidates(BOTZONE, parse_hand("34567"), parse_move(BOTZONE, "6"), 0) == [PASS]


@pytest.mark.usefixtures("engine")
def test_a_larger_k_never_loses_a_candidate() -> None:
    for hand in random_hands(BOTZONE, "larger", 50, 20):
        few, more = (set(candidates(BOTZONE, hand, None, k)) for k in (1, 2))
        assert few <= more, hand_text(hand)
