"""
An order of moves for a position, which knows what each seat has played but not when.

After a move any seat may play the next one: those in between pass, and when both others have passed the same seat
leads. So every order is right that begins with the landlord and ends with the move that counts now, and in which no
player passes a lead.
"""

from itertools import zip_longest

from ddzbot.game import SEATS, Game, to_beat
from ddzbot.rules import PASS, Move


def in_order(game: Game) -> Game:
    """Gets the same position with moves in an order that may have been; *game* itself where there is none."""
    played = [[move for move in game.plays[seat::SEATS] if not move.is_pass] for seat in range(SEATS)]
    last_seat = _last_layer(game)
    if not played[0] or not played[last_seat]:
        return game
    final = played[last_seat].pop()
    seated = [
        (seat, move)
        for round_of_moves in zip_longest(*played)
        for seat, move in enumerate(round_of_moves)
        if move is not None
    ]
    plays: list[Move] = []
    for seat, move in [*seated, (last_seat, final)]:
        plays += [PASS] * ((seat - len(plays)) % SEATS) + [move]
    plays += [PASS] * ((game.seat - len(plays)) % SEATS)
    ordered = game._replace(plays=tuple(plays))
    same = (ordered.seat, to_beat(ordered.plays)) == (game.seat, game.to_beat)
    return ordered if same and not plays[0].is_pass else game


def _last_layer(game: Game) -> int:
    """Gets the seat that played the move to beat, or the leading seat, which played last too."""
    if game.to_beat is None:
        return game.seat
    return (len(game.plays) - (2 if game.plays[-1].is_pass else 1)) % SEATS
