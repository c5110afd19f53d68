"""The command python -m tools analyse as a real process: many queries in flight, bad ones, Ctrl-C, a closed stdout."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click import testing
from click.testing import CliRunner

from ddzbot.game import shuffled, start
from ddzbot.players.random_player import RandomPlayer
from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.platforms import PLATFORMS
from tests.review.some_reviews import DEMO
from tests.support import ROOT, eventually, started
from tools.records.files import read_records, write_records
from tools.records.notation import position_text, view_text
from tools.records.record import Result
from tools.shared.interrupts import INTERRUPTED
from tools.shared.paths import call_of
from tools.study.analyse.__main__ import main

COMMAND = [sys.executable, "-m", "tools", "analyse"]
EXAMPLE = "botzone 0 56689TTJJJQQKAAB 5JJ -@0 3334,3444,999T,-,-,55667788,-,-,K"
OPENING = "botzone2 0 444567788TTTTJJQQQA2 TJ2 3@0 ."
"""A search of it takes seconds, until there is no room for more worlds."""
BIDDER = "botzone2 bid 3455678TJJQKAAA2L 01"

Process = subprocess.Popen[str]


@pytest.fixture
def engine() -> Iterator[Process]:
    """An engine with two processes, in a process group of its own as a terminal would start it."""
    words, pipe = [*COMMAND, "--jobs", "2", "--limit", "60p"], subprocess.PIPE
    with started(words, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        yield process


def tell(engine: Process, *queries: dict[str, Any] | str) -> None:
    assert engine.stdin is not None
    for query in queries:
        engine.stdin.write(query + "\n" if isinstance(query, str) else json.dumps(query) + "\n")
    engine.stdin.flush()


def hear(engine: Process) -> dict[str, Any]:
    assert engine.stdout is not None
    answer: dict[str, Any] = json.loads(engine.stdout.readline())
    return answer


def finish(engine: Process) -> tuple[list[dict[str, Any]], str, int]:
    """Closes stdin; gets what was still said on stdout and stderr, and the exit status."""
    out, err = engine.communicate()
    return [json.loads(line) for line in out.splitlines()], err, engine.returncode


def good_queries(number: int) -> list[dict[str, Any]]:
    """Queries of every rule set and way to give a position."""
    queries: list[dict[str, Any]] = []
    names = sorted(PLATFORMS)
    for at in range(number):
        rules = RULE_SETS[names[at % len(names)]]
        game, player = start(shuffled(rules, f"flight/{at}")), RandomPlayer(at)
        while len(game.plays) < at % 7:
            game = game.play(player.choose(View.of(game, game.seat), Limit()).move)
        if at % 3:
            queries.append({"id": at, "view": view_text(View.of(game, game.seat)), "top": 2})
        else:
            queries.append({"id": str(at), "position": position_text(game), "seed": at})
    return queries


BAD: list[tuple[dict[str, Any] | str, str | None]] = [
    ("{", None),
    ("[1, 2]", None),
    ("\x00", None),
    ({"view": EXAMPLE}, "id"),
    ({"id": "bad 1", "view": "botzone 0"}, "view"),
    ({"id": "bad 2", "view": EXAMPLE, "playouts": -1}, "playouts"),
    ({"id": "bad 3", "view": EXAMPLE, "visits": 10}, "visits"),
    ({"id": "bad 4", "rules": "botzone", "hand": "345", "seat": 7}, "seat"),
    ({"id": "bad 5"}, "view"),
    ({"id": "bad 6", "view": EXAMPLE, "seconds": "soon"}, "seconds"),
]


@pytest.mark.whole
def test_queries_are_answered_as_they_come_and_fifty_at_once(engine: Process) -> None:
    """The acceptance test: 50 queries at once, ten of them malformed, one with each thing that may be wrong."""
    for number in (1001, 1002):  # an answer does not wait for more queries
        tell(engine, {"id": number, "view": EXAMPLE})
        answer = hear(engine)
        assert (answer["id"], answer["playouts"]) == (number, 60)
    good = good_queries(40)
    mixed: list[dict[str, Any] | str] = []
    for at, query in enumerate(good):
        mixed.append(query)
        if at % 4 == 3:
            mixed.append(BAD[at // 4][0])
    assert len(mixed) == 50
    tell(engine, *mixed)
    tell(engine, *({"id": f"same {number}", "view": EXAMPLE, "seed": 3, "playouts": 500} for number in range(4)))
    opening = {"own": list(range(20)), "history": [[], []], "publiccard": [0, 1, 2]}
    tell(engine, {"id": "bid", "view": BIDDER, "playouts": 600}, {"id": "request", "request": {"requests": [opening]}})
    answers, err, status = finish(engine)
    assert (err, status) == ("", 0)
    assert len(answers) == 56
    faults = [answer for answer in answers if "error" in answer]
    assert [(one["id"], one["field"]) for one in faults] == [
        (bad.get("id") if isinstance(bad, dict) else None, field) for bad, field in BAD
    ]
    assert [one["line"] for one in faults] == [5 * at + 7 for at in range(10)]
    analysed = {answer["id"]: answer for answer in answers if "error" not in answer}
    same = {json.dumps({**analysed.pop(f"same {number}"), "id": 0, "seconds": 0}) for number in range(4)}
    assert len(same) == 1, "each process says the same"
    bid = analysed.pop("bid")
    assert [worth["bid"] for worth in bid["bids"]] == [0, 2, 3]
    assert bid["bid"] in (0, 2, 3)
    assert analysed.pop("request")["moves"][0]["move"]
    assert set(analysed) == {query["id"] for query in good}
    for query in good:
        moves = analysed[query["id"]]["moves"]
        assert 1 <= len(moves) <= query.get("top", 5)
        assert all(0 <= move["win"] <= 1 for move in moves)


def processes_of(group: int) -> list[int]:
    """Lists the processes of a process group that still run."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, _, owner = file.read().rsplit(")", 1)[1].split()[:3]
        except (OSError, ValueError):
            continue
        if int(owner) == group and state != "Z":
            found.append(int(name))
    return found


