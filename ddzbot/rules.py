"""
The rules for every caller: what a set of cards is, what beats what, and every legal move.

Two machines know them and give the same moves in the same order, refusals in the same words: the readable reference,
:mod:`ddzbot.rules_reference`, and the kernel. This module asks the kernel as soon as the process has loaded it. Where
:mod:`ddzbot.kernel` is imported, lists of moves load it, but not before they have cost as much as that does
(:data:`PATIENCE`); to import this module loads nothing. The kernel leaves rules that it does not understand and cards
that are in no deck to the reference, which answers everything where there is no kernel. :func:`answers` says who does.

Differences between platforms are data, in :mod:`ddzbot.rule_sets`; this module hands its names on, and those of
:mod:`ddzbot.moves`.
"""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type

from ddzbot import rules_reference as reference
from ddzbot.cards import Hand, contains, parse_hand
from ddzbot.illegal_moves import Refusal
from ddzbot.moves import (
    ANY,
    BOMB,
    DISTINCT,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    KIND_NAMES,
    LOOSEST,
    PAIR,
    PAIR_CHAIN,
    PASS,
    PASS_KIND,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    REPEATED,
    ROCKET,
    SHUTTLE,
    SHUTTLE_PAIR,
    SHUTTLE_SOLO,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_PAIR,
    TRIO_SOLO,
    UNKNOWN,
    Move,
    RulesError,
    Shape,
)
from ddzbot.rule_sets import BOTZONE, BOTZONE2, ICGA, MINI, RULE_SETS, STANDARD, RuleSet, Scoring, rule_set
from ddzbot.rules_reference import kicker_choice, reading_beats

__all__ = [
    "ANY",
    "BOMB",
    "BOTZONE",
    "BOTZONE2",
    "DISTINCT",
    "FOUR_TWO_PAIR",
    "FOUR_TWO_SOLO",
    "ICGA",
    "KIND_NAMES",
    "LOOSEST",
    "MINI",
    "PAIR",
    "PAIR_CHAIN",
    "PASS",
    "PASS_KIND",
    "PLANE",
    "PLANE_PAIR",
    "PLANE_SOLO",
    "REFERENCE",
    "REPEATED",
    "ROCKET",
    "RULE_SETS",
    "SHUTTLE",
    "SHUTTLE_PAIR",
    "SHUTTLE_SOLO",
    "SOLO",
    "SOLO_CHAIN",
    "STANDARD",
    "TRIO",
    "TRIO_PAIR",
    "TRIO_SOLO",
    "UNKNOWN",
    "Lister",
    "Move",
    "RuleSet",
    "RulesError",
    "Scoring",
    "Shape",
    "answer_by",
    "answering",
    "answers",
    "beats",
    "classify",
    "explain",
    "is_legal",
    "kicker_choice",
    "legal_moves",
    "not_at_once",
    "offer",
    "parse_move",
    "played",
    "read_move",
    "reading_beats",
    "rule_set",
]

# Who lists moves and readings.

PATIENCE = 300
"""Lists of moves that the reference makes before the kernel is loaded for them: about as long as that takes."""
_CACHE = 1 << 14
"""Sets of cards whose readings are kept: 5 MB when full, and 4,800 games have 1,500."""
_BOOKS = 64
"""Rule sets of which readings are kept."""

_Moves = Callable[[RuleSet, Hand, Optional[Move]], List[Move]]


def not_at_once(*_: object) -> None:
    """Has no answer about a game as a whole: its parts are asked about."""


class Lister(NamedTuple):
    """One that knows the rules: its answers are those of :data:`REFERENCE`."""

    name: str
    legal_moves: _Moves
    classify: Callable[[RuleSet, Hand, bool], List[Move]]
    refuses: Tuple[Type[Exception], ...] = ()
    """What it raises for rules that it does not understand, and leaves to the reference; other errors are faults."""
    game_moves: Callable[[Any], Optional[List[Move]]] = not_at_once
    """Lists the legal moves of a :class:`ddzbot.game.Game` or a view, or None where :attr:`legal_moves` must."""
    game_play: Callable[[Any, Any], Any] = not_at_once
    """Gets the game after a move, or None where it does not know at once that the move is legal."""
    game_seen: Callable[[Any, int], Optional[bytearray]] = not_at_once
    """Gets what a seat sees in a game, as :func:`ddzbot.env.layout.seen` does, or None where that must."""


REFERENCE = Lister("reference", reference.legal_moves, reference.classify)
"""The readable one."""
answering = REFERENCE
"""The one that answers now; :func:`answer_by` sets it."""


def answer_by(lister: Lister) -> None:
    """Has a lister answer from now on, in all threads."""
    global answering
    answering = lister


def offer(find: Callable[[], Lister]) -> None:
    """Has the reference answer until it has made :data:`PATIENCE` lists, and then the lister that *find* gets."""
    left = iter(range(PATIENCE))

    def moves(rules: RuleSet, hand: Hand, to_beat: Optional[Move]) -> List[Move]:
        if next(left, None) is None:
            answer_by(find())
        return reference.legal_moves(rules, hand, to_beat)

    answer_by(Lister(REFERENCE.name, moves, REFERENCE.classify))


def answers() -> str:
    """Names who answers now: ``kernel`` or ``reference``."""
    return answering.name


