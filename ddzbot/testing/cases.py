"""Cases to ask about: random ones from a seed, rich in what programs get wrong, and smaller ones than a given one."""

from random import Random
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from ddzbot.cards import (
    ACE,
    LITTLE_JOKER,
    RANK_COUNT,
    ROCKET_CARDS,
    UNIT,
    Hand,
    contains,
    count,
    hand_text,
    parse_hand,
    size,
)
from ddzbot.rules import LOOSEST, Move, RuleSet, classify, read_move
from ddzbot.testing.bodies import Body, bodies

_NAMED = "3,33,333,LB,34567,334455,333444,3334,33344,3333,33334444,333345,33334455,33344456,3334445566"
_EXTRA = (0, 0, 0, 1, 1, 2, 3, 5)


class Case(NamedTuple):
    """A hand, or some cards, and the cards that lie on the table; None on a lead."""

    hand: Hand
    to_beat: Optional[Hand] = None

    def move_to_beat(self, rules: RuleSet) -> Optional[Move]:
        """Reads what lies on the table."""
        return None if self.to_beat is None else read_move(rules, self.to_beat)

    @property
    def order(self) -> Tuple[int, bool, int, Hand, Hand]:
        """Compares cases: the smaller has fewer cards, or leads, or has lower ones."""
        table = self.to_beat or 0
        weight = sum(rank * (count(self.hand, rank) + count(table, rank)) for rank in range(RANK_COUNT))
        return size(self.hand) + size(table), self.to_beat is not None, weight, self.hand, table


def parse_case(hand: str, to_beat: str) -> Case:
    """
    Reads a case from texts; no cards to beat are a lead.

    :raises CardsError: for a text that is no cards.
    """
    return Case(parse_hand(hand), parse_hand(to_beat) if to_beat else None)


class Cases:
    """Random cases under one rule set, the same for the same seed."""

    def __init__(self, rules: RuleSet, seed: int) -> None:
        self._rules = rules
        self._random = Random(f"{rules.name} {seed}")
        most = rules.largest_hand
        self._loose = [group for group in (bodies(shape, rules.deck, most) for shape in LOOSEST) if group]
        tables = [group for group in (bodies(shape, rules.deck, most) for shape in rules.recognised) if group]
        # Programs go wrong where kickers look like a body, which takes a plane or a shuttle on both sides.
        self._tables = [group for group in tables for _ in range(1 + 2 * (group[-1].number > 2))]
        self._answers: Dict[Tuple[int, int, int], List[Body]] = {}
        for group in tables:
            for body in group:
                self._answers.setdefault((body.shape.kind, body.length, body.shape.per_group), []).append(body)

    def hands(self) -> Iterator[Case]:
        """Yields hands that lead or follow; two in three follow."""
        while True:
            if self._random.random() < 0.35:
                hand = self._cards(self._rules.deck)
                yield Case(self._more(hand, self._rules.deck))
            else:
                yield self._follow(with_more=True)

    def sets(self) -> Iterator[Case]:
        """Yields sets of cards: moves of some platform, and what is nearly one."""
        while True:
            yield Case(self._cards(self._rules.deck))

    def pairs(self) -> Iterator[Case]:
        """Yields cards, and cards on the table that they may beat or not."""
        while True:
            yield self._follow(with_more=False)

    def _follow(self, with_more: bool) -> Case:
        chosen = self._random.choice(self._random.choice(self._tables))
        table = self._played(chosen) if self._random.random() < 0.97 else ROCKET_CARDS
        deck = self._rules.deck - table
        similar = self._answers[chosen.shape.kind, chosen.length, chosen.shape.per_group]
        fitting = [body for body in similar if contains(deck, body.cards)]
        body = self._random.choice(fitting).within(deck) if fitting and self._random.random() < 0.6 else None
        hand = self._played(body) if body else self._cards(deck)
        return Case(self._more(hand, deck) if with_more else hand, table)

    def _cards(self, deck: Hand) -> Hand:
        """Draws cards from *deck* that are a move on some platform, perhaps with a card exchanged, or a bare chain."""
        for _ in range(20):
            if self._random.random() < 0.12:
                cards = self._row()
            else:
                cards = self._played(self._random.choice(self._random.choice(self._loose)))
                if self._random.random() < 0.15:
                    cards = self._exchanged(cards)
            if contains(deck, cards) and 0 < size(cards) <= self._rules.largest_hand:
                return cards
        return next(UNIT[rank] for rank in range(RANK_COUNT) if count(deck, rank))

    def _played(self, body: Body) -> Hand:
        """Draws kickers for a body; every other time few ranks first, so that they repeat or are jokers."""
        kickers = self._random.sample(body.kickers, len(body.kickers))
        if self._random.random() < 0.5:
            few = [13, 14]
            if self._random.random() < 0.8:
                few = self._random.sample(range(RANK_COUNT), self._random.randint(1, 3))
            kickers.sort(key=lambda one: not any(count(one, rank) for rank in few))
        return body.cards + sum(kickers[: body.number])

    def _row(self) -> Hand:
        """Draws ranks in a row, each as often, wherever they end."""
        copies, length = self._random.randint(1, 4), self._random.randint(1, 6)
        if self._random.random() < 0.3:
            return copies * UNIT[self._random.randrange(13)] + ROCKET_CARDS * self._random.randint(0, 1)
        length = max(length, {1: 4, 2: 2, 3: 2, 4: 2}[copies])
        lowest = self._random.randint(0, RANK_COUNT - length)
        return copies * sum(UNIT[lowest : lowest + length])

    def _exchanged(self, cards: Hand) -> Hand:
        out = self._random.choice([rank for rank in range(RANK_COUNT) if count(cards, rank)])
        spare = self._rules.deck - cards if contains(self._rules.deck, cards) else 0
        there = [rank for rank in range(RANK_COUNT) if count(spare, rank)]
        return cards - UNIT[out] + (UNIT[self._random.choice(there)] if there else 0)

    def _more(self, hand: Hand, deck: Hand) -> Hand:
        """Adds some cards, now and then many."""
        room = self._rules.largest_hand - size(hand)
        extra = room if self._random.random() < 0.03 else self._random.choice(_EXTRA)
        ranks = [rank for rank in range(RANK_COUNT) for _ in range(count(deck - hand, rank))]
        return hand + sum(UNIT[rank] for rank in self._random.sample(ranks, min(extra, room, len(ranks))))