def test_a_waiting_query_is_dropped_an_id_is_used_once_at_a_time_and_ctrl_c_ends_it_quietly(engine: Process) -> None:
    tell(engine, *({"id": letter, "view": OPENING, "seconds": 300} for letter in "abcc"))
    fault = hear(engine)
    assert (fault["id"], fault["field"]) == ("c", "id")
    tell(engine, {"id": "t", "terminate": "c"}, {"id": "u", "terminate": "missing"})
    assert [hear(engine) for _ in range(3)] == [
        {"id": "c", "dropped": True},
        {"id": "t", "terminate": "c", "dropped": True},
        {"id": "u", "terminate": "missing", "dropped": False},
    ]
    assert eventually(lambda: len(processes_of(engine.pid)) > 2), "no two processes analyse"
    os.killpg(engine.pid, signal.SIGINT)
    out, err = engine.communicate()
    assert (out, err, engine.returncode) == ("", "", INTERRUPTED)
    assert eventually(lambda: not processes_of(engine.pid))


@pytest.mark.whole
def test_a_closed_stdout_ends_it_quietly(engine: Process) -> None:
    assert engine.stdout is not None and engine.stderr is not None
    engine.stdout.close()
    tell(engine, {"id": 1, "view": EXAMPLE})
    assert engine.wait() == 0
    assert engine.stderr.read() == ""
    assert eventually(lambda: not processes_of(engine.pid))


def test_its_processes_end_when_it_is_killed(engine: Process) -> None:
    tell(engine, {"id": 1, "view": EXAMPLE})
    assert hear(engine)["id"] == 1
    tell(engine, {"id": 2, "view": OPENING, "seconds": 300})
    engine.kill()
    engine.wait()
    assert eventually(lambda: not processes_of(engine.pid))


@pytest.mark.whole
def test_ctrl_c_is_heard_while_nobody_reads_the_answers(engine: Process) -> None:
    assert engine.stdout is not None
    page = fcntl.fcntl(engine.stdout, fcntl.F_SETPIPE_SZ, os.sysconf("SC_PAGE_SIZE"))
    tell(engine, {"id": 0, "view": EXAMPLE, "playouts": 1})
    size = len(json.dumps(hear(engine))) + 1
    tell(engine, *({"id": number, "view": EXAMPLE, "playouts": 1} for number in range(1, 5)))
    unread = array("i", [0])

    def is_full() -> bool:
        """Checks if the next answer has to wait until the last ones are read; sizes differ by a few digits."""
        fcntl.ioctl(engine.stdout, termios.FIONREAD, unread)
        return unread[0] // (size - 20) == page // size

    assert eventually(is_full)
    os.killpg(engine.pid, signal.SIGINT)
    assert engine.wait() == INTERRUPTED
    assert eventually(lambda: not processes_of(engine.pid))


