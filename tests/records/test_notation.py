"""The one-line notations: they come back unchanged, a game continues from them, and mistakes are named."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot.cards import hand_text, parse_hand
from ddzbot.game import Game
from ddzbot.rules import RULE_SETS, Move, RuleSet, read_move, rule_set
from ddzbot.testing.strategies import bids, games, hands, views
from ddzbot.view import BidView, View
from tests.records.some_records import EXAMPLE
from tools.records.notation import NotationError, parse_position, parse_view, position_text, view_text
from tools.records.record import record_of
from tools.records.text_reader import parse_record

RULES = st.sampled_from(list(RULE_SETS.values()))
GAME = parse_record(EXAMPLE)
MIDDLE = "botzone2 5TJJQKAAA222/3344QQKKK2/345699QAB 722 013@2 T:2 0 345678,L,7/56789T,8/6789TJ,J,T"
PUZZLE = "standard 4667788QK2/334455QK2/9 ? -@0 - 0 -/-/-"


def go_on(game: Game, moves: tuple[Move, ...]) -> Game:
    for move in moves:
        game = game.play(move)
    return game


@given(rules=RULES, data=st.data())
def test_position_of_any_game_comes_back(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    again = parse_position(position_text(game))
    assert position_text(again) == position_text(game)
    assert again.hands == game.hands
    assert (again.seat, again.bids, again.landlord_position) == (game.seat, game.bids, game.landlord_position)
    assert again.finished == game.finished
    assert game.finished or again.legal_moves() == game.legal_moves()


@given(rules=RULES, data=st.data())
def test_a_game_that_continues_from_a_position_is_scored_like_the_whole_game(
    rules: RuleSet, data: st.DataObject
) -> None:
    game = data.draw(games(rules, finished=True))
    cut = data.draw(st.integers(0, len(game.plays)))
    middle = record_of(game).game(cut)
    assert go_on(parse_position(position_text(middle)), game.plays[cut:]).scores() == game.scores()


@given(rules=RULES, data=st.data())
def test_any_view_comes_back(rules: RuleSet, data: st.DataObject) -> None:
    view = data.draw(views(rules))
    again = parse_view(view_text(view))
    assert view_text(again) == view_text(view)
    assert isinstance(again, View)
    assert again._replace(plays=()) == view._replace(plays=())
    assert [move.cards for move in again.plays] == [move.cards for move in view.plays]


@settings(max_examples=15)
@given(data=st.data())
def test_any_view_of_an_auction_comes_back(data: st.DataObject) -> None:
    rules = rule_set("icga")
    view = BidView(rules, data.draw(hands(rules, 17, 17)), data.draw(bids(over=False)))
    assert parse_view(view_text(view)) == view


def test_a_view_tells_the_bids_its_seat_heard_and_a_stake_that_they_do_not() -> None:
    assert view_text(View.of(GAME.game(1), 1)).split(" ")[4] == "0?3@2"
    view = GAME.view(1, 1)._replace(bids=(), stake=2)
    assert view_text(view).split(" ")[4] == "-@2=2"
    assert parse_view(view_text(view)) == view


@pytest.mark.parametrize(
    ("text", "last", "scores"),
    [
        ("botzone2 3/44/5 ? 003@2 - 0 6,LB/-/-", "3", (24, -12, -12)),
        ("botzone2 3/44/5 ? 003@2 - 0 6,LB/-/7", "3", (12, -6, -6)),
        ("botzone2 3/44/8 ? 003@2 7:1 2 6/7/-", "8", (-12, 6, 6)),
        ("botzone2 3/44/8 ? 003@2 7:1 2 6,9/7/-", "8", (-6, 3, 3)),
    ],
    ids=["spring", "a peasant played a card", "anti-spring", "the landlord played two moves"],
)
def test_the_moves_so_far_show_whether_a_spring_is_possible(text: str, last: str, scores: tuple[int, ...]) -> None:
    game = parse_position(text)
    assert game.play(read_move(game.rules, parse_hand(last))).scores() == scores


def test_an_endgame_puzzle_is_a_position_without_a_past() -> None:
    game = parse_position(PUZZLE)
    assert [hand_text(hand) for hand in game.hands] == ["4667788QK2", "334455QK2", "9"]
    assert (game.plays, game.seat, game.to_beat) == ((), 0, None)
    assert position_text(game) == PUZZLE


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_any_seat_may_lead_or_follow_in_a_puzzle(seat: int) -> None:
    lead = parse_position(f"standard 44/55/66 ? -@0 - {seat} -/-/-")
    assert (lead.seat, lead.to_beat) == (seat, None)
    for back in (1, 2):
        holder = (seat - back) % 3
        played = "/".join("3" if place == holder else "-" for place in range(3))
        game = parse_position(f"standard 44/55/66 ? -@0 3:{holder} {seat} {played}")
        assert (game.seat, str(game.to_beat)) == (seat, "3")
        assert View.of(game, seat).table_seat == holder


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "position '': it must have 7 words, not 1: it lacks the rule set, such as botzone"),
        ("mini", "it must have 7 words, not 1: it lacks the three hands, such as 345/789/TJQ"),
        (PUZZLE.replace(" 4667788QK2/334455QK2/9", ""), "it lacks the three hands, such as 345/789/TJQ"),
        (PUZZLE.replace(" ?", ""), "it must have 7 words, not 6: it lacks the bottom, such as 345"),
        (PUZZLE.replace(" -@0", ""), "it lacks the auction, such as -@0"),
        (PUZZLE.replace(" - 0", " 0"), "it lacks the move to beat, such as -"),
        (PUZZLE.replace(" - 0", " -"), "it lacks the seat to move, such as 0"),
        (PUZZLE.replace(" -/-/-", ""), "it lacks the moves of each seat, such as -/-/-"),
        (PUZZLE + " 3", "it must have 7 words, not 8"),
        (PUZZLE.replace("standard", "uno"), "rule set 'uno' is unknown"),
        (PUZZLE.replace("/9 ", " "), "hands '4667788QK2/334455QK2': there must be three with / between them"),
        (PUZZLE.replace("/9 ", "/X "), "cards 'X': 'X' is not a rank"),
        (PUZZLE.replace("/9 ", "/ "), "cards are missing; - stands for none"),
        (PUZZLE.replace("/9 ", "/- "), "the seat without cards must have played the last move"),
        (PUZZLE.replace("/9 ", "/6666 "), "the deck of rules standard does not have all these cards"),
        (PUZZLE.replace(" ? ", " 33 "), "bottom '33': it must be 3 cards, or ?"),
        (PUZZLE.replace(" ? ", " 333 "), "the landlord neither has nor has played the bottom"),
        (PUZZLE.replace("-@0", "0"), "auction '0' is not written as bids@position"),
        (PUZZLE.replace("-@0", "3@0"), "auction '3@0': there is none under rules standard"),
        (PUZZLE.replace("- 0 -/-/-", "- 3 -/-/-"), "seat '3' is not 0, 1 or 2"),
        (PUZZLE.replace("- 0 -/-/-", "9:1 0 -/-/-"), "table '9:1': it is not what seat 1 played last"),
        (PUZZLE.replace("- 0 -/-/-", "9:0 0 9/-/-"), "table '9:0': seat 0 cannot be to move after its own move"),
        (PUZZLE.replace("- 0 -/-/-", "9 0 -/9/-"), "seat '' is not 0, 1 or 2"),
        (PUZZLE.replace("- 0 -/-/-", "- 0 -/-"), "played moves '-/-': there must be three with / between them"),
        (PUZZLE.replace("- 0 -/-/-", "- 0 -/3,-/-"), "played moves '3,-': passes are left out"),
        (PUZZLE.replace("- 0 -/-/-", "- 0 -/3456789TJQ/-"), "seat 1 has and has played more than 17 cards"),
        (MIDDLE.replace("013@2", "013@1"), "auction '013@1': others bid more"),
        (MIDDLE.replace("013@2", "0?3@2"), "auction '0?3@2': a position knows all bids"),
        (MIDDLE.replace("013@2", "031@1"), "bids (0, 3, 1): 1 is not a bid there"),
        (MIDDLE.replace("013@2", "013@2=3"), "the bids tell the stake already"),
    ],
)
def test_a_wrong_position_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert str(caught.value).startswith(f"position {text!r}: ")
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("botzone2 0", "it must have 6 words, not 2: it lacks the own hand, such as 345"),
        ("botzone2 0 3 -@0 .", "it must have 6 words, not 5: it lacks the bottom, such as 345"),
        ("botzone2 0 3 ? .", "it must have 6 words, not 5: it lacks the auction, such as -@0"),
        ("botzone2 0 3 ? -@0", "it must have 6 words, not 5: it lacks all moves, such as"),
        ("botzone2 4 3 ? -@0 .", "seat '4' is not 0, 1 or 2"),
        ("botzone2 1 33 ? -@0 4", "the own hand has 2 cards where 17 must be left"),
        ("botzone2 1 3333444455556666T ? -@0 33", "the deck has fewer cards"),
        ("botzone2 bid 3333444455556666T", "it must have 4 words, not 3: it lacks all bids, such as -"),
        ("botzone2 bid 3333444455556666T x", "bids 'x' are not written as digits from 0 to 3"),
        ("botzone bid 3333444455556666T -", "there is no auction under rules botzone"),
        ("botzone2 bid 3333444455556666T 3", "bids .3,.: the auction is over"),
        ("botzone2 bid 3333444455556666T 0?", "bids '0[?]': a bidder knows all of them"),
        ("botzone2 bid 3333444455556666 -", "the own hand has 16 cards where 17 are dealt"),
    ],
)
def test_a_wrong_view_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        parse_view(text)
