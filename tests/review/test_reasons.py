"""What kind of mistake a move was, in words."""

import pytest

from ddzbot.rules import PASS, Move
from ddzbot.view import View
from tests.search.positions import endgame, move_of
from tools.study.review.model import WHY
from tools.study.review.reasons import why_of


def led(*plays: str, hands: tuple[str, str, str]) -> View:
    """The landlord led from these hands, and the next seats answered."""
    return endgame(hands, 0, tuple(map(move, plays)))


def move(text: str) -> Move:
    return PASS if text == "pass" else move_of(text)


EXAMPLES = [
    (led(hands=("33334", "5", "6")), "3333", "4", "bomb_given_away"),
    (led(hands=("33334", "56", "67")), "4", "3333", "bomb_held_back"),
    (led("3", "7", hands=("34567", "79", "KK2")), "K", "pass", "partner_overtaken"),
    (led("3", hands=("34", "9K", "5")), "pass", "K", "enemy_let_through"),
    (led("3", hands=("34567", "9K", "5")), "pass", "K", "trick_let_go"),
    (led("3", hands=("34567", "9K", "5")), "K", "pass", "pass_was_enough"),
    (led("3", hands=("34567", "9K", "567")), "K", "9", "followed_too_high"),
    (led("3", hands=("34567", "9K", "567")), "9", "K", "other_rank"),
    (led(hands=("4567", "9K2", "5")), "4", "7", "low_card"),
    (led(hands=("4567", "9K2", "567")), "4", "7", "other_rank"),
    (led(hands=("4455", "9K2", "567")), "4", "44", "other_kind"),
    (led(hands=("3456789TJQKA4", "9K2", "567")), "3456789T", "3456789TJQKA", "other_length"),
    (led(hands=("334455667789", "9", "567")), "334455", "33445566", "other_length"),
    (led(hands=("333444567", "9", "567")), "33344456", "33344457", "other_kickers"),
    (led(hands=("333456", "9K", "567")), "3334", "3336", "other_kickers"),
    (led(hands=("33345556", "9K2", "567")), "3334", "5556", "other_rank"),
    (led(hands=("333344445", "9K2", "567")), "3333", "4444", "other_bomb"),
    (led(hands=("3333LB5", "9K2", "567")), "3333", "LB", "other_bomb"),
    # An enemy of two cards follows on no straight, and one of two cards goes out on a pair.
    (led(hands=("3456789", "9K", "5")), "34567", "56789", "other_rank"),
    (led(hands=("44556677", "99", "567")), "44", "77", "low_card"),
    (led(hands=("3456733344", "9K", "5")), "34567", "33344", "other_kind"),
]


@pytest.mark.parametrize(("view", "made", "best", "why"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_words(view: View, made: str, best: str, why: str) -> None:
    assert why_of(view, move(made), move(best)) == why


def test_every_reason_has_an_example() -> None:
    assert {why for *_, why in EXAMPLES} == {*WHY} - {"bid_too_high", "bid_too_low"}
