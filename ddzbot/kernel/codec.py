"""
The one place where Python's objects become the kernel's records and back, as the headers in src/ define them.

A record that two entry points share is packed by one function here: moves by :func:`pack_moves` and
:func:`unpack_moves`, what a seat knows by :func:`pack_view`.
"""

from functools import lru_cache, partial
from struct import Struct
from typing import List, Sequence, Tuple

from ddzbot.cards import Hand
from ddzbot.game import SEATS, Game, final_bid, trick_points
from ddzbot.rules import BOMB, KIND_NAMES, PASS, ROCKET, Move, RuleSet, Shape
from ddzbot.view import View

SHAPE = Struct("=8B")
TERMS = Struct(f"=I4i3Ii{len(KIND_NAMES) - 2}i")
MOVE = Struct("=QBbB5x")
"""Cards, kind, rank and length: the fields of :class:`ddzbot.rules.Move`. The rest of a record follows from them."""
RANDOM = Struct("=4Q")
GAME = Struct("=3QQBbBB4x3iH8B2x")
PAID = Struct("=3q")
TOTALS = Struct("=6Q3q")
LISTING = Struct("=3Qq2QI4x2I")
SHELVED = Struct("=2Q")
SHELF = Struct("=Q2I")
RULED = Struct("=3Q")
LISTER = Struct("=20Q4I")
SITUATION = Struct("=4Qi5B7x")
SEARCH_OPTIONS = Struct("=Q13I4x")
SEARCH_ARM = Struct("=QBbB5x2I")
NET_PARAMETERS = Struct("=9Q")
SEEN = Struct("=4QI5B7x")
ROLLOUT_OPTIONS = Struct("=Q8I")
ROLLOUT_ARM = Struct("=QBbB5x2f2I4d")
ENDGAME = Struct("=4Qi3Bx")
ENDGAME_KEY = Struct("=4Q")
CNN_LAYERS = 29
CNN_RECORD = Struct(f"={CNN_LAYERS}Q{CNN_LAYERS}B{CNN_LAYERS}B6x")
SELFPLAY_OPTIONS = Struct("=2Q6I6B2x2I")
RIVAL = Struct("=2Q")
SAMPLES = Struct("=3Q4I8x")
SELFPLAY_TOTALS = Struct("=8Q")
DEALS_OPTIONS = Struct("=2Q4I")
DEALT = Struct("=4Q3i2B2x")
BID_NET = Struct("=8Q")
ENV_OPTIONS = Struct("=Q3I4x")
ENV_TABLE = Struct(f"={RANDOM.size + GAME.size}s4Q5B3x")
ENV_TOLD = Struct("=4QI4x")

NO_SEAT = 255
"""The winner of a game that is not over."""

_MOVE_WITH_SIZE = Struct("=QBbBB4x")
# Move(*fields) for a whole list, without a step of Python code for each move.
_as_move = partial(tuple.__new__, Move)


def pack_moves(moves: Sequence[Move]) -> bytes:
    """Packs moves, one ddz_move after the other."""
    return b"".join(map(_pack_move, moves))


@lru_cache(maxsize=1 << 12)
def _pack_move(move: Move) -> bytes:
    return _MOVE_WITH_SIZE.pack(*move, move.size)


def unpack_moves(records: "memoryview[int]", count: int) -> List[Move]:
    """Unpacks the first *count* of the ddz_move records."""
    return list(map(_as_move, MOVE.iter_unpack(records[: MOVE.size * count])))


def pack_view(view: View, plays: int) -> bytes:
    """Packs what a seat knows, a ddz_seen; *plays* is the address of the packed moves so far."""
    cards = [view.rules.seat_cards(seat) for seat in range(SEATS)]
    return SEEN.pack(
        *(view.hand, view.bottom, view.rules.deck, plays),
        *(len(view.plays), view.seat, view.stake, *cards),
    )


def pack_situation(view: View) -> bytes:
    """Packs a ddz_situation, what the tree search needs of a view: where the game stands, without how it came there."""
    to_beat = view.to_beat
    cards, kind = (0, -1) if to_beat is None else to_beat[:2]
    passes = int(to_beat is not None and view.plays[-1].is_pass)
    certain = view.bottom_left if view.seat else 0
    left = [view.cards_left(seat) for seat in range(SEATS)]
    return SITUATION.pack(view.hand, view.unseen, certain, cards, kind, *left, view.seat, passes)


def pack_shapes(shapes: Sequence[Shape]) -> bytes:
    """Packs the rows of a grammar, one ddz_shape after the other."""
    return b"".join(
        SHAPE.pack(
            shape.kind,
            shape.group,
            shape.min_length,
            shape.max_length,
            shape.kicker,
            shape.per_group,
            shape.kicker_rule,
            shape.top_rank,
        )
        for shape in shapes
    )


def pack_terms(rules: RuleSet) -> bytes:
    """Packs what a rule set says beside its grammars, a ddz_terms."""
    scoring = rules.scoring
    return TERMS.pack(
        rules.largest_hand,
        *scoring.landlord_wins[:2],
        *scoring.peasants_win[:2],
        rules.bidding,
        scoring.bombs_double,
        scoring.spring_doubles,
        scoring.long_shuttle_points,
        *_points_by_kind(rules),
    )


def _points_by_kind(rules: RuleSet) -> List[int]:
    return [rules.scoring.trick_points.get(kind, 0) for kind in range(1, len(KIND_NAMES) - 1)]


def game_fields(game: Game) -> Tuple[int, ...]:
    """Lists the fields of a ddz_game for where *game* stands."""
    plays, table, winner = game.plays, game.to_beat or PASS, game.winner
    by_seat = [plays[seat::SEATS] for seat in range(SEATS)]
    return (
        *game.hands,
        *(table.cards, table.kind, table.rank, table.length, table.size),
        *(trick_points(game.rules, own) for own in by_seat),
        len(plays),
        game.seat,
        int(not table.is_pass and plays[-1].is_pass),
        sum(move.kind in (BOMB, ROCKET) for move in plays),
        *(sum(not move.is_pass for move in own) for own in by_seat),
        NO_SEAT if winner is None else winner,
        final_bid(game.bids),
    )


def start_fields(hands: Sequence[Hand], stake: int) -> Tuple[int, ...]:
    """Lists the fields of a ddz_game before the first move."""
    return (*hands, *PASS, 0, *(0,) * 10, NO_SEAT, stake)
