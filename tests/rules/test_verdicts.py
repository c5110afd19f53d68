"""20,000 sets of cards on which both platform judges gave their verdict; see tests/data/rules/README.md."""

import gzip

import pytest

from ddzbot.cards import parse_hand
from ddzbot.rules import KIND_NAMES, classify, rule_set
from tests.support import ROOT

VERDICTS = ROOT / "tests" / "data" / "rules" / "verdicts.tsv.gz"


def verdicts() -> list[list[str]]:
    """Rows of cards, the verdict of the first judge, and that of the second."""
    with gzip.open(VERDICTS, "rt", encoding="ascii") as lines:
        return [line.split() for line in lines]


@pytest.mark.parametrize(("rules_name", "column"), [("botzone", 1), ("botzone2", 2)])
def test_every_verdict_of_the_platform_judge_is_ours(rules_name: str, column: int) -> None:
    rules, rows = rule_set(rules_name), verdicts()
    differences = []
    for row in rows:
        ours = [KIND_NAMES[move.kind] for move in classify(rules, parse_hand(row[0]))] or ["invalid"]
        if ours != [row[column]]:
            differences.append((row[0], row[column], ours))
    assert not differences
    assert len(rows) == 20_000
