"""The records that cross the border to the kernel, packed as src/ddz_kernel.h lays them out."""

from struct import Struct
from typing import List, Sequence, Tuple

from ddzbot.game import SEATS, Game, final_bid, trick_points
from ddzbot.rules import BOMB, KIND_NAMES, PASS, ROCKET, RuleSet, Shape

SHAPE = Struct("=8B")
TERMS = Struct(f"=I4i3Ii{len(KIND_NAMES) - 2}i")
MOVE = Struct("=QBbB5x")
"""Cards, kind, rank and length: the fields of :class:`ddzbot.rules.Move`. The rest of a record follows from them."""
RANDOM = Struct("=4Q")
GAME = Struct("=3QQBbBB4x3iH8B2x")
TOTALS = Struct("=6Q3q")

RULES, SPLITS = 2, 7
"""Where ddz_layout tells the sizes of the two opaque records."""
SIZES = (SHAPE.size, TERMS.size, None, MOVE.size, RANDOM.size, GAME.size, TOTALS.size, None)
"""The sizes that ddz_layout must tell; None for what is opaque."""

NOBODY = 255
"""The winner of a game that is not over."""


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
        NOBODY if winner is None else winner,
        final_bid(game.bids),
    )
