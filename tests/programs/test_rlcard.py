"""The player rlcard: what RLCard itself shows its agents, whole games, and what is refused by name."""

import random
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from ddzbot.cards import hand_text, parse_hand
from ddzbot.engine import Engine
from ddzbot.game import SEATS, Deal, fits, shuffled, start
from ddzbot.players.base import CannotPlay
from ddzbot.players.registry import PlayerError, make_player
from ddzbot.rules import BOTZONE, PASS, RULE_SETS, STANDARD, Move, RuleSet, classify
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.support import require
from tools.programs.needs import packages_of
from tools.programs.rlcard_state import action_of, cards_of, encode, raw_state

pytestmark = pytest.mark.whole

GAMES = 10


@pytest.fixture(autouse=True)
def rlcard() -> Any:
    require(find_spec("rlcard"), "rlcard (extra rlcard)")
    return import_module("rlcard")


def test_the_state_is_that_of_rlcards_own_games(rlcard: Any) -> None:
    environment, ours = rlcard.make("doudizhu", config={"seed": 3}), rlcard.make("doudizhu")
    chance = random.Random(1)
    compared = 0
    for _ in range(4):
        state, seat = environment.reset()
        bottom = cards_of(state["raw_obs"]["seen_cards"])
        plays: list[Move] = []
        while not environment.is_over():
            raw = state["raw_obs"]
            view = View(STANDARD, seat, cards_of(raw["current_hand"]), bottom, (), 1, 0, tuple(plays))
            made = raw_state(view, raw["actions"])
            assert made == raw
            shown = encode(ours, made)
            assert np.array_equal(shown["obs"], state["obs"])
            assert list(shown["legal_actions"]) == list(state["legal_actions"])
            assert shown["action_record"] == environment.action_recorder
            compared += 1
            legal = {move.cards: move for move in view.legal_moves()}
            action = chance.choice([one for one in raw["actions"] if cards_of(one) in legal])
            plays.append(legal[cards_of(action)])
            state, seat = environment.step(action, raw_action=True)
    assert compared > 80


@pytest.mark.parametrize("rules", [STANDARD, BOTZONE], ids=lambda rules: rules.name)
def test_games_against_rule_have_no_illegal_move_and_no_failure_but_a_refusal_by_name(rules: RuleSet) -> None:
    guest, host = make_player("rlcard", 5), make_player("rule", 5)
    moves = 0
    for number in range(GAMES):
        game = start(shuffled(rules, f"guest/{number}"))
        while not game.finished:
            view = View.of(game, game.seat)
            if (game.seat == 0) == (number % 2 == 0):
                try:
                    move = guest.choose(view, Limit()).move
                    moves += not move.is_pass
                except CannotPlay as refusal:
                    assert str(refusal).startswith("rlcard: ") and f"(rules {rules.name})" in str(refusal)
                    move = host.choose(view, Limit()).move
            else:
                move = host.choose(view, Limit()).move
            game = game.play(move)
    assert moves > 50


def test_the_same_view_and_seed_give_the_same_move_and_numpy_stays_as_it_was() -> None:
    game = start(shuffled(BOTZONE, "guest/0"))
    game = game.played(game.legal_moves()[0])
    before = np.random.get_state()[1].tolist()
    views = [View.of(game, game.seat)] * 2
    first, second = (make_player("rlcard", 7).choose(view, Limit()) for view in views)
    assert first == second and first.debug["model"] == "doudizhu-rule-v1"
    assert np.random.get_state()[1].tolist() == before


class Names:
    """An agent that names one action."""

    def __init__(self, action: Any, use_raw: bool = True) -> None:
        self.action, self.use_raw = action, use_raw
        self.seen: Any = None

    def eval_step(self, state: Any) -> tuple[Any, Any]:
        self.seen = state
        return self.action, {}


def guest_that_names(action: Any, use_raw: bool = True) -> tuple[Any, Names]:
    player: Any = make_player("rlcard")
    agent = Names(action, use_raw)
    player._agents = [agent] * SEATS
    return player, agent


def view_of(rules: RuleSet, hand: str, *plays: str) -> View:
    moves = tuple(PASS if text == "-" else classify(rules, parse_hand(text))[0] for text in plays)
    return View(rules, len(plays) % SEATS, parse_hand(hand), parse_hand("34B"), (), 1, 0, moves)


