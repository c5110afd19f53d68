"""The quick players of a search: legal in every rule set, and sensible where one move is."""

from typing import NamedTuple

import pytest

from ddzbot.cards import Hand, parse_hand
from ddzbot.game import SEATS, Game
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import NativeSearch, SearchOptions
from ddzbot.rules import PASS, RULE_SETS, Move
from ddzbot.view import View
from tests.search.positions import endgame, middle, move_of

QUICK = SearchOptions(worlds=0, root_margin=2, tree_margin=1, expand_at=30, exploration=700, quick=True)


class Watched(NamedTuple):
    """A game of quick players."""

    hands: list[Hand]
    moves: list[Move]


def watched(kernel: Kernel, view: View, noise: int = 0, seed: int = 7) -> Watched:
    search = NativeSearch(kernel, view, QUICK._replace(noise=noise), seed, nodes=1000)
    return Watched(*search.watch())


def first_move(kernel: Kernel, hands: tuple[str, str, str], leader: int, *moves: str) -> str:
    played = tuple(move_of(text) if text else PASS for text in moves)
    return str(watched(kernel, endgame(hands, leader, played)).moves[0])


@pytest.mark.parametrize("name", sorted(RULE_SETS))
@pytest.mark.parametrize("noise", [0, 20000])
def test_every_move_of_a_game_is_legal(kernel: Kernel, name: str, noise: int) -> None:
    for number in range(15):
        view = middle(f"quick/{number}", number % 20, name)
        hands, moves = watched(kernel, view, noise, number)
        held = tuple(hand + view.played(seat) for seat, hand in enumerate(hands))
        game = Game(view.rules, tuple(hands), view.bottom, view.plays, (), 0)
        assert sum(held) == view.rules.deck
        for move in moves:
            game = game.play(move)
        assert game.finished


def test_without_noise_the_same_world_gives_the_same_game(kernel: Kernel) -> None:
    view = middle("whims", 5)
    assert watched(kernel, view) == watched(kernel, view)


def test_noise_makes_games_differ(kernel: Kernel) -> None:
    # Both hidden hands are known: one card, of the same rank.
    view = endgame(("446779TTJQK", "2", "2"), 0)
    games = {tuple(watched(kernel, view, 2000, seed).moves) for seed in range(20)}
    assert len(games) > 1
    assert len({tuple(watched(kernel, view, 0, seed).moves) for seed in range(20)}) == 1


def test_a_player_that_can_go_out_does(kernel: Kernel) -> None:
    assert first_move(kernel, ("3334", "55667788", "9TJQK"), 0) == "3334"
    assert first_move(kernel, ("3J", "9", "4QK"), 0, "3") == "9"


def test_the_sure_move_goes_first_when_one_other_is_left(kernel: Kernel) -> None:
    assert first_move(kernel, ("3LB", "4QK", "59T"), 0) == "LB"


def test_the_lowest_solo_is_for_a_partner_with_one_card(kernel: Kernel) -> None:
    assert first_move(kernel, ("55KK789", "3TTQQA", "2"), 1) == "3"


def test_a_chain_is_led_whole(kernel: Kernel) -> None:
    assert first_move(kernel, ("34567JJ9", "3899TTQQKK", "4558TTQA"), 0) == "34567"


def test_a_peasant_leaves_the_lead_to_a_partner_about_to_win(kernel: Kernel) -> None:
    # landlord_down led an ace from three cards.
    assert first_move(kernel, ("346789TJQK", "A44", "5668892"), 1, "A") == "pass"


def test_an_enemy_with_one_card_is_beaten_as_high_as_possible(kernel: Kernel) -> None:
    # The landlord led a 4 and has one card left.
    assert first_move(kernel, ("4Q", "5552", "33"), 0, "4") == "2"


def test_an_answer_that_breaks_the_division_is_played_when_an_enemy_would_win(kernel: Kernel) -> None:
    # Without a solo of its own the peasant must break the pair of aces or the kings.
    assert first_move(kernel, ("4Q", "3344KKAA", "5566"), 0, "4") in {"A", "K"}


def test_a_world_gives_each_seat_its_cards(kernel: Kernel) -> None:
    view = endgame(("5566789", "3TTQQA", "J"), 1)
    hands = watched(kernel, view).hands
    assert hands[1] == parse_hand("3TTQQA")
    assert [sum(hand >> 4 * rank & 15 for rank in range(15)) for hand in hands] == [
        view.cards_left(seat) for seat in range(SEATS)
    ]
