"""The client against servers that fail in every way: no match is lost, and no answer is given twice."""

import asyncio
import json
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.live.faults import FaultDraw
from tests.live.mock_server import MockServer, ServerBehaviour, served
from tests.live.tables import PACE, SECRET, USER, Desk, Reply, RuleHere, answering, scripted, wish
from tests.live.trial import ENVELOPES, ONCE_ONLY, REPEATS, run_trial
from tools.records.files import read_records
from tools.tables.live.deciding import Response
from tools.tables.live.games import Games
from tools.tables.live.match import History, LiveMatch
from tools.tables.live.site import RefusedError
from tools.tables.live.store import Store
from tools.tables.live.wire import Ended, Request

pytestmark = pytest.mark.whole

OWN = list(range(17, 34))
FIRST = json.dumps({"own": OWN, "history": [[], [0]], "publiccard": [0, 1, 2]})
NEXT = json.dumps({"history": [[], [40]]})
END = "match1 1 3 2.2 0.1 0.1"


def one(request: str) -> Reply:
    return 200, f"1 0\nmatch1\n{request}"


def over(*_: Any) -> Reply:
    return 200, f"0 1\n{END}"


async def run_against(
    folder: Path, replies: Sequence[Reply | None], **options: Any
) -> tuple[Desk, list[dict[str, str]]]:
    """Runs a client for one match against a server that says all of *replies*, and then that the match is over."""

    def reply(number: int, _request: web.Request) -> Reply | None:
        return replies[number] if number < len(replies) else over()

    async with scripted(reply) as (address, heard):
        desk = Desk(folder, address, **{"count": 1, **options})
        await desk.run()
    return desk, heard


def asked(folder: Path, *replies: Reply | None, **options: Any) -> tuple[Desk, list[dict[str, str]]]:
    return asyncio.run(run_against(folder, replies, **options))


# Matches with faults.


@pytest.mark.parametrize(("behaviour", "seed"), [(REPEATS, 11), (ENVELOPES, 12), (ONCE_ONLY, 13)])
def test_no_match_is_lost_and_no_answer_doubled(tmp_path: Path, behaviour: ServerBehaviour, seed: int) -> None:
    games = Games(tmp_path / "games.jsonl")
    said: list[str] = []
    result = asyncio.run(run_trial(6, seed, behaviour, RuleHere(), tmp_path / "state", games, said.append))
    report = result.report
    assert (report.lost, report.doubled) == ([], [])
    assert sum(report.faults.values()) > 5
    assert report.started >= 6
    assert (result.played, result.broken_off) == (report.finished, report.broken_off)
    records = read_records(tmp_path / "games.jsonl")
    assert len({record.tags["Match"] for record in records}) == len(records)
    assert {record.rules.name for record in records} == {"botzone", "botzone2"}
    everything = "".join(said) + (tmp_path / "games.jsonl").read_text()
    assert "trial-secret-0123456789" not in everything


async def test_the_mock_server_finds_a_client_that_answers_twice(tmp_path: Path) -> None:
    class Forgetful(RuleHere):
        """Answers with the smallest card of its first hand each time."""

        def decide(self, match: str, histories: Sequence[History]) -> Response:
            return Response([min(histories[0].requests[0]["own"])], {})

    server = MockServer(USER, SECRET, 1, FaultDraw(1), ServerBehaviour(hold=0.5))
    async with served(server) as address:
        await Desk(tmp_path, address, decider=Forgetful(), wish=wish(3, slot=0)).run()
    report = server.report
    assert report.lost
    assert len(report.lost) == len(report.doubled)
    assert all("once more" in sentence for sentence in report.doubled)


# One fault at a time.


def test_a_dropped_answer_is_sent_again_only_when_its_request_came_back_twice(tmp_path: Path) -> None:
    desk, heard = asked(tmp_path, one(FIRST), None, one(FIRST), one(FIRST), one(NEXT))
    assert [bool(answers) for answers in heard] == [False, True, False, False, True, True]
    assert heard[1] == heard[4]
    assert desk.decider.asked == [("match1", 1), ("match1", 2)]
    assert desk.client.tally.resent == 1


def test_a_dropped_answer_that_had_counted_is_not_sent_again(tmp_path: Path) -> None:
    desk, heard = asked(tmp_path, one(FIRST), None, one(NEXT))
    assert [bool(answers) for answers in heard] == [False, True, False, True]
    assert desk.client.tally.resent == 0


