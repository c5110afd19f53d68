"""The trainers' arrays are what the players are shown, and their networks what the players compute."""

import numpy as np
import pytest
import torch

from ddzbot.net.cql_divisions import offer
from ddzbot.net.cql_features import facts_of, move_features, state_features
from ddzbot.net.cql_layers import SHAPES, Judgement
from ddzbot.net.cql_numpy import CqlNumpy
from ddzbot.net.packed import Packed
from ddzbot.view import View
from tests.net.positions import random_views
from tools.programs.naive import LISTS, MoveList, NaiveNet, shapes
from tools.training.learners import pack
from tools.training.learners.cql_model import CqlModel, rows_of
from tools.training.learners.encoding import facts_array, move_words, moves, states
from tools.training.learners.games import Situation
from tools.training.learners.naive_model import NaiveModel, short_rows_of
from tools.training.learners.naive_model import rows_of as naive_rows_of

pytestmark = pytest.mark.whole


def views(name: str = "botzone") -> list[View]:
    return [view for view in random_views(60, name) if len(view.legal_moves()) > 1]


def packed(name: str, architecture: str, net: torch.nn.Module) -> Packed:
    about = {"rules": "botzone", "features": f"{name}-1", "games": 5, "seed": 1, "rows": []}
    state = {"recipe": name, "architecture": architecture, "learner": {"net": net.state_dict()}, **about}
    return next(pack.packed([state], "float16")).packed


def half(net: torch.nn.Module) -> None:
    """Rounds the weights as a file does."""
    with torch.no_grad():
        for parameter in net.parameters():
            if parameter.dim() > 1:
                parameter.copy_(parameter.half().float())


@pytest.mark.parametrize("name", ["botzone", "mini", "icga"])
def test_the_features_of_many_are_those_of_each(name: str) -> None:
    shown = views(name)
    table = states(facts_array([facts_of(view) for view in shown]))
    assert [np.flatnonzero(row).tolist() for row in table] == [state_features(facts_of(view)) for view in shown]
    legal = [move for view in shown[:10] for move in view.legal_moves()]
    table = moves(*move_words(legal))
    assert [np.flatnonzero(row).tolist() for row in table] == [move_features(move) for move in legal]
    assert set(np.unique(table)) == {0, 1}


def test_cql_in_torch_and_packed_give_the_same_values(with_kernel: None) -> None:
    torch.manual_seed(3)
    net = CqlModel()
    half(net)
    assert {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()} == SHAPES
    numpy = CqlNumpy(packed("cql", "cql-366-256-128", net))
    shown = views()
    offers = [offer(view.rules, view.hand, view.to_beat, view.legal_moves()) for view in shown]
    rows = rows_of([facts_of(view) for view in shown], offers)
    division, move = net.best(rows)
    judged: list[Judgement] = [numpy.judge(facts_of(view), one) for view, one in zip(shown, offers, strict=True)]
    of_division, of_move = net.chosen_values(rows, division, move)
    assert [max(one.divisions) for one in judged] == pytest.approx(of_division.tolist(), abs=1e-4)
    assert [max(one.moves) for one in judged] == pytest.approx(of_move.tolist(), abs=1e-4)
    assert [one.division for one in judged] == division.tolist() and [one.best for one in judged] == move.tolist()
    for number in range(max(len(one.divisions) for one in offers)):
        which = [at for at, one in enumerate(offers) if len(one.divisions) > number]
        values, _ = net.chosen_values(rows[which], np.full(len(which), number), net.best_moves(rows, division)[which])
        assert [judged[at].divisions[number] for at in which] == pytest.approx(values.tolist(), abs=1e-4)


@pytest.mark.parametrize("moves", LISTS)
def test_naive_networks_in_torch_and_packed_give_the_same_numbers(moves: MoveList) -> None:
    torch.manual_seed(3)
    net = NaiveModel(moves)
    half(net)
    assert {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()} == shapes(moves.size)
    numpy = NaiveNet(packed("dqn", moves.architecture, net))
    shown = views()
    rows, offers = short_rows_of([Situation(view, view.legal_moves()) for view in shown], moves)
    for view, row, offered in zip(shown, net.moves(net.units(rows)).detach().numpy(), offers, strict=True):
        places = list(offered)
        assert row[places] == pytest.approx(numpy.numbers(facts_of(view), places), abs=1e-4)


def test_numbers_of_illegal_moves_are_minus_infinity() -> None:
    rows, offers = naive_rows_of([Situation(view, view.legal_moves()) for view in views()])
    for row, offered in zip(NaiveModel()(rows).detach().numpy(), offers, strict=True):
        assert np.flatnonzero(np.isfinite(row)).tolist() == sorted(offered)
