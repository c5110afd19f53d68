"""The refusals of the interface for other programs: each wrong argument has its message."""

import inspect
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ddzbot import api
from ddzbot.api import (
    PASS,
    BidView,
    CannotPlay,
    CardsError,
    Endgame,
    EndgameError,
    Game,
    IllegalMoveError,
    Limit,
    Move,
    RulesError,
    View,
    ViewError,
    choose,
    parse_hand,
    parse_move,
    rule_set,
    shuffled,
    solve,
    start,
)
from tests.support import ROOT, find_python, require

BOTZONE, BOTZONE2, STANDARD = map(rule_set, ("botzone", "botzone2", "standard"))
DEAL = shuffled(BOTZONE, "refused")
GAME = start(DEAL)
LATER = GAME.play(GAME.legal_moves()[0])
VIEW = View.of(LATER, 1)
BIDDER = BidView(BOTZONE2, shuffled(BOTZONE2, "refused").hands[1], (0,))
ENDGAME = Endgame(STANDARD, (parse_hand("4667788QK2"), parse_hand("334455QK2")))
THREE, CHAIN = parse_move(BOTZONE, "3"), parse_move(BOTZONE, "34567")
FEW = Limit(playouts=20)

GOOD: dict[str, dict[str, Any]] = {
    "analyse": {"view": VIEW, "limit": FEW, "seed": 1},
    "auction": {"bids": (0, 1)},
    "beats": {"rules": BOTZONE, "cards": parse_hand("44"), "to_beat": parse_hand("33")},
    "bid": {"view": BIDDER, "player": "rule", "seed": 1},
    "choose": {"view": VIEW, "limit": FEW, "player": "rule", "seed": 1},
    "classify": {"rules": BOTZONE, "cards": parse_hand("44"), "recognised": True},
    "describe": {},
    "explain": {"rules": BOTZONE, "hand": parse_hand("445"), "cards": parse_hand("44"), "to_beat": THREE},
    "hand_of_ids": {"ids": [1, 2, 3]},
    "hand_text": {"hand": parse_hand("445")},
    "ids_for": {"own_ids": [1, 2, 3], "cards": parse_hand("33")},
    "legal_moves": {"rules": BOTZONE, "hand": parse_hand("445"), "to_beat": THREE},
    "parse_hand": {"text": "334"},
    "parse_move": {"rules": BOTZONE, "text": "334"[:2]},
    "player_names": {},
    "read_move": {"rules": BOTZONE, "cards": parse_hand("44")},
    "rule_set": {"name": "mini"},
    "shuffled": {"rules": BOTZONE, "seed": "1"},
    "solve": {"position": ENDGAME, "limit": Limit(playouts=2000)},
    "start": {"deal": DEAL, "bids": (), "landlord_position": 1},
}
"""A good call of every function."""


