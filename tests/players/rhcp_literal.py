"""
RHCP once more, slowly: each sentence of its description as a loop, to judge the fast player by.

A hand is a list of 15 counts, and ranks are the numbers of the description: 3 to 13 are ``3`` to ``K``, 14 the ace,
15 the two, 16 and 17 the jokers. Nothing here comes from the player or from the rules of the project.

* A group's main rank is the rank of its body, the highest one of a chain. Its points are main - 10 for a single, pair,
  triple, and triple with one or two; main - 9 for a straight and a pair chain; (main - 2) // 2 for a triple chain,
  with kickers or without; (main - 3) // 2 for the two kinds of four with two; main + 4 for a bomb; 20 for the rocket.
* Chains end at the ace: straights of five or more, pair chains of three or more, triple chains of two or more.
* An airplane has as many kickers as triples, each a rank of its own held exactly once (or exactly twice).
* The value of a hand is (sum of points, rounds): nothing for no cards, and one round for one group other than the fours
  with two. Any other hand leads, and its value is the points of the lead and one round more than the rest.
* Hands are compared by sum - 7 * rounds, and among equals the last one tried wins.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from typing import NamedTuple

SMALL_JOKER, BIG_JOKER = 16, 17
RANKS = range(3, 18)
ACE, TWO = 14, 15
FOURS = ("four+2", "four+2 pairs")

Counts = list[int]
Cards = list[int]
"""The ranks of some cards, one entry a card."""


class Group(NamedTuple):
    """What a set of cards is."""

    kind: str
    main: int
    size: int
    points: int


class Value(NamedTuple):
    """The value of a hand; how good it is decides every comparison."""

    points: int
    rounds: int

    @property
    def score(self) -> int:
        return self.points - 7 * self.rounds


def held(hand: Counts, rank: int) -> int:
    return hand[rank - 3]


def ranks_held(hand: Counts, times: int) -> list[int]:
    """The ranks held exactly so many times, ascending."""
    return [rank for rank, copies in zip(RANKS, hand, strict=True) if copies == times]


def minus(hand: Counts, cards: Cards) -> Counts:
    left = list(hand)
    for rank in cards:
        left[rank - 3] -= 1
    assert min(left) >= 0
    return left


def whole(hand: Counts) -> Cards:
    return [rank for rank in RANKS for _ in range(held(hand, rank))]


# What a set of cards is.


def is_chain(ranks: list[int], shortest: int) -> bool:
    return len(ranks) >= shortest and ranks[-1] - ranks[0] == len(ranks) - 1 and ranks[-1] <= ACE


def recognise(hand: Counts) -> Group | None:
    """Names the group that all cards of *hand* are together, if they are one."""
    held_times = [ranks_held(hand, times) for times in range(5)]
    reading = one_rank(held_times) or one_body(held_times) or plain_chain(held_times) or airplane(held_times)
    if reading is None:
        return None
    kind, main, points = reading
    return Group(kind, main, sum(hand), points)


def one_rank(held_times: list[list[int]]) -> tuple[str, int, int] | None:
    singles, pairs, triples, fours = held_times[1:]
    if [singles, pairs, triples, fours] == [[SMALL_JOKER, BIG_JOKER], [], [], []]:
        return "rocket", BIG_JOKER, 20
    if len(singles + pairs + triples + fours) != 1:
        return None
    if fours:
        return "bomb", fours[0], fours[0] + 4
    for kind, ranks in (("single", singles), ("pair", pairs), ("triple", triples)):
        if ranks:
            return kind, ranks[0], ranks[0] - 10
    return None


def one_body(held_times: list[list[int]]) -> tuple[str, int, int] | None:
    singles, pairs, triples, fours = held_times[1:]
    shape = len(singles), len(pairs), len(triples), len(fours)
    if shape == (1, 0, 1, 0):
        return "triple+1", triples[0], triples[0] - 10
    if shape == (0, 1, 1, 0):
        return "triple+2", triples[0], triples[0] - 10
    if shape in ((2, 0, 0, 1), (0, 1, 0, 1)):
        return "four+2", fours[0], (fours[0] - 3) // 2
    if shape == (0, 2, 0, 1):
        return "four+2 pairs", fours[0], (fours[0] - 3) // 2
    return None


def plain_chain(held_times: list[list[int]]) -> tuple[str, int, int] | None:
    for kind, times, shortest in (("straight", 1, 5), ("pair chain", 2, 3), ("triple chain", 3, 2)):
        ranks = held_times[times]
        nothing_else = len(held_times[0]) + len(ranks) == len(RANKS)
        if nothing_else and is_chain(ranks, shortest):
            return kind, ranks[-1], (ranks[-1] - 2) // 2 if times == 3 else ranks[-1] - 9
    return None


def airplane(held_times: list[list[int]]) -> tuple[str, int, int] | None:
    triples = held_times[3]
    for kind, times in (("airplane+singles", 1), ("airplane+pairs", 2)):
        kickers = held_times[times]
        nothing_else = len(held_times[0]) + len(triples) + len(kickers) == len(RANKS)
        if nothing_else and len(kickers) == len(triples) and is_chain(triples, 2):
            return kind, triples[-1], (triples[-1] - 2) // 2
    return None


# The value of a hand and the lead, which need each other.


class Rhcp:
    """The program; *remember* keeps the values found, which is safe because a value depends on the hand alone."""

    def __init__(self, remember: bool = True) -> None:
        self.remember = remember
        self.known: dict[tuple[int, ...], Value] = {}

    def value(self, hand: Counts) -> Value:
        key = tuple(hand)
        if key in self.known:
            return self.known[key]
        fresh = self.fresh_value(hand)
        if self.remember:
            self.known[key] = fresh
        return fresh

    def fresh_value(self, hand: Counts) -> Value:
        if sum(hand) == 0:
            return Value(0, 0)
        group = recognise(hand)
        if group and group.kind not in FOURS:
            return Value(group.points, 1)
        cards = self.lead_of_several(hand)
        led = recognise(counts_of(cards))
        assert led
        rest = self.value(minus(hand, cards))
        return Value(rest.points + led.points, rest.rounds + 1)

    def needs_one_round(self, hand: Counts) -> bool:
        return self.value(hand).rounds == 1

    def wants_rocket(self, hand: Counts) -> bool:
        return has_rocket(hand) and self.needs_one_round(minus(hand, [SMALL_JOKER, BIG_JOKER]))

    def best_of(self, hand: Counts, candidates: Iterator[Cards], best: Value) -> tuple[Cards, Value]:
        """Tries the candidates in turn; each that is at least as good as the best so far replaces it."""
        chosen: Cards = []
        for cards in candidates:
            value = self.value(minus(hand, cards))
            if value.score >= best.score:
                chosen, best = cards, value
        return chosen, best

    def lead(self, hand: Counts) -> Cards:
        """
        Active play: the whole hand if it is a group (but no four with two); the rocket if one round is left without it;
        the best group with kickers; the best group without kickers that begins with the smallest rank held one to
        three times; the only joker; the smallest bomb.
        """
        group = recognise(hand)
        return whole(hand) if group and group.kind not in FOURS else self.lead_of_several(hand)

    def lead_of_several(self, hand: Counts) -> Cards:
        """The same for a hand that is not led whole."""
        if self.wants_rocket(hand):
            return [SMALL_JOKER, BIG_JOKER]
        worst = Value(-25, 21)
        chosen, _ = self.best_of(hand, leads_with_kickers(hand), worst)
        if chosen:
            return chosen
        chosen, _ = self.best_of(hand, leads_without_kickers(hand), worst)
        if chosen:
            return chosen
        jokers = [rank for rank in (SMALL_JOKER, BIG_JOKER) if held(hand, rank)]
        return jokers if len(jokers) == 1 else [ranks_held(hand, 4)[0]] * 4

    def follow(self, hand: Counts, played: Counts) -> Cards:
        """
        Passive play; no cards are a pass. The rocket if one round is left without it, whatever was played. Nothing on
        what is not recognised, nor on a rocket. On a bomb the smallest larger one, else the rocket.
        """
        if self.wants_rocket(hand):
            return [SMALL_JOKER, BIG_JOKER]
        group = recognise(played)
        if group is None or group.kind == "rocket":
            return []
        if group.kind == "bomb":
            larger = [rank for rank in ranks_held(hand, 4) if rank > group.main]
            return [larger[0]] * 4 if larger else rocket_of(hand)
        return self.follow_plain(hand, group)

    def follow_plain(self, hand: Counts, group: Group) -> Cards:
        """
        The whole hand as an answer of the kind, or (but not on a straight) as a bomb or a rocket. Then the answer with
        the best rest, where a pass costs one round more than the hand has. Then a bomb, then the rocket.
        """
        own = recognise(hand)
        if own and (own.kind, own.size) == (group.kind, group.size) and own.main > group.main:
            return whole(hand)
        if own and own.kind in ("bomb", "rocket") and group.kind != "straight":
            return whole(hand)
        passing = Value(self.value(hand).points, self.value(hand).rounds + 1)
        chosen, best = self.best_of(hand, ANSWERS[group.kind](hand, group), passing)
        if group.kind == "four+2 pairs":
            return follow_four_two_pairs(hand, chosen, best)
        return chosen or self.bomb_or_rocket(hand, passing)

    def bomb_or_rocket(self, hand: Counts, best: Value) -> Cards:
        """The last bomb that is no worse than the best so far or leaves a sum above 0; the rocket above a sum of 20."""
        chosen: Cards = []
        for rank in ranks_held(hand, 4):
            value = self.value(minus(hand, [rank] * 4))
            if best.score <= value.score or value.points > 0:
                chosen, best = [rank] * 4, value
        if chosen:
            return chosen
        return rocket_of(hand) if best.points > 20 else []


def counts_of(cards: Cards) -> Counts:
    return [cards.count(rank) for rank in RANKS]


def has_rocket(hand: Counts) -> bool:
    return held(hand, SMALL_JOKER) == 1 and held(hand, BIG_JOKER) == 1


def rocket_of(hand: Counts) -> Cards:
    return [SMALL_JOKER, BIG_JOKER] if has_rocket(hand) else []


def follow_four_two_pairs(hand: Counts, chosen: Cards, best: Value) -> Cards:
    """On four with two pairs: above a sum of 14 the smallest bomb or the rocket, then the answer, then those again."""
    fours = ranks_held(hand, 4)
    if best.points > 14:
        if fours:
            return [fours[0]] * 4
        if has_rocket(hand):
            return rocket_of(hand)
    if chosen:
        return chosen
    return [fours[0]] * 4 if fours else rocket_of(hand)


# The candidates of a lead, in the order in which they are tried.


def leads_with_kickers(hand: Counts) -> Iterator[Cards]:
    for low in range(3, TWO + 1):
        if held(hand, low) != 3:
            continue
        for kicker in RANKS:
            if kicker != low and held(hand, kicker) >= 1:
                yield [low] * 3 + [kicker]
        for kicker in range(3, TWO + 1):
            if kicker != low and held(hand, kicker) >= 2:
                yield [low] * 3 + [kicker] * 2
        for copies, lengths in ((1, (2, 3, 4)), (2, (2, 3))):
            for length in lengths:
                yield from leading_airplanes(hand, list(range(low, low + length)), copies)


def leading_airplanes(hand: Counts, run: list[int], copies: int) -> Iterator[Cards]:
    if run[-1] > ACE or any(held(hand, rank) < 3 for rank in run):
        return
    choice = [rank for rank in RANKS if rank not in run and held(hand, rank) >= copies]
    for kickers in combinations(choice, len(run)):
        yield run * 3 + list(kickers) * copies


def leads_without_kickers(hand: Counts) -> Iterator[Cards]:
    few = [rank for rank in range(3, TWO + 1) if 1 <= held(hand, rank) <= 3]
    if not few:
        return
    low = few[0]
    for copies in (1, 2, 3):
        if held(hand, low) >= copies:
            yield [low] * copies
    for copies, shortest in ((1, 5), (2, 3), (3, 2)):
        for top in range(low + shortest - 1, ACE + 1):
            run = list(range(low, top + 1))
            if all(held(hand, rank) >= copies for rank in run):
                yield run * copies


# The candidates of an answer, in the order in which they are tried.


def equal_cards(hand: Counts, group: Group) -> Iterator[Cards]:
    for rank in range(group.main + 1, 18):
        if held(hand, rank) >= group.size:
            yield [rank] * group.size


def triples_with_one(hand: Counts, group: Group) -> Iterator[Cards]:
    copies = group.size - 3
    for main in range(group.main + 1, TWO + 1):
        for kicker in RANKS:
            if held(hand, main) >= 3 and kicker != main and held(hand, kicker) >= copies:
                yield [main] * 3 + [kicker] * copies


def runs(hand: Counts, group: Group, length: int, fits: Callable[[int], bool]) -> Iterator[list[int]]:
    """The runs of that length with a higher main rank in which each rank's count fits."""
    for top in range(group.main + 1, ACE + 1):
        run = list(range(top - length + 1, top + 1))
        if all(fits(held(hand, rank)) for rank in run):
            yield run


