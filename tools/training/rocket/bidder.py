"""
Trains the bidder of DeepRocket: hands of 17 cards that became the landlord, and whether they won.

    python -m tools.training.auction.generate data/deals --deals 131072 --seed 11
    python -m tools.training.rocket.bidder results/rocket data/deals

Every deal was played with the landlord at each position, so that no auction chose the hands.
"""

from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from ddzbot.game import SEATS
from ddzbot.kernel import native
from ddzbot.kernel.bid_records import MOST_FEWEST
from ddzbot.rules import rule_set

from ...shared.interrupts import Command
from ...shared.options import FiniteRange
from ...shared.terminal import say
from ..auction.deals import read_deals, read_head
from ..auction.hands import fewest_of
from ..auction.network import hand_features
from ..shared.checkpoints import save_in_one_step, weights_hash, weights_of
from ..shared.held_out import TEST_PERCENT
from ..shared.learning import learning_rate
from ..shared.train_command import MODEL
from .learning import FORMAT
from .models import BidderModel


class Hands(NamedTuple):
    """Hands of 17 cards, and what became of them."""

    inputs: Tensor
    """(n, 73) of 0 and 1, uint8."""
    won: Tensor
    """(n,): 1 where the hand won as the landlord, else 0."""

    def part(self, first: int, end: int) -> "Hands":
        """Gets some of them."""
        return Hands(self.inputs[first:end], self.won[first:end])


class Scores(NamedTuple):
    """How well the bidder answers, on deals that it has not learned from."""

    hands: int
    accuracy: float
    """The share of hands in which its yes, a chance of a half or more, or its no is what came true."""
    by_majority: float
    """The same of the more frequent answer."""
    loss: float
    """Cross entropy in nats."""
    won: float
    """The share of hands that won."""


def hands_of(folder: Path, most: int | None) -> tuple[Hands, dict[str, Any]]:
    """
    Reads the hands of a folder of deals, three of each deal, with its head.

    :raises ClickException: if it has none, or there is no kernel.
    """
    kernel = native()
    if kernel is None:
        raise click.ClickException("This needs the kernel: run make kernel.")
    head, deals = read_head(folder), read_deals(folder, most)
    hands = np.ascontiguousarray(deals["hands"])
    fewest = np.minimum(fewest_of(kernel, rule_set(head["rules"]), hands), MOST_FEWEST)
    won: NDArray[np.float32] = (deals["won"][:, None] >> np.arange(SEATS) & 1).astype(np.float32)
    inputs = hand_features(hands, fewest).reshape(won.size, -1)
    return Hands(torch.from_numpy(inputs), torch.from_numpy(won.reshape(-1))), head


def split(hands: Hands) -> tuple[Hands, Hands]:
    """Holds the last tenth of the deals out for the test."""
    deals = len(hands.won) // SEATS
    border = SEATS * (deals - max(1, deals * TEST_PERCENT // 100))
    return hands.part(0, border), hands.part(border, len(hands.won))


def learned(hands: Hands, epochs: int, batch: int, rate: float, seed: int) -> BidderModel:
    """Trains a bidder; a few seconds of work, so that nothing is saved on the way."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model = BidderModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    number, steps = 0, epochs * -(-len(hands.won) // batch)
    for epoch in range(epochs):
        order = torch.from_numpy(np.random.default_rng([seed, epoch]).permutation(len(hands.won)))
        for start in range(0, len(order), batch):
            some = order[start : start + batch]
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(number, steps, rate)
            optimizer.zero_grad()
            loss = binary_cross_entropy_with_logits(model(hands.inputs[some].float()), hands.won[some])
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            number += 1
    return model


def scores_of(model: BidderModel, hands: Hands) -> Scores:
    """Scores a bidder on hands that it has not learned from."""
    with torch.no_grad():
        logits = model(hands.inputs.float())
    share = float(hands.won.mean())
    return Scores(
        hands=len(hands.won),
        accuracy=float(((logits >= 0) == (hands.won > 0)).float().mean()),
        by_majority=max(share, 1 - share),
        loss=float(binary_cross_entropy_with_logits(logits, hands.won)),
        won=share,
    )


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("output", type=click.Path(path_type=Path, file_okay=False))
@click.argument("deals", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--most", type=click.IntRange(2), help="Learn from the first N deals only.")
@click.option("--epochs", type=click.IntRange(1), default=4, help="Passes over all hands.")
@click.option("--batch", type=click.IntRange(1), default=256, help="Hands in a step.")
@click.option("--rate", type=FiniteRange(0, min_open=True), default=2e-3, help="The highest learning rate.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the first weights and of the order.")
def main(output: Path, deals: Path, most: int | None, epochs: int, batch: int, rate: float, seed: int) -> None:
    """Trains on the folder DEALS of tools.training.auction.generate, and writes OUTPUT/bidder/model.pt."""
    hands, head = hands_of(deals, most)
    training, test = split(hands)
    model = learned(training, epochs, batch, rate, seed)
    scores = scores_of(model, test)
    about = {
        "format": FORMAT,
        "deals": head,
        "records": len(training.won),
        "epochs": epochs,
        "batch": batch,
        "rate": rate,
        "seed": seed,
        "scores": scores._asdict(),
    }
    (output / "bidder").mkdir(parents=True, exist_ok=True)
    save_in_one_step(output / "bidder" / MODEL, {"about": about, "model": weights_of(model)})
    say(
        f"{len(training.won):,} hands; test: {100 * scores.accuracy:.2f} % of {scores.hands:,} answers right "
        f"({100 * scores.by_majority:.2f} % by the majority), loss {scores.loss:.4f}; weights {weights_hash(model)}"
    )


if __name__ == "__main__":
    main()
