"""Proper scores of a model of the hidden cards; lower is better."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ddzbot.belief.models import Model
from ddzbot.belief.worlds import Worlds
from ddzbot.view import View

from .examples import Example, ExampleArrays, Floats, Ints, example_arrays
from .likelihood import total_and_marginals

Look = Callable[[View], View]
"""Type alias: what of a view a model gets to see."""


class Score(NamedTuple):
    """Means over the hidden cards of all examples, in natural logarithms."""

    cards: int
    log_loss: float
    """Minus the log of the probability of the seat that really held the card."""
    brier: float
    """The squared distance of that probability from 1."""
    world_loss: float
    """Minus the log of the probability of the whole true world, divided by its cards."""
    by_deal: Floats
    """For error bars: for each deal the sum of its log losses, and its cards."""

    def gain_over(self, other: "Score") -> tuple[float, float]:
        """Gets by how much the log loss is lower than that of *other*, and the half width of its 95 % interval."""
        difference = other.by_deal[0] - self.by_deal[0]
        gain = difference.sum() / self.cards
        # The deals are independent, the positions of one deal are not.
        residuals = difference - gain * self.by_deal[1]
        return float(gain), float(1.96 * np.sqrt((residuals**2).sum()) / self.cards)


def without_bottom(view: View) -> View:
    """Takes the bottom out of a view: the view of a peasant who has forgotten it."""
    return view._replace(bottom=0)


def score(examples: list[Example], model: Model, look: Look = lambda view: view) -> Score:
    """Scores *model* as it is played: with the scaled whole weights of :class:`ddzbot.belief.worlds.Worlds`."""
    data = example_arrays(examples)
    tables = [Worlds(look(example.view), model).table for example in examples]
    weights = np.moveaxis(np.array(tables, dtype=np.float64), 0, -1)
    total, marginals = total_and_marginals(weights, data.first_cards)
    true = np.take_along_axis(weights, data.held[:, None], axis=1)
    world_loss = np.log(total) - np.log(true).sum(axis=(0, 1))
    log_loss, brier = _losses_of_cards(data, marginals)
    cards = data.unseen.sum()
    return Score(
        cards=int(cards),
        log_loss=float(log_loss.sum() / cards),
        brier=float(brier.sum() / cards),
        world_loss=float(world_loss.sum() / cards),
        by_deal=_by_deal(np.array([example.deal for example in examples]), log_loss, data.unseen.sum(axis=0)),
    )


def _losses_of_cards(data: ExampleArrays, marginals: Floats) -> tuple[Floats, Floats]:
    """Sums the losses over the cards of each example; the cards of one rank are alike."""
    expected = (marginals * np.arange(marginals.shape[1])[None, :, None]).sum(axis=1)
    share = np.clip(expected / np.maximum(data.unseen, 1), 0, 1)
    held, missed = data.held, data.unseen - data.held
    with np.errstate(divide="ignore", invalid="ignore"):
        log_loss = -np.where(held > 0, held * np.log(share), 0) - np.where(missed > 0, missed * np.log1p(-share), 0)
    brier = held * (1 - share) ** 2 + missed * share**2
    return log_loss.sum(axis=0), brier.sum(axis=0)


def _by_deal(deals: Ints, log_loss: Floats, cards: Ints) -> Floats:
    _, places = np.unique(deals, return_inverse=True)
    return np.array([np.bincount(places, log_loss), np.bincount(places, cards)])
