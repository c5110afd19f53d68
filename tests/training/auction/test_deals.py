"""Deals that are played with every landlord: what the kernel deals and pays, from seeds, and files that resume."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ddzbot.game import HIGHEST_BID, SEATS, Deal, Game, fits, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import DEALS_OPTIONS
from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.library import STATUS_NAMES, Memory
from ddzbot.net.fast_net import seats_of
from ddzbot.rules import BOTZONE2, ICGA, RuleSet
from ddzbot.view import View
from tests.net.fast_models import random_seats
from tests.training.some_shards import write_shard
from tools.training.auction.deals import DEALT_TYPE, Plan, play_deals, play_unit, read_deals, unit_seed
from tools.training.command import main
from tools.training.making import Work

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


def replayed(net: FastNet, deal: Deal, landlord: int, stake: int) -> Game:
    """Plays a deal as the kernel says that it does: every seat makes the move of which the most points are expected."""
    asked = landlord + 1 if stake == HIGHEST_BID else SEATS
    game = start(deal, tuple(stake if position == landlord else 0 for position in range(asked)), landlord)
    while not game.finished:
        view = View.of(game, game.seat)
        moves = game.legal_moves()
        out = [move for move in moves if move.cards == view.hand]
        game = game.play((out or [max(net.values(view), key=lambda worth: worth.score).move])[0])
    return game


@pytest.mark.parametrize("rules", [BOTZONE2, ICGA], ids=lambda rules: rules.name)
def test_a_deal_pays_what_the_games_of_the_network_pay(net: FastNet, rules: RuleSet) -> None:
    found = play_deals(net, rules, 3, 7)
    assert {one["stake"] for one in found} <= {1, 2, 3}
    for one in found:
        first, second, third = map(int, one["hands"])
        deal = Deal(rules, (first, second, third), int(one["bottom"]))
        assert fits(deal)
        for landlord in range(SEATS):
            game = replayed(net, deal, landlord, int(one["stake"]))
            assert 100 * game.scores()[0] == one["scores"][landlord]
            assert (game.winner == 0) == bool(one["won"] >> landlord & 1)


def test_a_seed_makes_the_same_deals_and_another_one_others(net: FastNet) -> None:
    first, again, other = (play_deals(net, BOTZONE2, 20, seed).tobytes() for seed in (5, 5, 6))
    assert first == again != other
    assert unit_seed(1, 0) != unit_seed(1, 1) != unit_seed(2, 1)


def test_all_stakes_are_played(net: FastNet) -> None:
    assert set(play_deals(net, BOTZONE2, 60, 1)["stake"]) == {1, 2, 3}


@pytest.mark.parametrize(
    ("field", "value"), [(1, 5), (1, BOTZONE2.deck - 1), (2, 2), (3, 2), (4, 0), (4, 18), (5, 4), (5, 1 << 31)]
)
def test_options_out_of_range_are_refused(net: FastNet, field: int, value: int) -> None:
    options = [1, BOTZONE2.deck, 1, 1, 17, 3]
    options[field] = value
    assert status(net, options) == "bad index"


def test_good_options_are_taken_and_every_pointer_is_checked(net: FastNet) -> None:
    assert status(net, [1, BOTZONE2.deck, 1, 1, 17, 3]) == "ok"
    for place in range(6):
        for spoil in (lambda address: 0, lambda address: address + 1):
            assert status(net, [1, BOTZONE2.deck, 1, 1, 17, 3], place, spoil) == "bad pointer"


def status(net: FastNet, options: list[int], place: int = -1, spoil=int) -> str:  # type: ignore[no-untyped-def]
    library = net.kernel.library
    given = Memory.of(DEALS_OPTIONS.pack(*options))
    out, memory = np.empty(1, DEALT_TYPE), np.zeros(library.sizes["ddz_deals_memory"] // 8 + 1, np.uint64)
    where = [memory.ctypes.data, net.address, net.kernel.compiled(BOTZONE2).address, net.kernel.splits(BOTZONE2)]
    where += [given.address, out.ctypes.data]
    if place >= 0:
        where[place] = spoil(where[place])
    return STATUS_NAMES[library.status("ddz_deals_play", *where, 1)]


def test_files_are_read_in_their_order(tmp_path: Path, net: FastNet) -> None:
    work = Work(Plan(seed=3, games=16), play_unit)
    for first in (16, 0):
        write_shard(tmp_path, work, first)
    deals, head = read_deals(tmp_path)
    assert (len(deals), head["seed"], len(read_deals(tmp_path, 13)[0])) == (32, 3, 13)
    player = FastNet(net.kernel, seats_of(work.plan.network()))
    assert deals.tobytes() == b"".join(play_deals(player, BOTZONE2, 16, unit_seed(3, at)).tobytes() for at in (0, 1))


def test_files_that_are_no_deals_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no shard in .*: tools train make auction makes them"):
        read_deals(tmp_path)
    (tmp_path / "games-0000000-0000015.npz").write_bytes(bytes(47))
    with pytest.raises(ValueError, match=r"games-0000000-0000015\.npz: it cannot be read"):
        read_deals(tmp_path)


def test_rules_without_an_auction_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["make", "auction", str(tmp_path / "deals"), "--rules", "botzone"])
    assert (done.exit_code, "'botzone' is not one of 'botzone2'" in done.output) == (2, True)
