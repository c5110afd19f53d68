"""Bad bots in the sandbox do no harm, and good ones play as they do outside."""

import os
import secrets
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import psutil
import pytest
from click.testing import CliRunner

from tests.judge.test_process import FIRST, LEAD, MARKER, PATIENT, first_turn, is_gone
from tests.support import ROOT, eventually, require
from tools.judge.__main__ import command as judge
from tools.judge.game import JudgeGame
from tools.judge.game_command import bot_words
from tools.judge.process import BotProcess
from tools.judge.process_answer import Answer
from tools.judge.process_group import ProcessGroup
from tools.judge.process_limits import Limits
from tools.programs import bubblewrap, own_copies, program_of, sandbox
from tools.referee.games import make_referee
from tools.shared.options import SANDBOX_VARIABLE, sandbox_option

BOTS = ROOT / "tests" / "bots"


@pytest.fixture(autouse=True)
def in_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SANDBOX_VARIABLE)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that no user may read."""
    tmp_path.chmod(0o755)
    yield tmp_path


@pytest.fixture(autouse=True)
def no_reason_of_before() -> Iterator[None]:
    sandbox.why_open.cache_clear()
    asked = sandbox.why_open
    yield
    asked.cache_clear()


def confine() -> None:
    """Leaves a test out where there is no sandbox."""
    require(not sandbox.why_open(), f"sandbox ({sandbox.why_open()})")


def turn_of(file: str, *words: str, limits: Limits = PATIENT) -> Answer:
    confine()
    return first_turn(BotProcess([sys.executable, "-S", f"tests/bots/{file}.py", *words], limits=limits))


def script(text: str, **options: Any) -> Answer:
    confine()
    return first_turn(BotProcess(["sh", "-c", f"read line; {text}"], limits=PATIENT, **options))


def said(text: str, **options: Any) -> str:
    """What a command of the shell says in the sandbox."""
    answer = script(f"""printf '{{"response":[3],"debug":"%s"}}' "$({text})" """, **options)
    assert answer.ok, answer.problem
    return str(answer.debug)


def test_a_program_opens_its_streams_by_their_names() -> None:
    """The programs of root are another user there."""
    assert said(": < /dev/stdin && : > /dev/stderr && echo opened") == "opened"


def test_fork_bomb() -> None:
    # A word of its own: another run of these tests may have bombs, too.
    own = secrets.token_hex(8)
    answer = turn_of("fork_bomb", own, limits=Limits(first_turn=1.5))
    assert answer.verdict in ("TLE", "MLE")
    running = [one.info["cmdline"] or [] for one in psutil.process_iter(["cmdline"])]
    assert not [words for words in running if own in words]


def test_processes_are_counted(folder: Path) -> None:
    (folder / "many.py").write_text(
        "import json, os, sys, time\nsys.stdin.readline()\nstarted = 0\n"
        "try:\n    for _ in range(1000):\n        if os.fork() == 0:\n            time.sleep(60)\n"
        "        started += 1\nexcept OSError: pass\nprint(json.dumps({'response': [3], 'debug': started}))\n"
    )
    confine()
    answer = first_turn(BotProcess([sys.executable, "-S", "many.py"], limits=PATIENT, cwd=folder))
    assert answer.ok, answer.problem
    assert answer.debug <= bubblewrap.PROCESSES


def test_output_flood() -> None:
    assert turn_of("output_flood").verdict == "OLE"


def test_file_deleter() -> None:
    names = {folder: sorted(os.listdir(folder)) for folder in (BOTS, ROOT, Path("/etc"), Path("/"))}
    answer = turn_of("delete_files")
    assert answer.ok, answer.problem
    # Its home is its own /tmp.
    assert answer.debug == ["/tmp"]
    assert {folder: sorted(os.listdir(folder)) for folder in names} == names
    assert not Path("/tmp/left-by-a-stranger").exists()


def test_all_that_is_not_its_own_is_mounted_to_be_read_alone() -> None:
    """A user other than root may write to nothing of the system anyway: only how it is mounted holds for all users."""
    # The place of each mount and its options, with a blank between: fields 5 and 6 of a line.
    found = said("cut -d' ' -f5,6 /proc/self/mountinfo | tr -c 'a-zA-Z0-9/,. \\n' '_' | tr '\\n' ';'")
    mounts = {place: options.split(",") for place, options in (one.split() for one in found.split(";") if one)}
    assert {"/", "/usr", "/etc"} <= mounts.keys()
    its_own = ("/tmp", "/dev", "/proc")
    other = {place: options[0] for place, options in mounts.items() if not place.startswith(its_own)}
    assert set(other.values()) == {"ro"}, other


def test_sockets() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        assert turn_of("open_sockets", port).debug == []
        outside = BotProcess([sys.executable, "-S", "tests/bots/open_sockets.py", port], limits=PATIENT)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SANDBOX_VARIABLE, "0")
            assert "127.0.0.1" in first_turn(outside).debug


@pytest.mark.parametrize("file", ["memory_hog", "memory_hog_children"])
def test_memory(file: str) -> None:
    assert turn_of(file, limits=Limits(60.0, 60.0, 60.0, memory_mib=128)).verdict == "MLE"


def test_files_are_bounded(folder: Path) -> None:
    assert int(said("head -c 200000000 /dev/zero 2>/dev/null > /tmp/big; stat -c %s /tmp/big")) <= 64 << 20


def test_home_and_variables_are_not_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "secret")
    monkeypatch.setenv("LANG", "C.UTF-8")
    (folder / "own").touch()
    assert said("echo $(ls; echo $MY_TOKEN $LANG $HOME)", cwd=folder) == "own C.UTF-8 /tmp"
    other = folder / "other"
    other.mkdir()
    other.chmod(0o755)
    assert "own" not in said(f"ls {folder}", cwd=other)


def test_runs_on_one_core() -> None:
    before = os.sched_getaffinity(0)
    assert said("nproc") == "1"
    assert os.sched_getaffinity(0) == before


def test_folders_of_named_files_are_seen(folder: Path) -> None:
    (folder / "here").mkdir()
    (folder / "here").chmod(0o755)
    (folder / "weights").mkdir()
    (folder / "weights").chmod(0o755)
    file = folder / "weights" / "one"
    file.write_text("3")
    words = ["sh", "-c", "read line; printf '{\"response\":[%s]}' $(cat $0)", str(file)]
    confine()
    assert first_turn(BotProcess(words, limits=PATIENT, cwd=folder / "here")).response == [3]


def test_python_of_a_manager_of_versions_is_found(folder: Path) -> None:
    confine()
    manager, shim = folder / "libexec" / "manager", folder / "shims" / "python3"
    for script_of, text in ((manager, f'exec "{sys.executable}" "$@"'), (shim, f'exec "{manager}" "$@"')):
        script_of.parent.mkdir()
        script_of.write_text(f"#!/bin/sh\n{text}\n")
        script_of.chmod(0o755)
    answer = first_turn(BotProcess([str(shim), "-S", "tests/bots/warn_on_stderr.py"], limits=PATIENT))
    assert answer.ok, answer.problem


def test_signal_and_exit_code_are_named() -> None:
    assert "was killed by SIGSEGV" in script("kill -SEGV $$").problem
    assert "ended with exit code 7: broken" in script("echo broken >&2; exit 7").problem
    long = script(f"echo /{'a folder/' * 40}: no such file >&2; exit 7").problem
    assert "code 7: /a folder/" in long and "folder/: no such file (RE)" in long and len(long) < 300


def test_missing_program_is_named() -> None:
    confine()
    answer = first_turn(BotProcess(["./no-such-program"], limits=PATIENT))
    assert answer.problem == "bot could not be started: './no-such-program': No such file or directory (RE)"


def test_kept_bot_is_stopped_and_killed_with_its_children() -> None:
    confine()
    words = ["sh", "-c", f'sleep 1000 & while read line; do echo \'{{"response":[3]}}\'; echo "{MARKER}"; done']
    with BotProcess(words, limits=PATIENT) as bot:
        assert bot.turn([FIRST], []).kept
        assert bot.pid is not None
        family = [psutil.Process(bot.pid), *psutil.Process(bot.pid).children(recursive=True)]
        assert len(family) >= 4
        assert eventually(lambda: all(one.status() == psutil.STATUS_STOPPED for one in family))
        assert bot.turn([FIRST, {"history": [[], []]}], [[3]]).kept
    for one in family:
        assert eventually(partial(is_gone, one.pid))


def log_of(words: list[str]) -> list[dict[str, Any]]:
    """What three bots answered in a game."""
    bots = [BotProcess(words, limits=PATIENT) for _ in range(3)]
    match = JudgeGame(make_referee("FightTheLandlord", "", "7"), bots)
    for _ in match.turns():
        pass
    for bot in bots:
        bot.close()
    assert not match.faults
    return [{name: said["response"] for name, said in turn.items()} for turn in match.log if "output" not in turn]


@pytest.mark.whole
def test_same_game_inside_and_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    confine()
    words = [sys.executable, "tests/bots/obedient_keep_running.py"]
    inside = log_of(words)
    monkeypatch.setenv(SANDBOX_VARIABLE, "0")
    assert inside == log_of(words)


def test_our_own_players_stay_outside() -> None:
    # The second is another program than the first, and would want torch to be looked at.
    for words in (bot_words("champion"), [sys.executable, *program_of("douzero"), "--player", "douzero"]):
        started = sandbox.confine(words, None, {}, 256)
        assert not started.in_sandbox
        assert list(started.words) == words


def test_nothing_takes_memory_that_is_not_measured_and_no_second_core() -> None:
    found = turn_of("hide_memory").debug
    assert found["nameless"] == found["segments"] == 0
    assert found["reserved"] <= bubblewrap.MEMORY_FACTOR * PATIENT.memory_mib
    # Its own /tmp, which has a bound.
    assert 0 < found["files"] <= bubblewrap.FILE_MIB
    assert found["mounts"] == ""
    assert found["cores"] == 1


def kept_bot(file: str) -> BotProcess:
    return BotProcess([sys.executable, "-S", f"tests/bots/{file}.py"], limits=PATIENT)


@pytest.mark.parametrize("where", ["inside", "outside"])
def test_a_child_that_left_its_session_is_stopped_as_well(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if where == "inside":
        confine()
    else:
        monkeypatch.setenv(SANDBOX_VARIABLE, "0")
    began = time.monotonic()
    with kept_bot("sleepless") as bot:
        assert bot.turn([FIRST], []).kept
        time.sleep(2)
        answer = bot.turn([FIRST, LEAD], [[3]])
        assert answer.kept, answer.problem
        # 100 a second at most, and none in the pause; a busy judge sees the end of the first turn late.
        assert 0 < answer.debug < 100 * (time.monotonic() - began - 1.5)


def test_a_program_that_works_while_it_is_stopped_has_less_time_in_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    confine()
    with kept_bot("wake_up") as bot:
        assert bot.turn([FIRST], []).kept
        time.sleep(2)
        assert bot._live is not None
        burnt = bot._live.group.resume()
        assert burnt > 0.1
        assert bot._live.group.resume() == 0
        monkeypatch.setattr(ProcessGroup, "resume", lambda _group: 61.0)
        answer = bot.turn([FIRST, LEAD], [[3]])
        assert answer.verdict == "TLE" and answer.seconds > 61


def test_root_may_start_a_bot_in_a_folder_of_its_own(tmp_path: Path) -> None:
    confine()
    tmp_path.chmod(0o700)
    (tmp_path / "own").write_text("3")
    (tmp_path / "own").chmod(0o600)
    assert said("cat own", cwd=tmp_path) == "3"


def test_what_the_number_of_a_stranger_may_not_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    confine()
    require(os.geteuid() == 0, "programs of root")
    monkeypatch.setattr(own_copies, "MOST_FILES", 1)
    (tmp_path / "large").mkdir(mode=0o700)
    for name in ("a", "b"):
        (tmp_path / "large" / name).touch()
    answer = first_turn(BotProcess(["true", "large"], limits=PATIENT, cwd=tmp_path))
    assert answer.verdict == "RE"
    assert f"may not read {tmp_path / 'large'} (see --no-sandbox)" in answer.problem


OPEN = "Programs run without a sandbox, and the system does not limit their memory"


def test_without_a_sandbox_it_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None if name == "bwrap" else f"/bin/{name}")
    bots = ["python tests/bots/obedient_one_shot.py"] * 2
    words = [[sys.executable, *bot.split()[1:]] for bot in bots]
    output = CliRunner().invoke(click.command()(lambda: sandbox.warn_of_open_programs(words))).stderr
    assert output == f"{OPEN}: bubblewrap is not installed.\n"
    assert not sandbox.confine(words[0], None, dict(os.environ), 256).in_sandbox


@pytest.mark.whole
def test_no_sandbox_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "why_open", lambda: "bubblewrap is not installed")
    bots = ["rule", "rule", "python tests/bots/obedient_one_shot.py"]
    deal = ["--game", "MiniFightTheLandlord", "--initdata", '{"allocation": [[4, 5, 8, 9], [12], [16]]}']
    result = CliRunner().invoke(judge, [*bots, *deal, "--no-sandbox"])
    assert result.exit_code == 0, result.output
    assert "sandbox" not in result.stderr


def test_option_reaches_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SANDBOX_VARIABLE, "1")
    seen = click.command()(sandbox_option(lambda: click.echo(os.environ[SANDBOX_VARIABLE])))
    assert CliRunner().invoke(seen, []).output == "1\n"
    assert CliRunner().invoke(seen, ["--no-sandbox"]).output == "0\n"


@pytest.mark.whole
def test_what_languages_usually_do_still_works(folder: Path) -> None:
    confine()
    (folder / "usual.py").write_text(
        "import asyncio, json, multiprocessing, subprocess, sys, threading\n"
        "from multiprocessing import shared_memory\n"
        "sys.stdin.readline()\n"
        "queue = multiprocessing.Queue()\n"
        "child = multiprocessing.Process(target=queue.put, args=(3,))\n"
        "child.start()\n"
        "card = queue.get()\n"
        "child.join()\n"
        "with multiprocessing.Pool(2) as pool: pool.map(abs, [1, 2])\n"
        "asyncio.run(asyncio.sleep(0))\n"
        "shared = shared_memory.SharedMemory(create=True, size=1000)\n"
        "shared.close(); shared.unlink()\n"
        "subprocess.run(['true'], check=True)\n"
        "print(json.dumps({'response': [card]}))\n"
    )
    answer = first_turn(BotProcess([sys.executable, "-S", "usual.py"], limits=PATIENT, cwd=folder))
    assert answer.response == [3], answer.problem