@pytest.mark.parametrize("trouble", [(502, "bad gateway"), (400, "what?"), (200, "<html>"), (204, "")])
def test_trouble_is_said_and_waited_out(tmp_path: Path, trouble: Reply) -> None:
    desk, heard = asked(tmp_path, trouble, one(FIRST), trouble, trouble, one(NEXT))
    assert [bool(answers) for answers in heard] == [False, False, True, False, False, True]
    assert sum("asking again in" in sentence for sentence in desk.said) == 3
    assert desk.client.tally.played == 1


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ((401, f"wrong secret {SECRET}"), f"there is no user {USER}, or the secret is another one (HTTP 401)"),
        ((302, "", {"Location": f"https://{SECRET}.example/hotel"}), "sends on to https://[secret].example (HTTP 302)"),
        ((302, "", {"Location": "http://hush-08\t15-4711"}), "sends on to http://[secret] (HTTP 302)"),
        ((200, "<html>Welcome to our hotel"), "the site's answer begins with '<html>Welcome to our hotel'"),
    ],
)
def test_a_site_that_has_let_us_in_may_refuse_for_a_while(tmp_path: Path, trouble: Reply, sentence: str) -> None:
    desk, heard = asked(tmp_path, one(FIRST), trouble, trouble, one(NEXT))
    assert [bool(answers) for answers in heard] == [False, True, False, False, True]
    troubles = [said for said in desk.said if "asking again in" in said]
    assert len(troubles) == 2
    assert all(sentence in said for said in troubles)
    assert SECRET not in "".join(desk.said)
    assert desk.client.tally.played == 1


def test_a_page_is_no_proof_that_the_site_has_let_us_in(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="does not let user user-1 in"):
        asked(tmp_path, (200, "<html>Welcome to our hotel"), (401, "go away"))


def test_a_request_that_crosses_its_answer_is_not_answered_again(tmp_path: Path) -> None:
    desk, heard = asked(tmp_path, one(FIRST), one(FIRST), one(NEXT))
    assert [bool(answers) for answers in heard] == [False, True, False, True]
    assert desk.client.tally.resent == 0


async def test_after_a_silence_an_answer_of_unknown_fate_is_sent_again(tmp_path: Path) -> None:
    """A server that sends each request once, and holds a poll: here the poll is ended by our own bound."""
    waiting = asyncio.Event()

    async def hold(request: web.Request) -> web.StreamResponse:
        heard.append({name: value for name, value in request.headers.items() if name.startswith("X-Match-")})
        number = len(heard)
        if number == 2:
            assert request.transport is not None
            request.transport.abort()
        elif number == 3:
            await waiting.wait()
        return web.Response(text=f"1 0\nmatch1\n{FIRST}" if number == 1 else f"0 1\n{END}")

    heard: list[dict[str, str]] = []
    async with answering(hold) as address:
        desk = Desk(tmp_path, address, poll_seconds=1.0, count=1)
        await desk.run()
    assert [bool(answers) for answers in heard] == [False, True, False, True]
    assert heard[1] == heard[3]


def test_a_site_that_speaks_of_other_matches_alone_is_silent_too(tmp_path: Path) -> None:
    others = [(200, f"0 1\nother{number} 0 0") for number in range(12)]
    pace = PACE._replace(silence=0.05, idle=0.05)
    desk, heard = asked(tmp_path, one(FIRST), None, *others, pace=pace)
    answered = [number for number, answers in enumerate(heard) if answers]
    assert len(answered) == 2
    assert answered[0] == 1
    assert heard[answered[1]] == heard[1]
    assert desk.client.tally.resent == 1


async def test_an_answer_that_gets_ready_ends_the_poll_that_waits(tmp_path: Path) -> None:
    polled = threading.Event()

    class Slow(RuleHere):
        def decide(self, match: str, histories: Sequence[History]) -> Response:
            polled.wait(250)
            return super().decide(match, histories)

    heard: list[tuple[float, bool]] = []

    async def hold(request: web.Request) -> web.StreamResponse:
        answered = any(name.startswith("X-Match-") for name in request.headers)
        heard.append((time.monotonic(), answered))
        if len(heard) > 1 and not answered:
            polled.set()
            await asyncio.sleep(20)
        return web.Response(text=f"0 1\n{END}" if answered else f"1 0\nmatch1\n{FIRST}")

    async with answering(hold) as address:
        pace = PACE._replace(gather=0.05)
        await Desk(tmp_path, address, decider=Slow(), count=1, pace=pace).run()
    assert [answered for _, answered in heard] == [False, False, True]
    assert heard[2][0] - heard[0][0] < 10


