"""The tables of docs/reference/rules.md: which cards each platform takes, and all leads of all hands."""

import re
from collections import Counter
from functools import cache
from importlib.util import find_spec

import pytest

from ddzbot.cards import FULL_DECK, RANK_COUNT, UNIT, Hand, contains, counts, hand_text, parse_hand
from ddzbot.rules import RULE_SETS, RuleSet, classify, legal_moves
from tests.platforms import PLATFORMS
from tests.rules.peers import douzero_moves, rlcard_moves
from tests.support import ROOT, require

PAGE = (ROOT / "docs" / "reference" / "rules.md").read_text("utf-8")
TO_MINI = str.maketrans("3456789", "9TJQKA2")


def rows(heading: str) -> list[list[str]]:
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if re.match(r"\| [`\d]", line)]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


DIFFERENT = rows("How platforms differ")


@pytest.mark.parametrize("cells", DIFFERENT, ids=[cells[0] for cells in DIFFERENT])
def test_each_rule_set_takes_the_cards_or_not(cells: list[str]) -> None:
    for rules, cell in zip(PLATFORMS.values(), cells[1:], strict=False):
        text = cells[0].translate(TO_MINI) if rules.name == "mini" else cells[0]
        fits = len(text) <= rules.largest_hand and contains(rules.deck, parse_hand(text))
        assert cell == ("-" if not fits else "yes" if classify(rules, parse_hand(text)) else "no"), rules.name


@pytest.mark.whole
@pytest.mark.parametrize(("package", "column"), [("rlcard", 6), ("douzero", 7)])
def test_other_projects_take_the_cards_or_not(package: str, column: int) -> None:
    require(find_spec(package), f"{package} (extra test-all)")
    moves = {"rlcard": rlcard_moves, "douzero": douzero_moves}[package]
    for cells in DIFFERENT:
        lists_it = hand_text(parse_hand(cells[0])) in moves({"hand": cells[0], "to_beat": ""})
        assert cells[column] == ("yes" if lists_it else "no"), cells[0]


@cache
def hands_of(copies: tuple[int, ...], cards: int) -> int:
    """Counts the hands of so many cards out of so many copies of each rank."""
    ways = [1] + cards * [0]
    for held in copies:
        ways = [sum(ways[number - taken] for taken in range(min(held, number) + 1)) for number in range(cards + 1)]
    return ways[cards]


@cache
def remainders(rules: RuleSet) -> Counter[tuple[int, tuple[int, ...]]]:
    """Counts all moves by their size and by what they leave of each rank."""
    moves = legal_moves(rules, rules.deck)
    return Counter((move.size, tuple(sorted(counts(rules.deck - move.cards)))) for move in moves)


def leads(rules: RuleSet, cards: int) -> int:
    """Adds up, over the moves, the hands that hold each."""
    alike = remainders(rules).items()
    return sum(number * hands_of(left, cards - size) for (size, left), number in alike if size <= cards)


def hands(deck: Hand, cards: int, rank: int = 0) -> list[Hand]:
    """Lists every hand of so many cards."""
    if rank == RANK_COUNT:
        return [] if cards else [0]
    most = min(cards, counts(deck)[rank])
    return [copies * UNIT[rank] + rest for copies in range(most + 1) for rest in hands(deck, cards - copies, rank + 1)]


TOTALS = rows("All leads of all hands")


@pytest.mark.parametrize("cells", TOTALS, ids=[cells[0] for cells in TOTALS])
def test_the_totals_are_the_hands_that_hold_each_move(cells: list[str]) -> None:
    cards, all_hands, *totals = (int(cell.replace(",", "")) for cell in cells)
    assert hands_of(tuple(counts(FULL_DECK)), cards) == all_hands
    assert [leads(rules, cards) for rules in PLATFORMS.values()] == totals


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_the_totals_are_the_moves_of_each_hand(rules: RuleSet) -> None:
    for cards in range(1, 7 if rules.name == "mini" else 4):
        assert sum(len(legal_moves(rules, hand)) for hand in hands(rules.deck, cards)) == leads(rules, cards)
