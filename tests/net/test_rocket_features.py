"""Features rocket-1: hand-made examples. They are frozen, so that a hash is too."""

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from ddzbot import less_split
from ddzbot.cards import RANKS, parse_hand
from ddzbot.net.rocket_features import KIND_ROWS, planes, rounds_left, row_of, state_arrays, state_of
from ddzbot.net.rocket_kickers import kicker_columns, kicker_planes, kicker_question
from ddzbot.net.rocket_moves import OUTPUTS
from ddzbot.rules import BOTZONE, ICGA, KIND_NAMES, PASS_KIND, TRIO_SOLO, UNKNOWN, RuleSet, parse_move
from ddzbot.split import fewest_moves
from ddzbot.view import View
from tests.net.positions import random_views

HAND = parse_hand("3455567899TTQKA")
PLAYS = ("33344456", "pass", "pass", "77", "88", "pass", "pass")
ALL = RANKS


def view_after(
    texts: Sequence[str], seat: int, hand: int = HAND, bottom: str = "3KB", rules: RuleSet = BOTZONE
) -> View:
    plays = tuple(parse_move(rules, text) for text in texts)
    return View(rules, seat, hand, parse_hand(bottom), (), 1, 0, plays)


def shown(cells: np.ndarray) -> dict[tuple[int, int], str]:
    """The ranks that are set, by plane and row."""
    assert set(np.unique(cells)) <= {0, 1}
    found: dict[tuple[int, int], str] = {}
    for plane, row, rank in np.argwhere(cells):
        found[int(plane), int(row)] = found.get((int(plane), int(row)), "") + RANKS[rank]
    return found


def of_view(view: View) -> dict[tuple[int, int], str]:
    return shown(planes(state_arrays([state_of(view)]))[0])


def plane(found: dict[tuple[int, int], str], number: int) -> dict[int, str]:
    return {row: ranks for (where, row), ranks in found.items() if where == number}


def test_the_history_has_bodies_and_kickers_of_the_last_moves() -> None:
    found = of_view(view_after(PLAYS, 1))
    assert {where: ranks for where, ranks in found.items() if where[0] < 18} == {
        (11, 8): "34",
        (11, 0): "56",  # the landlord plays before landlord_down: previous, three moves ago
        (14, 1): "7",
        (15, 1): "8",
    }


def test_the_hand_has_the_bodies_of_what_it_could_lead() -> None:
    assert plane(of_view(view_after(PLAYS, 1)), 18) == {
        0: "3456789TQKA",
        1: "59T",
        2: "5",
        5: "3456789T",
        6: "5",
        7: "5",
    }


def test_the_state_has_cards_sizes_seat_bottom_rounds_and_table() -> None:
    assert plane(of_view(view_after(PLAYS, 1)), 19) == {
        0: "6789TJQKA2LB",
        1: "69TJQKA2",
        2: "JQKA2",
        3: "J2",
        4: ALL,
        6: ALL,
        7: "34",
        8: "3456789TJQ",  # 15, 17 and 10 cards
        11: ALL,
        13: "KB",
        16: "3456789",  # seven rounds left: 3456789T, 55, 9, T, Q, K, A
    }


def test_what_brings_the_hand_nearer_to_its_end_has_its_lowest_ranks() -> None:
    lead = plane(of_view(view_after(PLAYS, 1)), 20)
    assert lead == {0: "9TQKA", 1: "59T", 5: "3"}
    follow = plane(of_view(view_after(["33"], 1, bottom="")), 20)
    assert follow == {1: "59T"}
    assert plane(of_view(view_after(["34567"], 1, bottom="")), 20) == {}  # a chain of five here costs a round


def test_the_move_to_beat_has_an_owner_and_a_lead_has_none() -> None:
    rows = [plane(of_view(view_after(texts, 1)), 19) for texts in (["33"], ["33", "44", "55"], PLAYS)]
    assert [(17 in row, 18 in row) for row in rows] == [(False, True), (True, False), (False, False)]


def test_with_one_kicker_the_rounds_left_are_exact() -> None:
    for view in random_views(60):
        state = state_of(view)
        rounds, nearer = rounds_left(state)
        assert rounds == fewest_moves(view.rules, view.hand)
        for main in state.legal:
            if main.kickers == 1:
                rests = {view.hand - main.body - kicker for kicker in main.choice(view.hand)}
                assert (main in nearer) == (min(fewest_moves(view.rules, rest) for rest in rests) < rounds)