@pytest.mark.whole
@pytest.mark.parametrize("has_network", [True, False])
def test_without_the_kernel_queries_are_answered_and_say_so(has_network: bool, tmp_path: Path) -> None:
    environment = {**os.environ, "DDZ_NO_KERNEL": "1", **({} if has_network else {"DDZ_WEIGHTS": str(tmp_path)})}
    lines = json.dumps({"id": 1, "view": "mini 0 99TJQQKA222L TQA -@0 .", "playouts": 8}) + "\n"
    command = [*COMMAND, "--jobs", "1"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        input=lines,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["notes"]["kernel"].startswith("no kernel: ")
    # With a network its opinion is all there is; without one some games are played out by rule.
    assert answer["playouts"] == 0 if has_network else 0 < answer["playouts"] <= 8


def test_an_empty_stdin_is_no_error() -> None:
    done = subprocess.run(COMMAND, cwd=ROOT, input="\n  \n", capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# One position, for people or as JSON.


def ask(*arguments: str, text: str | None = None) -> testing.Result:
    return CliRunner().invoke(main, ["--limit", "200p", *arguments], input=text, env={"COLUMNS": "80"})


def test_a_position_as_argument_is_answered_in_json() -> None:
    result = ask(EXAMPLE, "--top", "2")
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["moves"]) == 2


@pytest.mark.parametrize("name", sorted(PLATFORMS))
def test_the_screen_for_people_fits_80_columns(name: str) -> None:
    game, player = start(shuffled(RULE_SETS[name], "screen/2")), RandomPlayer(1)
    while len(game.plays) < 5:
        game = game.play(player.choose(View.of(game, game.seat), Limit()).move)
    for text in (view_text(View.of(game, game.seat)), position_text(game)):
        result = ask("--human", text)
        assert (result.exit_code, result.stderr) == (0, "")
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert "hidden cards" in result.stdout
        assert "\x1b" not in result.stdout


def test_the_screen_says_all_that_is_known() -> None:
    shown = ask("--human", text=EXAMPLE + "\n").stdout
    answer = json.loads(ask(EXAMPLE).stdout)
    best = answer["moves"][0]
    row = next(line for line in shown.splitlines() if line.startswith("1  ")).split()
    assert row[1] == best["move"]
    assert row[2:4] == [f"{100 * best['win']:.1f}", "%"]
    assert row[4].count("#") == int(10 * best["win"] + 0.5)
    assert row[-3:] == ["7", "->", str(best["fewest"])]
    assert f"{best['score']:+.2f}" in row
    assert "rules botzone: landlord to beat K (solo) of landlord_down".replace("down", "up") in shown
    line = next(line for line in shown.splitlines() if line.startswith(" 1  "))
    assert line.split()[1:5] == best["line"][:4]


def test_a_move_of_a_game_is_analysed_from_what_its_seat_knew() -> None:
    (record,) = read_records(DEMO)
    *shown, same = ask(str(DEMO), "--move", "16").stdout.splitlines()
    position = view_text(record.view(15))
    assert same == f"The same position: {call_of('analyse', '--human', position)}"
    assert ask("--human", position).stdout.splitlines()[:5] == shown[:5]


def test_a_game_under_way_has_its_next_move_too(tmp_path: Path) -> None:
    (record,) = read_records(DEMO)
    write_records(tmp_path / "two.ddzn", [record, replace(record, moves=record.moves[:7], result=Result())])
    begun = [str(tmp_path / "two.ddzn"), "--number", "2", "--move"]
    assert "rules botzone: landlord_down to " in ask(*begun, "8").stdout
    assert ask(*begun, "9").stderr == "Error: there is no move 9: the game has 8\n"
    assert "there is no move 22: the game has 21" in ask(str(DEMO), "--move", "22").stderr


def test_the_screen_of_the_auction_names_the_recommended_bid() -> None:
    shown = ask("--human", json.dumps({"view": BIDDER})).stdout
    (row,) = (line for line in shown.splitlines() if "recommended" in line)
    assert row.split()[0] == str(json.loads(ask(BIDDER).stdout)["bid"])


@pytest.mark.parametrize(
    "text, word",
    [
        ("", "there is no position"),
        ("{", "not JSON"),
        ('{"id": 3, "terminate": 4}', "nothing to terminate"),
        ("botzone2 bid 3 0", "the own hand has 1 cards where 17 are dealt"),
    ],
)
def test_a_bad_position_is_refused_in_one_sentence(text: str, word: str) -> None:
    for result in (ask("--human", text), ask("--human", text=text)):
        assert result.exit_code == 2
        assert result.stdout == ""
        assert word in result.stderr
        assert len(result.stderr.splitlines()) == 1
