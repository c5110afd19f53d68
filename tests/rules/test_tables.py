"""The tables of docs/reference/rules.md: which cards each platform takes, and all leads of all hands."""

import re
from collections import Counter
from functools import cache
from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from ddzbot.cards import FULL_DECK, RANK_COUNT, UNIT, Hand, counts
from ddzbot.rules import RULE_SETS, RuleSet, legal_moves
from tests.platforms import PLATFORMS
from tests.rules.peer_table import PACKAGES, REPOSITORY, ask, kept, main, observation_table, table
from tests.support import ROOT, require

PAGE = (ROOT / "docs" / "reference" / "rules.md").read_text("utf-8")
TO_MINI = str.maketrans("3456789", "9TJQKA2")


def rows(heading: str) -> list[list[str]]:
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if re.match(r"\| [`\d]", line)]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


def test_the_page_has_what_rule_sets_and_packages_answer() -> None:
    assert "\n".join(table(kept())) in PAGE
    for name, peer in kept().items():
        version = f"(commit {peer['version'][:7]})" if name == REPOSITORY else peer["version"]
        assert f"{name} {version}" in " ".join(PAGE.split())


def test_the_repository_has_a_column_only_where_it_differs() -> None:
    peers = kept()
    peers[REPOSITORY]["answers"] = dict.fromkeys(peers[REPOSITORY]["answers"], "no")
    assert table(peers)[0] == table(kept())[0] + f" {REPOSITORY} |"


def test_what_is_no_clone_of_the_repository_is_refused() -> None:
    result = CliRunner().invoke(main, ["--rlcard", str(ROOT / "docs")])
    assert result.exit_code == 2 and "is no clone of RLCard's repository." in result.output


@pytest.mark.whole
@pytest.mark.parametrize("name", ["OpenSpiel", "RLCard", "DouZero"])
def test_a_package_answers_as_it_did(name: str) -> None:
    package, peer = PACKAGES[name][0], kept()[name]
    require(find_spec(package.replace("open-spiel", "pyspiel")), f"{package} (extra test-all)")
    assert ask(name, peer["version"]) == peer


def test_the_page_has_what_agents_are_shown() -> None:
    page = (ROOT / "docs" / "guide" / "compared.md").read_text("utf-8")
    assert "\n".join(observation_table(kept())) in page


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
