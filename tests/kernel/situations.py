"""Seeded situations: a hand and what it must beat, as games under a rule set bring them about, and odder ones."""

import os
import random
from collections.abc import Iterator, Sequence

from ddzbot.cards import RANK_COUNT, UNIT, Hand, count
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.rng import Generator
from ddzbot.rules import (
    ANY,
    BOMB,
    BOTZONE,
    DISTINCT,
    PAIR,
    REPEATED,
    ROCKET,
    RULE_SETS,
    SOLO,
    UNKNOWN,
    Move,
    RuleSet,
    Shape,
    read_move,
)

PAIRS = int(os.environ.get("DDZ_KERNEL_PAIRS", "2000"))
"""How many situations of each rule set the suite compares; DDZ_KERNEL_PAIRS=100000 asks for more."""

NAMES = sorted(RULE_SETS)


def generator_of(word: int) -> Generator:
    """Makes a generator that draws this word first."""
    made, mixed = Generator(0), word * pow(9, -1, 1 << 64) % (1 << 64)
    made.state[1] = (mixed >> 7 | mixed << 57) * pow(5, -1, 1 << 64) % (1 << 64)
    return made


def picking(index: int, count: int) -> Generator:
    """Makes a generator that draws *index* of *count*, from the middle of the words that mean it."""
    return generator_of(((2 * index + 1) << 31) // count << 32)


def picked(kernel: Kernel, rules: RuleSet, hand: Hand, to_beat: Move | None, indices: Sequence[int]) -> list[Move]:
    """Has the kernel draw the legal moves at *indices*; the last of those is that of the last move."""
    count = indices[-1] + 1
    return [kernel.random_move(rules, hand, to_beat, picking(index, count)) for index in indices]


def deck_of(rules: RuleSet) -> list[Hand]:
    """Lists the deck of *rules*, each card as a hand of one."""
    return [UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(rules.deck, rank))]


def loosened(rules: RuleSet) -> RuleSet:
    """Gets rules under which all that *rules* recognises is legal: kickers of every kind."""
    return rules._replace(name=rules.name + "+", legal=rules.recognised)


def random_rules(chance: random.Random) -> RuleSet:
    """Makes up rules of some rows that no platform has, which the kernel may refuse when two rows clash."""
    shapes = [_random_shape(chance) for _ in range(chance.randint(1, 6))]
    others = [_random_shape(chance) for _ in range(3)]
    return BOTZONE._replace(name="random", legal=tuple(shapes), recognised=(*shapes, *others))


def with_solos_and_pairs(rules: RuleSet) -> RuleSet:
    """Gets rules under which every hand can be emptied, whatever else they have."""
    bare = BOTZONE.legal[:2]
    legal = tuple(shape for shape in rules.legal if shape.kind not in (SOLO, PAIR))
    recognised = tuple(shape for shape in rules.recognised if shape.kind not in (SOLO, PAIR))
    return rules._replace(legal=(*bare, *legal), recognised=(*bare, *recognised))


def _random_shape(chance: random.Random) -> Shape:
    kind = chance.choice([kind for kind in range(SOLO, UNKNOWN) if kind not in (BOMB, ROCKET)])
    shortest = chance.choice((1, 1, 1, 2, 2, 3, 5))
    longest = 1 if shortest == 1 else shortest + chance.randrange(4)
    group = chance.choice((1, 2, 3, 3, 3, 4, 4, 4))
    kicker = chance.randrange(3) if group >= 3 else 0
    per_group = chance.randint(1, 2) if kicker else 0
    if chance.random() < 0.1:
        return Shape(BOMB, 4, 1, 1, 0, 0, DISTINCT)
    return Shape(kind, group, shortest, longest, kicker, per_group, chance.choice((DISTINCT, REPEATED, ANY)))


class Situations:
    """
    A stream of situations. Tables come from *kernel*, which is under test: but a wrong table is a table as well.
    """

    def __init__(self, kernel: Kernel, rules: RuleSet, seed: str, most_cards: int = 20) -> None:
        self._kernel = kernel
        self._rules = rules
        self._loose = loosened(rules)
        self._random = random.Random(f"{rules.name}/{seed}")
        self._generator = Generator(self._random.getrandbits(64))
        self._most_cards = min(most_cards, rules.largest_hand)
        self._deck = deck_of(rules)

    def __iter__(self) -> Iterator[tuple[Hand, Move | None]]:
        while True:
            self._random.shuffle(self._deck)
            held = self._random.randint(1, self._most_cards)
            yield sum(self._deck[:held]), self._table(self._deck[held:][: self._rules.largest_hand])

    def _table(self, other: list[Hand]) -> Move | None:
        draw = self._random.random()
        if draw < 0.35 or not other:
            return None
        if draw < 0.75:
            return self._move(self._rules, other)
        if draw < 0.95:
            return self._move(self._loose, other)
        odd = sum(other[: self._random.randint(1, len(other))])
        return read_move(self._rules, odd) if draw < 0.98 else Move(odd, UNKNOWN, -1, 0)

    def _move(self, rules: RuleSet, other: list[Hand]) -> Move:
        move = self._kernel.random_move(rules, sum(other), None, self._generator)
        return read_move(self._rules, move.cards)
