"""One duplicate set: fair, the same each time, and the same through the judge's messages."""

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from ddzbot.cards import hand_of_ids
from ddzbot.game import shuffled
from ddzbot.rules import RULE_SETS, rule_set
from ddzbot.search.limit import Limit
from tests.support import ROOT, command_line
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.outcome import Asked
from tools.arena.matches.plan import Match, Seats
from tools.arena.matches.programs import GAME_OF_RULES, ProgramTable, initdata_of
from tools.arena.matches.sets import SetPlayer
from tools.arena.matches.table import PlayerTable
from tools.arena.reports.results import summary_of
from tools.arena.stats.row import Counts, Row, read_message, statistics_of
from tools.shared.contestants import Contestant, parse_contestant
from tools.shared.json_text import json_text
from tools.shared.message import to_json

BOT = command_line(sys.executable, ROOT / "bot.py")
GARBAGE = command_line(sys.executable, ROOT / "tests" / "bots" / "garbage.py")


def row_of(rules: str, *contestants: str, index: int = 0) -> Row:
    player = SetPlayer(Match.of(rules, contestants, index + 1, 7))
    try:
        return player.row(0, index)
    finally:
        player.close()


@pytest.mark.parametrize(
    ("rules", "other"),
    [
        *((name, "rule") for name in sorted(RULE_SETS)),
        *(pytest.param(name, GARBAGE, id=f"{name}-garbage") for name in ("botzone", "botzone2")),
    ],
)
def test_the_numbers_of_a_row_are_those_that_a_reader_makes_of_it(rules: str, other: str) -> None:
    written = msgspec.to_builtins(row_of(rules, "random", other), enc_hook=to_json)
    read_again = msgspec.convert(written, Row, dec_hook=read_message)
    assert json_text(written) == json_text(msgspec.to_builtins(read_again, enc_hook=to_json))
    assert {type(points) for game in written["games"] for points in game["scores"]} == {float}


def without_times(row: Row) -> Row:
    return structs.replace(row, ms={})


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_same_set_is_played_the_same_way_again(rules: str) -> None:
    assert without_times(row_of(rules, "random", "rule")) == without_times(row_of(rules, "random", "rule"))


def test_a_row_is_json_and_makes_a_set() -> None:
    row = row_of("botzone2", "random", "rule", index=3)
    assert msgspec.json.decode(msgspec.json.encode(row), type=Row) == row
    assert (row.set, len(row.games), statistics_of(row).sets) == (3, 6, 1)


def test_a_contestant_against_itself_ties_every_set_without_bidding() -> None:
    for index in range(5):
        assert statistics_of(row_of("botzone", "rule", "rule", index=index)).histogram == (0, 1, 0)


def test_a_contestant_of_several_pairings_is_made_once_and_plays_as_if_it_had_been_made_for_each() -> None:
    plan = Everybody.of("botzone", ("random", "rule", "rhcp"), 1, 7)
    player = SetPlayer(plan)
    made: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        engine = Contestant.engine
        patch.setattr(Contestant, "engine", lambda one: made.append(one.spec) or engine(one))
        rows = [player.row(pairing, 0) for pairing in range(3)]
    assert sorted(made) == ["random", "rhcp", "rule"]
    for (a, b), row in zip(plan.pairs, rows, strict=True):
        assert without_times(row) == without_times(row_of("botzone", a, b))


@pytest.mark.parametrize("pair", [("rule", "rhcp"), ("random", "champion:search=none"), ("mcm:search=none", "rule")])
def test_a_limit_means_nothing_to_players_that_do_not_search(pair: tuple[str, str]) -> None:
    hurried, free = (SetPlayer(Match.of("botzone", pair, 1, 7, "report", limit)).row(0, 0) for limit in ("0.0001s", ""))
    assert without_times(hurried) == without_times(free)
    assert all(counts.fallbacks == 0 < counts.searched for counts in hurried.counts.values())


@pytest.mark.parametrize("rules", GAME_OF_RULES)
def test_players_choose_the_same_moves_from_messages_as_from_views(rules: str) -> None:
    contestants = {letter: parse_contestant("random") for letter in "AB"}
    engines = {letter: contestant.engine() for letter, contestant in contestants.items()}
    direct = PlayerTable(rule_set(rules), Limit(), engines)
    through_messages = ProgramTable(rule_set(rules), Limit(), contestants)
    for index in range(10):
        deal = shuffled(rule_set(rules), f"parity/{index}")
        one, other = (table.play(deal, "ABB", (1, 2, 3)) for table in (direct, through_messages))
        assert one.game is not None
        assert other.game is not None
        assert (one.game.plays, one.scores, one.game.bids) == (other.game.plays, other.scores, other.game.bids)


