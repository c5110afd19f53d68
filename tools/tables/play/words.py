"""
What a person's line means: cards, a bid, or one of the words, legal or not.
"""

import re
from typing import NamedTuple

from ddzbot.cards import CardsError, Hand

from ...shared.message import Message, prose
from ...shared.typed_cards import plain_letters, typed_hand

PLAY, BID, BACK, HINT, MOVES, TABLE, HISTORY, WORDS, SAVE, QUIT = (
    "play",
    "bid",
    "back",
    "hint",
    "moves",
    "table",
    "history",
    "help",
    "save",
    "quit",
)

_WORDS = {
    "back": BACK,
    "undo": BACK,
    "悔牌": BACK,
    "hint": HINT,
    "h": HINT,
    "提示": HINT,
    "moves": MOVES,
    "m": MOVES,
    "table": TABLE,
    "history": HISTORY,
    "help": WORDS,
    "?": WORDS,
    "帮助": WORDS,
    "save": SAVE,
    "quit": QUIT,
    "exit": QUIT,
    "退出": QUIT,
}
_PASSES = {"", "p", "pass", "过", "不要", "不出", "要不起"}
_NO_BIDS = {*_PASSES, "no", "不叫"}
_BID = re.compile(r"(?:bid\s*)?([0-9]+)\s*分?")

HELP = (
    ("334455", Message("play these cards; any order, blanks and small letters are fine")),
    ("10 or T", Message("the ten; L and B are the little and the big joker, 'jokers' both")),
    ("pass", Message("pass, or do not bid; also p, 过, 不要 or an empty line")),
    ("hint", Message("what a strong player would do, and how well it does")),
    ("back", Message("take your last move or bid back; also undo, 悔牌")),
    ("moves", Message("all legal moves by kind; 'moves pair_chain' lists one kind in full")),
    ("table", Message("the table and your hand again")),
    ("history", Message("all moves so far")),
    ("save FILE", Message("save the game so far; the file has all hands, so do not look")),
    ("quit", Message("leave the game")),
)
"""The commands, and what they do."""


class WordError(ValueError):
    """Raised for a line that means nothing; the message is one sentence that names it."""


class Order(NamedTuple):
    """What a person wants."""

    what: str
    """:data:`PLAY`, :data:`BID` or one of the words."""
    cards: Hand = 0
    """To play; none is the pass."""
    bid: int = 0
    rest: str = ""
    """What stands behind the word."""


def read_move(line: str) -> Order:
    """
    Reads a line of the play. For example, ``10 10 jj QQ`` plays ``TTJJQQ``.

    :raises WordError: for what is neither cards nor a word.
    """
    letters = plain_letters(line)
    if letters in _PASSES:
        return Order(PLAY)
    return _word(line) or Order(PLAY, _cards(line.strip()))


def read_bid(line: str) -> Order:
    """
    Reads a line of the auction: a number, or a word.

    :raises WordError: for anything else.
    """
    letters = plain_letters(line)
    if letters in _NO_BIDS:
        return Order(BID)
    points = _BID.fullmatch(letters)
    if points:
        return Order(BID, bid=int(points[1]))
    order = _word(line)
    if order is None:
        raise WordError(
            Message("{text}: a bid is a number from 0 to 3, and 'help' lists the words", text=repr(line.strip()))
        )
    return order


def _word(line: str) -> Order | None:
    word, _, argument = line.strip().partition(" ")
    command = _WORDS.get(plain_letters(word))
    argument = argument.strip()
    if command is None:
        return None
    if argument and command not in (SAVE, MOVES):
        raise WordError(Message("{text}: {word} stands alone", text=repr(line.strip()), word=command))
    if command == SAVE and not argument:
        raise WordError(Message("save: name a file, as in save game.ddzn"))
    return Order(command, rest=argument)


def _cards(text: str) -> Hand:
    try:
        return typed_hand(text)
    except CardsError as error:
        raise WordError(Message("{problem}; 'help' lists the words", problem=prose(error))) from None