@pytest.mark.parametrize(
    ("rules", "hand", "plays", "action", "sentence"),
    [
        ("botzone", "33344456678", (), "33344466", r"33344466: the kickers of a plane_solo .* \(rules botzone\)"),
        ("standard", "3334", (), "34", r"34: these cards are not a move \(rules standard\)"),
        ("standard", "37", ("6",), "3", r"3: it does not beat 6"),
        ("standard", "3334", (), "8", r"8: the hand 3334 does not hold these cards"),
        ("standard", "3334", (), "nonsense", r"'nonsense'"),
    ],
)
def test_a_move_that_the_rules_lack_is_refused_by_name(
    rules: str, hand: str, plays: tuple[str, ...], action: str, sentence: str
) -> None:
    player, _ = guest_that_names(action)
    with pytest.raises(CannotPlay, match=r"rlcard: doudizhu-rule-v1 names " + sentence):
        player.choose(view_of(RULE_SETS[rules], hand, *plays), Limit())


def test_the_engine_names_the_refused_player_and_lets_a_fallback_play() -> None:
    player, _ = guest_that_names("33344466")
    first = parse_hand("33344466789TJQKA2")
    others = hand_text(BOTZONE.deck - first)
    deal = Deal(BOTZONE, (first, parse_hand(others[0::2][:17]), parse_hand(others[1::2][:17])), 0)
    deal = deal._replace(bottom=BOTZONE.deck - sum(deal.hands))
    assert fits(deal)
    view = View.of(start(deal), 0)
    decision = Engine(player).choose(view, Limit(playouts=20))
    assert decision.player == "mctshs"
    (failure,) = decision.failures
    assert failure.player == "rlcard" and "names 33344466" in failure.reason


def test_an_agent_sees_what_both_know_and_answers_by_number_too() -> None:
    player, agent = guest_that_names(0, use_raw=False)
    view = view_of(BOTZONE, "333344445566788")
    agent.action = player._known["3333"]
    assert str(player.choose(view, Limit()).move) == "3333"
    legal = {move.cards for move in view.legal_moves()}
    offered = {cards_of(action) for action in agent.seen["raw_legal_actions"]}
    assert offered < legal
    assert parse_hand("33334444") in legal - offered


def test_a_move_on_the_table_that_rlcard_lacks_is_named_or_passed() -> None:
    player, agent = guest_that_names("pass")
    shuttle = "33334444"
    assert player.choose(view_of(BOTZONE, "56789TJQK", shuttle), Limit()).move == PASS
    assert agent.seen is None
    with pytest.raises(CannotPlay, match=r"RLCard does not know the move 33334444 on the table \(rules botzone\)"):
        player.choose(view_of(BOTZONE, "5555789TJQK", shuttle), Limit())


def test_a_trained_agent_chooses_as_rlcards_own_class(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "git", ModuleType("git"))
    model = import_module("rlcard.agents.dmc_agent.model").DMCModel
    torch.manual_seed(1)
    theirs = model([[790], [901], [901]], [[54]] * SEATS, [16, 16], device="cpu").get_agents()
    path = tmp_path / "model.tar"
    torch.save({"model_state_dict": [agent.state_dict() for agent in theirs], "stats": {"frames": 1}}, path)
    player: Any = make_player(f"rlcard:model={path}")
    game = start(shuffled(STANDARD, "trained"))
    asked = 0
    while not game.finished:
        view = View.of(game, game.seat)
        move = player.choose(view, Limit()).move
        known = [name for name in map(action_of, view.legal_moves()) if name in player._known]
        if len(known) > 1:
            state = encode(player._environment, raw_state(view, known))
            assert player._names[int(theirs[game.seat].eval_step(state)[0])] == action_of(move)
            asked += 1
        game = game.play(move)
    assert asked > 5


def test_a_model_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"rlcard: model 'uno-rule-v1' is unknown; there are doudizhu-rule-v1, and"):
        make_player("rlcard:model=uno-rule-v1")
    path = tmp_path / "model.tar"
    with pytest.raises(PlayerError, match=r"rlcard: .*model.tar: it cannot be read: No such file"):
        make_player(f"rlcard:model={path}")
    path.write_bytes(b"nothing")
    with pytest.raises(PlayerError, match=r"model.tar: this is no checkpoint of RLCard's Deep Monte Carlo"):
        make_player(f"rlcard:model={path}")
    layer = {"fc_layers.0.weight": torch.zeros(3, 5), "fc_layers.0.bias": torch.zeros(3)}
    torch.save({"model_state_dict": [layer] * SEATS}, path)
    with pytest.raises(PlayerError, match=r"landlord has a layer of \[3, 5\] where 844 inputs arrive"):
        make_player(f"rlcard:model={path}")


def test_without_rlcard_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rlcard", None)
    with pytest.raises(PlayerError, match=r"rlcard: This Python .* has no rlcard: .*-m tools.make install rlcard"):
        make_player("rlcard")


def test_without_pip_which_rlcard_asks_one_sentence_says_how_to_get_it() -> None:
    sentence = r"^rlcard: python -m pip freeze fails; .* -m ensurepip installs pip$"
    with pytest.raises(ValueError, match=sentence), packages_of("rlcard"):
        raise subprocess.CalledProcessError(1, ["python", "-m", "pip", "freeze"])
