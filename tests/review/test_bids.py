"""The auction is reviewed as moves are: what each bid lost against the best one."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.cards import parse_hand
from ddzbot.game import Game, shuffled, start
from ddzbot.rules import rule_set
from ddzbot.view import BidView
from tools.records.files import records_of, text_of
from tools.records.record import GameRecord, record_of
from tools.study.analyse.auction import points_of_bids
from tools.study.review.__main__ import main
from tools.study.review.bids import bid_reviews
from tools.study.review.model import Bid
from tools.study.review.page import reviewed_game

RULES = rule_set("botzone2")


def record(seed: str, *bids: int, landlord: int) -> GameRecord:
    return record_of(start(shuffled(RULES, seed), bids, landlord), ("ann", "bob", "cat"))


def dealt(hand: str, *bids: int) -> GameRecord:
    """A deal in which position 0 has this hand and makes the first of the bids."""
    own, weak, bottom = parse_hand(hand), parse_hand("33334444555566667"), parse_hand("777")
    rest = RULES.deck - own - weak - bottom
    return GameRecord(RULES, (own, weak, rest), bottom, bids, bids.index(max(bids)))


@pytest.mark.parametrize(("made", "why"), [(0, "bid_too_low"), (3, "")])
def test_a_hand_that_wins_is_to_be_bid_on(made: int, why: str) -> None:
    first, *_ = bid_reviews(dealt("JJQQQKKKAAAA222LB", *((0, 3) if made == 0 else (3,))), 1)
    assert (first.made, first.why, first.phase) == (Bid(made), why, "auction")
    assert bool(first.mark) == bool(why) == (first.loss > 0)


def test_each_bid_is_judged_by_what_its_bidder_knew() -> None:
    found = bid_reviews(record("bids/2", 1, 2, 3, landlord=2), 5)
    deal = shuffled(RULES, "bids/2")
    assert [one.ply for one in found] == [0, 1, 2] and {one.game for one in found} == {5}
    assert [(one.name, one.seat) for one in found] == [("ann", 1), ("bob", 2), ("cat", 0)]
    for position, one in enumerate(found):
        points = points_of_bids(BidView(RULES, deal.hands[position], (1, 2, 3)[:position]))
        legal = [0, *range(position + 1, 4)]
        assert one.loss == pytest.approx(max(points[bid] or 0.0 for bid in legal) - (points[position + 1] or 0.0))
        assert one.cost == one.points_loss == one.loss >= 0
        assert (one.loss == 0) == (one.made == one.best)


def test_what_is_not_known_or_not_bid_is_left_out() -> None:
    known = record("bids/2", 1, 2, 3, landlord=2)
    hidden = GameRecord(RULES, (None, known.hands[1], None), known.bottom, known.bids, 2)
    assert [one.ply for one in bid_reviews(hidden, 1)] == [1]
    unheard = GameRecord(RULES, known.hands, known.bottom, (None, 2, 3), 2)
    assert bid_reviews(unheard, 1) == []
    (without,) = records_of(Path("tests/data/rule-demo-1.ddzn").read_text(), "text")
    assert bid_reviews(without, 1) == []


def played() -> GameRecord:
    """A game lost by a bid of 3 on nothing."""
    game: Game = start(shuffled(RULES, "bids/2"), (3,), 0)
    while not game.finished:
        game = game.play(game.legal_moves()[-1])
    return record_of(game, ("ann", "bob", "cat"))


def test_the_command_and_the_page_have_the_bids(tmp_path: Path) -> None:
    file = tmp_path / "game.ddzn"
    file.write_text(text_of([played()], "text"))
    done = CliRunner().invoke(main, [str(file), "--limit", "20p", "--quiet", "--all"])
    assert done.exit_code == 0, done.output
    assert "bid 3" in done.output
    (one,) = bid_reviews(played(), 1)
    data = reviewed_game(played(), 1, [])
    (told,) = data["bidReviews"]
    assert (told["seat"], told["made"], told["best"], told["mark"]) == (0, "3", str(one.best.points), one.mark)
    assert data["moments"] == ([-1] if one.mark else [])