@pytest.mark.parametrize("rules", GAME_OF_RULES)
def test_the_judge_is_dealt_exactly_the_deal(rules: str) -> None:
    deal = shuffled(rule_set(rules), "x")
    initdata = initdata_of(deal)
    ids = [card for hand in initdata["allocation"] for card in hand]
    ids += initdata["publiccard"] if deal.rules.bidding else []
    assert hand_of_ids(ids) == deal.rules.deck
    assert hand_of_ids(initdata["publiccard"]) == deal.bottom
    assert hand_of_ids(initdata["allocation"][1]) == deal.hands[1]


@pytest.mark.whole
def test_a_program_plays_a_set_and_its_decisions_are_timed() -> None:
    row = row_of("botzone", "random", f"{BOT} --player random --keep-running")
    assert row.counts["B"] == Counts(searched=len(row.ms["B"])) and row.ms["B"]


@pytest.mark.whole
def test_a_program_that_reads_its_input_to_the_end_plays_a_set() -> None:
    row = row_of("botzone", "random", command_line(sys.executable, ROOT / "tests/bots/read_to_the_end.py"))
    assert row.counts["B"] == Counts(searched=len(row.ms["B"])) and row.ms["B"]


@pytest.mark.whole
def test_a_program_whose_player_fails_is_counted() -> None:
    row = row_of("botzone", "random", f"{BOT} --player tests.protocol.bad_players:Raising --limit 10p --keep-running")
    counts = row.counts["B"]
    assert 0 < counts.fallbacks <= counts.searched
    assert sum(row.fallbacks["B"].values()) == counts.fallbacks
    assert "A" not in row.fallbacks and set(row.fallbacks["B"]) <= {"mctshs", "rule"}
    assert counts.timeouts == counts.illegal == counts.failures == 0


@pytest.mark.parametrize(
    ("debug", "fallback", "failures"),
    [
        ({"player": "rule", "failed_champion": "no weights"}, "rule", (("champion", "no weights"),)),
        ({"error": "too late"}, "none", (("", "too late"),)),
        ({"player": "champion", "playouts": 3}, "", ()),
    ],
)
def test_the_debug_of_a_program_names_its_fallback(
    debug: dict[str, Any], fallback: str, failures: tuple[tuple[str, str], ...]
) -> None:
    asked = Asked.of_program(0, 7, 1.0, debug)
    assert (asked.fallback, asked.failures) == (fallback, failures)


@pytest.mark.usefixtures("without_kernel")
@pytest.mark.parametrize("spec", ["champion", "mcm", "mctshs"])
def test_without_weights_and_kernel_every_decision_is_a_fallback_of_a_name(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    row = row_of("mini", spec, "random")
    searched = row.counts["A"].searched
    assert row.counts["A"].fallbacks == searched > 0
    assert row.fallbacks == {"A": {"rule": searched}}
    assert summary_of([row, row], statistics_of(row)).fallbacks["A"] == {"rule": 2 * searched}


def test_an_illegal_program_loses_and_is_counted() -> None:
    row = row_of("botzone", "rule", command_line(sys.executable, ROOT / "tests/bots/illegal_move.py"))
    assert row.counts["B"].illegal >= 1
    assert statistics_of(row).histogram == (0, 0, 1)


def test_a_crashing_program_is_counted_as_a_failure() -> None:
    row = row_of("botzone2", "rule", command_line(sys.executable, "-c", "1/0"))
    assert row.counts["B"].failures == 9


def test_three_sit_in_the_seats_that_they_were_named_for() -> None:
    plan = Seats.of("botzone", ("rule", "random", "rhcp"), 6, 7)
    rows = [SetPlayer(plan).row(0, index) for index in range(6)]
    assert all(set(row.counts) == {*"ABC"} and row.counts["A"].searched for row in rows)
    outs = [row.games[0].out for row in rows]
    assert None not in outs and [row.games[0].landlord_won for row in rows] == [out == 0 for out in outs]