def chains(copies: int) -> Callable[[Counts, Group], Iterator[Cards]]:
    def answers(hand: Counts, group: Group) -> Iterator[Cards]:
        for run in runs(hand, group, group.size // copies, lambda count: count >= copies):
            yield run * copies

    return answers


def airplanes_with_singles(hand: Counts, group: Group) -> Iterator[Cards]:
    length = group.size // 4
    if length > 4:
        return
    for run in runs(hand, group, length, lambda count: count == 3):
        choice = [rank for rank in RANKS if rank not in run and held(hand, rank) >= 1]
        for kickers in permutations(choice, length):
            yield run * 3 + list(kickers)


def airplanes_with_pairs(hand: Counts, group: Group) -> Iterator[Cards]:
    """The length is the size divided by 4, as the original has it: with 20 cards it is 5, and nothing is found."""
    length = group.size // 4
    if length > 3:
        return
    for run in runs(hand, group, length, lambda count: count >= 3):
        choice = [rank for rank in RANKS if rank not in run and held(hand, rank) >= 2]
        for kickers in permutations(choice, length):
            yield run * 3 + list(kickers) * 2


def fours_with_two(hand: Counts, group: Group) -> Iterator[Cards]:
    copies = 1 if group.kind == "four+2" else 2
    for main in range(group.main + 1, TWO + 1):
        choice = [rank for rank in RANKS if rank != main and held(hand, rank) >= copies]
        if held(hand, main) == 4:
            for kickers in combinations(choice, 2):
                yield [main] * 4 + list(kickers) * copies


ANSWERS: dict[str, Callable[[Counts, Group], Iterator[Cards]]] = {
    "single": equal_cards,
    "pair": equal_cards,
    "triple": equal_cards,
    "triple+1": triples_with_one,
    "triple+2": triples_with_one,
    "straight": chains(1),
    "pair chain": chains(2),
    "triple chain": chains(3),
    "airplane+singles": airplanes_with_singles,
    "airplane+pairs": airplanes_with_pairs,
    "four+2": fours_with_two,
    "four+2 pairs": fours_with_two,
}
