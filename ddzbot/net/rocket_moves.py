"""
Main moves: what the policy network of DeepRocket chooses from, and how kickers complete them.

A *main move* is a move without its kickers: the kind, the lowest rank of the body, and the length. There are 309 of
them, each with an *output* of the network: the pass, 15 solos, 13 pairs, trios, trios with a solo, trios with a pair,
quads with two solos, quads with two pairs and bombs each, 36 solo chains, 52 pair chains, 45 planes, 38 planes with
solos, 30 planes with pairs, and the rocket.

Shuttles have no output of their own: each shares that of the plane with the same rank, length and kind of kicker. On a
follow only one of the two can be meant; a lead that could be both is the one with more cards, the shuttle.
"""

from functools import lru_cache
from typing import Dict, List, NamedTuple, Optional, Tuple

from ddzbot.cards import ACE, BIG_JOKER, LITTLE_JOKER, ROCKET_CARDS, TWO, UNIT, Hand, contains, counts, size
from ddzbot.rules import (
    BOMB,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    PAIR,
    PAIR_CHAIN,
    PASS,
    PASS_KIND,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    ROCKET,
    SHUTTLE,
    SHUTTLE_PAIR,
    SHUTTLE_SOLO,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_PAIR,
    TRIO_SOLO,
    Move,
    RuleSet,
    Shape,
    classify,
    kicker_choice,
    reading_beats,
)

_LENGTHS = (
    (SOLO, 1, 1, BIG_JOKER),
    (PAIR, 1, 1, TWO),
    (TRIO, 1, 1, TWO),
    (TRIO_SOLO, 1, 1, TWO),
    (TRIO_PAIR, 1, 1, TWO),
    (SOLO_CHAIN, 5, 12, ACE),
    (PAIR_CHAIN, 3, 10, ACE),
    (PLANE, 2, 6, ACE),
    (PLANE_SOLO, 2, 5, ACE),
    (PLANE_PAIR, 2, 4, ACE),
    (FOUR_TWO_SOLO, 1, 1, TWO),
    (FOUR_TWO_PAIR, 1, 1, TWO),
    (BOMB, 1, 1, TWO),
)
"""Of each kind the shortest and longest body that 20 cards can have, and its highest rank."""

OUTPUTS: Tuple[Tuple[int, int, int], ...] = (
    (PASS_KIND, -1, 0),
    *(
        (kind, rank, length)
        for kind, shortest, longest, top in _LENGTHS
        for length in range(shortest, longest + 1)
        for rank in range(top - length + 2)
    ),
    (ROCKET, LITTLE_JOKER, 1),
)
"""Kind, rank and length of each output of the policy network."""

_SHARED = {SHUTTLE: PLANE, SHUTTLE_SOLO: PLANE_SOLO, SHUTTLE_PAIR: PLANE_PAIR}
_NUMBERS: Dict[Tuple[int, int, int], int] = {output: number for number, output in enumerate(OUTPUTS)}

KICKERS = BIG_JOKER + 1 + TWO + 1
"""The outputs of the kicker network: a solo of each rank, then a pair of each rank that can have one."""
FIRST_PAIR = BIG_JOKER + 1
"""The kicker network's output of the lowest pair."""


def output_of(move: Move) -> int:
    """
    Gets the output of a move's main move. For example, ``333`` and ``4`` have that of every trio of 3s with a solo.

    :raises KeyError: for a move of unknown kind.
    """
    return _NUMBERS[_SHARED.get(move.kind, move.kind), move.rank, move.length]


class MainMove(NamedTuple):
    """A main move of a rule set."""

    output: int
    kind: int
    rank: int
    length: int
    body: Hand
    kickers: int
    """The number of its kickers."""
    shape: Optional[Shape]
    """None for the pass and the rocket."""
    size: int
    """Cards with all kickers."""

    def choice(self, hand: Hand) -> List[Hand]:
        """Lists the kickers in *hand* that may go with the body, each as often as it may be played."""
        if self.shape is None or not self.kickers:
            return []
        return kicker_choice(self.shape, hand - self.body, self.body)

    @property
    def takes_pairs(self) -> bool:
        """Whether the kickers are pairs."""
        return self.shape is not None and self.shape.kicker == 2