def smaller(rules: RuleSet, case: Case, with_leads: bool) -> Iterator[Case]:
    """Yields cases that are smaller than *case*: as a lead, with another table, without cards, with lower cards."""
    for changed in _changed(rules, case, with_leads):
        if changed.hand and changed.order < case.order and _is_possible(rules, changed):
            yield changed


def _is_possible(rules: RuleSet, case: Case) -> bool:
    if not contains(rules.deck, case.hand):
        return False
    if case.to_beat is None:
        return True
    table = case.to_beat
    return bool(table and contains(rules.deck - case.hand, table) and classify(rules, table, recognised=True))


def _changed(rules: RuleSet, case: Case, with_leads: bool) -> Iterator[Case]:
    hand, table = case.hand, case.to_beat
    if table is not None:
        if with_leads:
            yield Case(hand)
        for simple in _simple(rules):
            yield Case(hand, simple)
    held = [rank for rank in range(RANK_COUNT) if count(hand, rank)]
    for rank in held:
        yield Case(hand - count(hand, rank) * UNIT[rank], table)
    for rank in held:
        yield Case(hand - UNIT[rank], table)
    yield from _lowered(hand, table)
    if table:
        for simple in _simple(rules):
            for lead in _simple(rules):
                yield Case(lead, simple)
                if lead < UNIT[ACE]:
                    yield Case(lead << 4, simple)


def _lowered(hand: Hand, table: Optional[Hand]) -> Iterator[Case]:
    """Moves all cards down by a rank, and exchanges a rank for a lower one, in the hand alone or on the table too."""
    if hand < UNIT[LITTLE_JOKER]:
        yield Case(hand >> 4, table)
        yield Case(hand >> 4, table and table >> 4)
    for high in reversed(range(1, RANK_COUNT)):
        for low in range(high):
            yield Case(_swapped(hand, high, low), table)
            if table:
                yield Case(_swapped(hand, high, low), _swapped(table, high, low))


def _simple(rules: RuleSet) -> List[Hand]:
    """Lists the lowest move of most kinds, as the deck has it."""
    lowest = next(rank for rank in range(RANK_COUNT) if count(rules.deck, rank))
    cards = [parse_hand(shown) for shown in _NAMED.split(",")]
    return [move if move == ROCKET_CARDS else move << 4 * lowest for move in cards]


def _swapped(hand: Hand, high: int, low: int) -> Hand:
    surplus = count(hand, high) - count(hand, low)
    return hand - surplus * UNIT[high] + surplus * UNIT[low]


def text_of(case: Case) -> str:
    """Names a case in a sentence: ``hand 334 on 33``."""
    table = "leads" if case.to_beat is None else f"on {hand_text(case.to_beat)}"
    return f"hand {hand_text(case.hand)} {table}"
