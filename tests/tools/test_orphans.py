"""Nothing outlives a command that was killed: not its workers, and not the programs that it runs."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.support import ROOT, command_line, kernel_path, require
from tools.shared.work.orphans import Guard

PATIENCE = 250.0


def descendants(command: list[str], at_least: int) -> tuple[subprocess.Popen[bytes], list[psutil.Process]]:
    """Starts a command and waits until it has so many descendants."""
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ended = time.monotonic() + PATIENCE
    found: list[psutil.Process] = []
    while len(found) < at_least and time.monotonic() < ended and running.poll() is None:
        found = psutil.Process(running.pid).children(recursive=True)
        time.sleep(0.05)
    if len(found) < at_least:
        running.kill()  # or it would play for hours
    assert len(found) >= at_least, running.poll()
    return running, found


def gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    return not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


STALLING = shlex.quote(command_line(sys.executable, ROOT / "tests/bots/stall.py"))
COMMANDS = {
    "match": "tools.arena.match rule rhcp --sets 100000 --jobs 2 --quiet",
    "match of programs": f"tools.arena.match {STALLING} {STALLING} --sets 9 --jobs 1 --quiet",
    "judge": f"tools.judge {STALLING} {STALLING} {STALLING}",
    "series of the judge": f"tools.arena.series {STALLING} {STALLING} {STALLING}",
    "generator": "tools.training.command make mcm FOLDER --rules mini --count 9999 --jobs 2 --quiet",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "match of programs" else pytest.mark.whole) for name in COMMANDS]
)
def test_a_killed_command_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    if name == "generator":
        require(kernel_path(), "a C compiler")
    words = [word.replace("FOLDER", str(tmp_path)) for word in shlex.split(COMMANDS[name])]
    # The bots of the judge take a moment to start after their guard.
    running, children = descendants([sys.executable, "-m", *words], 1 if "judge" in name else 2)
    time.sleep(0.5)
    children = psutil.Process(running.pid).children(recursive=True)
    running.kill()
    running.wait()
    assert gone(children)


def test_a_guard_spares_what_it_was_told_to_forget() -> None:
    program = (
        "import os, subprocess, sys, time; from tools.shared.work.orphans import Guard\n"
        "spared, lost = (subprocess.Popen(['sleep', '60'], start_new_session=True) for _ in '12')\n"
        "guard = Guard(); guard.watch(spared.pid); guard.watch(lost.pid); guard.forget(spared.pid)\n"
        "print(spared.pid, lost.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT) as running:
        assert running.stdout is not None
        spared, lost = (psutil.Process(int(word)) for word in running.stdout.readline().split())
        running.kill()
    try:
        assert gone([lost])
        assert spared.is_running() and spared.status() != psutil.STATUS_ZOMBIE
    finally:
        spared.kill()


LEADER = """
env -i setsid sleep 3600 & echo $!
(setsid sleep 3600 & echo $!)
sleep 3600 & echo $!
wait
"""
"""Starts a child in a session of its own that has lost its environment, a daemon that has not, and one in its group."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_guard_ends_what_has_left_the_group(number: signal.Signals) -> None:
    program = (
        "import os, subprocess, sys, time; from tools.shared.work.orphans import Guard\n"
        "environment = {**os.environ, 'MARK': str(os.getpid())}\n"
        "running = subprocess.Popen(['sh', '-c', sys.argv[1]], start_new_session=True, env=environment)\n"
        "Guard().watch(running.pid, f'MARK={os.getpid()}'); os.write(1, b'%d\\n' % running.pid); time.sleep(60)"
    )
    words = [sys.executable, "-c", program, LEADER]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as running:
        assert running.stdout is not None
        started = [psutil.Process(int(running.stdout.readline())) for _ in range(4)]
        running.send_signal(number)
    assert gone(started)


def test_a_process_that_was_forked_has_a_guard_of_its_own() -> None:
    guard = Guard()
    guard.watch(99999999)
    first = guard._running
    child = os.fork()
    if child == 0:
        guard.watch(99999999)
        os._exit(0 if guard._running is not first else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    guard.end()