async def test_a_site_that_repeats_a_request_while_we_think_is_not_asked_without_pause(tmp_path: Path) -> None:
    often = threading.Event()
    times: list[float] = []

    class Slow(RuleHere):
        def decide(self, match: str, histories: Sequence[History]) -> Response:
            often.wait(250)
            return super().decide(match, histories)

    async def repeat(request: web.Request) -> web.StreamResponse:
        if any(name.startswith("X-Match-") for name in request.headers):
            return web.Response(text=f"0 1\n{END}")
        times.append(time.monotonic())
        if len(times) == 6:
            often.set()
        return web.Response(text=f"1 0\nmatch1\n{FIRST}")

    async with answering(repeat) as address:
        desk = Desk(tmp_path, address, decider=Slow(), count=1, pace=PACE._replace(gather=0.0, idle=0.1))
        await desk.run()
    assert desk.decider.asked == [("match1", 1)]
    # After the first repetition, pauses of at least half of 0.05 s each.
    assert times[5] - times[1] > 4 * 0.025


async def test_a_site_that_contradicts_itself_is_told_once_and_not_hammered(tmp_path: Path) -> None:
    other = json.dumps({"own": list(range(20, 37)), "history": [[], [0]], "publiccard": [0, 1, 2]})
    times: list[float] = []

    async def contradict(_: web.Request) -> web.StreamResponse:
        times.append(time.monotonic())
        both = f"2 0\nmatch1\n{FIRST}\nmatch1\n{other}"
        return web.Response(text=both if len(times) < 6 else f"0 1\n{END}")

    async with answering(contradict) as address:
        desk = Desk(tmp_path, address, count=1, pace=PACE._replace(least=0.1))
        await desk.run()
    told = [sentence for sentence in desk.said if "contradict each other" in sentence]
    assert told == ["match match1: 2 requests in one answer contradict each other; the last one counts"]
    assert desk.client.tally.played == 1
    assert times[5] - times[0] > 4 * 0.1


# Ends.


def test_an_end_that_comes_twice_counts_once(tmp_path: Path) -> None:
    third = [(200, f"1 1\nmatch3\n{FIRST}\nmatch2 0 0"), (200, "0 1\nmatch3 0 0")]
    desk, _ = asked(tmp_path, one(FIRST), over(), over(), one(FIRST), over(), *third, count=2)
    assert desk.client.tally.results == [("landlord_down", False, 0.1)]
    assert sum(sentence.startswith("match match2 has ended, of which nothing") for sentence in desk.said) == 1
    assert [record.tags["Match"] for record in read_records(tmp_path / "games.jsonl")] == ["match1", "match3"]


def test_a_match_that_is_broken_off_while_we_think(tmp_path: Path) -> None:
    class Slow(RuleHere):
        def decide(self, match: str, histories: Sequence[History]) -> Response:
            time.sleep(0.2)
            return super().decide(match, histories)

    desk, _ = asked(tmp_path, one(FIRST), (200, "0 1\nmatch1 1 0"), decider=Slow(), pace=PACE._replace(gather=0.01))
    assert (desk.client.tally.broken_off, desk.client.matches, desk.decider.forgotten) == (1, {}, ["match1"])


def test_a_player_that_breaks_costs_no_match(tmp_path: Path) -> None:
    class Broken(RuleHere):
        def decide(self, match: str, histories: Sequence[History]) -> Response:
            raise MemoryError("all of it")

    desk, heard = asked(tmp_path, one(FIRST), one(NEXT), decider=Broken())
    assert heard[1:] == [{"match1": "[]"}, {"match1": "[]"}]
    assert desk.client.tally.fallbacks == 2
    assert "rule failed: MemoryError: all of it; [] is played" in "\n".join(desk.said)


def test_a_match_in_the_middle_of_which_we_come(tmp_path: Path) -> None:
    lead = json.dumps({"history": [[], []]})
    desk, heard = asked(tmp_path, one(NEXT), one(lead), one(lead))
    assert heard[1] == {"match1": "[]"}
    assert not any(heard[2:])
    assert sum("is not answered, since no answer is surely legal" in sentence for sentence in desk.said) == 1
    assert (tmp_path / "state" / "match1.aside.json").exists()


