"""
What an agent is shown: two games that differ in one thing, and whether the features of the player to move differ.

``python -m tests.rules.peer_table`` asks, and prints the table of docs/guide/compared.md.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from ddzbot.cards import FULL_DECK, parse_hand
from ddzbot.env.layout import seen
from ddzbot.game import Deal, start
from ddzbot.view import View
from tests.rules.peer_games import PEERS, deal_in_order, ranks_of
from tools.programs.rlcard_state import encode

Played = tuple[Deal, str]
"""A deal whose first hand is the landlord's, and moves with blanks between them."""


def deal(landlord: str, down: str, bottom: str) -> Deal:
    """Deals these cards, and the rest from the lowest to the highest."""
    given = [parse_hand(cards) for cards in (landlord, down, bottom)]
    rest = iter(ranks_of(FULL_DECK - sum(given)))
    hands = [[*ranks_of(cards)] for cards in (given[0], given[1], 0)]
    order = [rank for hand in hands for rank in [*hand, *(next(rest) for _ in range(17 - len(hand)))]]
    return deal_in_order([*order, *ranks_of(given[2])])


LEADS = " pass pass ".join("56789T")
"""As many moves as DouZero, which shows the most, has in its history, and one more."""

QUESTIONS: dict[str, tuple[Played, Played]] = {
    "the move to beat": ((deal("34", "5", "678"), "3 pass pass 4"), (deal("34", "5", "678"), "4 pass pass 3")),
    "the bottom": ((deal("3456", "7", "89T"), "3"), (deal("3489", "7", "56T"), "3")),
    "who played which cards": (
        (deal("37", "4K", "89T"), "3 K pass pass 4 pass 7 pass"),
        (deal("47", "3K", "89T"), "4 K pass pass 3 pass 7 pass"),
    ),
    "the landlord's first move, 22 moves ago": (
        (deal("3456789T", "J", "QKA"), f"3 pass pass 4 pass pass {LEADS}"),
        (deal("3456789T", "J", "QKA"), f"4 pass pass 3 pass pass {LEADS}"),
    ),
}


def ours(played: Played) -> list[Any]:
    """Gets our row of the player to move."""
    game = start(played[0])
    for move in played[1].split():
        game = game.play(next(legal for legal in game.legal_moves() if legal.cards == cards_of(move)))
    return list(seen(View.of(game, game.seat)))


def cards_of(move: str) -> int:
    return 0 if move == "pass" else parse_hand(move)


def features(name: str) -> Callable[[Played], list[Any]]:
    """Gets how a package shows its agents the position after these moves, as numbers."""

    def of_game(played: Played) -> list[Any]:
        peer = PEERS[name](played[0], random.Random(1), True, Counter())
        for move in played[1].split():
            peer.play(peer.moves()[cards_of(move)])
        return list(SHOWN[name](peer))

    return of_game


def _rlcard(peer: Any) -> Any:
    import rlcard

    return encode(rlcard.make("doudizhu"), peer.state)["obs"]


def _douzero(peer: Any) -> Any:
    from douzero.env.env import get_obs

    shown = get_obs(peer.table.game_infoset)
    return [*shown["x_no_action"], *shown["z"].flatten()]


SHOWN: dict[str, Callable[[Any], Any]] = {
    "OpenSpiel": lambda peer: peer.state.observation_tensor(peer.state.current_player()),
    "RLCard": _rlcard,
    "DouZero": _douzero,
}


def answers_of(shown: Callable[[Played], list[Any]]) -> dict[str, str]:
    """Asks all questions: yes where the two games of one look different."""
    return {
        question: "yes" if shown(first) != shown(second) else "no" for question, (first, second) in QUESTIONS.items()
    }
