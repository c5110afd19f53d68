"""Ctrl-C ends every command of tools with exit code 130, and a full disk with one sentence."""

import errno
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import psutil
import pytest
from click.testing import CliRunner

import tools.command
import tools.judge.__main__
from tests.support import ROOT, command_line, eventually, require, started
from tools.shared import interrupts
from tools.shared.interrupts import ONE_PRESS, Command, Group, StoppedError, stop_on_signals, stopped_at_once


@click.group(cls=Group)
def several() -> None:
    """Has a command that is interrupted, and one that fails otherwise."""


@several.command()
def waits() -> None:
    """Is interrupted."""
    raise KeyboardInterrupt


@several.command()
def refuses() -> None:
    """Refuses its input."""
    raise click.UsageError("no")


@click.command(cls=Command)
def one() -> None:
    """Is interrupted."""
    raise KeyboardInterrupt


@several.command(name="writes")
@click.argument("number", type=int)
@click.option("--file")
def write(number: int, file: str | None) -> None:
    """Meets an error of the system."""
    raise OSError(number, os.strerror(number), *([file] if file else []))


@pytest.mark.parametrize(
    ("words", "what"), [([], "the output"), (["--file", "games.ddzn"], "games.ddzn")], ids=["output", "file"]
)
def test_a_full_disk_is_one_sentence_and_another_error_is_not_hidden(words: list[str], what: str) -> None:
    done = CliRunner().invoke(several, ["writes", str(errno.ENOSPC), *words])
    assert (done.exit_code, done.stderr) == (1, f"Error: {what}: it cannot be written: No space left on device\n")
    done = CliRunner().invoke(several, ["writes", str(errno.EBADF), *words])
    assert isinstance(done.exception, OSError)


@pytest.mark.parametrize("buffered", [True, False])
def test_a_command_that_prints_to_a_full_disk_ends_with_one_sentence(buffered: bool) -> None:
    full = require("/dev/full" if Path("/dev/full").exists() else None, "/dev/full")
    for words in (["tools.study.rules", "legal", "33"], ["tools.study.solve", "3", "4", "--json"]):
        command = [sys.executable, "-m", *words]
        with open(full, "w") as output:
            settings = {**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"}
            done = subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True, env=settings)
        assert done.returncode == 1
        assert done.stderr == "Error: the output: it cannot be written: No space left on device\n"


def test_an_interrupt_is_one_word_and_130() -> None:
    for command, words in ((several, ["waits"]), (one, [])):
        done = CliRunner().invoke(command, words)
        assert (done.exit_code, done.stdout, done.stderr) == (130, "", "Interrupted.\n")
    assert CliRunner().invoke(several, ["refuses"]).exit_code == 2


@pytest.mark.parametrize(("program", "ends"), [("-m", "Interrupted.\n"), ("mine.py", "KeyboardInterrupt\n")])
def test_a_command_that_is_still_being_read_is_interrupted_and_a_program_that_imports_it_has_its_own(
    program: str, ends: str
) -> None:
    code = f"import sys; sys.argv[0] = {program!r}; import tools; raise KeyboardInterrupt"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr.endswith(ends) and (done.stderr == ends) == (program == "-m")
    assert (done.returncode == 130) == (program == "-m")


def test_every_command_takes_an_interrupt_so() -> None:
    for path in (ROOT / "tools").rglob("*.py"):
        commands = re.findall(r"^@click\.(command|group)\((.*?)\)\n(?=def|@)", path.read_text(), re.M | re.S)
        for kind, arguments in commands:
            # Classes of their own, with a line below, are made of these.
            assert re.search(rf"cls=({kind.title()}|_Commands?)\b", arguments), path
    assert issubclass(type(tools.command.main), Group)
    assert issubclass(type(tools.judge.__main__.command), Command)


def test_the_judge_is_interrupted_in_a_match(tmp_path: Path) -> None:
    begun, bot = tmp_path / "begun", tmp_path / "bot.py"
    bot.write_text(f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "tools", "judge", *3 * [command_line(sys.executable, bot)], "--turn-time", "60"]
    with started(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        assert eventually(lambda: begun.exists() or process.poll() is not None) and process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130


def test_a_match_of_a_bot_that_does_not_answer_is_stopped_in_its_turn(tmp_path: Path) -> None:
    begun, bot, file = tmp_path / "begun", tmp_path / "bot.py", tmp_path / "results.json"
    bot.write_text(f"import os, time\nopen({str(begun)!r}, 'w').write(str(os.getpid()))\ntime.sleep(86400)\n")
    words = [f"bot={command_line(sys.executable, bot)}", "rule", "--sets", "1", "--jobs", "1", "--results", str(file)]
    command = [sys.executable, "-m", "tools", "match", *words, "--no-sandbox"]
    with started(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert eventually(lambda: (begun.exists() and begun.read_text() != "") or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    # To wait for the verdict on the turn would have made a whole set.
    assert (process.returncode, out) == (130, "unfinished: 0 of 1 sets\n")
    assert err.endswith("Stopped by an interrupt; run the same command again to resume.\n")
    assert eventually(lambda: not psutil.pid_exists(int(begun.read_text())))


def test_a_command_that_runs_is_interrupted(tmp_path: Path) -> None:
    pipe = tmp_path / "games.ddzn"
    os.mkfifo(pipe)
    with started(
        [sys.executable, "-m", "tools", "records", "check", str(pipe)], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        # This waits until the command has opened it too.
        with pipe.open("wb"):
            process.send_signal(signal.SIGINT)
            assert process.wait() == 130
        assert process.stderr is not None and process.stderr.read() == "Interrupted.\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_are_a_wish_and_change_nothing_where_none_comes(number: signal.Signals) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(one) for one in numbers]
    with stop_on_signals() as stopped:
        assert not stopped()
    assert [signal.getsignal(one) for one in numbers] == before and not stopped()
    try:
        with stop_on_signals() as stopped:
            for _ in range(3):
                signal.raise_signal(number)
                assert stopped()
        # A key that bounces does not end the command while it prints what it has done.
        signal.raise_signal(number)
    finally:
        for one, handler in zip(numbers, before, strict=True):
            signal.signal(one, handler)


@pytest.mark.usefixtures("usual_handlers")
def test_a_second_signal_does_not_wait_for_the_command_nor_for_what_it_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(interrupts, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with stop_on_signals() as stopped:
        signal.raise_signal(signal.SIGINT)
        now[0] += ONE_PRESS + 0.1
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        assert stopped()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("usual_handlers")
def test_what_may_be_lost_is_stopped_at_once() -> None:
    reached = []
    with stop_on_signals() as stopped:
        with stopped_at_once():
            reached.append("a block without a signal")
        with pytest.raises(StoppedError), stopped_at_once():
            signal.raise_signal(signal.SIGTERM)
            reached.append("what follows the signal")
        with pytest.raises(StoppedError), stopped_at_once():
            reached.append("a block after the signal")
        assert stopped()
    assert reached == ["a block without a signal"]


@pytest.mark.usefixtures("usual_handlers")
def test_a_polite_kill_is_what_ctrl_c_is(monkeypatch: pytest.MonkeyPatch) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    closed = []

    @several.command(name="works")
    def works() -> None:
        """Works until it is killed."""
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)  # of the same press
            closed.append("files")

    done = CliRunner().invoke(several, ["works"])
    assert (done.exit_code, done.stderr, closed) == (130, "Interrupted.\n", ["files"])
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