# Accounts.


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        ((401, f"wrong secret {SECRET}"), f"there is no user {USER}, or the secret is another one"),
        ((401, "Your level is too low"), "the level of user user-1 is too low for a local AI"),
        ((401, "go away"), "does not let user user-1 in (HTTP 401): go away"),
        ((302, "", {"Location": f"https://{SECRET.upper()}.example"}), "sends on to https://[secret].example (HTTP"),
        ((307, "", {"Location": "http://[/x"}), "sends on to another address (HTTP 307): name that with --site"),
    ],
)
def test_an_account_that_is_none_ends_with_one_sentence(tmp_path: Path, reply: Reply, sentence: str) -> None:
    with pytest.raises(RefusedError) as caught:
        asked(tmp_path, reply)
    assert sentence in str(caught.value)
    assert SECRET not in str(caught.value).lower()


async def test_the_library_says_nothing_of_what_the_site_sends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def reply(number: int, _: web.Request) -> Reply:
        return 200, (over() if number else one(FIRST))[1], {"Set-Cookie": f"{SECRET} @=1"}

    async with scripted(reply) as (address, _):
        # Cookies of a bare number are not looked at.
        await Desk(tmp_path, address.replace("127.0.0.1", "localhost"), count=1).run()
    assert SECRET not in caplog.text


def test_nobody_there_is_waited_out_without_the_address(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "http://127.0.0.1:9", count=1)
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(desk.run(0.8))
    assert desk.said
    assert all(sentence.startswith("127.0.0.1:9 cannot be reached: ") for sentence in desk.said)


# Starting.


@pytest.mark.parametrize(
    ("slot", "seats"),
    [(None, [["me", "a", "b"], ["a", "me", "b"], ["a", "b", "me"], ["me", "a", "b"]]), (2, [["a", "b", "me"]] * 4)],
)
def test_the_players_by_seat(slot: int | None, seats: list[list[str]]) -> None:
    asked_for = wish(4, slot=slot)._replace(against=("a", "b"))
    assert [asked_for.players(number) for number in range(4)] == seats
    assert wish(1, slot=1).players(0) == ["rule", "me", "rule"]


async def test_a_site_that_finds_the_wish_senseless_is_not_asked_for_ever(tmp_path: Path) -> None:
    def reply(_: int, request: web.Request) -> Reply:
        return (400, f"no such bot, see {request.path}") if request.path.endswith("runmatch") else (200, "0 0")

    async with scripted(reply) as (address, _):
        desk = Desk(tmp_path, address, wish=wish(3))
        await desk.run()
    assert desk.client.starter is not None
    assert desk.client.starter.gave_up
    refusals = [sentence for sentence in desk.said if "the site starts no match (HTTP 400): no such bot" in sentence]
    assert len(refusals) == 5
    assert SECRET not in "".join(desk.said)


async def test_the_site_says_how_long_to_wait_for_the_next_match(tmp_path: Path) -> None:
    def reply(_: int, request: web.Request) -> Reply:
        return (403, "please wait 300 seconds") if request.path.endswith("runmatch") else (200, "0 0")

    async with scripted(reply) as (address, _):
        desk = Desk(tmp_path, address, wish=wish(1))
        with pytest.raises(asyncio.TimeoutError):
            await desk.run(0.8)
    assert sum("the next match is tried in 300.0 s" in sentence for sentence in desk.said) == 1


async def test_a_start_that_is_refused_after_we_were_let_in_is_tried_again(tmp_path: Path) -> None:
    starts: list[str] = []

    def reply(_: int, request: web.Request) -> Reply:
        if request.path.endswith("runmatch"):
            starts.append(f"match{len(starts)}")
            return (401, "wrong secret") if len(starts) == 2 else (200, starts[-1])
        # A match that has not been started yet would be taken for one of another client.
        ends = ["match0 0 0"] * (len(starts) >= 1) + ["match2 0 0"] * (len(starts) >= 3)
        return 200, "\n".join([f"0 {len(ends)}", *ends])

    async with scripted(reply) as (address, _):
        desk = Desk(tmp_path, address, wish=wish(2, at_once=1))
        await desk.run()
    assert desk.client.tally.broken_off == 2
    assert any("the site starts no match (HTTP 401): wrong secret" in sentence for sentence in desk.said)


