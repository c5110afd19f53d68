"""Where the hidden cards are: exact probabilities, and the world that is likeliest of all."""

from collections.abc import Sequence
from math import log

from ddzbot.belief.models import MOST_OF_A_RANK
from ddzbot.belief.ways import World
from ddzbot.belief.worlds import Worlds
from ddzbot.cards import RANK_COUNT, UNIT, Hand, count

from .model import Counts

BELIEF = "fitted"
"""The model of the hidden hands, which predicts recorded games best."""
MODEL_WORLDS = 4
"""How many worlds the model counts as, beside those that were weighed."""


def hidden_cards(worlds: Worlds) -> dict[int, tuple[Counts, ...]]:
    """
    Computes for each hidden seat, rank and count the probability that the seat holds exactly that many.

    The model's own sums give them exactly, without drawing: what is certain is 0 or 1.
    """
    return {
        seat: tuple(
            tuple(worlds.probability(seat, rank, cards) for cards in range(MOST_OF_A_RANK + 1))
            for rank in range(RANK_COUNT)
        )
        for seat in sorted(worlds.certain.seats)
    }


def likeliest_world(worlds: Worlds) -> World:
    """
    Finds the world of the greatest weight; among equals the one with the higher cards in the first hand.

    The weight of a world is a product over the ranks, tied by the hand size alone, so that going through the ranks and
    keeping the best way to each number of cards finds it (Viterbi's algorithm).
    """
    best: dict[int, tuple[float, Hand]] = {0: (0.0, 0)}
    for rank, row in enumerate(worlds.table):
        longer: dict[int, tuple[float, Hand]] = {}
        for given, (weight, hand) in best.items():
            for cards, factor in enumerate(row):
                if factor:
                    way = (weight + log(factor), hand + cards * UNIT[rank])
                    longer[given + cards] = max(way, longer.get(given + cards, way))
        best = longer
    first_hand = best[worlds.certain.sizes[0]][1]
    return World(first_hand, worlds.certain.unseen - first_hand)


def hidden_by_weights(worlds: Worlds, weighed: Sequence[tuple[World, float]]) -> dict[int, tuple[Counts, ...]]:
    """
    Estimates the same from worlds with weights that add up to 1.

    The model of *worlds* counts as :data:`MODEL_WORLDS` worlds more, so that only what is certain is 0 or 1.
    """
    model = hidden_cards(worlds)
    sure = 1 / sum(weight * weight for _, weight in weighed)
    shares = [[[0.0] * (MOST_OF_A_RANK + 1) for _ in range(RANK_COUNT)] for _ in range(2)]
    for world, weight in weighed:
        for own, hand in zip(shares, world, strict=True):
            for rank in range(RANK_COUNT):
                own[rank][count(hand, rank)] += weight
    by_seat = dict(zip(worlds.certain.seats, shares, strict=True))
    total = sure + MODEL_WORLDS
    return {
        seat: tuple(
            tuple(
                expected if expected in (0.0, 1.0) else (sure * seen + MODEL_WORLDS * expected) / total
                for seen, expected in zip(by_seat[seat][rank], counts, strict=True)
            )
            for rank, counts in enumerate(ranks)
        )
        for seat, ranks in model.items()
    }


def heaviest_world(weighed: Sequence[tuple[World, float]]) -> World:
    """Gets the world of the greatest weight; among equals the one with the higher cards in the first hand."""
    return max(weighed, key=lambda pair: (pair[1], pair[0]))[0]
