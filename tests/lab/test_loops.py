"""The loops of the benchmark play whole games by the interfaces that they are named for."""

from collections.abc import Callable

import pytest

from ddzbot.rules import BOTZONE2, STANDARD, RuleSet
from tests.env.needs import need_packages
from tools.lab.bench import loops


@pytest.mark.parametrize("rules", [STANDARD, BOTZONE2], ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    "loop",
    [loops.api_loop, *(pytest.param(loop, marks=pytest.mark.whole) for loop in (loops.doudizhu_loop, loops.seat_loop))],
)
def test_a_game_is_dealt_and_then_played_to_its_end(loop: Callable[[RuleSet], loops.Loop], rules: RuleSet) -> None:
    if loop is not loops.api_loop:
        need_packages()
    deal, play = loop(rules)
    assert 1 <= play(deal()) <= 160
    assert play(deal()) >= 1


def test_every_table_makes_a_decision_a_step() -> None:
    deal, play = loops.tables_loop(STANDARD, 3)
    assert play(deal()) % 3 == 0


def test_records_are_written_read_and_judged() -> None:
    assert loops.records_per_s(BOTZONE2, 3, 1) > 0


def test_a_package_that_is_not_there_has_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "is_installed", lambda package: False)
    assert loops.peer_rows(1, 1) == loops.environment_rows(STANDARD, 1, 1) == {}