async def test_a_match_whose_start_was_never_confirmed_counts_whether_it_asks_us_or_ends(tmp_path: Path) -> None:
    starts: list[str] = []

    def reply(number: int, request: web.Request) -> Reply | None:
        if request.path.endswith("runmatch"):
            starts.append("x")
            return None if len(starts) == 1 else (200, "match2")
        ends = ["match1 0 0"] * (len(starts) >= 1) + ["match2 0 0"] * (len(starts) >= 2)
        return 200, "\n".join([f"0 {len(ends)}", *ends])

    async with scripted(reply) as (address, _):
        desk = Desk(tmp_path, address, wish=wish(2, at_once=1))
        await desk.run()
    assert desk.client.tally.broken_off == 2
    assert len(starts) == 2


# Restarts.


def test_a_file_that_makes_no_sense_is_set_aside_and_the_others_are_resumed(tmp_path: Path) -> None:
    said: list[str] = []
    state = tmp_path / "state"
    store = Store(state, said.append)
    for name in ("good", "torn", "old", "other", "wrong"):
        store.save(LiveMatch(name, ""))
    (state / "torn.match.json").write_bytes((state / "torn.match.json").read_bytes()[:-9])
    os.utime(state / "old.match.json", (1, 1))
    (state / "other.match.json").write_bytes((state / "good.match.json").read_bytes())
    store.save(LiveMatch("wrong", "", requests=[1], responses=[1, 2]))
    assert [match.id for match in store.running()] == ["good"]
    store.close()
    assert sorted(path.name for path in state.glob("*.aside.json")) == [
        f"{name}.aside.json" for name in ("old", "other", "torn", "wrong")
    ]
    assert [sentence.split(" as ")[0] for sentence in said] == [
        f"match {name} is set aside" for name in ("old", "other", "torn", "wrong")
    ]


async def test_a_client_that_was_killed_goes_on_with_its_match(tmp_path: Path) -> None:
    server = MockServer(USER, SECRET, 5, FaultDraw(5), ServerBehaviour(hold=0.5, delay=0.01))
    async with served(server) as address:
        first = Desk(tmp_path, address, wish=wish(1))
        running = asyncio.create_task(first.run())
        while not any(match.number > 2 for match in server.matches.values()):
            await asyncio.sleep(0.005)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        (kept,) = (tmp_path / "state").glob("*.match.json")
        assert kept.stat().st_mode & 0o777 == 0o600
        desk = Desk(tmp_path, address, count=1)
        await desk.run()
    assert (server.report.finished, server.report.lost, server.report.doubled) == (1, [], [])
    assert any("resumes at request" in sentence for sentence in desk.said)
    assert len(read_records(tmp_path / "games.jsonl")) == 1
    assert list((tmp_path / "state").glob("*.json")) == []


def test_what_cannot_be_kept_is_said_once_and_costs_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    desk, _ = asked(tmp_path, one(FIRST), one(NEXT))
    assert desk.client.tally.played == 1
    assert sum("No space left on device" in sentence for sentence in desk.said) == 1


async def test_an_end_that_comes_while_the_client_is_stopped_is_taken(tmp_path: Path) -> None:
    asked_twice = asyncio.Event()

    async def hold(request: web.Request) -> web.StreamResponse:
        if not any(name.startswith("X-Match-") for name in request.headers):
            return web.Response(text=f"1 0\nmatch1\n{FIRST}")
        asked_twice.set()
        await asyncio.sleep(0.05)
        return web.Response(text=f"0 1\n{END}")

    async with answering(hold) as address:
        desk = Desk(tmp_path, address)
        running = asyncio.create_task(desk.run())
        await asked_twice.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert desk.client.tally.played == 1
    assert len(read_records(tmp_path / "games.jsonl")) == 1


def test_a_match_of_which_nothing_is_heard_is_given_up(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "http://127.0.0.1:9")
    registry = desk.client.registry
    for name in ("match1", "match2"):
        registry.begin(name, ["me", "a", "b"])
    begun = time.monotonic() - 61.0
    registry.give_up(begun, patience=60.0)
    registry.take_request(Request("match2", json.loads(FIRST)), list)
    registry.give_up(begun + 61.0, patience=60.0)
    assert (
        desk.said[-1]
        == f"match match1 is set aside as {tmp_path}/state/match1.aside.json: nothing was heard of it for 60 s"
    )
    assert list(desk.client.matches) == ["match2"]
    assert (tmp_path / "state" / "match1.aside.json").exists()
    assert not registry.take_end(Ended("match1", 0, ()), list)
    desk.store.close()
