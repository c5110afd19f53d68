"""How champion bids: by the points of its network, by the hand, with and without kernel, and without a network."""

import random
from pathlib import Path

import pytest

from ddzbot.bidding import EQUAL_POINTS, bid_by_hand, bid_by_points
from ddzbot.engine import Engine
from ddzbot.game import shuffled
from ddzbot.kernel.bid_records import BIDS, HEADS, NODES, BidWorth
from ddzbot.net.bid_net import BidReference
from ddzbot.players.base import CannotPlay
from ddzbot.players.champion import ChampionPlayer
from ddzbot.rules import BOTZONE2, ICGA
from ddzbot.view import BidView
from tests.net.bid_models import packed_network as packed
from tests.net.bid_models import random_parameters
from tools.release.weights_file import promote, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weights")
    path = write(folder, "bid", packed(random_parameters(4)))
    promote(path, "botzone2")
    return folder


def views(number: int = 12) -> list[BidView]:
    deals = [shuffled(BOTZONE2, f"test/bids/{index}") for index in range(number)]
    return [BidView(BOTZONE2, deal.hands[len(heard)], heard) for deal in deals for heard in NODES]


class Fixed:
    """A network that expects the same of every hand."""

    def __init__(self, *bids: int) -> None:
        self.bids = bids

    def worth(self, *given: object) -> BidWorth:
        return BidWorth((*self.bids, *[0] * (HEADS - BIDS)))


def test_the_legal_bid_of_the_most_points_is_made() -> None:
    net = Fixed(-1000, 5000, 3000, 4000)
    for view in views(1):
        made = bid_by_points(view, net)  # type: ignore[arg-type]
        assert made == (1 if 1 in view.legal_bids else 3)
    assert bid_by_points(views(1)[0], Fixed(-1, -2, -3, -4)) == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bids", "made"),
    [
        ((7, -5, 7, 7), 0),
        ((-1, 0, EQUAL_POINTS, EQUAL_POINTS + 1), 2),
        ((0, EQUAL_POINTS, EQUAL_POINTS, EQUAL_POINTS), 0),
        ((-EQUAL_POINTS - 1, 0, 0, 0), 1),
    ],
)
def test_of_nearly_equal_bids_the_lowest_is_made(bids: tuple[int, ...], made: int) -> None:
    some = [view for view in views() if not view.bids]
    assert {bid_by_points(view, Fixed(*bids)) for view in some} == {made}  # type: ignore[arg-type]


@pytest.mark.usefixtures("networks")
@pytest.mark.parametrize("with_or_without", ["with_kernel", "without_kernel"])
def test_champion_bids_as_the_network_says(with_or_without: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(with_or_without)
    net = BidReference(random_parameters(4))
    made = [ChampionPlayer(3).bid(view) for view in views()]
    assert made == [bid_by_points(view, net) for view in views()]
    assert len(set(made)) > 2


@pytest.mark.usefixtures("networks")
def test_bids_by_the_hand_are_those_of_every_player() -> None:
    assert [ChampionPlayer(3, bids="hand").bid(view) for view in views()] == list(map(bid_by_hand, views()))


def test_without_a_network_it_cannot_bid_by_points(networks: Path) -> None:
    hand = shuffled(ICGA, "icga").hands[0]
    with pytest.raises(CannotPlay, match="none is current for bid-1 under icga"):
        ChampionPlayer(3).bid(BidView(ICGA, hand, ()))
    file = str(next(networks.glob("bid-*.ddzw")))
    assert ChampionPlayer(3, bid_weights=file).bid(BidView(ICGA, hand, ())) in (0, 1, 2, 3)
    with pytest.raises(CannotPlay, match=r"none\.ddzw: the file cannot be read"):
        ChampionPlayer(3, bid_weights="none.ddzw").bid(BidView(ICGA, hand, ()))


def test_a_fallback_bids_where_there_is_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    view = random.Random(1).choice(views())
    made = Engine("champion", 1).bid(view)
    assert (made.bid, made.player) == (bid_by_hand(view), "mctshs")
    assert [failure.player for failure in made.failures] == ["champion", "champion:search=none"]