class _Book(Dict[Hand, Tuple[Tuple[Move, ...], Tuple[Move, ...]]]):
    """The readings of sets of cards under one rule set: the legal ones, and those that it recognises."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, cards: Hand) -> Tuple[Tuple[Move, ...], Tuple[Move, ...]]:
        if len(self) >= _CACHE:
            self.clear()
        self[cards] = readings = (self._read(cards, False), self._read(cards, True))
        return readings

    def beats(self, cards: Hand, to_beat: Hand) -> bool:
        """Checks if any legal reading of *cards* beats any recognised one of *to_beat*, which are some."""
        for other in self[to_beat][1] or (Move(to_beat, UNKNOWN, -1, 0),):
            for move in self[cards][0]:
                if reading_beats(move, other):
                    return True
        return False

    def _read(self, cards: Hand, recognised: bool) -> Tuple[Move, ...]:
        lister = answering
        try:
            return tuple(lister.classify(self.rules, cards, recognised))
        except lister.refuses:
            return tuple(reference.classify(self.rules, cards, recognised))


_books: Dict[int, _Book] = {}


def _book(rules: RuleSet) -> _Book:
    # By identity: to hash a rule set takes longer than to look up the readings. The book keeps the object alive.
    try:
        return _books[id(rules)]
    except KeyError:
        if len(_books) >= _BOOKS:
            _books.clear()
        return _books.setdefault(id(rules), _Book(rules))


# What a set of cards is.


def classify(rules: RuleSet, cards: Hand, recognised: bool = False) -> List[Move]:
    """
    Lists every reading of *cards* as a move, none if they are not a move.

    The legal grammar is asked, or with *recognised* the wider one. No cards at all are the pass.
    """
    return list(_book(rules)[cards][bool(recognised)])


def read_move(rules: RuleSet, cards: Hand) -> Move:
    """Gets the first recognised reading of cards that were played; a move of kind ``unknown`` if there is none."""
    recognised = _book(rules)[cards][1]
    return recognised[0] if recognised else Move(cards, UNKNOWN, -1, 0)


def parse_move(rules: RuleSet, text: str) -> Move:
    """
    Reads ``pass`` or the text form of cards. For example, ``34567`` is a solo chain.

    :raises CardsError: if the text is no cards.
    :raises RulesError: if the cards are not a move that the rule set recognises.
    """
    if text == "pass":
        return PASS
    move = read_move(rules, parse_hand(text))
    if move.kind in (PASS_KIND, UNKNOWN):
        raise RulesError(f"{text!r:.60} is not a move (rules {rules.name})")
    return move


# What beats what.


def beats(rules: RuleSet, cards: Hand, to_beat: Hand) -> bool:
    """
    Checks if playing *cards* is a legal answer to *to_beat*.

    Any legal reading of the one may beat any recognised reading of the other. For example, ``44`` beats
    ``33``, and any bomb beats both. Cards of unknown kind are beaten by bombs and the rocket only.

    :raises RulesError: if *to_beat* has no cards: a pass is nothing to beat.
    """
    # The reference refuses a pass.
    return _book(rules).beats(cards, to_beat) if to_beat else reference.beats(rules, cards, to_beat)


def explain(rules: RuleSet, hand: Hand, cards: Hand, to_beat: Optional[Move] = None) -> Optional[Refusal]:
    """
    Gets why *cards* may not be played from *hand* now, which is one sentence as a text, or None if they may.

    :raises RulesError: if *to_beat* is a pass.
    """
    if not cards:
        if to_beat and to_beat.cards:
            return None
    elif contains(hand, cards) and (beats(rules, cards, to_beat.cards) if to_beat else _book(rules)[cards][0]):
        return None
    return reference.explain(rules, hand, cards, to_beat)


def is_legal(rules: RuleSet, hand: Hand, move: Move, to_beat: Optional[Move]) -> bool:
    """
    Checks that *move* may be played from *hand* now, and that it is a reading of its cards that the rules recognise.

    It is what :func:`explain` and :func:`classify` say together, in a fraction of the time.
    """
    cards = move.cards
    if not cards:
        return to_beat is not None and move == PASS
    if not contains(hand, cards):
        return False
    book = _book(rules)
    legal, recognised = book[cards]
    if move not in recognised:
        return False
    if to_beat is None:
        return bool(legal)
    return book.beats(cards, to_beat.cards)


def played(rules: RuleSet, hands: Sequence[Hand], moves: Sequence[Hand]) -> Optional[List[Move]]:
    """
    Plays *moves* in turn, the first of the three *hands* leads, and gets what :func:`read_move` gets for each.

    None if one is illegal: :func:`explain` would refuse it, or a hand is empty before.
    """
    book = _book(rules)
    left = list(hands)
    seats = len(left)
    plays: List[Move] = []
    table = passes = seat = 0
    for cards in moves:
        if 0 in left:
            return None
        if cards:
            legal, recognised = book[cards]
            if not legal or not contains(left[seat], cards) or (table and not book.beats(cards, table)):
                return None
            left[seat] -= cards
            table, passes = cards, 0
            plays.append(recognised[0])
        elif table:
            plays.append(PASS)
            passes += 1
            if passes == seats - 1:
                table = 0
        else:
            return None
        seat = (seat + 1) % seats
    return plays


# Every legal move.


def legal_moves(rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
    """
    Lists every legal move, each set of cards once, in a fixed order.

    Without *to_beat* the hand leads and must not pass. Otherwise the pass comes first, then the answers of the
    same kind by rank, then bombs, then the rocket. *to_beat* may be of unknown kind.

    :raises RulesError: if *to_beat* is a pass: it does not tell whether the hand leads, or what lies below the pass.
    """
    lister = answering
    try:
        return lister.legal_moves(rules, hand, to_beat)
    except lister.refuses:
        return reference.legal_moves(rules, hand, to_beat)
