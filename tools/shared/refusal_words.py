"""Why cards may not be played, as a message: :data:`ddzbot.illegal_moves.ENGLISH`, with its values apart."""

from collections.abc import Callable

from ddzbot import illegal_moves
from ddzbot.illegal_moves import Refusal
from ddzbot.rules import KIND_NAMES

from .language import kind_word
from .message import Message

_KICKER_RULES = (
    Message("must be of different ranks outside its body"),
    Message("must be outside its body"),
    Message("may be any cards"),
)

MESSAGES: dict[str, Callable[[Refusal], Message]] = {
    illegal_moves.PASS_ON_A_LEAD: lambda one: Message("a lead cannot be a pass"),
    illegal_moves.NOT_HELD: lambda one: Message(
        "{cards}: the hand {hand} does not hold these cards", cards=one.cards, hand=one.hand
    ),
    illegal_moves.NO_MOVE: lambda one: Message(
        "{cards}: these cards are not a move (rules {rules})", cards=one.cards, rules=one.rules
    ),
    illegal_moves.NO_SUCH_KIND: lambda one: Message(
        "{cards}: a {kind} is not a legal move (rules {rules})",
        cards=one.cards,
        kind=_kind(one.kind),
        rules=one.rules,
    ),
    illegal_moves.NUMBER_OF_KICKERS: lambda one: Message(
        "{cards}: a {kind} takes {number} kicker a quad (rules {rules})"
        if one.number == 1
        else "{cards}: a {kind} takes {number} kickers a quad (rules {rules})",
        cards=one.cards,
        kind=_kind(one.kind),
        number=one.number,
        rules=one.rules,
    ),
    illegal_moves.KICKERS: lambda one: Message(
        "{cards}: the kickers of a {kind} {which} (rules {rules})",
        cards=one.cards,
        kind=_kind(one.kind),
        which=_KICKER_RULES[one.kicker_rule],
        rules=one.rules,
    ),
    illegal_moves.OTHER_KIND: lambda one: Message(
        "{cards}: a {kind} cannot answer the {beaten_kind} {beaten}",
        cards=one.cards,
        kind=_kind(one.kind),
        beaten_kind=_kind(one.beaten_kind),
        beaten=one.beaten,
    ),
    illegal_moves.OTHER_LENGTH: lambda one: Message(
        "{cards}: the answer to {beaten} must have {number} cards",
        cards=one.cards,
        beaten=one.beaten,
        number=one.number,
    ),
    illegal_moves.TOO_LOW: lambda one: Message(
        "{cards}: it does not beat {beaten}", cards=one.cards, beaten=one.beaten
    ),
}
"""The message of each code."""


def refusal_message(refusal: Refusal) -> Message:
    """Makes the message why cards may not be played; in English it is ``str(refusal)``."""
    return MESSAGES[refusal.code](refusal)


def _kind(name: str) -> Message:
    return kind_word(KIND_NAMES.index(name))
