"""The analysis: the champion's evaluation, numbers that hold together, and exact where the game is decided."""

import itertools
import json
import math
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.belief.worlds import Worlds
from ddzbot.cards import RANK_COUNT, count, counts, parse_hand, size
from ddzbot.evaluation import Criterion
from ddzbot.game import SEAT_NAMES, SEATS, Game, shuffled, start
from ddzbot.kernel import describe
from ddzbot.kernel.fast_records import MoveValue
from ddzbot.kernel.library import KernelError
from ddzbot.players.random_player import RandomPlayer
from ddzbot.rules import BOTZONE, PASS, RULE_SETS, Move, parse_move
from ddzbot.search.certain import worlds_of
from ddzbot.search.limit import Limit
from ddzbot.split import fewest_moves
from ddzbot.testing.strategies import views
from ddzbot.view import View
from tests.platforms import PLATFORMS
from tests.search.brute_force import BruteForce, State
from tests.search.positions import endgame
from tests.support import eventually, kernel_path, require
from tools.study.analyse import analyse as analysing
from tools.study.analyse.analyse import HEAT, AnalysisError, analyse, priors
from tools.study.analyse.hidden import likeliest_world
from tools.study.analyse.lines import LONGEST_LINE
from tools.study.analyse.model import Analysis

NAMES = sorted(PLATFORMS)
LITTLE = Limit(playouts=300)
ALL = 1000
"""As many moves as there may be."""


def after_moves(name: str, moves: int, seed: str = "analysis") -> View:
    """A view from a game of random moves."""
    player, number = RandomPlayer(3), 0
    while True:
        game = start(shuffled(RULE_SETS[name], f"{seed}/{number}"))
        while not game.finished and len(game.plays) < moves:
            game = game.play(player.choose(View.of(game, game.seat), LITTLE).move)
        if not game.finished:
            return View.of(game, game.seat)
        number += 1


def same_but_for_seconds(one: Analysis, other: Analysis) -> bool:
    return replace(one, seconds=0.0) == replace(other, seconds=0.0)


def check(view: View, analysis: Analysis, top: int) -> None:
    """What holds for every analysis."""
    legal = {move.cards for move in view.legal_moves()}
    told = [known.move.cards for known in analysis.moves]
    assert 1 <= len(told) <= top
    assert len(set(told)) == len(told)
    assert set(told) <= legal
    for known in analysis.moves:
        assert 0.0 <= known.win <= 1.0
        assert known.visits >= 0
        assert known.prior is None or 0.0 <= known.prior <= 1.0
        assert known.fewest == fewest_moves(view.rules, view.hand - known.move.cards)
        assert known.line[0].cards == known.move.cards
        assert len(known.line) <= LONGEST_LINE or analysis.notes.as_json()["method"] == "exact"
    assert (analysis.win, analysis.score) == (analysis.moves[0].win, analysis.moves[0].score)
    assert all(known.error is None or known.error >= 0.0 for known in analysis.moves)
    assert sum(known.prior or 0.0 for known in analysis.moves) <= 1.0 + 1e-9
    check_hidden(view, analysis)


def check_hidden(view: View, analysis: Analysis) -> None:
    others = [seat for seat in range(SEATS) if seat != view.seat]
    assert list(analysis.hidden) == others
    for seat in others:
        shares = analysis.hidden[seat]
        assert len(shares) == RANK_COUNT
        assert all(math.isclose(sum(row), 1.0, abs_tol=1e-9) for row in shares)
        expected = sum(number * share for row in shares for number, share in enumerate(row))
        assert math.isclose(expected, view.cards_left(seat), abs_tol=1e-6)
    for rank in range(RANK_COUNT):
        unseen = count(view.unseen, rank)
        first, second = (analysis.hidden[seat][rank] for seat in others)
        for number in range(5):
            # What one of them holds the other does not.
            opposite = second[unseen - number] if number <= unseen else 0.0
            assert math.isclose(first[number], opposite, abs_tol=1e-9)


# The player behind the evaluation.


def with_a_choice(name: str, number: int) -> Iterator[View]:
    """Views with several legal moves, from everywhere in games of random moves."""
    for moves in itertools.count():
        view = after_moves(name, 1 + moves % 30, f"choice/{moves}")
        if len(view.legal_moves()) > 1:
            yield view
            number -= 1
        if number == 0:
            return


