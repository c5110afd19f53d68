"""Transcripts of the championship's protocol, as one engine sees a game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot.cards import CARD_IDS, Hand, ids_for, parse_hand
from ddzbot.game import SEATS, Game, fits
from ddzbot.rules import ICGA
from ddzbot.testing.strategies import games
from tools.records.check import problems_of
from tools.records.files import records_of
from tools.records.record import RecordError, record_of
from tools.records.text import record_text
from tools.records.text_reader import parse_record

LETTERS = "ABC"

OPENING = """\
> DOUDIZHUVER 1.0
< NAME North Wind
> INFO 1,4,1,6,9,2100,15
< OK INFO
> DEAL B0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
< OK DEAL
> BID A0
< OK BID
> BID WHAT
< BID B3
> LEFTOVER B51,52,53
< OK LEFTOVER
> PLAY WHAT
< PLAY B0,1,2,3
> PLAY C-1
< OK PLAY
> PLAY A-1
< OK PLAY
"""


def some_ids(held: list[int], cards: Hand) -> list[int]:
    chosen = ids_for(held, cards)
    for card_id in chosen:
        held.remove(card_id)
    return chosen


def listed(ids: list[int]) -> str:
    return ",".join(map(str, ids)) or "-1"


def transcript(game: Game, own: int) -> str:
    """Writes what the engine at position *own* hears and says in a game, the seats being A, B and C by position."""
    record = record_of(game)
    deck = list(range(CARD_IDS))
    dealt = [some_ids(deck, hand) for hand in record.deal.hands]
    bottom = some_ids(deck, record.deal.bottom)
    lines = ["DOUDIZHUVER 1.0", "NAME us", "INFO 1,1,1,1,1,2100", "OK INFO", f"DEAL {LETTERS[own]}{listed(dealt[own])}"]
    for position, bid in enumerate(game.bids):
        lines += ["BID WHAT"] if position == own else []
        lines += [f"BID {LETTERS[position]}{bid}"]
    first = game.landlord_position
    lines += [f"LEFTOVER {LETTERS[first]}{listed(bottom)}"]
    dealt[first] += bottom
    for ply, move in enumerate(game.plays):
        position = (first + ply) % SEATS
        lines += ["PLAY WHAT"] if position == own else []
        lines += [f"PLAY {LETTERS[position]}{listed(some_ids(dealt[position], move.cards))}"]
    if game.winner is not None:
        lines += [f"GAMEOVER {LETTERS[(first + game.winner) % SEATS]}", "OK GAMEOVER", "EXIT"]
    return "\n".join(lines)


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        records_of(text, "icga")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@given(data=st.data())
def test_a_game_seen_from_one_seat_is_the_game_with_two_hands_unknown_or_deduced(data: st.DataObject) -> None:
    game = data.draw(games(ICGA))
    own = data.draw(st.integers(0, 2))
    seen = records_of(transcript(game, own), "icga")[0]
    whole = record_of(game)
    assert seen.moves == whole.moves
    assert (seen.bids, seen.bottom, seen.landlord_position) == (whole.bids, whole.bottom, whole.landlord_position)
    assert seen.hands[own] == whole.hands[own]
    assert all(hand in (None, whole.hands[position]) for position, hand in enumerate(seen.hands))
    assert problems_of(seen) == []
    assert parse_record(record_text(seen)) == seen


@settings(max_examples=15)
@given(data=st.data())
def test_when_another_seat_goes_out_all_hands_are_known(data: st.DataObject) -> None:
    game = data.draw(games(ICGA, finished=True))
    winner = (game.landlord_position + (game.winner or 0)) % SEATS
    seen = records_of(transcript(game, (winner + 1) % SEATS), "icga")[0]
    assert fits(seen.deal)
    assert seen.hands == record_of(game).hands


def test_the_opening_of_a_deal_becomes_a_record() -> None:
    record = records_of(OPENING, "icga")[0]
    assert record.names == ("seat A", "North Wind", "seat C")
    assert record.tags == {"Info": "1,4,1,6,9,2100,15"}
    assert (record.bids, record.landlord_position) == ((0, 3), 1)
    assert record.hands == (None, parse_hand("33334444555566667"), None)
    assert record.bottom == parse_hand("2LB")
    assert [move.cards for move in record.moves] == [parse_hand("3333"), 0, 0]
    assert record.result.termination == "unfinished"


def test_the_marks_of_the_two_sides_are_optional_and_several_deals_are_several_records() -> None:
    assert records_of(OPENING.replace("> ", "").replace("< ", ""), "icga") == records_of(OPENING, "icga")
    assert records_of(OPENING + OPENING, "icga") == records_of(OPENING, "icga") * 2


def test_the_first_bidder_is_position_0() -> None:
    text = "DEAL B0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\nBID C1\nBID A0\nBID WHAT\nBID B2\nLEFTOVER B51,52,53"
    record = records_of(text, "icga")[0]
    assert (record.bids, record.landlord_position) == ((1, 0, 2), 2)
    assert record.names == ("seat C", "seat A", "seat B")


def test_the_end_is_what_the_transcript_says_and_what_the_moves_do_not_tell_is_a_problem() -> None:
    record = records_of(OPENING + "GAMEOVER C\n", "icga")[0]
    assert record.result.winner == "peasants"
    assert problems_of(record) == ["the record says 'landlord_down out', but every hand has cards"]
    result = records_of(OPENING + "ERROR C\nOK ERROR\nGAMEOVER B\n", "icga")[0].result
    assert (result.winner, result.termination) == ("landlord", "fault: ERROR by position 2")


def test_a_deal_without_a_bid_has_no_landlord() -> None:
    text = "DEAL A0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\nBID WHAT\nBID A0\nBID B0\nBID C0\nGAMEOVER D\n"
    record = records_of(text, "icga")[0]
    assert (record.bids, record.landlord_position, record.result.termination) == ((0, 0, 0), None, "nobody bid")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("> DEAL B0,", "> DEAL D0,", "line 5 'DEAL D0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16': 'D' is not a seat"),
        ("> DEAL B0,", "> DEAL Bx,", "is not a list of card ids"),
        ("> DEAL B0,1", "> DEAL B0,60", "card id 60 is not an integer from 0 to 53"),
        ("> BID A0", "> BID A4", "line 7 'BID A4': '4' is not a bid after []"),
        ("< BID B3", "< BID C3", "line 10 'BID C3': the bid of B must come first"),
        ("< BID B3", "< BID B1\n> BID C0\n> BID A2", "line 12 'BID A2': the auction is over"),
        ("> LEFTOVER B", "> LEFTOVER C", "the bids [0, 3], from A on, do not make C the landlord"),
        ("> LEFTOVER B51,52,53", "", "line 14 'PLAY B0,1,2,3': there is no landlord yet"),
        ("> PLAY C-1", "> LEFTOVER B51,52,53", "there is a landlord already"),
        ("< PLAY B0,1,2,3\n", "", "line 14 'PLAY C-1': it is the turn of B, whose own answer is missing"),
        ("> PLAY C-1", "> PLAY A-1", "line 15 'PLAY A-1': it is the turn of C"),
        ("> PLAY C-1", "> PLAY C", "line 15 'PLAY C': '' is not a list of card ids"),
        ("> PLAY C-1", "> DANCE C", "line 15 'DANCE C': DANCE is not a word of the protocol"),
        ("> DEAL B", "> PLAY B", "line 5 'PLAY B0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16': no hand has been dealt"),
    ],
)
def test_a_wrong_line_is_named(old: str, new: str, sentence: str) -> None:
    assert old in OPENING
    assert sentence in refusal(OPENING.replace(old, new, 1))
