"""The live table: games with persons and players, what each position may know, and the record at any time."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import hand_text, parse_hand, size
from ddzbot.game import SEATS, Deal, shuffled
from ddzbot.players.base import Decision, Player
from ddzbot.rules import BOTZONE, BOTZONE2, ICGA, MINI, RULE_SETS, Move, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tools.records.files import records_of, text_of
from tools.records.record import GameRecord
from tools.tables.table.bots import bot
from tools.tables.table.events import BidMade, Event, GameOver, LandlordNamed, MoveMade
from tools.tables.table.table import Table, TableError

PERSONS = (None, None, None)
RULES = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
LIMIT = Limit(playouts=1)


class FailingPlayer(Player):
    """Fails at every decision and makes an illegal bid."""

    name = "failing"

    def choose(self, view: View, limit: Limit) -> Decision:
        raise RuntimeError("broken on purpose")

    def bid(self, view: BidView) -> int:
        return 7


class TalkativePlayer(Player):
    """Plays the first legal move and says what JSON does not have."""

    name = "talkative"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(view.legal_moves()[0], {"hope": float("nan")})


def act(table: Table, dice: random.Random) -> None:
    """Does something random and legal for the person to move."""
    position = table.position_to_move
    assert position is not None
    view = table.view(position)
    if isinstance(view, BidView):
        table.bid(position, dice.choice(view.legal_bids))
    else:
        table.play(position, dice.choice(view.legal_moves()).cards)


def after_auction(rules: RuleSet, *bids: int, seed: int = 1) -> Table:
    table = Table(rules, seed, PERSONS)
    for position, bid in enumerate(bids):
        table.bid(position, bid)
    return table


def public_numbers(events: list[Event]) -> list[int]:
    """Lists every integer that the events tell, hands among them."""
    found: list[int] = []

    def walk(value: Any) -> None:
        if isinstance(value, tuple):
            for part in value:
                walk(part)
        elif isinstance(value, int):
            found.append(value)

    walk(tuple(events))
    return found


@given(
    rules=st.sampled_from(list(RULE_SETS.values())),
    seed=st.integers(0, 10**6),
    data=st.randoms(use_true_random=False),
)
def test_random_games_of_persons_end_pay_and_replay(rules: RuleSet, seed: int, data: random.Random) -> None:
    table = Table(rules, seed, PERSONS)
    stop = data.randrange(60)
    kept: GameRecord | None = None
    for number in range(3 * 54 + 3):
        if table.over:
            break
        if number == stop:
            kept = table.record()
        act(table, data)
    assert table.over
    assert table.position_to_move is None
    end = table.events[-1]
    assert isinstance(end, GameOver)
    if rules.scoring.bombs_double:
        assert sum(end.scores) == 0
    record = table.record()
    assert record.illegal_moves() == []
    assert record.game().scores() == end.scores == record.result.scores
    assert record.result.winner == ("peasants" if end.seat else "landlord")
    assert record.deal == shuffled(rules, f"play/{seed}/000000")
    if kept is not None:
        assert kept.moves == record.moves[: len(kept.moves)]
        assert kept.bids == record.bids[: len(kept.bids)]


@RULES
def test_no_view_and_no_event_tells_a_hidden_hand(rules: RuleSet) -> None:
    dice = random.Random(rules.name)
    for seed in range(3):
        table = Table(rules, seed, PERSONS)
        dealt = table.record().hands
        while not table.over:
            act(table, dice)
            for position in range(SEATS):
                view = table.view(position)
                landlord = position == 0 if table.in_auction else table.seat_of(position) == 0
                own = dealt[position]
                assert own is not None
                if isinstance(view, View):
                    played = view.played(view.seat)
                    bottom = table.record().bottom if landlord else 0
                    assert view.hand + played == own + (bottom or 0)
                else:
                    assert view.hand == own
            hands = [hand for hand in dealt if hand is not None]
            running = [] if table.in_auction else [hand for hand in table.record().game().hands if size(hand) > 2]
            if not table.over:
                assert not {*hands, *running} & {*public_numbers(table.events)} - played_by(table)


def played_by(table: Table) -> set[int]:
    """The sets of cards that were played, and so are public whatever else they equal."""
    return {event.move.cards for event in table.events if isinstance(event, MoveMade)}


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_bots_play_whole_games_and_leave_notes(name: str) -> None:
    rules = RULE_SETS[name]
    table = Table(rules, 3, [bot("rule", 3, 0), bot("random", 3, 1), bot("rhcp", 3, 2)])
    events = table.advance(LIMIT)
    assert table.over
    first = 1 if not rules.bidding else 0
    assert events == table.events[first:]
    record = table.record()
    assert record.names == ("rule", "random", "rhcp")
    assert record.tags == {"Deal": "play/3/000000"}
    for move in record.moves:
        assert move.note.debug is not None
        assert move.note.seconds is not None
        assert move.note.debug["player"] in ("rule", "random", "rhcp", "forced")


def test_a_table_waits_for_its_person() -> None:
    table = Table(BOTZONE, 5, [bot("rule", 5, 0), None, bot("rule", 5, 2)])
    (event,) = table.advance(LIMIT)
    assert isinstance(event, MoveMade)
    assert (event.position, event.seat) == (0, 0)
    assert table.position_to_move == 1
    assert table.advance(LIMIT) == []
    assert table.advance_one(LIMIT) is None
    table.play(1, 0)
    assert isinstance(table.advance_one(LIMIT), MoveMade)


def test_a_failing_player_is_replaced_and_reported() -> None:
    table = Table(BOTZONE2, 2, [FailingPlayer(), FailingPlayer(), FailingPlayer()])
    table.advance(LIMIT)
    assert table.over
    debugs = [move.note.debug or {} for move in table.record().moves]
    asked = [debug for debug in debugs if debug["player"] != "forced"]
    assert asked
    assert all(debug["player"] in ("mctshs", "rule") for debug in asked)
    assert all(debug["failed_failing"] == "RuntimeError: broken on purpose" for debug in asked)
    told = ["" if debug["player"] == "forced" else debug["player"] for debug in debugs]
    for one in (table, Table.resumed(table.record(), 2, PERSONS)):
        assert [event.fallback for event in one.events if isinstance(event, MoveMade)] == told


def test_words_that_are_no_json_do_not_spoil_the_record() -> None:
    table = Table(MINI, 2, [TalkativePlayer(), TalkativePlayer(), TalkativePlayer()])
    table.advance(LIMIT)
    text = text_of([table.record()], "json")
    assert "'hope': nan" in text
    assert records_of(text, "json") == [table.record()]


@RULES
def test_the_same_seed_gives_the_same_game(rules: RuleSet) -> None:
    def finished() -> list[tuple[int, ...]]:
        table = Table(rules, 11, [bot("rhcp", 11, position) for position in range(SEATS)])
        table.advance(LIMIT)
        return [tuple(move.cards for move in table.record().moves), table.record().bids]  # type: ignore[list-item]

    assert finished() == finished()
    assert Table(rules, 11, PERSONS).view(0).hand != Table(rules, 12, PERSONS).view(0).hand


# What is refused, and why.


def refusal(table: Table, position: int, text: str) -> str:
    before = (list(table.events), table.record())
    with pytest.raises(TableError) as caught:
        table.play(position, parse_hand(text))
    assert (table.events, table.record()) == before
    return str(caught.value)


def table_of(*hands: str) -> Table:
    """Makes a table with these hands under BOTZONE, filled up with cards of which no one here asks."""
    rest = BOTZONE.deck - sum(map(parse_hand, hands))
    dealt = []
    for text in hands:
        hand = parse_hand(text)
        for rank in range(13, -1, -1):
            more = min(rest >> 4 * rank & 15, 17 - size(hand))
            hand += more << 4 * rank
            rest -= more << 4 * rank
        dealt.append(hand)
    return Table(BOTZONE, 0, PERSONS, deal=Deal(BOTZONE, (dealt[0], dealt[1], dealt[2]), rest))


def test_an_illegal_move_is_refused_with_its_reason() -> None:
    table = table_of("33345", "4466", "5578")
    assert refusal(table, 1, "4") == "it is the turn of landlord, not of landlord_down"
    assert refusal(table, 0, "") == "a lead cannot be a pass"
    assert refusal(table, 0, "34") == "34: these cards are not a move (rules botzone)"
    assert refusal(table, 0, "66").startswith("66: the hand 333")
    table.play(0, parse_hand("33"))
    assert refusal(table, 1, "4") == "4: a solo cannot answer the pair 33"
    table.play(1, parse_hand("66"))
    assert refusal(table, 2, "55") == "55: it does not beat 66"
    table.play(2, 0)
    assert [str(event.move) for event in table.events if isinstance(event, MoveMade)] == ["33", "66", "pass"]


def test_a_bots_turn_is_not_a_persons() -> None:
    table = Table(BOTZONE, 5, [bot("rule", 5, 0), None, bot("rule", 5, 2)])
    assert refusal(table, 0, "3") == "landlord is played by rule"
    assert refusal(table, 3, "3") == "there is no position 3: positions are 0, 1 and 2"


def test_nothing_is_played_after_the_end() -> None:
    table = Table(MINI, 1, PERSONS)
    dice = random.Random(1)
    while not table.over:
        act(table, dice)
    assert refusal(table, 0, "9") == "the game is over"


def test_bids_are_judged_and_there_is_no_auction_without_one() -> None:
    table = Table(BOTZONE2, 1, PERSONS)
    with pytest.raises(TableError, match=r"^3: the auction is not over, it is time to bid$"):
        table.play(0, parse_hand("3"))
    with pytest.raises(TableError, match=r"^it is the turn of position 0, not of position 1$"):
        table.bid(1, 3)
    table.bid(0, 2)
    for bid in (1, 2, 4, -1, 2.5):
        with pytest.raises(TableError, match=rf"^bid {bid}: it must be one of 0, 3$"):
            table.bid(1, bid)  # type: ignore[arg-type]
    table.bid(1, 3)
    with pytest.raises(TableError, match=r"^bid 3: there is no auction now$"):
        table.bid(1, 3)
    with pytest.raises(TableError, match=r"^bid 1: there is no auction now$"):
        Table(BOTZONE, 1, PERSONS).bid(0, 1)


def test_a_table_has_three_places_and_a_seed() -> None:
    with pytest.raises(TableError, match="a table has 3 places"):
        Table(BOTZONE, 1, [None, None])
    with pytest.raises(TableError, match="a table has 3 places"):
        Table(BOTZONE, 1, PERSONS, ["ann"])
    with pytest.raises(TableError, match="-1 of a deal must not be negative"):
        Table(BOTZONE, -1, PERSONS)


# The auction.


def test_the_highest_bid_takes_the_bottom_and_leads() -> None:
    table = after_auction(BOTZONE2, 1, 2, 0)
    assert not table.in_auction
    assert table.position_to_move == 1
    assert table.events[-1] == LandlordNamed(1, 2, table.record().bottom or 0)
    assert [table.seat_of(position) for position in range(SEATS)] == [2, 0, 1]
    assert [table.position_of(seat) for seat in range(SEATS)] == [1, 2, 0]
    assert [size(table.view(position).hand) for position in range(SEATS)] == [17, 20, 17]


def test_three_ends_the_auction_at_once_and_when_all_pass_position_0_is_the_landlord_at_1() -> None:
    for rules, bids, stake in ((ICGA, (3,), 3), (BOTZONE2, (0, 0, 0), 1)):
        table = after_auction(rules, *bids)
        assert table.position_to_move == 0
        assert table.events[-1] == LandlordNamed(0, stake, table.record().bottom or 0)


def test_nobody_has_a_seat_during_the_auction() -> None:
    table = Table(BOTZONE2, 1, PERSONS)
    assert table.in_auction
    for ask in (table.seat_of, table.position_of):
        with pytest.raises(TableError, match="there are no seats yet"):
            ask(0)


def heard(table: Table, position: int) -> list[tuple[int, int]]:
    events = [event for event in table.events_for(position) if isinstance(event, BidMade)]
    assert all(event in table.events for event in events)
    return [(event.position, event.bid) for event in events]


def test_hidden_bids_are_heard_by_those_who_bid_later() -> None:
    table = after_auction(BOTZONE2, 1)
    assert [table.view(position)[2] for position in range(SEATS)] == [(), (1,), ()]
    assert [heard(table, position) for position in range(SEATS)] == [[(0, 1)], [(0, 1)], []]
    table.bid(1, 2)
    assert [table.view(position)[2] for position in range(SEATS)] == [(), (1,), (1, 2)]
    assert [heard(table, position) for position in range(SEATS)] == [[(0, 1)], [(0, 1), (1, 2)], [(0, 1), (1, 2)]]


def test_a_player_that_was_not_asked_hears_no_hidden_bid_and_all_hear_open_ones() -> None:
    table = after_auction(BOTZONE2, 1, 3)
    assert heard(table, 2) == []
    view = table.view(2)
    assert isinstance(view, View)
    assert view.bids == (None, 3)
    table = after_auction(ICGA, 1)
    assert [heard(table, position) for position in range(SEATS)] == [[(0, 1)]] * 3
    assert table.view(2) == BidView(ICGA, table.view(2).hand, (1,))


# Records.


@RULES
def test_a_record_resumes_anywhere(rules: RuleSet) -> None:
    dice = random.Random("resume" + rules.name)
    table = Table(rules, 4, PERSONS)
    while not table.over:
        again = Table.resumed(table.record(), 4, PERSONS)
        assert again.events == table.events
        assert again.record() == table.record()
        assert [again.view(position) for position in range(SEATS)] == [table.view(p) for p in range(SEATS)]
        act(table, dice)
    assert Table.resumed(table.record(), 4, PERSONS).over


def test_notes_and_names_survive_a_pause() -> None:
    table = Table(BOTZONE, 5, [bot("rule", 5, 0), None, bot("rule", 5, 2)], ["a", "ann", "b"])
    table.advance(LIMIT)
    (text,) = [text_of([table.record()], "json")]
    (record,) = records_of(text, "json")
    again = Table.resumed(record, 5, [bot("rule", 5, 0), None, bot("rule", 5, 2)])
    assert again.record() == table.record()
    assert again.names == ("a", "ann", "b")
    note = again.record().moves[0].note
    assert note.debug is not None
    assert note.debug["player"] == "rule"


def test_a_record_with_an_illegal_move_or_unknown_bids_is_not_resumed() -> None:
    table = after_auction(BOTZONE)
    table.play(0, table.view(0).hand & 15 or table.view(0).legal_moves()[0].cards)  # type: ignore[union-attr]
    record = table.record()
    spoiled = GameRecord(record.rules, record.hands, record.bottom, moves=(*record.moves, record.moves[0]))
    record = after_auction(BOTZONE2, 1, 3).record()
    unknown = GameRecord(record.rules, record.hands, record.bottom, (None, 3), 1)
    for bad, sentence in ((spoiled, "does not hold these cards"), (unknown, "does not know all bids")):
        with pytest.raises(TableError, match=sentence):
            Table.resumed(bad, 0, PERSONS)


def test_a_bot_must_be_a_player_by_name() -> None:
    assert bot("rule", 1, 0).seed != bot("rule", 1, 1).seed
    with pytest.raises(ValueError, match="is a command line"):
        bot("python bot.py", 1, 0)
    with pytest.raises(ValueError, match="player 'missing' is unknown"):
        bot("missing", 1, 0)


def test_moves_are_read_as_a_replay_reads_them() -> None:
    table = table_of("333444555666", "7", "8")
    table.play(0, parse_hand("333444555666"))
    (ply,) = table.record().plies()
    played = table.events[-1]
    assert isinstance(played, MoveMade)
    assert ply.move == played.move == Move(parse_hand("333444555666"), played.move.kind, 0, 4)
    assert hand_text(table.view(0).hand) == hand_text(ply.after.hands[0])


@RULES
def test_what_is_taken_back_has_never_been(rules: RuleSet) -> None:
    dice = random.Random("back")
    table = Table(rules, 5, PERSONS)
    seen: list[tuple[GameRecord, list[View | BidView], list[Event]]] = []
    for _ in range(9):
        seen.append((table.record(), [table.view(position) for position in range(SEATS)], list(table.events)))
        act(table, dice)
    at = table.at
    for acts in (7, 3, 0):
        table.take_back(acts)
        assert (table.record(), [table.view(position) for position in range(SEATS)], table.events) == seen[acts]
        assert table.at > at and table.last_act(0) in (None, *range(acts))
        at = table.at
    with pytest.raises(TableError, match="no move to take back"):
        table.take_back(0)
