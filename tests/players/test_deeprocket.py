"""The player deeprocket: legal under all rules, deterministic, honest about what it lacks; and its bids."""

import random
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from ddzbot.bidding import YES_LOGITS, bid_by_answer
from ddzbot.cards import Hand, parse_hand
from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.net import rocket_cnn, rocket_numpy
from ddzbot.net.rocket_bidder import Bidder
from ddzbot.net.rocket_cnn import RocketNetworks
from ddzbot.net.rocket_features import State, state_of
from ddzbot.net.rocket_moves import OUTPUTS, MainMove, by_output, output_of
from ddzbot.players.base import CannotPlay
from ddzbot.players.deeprocket import DeepRocketPlayer
from ddzbot.players.registry import make_player
from ddzbot.rules import BOTZONE, BOTZONE2, ICGA, RULE_SETS, STANDARD, RuleSet, parse_move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.net.rocket_models import random_bidder, random_rocket
from tools.release.weights_file import promote, write

LIMIT = Limit(seconds=1)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write(tmp_path_factory.mktemp("weights"), "rocket", random_rocket(dtype="float16")))


@pytest.fixture(scope="module")
def bid_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write(tmp_path_factory.mktemp("weights"), "yesno", random_bidder()))


@pytest.fixture
def player(file: str) -> DeepRocketPlayer:
    return DeepRocketPlayer(1, weights=file)


def view_of(hand: str, rules: RuleSet = BOTZONE, played: str | None = None) -> View:
    plays = () if played is None else (parse_move(rules, played),)
    return View(rules, len(plays), parse_hand(hand), 0, (), 1, 0, plays)


class Dice:
    """Networks that prefer anything: whatever they say, the move has to be legal."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)

    def policy(self, _: State) -> list[float]:
        return [self._chance.random() for _ in OUTPUTS]

    def kicker(self, state: State, main: MainMove, choice: list[Hand], chosen: list[Hand]) -> Hand:
        assert len(choice) >= main.kickers - len(chosen) > 0
        return self._chance.choice(choice)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_every_move_is_legal_whatever_the_networks_prefer(rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    dice, player = Dice(rules.name), DeepRocketPlayer()
    monkeypatch.setattr("ddzbot.players.deeprocket.DeepRocketPlayer._networks", lambda *_: dice)
    for number in range(3):
        game = start(shuffled(rules, f"rocket/play/{number}"))
        while not game.finished:
            view = View.of(game, game.seat)
            move = player.choose(view, LIMIT).move
            assert move in view.legal_moves()
            game = game.played(move)


@pytest.mark.parametrize(
    ("rules", "hand", "played"),
    [
        (STANDARD, "33344455566677789", None),
        (STANDARD, "4445556667777", "333444555777"),
        (STANDARD, "44455566677788", "333444555666"),
        (STANDARD, "4445557778", "33344455"),
        (BOTZONE, "44445555668", "33334444"),
        (BOTZONE2, "5555666677889TJ", "3333444455667788"),
        (ICGA, "55556677889", "33334444"),
        (BOTZONE, "444455668LB", "333345"),
    ],
)
def test_shuttles_repeated_kickers_and_ambiguous_cards_are_answered(
    rules: RuleSet, hand: str, played: str | None
) -> None:
    view = view_of(hand, rules, played)
    legal = view.legal_moves()
    for seed in range(3):
        assert _chosen(_networks(seed), view) in legal


@lru_cache
def _networks(seed: int) -> RocketNetworks:
    return RocketNetworks(random_rocket(seed, "float16"))


def _chosen(networks: RocketNetworks, view: View) -> Any:
    player = DeepRocketPlayer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ddzbot.players.deeprocket.DeepRocketPlayer._networks", lambda *_: networks)
        return player.choose(view, LIMIT).move


def test_the_likeliest_legal_main_move_is_played(file: str, player: DeepRocketPlayer) -> None:
    networks = RocketNetworks(random_rocket(dtype="float16"))
    for number in range(6):
        view = View.of(start(shuffled(BOTZONE, f"rocket/best/{number}")), 0)
        logits, state = networks.policy(state_of(view)), state_of(view)
        best = max(by_output(state.legal), key=lambda output: logits[output])
        decision = player.choose(view, LIMIT)
        assert output_of(decision.move) == best
        shares = list(decision.debug["policy"].values())
        assert shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 1.001


def test_a_move_that_goes_out_is_played_without_the_network(
    player: DeepRocketPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RocketNetworks, "policy", lambda *_: pytest.fail("the network was asked"))
    decision = player.choose(view_of("3334445566"), LIMIT)
    assert (str(decision.move), decision.debug) == ("3334445566", {"search": "goes out"})


def test_a_move_takes_little_time(player: DeepRocketPlayer) -> None:
    views = [View.of(start(shuffled(BOTZONE, f"rocket/time/{number}")), 0) for number in range(5)]
    player.choose(views[0], LIMIT)
    took = []
    for view in views:
        began = time.process_time()
        player.choose(view, LIMIT)
        took.append(time.process_time() - began)
    assert min(took) < 0.05


def test_without_numpy_players_fall_back_and_say_so(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rocket_numpy, "np", None)
    rocket_cnn.LOADER.forget()
    engine = Engine(f"deeprocket:weights={file}")
    decision = engine.choose(view_of("345678899TJ"), Limit(playouts=50))
    assert "cannot run" in decision.failures[0].reason
    rocket_cnn.LOADER.forget()


class Fixed:
    """A bidder that answers the same to every hand."""

    def __init__(self, logit: float) -> None:
        self.answer = logit

    def logit(self, *_: object) -> float:
        return self.answer


@pytest.mark.parametrize(
    ("logit", "bids", "made"),
    [
        (-3.0, (), 0),
        (YES_LOGITS[0] - 0.01, (), 0),
        (YES_LOGITS[0], (), 1),
        (YES_LOGITS[1], (), 2),
        (YES_LOGITS[2], (), 3),
        (YES_LOGITS[1], (1,), 2),
        (YES_LOGITS[1], (2,), 0),
        (YES_LOGITS[0], (0, 1), 0),
        (9.0, (1, 2), 3),
    ],
)
def test_a_chance_becomes_a_bid(logit: float, bids: tuple[int, ...], made: int) -> None:
    assert bid_by_answer(BidView(BOTZONE2, parse_hand("34567"), bids), Fixed(logit)) == made  # type: ignore[arg-type]


def test_it_bids_by_its_bidder(bid_file: str) -> None:
    player, bidder = make_player(f"deeprocket:bid_weights={bid_file}"), Bidder(random_bidder())
    made = set()
    for number in range(30):
        deal = shuffled(BOTZONE2, f"rocket/bids/{number}")
        for heard in ((), (0,), (1, 0), (2,)):
            view = BidView(BOTZONE2, deal.hands[len(heard)], heard)
            made.add(bid := player.bid(view))
            assert bid == bid_by_answer(view, bidder) and bid in view.legal_bids
    assert len(made) > 1


def test_without_a_bidder_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    with pytest.raises(CannotPlay, match="no network: there is no"):
        make_player("deeprocket").bid(BidView(BOTZONE2, shuffled(BOTZONE2, "1").hands[0], ()))


def test_the_current_bidder_bids(bid_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    promote(write(tmp_path, "yesno", random_bidder()), "botzone2")
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    view = BidView(BOTZONE2, shuffled(BOTZONE2, "1").hands[0], ())
    assert make_player("deeprocket").bid(view) == DeepRocketPlayer(bid_weights=bid_file).bid(view)
