"""The bot where the system gives it little: memory, processor time, threads, files; and where clocks stand or jump."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ddzbot.cards import hand_of_ids
from ddzbot.engine import LATE
from ddzbot.protocol import budget
from ddzbot.protocol.budget import processor_seconds
from ddzbot.rules import BOTZONE, classify
from tests.support import ROOT, started

OWN = [4, 8, 9, 13, 17, 20, 21, 25, 29, 30, 34, 37, 38, 41, 45, 46, 49, 50, 52, 53]
LINE = json.dumps({"requests": [{"own": OWN, "history": [[], []], "publiccard": [4, 8, 9]}], "responses": []})
"""A lead that takes a search all of its time."""
MIB = 1 << 20
QUICK = ("--limit", "600s,300p")
"""A search that ends by itself, however busy the machine is."""

Debug = dict[str, Any]


def limited(what: int, value: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (value, value))


def answer(
    *arguments: str, before: Callable[[], None] | None = None, command: list[str] | None = None, **environment: str
) -> Debug:
    """Starts the bot, and makes sure that it prints one line with a legal lead and nothing else; gets its debug."""
    program = command or [sys.executable, str(ROOT / "bot.py")]
    done = subprocess.run(
        [*program, *arguments],
        input=LINE,
        capture_output=True,
        text=True,
        cwd=ROOT,
        preexec_fn=before,
        env={**os.environ, **environment},
    )
    return checked(done.returncode, done.stdout, done.stderr)


def checked(status: int, output: str, errors: str) -> Debug:
    assert (status, errors, output.count("\n"), output[-1:]) == (0, "", 1, "\n"), output
    found = json.loads(output)
    assert {*found} == {"response", "debug"}
    played = found["response"]
    assert set(played) <= set(OWN) and played
    assert classify(BOTZONE, hand_of_ids(played))
    return dict(found["debug"])


def running(program: str, *arguments: str, before: Callable[[], None] | None = None) -> Debug:
    """Runs the bot after a few lines of *program*, in the same process."""
    loop = "import sys, time\nfrom ddzbot.protocol.loop import run\nrun(sys.argv[1:], time.monotonic())"
    return answer(*arguments, command=[sys.executable, "-c", f"{program}\n{loop}"], before=before)


@pytest.mark.parametrize("mebibytes", [20, 40, 150])
def test_with_little_memory_a_legal_move_is_answered(mebibytes: int) -> None:
    debug = answer(*QUICK, before=limited(resource.RLIMIT_AS, mebibytes * MIB))
    # In between it depends on where the system puts things.
    assert mebibytes < 150 or debug["player"] == "champion"


@pytest.mark.parametrize(
    ("stack", "memory"), [(128 << 10, resource.RLIM_INFINITY), (1 << 30, 256 * MIB), (resource.RLIM_INFINITY,) * 2]
)
def test_the_thread_that_thinks_has_a_stack_whatever_the_system_grants(stack: int, memory: int) -> None:
    def before() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    program = (
        "import ddzbot.protocol.session, threading\n"
        "from ddzbot.players.champion import ChampionPlayer\n"
        "choose = ChampionPlayer.choose\n"
        "def noted(self, view, limit):\n"
        "    found = choose(self, view, limit)\n"
        "    found.debug['in'] = threading.current_thread() is not threading.main_thread()\n"
        "    return found\n"
        "ChampionPlayer.choose = noted\n"
    )
    assert running(program, *QUICK, before=before)["in"], "the watchdog needs a thread of its own"


def test_a_thread_that_fails_as_it_begins_does_not_hold_up_the_answer() -> None:
    program = "import _thread, threading\n_thread.start_new_thread = threading._start_new_thread = lambda *given: 1\n"
    debug = running(program, "--limit", "0.5s")
    assert (debug["player"], debug["failed_champion"]) == ("rule", LATE)


@pytest.mark.whole
def test_with_little_processor_time_the_answer_comes_before_the_system_ends_the_bot() -> None:
    debug = answer(before=limited(resource.RLIMIT_CPU, 1))
    # Where others have the processor for most of that time, the answer is the one that was prepared.
    assert debug.get("player") == "champion" or "failed_champion" in debug or "in time" in debug["error"]


def test_the_processor_time_that_is_left_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert processor_seconds() == float("inf")
    monkeypatch.setattr(resource, "getrlimit", lambda what: (10, 10))
    monkeypatch.setattr(budget.time, "process_time", lambda: 4.0)
    assert processor_seconds() == 6.0
    monkeypatch.setattr(budget.time, "process_time", lambda: 40.0)
    assert processor_seconds() == 0.0
    monkeypatch.setitem(sys.modules, "resource", None)
    assert processor_seconds() == float("inf")


CAPABILITIES = 0x20080522
"""The version of the record of capabilities that capset takes."""
MAY_READ_ALL = 0b110
"""Two capabilities: to read what belongs to another user."""


ONE_PROCESS = f"""
import ctypes, os, resource
if os.getuid() == 0:  # for root there is no such limit
    system = ctypes.CDLL(None, use_errno=True)
    assert system.prctl(8, 1, 0, 0, 0) == 0  # keep capabilities
    os.setresuid(54321, 54321, 54321)
    head = (ctypes.c_uint32 * 2)({CAPABILITIES}, 0)
    sets = (ctypes.c_uint32 * 6)({MAY_READ_ALL}, {MAY_READ_ALL})
    assert system.capset(head, sets) == 0, ctypes.get_errno()
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
import threading
try:
    threading.Thread(target=int).start()
