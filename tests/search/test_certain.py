"""Certain wins: what is proved holds in every world and against every play, and plain ones are found."""

import random
from itertools import islice

import pytest

from ddzbot.belief.certain import what_is_certain
from ddzbot.cards import hand_text, size
from ddzbot.game import SEATS, Game, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.players.rule import RulePlayer
from ddzbot.rules import PASS, RULE_SETS, Move
from ddzbot.search.certain import (
    MOST_NODES,
    NODES_PER_PLAYOUT,
    SOLVER_NODES,
    Proof,
    always_winning,
    certain_win,
    nodes_within,
    solver_share,
    worlds_of,
)
from ddzbot.search.deadline import Clock, Deadline
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.search.positions import endgame, middle, move_of, opening

NAMES = sorted(RULE_SETS)


def found(kernel: Kernel, hands: tuple[str, str, str], leader: int, *moves: str) -> str:
    played = tuple(move_of(text) if text else PASS for text in moves)
    return str(certain_win(kernel, endgame(hands, leader, played)).move)


# The example of the thesis: landlord_down cannot see the holders of the 5 and the 2.

FIRST, SECOND = ("5L", "334567QQKKA2B", "2"), ("2L", "334567QQKKA2B", "5")


@pytest.mark.parametrize("hands", [FIRST, SECOND])
def test_only_the_big_joker_wins_for_certain_in_the_thesis_example(kernel: Kernel, hands: tuple[str, str, str]) -> None:
    assert found(kernel, hands, 0, "L") == "B"


def test_after_the_big_joker_one_of_the_safe_leads_wins_for_certain(kernel: Kernel) -> None:
    assert found(kernel, ("5", "334567QQKKA2", "2"), 1) in {"3", "4", "2", "33", "QQ", "KK", "34567"}


# Hand-made positions.


@pytest.mark.parametrize(
    ("hands", "leader", "move"),
    [
        # What plays the whole hand, and the rocket and one more move for every seat.
        (("3334", "55667788", "9TJQK"), 0, "3334"),
        *(
            (("99LB", "5QQ8", "78JJ"), 0, "LB"),
            (("TT56", "99LB", "78JJ"), 1, "LB"),
            (("TT56", "5QQ8", "99LB"), 2, "LB"),
        ),
        # No hand can beat the pair; the 3 alone would be beaten, and has to wait.
        (("3AA", "5K9", "68Q"), 0, "AA"),
        # In one deal of the unseen cards landlord_down has a pair of kings, in others no seat has.
        (("3QQ", "56KJ", "78K9"), 0, "None"),
        # A possible bomb makes a win uncertain.
        *((("3AA", "5K9J", "68Q5"), 0, "AA"), (("3AA", "5555", "68Q7"), 0, "None")),
        # The holders of the 4 and the 9 are unknown: landlord_up goes out over a 3 with either, but over a 5 not with
        # the 4.
        *((("9", "57", "4"), 1, "None"), (("9", "357", "4"), 1, "3")),
    ],
)
def test_this_move_wins_for_certain(kernel: Kernel, hands: tuple[str, str, str], leader: int, move: str) -> None:
    assert found(kernel, hands, leader) == move


def test_the_bottom_makes_certain_what_is_uncertain_without_it(kernel: Kernel) -> None:
    # The landlord has one card. If it is the 4 of the bottom, the ace cannot be beaten by an enemy.
    view = endgame(("4", "A55", "22"), 1)
    assert str(certain_win(kernel, view._replace(bottom=move_of("4").cards)).move) in {"A", "55"}


def test_a_deal_is_no_certain_win(kernel: Kernel) -> None:
    assert certain_win(kernel, opening("deal")).move is None


def test_a_proof_takes_no_more_positions_than_it_may(kernel: Kernel) -> None:
    assert all(certain_win(kernel, opening("nodes"), nodes).nodes <= nodes for nodes in (0, 1, 2, 50))


def test_a_view_that_contradicts_itself_is_refused(kernel: Kernel) -> None:
    view = opening("refused")
    with pytest.raises(KernelError, match="ddz_certain_win: bad game"):
        certain_win(kernel, view._replace(hand=view.hand - (view.hand & -view.hand)))


# What is proved is true: the others play at random, and the hidden hands are dealt anew.


def dealt_anew(view: View, draw: random.Random) -> Game:
    """Gets a game that looks like *view* to its seat."""
    first, second = (view.seat + 1) % SEATS, (view.seat + 2) % SEATS
    certain = view.bottom_left if view.seat else 0
    cards = [rank for rank in range(15) for _ in range((view.unseen - certain) >> 4 * rank & 15)]
    draw.shuffle(cards)
    hands = [0, 0, 0]
    hands[view.seat] = view.hand
    room = view.cards_left(first) - (size(certain) if first == 0 else 0)
    for at, rank in enumerate(cards):
        hands[first if at < room else second] += 1 << 4 * rank
    hands[0] += certain
    return Game(view.rules, tuple(hands), view.bottom, view.plays, (), 0)


