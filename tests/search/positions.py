"""Views at the beginning, in the middle and at the end of games, for tests of searches and of players."""

import random

from ddzbot.cards import UNIT, counts, parse_hand
from ddzbot.game import SEATS, shuffled, start
from ddzbot.rules import BOTZONE, PASS, RULE_SETS, UNKNOWN, Move, parse_move
from ddzbot.view import View


def opening(seed: str, name: str = "botzone") -> View:
    return View.of(start(shuffled(RULE_SETS[name], seed)), 0)


def middle(seed: str, plies: int, name: str = "botzone") -> View:
    """Gets the view of the player to move after so many random moves, or the last one before the end."""
    draw = random.Random(seed)
    game = start(shuffled(RULE_SETS[name], seed))
    for _ in range(plies):
        then = game.play(draw.choice(game.legal_moves()))
        if then.finished:
            break
        game = then
    return View.of(game, game.seat)


def endgame(hands: tuple[str, str, str], leader: int, moves: tuple[Move, ...] = ()) -> View:
    """
    Gets a view at the end of a game under ``botzone``: *leader* led from these hands, and *moves* were made.

    How the other cards went does not matter: each seat played them at once.
    """
    held = [parse_hand(hand) for hand in hands]
    gone = [UNIT[rank] for rank, copies in enumerate(counts(BOTZONE.deck - sum(held))) for _ in range(copies)]
    played = []
    for seat, hand in enumerate(held):
        played_cards = BOTZONE.seat_cards(seat) - sum(counts(hand))
        played.append(gone[:played_cards])
        gone = gone[played_cards:]
    lead = Move(played[leader].pop(), UNKNOWN, -1, 0)
    before = [Move(sum(cards), UNKNOWN, -1, 0) for cards in played]
    plays = (*before, *[PASS] * leader, lead, PASS, PASS, *moves)
    seat = len(plays) % SEATS
    own = held[seat] - sum(move.cards for move in moves[(seat - leader) % SEATS :: SEATS])
    bottom = sum(played[0][:3])
    return View(BOTZONE, seat, own, bottom, (), 1, 0, plays)


def move_of(text: str) -> Move:
    return parse_move(BOTZONE, text)
