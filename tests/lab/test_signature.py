"""The signature: the same twice, and another one when an answer is another."""

from itertools import islice

import pytest

from ddzbot.players import registry
from ddzbot.players.rule import RulePlayer
from ddzbot.rules import RULE_SETS, RuleSet
from tools.lab import signed

pytestmark = pytest.mark.whole

PLAYERS = (("rule", 1), ("rhcp", 1))


def test_decisions_are_the_same_twice_under_every_rule_set() -> None:
    once = list(signed.decisions(PLAYERS, 20))
    assert once == list(signed.decisions(PLAYERS, 20))
    assert len(once) == 20
    assert {line.split()[1] for line in once} == set(RULE_SETS)


def test_another_answer_is_another_line(monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(signed.decisions(PLAYERS, 20))
    as_it_was = RulePlayer.choose
    monkeypatch.setattr(
        RulePlayer,
        "choose",
        lambda self, view, limit: as_it_was(self, view, limit)._replace(move=view.legal_moves()[-1]),
    )
    assert before != list(signed.decisions(PLAYERS, 20))


def test_every_player_of_the_bot_is_signed_with_and_without_the_kernel() -> None:
    # Other tests may have added players of tools.
    bots = {name for name, (module, _) in registry._CLASSES.items() if module.startswith("ddzbot.")}
    for kind, (players, _) in signed.KINDS.items():
        needs_kernel = {"mctshs"} if kind.startswith("python") else set()
        assert {label.partition(":")[0] for label, _ in players} == bots - needs_kernel


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_every_position_has_a_choice(rules: RuleSet) -> None:
    views = list(islice(signed.positions(rules, 30), 30))
    assert all(len(view.legal_moves()) > 1 for view in views)
    assert len({len(view.plays) for view in views}) > 10
    assert all(view.stake == (3 if rules.bidding else 1) for view in views)
