"""What each model says, on views written by hand; the bomb rule has one test for each sentence of it."""

from fractions import Fraction

import pytest

from ddzbot.belief.certain import BeliefError, what_is_certain
from ddzbot.belief.fitted import NUMBERS
from ddzbot.belief.models import MODELS, Table, fitted_model, model_named, uniform
from ddzbot.belief.numbers import GROUP_NAMES, UNIT, Factors, Numbers
from ddzbot.belief.ways import Ways
from ddzbot.cards import RANK_COUNT, RANKS, count
from ddzbot.rules import MINI
from ddzbot.view import View
from tests.belief.examples import view_of

PERCENT = NUMBERS.mini_percent
SAYS_NOTHING = tuple(tuple((UNIT,) * 5 for _ in range(7)) for _ in GROUP_NAMES)
WITHOUT_MANY = "33445566778LJQKA2"
"""A hand of landlord_down with no 9, no T and one of each picture."""


def table(view: View, name: str) -> Table:
    return MODELS[name](view, what_is_certain(view))


def many(view: View, place: int, rank: str, name: str = "mini") -> Fraction:
    """The exact probability that a hidden seat (by its place in order of play) holds more than one of *rank*."""
    certain = what_is_certain(view)
    ways, number = Ways(certain.unseen, certain.sizes[0], table(view, name)), RANKS.index(rank)
    out = count(certain.unseen, number)
    held = [(out - cards if place else cards, ways.weight(number, cards)) for cards in range(out + 1)]
    return Fraction(sum(weight for cards, weight in held if cards > 1), ways.total)


def is_uniform(view: View, rank: str) -> bool:
    number = RANKS.index(rank)
    return table(view, "mini")[number] == table(view, "uniform")[number]


# uniform


def test_uniform_counts_the_assignments_of_physical_cards() -> None:
    view = view_of(1, WITHOUT_MANY, [""])
    assert table(view, "uniform")[RANKS.index("9")] == [1, 4, 6, 4, 1]
    assert table(view, "uniform")[RANKS.index("8")] == [1, 3, 3, 1, 0]


def test_uniform_puts_known_cards_where_they_are() -> None:
    view = view_of(1, WITHOUT_MANY, [""], bottom="99B")
    assert table(view, "uniform")[RANKS.index("9")] == [1, 2, 1, 0, 0]
    assert table(view, "uniform")[RANKS.index("B")] == [1, 0, 0, 0, 0]
    seen_by_up = view_of(2, WITHOUT_MANY, ["", ""], bottom="99B")
    assert table(seen_by_up, "uniform")[RANKS.index("9")] == [0, 0, 1, 2, 1]


# The rule of the mini report. landlord_down sees; landlord_up is the first hidden seat, the landlord the second.


WITHOUT = {rank: "33344455566677789TJQKA2LB".replace(rank, "")[:17] for rank in RANKS[:13]}
"""A hand without each rank that can be a bomb."""


@pytest.mark.parametrize(
    ("view", "rank", "speaks"),
    [
        # It is about every rank that can be a bomb,
        *((view_of(1, hand, [rank]), rank, True) for rank, hand in WITHOUT.items()),
        *((view_of(1, "9TTJJQKA2".replace(rank, "L"), [rank], rules=MINI), rank, True) for rank in "9KA2"),
        *((view_of(1, "333444555666777QK", [rank]), rank, False) for rank in "LB"),
        # which both others held whole: own cards that were played were not theirs,
        (view_of(1, WITHOUT_MANY, ["9"]), "9", True),
        (view_of(1, WITHOUT_MANY, ["Q"]), "Q", False),
        (view_of(1, WITHOUT_MANY[:-1], ["3", "2", "", "9"]), "2", False),
        (view_of(1, "33445566778LQKA2", ["9", "J", "Q"]), "J", False),
        # where exactly one of both has played some,
        (view_of(1, WITHOUT_MANY, [""]), "9", False),
        (view_of(1, WITHOUT_MANY, ["9", "", "T", "", "", "9"]), "9", False),
        # and more than one is out, of which the bottom says nothing.
        (view_of(1, WITHOUT_MANY, ["999T"]), "9", False),
        (view_of(1, WITHOUT_MANY, ["", "", "9", ""], bottom="99T"), "9", False),
    ],
)
def test_the_rule_speaks_only_where_the_report_says(view: View, rank: str, speaks: bool) -> None:
    assert is_uniform(view, rank) is not speaks


