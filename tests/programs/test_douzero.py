"""The player douzero: what the public package says of the same states and weights, and weights that are bad."""

import random
import sys
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from ddzbot.cards import UNIT, Hand
from ddzbot.engine import Engine
from ddzbot.game import SEAT_NAMES, SEATS, shuffled, start
from ddzbot.players.registry import PlayerError, make_player, parse_player
from ddzbot.rules import BOTZONE, RULE_SETS, STANDARD, Move, RuleSet, classify
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.support import require
from tools.cluster.needs import needs_of
from tools.programs import douzero_weights
from tools.programs.douzero_features import inputs, state_of, steps
from tools.programs.douzero_network import Networks
from tools.programs.douzero_weights import BadWeightsError
from tools.shared.contestants import parse_contestant

pytestmark = pytest.mark.whole

STATES = 400
MOVES_A_STATE = 6
RANK_OF = {**{value: value - 3 for value in range(3, 15)}, 17: 12, 20: 13, 30: 14}
"""The package's cards."""


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The package's environment and networks; its trainer imports a package that it does not name, and is not used."""
    require(find_spec("douzero"), "douzero (extra test-all)")
    monkeypatch.setitem(sys.modules, "git", ModuleType("git"))
    return {
        "environment": import_module("douzero.env").Env("wp"),
        "networks": import_module("douzero.dmc.models").model_dict,
    }


def hand_of(cards: list[int]) -> Hand:
    return sum(UNIT[RANK_OF[card]] for card in cards)


def states(environment: Any, seed: int) -> Any:
    """Yields what the package shows, and the same as a view; games continue by random moves that both know."""
    chance = random.Random(seed)
    np.random.seed(seed)
    while True:
        shown, plays, done = environment.reset(), [], False
        while not done:
            known = environment.infoset
            seat = len(plays) % SEATS
            assert known.player_position == SEAT_NAMES[seat]
            view = View(STANDARD, seat, hand_of(known.player_hand_cards), 0, (), 1, 0, tuple(plays))
            yield shown, view
            by_cards = {move.cards: move for move in view.legal_moves()}
            action = chance.choice([one for one in shown["legal_actions"] if hand_of(one) in by_cards])
            plays.append(by_cards[hand_of(action)])
            shown, _, done, _ = environment.step(action)


def test_the_same_weights_give_the_values_of_the_package_on_hundreds_of_states(
    package: dict[str, Any], tmp_path: Path
) -> None:
    torch.manual_seed(4)
    theirs = {name: model() for name, model in package["networks"].items()}
    for name, network in theirs.items():
        torch.save(network.state_dict(), tmp_path / f"{name}.ckpt")
    player: Any = make_player("douzero", weights=str(tmp_path))
    chance = np.random.default_rng(1)
    shown_by_seat: list[list[tuple[np.ndarray, ...]]] = [[] for _ in range(SEATS)]
    for number, (shown, view) in enumerate(states(package["environment"], 7)):
        if number == STATES:
            break
        ours = state_of(view)
        width = inputs(ours).shape[1]
        assert np.array_equal(inputs(ours)[0], shown["x_batch"][0, :width])
        assert np.array_equal(steps(ours)[0], shown["z_batch"][0])
        some = chance.permutation(len(shown["legal_actions"]))[:MOVES_A_STATE]
        moves = np.array([hand_of(shown["legal_actions"][at]) for at in some], np.uint64)
        values = player._networks.of(view.seat).values(ours, moves, np.zeros(len(moves), np.intp)).numpy()
        shown_by_seat[view.seat].append((shown["z_batch"][some], shown["x_batch"][some], values))
    assert min(map(len, shown_by_seat)) > 80
    for seat, rows in enumerate(shown_by_seat):
        history, known, values = (torch.from_numpy(np.concatenate(part)) for part in zip(*rows, strict=True))
        with torch.no_grad():
            wanted = theirs[SEAT_NAMES[seat]](history, known, return_value=True)["values"][:, 0]
        assert wanted.std() > 1e-3
        assert (wanted - values).abs().max() < 1e-5


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_it_plays_whole_games_of_every_rule_set_and_its_highest_value(rules: RuleSet, tmp_path: Path) -> None:
    torch.manual_seed(2)
    douzero_weights.write(tmp_path / "small.npz", Networks(16), "none")
    engine = Engine(make_player(f"douzero:weights={tmp_path / 'small.npz'}"))
    game = start(shuffled(rules, "douzero"))
    said = Counter()
    while not game.finished:
        decision = engine.choose(View.of(game, game.seat), Limit())
        assert not decision.failures
        if decision.player != "forced":
            said["chosen"] += 1
            listed = decision.debug["moves"]
            assert next(iter(listed)) == str(decision.move)
            assert list(listed.values()) == sorted(listed.values(), reverse=True)
        game = game.play(decision.move)
    assert said["chosen"] > 3


def test_its_choice_is_that_of_the_network_whatever_the_seed_and_the_threads(tmp_path: Path) -> None:
    torch.manual_seed(3)
    douzero_weights.write(tmp_path / "small.npz", Networks(16), "none")
    text = f"douzero:weights={tmp_path / 'small.npz'}"
    view = View.of(start(shuffled(BOTZONE, "one")), 0)
    threads = torch.get_num_threads()
    first, second = (make_player(text, seed).choose(view, Limit()) for seed in (1, 2))
    assert first.move == second.move and first.debug == second.debug
    assert torch.get_num_threads() == threads
    player: Any = parse_player(text).make()
    moves = view.legal_moves()
    cards = np.array([move.cards for move in moves], np.uint64)
    values = player._networks.of(0).values(state_of(view), cards, np.zeros(len(moves), np.intp))
    assert moves[int(values.argmax())] == first.move


