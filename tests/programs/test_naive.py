"""The players dqn and a3c: every legal move has a place in their list, and they play whole games by its numbers."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from ddzbot.cards import parse_hand
from ddzbot.game import shuffled, start
from ddzbot.net.packed import Packed, WeightsError
from ddzbot.players.base import CannotPlay
from ddzbot.players.random_player import RandomPlayer
from ddzbot.players.registry import make_player
from ddzbot.rules import BOTZONE, RULE_SETS, legal_moves, parse_move, rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.net.networks import DESCRIPTION, random_tensors
from tests.net.positions import random_views
from tests.platforms import PLATFORMS
from tools.programs.move_lists import BODIES, PLACES, choices_among, whole_places
from tools.programs.naive import ABSTRACT_MOVES, LISTS, WHOLE_MOVES, A3cPlayer, DqnPlayer, MoveList, NaiveNet, shapes
from tools.release.weights_file import float_tensor, promote, write


def random_network(features: str, moves: MoveList = ABSTRACT_MOVES) -> Packed:
    tensors = {name: float_tensor(values) for name, values in random_tensors(shapes(moves.size), 1).items()}
    return Packed(features, "botzone", moves.architecture, tensors, DESCRIPTION, path="random", called="random")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of weights in which one network of each player is current under every rule set."""
    folder = tmp_path_factory.mktemp("weights")
    for player in (DqnPlayer, A3cPlayer):
        path = write(folder, player.name, random_network(player.features))
        for name in RULE_SETS:
            promote(path, name)
    return folder


@pytest.fixture
def networks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DDZ_WEIGHTS", str(folder))
    yield


@pytest.mark.parametrize("player", ["dqn", "a3c"])
def test_the_network_of_this_project_plays_under_every_rule_set(player: str) -> None:
    for rules in PLATFORMS.values():
        view = View.of(start(shuffled(rules, "naive")), 0)
        assert make_player(player).choose(view, Limit()).debug["weights"].startswith(f"{player}-")


def test_the_list_is_frozen() -> None:
    # A network knows its moves by their places: another list would be another architecture.
    assert len(BODIES) == len(PLACES) == 398 and BODIES[0] == (0, -1, 0)
    assert sha256(repr(BODIES).encode()).hexdigest()[:12] == "a648e8b000e9"


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_legal_move_is_one_of_the_list_or_differs_in_its_kickers(name: str) -> None:
    for view in random_views(150, name):
        legal = view.legal_moves()
        found = choices_among(view.hand, legal)
        assert set(found.values()) <= set(legal)
        assert {move[1:] for move in found.values()} == {move[1:] for move in legal}


def test_kickers_break_as_few_ranks_as_can_be_and_are_low() -> None:
    hand = parse_hand("3334455667")
    found = choices_among(hand, legal_moves(BOTZONE, hand))
    assert found[PLACES[parse_move(BOTZONE, "3337")[1:]]] == parse_move(BOTZONE, "3337")
    assert found[PLACES[parse_move(BOTZONE, "33344")[1:]]] == parse_move(BOTZONE, "33344")


def test_the_flat_list_is_frozen_and_has_every_move_of_botzone() -> None:
    listed = whole_places()
    assert len(listed) == WHOLE_MOVES.size and listed[0] == 0
    assert sha256(repr(sorted(listed)).encode()).hexdigest()[:12] == "354660cd0c93"
    for view in random_views(150, "botzone"):
        legal = view.legal_moves()
        assert list(WHOLE_MOVES.offered(view.hand, legal).values()) == legal


@pytest.mark.parametrize("moves", LISTS)
def test_the_first_of_equals_is_best(moves: MoveList, tmp_path: Path) -> None:
    same = {name: float_tensor(np.zeros(shape, np.float32)) for name, shape in shapes(moves.size).items()}
    path = write(tmp_path, "naive", random_network("dqn-1", moves)._replace(tensors=same))
    view = View.of(start(shuffled(BOTZONE, "naive")), 0)
    offered = moves.offered(view.hand, view.legal_moves())
    assert make_player("dqn", weights=str(path)).choose(view, Limit()).move == offered[min(offered)]


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("player", ["dqn", "a3c"])
def test_whole_games_in_every_seat(name: str, player: str, networks: None) -> None:
    naive, other = make_player(player), RandomPlayer(2)
    for seat in range(3):
        game = start(shuffled(RULE_SETS[name], f"whole/{seat}"))
        while not game.finished:
            mover = naive if game.seat == seat else other
            game = game.play(mover.choose(View.of(game, game.seat), Limit()).move)  # which refuses an illegal move


@pytest.mark.parametrize("player", ["dqn", "a3c"])
def test_the_move_with_the_largest_number_is_made(player: str, networks: None) -> None:
    view = View.of(start(shuffled(rule_set("botzone"), "naive")), 0)
    decision = make_player(player).choose(view, Limit())
    assert decision.debug["weights"].startswith(player)
    assert str(decision.move) == next(iter(decision.debug["moves"]))
    numbers = [number for (number,) in decision.debug["moves"].values()]
    assert numbers == sorted(numbers, reverse=True) and len(set(numbers)) > 1
    assert make_player(player, seed=5).choose(view, Limit()) == decision


@pytest.fixture(scope="module")
def flat_list(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a network for the flat list, some 30 MB of it."""
    return write(tmp_path_factory.mktemp("flat-list"), "dqn-naive", random_network("dqn-1", WHOLE_MOVES))


@pytest.mark.whole
def test_a_file_with_the_flat_list_plays_under_every_rule_set(flat_list: Path) -> None:
    player = make_player("dqn", weights=str(flat_list))
    for name in RULE_SETS:
        for view in random_views(20, name):
            assert player.choose(view, Limit()).move in view.legal_moves()


@pytest.mark.parametrize("player", ["dqn", "a3c"])
def test_without_a_network_it_does_not_play_and_says_why(
    player: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    view = View.of(start(shuffled(rule_set("botzone"), "naive")), 0)
    with pytest.raises(CannotPlay, match="no network: there is no "):
        make_player(player).choose(view, Limit())


def test_weights_of_another_network_are_refused() -> None:
    network = random_network("dqn-1")
    with pytest.raises(WeightsError, match="the architecture is mcm-cnn-1"):
        NaiveNet(network._replace(architecture="mcm-cnn-1"))
