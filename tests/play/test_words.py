"""What a person's line means."""

import random

import pytest
from hypothesis import given

from ddzbot.cards import Hand, hand_text, parse_hand
from ddzbot.rules import BOTZONE
from ddzbot.testing.strategies import hands
from tools.tables.play.words import HELP, Order, WordError, read_bid, read_move


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("334455", "334455"),
        (" 554433\n", "334455"),
        ("3, 4, 5, 6, 7", "34567"),
        ("10", "T"),
        ("1010", "TT"),
        ("10 T j J qq", "TTJJQQ"),
        ("910jqk", "9TJQK"),
        ("l", "L"),
        ("BL", "LB"),
        ("jokers", "LB"),
        ("王炸", "LB"),
        ("大王", "B"),
        ("2222 小王 大王", "2222LB"),
        ("３３４４", "3344"),
        *((line, "") for line in ("", "\n", "p", "P", "pass", " Pass \n", "过", "不要", "不出")),
    ],
)
def test_cards_and_passes_are_understood(line: str, cards: str) -> None:
    assert read_move(line) == Order("play", parse_hand(cards))


@given(hand=hands(BOTZONE, 1, 20))
def test_any_spelling_of_a_hand_is_that_hand(hand: Hand) -> None:
    dice = random.Random(hand)
    letters = [dice.choice([letter, letter.lower()]) for letter in hand_text(hand)]
    dice.shuffle(letters)
    text = "".join(
        ("10" if letter in "tT" and dice.random() < 0.5 else letter) + " " * dice.randrange(2) for letter in letters
    )
    assert read_move(text).cards == hand


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("hint", Order("hint")),
        ("moves", Order("moves")),
        ("moves plane_solo", Order("moves", rest="plane_solo")),
        ("help", Order("help")),
        ("?", Order("help")),
        ("save My Games/one.ddzn", Order("save", rest="My Games/one.ddzn")),
        ("quit", Order("quit")),
    ],
)
def test_words_are_understood_in_both_phases(line: str, order: Order) -> None:
    assert read_move(line) == order
    assert read_bid(line) == order


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("xyz", "cards 'xyz': 'X' is not a rank; ranks are 3456789TJQKA2LB: T is 10, L and B are the jokers; "),
        ("3 0", "cards '3 0': '0' is not a rank"),
        ("33333", "cards '33333': the deck has fewer 3"),
        ("quit now", "'quit now': quit stands alone"),
        ("save", "save: name a file"),
        ("[bold]", "cards '[bold]': '[' is not a rank"),
    ],
)
def test_a_line_without_meaning_is_named(line: str, sentence: str) -> None:
    with pytest.raises(WordError) as caught:
        read_move(line)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("line", "bid"),
    [("0", 0), ("3", 3), (" bid 2\n", 2), ("２分", 2), ("", 0), ("pass", 0), ("不叫", 0), ("no", 0), ("7", 7)],
)
def test_bids_are_understood(line: str, bid: int) -> None:
    assert read_bid(line) == Order("bid", bid=bid)


@pytest.mark.parametrize("line", ["three", "-1", "33 44", "2.5"])
def test_a_line_that_is_no_bid_is_named(line: str) -> None:
    with pytest.raises(WordError, match=rf"^'{line}': a bid is a number from 0 to 3"):
        read_bid(line)


def test_help_names_only_what_is_understood() -> None:
    for text, _ in HELP:
        for word in text.replace("FILE", "games.ddzn").split(" or "):
            assert isinstance(read_move(word), Order)