def test_some_of_the_rank_must_still_be_out() -> None:
    view = view_of(1, WITHOUT_MANY, ["9999"])
    assert table(view, "mini")[RANKS.index("9")] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("view", "place"),
    [
        (view_of(1, WITHOUT_MANY, ["9"]), 0),
        (view_of(1, WITHOUT_MANY, ["99"]), 0),
        (view_of(1, WITHOUT_MANY, ["", "", "9", ""]), 1),
        (view_of(0, WITHOUT_MANY + "AA2", ["", "9", ""]), 1),
    ],
)
def test_the_seat_that_played_none_holds_more_than_one_with_that_probability(view: View, place: int) -> None:
    assert many(view, place, "9") == Fraction(PERCENT, 100)


def test_players_keep_bombs_so_that_holding_many_is_likelier_than_by_chance() -> None:
    view = view_of(1, WITHOUT_MANY, ["9"])
    assert many(view, 0, "9") > many(view, 0, "9", "uniform")


def test_within_both_events_the_rule_leaves_the_cards_to_chance() -> None:
    row = table(view_of(1, WITHOUT_MANY, ["9"]), "mini")[RANKS.index("9")]
    assert row[1] == 3 * row[0]
    assert row[2] == 3 * row[3]


# fitted


def numbers(ways: Factors = SAYS_NOTHING) -> Numbers:
    return Numbers(50, ways, SAYS_NOTHING, SAYS_NOTHING)


def test_factors_of_one_say_nothing() -> None:
    view = view_of(1, WITHOUT_MANY, ["9", "", "T", "", "", "J", "Q"][:4])
    certain = what_is_certain(view)
    for spoken, still in zip(fitted_model(numbers())(view, certain), uniform(view, certain), strict=True):
        assert [cards for cards in range(5) if spoken[cards]] == [cards for cards in range(5) if still[cards]]
        assert all(spoken[cards] * still[other] == spoken[other] * still[cards] for cards in (0, 1) for other in (0, 1))


def test_a_clue_multiplies_the_weights_of_the_seat_that_gave_it() -> None:
    halved = tuple(tuple((UNIT, 500, 500, 500, 500) if way == 1 else (UNIT,) * 5 for way in range(7)) for _ in range(5))
    view = view_of(1, WITHOUT_MANY, ["9"])
    row = fitted_model(numbers(ways=halved))(view, what_is_certain(view))[RANKS.index("9")]
    assert [weight // row[3] for weight in row[:4]] == [0, 1, 1, 1]
    assert [2 * row[0], 2 * row[1] // 3, 2 * row[2] // 3] == [row[3]] * 3


def test_a_seat_that_played_a_solo_rarely_kept_another() -> None:
    view = view_of(1, WITHOUT_MANY, ["9"])
    assert many(view, 1, "9", "fitted") < many(view, 1, "9", "uniform") / 2


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_a_weight_for_every_possible_count_and_for_no_other(name: str) -> None:
    view = view_of(1, WITHOUT_MANY, ["9", "", "TT", "", "", "", "Q"], bottom="9QQ")
    for row, still in zip(table(view, name), table(view, "uniform"), strict=True):
        assert [weight > 0 for weight in row] == [weight > 0 for weight in still]


def test_the_fitted_numbers_have_a_factor_for_every_clue() -> None:
    for tables, clues in ((NUMBERS.ways, 7), (NUMBERS.solos, 3), (NUMBERS.pairs, 3)):
        assert [[len(row) for row in group] for group in tables] == [[5] * clues] * len(GROUP_NAMES)
        assert min(factor for group in tables for row in group for factor in row) >= 1


def test_every_model_is_found_by_its_name() -> None:
    assert list(MODELS) == ["uniform", "mini", "fitted"]
    assert [model_named(name) for name in MODELS] == list(MODELS.values())
    assert len(table(view_of(1, WITHOUT_MANY, [""]), "fitted")) == RANK_COUNT


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(BeliefError, match="model 'oracle' is unknown; there are uniform, mini, fitted"):
        model_named("oracle")
