"""
Moves: kinds, the shapes of a grammar, and every reading of a set of cards.

A grammar is a tuple of :class:`Shape` objects, and a shape is a row of numbers: how often the body holds each rank, how
long its chain is, and which kickers go with it. :mod:`ddzbot.rule_sets` has the grammars of the platforms.
"""

from typing import Iterator, List, NamedTuple, Tuple

from ddzbot.cards import (
    ACE,
    BIG_JOKER,
    LITTLE_JOKER,
    RANK_COUNT,
    RANKS,
    ROCKET_CARDS,
    TWO,
    UNIT,
    Hand,
    contains,
    count,
    hand_text,
    parse_hand,
    size,
)
from ddzbot.readable import described, typed_back

KIND_NAMES = (
    "pass",
    "solo",
    "pair",
    "trio",
    "trio_solo",
    "trio_pair",
    "solo_chain",
    "pair_chain",
    "plane",
    "plane_solo",
    "plane_pair",
    "four_two_solo",
    "four_two_pair",
    "bomb",
    "rocket",
    "shuttle",
    "shuttle_solo",
    "shuttle_pair",
    "unknown",
)
"""The name of each kind of move; a kind is an index into this tuple."""

(
    PASS_KIND,
    SOLO,
    PAIR,
    TRIO,
    TRIO_SOLO,
    TRIO_PAIR,
    SOLO_CHAIN,
    PAIR_CHAIN,
    PLANE,
    PLANE_SOLO,
    PLANE_PAIR,
    FOUR_TWO_SOLO,
    FOUR_TWO_PAIR,
    BOMB,
    ROCKET,
    SHUTTLE,
    SHUTTLE_SOLO,
    SHUTTLE_PAIR,
    UNKNOWN,
) = range(len(KIND_NAMES))


class RulesError(ValueError):
    """Raised for a move or a rule set that cannot be understood; the message is one sentence that names it."""


@described(
    cards="All its cards, kickers too; 0 for the pass.",
    kind="What it is: a constant such as ``BOMB``, and an index into ``KIND_NAMES``.",
    rank="The lowest rank of the body, an index into ``RANKS``; -1 for the pass and for moves of unknown kind.",
    length="The number of ranks in the body: 1 without a chain, 0 for the pass and for unknown kinds.",
)
class Move(NamedTuple):
    """One reading of a set of cards played at once, or the pass."""

    cards: Hand
    kind: int
    rank: int
    length: int

    @property
    def size(self) -> int:
        """The number of cards played."""
        return size(self.cards)

    @property
    def is_pass(self) -> bool:
        """Whether this is the pass."""
        return not self.cards

    @classmethod
    def from_text(cls, text: str) -> "Move":
        """
        Reads ``pass`` or cards, as the first kind of move that they could be on any platform.

        The kind and then the lowest rank of the body may follow where cards can be read in several ways, as in
        ``333444555666:plane_solo`` and ``333444555666777:plane_solo:4``.

        :raises CardsError: if the text is no cards.
        :raises RulesError: if the cards are no move of that kind and rank.
        """
        return move_of_text(text, LOOSEST)

    def __str__(self) -> str:
        return hand_text(self.cards) or "pass"

    def __repr__(self) -> str:
        return typed_back(self, lambda: {"text": text_of_move(self, LOOSEST)})


PASS = Move(0, PASS_KIND, -1, 0)
"""The move that plays no card."""

DISTINCT = 0
"""Kicker rule: every kicker has a rank of its own, and none of them occurs in the body."""
REPEATED = 1
"""Kicker rule: kickers may share a rank, but none of them occurs in the body."""
ANY = 2
"""Kicker rule: any cards."""


class Shape(NamedTuple):
    """One kind of move as numbers: a body of equal groups in consecutive ranks, and its kickers."""

    kind: int
    group: int
    """The number of cards of each body rank: 1 to 4."""
    min_length: int
    max_length: int
    """The number of consecutive body ranks; both are 1 when the kind has no chain."""
    kicker: int
    """Cards of one kicker: 0 (there are none), 1 (solo) or 2 (pair)."""
    per_group: int
    """Kickers for each body rank."""
    kicker_rule: int

    @property
    def cards_per_rank(self) -> int:
        """The number of cards, kickers included, for each rank of a move's body."""
        return self.group + self.kicker * self.per_group

    @property
    def top_rank(self) -> int:
        """The highest rank a body may hold: no 2 in a chain, no joker in a group."""
        if self.max_length > 1:
            return ACE
        return BIG_JOKER if self.group == 1 else TWO

    def length_for(self, cards: int) -> int:
        """Gets the chain length at which this shape has that many cards, or 0 if there is none."""
        length, over = divmod(cards, self.cards_per_rank)
        return length if over == 0 and self.min_length <= length <= self.max_length else 0

    def body(self, rank: int, length: int) -> Hand:
        """Gets the cards of a body of so many ranks from *rank* on."""
        return _RUN[length] * self.group << (4 * rank)


_RUN = tuple(sum(UNIT[:length]) for length in range(RANK_COUNT + 1))


