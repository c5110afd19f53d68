"""The text form: it reads well, comes back as it was, and says where it is wrong."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import hand_text, parse_hand
from ddzbot.rules import RULE_SETS, RuleSet
from tests.records.some_records import EXAMPLE, auctions, played_records, records
from tools.records.record import NO_NOTE, Note, RecordError, Result
from tools.records.text import record_text
from tools.records.text_reader import parse_record, parse_records
from tools.shared.bounds import LONGEST_LINE

RULES = st.sampled_from(list(RULE_SETS.values()))
LINES = EXAMPLE.splitlines()


def changed(line: int, text: str) -> str:
    """Gets the example with one line replaced; lines are numbered from 1."""
    return "\n".join([*LINES[: line - 1], text, *LINES[line:]])


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        parse_records(text)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


@given(rules=RULES, data=st.data())
def test_any_record_comes_back_from_its_text(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(records(rules))
    assert parse_record(record_text(record)) == record
    assert record_text(parse_record(record_text(record))) == record_text(record)


@pytest.mark.parametrize(
    "rules", [rules for rules in RULE_SETS.values() if rules.bidding], ids=lambda rules: rules.name
)
@given(data=st.data())
def test_a_record_without_a_landlord_comes_back_from_its_text(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(auctions(rules))
    assert parse_record(record_text(record)) == record


@given(rules=RULES, data=st.data())
def test_a_game_without_notes_fits_into_80_columns_of_ascii(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(played_records(rules))
    moves = tuple(move._replace(note=NO_NOTE) for move in record.moves)
    bare = replace(record, moves=moves, tags={}, names=("ann", "bob", "cat"))
    assert all(len(line) <= 80 and line.isascii() and line == line.rstrip() for line in record_text(bare).split("\n"))


def test_canonical_text_is_printed_as_it_was_read() -> None:
    assert record_text(parse_record(EXAMPLE)) == EXAMPLE


def test_the_parts_of_the_text_are_the_fields_of_the_record() -> None:
    record = parse_record(EXAMPLE)
    assert (record.rules.name, record.names, dict(record.tags)) == (
        "botzone2",
        ("ann", "bob", "cat"),
        {"Event": "example"},
    )
    assert (record.bids, record.landlord_position, hand_text(record.bottom or 0)) == ((0, 1, 3), 2, "722")
    assert [hand_text(move.cards) for move in record.moves[:4]] == ["345678", "56789T", "6789TJ", ""]
    assert record.result == Result("landlord", (6, -3, -3), "landlord out")
    assert record.moves[18].note == Note(0.25, 0.9, {"player": "rule"}, "nothing can beat it")


def test_spaces_order_of_cards_word_for_pass_and_line_ends_are_free() -> None:
    loose = EXAMPLE.replace("345678    ", "876543 ").replace("  -  ", " pass ").replace("\n", " \r\n")
    assert parse_record("# a comment\n" + loose) == parse_record(EXAMPLE)


def test_what_is_unknown_is_a_question_mark_and_an_unfinished_game_has_no_star() -> None:
    record = parse_record(EXAMPLE)
    cut = replace(record, moves=record.moves[:4], result=Result())
    assert record_text(cut).endswith("\n1       345678                 56789T                 6789TJ\n2       -\n")
    assert "Winner" not in record_text(cut)
    seen = replace(record, hands=(None, None, record.seat_hands[0]), bottom=None, bids=(None, None, 3))
    lines = record_text(seen).splitlines()
    assert lines[8:10] == ["bids    ? ? 3", "bottom  ?"]
    assert lines[11] == "hands   34556778TJJQKAAA222L   ?                      ?"
    assert parse_record(record_text(seen)) == seen
    # The star comes by the number of cards.
    assert "\n9       5*\n" in record_text(replace(record, hands=(record.hands[0], record.hands[1], None)))


def test_characters_that_upset_a_terminal_are_escaped() -> None:
    record = replace(parse_record(EXAMPLE), tags={"Event": "\x1b[31m\x9b\u2028\ud800 斗地主"})
    assert '[Event "\\u001b[31m\\u009b\\u2028\\ud800 斗地主"]' in record_text(record)
    assert parse_record(record_text(record)) == record


def test_exactly_one_game_is_one() -> None:
    with pytest.raises(RecordError, match="the text has 2 games where one must be"):
        parse_record(EXAMPLE + "\n" + EXAMPLE)
    assert parse_records("\n# nothing\n\n") == []


@pytest.mark.parametrize(
    ("line", "text", "sentence"),
    [
        (1, "[Event example]", "line 1 '[Event example]': a tag is written [Name \"value\"]"),
        (1, '[Event "a\\x"]', "line 1 '[Event \"a\\\\x\"]': the value is not a JSON text: Invalid \\escape"),
        (2, "", 'line 1 \'[Event "example"]\': the game has no tag [Rules "..."]'),
        (2, '[Rules "uno"]', "line 2 '[Rules \"uno\"]': rule set 'uno' is unknown; there are botzone"),
        (3, '[Rules "mini"]', "line 3 '[Rules \"mini\"]': tag Rules occurs twice"),
        (6, '[Winner "ann"]', "line 6 '[Winner \"ann\"]': the winner must be landlord or peasants"),
        (7, '[Scores "6 -3"]', "line 7 '[Scores \"6 -3\"]': the scores must be three numbers"),
        (9, "bids    0 1 4", "line 9 'bids    0 1 4': '4' is not a bid"),
        (9, "bids", "line 9 'bids': there are no bids"),
        (9, "bids    0 1 1", "the game in lines 1 to 22: bids (0, 1, 1): 1 is not a bid there"),
        (10, "bottom  721", "line 10 'bottom  721': cards '721': '1' is not a rank; ranks are 3456789TJQKA2LB"),
        (10, "bottom  7 2 2", "line 10 'bottom  7 2 2': bottom must have 1, not 3"),
        (10, "bottom  KK2", "the landlord's hand does not have the bottom KK2"),
        (10, "deck    722", "line 10 'deck    722': expected the line 'bottom'"),
        (11, "seats   landlord@2 landlord_up@0 landlord_down@1", "the seats must be landlord, landlord_down and"),
        (11, "seats   landlord@2 landlord_down@1 landlord_up@0", "at positions in turn"),
        (12, "hands   34556778TJJQKAAA222L ?", "line 12 'hands   34556778TJJQKAAA222L ?': hands must have 3, not 2"),
        (
            12,
            "hands   34556778TJJQKAAA222L 3333 -",
            "the game in lines 1 to 22: the deck of rules botzone2 does not have",
        ),
        (13, "2       345678                 56789T", "move 1 of the game, or a note, must be here"),
        (14, "2       -                      -", "line 15 '3       L                      -"),
        (14, "2       - - - -", "line 14 '2       - - - -': a round has one to three moves, not 4"),
        (14, "2       - ? -", "line 14 '2       - ? -': '?' is not a move"),
        (14, "2       - 5* -", "line 14 '2       - 5* -': '5*' does not go out"),
        (21, "9       5", "line 21 '9       5': '5' goes out and needs a star"),
        (22, "note    9 landlord_up value=1", "line 22 'note    9 landlord_up value=1': there is no such move"),
        (22, "note    0 landlord value=1", "a note has a round, a seat, and fields such as seconds=0.5"),
        (22, "note    1 landlord value=high", "line 22 'note    1 landlord value=high': value is not a JSON value"),
        (
            22,
            "note    1 landlord value=true",
            "line 22 'note    1 landlord value=true': Expected `float | null`, got `bool` - at `$.value`",
        ),
        (22, "note    1 landlord value=1e999", "value is not a JSON value: 1e999 is too large for a number"),
        (22, "note    1 landlord value=1debug={}", "'debug={}' is not a further field of a note"),
        (22, "note    99 landlord seconds=1", "there is no such move"),
        (22, "note    1 landlord seconds=1 value=1e999", "value is not a JSON value: 1e999 is too large for a number"),
        (22, "note    1 landlord seconds=01", "'1' is not a further field of a note"),
        (22, "note    1 landlord mood=1", "Object contains unknown field `mood`"),
    ],
)
def test_a_wrong_line_is_named_with_its_number_and_text(line: int, text: str, sentence: str) -> None:
    assert sentence in refusal(changed(line, text))


def test_a_text_that_breaks_off_or_repeats_itself_names_the_line() -> None:
    assert refusal("\n".join(LINES[:10])) == "line 10 'bottom  722': the line 'seats' must follow"
    broken = changed(14, "2       -\n2       -                      J")
    assert refusal(broken).startswith("line 15 '2       -                      J': move 5 of the game, or a note")
    assert "the move has a note already" in refusal(EXAMPLE + "note    7 landlord value=1\n")
    second = EXAMPLE.replace("bottom  722", "bottom  72x")
    assert refusal(EXAMPLE + "\n# second\n\n" + second).startswith("line 35 'bottom  72x'")


def test_columns_grow_with_a_hand_that_is_too_large_for_them() -> None:
    record = parse_record(EXAMPLE)
    everything = replace(record, hands=(parse_hand("3333444455556666888899"), 0, None), moves=(), result=Result())
    assert parse_record(record_text(everything)) == everything


def test_remarks_before_a_game_may_be_of_any_length() -> None:
    remarks = f"# {'x' * 100}\n" * (LONGEST_LINE // 100)
    (record,) = parse_records(f"{remarks}\n{remarks}{EXAMPLE}")
    assert record == parse_record(EXAMPLE)
