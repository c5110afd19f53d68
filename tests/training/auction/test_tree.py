"""The tree of the auction against auctions that are played bid by bid."""

import itertools

import pytest
import torch

from ddzbot.game import SEATS, auction, is_legal_bid
from ddzbot.kernel.bid_records import NODES
from tests.auctions import endings
from tools.training.auction.tree import AFTER, BIDS, LEGAL, POSITIONS, Ending, best, play_auctions, soft

pytestmark = pytest.mark.whole


def random_strategy(seed: int, deals: int = 5) -> torch.Tensor:
    torch.manual_seed(seed)
    return soft(torch.randn(deals, len(NODES), BIDS), 1.0, 0.1)


def chance_of(strategy: torch.Tensor, deal: int, heard: tuple[int, ...], begin: int = 0) -> float:
    shares = (strategy[deal, NODES.index(heard[:at]), heard[at]].item() for at in range(begin, len(heard)))
    product = 1.0
    for share in shares:
        product *= share
    return product


def paid_to(points: torch.Tensor, deal: int, bids: tuple[int, ...], position: int) -> float:
    result = auction(bids)
    assert result is not None
    landlord, stake = result
    return stake * points[deal, landlord].item() * (1 if position == landlord else -0.5)


def test_the_nodes_are_all_places_for_a_bid() -> None:
    inner = {bids[:at] for bids in endings() for at in range(len(bids))}
    assert inner == set(NODES)
    assert all(LEGAL[node][bid] == is_legal_bid(NODES[node], bid) for node in range(len(NODES)) for bid in range(BIDS))
    assert AFTER[NODES.index((0, 0))][0] == Ending(0, 1)


@pytest.mark.parametrize("seed", range(3))
def test_what_follows_is_what_all_auctions_together_pay(seed: int) -> None:
    strategy, points = random_strategy(seed), torch.randn(5, SEATS)
    found = play_auctions(points, strategy)
    for deal, node, bid in itertools.product(range(5), range(len(NODES)), range(BIDS)):
        heard = (*NODES[node], bid)
        if not LEGAL[node][bid]:
            assert found.paid[deal, node, bid] == 0
            continue
        ends = [bids for bids in endings() if bids[: len(heard)] == heard]
        chances = [chance_of(strategy, deal, bids, len(heard)) for bids in ends]
        assert sum(chances) == pytest.approx(1)
        paid = sum(c * paid_to(points, deal, bids, POSITIONS[node]) for c, bids in zip(chances, ends, strict=True))
        assert found.paid[deal, node, bid].item() == pytest.approx(paid, abs=1e-5)
        stays = sum(c for c, bids in zip(chances, ends, strict=True) if not any(bids[len(heard) :]))
        assert found.stays[deal, node, bid].item() == pytest.approx(stays, abs=1e-6)
    for deal, node in itertools.product(range(5), range(len(NODES))):
        assert found.reached[deal, node].item() == pytest.approx(chance_of(strategy, deal, NODES[node]))
        for landlord in range(SEATS):
            share = sum(
                chance_of(strategy, deal, bids, len(NODES[node]))
                for bids in endings()
                if bids[: len(NODES[node])] == NODES[node] and auction(bids)[0] == landlord  # type: ignore[index]
            )
            assert found.landlord[deal, node, landlord].item() == pytest.approx(share)
    stakes = [sum(chance_of(strategy, deal, bids) * auction(bids)[1] for bids in endings()) for deal in range(5)]  # type: ignore[index]
    assert found.stake.tolist() == pytest.approx(stakes)


def test_the_best_strategy_makes_the_legal_bid_of_the_highest_value() -> None:
    values = torch.zeros(1, len(NODES), BIDS)
    values[0, :, 1], values[0, :, 3] = 5, 1
    made = best(values).argmax(-1)[0].tolist()
    assert made == [1 if LEGAL[node][1] else 3 for node in range(len(NODES))]
    assert best(torch.zeros(1, len(NODES), BIDS)).argmax(-1).sum() == 0


def test_a_cool_strategy_is_the_best_one_but_for_epsilon() -> None:
    torch.manual_seed(1)
    values = torch.randn(4, len(NODES), BIDS)
    assert torch.allclose(soft(values, 1e-4, 0.0), best(values), atol=1e-3)
    explored = soft(values, 1e-4, 0.1)
    assert torch.allclose(explored.sum(-1), torch.ones(4, len(NODES)))
    assert (explored[:, torch.tensor(LEGAL)] >= 0.1 / BIDS - 1e-6).all()