class Odd:
    """What raises wherever one looks."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


NO_NUMBER: list[Any] = ["1", None, 1.0, 0.5, nan, True, 1j, Fraction(1), [1], Odd()]
NO_TEXT: list[Any] = [1, None, b"x", ["x"], Odd()]
NO_HAND: list[Any] = [*NO_NUMBER, -5, 2**70, (1 << 200) - 1, 5, 0xF, 1 << 60, 10**5000, 2 << 56]
NO_RULES: list[Any] = ["botzone", None, 1, BOTZONE._replace(name="house"), BOTZONE._replace(dealt=3), (), Odd()]
NO_RULES += [BOTZONE._replace(name=[]), BOTZONE._replace(legal=5), type(BOTZONE)(*range(len(BOTZONE)))]
NO_MOVE: list[Any] = [
    *(16, "9T10", "pass", (1, 1, 0, 1), PASS, Odd()),
    *(THREE._replace(kind=kind) for kind in (2, 14, 0, 18, 99, -1, "solo", None, 1.0)),
    *(THREE._replace(rank=rank) for rank in (1, -1, 99, None, 0.0, False)),
    *(THREE._replace(length=length) for length in (0, 2, 77, "1", True)),
    *(THREE._replace(cards=cards) for cards in NO_HAND),
    CHAIN._replace(rank=1),
]
NO_SEED: list[Any] = [*NO_NUMBER, 10**5000]
NO_LIMIT: list[Any] = [0.1, None, (0.1, None), Limit("1"), Limit(nan), Limit(inf), Limit(-1), Limit(10**400)]  # type: ignore[arg-type]
NO_LIMIT += [Limit(None, 1.5), Limit(None, True), Limit(None, -1), Limit(Fraction(1)), Limit(1j), Odd()]  # type: ignore[arg-type]
NO_BIDS: list[Any] = [1, "1", None, (1.0,), (Odd(),), (10**5000,), (True,), ("1",), (None,), ([],), {1}, Odd()]
NO_IDS: list[Any] = [
    1,
    None,
    "12",
    [1, 1],
    [54],
    [-1],
    [1.0],
    [True],
    [None],
    [Odd()],
    [VIEW],
    [10**5000],
    iter(int, 1),
    Odd(),
]
NO_PLAYER: list[Any] = [*NO_TEXT, "missing", "", "champion:x=1", "\ud800", "rule:" * 1000]
NO_ENDGAME: list[Any] = [
    *(None, VIEW, "3/4", Odd()),
    *(ENDGAME._replace(rules=rules) for rules in NO_RULES),
    *(ENDGAME._replace(hands=(hand, ENDGAME.hands[1])) for hand in (*NO_HAND, 0, 1 << 70 | 16)),
    *(ENDGAME._replace(hands=hands) for hands in (3, None, (), ENDGAME.hands * 2, "34")),
    *(ENDGAME._replace(seat=seat) for seat in (*NO_NUMBER, 2, -1)),
    *(ENDGAME._replace(to_beat=move, table_seat=1) for move in NO_MOVE),
    *(ENDGAME._replace(to_beat=THREE, table_seat=seat) for seat in (*NO_NUMBER, 0, 2, -1)),
    *(ENDGAME._replace(banned=kinds) for kinds in (13, None, {"x"}, {99}, {1}, {0}, {13.0}, {True}, "x")),
    *(Game(BOTZONE, *fields) for fields in [(GAME.hands, 0, (), (), 9), (3, 0, (), (), 0), ((3, 4), 0, (), (), 0)]),
    *(GAME._replace(plays=plays) for plays in (3, ("3",), *((move,) for move in NO_MOVE if move is not PASS))),
    *(GAME._replace(bids=bids) for bids in NO_BIDS),
    GAME._replace(rules=None),  # type: ignore[arg-type]
    GAME._replace(hands=(0, *GAME.hands[1:])),
]
NO_VIEW: list[Any] = [
    *(None, "view", BIDDER, GAME, Odd()),
    *(VIEW._replace(rules=rules) for rules in NO_RULES),
    *(VIEW._replace(seat=seat) for seat in (*NO_NUMBER, 0, 3, -1)),
    *(VIEW._replace(hand=hand) for hand in (*NO_HAND, 0, parse_hand("3"))),
    *(VIEW._replace(bottom=bottom) for bottom in NO_HAND),
    *(VIEW._replace(bids=bids) for bids in (1, "1", None, (1.0,), ([],), (0,), (None,), Odd())),
    *(VIEW._replace(stake=stake) for stake in (*NO_NUMBER, 0, 2)),
    *(VIEW._replace(landlord_position=position) for position in (*NO_NUMBER, 3, -1)),
    *(VIEW._replace(plays=plays) for plays in (3, "3", None, ("3",), (PASS,), (PASS, PASS, PASS, PASS))),
    *(VIEW._replace(plays=(move,)) for move in NO_MOVE),
]
NO_BIDDER: list[Any] = [
    *(None, VIEW, Odd()),
    *(BIDDER._replace(rules=rules) for rules in (*NO_RULES, BOTZONE)),
    *(BIDDER._replace(hand=hand) for hand in (*NO_HAND, 0)),
    *(BIDDER._replace(bids=bids) for bids in (*NO_BIDS, (3,), (4,), (0, 0, 0))),
]
NO_DEAL: list[Any] = [
    *(None, GAME, Odd()),
    *(DEAL._replace(rules=rules) for rules in (*NO_RULES, rule_set("mini"))),
    *(DEAL._replace(hands=hands) for hands in (3, None, (), DEAL.hands[:2], (DEAL.hands[0],) * 3, "345")),
    *(DEAL._replace(hands=(hand, *DEAL.hands[1:])) for hand in NO_HAND),
    *(DEAL._replace(bottom=hand) for hand in NO_HAND),
]

BAD: dict[str, dict[str, list[Any]]] = {
    "analyse": {"view": NO_VIEW, "limit": NO_LIMIT, "seed": NO_SEED},
    "auction": {"bids": [*NO_BIDS, (4,), (-1,), (2, 1), (3, 0), (0, 0, 0, 0)]},
    "beats": {"rules": NO_RULES, "cards": NO_HAND, "to_beat": NO_HAND},
    "bid": {"view": NO_BIDDER, "player": NO_PLAYER, "seed": NO_SEED},
    "choose": {"view": NO_VIEW, "limit": NO_LIMIT, "player": NO_PLAYER, "seed": NO_SEED},
    "classify": {"rules": NO_RULES, "cards": NO_HAND, "recognised": [1, None, "x"]},
    "describe": {},
    "explain": {
        "rules": NO_RULES,
        "hand": NO_HAND,
        "cards": NO_HAND,
        "to_beat": [move for move in NO_MOVE if move is not None],
    },
    "hand_of_ids": {"ids": NO_IDS},
    "hand_text": {"hand": NO_HAND},
    "ids_for": {"own_ids": [*NO_IDS, [], [4, 5]], "cards": [*NO_HAND, parse_hand("4")]},
    "legal_moves": {"rules": NO_RULES, "hand": NO_HAND, "to_beat": [move for move in NO_MOVE if move is not None]},
    "parse_hand": {"text": [*NO_TEXT, "1", "33333", "\ud800", "LL"]},
    "parse_move": {"rules": NO_RULES, "text": [*NO_TEXT, "34", "", "x", "\ud800"]},
    "player_names": {},
    "read_move": {"rules": NO_RULES, "cards": NO_HAND},
    "rule_set": {"name": [*NO_TEXT, "bridge", "", "\ud800"]},
    "shuffled": {"rules": NO_RULES, "seed": [*NO_TEXT, "\ud800"]},
    "solve": {"position": NO_ENDGAME, "limit": NO_LIMIT},
    "start": {"deal": NO_DEAL, "bids": [*NO_BIDS, (0,)], "landlord_position": [*NO_NUMBER, -1, 3]},
}
"""Of each parameter what cannot be right."""


def is_a_sentence(error: BaseException) -> bool:
    text = str(error)
    return 10 < len(text) < 400 and "\n" not in text


def test_the_table_has_every_function_and_every_parameter() -> None:
    functions = {name for name in api.__all__ if inspect.isfunction(getattr(api, name))}
    assert functions == GOOD.keys() == BAD.keys()
    for name in functions:
        parameters = inspect.signature(getattr(api, name)).parameters.keys()
        assert parameters == GOOD[name].keys() == BAD[name].keys()


@pytest.mark.parametrize("name", GOOD)
def test_what_is_right_is_taken(name: str) -> None:
    function, good = getattr(api, name), GOOD[name]
    assert function(**good) == function(*good.values())
    with pytest.raises(TypeError):
        function(*good.values(), 1)
    with pytest.raises(TypeError):
        function(**good, more=1)


@pytest.mark.parametrize(("name", "parameter"), [(name, one) for name, bad in BAD.items() for one in bad])
def test_what_cannot_be_right_is_refused_in_one_sentence(name: str, parameter: str) -> None:
    function = getattr(api, name)
    for number, value in enumerate(BAD[name][parameter]):
        with pytest.raises((TypeError, ValueError)) as caught:
            function(**{**GOOD[name], parameter: value})
            pytest.fail(f"value {number} was taken")
        assert type(caught.value) is not UnicodeEncodeError
        assert is_a_sentence(caught.value), caught.value


def test_a_method_of_a_game_refuses_as_well() -> None:
    for move in (None, 1, (1, 1, 0, 1), Move("3", 1, 0, 1), Move(1.0, 1, 0, 1)):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="move must be a Move, not "):
            GAME.play(move)  # type: ignore[arg-type]
    own = GAME.legal_moves()[0]
    for wrong in (own._replace(cards=-5), own._replace(cards=1 << 70), own._replace(kind=14), own._replace(rank=9)):
        with pytest.raises(IllegalMoveError, match="landlord plays "):
            GAME.play(wrong)
    with pytest.raises(TypeError, match="game must be a Game, not 'game'"):
        View.of("game", 0)  # type: ignore[arg-type]


def test_each_is_refused_by_the_error_that_the_reference_names() -> None:
    cases: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: solve(ENDGAME._replace(hands=(1 << 70, 16))), EndgameError, "these cards are in no deck"),
        (lambda: solve(ENDGAME._replace(rules="standard")), TypeError, "rules must be a RuleSet"),  # type: ignore[arg-type]
        (lambda: solve(ENDGAME, Limit(10**400)), ValueError, "limit.seconds must be less than 1e308"),
        (lambda: shuffled(BOTZONE, "\ud800"), ValueError, "seed has half of a character: '\\\\ud800'"),
        (lambda: api.legal_moves(BOTZONE, -5), CardsError, "hand -5: these cards are in no deck"),
        (lambda: choose(VIEW._replace(plays=(THREE._replace(kind=14),)), FEW), ViewError, "3 is no rocket of rank 0"),
        (lambda: api.beats(BOTZONE._replace(name="house"), 1, 1), RulesError, "'house' is none of the rule sets"),
        (lambda: choose(VIEW._replace(plays=(PASS,)), FEW), ViewError, "seat 0 passes where it must lead"),
    ]
    for call, error, sentence in cases:
        with pytest.raises(error, match=sentence):
            call()


@pytest.mark.parametrize("kinds", [{13}, frozenset({13}), [13], (13,)])
def test_a_ban_may_be_any_set(kinds: Any) -> None:
    assert solve(ENDGAME._replace(banned=kinds)).winner is not None


ANYTHING = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.text(max_size=5), st.binary()),
    st.sampled_from([Odd(), 10**400, 1 << 60, (1 << 64) - 1, THREE, PASS, VIEW, GAME, BOTZONE, FEW, object, ...]),
    st.lists(st.one_of(st.none(), st.integers(-1, 60), st.sampled_from([THREE, PASS, Odd(), 10**5000])), max_size=4),
)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_nothing_else_ever_leaves_it(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([name for name, good in GOOD.items() if good]))
    asked = dict(GOOD[name])
    parameter = data.draw(st.sampled_from([*asked]))
    value = asked[parameter]
    fields = getattr(value, "_fields", ())
    if fields and data.draw(st.booleans()):
        asked[parameter] = value._replace(**{data.draw(st.sampled_from(fields)): data.draw(ANYTHING)})
    else:
        asked[parameter] = data.draw(ANYTHING)
    try:
        getattr(api, name)(**asked)
    except (TypeError, ValueError) as error:
        assert is_a_sentence(error)
    except CannotPlay:
        assert name == "analyse"


# A stack that is too small.

SMALL = """
import sys, threading
from ddzbot.api import *
def work():
    for player in sys.argv[2:]:
        game = start(shuffled(rule_set("botzone"), "my first deal"))
        while not game.finished:
            view = View.of(game, game.seat)
            if len(game.plays) % 7 == 0:
                analyse(view, Limit(playouts=20))
            game = game.play(choose(view, Limit(playouts=20), player).move)
    open_game = start(shuffled(rule_set("botzone"), "2"))
    solve(open_game, Limit(playouts=3000))
    deal = shuffled(rule_set("botzone2"), "3")
    print("done", bid(BidView(deal.rules, deal.hands[0], ())).bid in range(4))