def test_the_state_of_a_peasant_by_hand() -> None:
    """Up after 4444 by the landlord and 5 passes of down: the rows as the paper lists them."""
    plays = tuple(_move(text) for text in ("3", "4", "6", "5555", "-"))
    view = View(BOTZONE, 2, hand_of([7, 7, 20]), 0, (), 1, 0, plays)
    state = state_of(view)
    bomb, four, three, six = 4 * UNIT[2], UNIT[1], UNIT[0], UNIT[3]
    unseen = view.unseen
    assert state.cards.tolist() == [[view.hand, unseen, three + bomb, four, bomb, bomb, 0]]
    assert state.numbers.tolist() == [[15, 16, 1]]
    assert state.history[0].tolist() == [0] * 10 + [three, four, six, bomb, 0]
    row = inputs(state)[0]
    assert row[:54].nonzero()[0].tolist() == [16, 17, 52]
    assert row[-15:].nonzero()[0].tolist() == [1]
    assert row[-32:-15].nonzero()[0].tolist() == [15]
    assert row[-52:-32].nonzero()[0].tolist() == [14]


def _move(text: str) -> Move:
    cards = sum(UNIT["3456789TJQKA2LB".index(letter)] for letter in text.strip("-"))
    return classify(BOTZONE, cards)[0]


def checkpoints(folder: Path, width: int = 8) -> Path:
    folder.mkdir()
    nets = Networks(width)
    for seat, name in enumerate(SEAT_NAMES):
        torch.save(nets.of(seat).state_dict(), folder / f"{name}.ckpt")
    return folder


def test_bad_weights_are_one_sentence_that_names_the_file(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    with pytest.raises(PlayerError, match=r"douzero: .*nowhere: it cannot be read: No such file or directory"):
        make_player(f"douzero:weights={nowhere}")
    folder = checkpoints(tmp_path / "some")
    (folder / "landlord_up.ckpt").unlink()
    with pytest.raises(PlayerError, match=r"landlord_up.ckpt: it cannot be read: No such file"):
        make_player(f"douzero:weights={folder}")
    (folder / "landlord_up.ckpt").write_bytes(b"no checkpoint")
    with pytest.raises(PlayerError, match=r"landlord_up.ckpt: this is no checkpoint of torch"):
        make_player(f"douzero:weights={folder}")
    with pytest.raises(PlayerError, match="the option 'width' is unknown; there are weights"):
        make_player("douzero:width=3")


def test_the_provenance_of_a_match_has_every_file(tmp_path: Path) -> None:
    folder = checkpoints(tmp_path / "some")
    needs = needs_of([parse_contestant(f"douzero:weights={folder}")])
    assert needs.files == tuple(sorted(str(folder / f"{name}.ckpt") for name in SEAT_NAMES))
    douzero_weights.write(tmp_path / "small.npz", Networks(8), "none")
    assert needs_of([parse_contestant(f"douzero:weights={tmp_path / 'small.npz'}")]).files == (
        str(tmp_path / "small.npz"),
    )
    assert "tools.programs.douzero" in needs.modules


def test_networks_of_other_shapes_are_refused(tmp_path: Path) -> None:
    folder = checkpoints(tmp_path / "some")
    for change, sentence in (
        ({"dense1.weight": torch.zeros(8, 400)}, r"landlord_up has dense1.weight of \[8, 400\], not \[8, 486\]"),
        ({"dense7.weight": torch.zeros(8)}, r"landlord_up has dense7.weight, which DouZero's network has not"),
        ({"dense6.bias": None}, r"landlord_up has no dense6.bias"),
    ):
        state = {**Networks(8).of(2).state_dict(), **change}
        torch.save({name: tensor for name, tensor in state.items() if tensor is not None}, folder / "landlord_up.ckpt")
        with pytest.raises(BadWeightsError, match=sentence):
            douzero_weights.read(folder)
    torch.save({"dense2.weight": torch.zeros(3)}, folder / "landlord.ckpt")
    with pytest.raises(BadWeightsError, match="the landlord has no layer dense2 of 4 to 4096 units"):
        douzero_weights.read(folder)
    torch.save([1, 2], folder / "landlord.ckpt")
    with pytest.raises(BadWeightsError, match="not the state of a network"):
        douzero_weights.read(folder)


def test_a_packed_file_comes_back_rounded_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    nets, path = Networks(8), tmp_path / "new" / "nets.npz"
    douzero_weights.write(path, nets, "three words about")
    first = path.read_bytes()
    douzero_weights.write(path, nets, "three words about")
    assert path.read_bytes() == first and douzero_weights.about(path) == "three words about"
    for name, tensor in douzero_weights.read(path).state_dict().items():
        assert torch.equal(tensor, nets.state_dict()[name].half().float())
    path.write_bytes(first[: len(first) // 2])
    with pytest.raises(BadWeightsError, match=r"nets.npz: this is no file of DouZero's networks"):
        douzero_weights.read(path)
    np.savez(path, about="x", extra=np.zeros(3))
    with pytest.raises(BadWeightsError, match="'extra' belongs to no seat"):
        douzero_weights.read(path)