except RuntimeError:
    pass
else:
    raise SystemExit('there was a thread to be had')
"""
"""Makes a process one of a user that may not have more than one process or thread."""


def test_without_a_thread_or_process_to_be_had_the_bot_thinks_in_its_only_one() -> None:
    assert running(ONE_PROCESS, *QUICK)["player"] == "champion"


def test_with_few_open_files_a_legal_move_is_answered() -> None:
    assert answer(*QUICK, before=limited(resource.RLIMIT_NOFILE, 5))["player"] == "champion"


def test_where_no_file_may_grow_a_legal_move_is_answered() -> None:
    assert answer(*QUICK, before=limited(resource.RLIMIT_FSIZE, 0))["player"] == "champion"


def test_where_nothing_can_be_written_the_kernel_out_of_a_zip_costs_the_search_only(tmp_path: Path) -> None:
    # As a kernel in a zip file is loaded, without files in memory and with a temporary folder that takes none.
    program = (
        "import os, tempfile; from ddzbot import files\n"
        "files._in_memory = lambda content: None\n"
        "exists = os.path.exists; os.path.exists = lambda path: not str(path).endswith('.so') and exists(path)\n"
        "files._zipped = lambda path: b'a kernel' if str(path).endswith('.so') else None\n"
        f"tempfile.tempdir = {'/proc'!r}\n"
    )
    debug = running(program, *QUICK)
    assert "kernel" in debug
    assert debug["player"] in ("champion", "champion:search=none", "mctshs", "rule")


@pytest.mark.parametrize("error", ["MemoryError()", "ValueError('anything')"])
def test_a_ctypes_that_does_not_work_costs_the_search_only(error: str) -> None:
    program = (
        "import builtins\n"
        "usual = builtins.__import__\n"
        "def broken(name, *more, **named):\n"
        f"    if name == 'ctypes': raise {error}\n"
        "    return usual(name, *more, **named)\n"
        "builtins.__import__ = broken\n"
    )
    assert running(program, *QUICK)["player"] == "champion:search=none"


def test_a_library_that_is_cut_down_costs_the_player_and_not_the_game() -> None:
    program = (
        "import builtins, locale, shutil, sys, time, ddzbot.protocol.loop\n"
        "usual = builtins.__import__\n"
        "def broken(name, *more, **named):\n"
        "    if name not in sys.modules: raise MemoryError(name)\n"
        "    return usual(name, *more, **named)\n"
        "builtins.__import__ = broken\n"
    )
    assert "MemoryError" in str(running(program))


@pytest.mark.parametrize("late", [0.0, 0.7])
def test_pipes_that_do_not_wait_are_waited_on(late: float) -> None:
    asked, asks = os.pipe()
    answers, answered = os.pipe()
    os.set_blocking(asked, False)
    os.set_blocking(answered, False)
    command = [sys.executable, str(ROOT / "bot.py"), *QUICK]
    with subprocess.Popen(command, stdin=asked, stdout=answered, stderr=subprocess.PIPE) as bot:
        time.sleep(late)
        os.write(asks, LINE.encode() + b"\n")
        _, errors = bot.communicate()
    output = os.read(answers, MIB).decode()
    for descriptor in (asked, asks, answers, answered):
        os.close(descriptor)
    assert checked(bot.returncode, output, errors.decode())["player"] == "champion"


def test_a_full_device_as_stdout_is_no_crash() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, str(ROOT / "bot.py"), "--limit", "0.5s"]
        done = subprocess.run(command, input=LINE.encode(), stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("after", [0.05, 0.4])
def test_a_bot_that_is_stopped_for_a_while_thinks_no_longer(after: float) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, str(ROOT / "bot.py"), "--limit", "1s"]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bot:
        assert bot.stdin is not None
        bot.stdin.write(LINE.encode() + b"\n")
        bot.stdin.close()
        bot.stdin = None
        time.sleep(after)
        bot.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        bot.send_signal(signal.SIGCONT)
        output, errors = bot.communicate()
    checked(bot.returncode, output.decode(), errors.decode())
    # The clock ran while the bot was stopped.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime < 0.9


def jumping(jump: float) -> str:
    """Writes what makes the wall clock jump by so many seconds at each reading."""
    return (
        "import time\n"
        "calls = [0]\n"
        "def jumping():\n"
        "    calls[0] += 1\n"
        f"    return 1.7e9 + calls[0] * {jump}\n"
        "time.time = time.localtime = time.gmtime = jumping\n"
        "time.time_ns = lambda: int(jumping() * 1e9)\n"
    )


def test_a_wall_clock_that_jumps_ahead_takes_no_time_away() -> None:
    debug = running(jumping(3600.0), *QUICK)
    assert debug["player"] == "champion"
    assert "error" not in debug and debug["playouts"] > 100
    assert debug["ms"] < 30_000


@pytest.mark.whole
def test_a_wall_clock_that_jumps_back_gives_no_time() -> None:
    # It ends at all.
    running(jumping(-3600.0), "--limit", "0.5s")


def test_nothing_in_the_bot_reads_the_wall_clock() -> None:
    for path in sorted((ROOT / "ddzbot").rglob("*.py")):
        text = path.read_text("utf-8")
        for word in ("time.time(", "datetime", "time.localtime", "time.gmtime", "from time import time"):
            assert word not in text, f"{path}: {word}"
