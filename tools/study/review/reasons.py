"""Names the kind of mistake that a move was, as a person sees it at the table: a key of :data:`.model.WHY`."""

from ddzbot.rules import BOMB, PASS, ROCKET, Move
from ddzbot.view import View

FEW_CARDS = 2
"""An enemy with so few cards goes out soon."""


def why_of(view: View, made: Move, best: Move) -> str:
    """Names the mistake of having *made* a move where *best* was better; the two differ."""
    bombs = (BOMB, ROCKET)
    if made.kind in bombs and best.kind not in bombs:
        return "bomb_given_away"
    if best.kind in bombs and made.kind not in bombs:
        return "bomb_held_back"
    if PASS in (made, best):
        return _why_of_pass(view, made)
    if made.kind in bombs and best.kind in bombs:
        return "other_bomb"
    if made.kind != best.kind:
        return "other_kind"
    if made.length != best.length:
        return "other_length"
    if made.rank == best.rank:
        return "other_kickers"
    if made.rank > best.rank and view.to_beat is not None:
        return "followed_too_high"
    return "low_card" if made.rank < best.rank and _enemy_is_low(view, made.size) else "other_rank"


def _why_of_pass(view: View, made: Move) -> str:
    if made == PASS:
        return "enemy_let_through" if _enemy_is_low(view) else "trick_let_go"
    over_partner = view.table_seat is not None and view.is_partner(view.table_seat)
    return "partner_overtaken" if over_partner else "pass_was_enough"


def _enemy_is_low(view: View, least: int = 0) -> bool:
    """Tests whether an enemy has few cards, but at *least* so many, with which it could follow."""
    enemies = (seat for seat in range(3) if seat != view.seat and not view.is_partner(seat))
    return any(least <= view.cards_left(seat) <= FEW_CARDS for seat in enemies)
