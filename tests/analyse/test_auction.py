"""What a bid is worth: by deals that fit the bids, the same each time."""

import random

import pytest

from ddzbot.bidding import bid_by_hand, hand_points
from ddzbot.cards import parse_hand
from ddzbot.game import fits, shuffled
from ddzbot.kernel import native
from ddzbot.net import bid_net
from ddzbot.rules import BOTZONE2, PASS, RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.search.slices import MoveResult, SearchResult
from ddzbot.view import BidView
from tools.study.analyse.analyse import analyse_any
from tools.study.analyse.auction import PLAYOUTS, BidOutcome, _deal, _outcome, analyse_bid, share_won, usual_bid
from tools.study.analyse.model import BidAnalysis
from tools.tables.play.hints import hint_lines

LITTLE = Limit(playouts=3 * 3 * PLAYOUTS)
STRONG = "345678TJQKA222LB9"
WEAK = "33445667789TTJJQQ"


def view_of(hand: str, bids: tuple[int, ...] = (), name: str = "botzone2") -> BidView:
    return BidView(RULE_SETS[name], parse_hand(hand), bids)


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("bids", [(), (0,), (1,), (0, 2)], ids=str)
@pytest.mark.parametrize("name", ["botzone2", "icga"])
def test_every_legal_bid_is_valued(name: str, bids: tuple[int, ...]) -> None:
    view = BidView(RULE_SETS[name], shuffled(RULE_SETS[name], "bids").hands[len(bids)], bids)
    analysis = analyse_bid(view, LITTLE)
    assert [worth.bid for worth in analysis.bids] == view.legal_bids
    assert (analysis.bid, analysis.deals) == (usual_bid(view), 3)
    assert analysis.points == hand_points(view.rules, view.hand)
    loaded = bid_net.LOADER.load(native(), name)
    assert RULE_SETS[loaded.trained_on].pays_as(view.rules)
    points = loaded.net.worth(view.rules, view.hand, bids).bids
    for worth in analysis.bids:
        assert worth.win is not None and 0.0 <= worth.win <= 1.0
        assert worth.score == points[worth.bid]
        assert worth.landlord is not None and 0.0 <= worth.landlord <= 1.0
    assert analysis.bids[-1].landlord == 1.0


@pytest.mark.usefixtures("with_kernel")
def test_a_strong_hand_is_worth_more_as_landlord_and_a_weak_one_less() -> None:
    for hand, stronger in ((STRONG, True), (WEAK, False)):
        bids = analyse_bid(view_of(hand, (0, 1)), LITTLE).bids
        assert bids[0].landlord == 0.0
        assert bids[-1].score is not None and bids[0].score is not None
        assert (bids[-1].score > bids[0].score) == stronger, hand


@pytest.mark.usefixtures("with_kernel")
def test_the_same_view_and_seed_give_the_same_values() -> None:
    view = view_of(STRONG, (0,))
    first, again, other = (analyse_bid(view, LITTLE, seed=seed) for seed in (1, 1, 2))
    assert first.bids == again.bids
    assert first.bids != other.bids


@pytest.mark.usefixtures("with_kernel")
def test_a_limit_of_seconds_makes_at_least_one_deal() -> None:
    analysis = analyse_any(view_of(STRONG), Limit(seconds=0.001))
    assert isinstance(analysis, BidAnalysis)
    assert analysis.deals >= 1


@pytest.mark.usefixtures("without_kernel")
def test_without_the_kernel_there_is_only_the_recommended_bid() -> None:
    analysis = analyse_bid(view_of(STRONG), LITTLE)
    assert (analysis.bid, analysis.deals) == (3, 0)
    assert analysis.notes == {"method": "recommended bid only", "kernel": "no kernel"}
    assert {(worth.win, worth.score, worth.landlord) for worth in analysis.bids} == {(None, None, None)}


@pytest.mark.parametrize("bids", [(), (0,), (2,), (0, 2)], ids=str)
def test_a_deal_is_whole_and_fits_the_earlier_bids(bids: tuple[int, ...]) -> None:
    hand = parse_hand(STRONG)
    chance, fitting = random.Random(4), 0
    for _ in range(8):
        deal = _deal(BidView(BOTZONE2, hand, bids), chance)
        assert fits(deal)
        assert deal.hands[len(bids)] == hand
        heard = [BidView(BOTZONE2, deal.hands[position], bids[:position]) for position in range(len(bids))]
        fitting += all(bid in (usual_bid(one), bid_by_hand(one)) for one, bid in zip(heard, bids, strict=True))
    # One deal in 25 has the bids 0 and 2 by chance. Where no hand that was tried makes a bid, the last has to do.
    assert fitting >= (8, 6, 3)[len(bids)]


def test_an_outcome_is_seen_from_the_bidder() -> None:
    view = view_of(STRONG, (1,))
    assert _outcome(view, 1, 0.75) == BidOutcome(0.75, True)
    assert _outcome(view, 0, 0.75) == BidOutcome(0.25, False)


def test_the_share_won_is_that_of_all_playouts() -> None:
    assert share_won(SearchResult(PASS, [MoveResult(PASS, 30, 20), MoveResult(PASS, 10, 0)], 40)) == 0.5


@pytest.mark.usefixtures("with_kernel", "without_network")
def test_without_a_network_for_bids_they_have_no_points() -> None:
    analysis = analyse_bid(view_of(STRONG), LITTLE)
    assert all(one.score is None and one.win is not None for one in analysis.bids)
    assert [" points" in line for line in hint_lines(view_of(STRONG), LITTLE)] == [False] * 5
