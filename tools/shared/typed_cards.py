"""Cards as people type them, in whatever command: any order and case, blanks, 10 for T, and the jokers by name."""

import unicodedata
from collections import Counter

from ddzbot.cards import FULL_DECK, RANKS, CardsError, Hand, count, hand_text, parse_hand
from ddzbot.rules import Move, RuleSet, parse_move

from .message import Message

_NAMES = (
    *((name, "LB") for name in ("大小王", "王炸", "火箭", "jokers", "rocket")),
    *((name, "L") for name in ("小王", "littlejoker")),
    *((name, "B") for name in ("大王", "bigjoker")),
    ("10", "T"),
)


def typed_hand(text: str) -> Hand:
    """
    Reads cards. For example ``10 10 jj 王炸`` is ``TTJJLB``.

    :raises CardsError: for what is no card, and for more cards of a rank than there are.
    """
    letters = "".join(plain_letters(text).replace(",", " ").split())
    for spelling, ranks in _NAMES:
        letters = letters.replace(spelling, ranks)
    letters = letters.upper()
    for letter in letters:
        if letter not in RANKS:
            problem = "cards {text}: {letter} is not a rank; ranks are {ranks}: T is 10, L and B are the jokers"
            raise CardsError(Message(problem, text=f"{text!r:.60}", letter=repr(letter), ranks=RANKS))
    for letter, copies in Counter(letters).items():
        if copies > count(FULL_DECK, RANKS.index(letter)):
            raise CardsError(Message("cards {text}: the deck has fewer {rank}", text=f"{text!r:.60}", rank=letter))
    return parse_hand(letters)


def typed_move(rules: RuleSet, text: str) -> Move:
    """
    Reads ``pass``, or the cards of a move.

    :raises CardsError: as :func:`typed_hand`.
    :raises RulesError: if the cards are not a move that the rule set recognises.
    """
    return parse_move(rules, text if text == "pass" else hand_text(typed_hand(text)))


def plain_letters(text: str) -> str:
    """Makes small letters, and plain ones of wide ones."""
    return unicodedata.normalize("NFKC", text).strip().lower()
