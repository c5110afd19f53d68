"""The data of a page: hands after every move, suits, bids, and what a page of one seat leaves out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import parse_hand, size
from ddzbot.rules import RULE_SETS, RuleSet
from tests.records.some_records import EXAMPLE, auctions, played_records, records
from tests.records.test_from_judge import bare_log
from tests.view.pages import THESIS, cards, hand, hands_after
from tools.records.files import read_records
from tools.records.from_judge import record_of_log
from tools.records.record import Note, RecordedMove, Result
from tools.records.text_reader import parse_record
from tools.shared.names import short_name, short_names
from tools.study.view.game_data import game_data, seen_by
from tools.study.view.render import embed
from tools.study.view.suits import card_ids

RULES = st.sampled_from(list(RULE_SETS.values()))


@given(rules=RULES, data=st.data())
def test_the_hands_after_every_move_are_those_of_the_game(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(played_records(rules))
    game = game_data(record)
    for ply in range(0, len(record.moves) + 1, 3):
        assert [hand(shown) for shown in hands_after(game, ply)] == list(record.game(ply).hands)


@given(rules=RULES, data=st.data())
def test_any_record_makes_data_that_keep_unknown_cards_unknown(rules: RuleSet, data: st.DataObject) -> None:
    record = data.draw(st.one_of(records(rules), auctions(rules)) if rules.bidding else records(rules))
    game = game_data(record)
    embed(game)
    assert [seat for seat, shown in enumerate(game["hands"]) if shown is None] == record.unknown_seats
    assert (game["bottom"] is None) == (record.bottom is None)
    plies = list(record.plies()) if record.moves else []
    for ply, move in zip(plies, game["moves"], strict=True):
        assert hand(move["cards"]) == ply.move.cards
        assert (move["problem"], move["count"]) == (ply.problem, size(ply.after.hands[ply.seat]))
        assert (move["left"] is None) == (ply.seat in record.unknown_seats)


@pytest.mark.parametrize("name", ["ftl2_game3_keeprunning_bid3_by_p1", "mini30_on_ftl1_judge"])
def test_the_suits_of_a_log_are_those_of_its_ids(name: str) -> None:
    log = bare_log(name)
    record = record_of_log(log)
    game = game_data(record, 1, card_ids(log))
    dealt = log["log"][0]["output"]["display"]
    deck: set[int] = set()
    for seat, position in enumerate(game["positions"]):
        ids = {*dealt["allocation"][position], *(dealt["publiccard"] if seat == 0 else ())}
        deck |= ids
        assert set(cards(game["hands"][seat])) == {written(card_id) for card_id in ids}
    events = [entry["output"]["display"].get("event") for entry in log["log"][2::2]]
    played = [{written(card_id) for card_id in event["action"]} for event in events if event]
    assert len(played) >= 4
    assert [set(cards(move["cards"])) for move in game["moves"]][: len(played)] == played
    for ply in range(len(game["moves"]) + 1):
        shown = [card for text in hands_after(game, ply) for card in cards(text)]
        gone = [card for move in game["moves"][:ply] for card in cards(move["cards"])]
        assert sorted(shown + gone) == sorted(map(written, deck))


def written(card_id: int) -> str:
    """Writes a card id as the platform's list of cards has it: hearts, diamonds, spades, clubs of each rank."""
    if card_id >= 52:
        return "LB"[card_id - 52]
    return "3456789TJQKA2"[card_id // 4] + "hdsc"[card_id % 4]


def test_a_log_whose_ids_make_no_deal_is_shown_without_suits() -> None:
    log = bare_log("ftl1_game1")
    record = record_of_log(log)
    log["log"][0]["output"]["display"]["allocation"][1][0] = "x"
    assert card_ids(log) is None
    assert all(len(card) == 1 for card in cards(game_data(record, 1, card_ids(log))["hands"][0]))
    assert card_ids({"log": 3}) is card_ids([]) is card_ids({"log": [{"output": {"display": {}}}]}) is None


def test_ids_of_another_deal_are_not_used() -> None:
    record = record_of_log(bare_log("ftl1_game1"))
    other = card_ids(bare_log("ftl1_game2"))
    game = game_data(record, 1, other)
    assert hand(game["hands"][0]) == record.seat_hands[0]
    assert [hand(move["cards"]) for move in game["moves"]] == [move.cards for move in record.moves]


def test_hands_are_shown_high_to_low_and_played_cards_body_first() -> None:
    game = game_data(parse_record(EXAMPLE))
    assert game["hands"][2] == "B A Q J J T T 9 9 9 8 7 6 6 5 4 3"
    assert game["bottom"] == "2 2 7"
    assert game["moves"][16]["cards"] == "K K K 3 3"
    assert game["moves"][18]["cards"] == "2 2 2 A A"


def test_names_bids_and_results_are_by_seat() -> None:
    game = game_data(parse_record(EXAMPLE), number=4)
    assert (game["number"], game["names"], game["positions"]) == (4, ["cat", "ann", "bob"], [2, 0, 1])
    assert game["bids"] == [3, 0, 1]
    # The auction is closed: a seat has heard the bids before its own, its own, and the highest one.
    assert [heard.count(None) for heard in game["heard"]] == [
        list(parse_record(EXAMPLE).view(0, seat).bids).count(None) for seat in range(3)
    ]
    assert game["heard"][1][2] is None
    assert game["result"] == {"winner": "landlord", "scores": [6, -3, -3], "termination": "landlord out"}


def test_an_illegal_move_has_its_reason() -> None:
    record = read_records(THESIS)[34]
    problems = [move["problem"] for move in game_data(record)["moves"]]
    assert [problem for problem in problems if problem] == ["33445566: the answer to 8899TT must have 6 cards"]


def test_an_auction_is_shown_by_position() -> None:
    whole = parse_record(EXAMPLE)
    record = replace(whole, landlord_position=None, moves=(), bids=(0, 1), result=Result())
    game = game_data(record)
    assert (game["auction"], game["moves"], game["bids"]) == (True, [], [0, 1, None])
    assert [hand(shown) for shown in game["hands"]] == list(record.hands)
    assert game["heard"] == [[0, None], [0, 1], [0, 1]]


def test_the_page_of_a_seat_has_no_card_note_or_seed_of_the_others() -> None:
    secret = {"moves": {"345678": [10, 0.5]}}
    whole = parse_record(EXAMPLE)
    moves = tuple(move._replace(note=Note(1.0, 0.5, secret, "mine")) for move in whole.moves)
    record = seen_by(replace(whole, moves=moves, tags={"Seed": "77"}), 1)
    game = game_data(record)
    assert [shown is None for shown in game["hands"]] == [True, False, True]
    assert hand(game["hands"][1]) == parse_hand("3344567889TQQKKK2")
    assert [move["comment"] for move in game["moves"][:4]] == ["", "mine", "", ""]
    assert [len(move["thoughts"]) for move in game["moves"][:4]] == [0, 1, 0, 0]
    assert game["tags"] == {}
    assert game["bids"] == game["heard"][1]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("/opt/x/bin/python bot.py --player mctshs --limit 20000p", "mctshs"),
        ("python3 bot.py --player=champion:search=none", "champion:search=none"),
        ("python3 /home/ann/bots/mine.py --fast", "mine.py"),
        ("'/a folder/bin/python' '/a folder/bot.py'", "bot.py"),
        ("anna=python3 /home/ann/mine.py", "anna"),
        ("Ann B. Miller", "Ann B. Miller"),
        ("", ""),
        ("x" * 60, "x" * 39 + "…"),
    ],
)
def test_names_of_command_lines_are_short(name: str, short: str) -> None:
    assert short_name(name) == short


def test_short_names_stay_apart() -> None:
    names = ["python3 /a/anna/bot.py", "python3 /a/bob/bot.py", "./cat", "rule", "./x/b --a", "./x/b --b"]
    assert [*short_names(names).values()] == ["anna/bot.py", "bob/bot.py", "cat", "rule", "./x/b --a", "./x/b --b"]


def test_the_end_is_that_of_the_moves_whatever_they_are() -> None:
    whole = parse_record(EXAMPLE)
    game = game_data(replace(whole, moves=whole.moves[:5], result=Result()))
    assert len(game["moves"]) == 5
    assert game["result"] == {"winner": None, "scores": None, "termination": "unfinished"}
    game = game_data(replace(whole, moves=(RecordedMove(parse_hand("KKKK")),)))
    assert game["moves"][0]["cards"] == "K K K K"
    assert game["moves"][0]["problem"]
    assert hand(game["moves"][0]["left"]) == parse_hand("34556778TJJQAAA222L")
