"""The clues that moves give."""

import pytest

from ddzbot.belief.clues import SKIPS, WAYS, Clues, read_clues
from ddzbot.cards import RANKS, parse_hand
from ddzbot.rules import PASS, STANDARD, Move, read_move


def clues_after(*plays: str) -> tuple[Clues, Clues, Clues]:
    return read_clues([read_move(STANDARD, parse_hand(cards)) if cards else PASS for cards in plays])


def way(clues: Clues, rank: str) -> str:
    return WAYS[clues.ways[RANKS.index(rank)]]


def skipped(skips: list[int], word: str) -> str:
    return "".join(RANKS[rank] for rank, skip in enumerate(skips) if SKIPS[skip] == word)


@pytest.mark.parametrize(
    ("cards", "rank", "expected"),
    [
        ("5", "5", "solo"),
        ("55", "5", "pair"),
        ("555", "5", "trio or more"),
        ("5557", "5", "trio or more"),
        ("5557", "7", "kicker"),
        ("55577", "7", "pair"),
        ("34567", "5", "solo chain"),
        ("334455", "5", "pair chain"),
        ("333444", "4", "trio or more"),
        ("5555", "5", "trio or more"),
        ("LB", "L", "solo"),
        ("34567", "8", "not played"),
    ],
)
def test_the_way_is_how_a_rank_was_played(cards: str, rank: str, expected: str) -> None:
    assert way(clues_after(cards)[0], rank) == expected


def test_the_last_way_counts() -> None:
    assert way(clues_after("33", "", "", "34567")[0], "3") == "solo chain"


def test_each_seat_has_its_own_clues() -> None:
    landlord, down, up = clues_after("5", "9", "")
    assert [way(each, "9") for each in (landlord, down, up)] == ["not played", "solo", "not played"]
    assert [each.played[RANKS.index("9")] for each in (landlord, down, up)] == [0, 1, 0]


def test_a_lead_goes_past_every_lower_rank() -> None:
    landlord = clues_after("6")[0]
    assert skipped(landlord.solos, "led above") == "345"
    assert skipped(landlord.pairs, "led above") == ""


def test_an_answer_goes_past_the_ranks_between() -> None:
    down = clues_after("55", "99")[1]
    assert skipped(down.pairs, "answered above") == "678"
    assert skipped(down.solos, "answered above") == ""


def test_an_answer_over_a_pass_counts_from_the_move_on_the_table() -> None:
    up = clues_after("5", "", "8")[2]
    assert skipped(up.solos, "answered above") == "67"


def test_the_last_skip_counts() -> None:
    assert skipped(clues_after("6", "9", "", "J", "", "", "4")[0].solos, "led above") == "345"
    assert skipped(clues_after("6", "9", "", "J", "", "", "4")[0].solos, "answered above") == "T"


def test_a_bomb_on_a_solo_goes_past_nothing() -> None:
    down = clues_after("5", "9999")[1]
    assert skipped(down.solos, "answered above") == ""


def test_a_move_that_no_rule_knows_still_plays_its_cards() -> None:
    landlord = read_clues([Move(parse_hand("3345"), 18, -1, 0)])[0]
    assert [way(landlord, rank) for rank in "3456"] == ["pair", "kicker", "kicker", "not played"]
