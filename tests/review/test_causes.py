"""Where the points of lost games went: every mistake has one role, one part of the game and one kind."""

from collections.abc import Sequence

import pytest

from ddzbot.rules import PASS
from tests.search.positions import endgame, move_of
from tools.study.review.causes import KIND_OF, KINDS, LISTS, WORDS, Share, causes, ply_of
from tools.study.review.decisions import phase_of
from tools.study.review.model import PHASES, WHY, Bid, Review


def mistake(game: int, ply: int, cost: float, why: str = "other_kind", **others: object) -> Review:
    known = Review(
        game=game, ply=ply, phase="middle", seat=ply % 3, name="rule", made=move_of("3"), best=PASS, loss=cost / 2,
        error=0.0, points=False, win_loss=cost / 2, points_loss=cost, cost=cost, mark="mistake", proved=False, why=why,
    )  # fmt: skip
    return known._replace(**others)  # type: ignore[arg-type]


FOUND = [
    mistake(0, 3, 1.0),
    mistake(0, 6, 0.5, "other_kickers", phase="ending"),
    mistake(1, 4, 0.75, "bomb_held_back"),
    mistake(2, 5, 0.25, "trick_let_go", phase="opening"),
    mistake(3, 0, 2.5, "bid_too_high", phase="auction", made=Bid(3), best=Bid(0)),
    mistake(4, 9, 0.3),
    mistake(5, 12, 0.2),
    mistake(6, 7, 0.05, mark="", why=""),
]


def test_the_shares_of_every_list_add_up_to_what_the_mistakes_cost() -> None:
    found = causes(FOUND)
    assert (found.decisions, found.mistakes, found.points, found.small) == (8, 7, pytest.approx(5.5), 0.05)
    for shares in found.shares.values():
        assert sum(one.points for one in shares) == pytest.approx(found.points)
        assert sum(one.mistakes for one in shares) == found.mistakes
        assert sum(found.percent(one.points) for one in shares) == pytest.approx(100)


def named(shares: Sequence[Share]) -> list[tuple[str, float]]:
    return [(one.name, round(one.points, 4)) for one in shares]


def test_each_list_has_its_names_in_order_and_kinds_the_costliest_first() -> None:
    shares = causes(FOUND).shares
    assert named(shares["role"]) == [("landlord", 4.5), ("landlord_down", 0.75), ("landlord_up", 0.25)]
    assert named(shares["phase"]) == [("auction", 2.5), ("opening", 0.25), ("middle", 2.25), ("ending", 0.5)]
    assert named(shares["kind"]) == [("bid_too_high", 2.5), ("form", 2.0), ("bomb", 0.75), ("passed", 0.25)]


def test_the_three_costliest_games_of_a_share_are_named_by_their_worst_mistake() -> None:
    (form,) = (one for one in causes(FOUND).shares["kind"] if one.name == "form")
    assert [(one.game, ply_of(one)) for one in form.worst] == [(0, 4), (4, 10), (5, 13)]
    assert [ply_of(one) for one in causes(FOUND).shares["kind"][0].worst] == [0]
    assert causes(FOUND).games == [0, 1, 2, 3, 4, 5]


def test_what_to_work_at_first_is_the_costliest_kind_and_where_it_cost_most() -> None:
    assert causes(FOUND).first == ("bid_too_high", "landlord", "auction")
    assert causes(FOUND[:3]).first == ("form", "landlord", "middle")
    none = causes(FOUND[-1:])
    assert (none.first, none.points, none.percent(0.0), none.games) == (None, 0, 0.0, [])


def test_where_the_costliest_kind_cost_most_is_not_where_all_mistakes_did() -> None:
    form = [mistake(game, 4, 1.0, seat=1, phase="ending") for game in range(3)]
    others = [mistake(3, 3, 2.0, "bomb_held_back"), mistake(4, 3, 2.0, "trick_let_go")]
    assert causes([*form, *others]).first == ("form", "landlord_down", "ending")
    assert named(causes([*form, *others]).shares["role"]) == [("landlord", 4.0), ("landlord_down", 3.0)]


def test_few_games_do_not_tell_which_kind_costs_most() -> None:
    assert causes([mistake(0, 3, 1.0)]).close is None
    assert causes([mistake(0, 3, 1.0), mistake(1, 3, 0.5, "bomb_held_back")]).close == "bomb"
    # Ten games with 1 point each stand 3 standard errors above nothing, four stand 2 above it.
    leads = [mistake(game, 3, 1.0) for game in range(10)]
    other = mistake(10, 3, 0.25, "bomb_held_back")
    assert (causes([*leads, other]).close, causes([*leads[:4], other]).close) == (None, "bomb")


def test_every_reason_of_a_review_is_of_one_kind() -> None:
    assert KIND_OF.keys() == WHY.keys() and sum(map(len, KINDS.values())) == len(WHY)
    assert WORDS.keys() == {name for names in LISTS.values() for name in names}


@pytest.mark.parametrize(
    ("played", "cards", "phase"),
    [
        ("", "3456789TJ", "opening"),
        ("3 4 5", "3456789TJ", "opening"),
        ("3 pass pass 4 pass pass", "3456789TJ", "opening"),
        ("3 pass pass 4 pass pass 5", "3456789TJ", "opening"),
        ("3 pass pass 4 pass pass 5 pass pass", "3456789TJ", "middle"),
        ("3 pass pass 4 pass pass 5 pass pass", "3456789T", "ending"),
        ("", "3456789T", "ending"),
    ],
)
def test_parts_of_a_game(played: str, cards: str, phase: str) -> None:
    plays = tuple(PASS if text == "pass" else move_of(text) for text in played.split())
    view = endgame((cards, cards, cards), 0, ())._replace(plays=plays)
    assert phase_of(view) == phase and phase in PHASES
