"""The player cql: legal, deterministic, and plain about a network that is not there."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ddzbot.cards import hand_text
from ddzbot.engine import Engine
from ddzbot.game import Game, shuffled, start
from ddzbot.net import cql_net
from ddzbot.net.cql_numpy import CqlNumpy
from ddzbot.net.reigning import MANIFEST
from ddzbot.players.base import CannotPlay
from ddzbot.players.random_player import RandomPlayer
from ddzbot.players.registry import make_player
from ddzbot.rules import RULE_SETS, rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.net.cql_models import random_network
from tools.release.weights_file import crown, write
from tools.shared.strategies import views


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of weights in which one network reigns under every rule set."""
    folder = tmp_path_factory.mktemp("weights")
    path = write(folder, "cql", random_network())
    for name in RULE_SETS:
        crown(path, name)
    return folder


def opening(seed: str = "cql") -> View:
    return View.of(start(shuffled(rule_set("botzone"), seed)), 0)


@pytest.mark.parametrize("name", RULE_SETS)
def test_whole_games_in_every_seat(name: str, reigns: Path, with_kernel: None) -> None:
    player, other = make_player("cql"), RandomPlayer(2)
    for seat in range(3):
        game: Game = start(shuffled(RULE_SETS[name], f"whole/{seat}"))
        while not game.finished:
            mover = player if game.seat == seat else other
            game = game.play(mover.choose(View.of(game, game.seat), Limit()).move)  # which refuses an illegal move


@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_decision_is_legal(data: Any, reigns: Path, with_kernel: None) -> None:
    rules = RULE_SETS[data.draw(st.sampled_from(sorted(RULE_SETS)))]
    view = data.draw(views(rules))
    player = make_player("cql")
    decision = player.choose(view, Limit())
    assert decision.move in view.legal_moves()
    assert player.best_so_far in view.legal_moves()
    assert player.choose(view, Limit()) == decision == make_player("cql", seed=9).choose(view, Limit())


def test_it_says_which_division_it_chose_and_what_its_moves_are_worth(reigns: Path, with_kernel: None) -> None:
    decision = make_player("cql").choose(opening(), Limit())
    assert decision.debug["weights"].startswith("cql-")
    assert "".join(sorted(decision.debug["division"].replace(" ", ""))) == "".join(sorted(hand_text(opening().hand)))
    best, (value,) = next(iter(decision.debug["moves"].items()))
    assert best == str(decision.move) and value == max(one for (one,) in decision.debug["moves"].values())
    assert str(decision.move) in decision.debug["division"].split()


def test_without_kernel_or_numpy_it_plays_the_same(
    reigns: Path, with_kernel: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = make_player("cql").choose(opening(), Limit()).move
    monkeypatch.setattr("ddzbot.net.cql_numpy.np", None)
    with pytest.raises(ImportError):
        CqlNumpy(random_network())
    cql_net.forget()
    assert make_player("cql").choose(opening(), Limit()).move == chosen
    cql_net.forget()


def test_without_a_network_it_does_not_play_and_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    with pytest.raises(CannotPlay, match=f"no network: there is no .*{MANIFEST}"):
        make_player("cql").choose(opening(), Limit())
    decision = Engine("cql").choose(opening(), Limit(playouts=20))
    assert decision.player in ("mctshs", "rule") and decision.failures[0].player == "cql"
    with pytest.raises(CannotPlay, match=r"no network: nowhere\.ddzw: the file cannot be read"):
        make_player("cql:weights=nowhere.ddzw").choose(opening(), Limit())


def test_a_named_file_plays_instead_of_the_reigning_one(tmp_path: Path, reigns: Path, with_kernel: None) -> None:
    other = write(tmp_path, "cql", random_network(5))
    assert make_player(f"cql:weights={other}").choose(opening(), Limit()).debug["weights"] == str(other)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_network_of_this_project_plays_under_every_rule_set(name: str, with_kernel: None) -> None:
    view = View.of(start(shuffled(RULE_SETS[name], "cql")), 0)
    assert make_player("cql").choose(view, Limit()).debug["weights"].startswith("cql-")
