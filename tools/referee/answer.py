"""
Why an answer is refused: the platform's code and a sentence.

:mod:`ddzbot.rules` decides what is legal; this module only names a refusal.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ddzbot.cards import Hand
from ddzbot.game import Game
from ddzbot.rules import BOMB, ROCKET, Move, classify, explain

from ..shared.message import Message
from ..shared.refusal_words import refusal_message


class Refusal(NamedTuple):
    """The platform's code for a fault, and one sentence for people."""

    code: str
    sentence: str


def refuse_ids(response: Iterable[Any], dealt: Sequence[int], played: Iterable[int]) -> Refusal | None:
    """
    Checks the entries of *response* in order; the first bad one decides.

    *dealt* is all that the player ever had, *played* what is gone of it. Equality counts, as on the platform:
    JSON's ``true`` is card 1, and ``0.0`` is recognised as card 0 but cannot be played. FightTheLandlord's judge says
    BAD_FORMAT of it; FightTheLandlord2's crashes, and here it is the same fault there (docs/reference/protocol.md).
    """
    gone = set(played)
    for card in response:
        if card not in dealt:
            return Refusal("MISSING_CARD", Message("card {card} was not dealt to this player", card=f"{card!r:.60}"))
        if not isinstance(card, int):
            return Refusal("BAD_FORMAT", Message("card {card} is not an integer", card=f"{card!r:.60}"))
        if card in gone:
            return Refusal("REPEATED_CARD", Message("card {card} is played a second time", card=f"{card!r:.60}"))
        gone.add(card)
    return None


def refuse_move(game: Game, cards: Hand) -> Refusal | None:
    """Checks *cards*, which the player holds, against the rules and the move to beat."""
    to_beat = game.to_beat
    refusal = explain(game.rules, game.hands[game.seat], cards, to_beat)
    if refusal is None:
        return None
    sentence = refusal_message(refusal)
    if not cards:
        return Refusal("INVALID_PASS", sentence)
    readings = classify(game.rules, cards)
    if not readings or to_beat is None:
        return Refusal("INVALID_CARDTYPE", sentence)
    return Refusal(_comparison(readings[0], to_beat), sentence)


def _comparison(move: Move, to_beat: Move) -> str:
    """Names why *move* does not beat *to_beat*. For example, a solo over a bomb is too small, not of another type."""
    if _class(move) < _class(to_beat):
        return "LESS_COMPARE"
    if move.kind != to_beat.kind:
        return "MISMATCH_CARDTYPE"
    return "LESS_COMPARE" if move.size == to_beat.size else "MISMATCH_CARDLENGTH"


def _class(move: Move) -> int:
    return {BOMB: 1, ROCKET: 2}.get(move.kind, 0)
