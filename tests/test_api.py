"""The interface for programs of users: what it promises, on this Python and on the oldest one."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

import ddzbot
from ddzbot import api
from ddzbot.api import (
    BidView,
    CannotPlay,
    Endgame,
    EndgameError,
    Game,
    IllegalMoveError,
    Limit,
    PlayerError,
    View,
    ViewError,
    analyse,
    bid,
    choose,
    classify,
    legal_moves,
    parse_hand,
    rule_set,
    shuffled,
    solve,
    start,
)
from tests.support import ROOT, find_python, require

BOTZONE, BOTZONE2 = rule_set("botzone"), rule_set("botzone2")
FEW = Limit(playouts=60)

BARE = ["-S", "-E", "-s", "-B", "-W", "error"]
"""An interpreter without packages; the folder that it is started in stays importable."""


def opening() -> Game:
    return start(shuffled(BOTZONE, "api"))


def lead() -> View:
    return View.of(opening(), 0)


@pytest.fixture
def without_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))


def test_every_name_is_there_and_in_order() -> None:
    assert [name for name in api.__all__ if not hasattr(api, name)] == []
    assert len({*api.__all__}) == len(api.__all__)


def test_the_rules_are_at_hand() -> None:
    assert [str(move) for move in legal_moves(BOTZONE, parse_hand("4456"), classify(BOTZONE, parse_hand("3"))[0])] == [
        "pass",
        "4",
        "5",
        "6",
    ]


def test_a_whole_game_is_played_by_legal_moves() -> None:
    game = opening()
    while not game.finished:
        game = game.play(choose(View.of(game, game.seat), Limit(playouts=20), "rule").move)
    assert sum(game.scores()[1:]) != 0


@pytest.mark.usefixtures("with_kernel")
def test_the_champion_chooses_what_the_analysis_cannot_tell_from_the_best() -> None:
    limit = Limit(playouts=1000)
    decision, estimates = choose(lead(), limit, seed=5), analyse(lead(), limit, seed=5)
    assert decision.player == "champion" and decision.failures == ()
    best, chosen = estimates.moves[0], next(one for one in estimates.moves if one.move == decision.move)
    assert chosen.gap_error is not None and best.win - chosen.win <= 2 * chosen.gap_error
    assert {one.move for one in estimates.moves} == {*lead().legal_moves()}
    assert all(0 <= one.win <= 1 for one in estimates.moves)
    assert estimates.playouts >= 1 and "no_champion" not in estimates.notes


@pytest.mark.usefixtures("with_kernel")
def test_the_same_seed_gives_the_same_answer_whatever_was_asked_between() -> None:
    first = analyse(lead(), FEW, seed=1)
    choose(lead(), FEW, seed=2)
    choose(lead(), FEW, "rhcp")
    assert analyse(lead(), FEW, seed=1) == first


@pytest.mark.usefixtures("without_kernel")
def test_without_the_kernel_the_network_alone_values_the_moves() -> None:
    estimates = analyse(lead(), FEW)
    assert estimates.moves[0].move == choose(lead(), FEW).move
    assert estimates.notes["no_champion"].startswith("no kernel: ") and estimates.playouts == 0


@pytest.mark.usefixtures("without_weights", "without_kernel")
def test_without_a_network_no_numbers_are_guessed() -> None:
    with pytest.raises(CannotPlay, match="no network: there is no "):
        analyse(lead(), FEW)
    failures = choose(lead(), FEW).failures
    assert failures[0].player == "champion" and "no kernel" in failures[0].reason


@pytest.mark.usefixtures("with_kernel")
def test_the_move_that_ends_the_game_comes_first_and_is_certain() -> None:
    last = _before_the_end()
    first = analyse(last, FEW).moves[0]
    assert (first.move.cards, first.win) == (last.hand, 1.0)


def _before_the_end() -> View:
    """Plays by rules up to the move that ends the game."""
    game = opening()
    while True:
        view = View.of(game, game.seat)
        after = game.play(choose(view, FEW, "rule").move)
        if after.finished:
            return view
        game = after


def test_a_bid_is_chosen() -> None:
    assert bid(BidView(BOTZONE2, parse_hand("22AAKKQQJJTT99LB8"), ())).bid == 3
    assert bid(BidView(BOTZONE2, parse_hand("34567893456789TJQ"), (2,))).bid in (0, 3)


def test_an_endgame_is_solved_from_hands_and_from_a_game() -> None:
    standard = rule_set("standard")
    solution = solve(Endgame(standard, (parse_hand("4667788QK2"), parse_hand("334455QK2"))))
    assert (solution.winner, solution.undecided) == (0, ())
    open_game = Game(standard, (parse_hand("3"), parse_hand("44"), parse_hand("55")), parse_hand("3"), (), (), 0)
    assert [str(move) for move in solve(open_game).winning] == ["3"]
    assert solve(Endgame(standard, opening().hands), Limit(playouts=50)).winner is None


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (View.of(opening(), 1), "after 0 moves it is the turn of seat 0, not of seat 1"),
        (lead()._replace(hand=parse_hand("34")), "the own hand has 2 cards where 20 must be left"),
        (lead()._replace(bottom=opening().hands[1]), "the bottom has cards that the landlord cannot have taken"),
    ],
)
def test_a_view_that_cannot_be_is_refused_in_a_sentence(view: View, sentence: str) -> None:
    for ask in (choose, analyse):
        with pytest.raises(ViewError, match=sentence):
            ask(view, FEW)


@pytest.mark.parametrize(
    ("limit", "error", "sentence"),
    [
        (0.1, TypeError, "limit must be a Limit, such as Limit(seconds=0.2), not 0.1"),
        (None, TypeError, "limit must be a Limit, such as Limit(seconds=0.2), not None"),
        ((0.1, None), TypeError, "limit must be a Limit, such as Limit(seconds=0.2), not (0.1, None)"),
        (Limit(seconds="1"), TypeError, "limit.seconds must be a number, not '1'"),  # type: ignore[arg-type]
        (Limit(playouts=1.5), TypeError, "limit.playouts must be a whole number, not 1.5"),  # type: ignore[arg-type]
        (Limit(playouts=True), TypeError, "limit.playouts must be a whole number, not True"),
        (Limit(seconds=nan), ValueError, "limit.seconds must be 0 or more, or None, not nan"),
        (Limit(seconds=inf), ValueError, "limit.seconds must be 0 or more, or None, not inf"),
        (Limit(seconds=-0.1), ValueError, "limit.seconds must be 0 or more, or None, not -0.1"),
        (Limit(playouts=-5), ValueError, "limit.playouts must be 0 or more, or None, not -5"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_in_a_sentence(limit: Any, error: type[Exception], sentence: str) -> None:
    for ask, position in ((choose, lead()), (analyse, lead()), (solve, opening())):
        with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
            ask(position, limit)


@pytest.mark.parametrize("limit", [Limit(0), Limit(0.01, 10**400), Limit(None, 1), Limit(1, 5)])
def test_a_limit_that_can_be_is_taken(limit: Limit) -> None:
    assert choose(lead(), limit, "mctshs:setting=report").failures == ()


NO_AUCTION = "there is no auction under rules botzone"


@pytest.mark.parametrize(
    ("fields", "error", "sentence"),
    [
        ({"seat": -1}, ViewError, "seat must be 0, 1 or 2, not -1"),
        ({"seat": "0"}, TypeError, "seat must be a whole number, not '0'"),
        ({"rules": "botzone"}, TypeError, "rules must be a RuleSet, not 'botzone'"),
        ({"stake": 0}, ViewError, f"{NO_AUCTION}: no bids, and a stake of 1"),
        ({"bids": None}, TypeError, "bids must be a tuple, not None"),
        ({"plays": "3"}, TypeError, "plays must be a tuple, not '3'"),
        ({"plays": ("3", "4", "5")}, TypeError, "plays: a move must be a Move, not '3'"),
        ({"hand": "333"}, TypeError, "hand must be a Hand, not '333'"),
        (
            {"hand": opening().hands[0] + (1 << 64)},
            ViewError,
            f"hand {opening().hands[0] + (1 << 64)}: these cards are",
        ),
        ({"bottom": -1}, ViewError, "bottom -1: these cards are in no deck"),
    ],
)
def test_a_field_of_a_view_that_cannot_be_is_named(
    fields: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    for ask in (choose, analyse):
        with pytest.raises(error, match=f"^{re.escape(sentence)}"):
            ask(lead()._replace(**fields), FEW)


@pytest.mark.parametrize(
    ("fields", "error", "sentence"),
    [
        ({"bids": (9,)}, ViewError, "bids (9,): 9 is not a bid there"),
        ({"bids": 3}, TypeError, "bids must be a tuple, not 3"),
        ({"hand": "345"}, TypeError, "hand must be a Hand, not '345'"),
    ],
)
def test_an_impossible_bidder_is_refused_with_a_message(
    fields: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    view = BidView(BOTZONE2, shuffled(BOTZONE2, "api").hands[0], ())
    assert bid(view).failures == ()
    with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
        bid(view._replace(**fields))


def test_lists_are_as_good_as_tuples() -> None:
    view = BidView(BOTZONE2, shuffled(BOTZONE2, "api").hands[0], (0, 1))
    assert bid(view._replace(bids=[0, 1])) == bid(view)  # type: ignore[arg-type]
    assert choose(lead()._replace(bids=[], plays=[]), FEW) == choose(lead(), FEW)  # type: ignore[arg-type]


def test_a_wrong_type_is_refused_with_the_name_of_the_argument() -> None:
    asked: list[tuple[Callable[..., object], tuple[object, ...], str]] = [
        (choose, ("botzone",), "view must be a View, not 'botzone'"),
        (choose, (BidView(BOTZONE2, 0, ()),), "view must be a View, not BidView"),
        (bid, (lead(),), "view must be a BidView, not View"),
        (choose, (lead(), FEW, 5), "player must be a text, not 5"),
        (choose, (lead(), FEW, "rule", "7"), "seed must be a whole number, not '7'"),
        (bid, (BidView(BOTZONE2, shuffled(BOTZONE2, "x").hands[0], ()), "rule", 0.5), "seed must be a whole number"),
        (analyse, (lead(), FEW, None), "seed must be a whole number, not None"),
        (solve, (lead(),), "position must be an Endgame or a Game, not View"),
    ]
    for ask, arguments, sentence in asked:
        with pytest.raises(TypeError, match=f"^{re.escape(sentence)}"):
            ask(*arguments)


def test_what_else_is_wrong_is_refused_in_a_sentence() -> None:
    with pytest.raises(PlayerError, match="player 'missing' is unknown"):
        choose(lead(), FEW, "missing")
    with pytest.raises(PlayerError, match="the option 'worth' is unknown"):
        choose(lead(), FEW, "champion:worth=1")
    with pytest.raises(IllegalMoveError, match="landlord plays"):
        opening().play(classify(BOTZONE, parse_hand("LB"))[0])
    with pytest.raises(EndgameError, match="has no cards"):
        solve(Endgame(BOTZONE, (parse_hand("3"), 0)))


def test_the_package_itself_imports_nothing() -> None:
    program = "import sys; before = {*sys.modules}; import ddzbot; print(sorted({*sys.modules} - before))"
    done = subprocess.run([sys.executable, *BARE, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "['ddzbot']\n"
    assert ddzbot.__version__


@pytest.mark.whole
@pytest.mark.parametrize("version", ["3.6", "3.13"])
def test_the_example_in_the_module_runs_without_packages(version: str) -> None:
    python = require(find_python(version), f"CPython {version}")
    lines = (api.__doc__ or "").replace("playouts=200", "playouts=2").splitlines()
    program = "\n".join(line[4:] for line in lines if line.startswith("    "))
    done = subprocess.run([python, *BARE, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("(") and len(json.loads(done.stdout.replace("(", "[").replace(")", "]"))) == 3


def test_python_m_ddzbot_is_the_bot(tmp_path: Path) -> None:
    request = json.dumps({"requests": [{"own": [*range(20)], "history": [[], []], "publiccard": [0, 1, 2]}]})
    command = [sys.executable, "-m", "ddzbot", "--player", "rule"]
    done = subprocess.run(command, input=request, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["debug"]["player"] == "rule"
    for program, name in (("-mddzbot", "python -m ddzbot"), ("bot.py", "bot.py")):
        done = subprocess.run([sys.executable, program, "-h"], cwd=ROOT, capture_output=True, text=True)
        assert done.stdout.startswith(f"usage: {name} [-h]")


# What people have: text.


def test_cards_and_moves_may_be_text_wherever_the_rules_are_asked() -> None:
    rules, hand = rule_set("botzone"), parse_hand("3445")
    three = api.parse_move(rules, "3")
    assert api.legal_moves(rules, "3445") == api.legal_moves(rules, hand)
    assert api.legal_moves(rules, "3445", "3") == api.legal_moves(rules, hand, three) != api.legal_moves(rules, hand)
    assert str(api.explain(rules, "3445", "33")) == str(api.explain(rules, hand, parse_hand("33")))
    assert api.explain(rules, "3445", "4", "3") is None
    assert api.beats(rules, "44", "33") and not api.beats(rules, "33", "44")
    assert api.classify(rules, "34567") == [api.parse_move(rules, "34567")] == [api.read_move(rules, "34567")]
    with pytest.raises(api.CardsError, match="'1' is not a rank"):
        api.legal_moves(rules, "10")


def test_a_game_plays_a_move_as_text() -> None:
    game = api.Game.from_text(rule_set("standard"), ("333444555666", "777", "8"), "345")
    for text in ("333444555666", "34", "pass", "777"):
        move = api.read_move(game.rules, parse_hand("" if text == "pass" else text))
        try:
            expected: object = game.play(move)
        except api.IllegalMoveError as error:
            expected = str(error)
        try:
            answer: object = game.play(text)
        except api.IllegalMoveError as error:
            answer = str(error)
        assert answer == expected
    assert game.play("333444555666").finished
    with pytest.raises(api.IllegalMoveError, match="landlord plays 34"):
        game.play("34")


@pytest.mark.parametrize(
    "kind", [kind for kind in vars(api).values() if hasattr(kind, "_make") and isinstance(kind, type)]
)
def test_help_tells_of_every_field(kind: type) -> None:
    for field in kind._fields:  # type: ignore[attr-defined]
        words = getattr(kind, field).__doc__
        assert words and "Alias for field" not in words, (kind, field)


def test_kinds_and_ranks_have_names() -> None:
    rules = rule_set("botzone")
    assert [api.parse_move(rules, text).kind for text in ("4444", "LB", "3", "33344")] == [
        api.BOMB,
        api.ROCKET,
        api.SOLO,
        api.TRIO_PAIR,
    ]
    assert [api.RANKS[rank] for rank in (api.ACE, api.TWO, api.LITTLE_JOKER, api.BIG_JOKER)] == ["A", "2", "L", "B"]
    assert all(getattr(api, name.upper()) == kind for kind, name in enumerate(api.KIND_NAMES) if name != "pass")
