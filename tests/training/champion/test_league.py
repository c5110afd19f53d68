"""The league: opponents and their shares, which follow from seeds and results alone."""

import pytest

from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from tests.net.fast_models import random_seats
from tools.training.champion.league import ITSELF, QUICK, League

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


def league(net: FastNet) -> League:
    return League([QUICK, ITSELF, "earlier"], {"earlier": net}, 0.25)


def test_a_quarter_of_the_units_has_a_rival_on_either_side(net: FastNet, kernel: Kernel) -> None:
    one, other = league(net), FastNet(kernel, random_seats(2))
    rivals = one.rivals(one.meetings(16, [1, 2]), 16, other)
    assert [rival.seats for rival in rivals if rival] == [(0,), (1, 2)] * 2
    assert rivals[4:] == [None] * 12
    assert one.meetings(16, [1, 2]) == league(net).meetings(16, [1, 2])


def test_each_member_plays_as_what_it_is(net: FastNet, kernel: Kernel) -> None:
    one, other = league(net), FastNet(kernel, random_seats(2))
    by_name = {
        meeting.member: one.rivals([meeting], 16, other)[meeting.units[0]]
        for round_ in range(30)
        for meeting in one.meetings(16, [round_])
    }
    assert {name: rival and (rival.net, rival.near > 0) for name, rival in by_name.items()} == {
        QUICK: (None, False),
        ITSELF: (other, True),
        "earlier": (net, False),
    }


def test_an_opponent_that_wins_is_met_more(net: FastNet) -> None:
    one = league(net)
    for _ in range(100):
        for meeting in one.meetings(16, [1]):
            quick = meeting.member == QUICK
            # The quick players lose every game, the others win every one.
            one.note([meeting], [0.0, 1.0] * 2 if quick else [1.0, 0.0] * 2)
    assert one.beaten["earlier"] < 0.1
    met = [meeting.member for round_ in range(300) for meeting in one.meetings(16, [round_])]
    assert met.count("earlier") > 200
    assert met.count(QUICK) < met.count("earlier") / 3


def test_without_members_all_play_themselves() -> None:
    assert League().meetings(16, [1]) == []