def test_without_the_kernel_they_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [state_of(view) for view in random_views(40)]
    expected = planes(state_arrays(states))
    monkeypatch.setattr(less_split, "native", lambda: None)
    assert (planes(state_arrays(states)) == expected).all()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        *[("3", {0: "3"}), ("33", {1: "3"}), ("333", {2: "3"}), ("333345", {3: "3", 0: "45"}), ("334455", {4: "345"})],
        *[("34567", {5: "34567"}), ("3334", {6: "3", 0: "4"}), ("33344", {7: "3", 1: "4"})],
        *[("33344456", {8: "34", 0: "56"}), ("3334445566", {9: "34", 1: "56"}), ("333444", {10: "34"})],
        *[("3333", {11: "3"}), ("LB", {12: "LB"}), ("333444555678", {13: "345", 0: "678"})],
        *[("333444555667788", {14: "345", 1: "678"}), ("333444555666789T", {15: "3456", 0: "789T"})],
        *[("333444555666778899TT", {16: "3456", 1: "789T"}), ("33344455566677789TJQ", {17: "34567", 0: "89TJQ"})],
        *[("33334455", {18: "3", 1: "45"}), ("33334444", {11: "34"}), ("3333444456", {11: "34", 0: "56"})],
    ],
)
def test_every_kind_has_its_row(text: str, rows: dict[int, str]) -> None:
    assert plane(of_view(view_after([text], 1, hand=parse_hand("K"), bottom="")), 17) == rows


def test_the_19_rows_are_all_of_the_kinds() -> None:
    rows = {row_of(kind, length) for kind, _, length in OUTPUTS if kind != PASS_KIND}
    assert rows == set(range(19))
    assert {*KIND_ROWS, *(kind for kind, _, _ in OUTPUTS)} == {*range(len(KIND_NAMES))}
    assert KIND_ROWS[UNKNOWN] == 0


def test_a_kicker_question_shows_what_may_be_chosen() -> None:
    view = view_after(PLAYS, 1)
    state = state_of(view)
    main = next(main for main in state.can if main.kind == TRIO_SOLO)
    choice = main.choice(view.hand)
    found = shown(kicker_planes(kicker_columns([kicker_question(state, main, choice, [])]))[0])
    assert plane(found, 0) == {1: "349TQKA", 3: ALL, 5: "346789TQKA", 6: "9T"}
    assert plane(found, 1) == {0: "346789TQKA", 1: "5", 2: "3", 3: "3", 5: "3456789", 6: ALL, 7: "3456789TJQ", 8: ALL}
    assert plane(found, 2) == {0: "6789TJQKA2LB", 1: "69TJQKA2", 2: "JQKA2", 3: "J2", 4: "6789T", 8: "KB"}


def test_many_states_are_those_of_each() -> None:
    states = [state_of(view) for view in random_views(40)]
    together = planes(state_arrays(states))
    assert all((planes(state_arrays([state]))[0] == cells).all() for state, cells in zip(states, together, strict=True))


def test_the_features_are_frozen() -> None:
    digest = hashlib.sha256()
    for rules in ("botzone", "standard", "icga", "mini"):
        states = [state_of(view) for view in random_views(60, rules)]
        digest.update(planes(state_arrays(states)).tobytes())
        questions = [
            kicker_question(state, main, main.choice(state.hand)[1:], main.choice(state.hand)[:1])
            for state in states
            for main in state.legal
            if main.kickers > 1
        ]
        if questions:
            digest.update(kicker_planes(kicker_columns(questions)).tobytes())
    assert digest.hexdigest()[:16] == "226141350ddd5aa0"


def test_a_move_without_a_reading_is_shown_as_solos() -> None:
    odd = parse_move(BOTZONE, "33")._replace(cards=parse_hand("3345"), kind=UNKNOWN, rank=-1, length=0)
    view = view_after([], 1, bottom="", rules=ICGA)._replace(plays=(odd,))
    assert plane(of_view(view), 17) == {0: "345"}
