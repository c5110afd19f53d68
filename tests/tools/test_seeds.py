"""Seeds of deals and players: stable, readable, never shared by accident."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.shared.seeds import GATE, REPORT, TRAIN, DealSeed, deal_seed, parse_deal_seed, player_seed

WORDS = st.one_of(st.sampled_from([TRAIN, GATE, REPORT]), st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True))
NUMBERS = st.integers(0, 10**12)
NAMES = st.tuples(NUMBERS, WORDS, NUMBERS)


def test_deal_seed_is_namespace_root_and_index() -> None:
    assert deal_seed(1, "report", 123) == "report/1/000123"
    assert deal_seed(20, "train", 12345678) == "train/20/12345678"


@given(NAMES)
def test_deal_seed_can_be_read_back(name: tuple[int, str, int]) -> None:
    root, namespace, index = name
    assert parse_deal_seed(deal_seed(*name)) == DealSeed(namespace, root, index)


@given(NAMES, NAMES)
def test_two_deals_never_share_a_seed(one: tuple[int, str, int], other: tuple[int, str, int]) -> None:
    assert (deal_seed(*one) == deal_seed(*other)) == (one == other)


@pytest.mark.parametrize(
    "text",
    ["", "report", "report/1", "report/1/123", "report/01/000123", "report/1/0000123", "Report/1/000123",
     "report/1/000123/0", "report/1/-00123", "report/1/000123\n", "a/b/1/000123", "report/1/٠٠٠١٢٣"],
)  # fmt: skip
def test_only_texts_that_deal_seed_writes_are_read(text: str) -> None:
    with pytest.raises(ValueError, match="must look like 'report/1/000123'") as caught:
        parse_deal_seed(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("root", "namespace", "index", "sentence"),
    [
        (1, "two words", 0, "namespace 'two words' must be a lower-case word, such as 'report'"),
        (1, "", 0, "namespace '' must be a lower-case word, such as 'report'"),
        (-1, "report", 0, "root -1 of a deal must not be negative"),
        (1, "report", -5, "index -5 of a deal must not be negative"),
    ],
)
def test_a_bad_deal_gets_a_sentence(root: int, namespace: str, index: int, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        deal_seed(root, namespace, index)
    assert str(caught.value) == sentence


def test_player_seed_never_changes() -> None:
    assert player_seed("report/1/000123", 0, 2) == 1_766_862_665_450_903_965


def test_every_player_of_a_match_draws_another_seed() -> None:
    drawn = {
        player_seed(deal_seed(1, namespace, index), game, seat)
        for namespace in (GATE, REPORT)
        for index in range(50)
        for game in range(6)
        for seat in range(3)
    }
    assert len(drawn) == 2 * 50 * 6 * 3
    assert all(0 <= seed < 2**63 for seed in drawn)


@pytest.mark.parametrize(
    ("game", "seat", "sentence"), [(-1, 0, "game -1 of a set must not be negative"), (0, 3, "seat 3 must be 0, 1 or 2")]
)
def test_a_bad_player_gets_a_sentence(game: int, seat: int, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        player_seed("report/1/000123", game, seat)
    assert str(caught.value) == sentence
