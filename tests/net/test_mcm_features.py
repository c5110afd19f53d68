"""Features mcm-1: hand-made examples, and the batch against single positions. They are frozen, as is their hash."""

import hashlib
import random
from collections.abc import Sequence

import numpy as np
import pytest

from ddzbot.cards import RANKS, hand_of_counts, parse_hand
from ddzbot.net.mcm_features import Layers, layers, planes
from ddzbot.rules import KIND_NAMES, PASS, UNKNOWN, Move, parse_move, rule_set
from ddzbot.view import View
from tests.net.oracles import planes_of
from tests.net.positions import random_views

RULES = rule_set("botzone")
Cell = tuple[int, int, str]


def view_after(texts: Sequence[str], seat: int, hand: str = "3") -> View:
    plays = tuple(parse_move(RULES, text) for text in texts)
    return View(RULES, seat, parse_hand(hand), 0, (), 1, 0, plays)


def cells_of(view: View, move: Move) -> set[Cell]:
    """The cells that are set, as layer, row and rank."""
    cells = np.frombuffer(planes_of(layers(view, move)), np.uint8).reshape(29, 15, 15)
    assert set(np.unique(cells)) <= {0, 1}
    return {(int(layer), int(row), RANKS[rank]) for layer, row, rank in np.argwhere(cells)}


def landlord_row(layer: int) -> set[Cell]:
    return {(layer, 14, rank) for rank in RANKS}


def test_the_first_lead_has_the_move_and_the_hand() -> None:
    assert cells_of(view_after([], 0, "3344456B"), parse_move(RULES, "33")) == {
        *{(27, 1, "3"), (27, 5, "3"), *landlord_row(27)},
        *{(28, 1, "3"), (28, 2, "4"), (28, 0, "5"), (28, 0, "6"), (28, 0, "B")},
    }


def test_the_newest_moves_stand_in_the_last_layers() -> None:
    view = view_after(["33", "55", "pass", "77"], 1, "8")
    assert cells_of(view, PASS) == {
        *{(26, 1, "7"), (26, 5, "7"), *landlord_row(26)},
        *{(24, 1, "5"), (24, 5, "5")},
        *{(23, 1, "3"), (23, 5, "3"), *landlord_row(23)},
        (28, 0, "8"),
    }


def test_moves_before_the_last_eight_are_added_up_as_counts() -> None:
    view = view_after(["33", "4", "5", "3", *["pass"] * 23], 0, "8")
    record = layers(view, PASS)
    assert record.words[:3] == [parse_hand("33"), parse_hand("4"), parse_hand("5")]
    assert record.words[3] == parse_hand("3")
    assert {cell for cell in cells_of(view, PASS) if cell[0] < 3} == {(0, 1, "3"), (1, 0, "4"), (2, 0, "5")}


@pytest.mark.parametrize(("seat", "owners"), [(0, (0, 1, 2)), (1, (1, 2, 0)), (2, (2, 0, 1))])
def test_layers_come_as_me_next_and_previous(seat: int, owners: tuple[int, int, int]) -> None:
    played = ["3", "4", "5"]
    texts = [*played, *["pass"] * (21 + seat), *played[seat:], *played[:seat]]
    record = layers(view_after(texts, seat), PASS)
    for start in (0, 24):
        assert record.words[start : start + 3] == [parse_hand(played[owner]) for owner in owners]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("2", {(0, "2"), (4, "2")}),
        ("2222", {(3, "2"), (12, "2")}),
        ("LB", {(0, "L"), (0, "B"), (13, "L"), (13, "B")}),
        ("888", {(2, "8"), (6, "8")}),
        ("8889", {(2, "8"), (7, "8"), (0, "9"), (7, "9")}),
        ("88899", {(2, "8"), (8, "8"), (1, "9"), (8, "9")}),
        ("34567", {*((0, rank) for rank in "34567"), *((9, rank) for rank in "34567")}),
        ("334455", {*((1, rank) for rank in "345"), *((10, rank) for rank in "345")}),
        ("333444", {*((2, rank) for rank in "34"), *((11, rank) for rank in "34")}),
    ],
)
def test_the_ten_kinds_of_the_patent_have_one_row_each(text: str, cells: set[tuple[int, str]]) -> None:
    shown = cells_of(view_after([], 1, ""), parse_move(RULES, text))
    assert shown == {(27, row, rank) for row, rank in cells}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("33344456", (7, 11)),
        ("3334445566", (8, 11)),
        ("333345", (7,)),
        ("33334455", (8,)),
        ("33334444", (11,)),
        ("3333444456", (7, 11)),
        ("333344445566", (8, 11)),
    ],
)
def test_other_kinds_are_put_together(text: str, rows: tuple[int, ...]) -> None:
    shown = cells_of(view_after([], 1, ""), parse_move(RULES, text))
    counted = {(27, text.count(rank) - 1, rank) for rank in set(text)}
    assert shown == counted | {(27, row, rank) for row in rows for rank in set(text)}


def test_an_unknown_move_is_shown_by_its_counts() -> None:
    view = View(RULES, 1, parse_hand("3"), 0, (), 1, 0, (Move(parse_hand("345"), UNKNOWN, -1, 0),))
    assert {cell for cell in cells_of(view, PASS) if cell[0] == 26} == {
        *((26, 0, rank) for rank in "345"),
        *landlord_row(26),
    }


@pytest.mark.parametrize("rules", ["botzone", "mini", "standard"])
def test_the_batch_shows_the_same_as_its_reference(rules: str) -> None:
    records = [layers(view, move) for view in random_views(100, rules) for move in view.legal_moves()[:20]]
    words, kinds, landlord = zip(*records, strict=True)
    batch = planes(np.array(words, "u8"), np.array(kinds, "u1"), np.array(landlord, "u1"))
    assert (batch.shape, batch.dtype) == ((len(records), 29, 15, 15), np.uint8)
    assert [cells.tobytes() for cells in batch] == [planes_of(record) for record in records]


def test_the_cells_are_frozen() -> None:
    chance, digest = random.Random(1), hashlib.sha256()
    for _ in range(100):
        words = [hand_of_counts(chance.choices(range(5), (16, 4, 2, 1, 1), k=15)) for _ in range(29)]
        kinds = [chance.randrange(len(KIND_NAMES)) for _ in words]
        digest.update(planes_of(Layers(words, kinds, [chance.randrange(2) for _ in words])))
    assert digest.hexdigest()[:12] == "e0c83ea51aeb"
