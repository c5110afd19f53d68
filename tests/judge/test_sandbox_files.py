"""A program in the sandbox sees its own files, in a copy of its own, and no file of the match."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.judge.test_process import FIRST, LEAD, PATIENT, first_turn
from tests.support import ROOT, eventually, require
from tools.judge.process import BotProcess
from tools.programs import own_copies, sandbox
from tools.shared.options import SANDBOX_VARIABLE

BOTS = ROOT / "tests" / "bots"
SEED = "13863737918965171636530398920017107368"


@pytest.fixture(autouse=True)
def in_sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(SANDBOX_VARIABLE)
    monkeypatch.setenv("DDZ_NAMED_FILES", "")
    sandbox.why_open.cache_clear()
    require(not sandbox.why_open(), f"sandbox ({sandbox.why_open()})")
    yield


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that a match is started in, which others may not read, with bots and old results."""
    folder = tmp_path / "start"
    folder.mkdir(mode=0o700)
    for name in ("spy", "talk", "obedient_one_shot"):
        shutil.copy(BOTS / f"{name}.py", folder)
    monkeypatch.chdir(folder)
    return folder


def run(*words: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    own = {name: value for name, value in os.environ.items() if name != SANDBOX_VARIABLE}
    whole = {**own, "PYTHONPATH": str(ROOT), **(env or {})}
    return subprocess.run([sys.executable, "-m", "tools", *words], env=whole, capture_output=True, text=True)


def seen(command: str, *words: str, cwd: Path) -> Any:
    """What a command of the shell says in the sandbox."""
    text = f"""read line; printf '{{"response":[3],"debug":"%s"}}' "$({command})" """
    answer = first_turn(BotProcess(["sh", "-c", text, *words], limits=PATIENT, cwd=cwd))
    assert answer.ok, answer.problem
    return answer.debug


OPTIONS = ("--rules", "mini", "--sets", "1", "--jobs", "1", "--quiet", "--strict")
SHORT = ("--game", "MiniFightTheLandlord", "--seed", "1")
MATCH = ("match", f"python3 spy.py {SEED}", "random", *OPTIONS)


@pytest.mark.whole
def test_a_spy_reads_the_seed_nowhere(start: Path) -> None:
    (start / "seed.txt").write_text(SEED)
    files = ("--seed", "@seed.txt", "--results", "results.json", "--save-games", "games.ddzn.gz")
    done = run(*MATCH, *files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert SEED in (start / "results.json").read_text()
    # Results of before with the same seed, whatever they are called by now.
    (start / "seed.txt").unlink()
    (start / "results.json").rename(start / "old")
    old = gzip.compress((start / "old").read_bytes())
    (start / "old.gz").write_bytes(old)
    (start / "deals.txt").write_text(f"ddzbot-deals/1 mini {SEED}\n")
    again = run(*MATCH, "--results", "new.json", "--save-games", "g.ddzn", env={"DDZ_SEED": SEED})
    assert again.returncode == 0, again.stdout + again.stderr
    # Only the sandbox keeps it from that.
    open_one = run(*MATCH, "--no-sandbox", "--results", "open.json", env={"DDZ_SEED": SEED})
    assert open_one.returncode == 1, open_one.stdout + open_one.stderr


def test_two_seats_share_nothing(start: Path) -> None:
    words = [sys.executable, "-S", "talk.py"]
    with BotProcess([*words, "listen"], limits=PATIENT) as ear, BotProcess([*words, "speak"], limits=PATIENT) as mouth:
        here = ear.turn([FIRST], [])
        there = mouth.turn([FIRST], [])
        assert here.kept and there.kept, (here.problem, there.problem)
        assert ear.turn([FIRST, LEAD], [[3]]).debug["heard"] == []
        assert here.debug["file"] != there.debug["file"]


def test_a_second_start_of_one_seat_takes_the_same_copy_until_a_file_changes(start: Path) -> None:
    def stamp() -> Any:
        answer = first_turn(BotProcess([sys.executable, "-S", "talk.py", "listen"], limits=PATIENT))
        return answer.debug["file"]

    first = stamp()
    assert stamp() == first
    (start / "more").touch()
    assert stamp() != first


@pytest.mark.whole
def test_another_contestant_is_not_seen(start: Path) -> None:
    (start / "other").mkdir()
    good = (BOTS / "obedient_one_shot.py").read_text()
    (start / "other" / "bot.py").write_text(f"# {SEED}\n{good}")
    bots = (f"python3 spy.py {SEED}", "python3 other/bot.py", "rule", *SHORT, "--json")
    assert json.loads(run("judge", *bots).stdout)["faults"] == []
    assert "it reads the secret" in run("judge", *bots, "--no-sandbox").stdout


@pytest.mark.parametrize("word", ["", ".", "--name=", "--name=."])
def test_an_empty_argument_shows_no_more_than_the_folder(start: Path, word: str) -> None:
    (start.parent / "beside").write_text("secret")
    inner = start / "inner"
    inner.mkdir()
    (inner / "own").touch()
    assert seen("echo $(ls; ls ..)", word, cwd=inner) == "own inner"


def test_what_our_programs_keep_is_not_seen(start: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(start / "state"))
    (start / "state" / "ddzbot" / "field").mkdir(parents=True)
    (start / "state" / "own").touch()
    assert seen("echo $(ls state)", cwd=start) == "own"


def test_a_link_shows_its_target_alone(start: Path) -> None:
    private = start.parent / "private"
    private.mkdir()
    (private / "secret").touch()
    (private / "one").write_text("3")
    (start / "link").symlink_to(private / "one")
    found = seen(f"cat link; ls {private} 2>&1 | tail -n 1", "link", cwd=start)
    assert found.startswith("3") and "secret" not in found
    # A link that nothing names leads nowhere.
    assert seen("cat link 2>/dev/null || echo nothing", cwd=start) == "nothing"


def test_a_program_sees_its_own_folder_and_what_is_named_beside_it(start: Path) -> None:
    for name in ("bot", "weights", "other"):
        (start / name).mkdir(mode=0o700)
        (start / name / "file").write_text(name)
    (start / "bot" / "run.sh").write_text(
        'read line; printf \'{"response":[3],"debug":"%s"}\' "$(cat bot/file weights/file other/file 2>/dev/null)"'
    )
    answer = first_turn(BotProcess(["sh", "bot/run.sh", "--weights=weights"], limits=PATIENT))
    assert answer.debug == "botweights"


def test_of_a_folder_that_is_too_large_only_what_is_named_is_seen(start: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_copies, "MOST_FILES", 20)
    (start / "many").mkdir()
    for number in range(30):
        (start / "many" / str(number)).touch()
    assert seen("ls", "spy.py", cwd=start) == "spy.py"
    # A folder of its own that has nothing of the match is shown where it lies.
    assert len(seen("echo $(ls many)", "many", cwd=start).split()) == 30


@pytest.mark.whole
def test_it_is_said_that_a_folder_is_too_large(start: Path) -> None:
    with (start / "large").open("wb") as file:
        file.truncate(65 << 20)
    done = run("judge", "python3 obedient_one_shot.py", "rule", "rule", *SHORT)
    said = f"Of {start} a program sees only what its command line names: it has more than 64 MiB or 2000 files."
    assert said in done.stderr


def test_a_bot_in_tmp_has_a_tmp_of_its_own() -> None:
    script = 'read line; touch /tmp/own; printf \'{"response":[3],"debug":"%s"}\' "$(echo $(ls /tmp))"'
    with tempfile.NamedTemporaryFile("w", dir="/tmp", suffix=".sh") as file:
        file.write(script)
        file.flush()
        answer = first_turn(BotProcess(["sh", file.name], limits=PATIENT, cwd="/tmp"))
        assert answer.debug == " ".join(sorted(["own", Path(file.name).name]))


def test_copies_are_gone_after_a_kill(start: Path, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    program = (
        "import os, signal, sys; from tools.judge.process import BotProcess\n"
        "bot = BotProcess([sys.executable, '-S', 'talk.py', 'listen'])\n"
        f"assert bot.turn([{FIRST!r}], []).kept; print(os.listdir(os.environ['TMPDIR']), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    env = {name: value for name, value in os.environ.items() if name != SANDBOX_VARIABLE}
    env |= {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert "ddzbot-" in done.stdout, done.stderr
    assert eventually(lambda: not list((tmp_path / "tmp").iterdir()))
