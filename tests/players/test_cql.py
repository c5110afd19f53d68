"""The player cql: legal, deterministic, and plain about a network that is not there."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ddzbot.cards import hand_text
from ddzbot.net import cql_net
from ddzbot.net.cql_numpy import CqlNumpy
from ddzbot.players.registry import make_player
from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.testing.strategies import views
from tests.net.cql_models import random_network
from tests.platforms import PLATFORMS
from tests.search.positions import opening


@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_decision_is_legal(data: Any, networks: Path, with_kernel: None) -> None:
    rules = RULE_SETS[data.draw(st.sampled_from(sorted(RULE_SETS)))]
    view = data.draw(views(rules))
    player = make_player("cql")
    decision = player.choose(view, Limit())
    assert decision.move in view.legal_moves()
    assert player.choose(view, Limit()) == decision == make_player("cql", seed=9).choose(view, Limit())


def test_it_says_which_division_it_chose_and_what_its_moves_are_worth(networks: Path, with_kernel: None) -> None:
    decision = make_player("cql").choose(opening("cql"), Limit())
    assert decision.debug["weights"].startswith("cql-")
    assert "".join(sorted(decision.debug["division"].replace(" ", ""))) == "".join(
        sorted(hand_text(opening("cql").hand))
    )
    best, (value,) = next(iter(decision.debug["moves"].items()))
    assert best == str(decision.move) and value == max(one for (one,) in decision.debug["moves"].values())
    assert str(decision.move) in decision.debug["division"].split()


def test_without_kernel_or_numpy_it_plays_the_same(
    networks: Path, with_kernel: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = make_player("cql").choose(opening("cql"), Limit()).move
    monkeypatch.setattr("ddzbot.net.cql_numpy.np", None)
    with pytest.raises(ImportError):
        CqlNumpy(random_network())
    cql_net.LOADER.forget()
    assert make_player("cql").choose(opening("cql"), Limit()).move == chosen
    cql_net.LOADER.forget()


@pytest.mark.parametrize("name", PLATFORMS)
def test_the_network_of_this_project_plays_under_every_rule_set(name: str, with_kernel: None) -> None:
    view = opening("cql", name)
    assert make_player("cql").choose(view, Limit()).debug["weights"].startswith("cql-")
