"""
Endgames solved the plain way, and random small ones to solve.

The brute force shares no code with the solver: its moves are the subsets of a hand that the second definition of the
rules accepts (tests/rules/definition.py), and it keeps the winner of every position under that position's full text.
"""

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ddzbot.cards import RANK_COUNT, UNIT, Hand, contains, count, hand_text
from ddzbot.rules import KIND_NAMES, RULE_SETS, SOLO, UNKNOWN, Move, RuleSet, legal_moves, read_move
from ddzbot.search.endgame_position import Endgame
from tests.rules import definition
from tests.rules.definition import Reading

Readings = frozenset[Reading]


class State(NamedTuple):
    """A position as text; on a lead, table and table_seat are empty."""

    hands: tuple[str, ...]
    seat: int
    table: str
    table_seat: int | None


class BruteForce:
    """Solves positions of one rule set and ban; a position is left as soon as one of its moves wins."""

    def __init__(self, rules: str, banned: frozenset[str]) -> None:
        self._rules = rules
        self._banned = banned
        self._winners: dict[State, int] = {}

    def winning_moves(self, state: State) -> set[str]:
        """The moves, as text, with which the side to move wins."""
        side = min(state.seat, 1)
        return {cards or "pass" for cards in self._moves(state) if self._winner(after(state, cards)) == side}

    def _winner(self, state: State) -> int:
        """0 if the landlord wins, 1 if the peasants do."""
        if "" in state.hands:
            return min(state.hands.index(""), 1)
        if state not in self._winners:
            side = min(state.seat, 1)
            wins = any(self._winner(after(state, cards)) == side for cards in self._moves(state))
            self._winners[state] = side if wins else 1 - side
        return self._winners[state]

    def _moves(self, state: State) -> list[str]:
        """All legal moves, the pass as empty text."""
        hand = state.hands[state.seat]
        played = moves_of(self._rules, self._banned, hand)
        if not state.table:
            return list(played)
        theirs = readings_of(self._rules, state.table, True)
        return ["", *(cards for cards, mine in played.items() if definition.answers(mine, theirs))]


def after(state: State, cards: str) -> State:
    following = (state.seat + 1) % len(state.hands)
    if not cards:
        lead = following == state.table_seat
        return State(state.hands, following, "" if lead else state.table, None if lead else state.table_seat)
    left = left_of(state.hands[state.seat], cards)
    hands = (*state.hands[: state.seat], left, *state.hands[state.seat + 1 :])
    return State(hands, following, cards, state.seat)


@functools.cache
def left_of(hand: str, cards: str) -> str:
    return definition.text(Counter(hand) - Counter(cards))


@functools.cache
def readings_of(rules: str, cards: str, recognised: bool) -> Readings:
    return frozenset(definition.readings(rules, Counter(cards), recognised))


@functools.cache
def moves_of(rules: str, banned: frozenset[str], hand: str) -> dict[str, Readings]:
    """Everything that *hand* may lead, with the readings that are not banned."""
    moves = {}
    for cards in definition.subsets(hand):
        written = definition.text(cards)
        allowed = frozenset(reading for reading in readings_of(rules, written, False) if reading.kind not in banned)
        if allowed:
            moves[written] = allowed
    return moves


@functools.cache
def winning_moves(endgame: Endgame) -> set[str]:
    """The winning moves of a position by brute force, as text."""
    banned = frozenset(KIND_NAMES[kind] for kind in endgame.banned)
    table = hand_text(endgame.to_beat.cards) if endgame.to_beat else ""
    hands = tuple(hand_text(hand) for hand in endgame.hands)
    return BruteForce(endgame.rules.name, banned).winning_moves(State(hands, endgame.seat, table, endgame.table_seat))


def winner(endgame: Endgame) -> int:
    """0 if the landlord wins, 1 if the peasants do."""
    return endgame.side if winning_moves(endgame) else 1 - endgame.side


# Random positions. Few ranks with many copies each, so that there are chains, planes and bombs among few cards.


class Sizes(NamedTuple):
    """How many cards a hand has: at least, and at most with two and with three hands."""

    least: int
    most_of_two: int
    most_of_three: int


TINY = Sizes(1, 3, 3)
LITTLE = Sizes(2, 5, 4)
SMALL = Sizes(1, 8, 5)
LARGE = Sizes(4, 12, 8)


def random_endgames(seed: str, sizes: Sizes = SMALL) -> Iterator[Endgame]:
    """Yields endgames of every rule set in turn: two and three hands, leads and follows, with and without a ban."""
    chance = random.Random(f"endgames/{seed}")
    while True:
        for rules in RULE_SETS.values():
            follows, tries = chance.random() < 0.5, chance.choice((1, 10, 30, 30))
            # Where there is nothing to choose there is little to find out.
            for _ in range(tries):
                endgame = random_endgame(chance, rules, sizes, follows)
                if len(endgame.legal_moves()) > 1:
                    break
            yield endgame


