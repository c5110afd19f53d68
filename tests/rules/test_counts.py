"""How many different moves there are, by kind: against the judges' own numbers, and against arithmetic."""

import functools
from collections import Counter
from collections.abc import Iterator

import pytest

from ddzbot.cards import RANKS, Hand, size
from ddzbot.rules import KIND_NAMES, RULE_SETS, Move, legal_moves, rule_set
from ddzbot.rules_reference import classify
from tests.platforms import PLATFORMS
from tests.rules import definition
from tests.support import ROOT

WITHOUT_SHUTTLES = {
    "solo": 15,
    "pair": 13,
    "trio": 13,
    "trio_solo": 182,
    "trio_pair": 156,
    "solo_chain": 36,
    "pair_chain": 52,
    "plane": 45,
    "plane_solo": 8044,
    "plane_pair": 2939,
    "four_two_solo": 1183,
    "four_two_pair": 858,
    "bomb": 13,
    "rocket": 1,
}
SHUTTLES = {
    "botzone": {"shuttle": 38, "shuttle_solo": 6028, "shuttle_pair": 1805},
    "botzone2": {"shuttle": 38, "shuttle_solo": 17105, "shuttle_pair": 3630},
    "icga": {},
}


@functools.cache
def all_moves(rules_name: str) -> list[Move]:
    """Every legal move of any hand: a lead of the whole deck, because no move is larger than the largest hand."""
    rules = rule_set(rules_name)
    return legal_moves(rules, rules.deck)


def by_kind(rules_name: str) -> Counter[str]:
    return Counter(KIND_NAMES[move.kind] for move in all_moves(rules_name))


@pytest.mark.parametrize(("rules_name", "total"), [("botzone", 21_422), ("botzone2", 34_324), ("icga", 13_551)])
def test_every_kind_has_as_many_moves_as_the_judges_accept(rules_name: str, total: int) -> None:
    assert by_kind(rules_name) == {**WITHOUT_SHUTTLES, **SHUTTLES[rules_name]}
    assert len(all_moves(rules_name)) + len(["pass"]) == total


@pytest.mark.whole
@pytest.mark.parametrize("rules_name", RULE_SETS)
def test_no_set_of_cards_is_listed_twice_and_none_is_larger_than_a_hand(rules_name: str) -> None:
    cards = [move.cards for move in all_moves(rules_name)]
    assert len(set(cards)) == len(cards)
    assert max(size(each) for each in cards) <= rule_set(rules_name).largest_hand


def hands_of(ranks: str, room: int) -> Iterator[str]:
    """Every hand of at most *room* cards of these ranks, as text."""
    if not ranks:
        yield ""
        return
    for copies in range(min(room, 1 if ranks[0] in "LB" else 4) + 1):
        for rest in hands_of(ranks[1:], room - copies):
            yield ranks[0] * copies + rest


@pytest.mark.whole
def test_every_move_of_the_mini_deck_is_found_by_trying_all_hands() -> None:
    tried = hands_of("9TJQKA2LB", 12)
    accepted = {hand for hand in tried if definition.readings("mini", Counter(hand))}
    assert {str(move) for move in all_moves("mini")} == accepted


def repeated_kickers(body_ranks: int, kickers: int) -> int:
    """Counts the ways to choose solo kickers that may repeat: up to 4 of a rank outside the body, 1 of a joker."""
    ways = [1] + [0] * kickers
    for copies in [4] * (13 - body_ranks) + [1, 1]:
        ways = [sum(ways[total - taken] for taken in range(min(copies, total) + 1)) for total in range(kickers + 1)]
    return ways[kickers]


@pytest.mark.whole
def test_standard_solo_kickers_are_counted_with_repetition() -> None:
    readings = Counter(
        (KIND_NAMES[reading.kind], reading.length)
        for move in all_moves("standard")
        for reading in classify(rule_set("standard"), move.cards)
    )
    planes = {length: (13 - length) * repeated_kickers(length, length) for length in range(2, 6)}
    assert {length: readings["plane_solo", length] for length in planes} == planes
    assert readings["four_two_solo", 1] == 13 * repeated_kickers(1, 2) == 1339


def rows_of_the_page() -> dict[str, list[str]]:
    """The table of kinds in docs/reference/rules.md: the numbers behind the name and the shape of each kind."""
    lines = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {row[0]: row[2:] for row in rows if len(row) == 2 + len(PLATFORMS)}


@pytest.mark.parametrize("kind", [*KIND_NAMES[1:-1], "all"])
def test_the_page_on_rules_states_the_true_numbers(kind: str) -> None:
    columns = rows_of_the_page()["kind"]
    numbers = [len(all_moves(name)) if kind == "all" else by_kind(name)[kind] for name in columns]
    assert rows_of_the_page()[f"`{kind}`" if kind != "all" else "all"] == [f"{number:,}" for number in numbers]


def small_sets() -> Iterator[tuple[str, Hand]]:
    """Every set of at most 6 cards, as text and as a hand."""
    jokers = [("", 0), ("L", 1 << 52), ("B", 1 << 56), ("LB", (1 << 52) + (1 << 56))]
    for plain in hands_of(RANKS[:13], 6):
        for joker, cards in jokers:
            if 0 < len(plain) + len(joker) <= 6:
                yield plain + joker, cards + sum(plain.count(rank) << 4 * RANKS.index(rank) for rank in set(plain))


# The other grammars differ from botzone's in shuttles alone, and the smallest shuttle has eight cards.
@pytest.mark.whole
@pytest.mark.parametrize(("name", "recognised"), [("botzone", False), ("standard", False), ("icga", True)])
def test_all_sets_of_up_to_six_cards_are_what_the_definition_says(name: str, recognised: bool) -> None:
    tried = 0
    for text, cards in small_sets():
        found = classify(rule_set(name), cards, recognised)
        ours = {(KIND_NAMES[move.kind], RANKS[move.rank]) for move in found}
        theirs = definition.readings(name, Counter(text), recognised)
        assert ours == {(reading.kind, reading.lowest) for reading in theirs}, (name, text)
        tried += 1
    assert tried == 46_439
