"""Deals that are played with every landlord: what the kernel deals and pays, from seeds, and files that go on."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ddzbot.game import HIGHEST_BID, SEATS, Deal, Game, fits, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import DEALS_OPTIONS
from ddzbot.kernel.fast_net import FastNet
from ddzbot.kernel.library import STATUS_NAMES, Memory
from ddzbot.rules import BOTZONE2, ICGA, RuleSet
from ddzbot.view import View
from tests.net.fast_models import random_seats
from tools.training.auction.deals import DEALT_TYPE, UNIT_DEALS, DealFolder, play_deals, read_deals, unit_seed
from tools.training.auction.generate import main


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


def test_a_folder_goes_on_where_it_was_stopped(tmp_path: Path, net: FastNet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.training.auction.deals.UNIT_DEALS", 8)
    whole, parts = DealFolder(tmp_path / "a", "botzone2", 3, "net"), DealFolder(tmp_path / "b", "botzone2", 3, "net")
    for unit in whole.missing(30):
        whole.play(net, BOTZONE2, unit)
    parts.play(net, BOTZONE2, 1)
    again = DealFolder(tmp_path / "b", "botzone2", 3, "net")
    assert again.missing(30) == [0, 2, 3]
    for unit in again.missing(30):
        again.play(net, BOTZONE2, unit)
    assert read_deals(tmp_path / "a").tobytes() == read_deals(tmp_path / "b").tobytes()
    assert len(read_deals(tmp_path / "a")) == 32
    assert len(read_deals(tmp_path / "a", 13)) == 13
    with pytest.raises(Exception, match="was begun with"):
        DealFolder(tmp_path / "a", "botzone2", 4, "net")


def test_files_that_are_no_deals_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="has no deals"):
        read_deals(tmp_path)
    (tmp_path / "unit-000000.bin").write_bytes(bytes(47))
    with pytest.raises(Exception, match=r"unit-000000\.bin is cut"):
        read_deals(tmp_path)


def test_rules_without_an_auction_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [str(tmp_path / "deals"), "--rules", "botzone"])
    assert (done.exit_code, "rules botzone have no auction" in done.output) == (2, True)


def test_the_command_plays_whole_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.training.auction.generate.UNIT_DEALS", 16)
    monkeypatch.setattr("tools.training.auction.deals.UNIT_DEALS", 16)
    done = CliRunner().invoke(main, [str(tmp_path), "--deals", "20", "--quiet"])
    assert done.exit_code == 0, done.output
    assert len(read_deals(tmp_path)) == 32
    assert UNIT_DEALS % 16 == 0