def grammar(
    kicker_rule: int,
    pair_rule: int,
    shuttles: bool,
    shuttle_solos: Tuple[int, ...],
    shuttle_pairs: Tuple[int, ...],
) -> Tuple[Shape, ...]:
    """
    Makes a grammar: the kinds that all platforms have, and with *shuttles* those of several quads.

    The rules are for the solo and the pair kickers of planes and quads; the last two say how many kickers each quad of
    a shuttle may have.
    """
    shapes = [
        Shape(SOLO, 1, 1, 1, 0, 0, DISTINCT),
        Shape(PAIR, 2, 1, 1, 0, 0, DISTINCT),
        Shape(TRIO, 3, 1, 1, 0, 0, DISTINCT),
        Shape(TRIO_SOLO, 3, 1, 1, 1, 1, DISTINCT),
        Shape(TRIO_PAIR, 3, 1, 1, 2, 1, DISTINCT),
        Shape(SOLO_CHAIN, 1, 5, 12, 0, 0, DISTINCT),
        Shape(PAIR_CHAIN, 2, 3, 12, 0, 0, DISTINCT),
        Shape(PLANE, 3, 2, 12, 0, 0, DISTINCT),
        Shape(PLANE_SOLO, 3, 2, 12, 1, 1, kicker_rule),
        Shape(PLANE_PAIR, 3, 2, 12, 2, 1, pair_rule),
        Shape(FOUR_TWO_SOLO, 4, 1, 1, 1, 2, kicker_rule),
        Shape(FOUR_TWO_PAIR, 4, 1, 1, 2, 2, pair_rule),
        Shape(BOMB, 4, 1, 1, 0, 0, DISTINCT),
    ]
    if shuttles:
        shapes.append(Shape(SHUTTLE, 4, 2, 12, 0, 0, DISTINCT))
    shapes += [Shape(SHUTTLE_SOLO, 4, 2, 12, 1, each, kicker_rule) for each in shuttle_solos]
    shapes += [Shape(SHUTTLE_PAIR, 4, 2, 12, 2, each, pair_rule) for each in shuttle_pairs]
    return tuple(shapes)


LOOSEST = grammar(ANY, REPEATED, True, (1, 2), (1, 2))
"""What could be meant at all: it names what a refused set of cards looks like."""


def readings(shapes: Tuple[Shape, ...], cards: Hand) -> List[Move]:
    """Lists every reading of *cards* as a move of that grammar, none if they are not one; no cards are the pass."""
    if not cards:
        return [PASS]
    if cards == ROCKET_CARDS:
        return [Move(cards, ROCKET, LITTLE_JOKER, 1)]
    total = size(cards)
    moves = []
    for shape in shapes:
        length = shape.length_for(total)
        if length:
            for rank in range(shape.top_rank - length + 2):
                body = shape.body(rank, length)
                if contains(cards, body) and _are_kickers(shape, cards - body, body):
                    moves.append(Move(cards, shape.kind, rank, length))
    return moves


def _are_kickers(shape: Shape, rest: Hand, body: Hand) -> bool:
    """Checks the kicker rule alone: that the number of cards is right follows from the length."""
    for rank in range(RANK_COUNT):
        held = count(rest, rank)
        if not held:
            continue
        if held % shape.kicker or (shape.kicker_rule == DISTINCT and held != shape.kicker):
            return False
        if shape.kicker_rule != ANY and count(body, rank):
            return False
    return True


# A move as text.


def move_of_text(text: str, shapes: Tuple[Shape, ...]) -> Move:
    """
    Reads a move as :meth:`Move.from_text` does, but as the first kind that it is in that grammar.

    :raises CardsError: if the text is no cards.
    :raises RulesError: if the cards are no move of that kind and rank.
    """
    written, *names = str.split(text, ":")
    cards = parse_hand("" if written == "pass" else written)
    if cards or written == "pass":
        for move in _ways_to_read(cards, shapes, bool(names)):
            if _names(move)[: len(names)] == names:
                return move
    raise RulesError(f"{text!r:.60} is not a move")


def text_of_move(move: Move, shapes: Tuple[Shape, ...]) -> str:
    """
    Writes the shortest text that :func:`move_of_text` reads as *move*.

    :raises ValueError: for a move that no text means.
    """
    names = [str(move), *_names(move)]
    for parts in range(1, len(names) + 1):
        shortened = ":".join(names[:parts])
        if move_of_text(shortened, shapes) == move:
            return shortened
    raise RulesError(f"{move} has no such kind, rank and length")


def _ways_to_read(cards: Hand, shapes: Tuple[Shape, ...], of_others: bool) -> Iterator[Move]:
    """Yields the readings in a grammar, with *of_others* those of any platform too, and the unknown kind."""
    unknown = Move(cards, UNKNOWN, -1, 0)
    own = readings(shapes, cards)
    yield from own if own or of_others else [unknown]
    if of_others:
        yield from readings(LOOSEST, cards)
        yield unknown


def _names(move: Move) -> List[str]:
    return [KIND_NAMES[move.kind], RANKS[move.rank]] if move.rank >= 0 else [KIND_NAMES[move.kind]]


def plays_of_text(text: str, shapes: Tuple[Shape, ...]) -> Tuple[Move, ...]:
    """Reads moves with blanks between them, each as :func:`move_of_text` does."""
    return tuple(move_of_text(word, shapes) for word in str.split(text))


def text_of_plays(plays: Tuple[Move, ...], shapes: Tuple[Shape, ...]) -> str:
    """Writes moves with blanks between them, the inverse of :func:`plays_of_text`."""
    return " ".join(text_of_move(move, shapes) for move in plays)
