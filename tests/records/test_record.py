"""What a record is, what it refuses, and how it is replayed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import contains, hand_text, parse_hand, size
from ddzbot.game import Game
from ddzbot.rules import RULE_SETS, RuleSet, rule_set
from ddzbot.testing.strategies import games
from ddzbot.view import View
from tests.records.some_records import EXAMPLE, played_records, records
from tools.records.record import GameRecord, RecordedMove, RecordError, Result, deduce_hands, record_of
from tools.records.replay import Ending
from tools.records.text_reader import parse_record

GAME = parse_record(EXAMPLE)
UNKNOWN = replace(GAME, hands=(GAME.hands[0], None, GAME.hands[2]))
RULES = st.sampled_from(list(RULE_SETS.values()))


def with_move(record: GameRecord, ply: int, cards: str) -> GameRecord:
    moves = list(record.moves)
    moves[ply] = RecordedMove(parse_hand(cards))
    return replace(record, moves=tuple(moves))


def same_game(game: Game, other: Game) -> bool:
    """Compares games by their cards: a set of cards may have several readings."""
    plays = [move.cards for move in game.plays] == [move.cards for move in other.plays]
    return plays and game._replace(plays=()) == other._replace(plays=())


@given(rules=RULES, data=st.data())
def test_replay_of_a_recorded_game_is_that_game(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    record = record_of(game)
    assert same_game(record.game(), game)
    assert record.illegal_moves() == []
    assert not game.finished or record.result.scores == record.game().scores()


@given(rules=RULES, data=st.data())
def test_game_after_some_moves_is_a_part_of_the_whole_game(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(played_records(rules))
    number = data.draw(st.integers(0, len(record.moves)))
    part = record.game(number)
    assert part.plays == record.game().plays[:number]
    assert View.of(part, part.seat) == record.view(number)


@given(rules=RULES, data=st.data())
def test_any_record_can_be_replayed_and_filled_hands_hold_what_is_known(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(records(rules))
    assert len(list(record.plies())) == len(record.moves)
    for seat, hand in enumerate(record.seat_hands):
        assert hand is None or record.start.hands[seat] == hand


@pytest.mark.whole
@given(rules=RULES, data=st.data())
def test_hiding_hands_of_a_legal_game_makes_no_move_illegal(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(played_records(rules))
    hidden = data.draw(st.sets(st.sampled_from(range(3)), min_size=1))
    hands = tuple(None if position in hidden else hand for position, hand in enumerate(record.hands))
    assert replace(record, hands=hands).illegal_moves() == []


@given(rules=RULES, data=st.data())
def test_a_legal_ending_is_that_of_a_replay_without_a_problem(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(played_records(rules) | records(rules))
    plies = list(record.plies())
    replayed = plies and not record.unknown_seats and not record.illegal_moves()
    due = Ending.of(plies[-1].after) if replayed else None
    ending = record.legal_ending
    assert (ending and ending.winner) == (due and due.winner)
    assert (ending and ending.paid) == (due and due.paid and pytest.approx(due.paid, abs=1e-12))


def test_hands_go_by_position_and_seat_hands_by_seat_with_the_bottom() -> None:
    assert GAME.hands[2] == parse_hand("3455678TJJQKAAA2L")
    assert [hand_text(hand or 0)[:5] for hand in GAME.seat_hands] == ["34556", "33445", "34566"]
    assert [GAME.position_of(seat) for seat in range(3)] == [2, 0, 1]


def test_an_illegal_move_is_named_with_its_round_seat_and_reason() -> None:
    record = with_move(GAME, 2, "56789")
    assert [(ply.name, ply.problem) for ply in record.illegal_moves()] == [
        ("round 1, landlord_up", "56789: the answer to 56789T must have 6 cards")
    ]


def test_a_strict_game_refuses_an_illegal_move_and_a_lenient_one_plays_it() -> None:
    record = with_move(GAME, 1, "56789")
    with pytest.raises(RecordError, match="round 1, landlord_down: 56789: the answer to 345678 must have 6 cards"):
        record.game()
    assert hand_text(record.game(2, strict=False).hands[1]) == "33448TQQKKK2"
    assert record.game(1).seat == 1


def test_cards_that_a_seat_does_not_hold_are_illegal_and_change_no_hand() -> None:
    ply = with_move(GAME, 1, "9TJQKA").illegal_moves()[0]
    assert ply.problem == "9TJQKA: the hand 3344567889TQQKKK2 does not hold these cards"
    assert hand_text(ply.after.hands[1]) == "334456788QKK2"


def test_moves_after_the_end_are_illegal() -> None:
    record = replace(GAME, moves=(*GAME.moves, RecordedMove(0), RecordedMove(parse_hand("8"))))
    assert [ply.problem for ply in record.illegal_moves()] == ["pass: the game is over", "8: the game is over"]


def test_an_unknown_hand_cannot_play_more_than_is_left_or_was_dealt() -> None:
    record = with_move(UNKNOWN, 2, "KKKK")
    assert record.illegal_moves()[0].problem == "KKKK: the seat cannot have these cards after all that was played"
    moves = [RecordedMove(parse_hand(cards)) for cards in ("9", "T", "", "", "9TJQK", "", "", "AAA2")]
    record = GameRecord(rule_set("mini"), (None, None, None), None, moves=tuple(moves))
    assert [(ply.name, ply.problem) for ply in record.illegal_moves()] == [
        ("round 3, landlord_down", "AAA2: the seat cannot have these cards after all that was played")
    ]


def test_the_game_of_a_record_with_an_unknown_hand_is_refused_but_a_view_is_there() -> None:
    with pytest.raises(RecordError, match="the hand of landlord_up is unknown"):
        UNKNOWN.game()
    assert UNKNOWN.view(3, 1) == GAME.view(3, 1)
    with pytest.raises(RecordError, match="the hand of landlord_up is unknown"):
        UNKNOWN.view(3, 2)


def test_a_position_that_is_not_there_is_refused() -> None:
    with pytest.raises(RecordError, match="there is no position after 26 moves: the record has 25"):
        GAME.game(26)
    with pytest.raises(RecordError, match="there is no position after -1 moves"):
        GAME.game(-1)


def test_unknown_bids_stay_unknown_in_a_view() -> None:
    record = replace(GAME, bids=(None, None, 3))
    assert record.view(0, 1).bids == (None, None, 3)
    assert record.view(0, 1).stake == 3


def test_without_a_landlord_no_player_has_a_seat() -> None:
    record = replace(GAME, landlord_position=None, moves=(), bids=(0, 1))
    with pytest.raises(RecordError, match="the auction is not over"):
        record.game(0)
    assert record.seat_hands == GAME.hands


def test_hands_are_deduced_where_they_follow() -> None:
    seen_by_landlord_up = replace(GAME, hands=(None, GAME.hands[1], None))
    assert deduce_hands(seen_by_landlord_up) == GAME
    cut = replace(GAME, hands=(GAME.hands[0], None, None), moves=GAME.moves[:6])
    assert deduce_hands(cut) == cut


def test_the_bottom_belongs_to_the_hand_of_the_landlord_while_it_is_unknown() -> None:
    whole = GAME.seat_hands
    record = replace(GAME, bottom=None, hands=(whole[1], whole[2], whole[0]))
    assert record.seat_hands == GAME.seat_hands
    assert same_game(record.game()._replace(bottom=GAME.game().bottom), GAME.game())
    assert deduce_hands(replace(record, hands=(whole[1], whole[2], None))) == record


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"hands": (parse_hand("3333"), parse_hand("3"), None)}, "the deck of rules botzone2 does not have all these"),
        ({"bids": (0, 3, 1)}, "bids .0, 3, 1.: 1 is not a bid there"),
        ({"bids": (0, 3)}, "bids 0 3: they do not make position 2 the landlord"),
        ({"bids": (None, 1, None)}, "bids [?] 1 [?]: they do not make position 2 the landlord"),
        ({"landlord_position": 3, "bids": ()}, "landlord position 3 is not 0, 1 or 2"),
        ({"landlord_position": None}, "there is no landlord .rules botzone2, 25 moves."),
        ({"tags": {"Scores": "1 2 3"}}, "tag 'Scores' stands for a field of the record"),
        ({"tags": {"seed": "1"}}, "tag 'seed' must be a capital letter and then"),
        ({"result": Result("landlord", (float("nan"), 0, 0))}, "nan is not a number for a record"),
        ({"moves": (RecordedMove(5),)}, "move 5: there are no such cards"),
        ({"rules": rule_set("standard")}, "bids 0 1 3: there is no auction under rules standard"),
        ({"rules": rule_set("standard")._replace(dealt=16)}, "rule set 'standard' is not one of botzone"),
    ],
)
def test_what_no_game_can_have_is_refused(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        replace(GAME, **change)  # type: ignore[arg-type]


def test_names_must_be_three() -> None:
    with pytest.raises(RecordError, match=r"names .*: there must be one for each position"):
        record_of(GAME.game(), ("ann", "bob"))


def test_an_unknown_hand_of_the_landlord_is_filled_in_with_the_bottom() -> None:
    record = replace(GAME, hands=(GAME.hands[0], None, None), moves=())
    hand = record.start.hands[0]
    assert contains(hand, parse_hand("722"))
    assert size(hand) == 20


def test_whoever_asks_again_gets_the_plies_of_the_first_replay() -> None:
    first, same = list(GAME.plies()), replace(GAME, tags={"Event": "another"})
    assert all(ply is other for ply, other in zip(same.plies(), first, strict=True))
    assert list(replace(GAME, moves=GAME.moves[:-1]).plies()) == first[:-1]