def random_endgame(chance: random.Random, rules: RuleSet, sizes: Sizes, follows: bool) -> Endgame:
    seats = chance.choice((2, 3))
    most = sizes.most_of_two if seats == 2 else sizes.most_of_three
    lengths = [chance.randint(sizes.least, most) for _ in range(seats)]
    cards = chance.choice(CARDS)(chance, rules)
    chance.shuffle(cards)
    hands = [sum(cards.pop() for _ in range(min(each, len(cards) // seats, rules.largest_hand))) for each in lengths]
    seat, behind = chance.randrange(seats), chance.randint(1, seats - 1)
    endgame = Endgame(rules, tuple(hands), seat, None, None, random_ban(chance))
    if not follows:
        return endgame
    return endgame._replace(to_beat=random_table(chance, rules, sum(hands)), table_seat=(seat - behind) % seats)


def random_table(chance: random.Random, rules: RuleSet, held: Hand) -> Move:
    """Chooses a move, of a kind chosen first, out of some neighbouring ranks and others, of which *held* are gone."""
    lowest = chance.randint(6 if rules.name == "mini" else 0, 9)
    near = _deck(rules, range(lowest, lowest + chance.randint(3, 6)))
    far = chance.sample(_deck(rules, range(RANK_COUNT)), 4)
    cards = 0
    for card in chance.sample(near, min(len(near), 10)) + far:
        if contains(rules.deck, held + cards + card):
            cards += card
    by_kind: dict[int, list[Move]] = {}
    for move in legal_moves(rules, cards):
        by_kind.setdefault(move.kind, []).append(move)
    return chance.choice(by_kind[chance.choice(sorted(by_kind))])


def random_ban(chance: random.Random) -> frozenset[int]:
    if chance.random() < 0.6:
        return frozenset()
    return frozenset(chance.sample(range(SOLO + 1, UNKNOWN), chance.randint(1, 3)))


def _deck(rules: RuleSet, ranks: range | list[int]) -> list[Hand]:
    return [UNIT[rank] for rank in ranks for _ in range(count(rules.deck, rank))]


def _any_cards(chance: random.Random, rules: RuleSet) -> list[Hand]:
    return _deck(rules, range(RANK_COUNT))


def _neighbours(chance: random.Random, rules: RuleSet) -> list[Hand]:
    lowest = chance.randint(0, 9)
    cards = _deck(rules, range(lowest, min(lowest + 7, RANK_COUNT)))
    return cards if len(cards) >= 20 else _any_cards(chance, rules)


def _few_ranks(chance: random.Random, rules: RuleSet) -> list[Hand]:
    lowest = chance.randint(6 if rules.name == "mini" else 0, 9)
    return _deck(rules, [*range(lowest, lowest + 3), *chance.sample(range(12, RANK_COUNT), 2)])


def _high_cards(chance: random.Random, rules: RuleSet) -> list[Hand]:
    return _deck(rules, range(7, RANK_COUNT))


CARDS: tuple[Callable[[random.Random, RuleSet], list[Hand]], ...] = (_any_cards, _neighbours, _few_ranks, _high_cards)


def lookalikes(seed: str) -> Iterator[tuple[Endgame, Endgame]]:
    """Yields pairs of endgames that differ in the names of ranks, the move on the table, or whose turn it is."""
    chance = random.Random(f"lookalikes/{seed}")
    for position in random_endgames(seed, LITTLE):
        lookalike = chance.choice((_renamed, _renamed, _with_other_table, _with_other_seats))(chance, position)
        if lookalike != position and lookalike.fault() is None:
            yield position, lookalike


def _with_other_table(chance: random.Random, endgame: Endgame) -> Endgame:
    if endgame.to_beat is None:
        return endgame
    return endgame._replace(to_beat=random_table(chance, endgame.rules, sum(endgame.hands)))


def _with_other_seats(chance: random.Random, endgame: Endgame) -> Endgame:
    seats = range(len(endgame.hands))
    table_seat = None if endgame.to_beat is None else chance.choice(seats)
    return endgame._replace(seat=chance.choice(seats), table_seat=table_seat)


def _renamed(chance: random.Random, endgame: Endgame) -> Endgame:
    """Gives other ranks to the cards, in the same order."""
    everything = [*endgame.hands, endgame.to_beat.cards if endgame.to_beat else 0]
    before = [rank for rank in range(RANK_COUNT) if any(count(cards, rank) for cards in everything)]
    names = dict(zip(before, sorted(chance.sample(range(RANK_COUNT), len(before))), strict=True))
    *hands, table = (sum(count(cards, rank) * UNIT[names[rank]] for rank in before) for cards in everything)
    to_beat = read_move(endgame.rules, table) if table else None
    if to_beat is not None and to_beat.kind == UNKNOWN:
        return endgame
    return endgame._replace(hands=tuple(hands), to_beat=to_beat)