@pytest.mark.usefixtures("with_kernel", "with_network")
@pytest.mark.parametrize("name", NAMES)
def test_what_decides_ranks_the_moves_and_none_is_given_up(name: str) -> None:
    for seed, view in enumerate(with_a_choice(name, 6)):
        analysis = analyse(view, LITTLE, seed=seed, top=ALL)
        if analysis.notes.as_json()["method"] == "exact":
            continue
        played = [known for known in analysis.moves if known.visits]
        assert len({known.visits for known in played}) <= 1
        if analysis.notes.source.decides is Criterion.PROOF:
            continue
        points = analysis.notes.source.decides is Criterion.POINTS
        ranked = [known.score if points else known.win for known in played]
        assert ranked == sorted(ranked, key=float, reverse=True)
        if played:
            assert (played[0], played[0].gap_error) == (analysis.moves[0], 0.0)
            assert all(known.error and known.gap_error for known in played[1:])


@pytest.mark.usefixtures("with_kernel", "without_network")
def test_without_a_network_mctshs_stands_in_and_that_is_said() -> None:
    analysis = analyse(after_moves("botzone", 5), LITTLE)
    assert analysis.notes.as_json()["method"] == "mctshs"
    assert "no network" in analysis.notes.as_json()["no_champion"]


# Every rule set, everywhere in the game.


@pytest.mark.usefixtures("with_kernel", "with_network")
@pytest.mark.parametrize("moves", [1, 25])
@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_every_rule_set_hold_together(name: str, moves: int) -> None:
    view = after_moves(name, moves)
    analysis = analyse(view, LITTLE, top=4)
    check(view, analysis, 4)
    assert all(known.prior is not None for known in analysis.moves), "a network is current under every rule set"
    assert analysis.notes.as_json()["line"] == "network"


@pytest.mark.whole
@given(data=st.data(), name=st.sampled_from(NAMES))
def test_the_numbers_of_any_view_hold_together(data: st.DataObject, name: str) -> None:
    require(kernel_path(), "a C compiler")
    view = data.draw(views(RULE_SETS[name]))
    check(view, analyse(view, Limit(playouts=50), top=ALL), ALL)


@pytest.mark.whole
@pytest.mark.usefixtures("with_kernel", "with_network")
def test_the_same_view_seed_and_playouts_give_the_same_analysis() -> None:
    view = after_moves("botzone", 2)
    first, again, other = (analyse(view, Limit(playouts=2000), seed=seed) for seed in (5, 5, 6))
    assert same_but_for_seconds(first, again)
    assert not same_but_for_seconds(first, other)


@pytest.mark.usefixtures("with_kernel", "with_network")
def test_all_playouts_are_made_and_counted() -> None:
    analysis = analyse(after_moves("botzone", 0), Limit(playouts=3000), top=ALL)
    assert 0 < analysis.playouts < 3000 + 16
    assert max(known.visits for known in analysis.moves) == analysis.moves[0].visits > 100


@pytest.mark.whole
@pytest.mark.usefixtures("with_kernel", "with_network")
def test_a_limit_of_seconds_is_kept() -> None:
    def playouts() -> int:
        # CPU seconds: other processes may have the core for as long as they want, even for the whole limit.
        began = time.process_time()
        analysis = analyse(after_moves("botzone", 0), Limit(seconds=0.8))
        assert time.process_time() - began < 2
        return analysis.playouts

    assert eventually(lambda: playouts() > 0)


@pytest.mark.usefixtures("with_kernel", "with_network")
def test_a_move_without_a_rival_is_valued_too() -> None:
    moves = tuple(parse_move(BOTZONE, text) for text in ("L",))
    view = endgame(("34567L", "99TTKK", "88JJ2"), 0, moves)
    analysis = analyse(view, Limit(playouts=1000))
    assert [str(known.move) for known in analysis.moves] == ["pass"]
    assert (analysis.playouts, analysis.moves[0].visits) == (0, 0), "the network says what it is worth"


# What is known for certain.