threading.stack_size(int(sys.argv[1]) << 10)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


@pytest.mark.parametrize("kilobytes", ["128", "256"])
@pytest.mark.usefixtures("kernel")
def test_a_thread_with_a_small_stack_gets_its_answers(kilobytes: str) -> None:
    command = [sys.executable, "-c", SMALL, kilobytes, "champion", "mcm", "mctshs"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done True\n", "")


@pytest.mark.parametrize("version", ["3.6", pytest.param("3.8", marks=pytest.mark.whole), "3.13"])
def test_so_does_one_of_another_python(version: str) -> None:
    python = require(find_python(version), f"CPython {version}")
    command = [python, "-S", "-E", "-s", "-B", "-c", SMALL, "256", "champion"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done True\n", "")


@pytest.mark.usefixtures("kernel")
def test_a_main_thread_with_a_small_stack_gets_its_answers() -> None:
    code = SMALL.replace("thread.start()\nthread.join()", "work()")
    command = ["sh", "-c", 'ulimit -s 512; exec "$@"', "sh", sys.executable, "-c", code, "512", "champion"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done True\n", "")


@pytest.mark.usefixtures("kernel")
def test_a_thread_hears_the_same_as_the_main_thread() -> None:
    heard: list[Any] = []
    thread = threading.Thread(target=lambda: heard.append(choose(VIEW, FEW, seed=3)))
    thread.start()
    thread.join()
    assert heard == [choose(VIEW, FEW, seed=3)]


def test_an_error_leaves_the_thread_that_asked() -> None:
    from ddzbot.stack import with_large_stack

    caught: list[str] = []

    def ask() -> None:
        try:
            with_large_stack(lambda: [][1])
        except IndexError as error:
            caught.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert caught == ["list index out of range"]