def reply(game: Game, mover: int, draw: random.Random) -> Move:
    """Draws a move; but a partner with one card goes out if it can."""
    moves = game.legal_moves()
    if mover and game.seat and size(game.hands[game.seat]) == 1 and not moves[-1].is_pass:
        return moves[-1]
    return draw.choice(moves)


def won_positions(kernel: Kernel, name: str, deals: int) -> list[View]:
    views, player = [], RulePlayer(1)
    for number in range(deals):
        game = start(shuffled(RULE_SETS[name], f"certain/{number}"))
        while not game.finished:
            view = View.of(game, game.seat)
            if certain_win(kernel, view, 3000).move:
                views.append(view)
                break
            game = game.play(player.choose(view, Limit()).move)
    return views


@pytest.mark.parametrize("name", NAMES)
def test_a_certain_win_is_won_in_every_world_against_every_play(kernel: Kernel, name: str) -> None:
    draw, views = random.Random(1), won_positions(kernel, name, 8)
    assert len(views) >= 6
    for view in views:
        for _ in range(10):
            game = dealt_anew(view, draw)
            while not game.finished:
                move = reply(game, view.seat, draw)
                if game.seat == view.seat:
                    proved = certain_win(kernel, View.of(game, game.seat), 100000).move
                    assert proved is not None
                    move = proved
                game = game.play(move)
            assert (game.winner == 0) == (view.seat == 0)


# Limits.


def test_a_proof_costs_at_most_half_of_a_limit_of_playouts() -> None:
    assert nodes_within(Deadline(Limit(playouts=100))) == 50 * NODES_PER_PLAYOUT
    assert nodes_within(Deadline(Limit(playouts=10**6))) == nodes_within(Deadline(Limit(seconds=1.0))) == MOST_NODES


def test_positions_are_charged_as_playouts_rounded_up() -> None:
    assert [Proof(None, nodes).playouts for nodes in (0, 1, NODES_PER_PLAYOUT, NODES_PER_PLAYOUT + 1)] == [0, 1, 1, 2]


# Few worlds, each with open hands.


def always(hands: tuple[str, str, str], leader: int, *moves: str, nodes: int = 20000) -> set[str]:
    played = tuple(move_of(text) if text else PASS for text in moves)
    view = endgame(hands, leader, played)
    return {str(move) for move in always_winning(view, what_is_certain(view), Deadline(Limit(playouts=nodes)))}


@pytest.mark.parametrize("hands", [FIRST, SECOND])
def test_with_open_hands_too_only_the_big_joker_always_wins(hands: tuple[str, str, str]) -> None:
    assert always(hands, 0, "L") == {"B"}


def test_with_open_hands_the_safe_leads_are_those_of_the_thesis() -> None:
    assert always(("5", "334567QQKKA2", "2"), 1) == {"3", "4", "2", "33", "QQ", "KK", "34567"}


def test_a_partner_who_plays_well_makes_a_move_win_that_no_proof_finds(kernel: Kernel) -> None:
    # landlord_up holds 8 9 or 9 9, and can take the lead with a 9 and go out; a proof lets it pass.
    hands = ("8", "467", "99")
    assert found(kernel, hands, 1) == "None"
    assert always(hands, 1) == {"4", "6", "7"}


def test_a_solver_that_runs_out_says_nothing() -> None:
    assert always(FIRST, 0, "L", nodes=3) == set()


def test_many_worlds_or_many_cards_are_left_to_the_search() -> None:
    assert always(("34567", "89TJQ", "KKAA2"), 0) == set()
    view = opening("many")
    assert always_winning(view, what_is_certain(view), Deadline(Limit(playouts=20000))) == []


@pytest.mark.parametrize("plies", range(30, 60, 5))
def test_every_world_is_listed_once_and_fits_the_facts(plies: int) -> None:
    certain = what_is_certain(middle(f"listed/{plies}", plies))
    worlds = list(islice(worlds_of(certain), 500))
    assert len(worlds) == len(set(worlds)) >= 1
    assert all(certain.allows(*world) for world in worlds)


def test_two_unseen_cards_are_two_worlds() -> None:
    certain = what_is_certain(endgame(FIRST, 0, (move_of("L"),)))
    assert {tuple(map(hand_text, world)) for world in worlds_of(certain)} == {("2", "5"), ("5", "2")}


def test_the_solver_gets_at_most_a_quarter_of_a_limit() -> None:
    clock = Clock(0.0, lambda: 0.0)
    assert solver_share(Deadline(Limit(playouts=400), clock)).granted(10**9) == 100
    assert solver_share(Deadline(Limit(seconds=1.0), clock)).granted(10**9) == SOLVER_NODES
    assert solver_share(Deadline(Limit(seconds=1.0), Clock(0.0, lambda: 0.26))).is_over()
    assert not solver_share(Deadline(Limit(seconds=1.0), Clock(0.0, lambda: 0.24))).is_over()