def brute_force_winning(view: View) -> set[str]:
    """The winning moves of a view with only one world, by a solver that shares no code with ours."""
    (world,) = worlds_of(Worlds(view).certain)
    hands = [view.hand, *world][-view.seat :] + [view.hand, *world][: -view.seat]
    assert hands[view.seat] == view.hand
    texts = ["".join("3456789TJQKA2LB"[rank] * number for rank, number in enumerate(counts(hand))) for hand in hands]
    table = str(view.to_beat) if view.to_beat else ""
    return BruteForce("botzone", frozenset()).winning_moves(State(tuple(texts), view.seat, table, view.table_seat))


@pytest.mark.usefixtures("with_network")
@pytest.mark.parametrize("fixture", ["with_kernel", "without_kernel"])
@pytest.mark.parametrize(
    "hands",
    [("3A", "K", "K"), ("35", "K", "K"), ("44QQ5", "55", "5"), ("3344A", "88", "88"), ("33JJ2A", "QQQ", "Q")],
    ids="/".join,
)
def test_a_decided_endgame_is_exact(hands: tuple[str, str, str], fixture: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(fixture)
    view = endgame(hands, 0)
    analysis = analyse(view, LITTLE, top=ALL)
    assert analysis.notes.as_json()["method"] == "exact"
    wins = {str(known.move): known.win for known in analysis.moves}
    winning = brute_force_winning(view)
    assert wins == {str(move): float(str(move) in winning) for move in view.legal_moves()}
    assert [known.win for known in analysis.moves] == sorted(wins.values(), reverse=True)
    # Under these rules the winner is paid at least 2, and the loser only the small scores of what was played.
    assert all(known.score is not None and (known.score >= 2.0) == (known.win == 1.0) for known in analysis.moves)
    check(view, analysis, ALL)


def test_the_line_of_a_decided_endgame_is_played_to_its_end() -> None:
    analysis = analyse(endgame(("3A", "K", "K"), 0), LITTLE)
    assert [str(move) for move in analysis.moves[0].line] == ["A", "pass", "pass", "3"]
    assert [str(move) for move in analysis.moves[1].line] == ["3", "K"]


@pytest.mark.parametrize("network", ["with_network", "without_network"])
@pytest.mark.parametrize("fixture", ["with_kernel", "without_kernel"])
def test_the_move_that_empties_the_hand_wins(fixture: str, network: str, request: pytest.FixtureRequest) -> None:
    for name in (fixture, network):
        request.getfixturevalue(name)
    analysis = analyse(endgame(("44", "3567", "89TJ"), 0), Limit(playouts=40))
    best = analysis.moves[0]
    assert (str(best.move), best.win, best.fewest, [str(move) for move in best.line]) == ("44", 1.0, 0, ["44"])
    assert best.score is not None and best.score >= 2.0


@pytest.mark.usefixtures("with_kernel", "with_network")
def test_a_move_that_wins_for_certain_is_named_and_first() -> None:
    # Nothing beats the rocket, and with the pair of 3s the landlord is out.
    analysis = analyse(endgame(("33LB", "66779", "88TTJ"), 0), LITTLE)
    assert (analysis.notes.as_json()["certain"], str(analysis.moves[0].move), analysis.win) == ("LB", "LB", 1.0)
    # Four low solos and two cards that win a trick: the others lead in between.
    analysis = analyse(endgame(("3456LB", "66779", "88TTJ"), 0), LITTLE)
    assert "certain" not in analysis.notes.as_json()
    assert analysis.win < 1.0


def test_cards_whose_place_is_known_are_exactly_0_or_1() -> None:
    game: Game = start(shuffled(BOTZONE, "known"))
    game = game.play(game.legal_moves()[0])
    analysis = analyse(View.of(game, 1), LITTLE)
    view = View.of(game, 1)
    for rank in range(RANK_COUNT):
        surely = count(view.bottom_left, rank)
        if count(view.unseen, rank) == surely:
            assert analysis.hidden[0][rank][surely] == 1.0
            assert analysis.hidden[2][rank][0] == 1.0
        assert all(share == 0.0 for share in analysis.hidden[0][rank][:surely])


# Without this or that.


@pytest.mark.whole
@pytest.mark.usefixtures("without_kernel", "with_network")
def test_without_the_kernel_the_network_decides() -> None:
    view = after_moves("botzone", 20)
    analysis = analyse(view, LITTLE, top=ALL)
    check(view, analysis, ALL)
    assert (analysis.notes.as_json()["method"], analysis.notes.as_json()["kernel"], analysis.playouts) == (
        "champion, its network alone",
        describe(),
        0,
    )
    assert len(analysis.moves) == len(view.legal_moves())
    assert [known.win for known in analysis.moves] == sorted((known.win for known in analysis.moves), reverse=True)


@pytest.mark.usefixtures("without_kernel", "without_network")
@pytest.mark.parametrize("moves", [0, 15])
def test_without_both_games_are_played_out_by_rules(moves: int) -> None:
    view = after_moves("mini", moves)
    first, again = (analyse(view, Limit(playouts=24)) for _ in range(2))
    check(view, first, 5)
    assert first.notes.as_json()["method"] == "playouts by rules"
    assert 0 < first.playouts <= 24
    assert first.score is not None
    assert same_but_for_seconds(first, again)


@pytest.mark.usefixtures("with_kernel", "with_network")
def test_moves_that_the_network_refuses_are_analysed_without_it() -> None:
    # A pass on a lead, as damaged records have it.
    view = after_moves("botzone", 0)
    analysis = analyse(view._replace(plays=(PASS, PASS, PASS)), LITTLE)
    assert analysis.notes.as_json()["network"].startswith("no network: it refuses these moves")
    assert analysis.moves[0].prior is None


# Parts.


def test_a_view_that_contradicts_itself_or_is_of_a_seat_that_waits_is_refused() -> None:
    game = start(shuffled(BOTZONE, "turn"))
    with pytest.raises(AnalysisError, match="it is the turn of seat 0"):
        analyse(View.of(game, 1), LITTLE)
    with pytest.raises(AnalysisError, match="the own hand has 1 cards"):
        analyse(View.of(game, 0)._replace(hand=parse_hand("3")), LITTLE)


def test_what_the_kernel_refuses_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise KernelError("ddz_search_init: bad game")

    monkeypatch.setattr(analysing, "_evaluation", refuse)
    with pytest.raises(AnalysisError, match="the kernel refuses this view: ddz_search_init: bad game"):
        analyse(after_moves("botzone", 3), LITTLE)


@given(data=st.data())
def test_the_likeliest_world_is_the_heaviest_of_all(data: st.DataObject) -> None:
    """Counted out where there are at most some thousand worlds."""
    view = data.draw(views(RULE_SETS["mini"]).filter(lambda view: size(view.unseen) <= 12))
    worlds = Worlds(view)

    def weight(first: int) -> int:
        return math.prod(worlds.table[rank][number] for rank, number in enumerate(counts(first)))

    best = likeliest_world(worlds)
    assert worlds.certain.allows(best.first, best.second)
    assert math.isclose(weight(best.first), max(weight(first) for first, _ in worlds_of(worlds.certain)))


def test_the_prior_is_a_softmax() -> None:
    three = [MoveValue(Move(parse_hand(text), 1, 0, 1), logit, 0.0) for text, logit in (("3", 1.0), ("4", 1.0 - HEAT))]
    shares = priors(three)
    assert math.isclose(sum(shares.values()), 1.0)
    assert math.isclose(shares[parse_hand("3")] / shares[parse_hand("4")], math.e)
    assert priors([]) == {}


@pytest.mark.usefixtures("with_kernel", "with_network")
def test_the_json_form_names_seats_ranks_and_kinds() -> None:
    view = after_moves("botzone", 0)
    data = json.loads(json.dumps(analyse(view, LITTLE, top=2).as_json()))
    assert list(data) == ["moves", "win", "score", "playouts", "seconds", "hidden", "notes"]
    fields = ["rank", "move", "kind", "win", "score", "error", "gap_error", "visits", "prior", "fewest", "line"]
    assert list(data["moves"][0]) == fields
    assert list(data["hidden"]) == list(SEAT_NAMES[1:])
    assert list(data["hidden"]["landlord_up"]) == list("3456789TJQKA2LB")
    assert all(len(row) == 5 for row in data["hidden"]["landlord_up"].values())
