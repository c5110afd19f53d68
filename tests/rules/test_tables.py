"""The tables of docs/reference/rules.md: which cards each platform takes, and all leads of all hands."""

import re
from collections import Counter
from functools import cache
from importlib.util import find_spec

import pytest

from ddzbot.cards import FULL_DECK, RANK_COUNT, UNIT, Hand, counts
from ddzbot.rules import RULE_SETS, RuleSet, legal_moves
from tests.platforms import PLATFORMS
from tests.rules import peer_observations
from tests.rules.peer_table import PACKAGES, answers_of, kept, table
from tests.support import ROOT, require

PAGE = (ROOT / "docs" / "reference" / "rules.md").read_text("utf-8")
TO_MINI = str.maketrans("3456789", "9TJQKA2")


def rows(heading: str) -> list[list[str]]:
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if re.match(r"\| [`\d]", line)]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


def test_the_page_has_what_rule_sets_and_packages_answer() -> None:
    assert "\n".join(table(kept())) in PAGE


@pytest.mark.whole
@pytest.mark.parametrize("name", ["OpenSpiel", "RLCard", "DouZero"])
def test_a_package_answers_as_it_did(name: str) -> None:
    package, moves = PACKAGES[name]
    require(find_spec(package.replace("open-spiel", "pyspiel")), f"{package} (extra test-all)")
    assert answers_of(moves) == kept()[name]["answers"]


@pytest.mark.whole
def test_the_page_has_what_agents_are_shown() -> None:
    for package in ("pyspiel", "rlcard", "douzero"):
        require(find_spec(package), f"{package} (extra test-all)")
    page = (ROOT / "docs" / "guide" / "compared.md").read_text("utf-8")
    assert "\n".join(peer_observations.table()) in page


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