_PASS = MainMove(0, PASS_KIND, -1, 0, 0, 0, None, 0)
_ROCKET = MainMove(len(OUTPUTS) - 1, ROCKET, LITTLE_JOKER, 1, ROCKET_CARDS, 0, None, 2)


@lru_cache(maxsize=None)
def all_main_moves(rules: RuleSet) -> Tuple[MainMove, ...]:
    """Lists every main move that *rules* allow, without the pass."""
    mains = []
    for shape in rules.legal:
        longest = min(shape.max_length, rules.largest_hand // shape.cards_per_rank)
        for length in range(shape.min_length, longest + 1):
            for rank in range(shape.top_rank - length + 2):
                body = shape.body(rank, length)
                output = _NUMBERS[_SHARED.get(shape.kind, shape.kind), rank, length]
                size = length * shape.cards_per_rank
                mains.append(MainMove(output, shape.kind, rank, length, body, length * shape.per_group, shape, size))
    return (*mains, _ROCKET)


def leads(rules: RuleSet, hand: Hand) -> List[MainMove]:
    """Lists the main moves that *hand* could lead, with enough kickers in it."""
    return [
        main
        for main in all_main_moves(rules)
        if contains(hand, main.body) and (not main.kickers or len(main.choice(hand)) >= main.kickers)
    ]


def playable(rules: RuleSet, found: List[MainMove], to_beat: Optional[Move]) -> List[MainMove]:
    """
    Keeps those of a hand's :func:`leads` that can be played now, with the pass on a follow.

    Every set of cards that is a legal move completes one of them, and every completion is a legal move.
    """
    if to_beat is None:
        return found
    others = classify(rules, to_beat.cards, recognised=True)
    mains = [_PASS]
    for main in found:
        if main.kind == ROCKET:
            beats = to_beat.kind != ROCKET
        elif main.kind == BOMB and to_beat.kind not in (BOMB, ROCKET):
            beats = True
        else:
            beats = main.size == to_beat.size and any(
                main.kind == reading.kind and main.length == reading.length and main.rank > reading.rank
                for reading in others
            )
        if beats:
            mains.append(main)
    return mains


def by_output(mains: List[MainMove]) -> Dict[int, MainMove]:
    """Gets the main move that each output stands for: of a plane and a shuttle the one with more cards."""
    largest: Dict[int, MainMove] = {}
    for main in mains:
        if main.output not in largest or main.size > largest[main.output].size:
            largest[main.output] = main
    return largest


def kicker_output(kicker: Hand) -> int:
    """Gets the kicker network's output of a solo or a pair."""
    rank, copies = next((rank, copies) for rank, copies in enumerate(counts(kicker)) if copies)
    return rank if copies == 1 else FIRST_PAIR + rank


def kickers_of(move: Move, main: MainMove) -> List[Hand]:
    """Lists the kickers of a move that completes *main*, the lowest first."""
    unit = 2 if main.takes_pairs else 1
    spare = counts(move.cards - main.body)
    return [UNIT[rank] * unit for rank, copies in enumerate(spare) for _ in range(copies // unit)]


def completed(rules: RuleSet, main: MainMove, kickers: List[Hand], to_beat: Optional[Move]) -> Move:
    """Gets the legal move that *main* and so many *kickers* are, in the reading that the rules name first."""
    cards = main.body + sum(kickers)
    if not cards:
        return PASS
    readings = classify(rules, cards)
    if to_beat is None:
        return readings[0]
    others = classify(rules, to_beat.cards, recognised=True)
    # Cards without a reading are beaten by bombs and the rocket, which have one reading.
    beating = [reading for reading in readings if any(reading_beats(reading, beaten) for beaten in others)]
    return (beating or readings)[0]


def going_out(mains: List[MainMove], hand: Hand) -> Optional[MainMove]:
    """Gets the main move that plays the whole hand, or None."""
    whole = size(hand)
    return next((main for main in mains if main.size == whole), None)
