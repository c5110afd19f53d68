"""Command lines of bots: what cannot start is refused before the first game, and a folder stands for its program."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support import ROOT
from tools.command import main
from tools.shared.commands import missing_in, program_words

TOOLS = [sys.executable, "-m", "tools"]
LINE_ENGINE = ROOT / "tests" / "judge" / "line_engine.py"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def has(folder: Path, *files: str) -> None:
    """Makes files; those with a small name without a suffix may be run."""
    folder.mkdir(exist_ok=True)
    for name in files:
        (folder / name).touch(0o755 if name.isalpha() and name.islower() else 0o644)


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("python gone.py", "there is no file gone.py for python to run"),
        ("python -u -X utf8 -Wd gone", "there is no file gone for python to run"),
        ("python3 here.py --weights gone.py", ""),
        ("python -m gone", ""),
        ("python -c pass gone.py", ""),
        ("sh gone.sh", "there is no file gone.sh for sh to run"),
        ("sh -c ./gone.sh", ""),
        ("env A=1 python gone.py", "there is no file gone.py for python to run"),
        ("timeout 5 python gone.py", ""),
        ("./gone --fast", "there is no program ./gone"),
    ],
)
def test_a_file_that_is_not_there_is_named(command: str, missing: str, here: Path) -> None:
    has(here, "here.py")
    words = shlex.split(command)
    assert missing_in(words) == missing
    own = missing_in(program_words(command))
    assert bool(own) == bool(missing)


@pytest.mark.parametrize(
    "words",
    [
        ["match", "python gone.py", "rule"],
        ["match", "rule", "anna=python gone.py", "random", "--sets", "1"],
        ["series", "rule", "rule", "python gone.py"],
        ["judge", "rule", "rule", "python gone.py"],
        ["check", "python gone.py"],
        ["rules", "check", "python gone.py"],
    ],
)
def test_no_game_is_played_with_a_script_that_is_not_there(words: list[str], here: Path) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2 and "there is no file gone.py for " in done.output, done.output


@pytest.mark.whole
def test_a_match_with_a_program_that_only_fails_ends_with_1_and_says_so(here: Path) -> None:
    (here / "broken.py").write_text("raise SystemExit(3)")
    for name in ("python broken.py", "b=python broken.py"):
        done = CliRunner().invoke(main, ["match", name, "random", "--sets", "2", "--jobs", "1", "--results", "r.json"])
        said = f"At fault: {name.partition('=')[0] if name[0] == 'b' else name} was at fault in all 4 games"
        assert done.exit_code == 1 and said in done.output, done.output
        again = CliRunner().invoke(main, ["match", name, "random", "--sets", "2", "--results", "r.json"])
        assert again.exit_code == 1 and said in again.output
        Path("r.json").unlink()


@pytest.mark.whole
def test_a_match_with_a_program_that_fails_now_and_then_ends_with_0(here: Path) -> None:
    bot = (ROOT / "bot.py", "--player", "random", "--keep-running")
    lines = [
        "import os, sys",
        "with open('games', 'a+') as file:",
        "    file.seek(0)",
        "    number = file.write('x') and os.path.getsize('games')",
        "if number == 0: raise SystemExit(3)",
        f"os.execv(sys.executable, {[sys.executable, *map(str, bot)]!r})",
    ]
    (here / "first.py").write_text("\n".join(lines))
    done = CliRunner().invoke(main, ["match", "python first.py", "random", "--sets", "2", "--jobs", "1"])
    assert done.exit_code == 0 and "at fault in 1 of 4 games" in done.output, done.output


def test_a_folder_stands_for_its_program(here: Path) -> None:
    has(here / "python", "bot.py", "test_bot.py", "README.md")
    has(here / "one", "mine.py", "notes.txt")
    has(here / "cpp", "bot.cpp", "bot", "test_bot.py")
    has(here / "made", "Makefile", "engine")
    assert program_words("./python") == [sys.executable, "python/bot.py"]
    assert program_words("one") == [sys.executable, "one/mine.py"]
    assert program_words("./cpp") == ["cpp/bot"]
    assert program_words("./cpp --fast") == ["cpp/bot", "--fast"]
    assert program_words("./made") == ["made/engine"]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (["bot.cpp", "test_bot.py"], "has sources: compile them to a program called bot in it"),
        (["a.py", "b.py"], "no program is found in it; name its file"),
        ([], "no program is found in it; name its file"),
    ],
)
def test_a_folder_without_a_program_says_what_to_do(files: list[str], sentence: str, here: Path) -> None:
    has(here / "mybot", *files)
    for words in (["match", "rule", "./mybot"], ["check", "./mybot"], ["judge", "rule", "rule", "./mybot"]):
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 2 and sentence in done.output, done.output


def test_a_program_that_is_older_than_its_source_does_not_play(here: Path) -> None:
    has(here / "mybot", "bot.cpp", "bot")
    made = (here / "mybot" / "bot").stat().st_mtime
    os.utime(here / "mybot" / "bot.cpp", (made + 1, made + 1))  # as a copy of the folder may leave them
    assert program_words("./mybot") == ["mybot/bot"]
    os.utime(here / "mybot" / "bot.cpp", (made + 3, made + 3))
    done = CliRunner().invoke(main, ["match", "rule", "./mybot"])
    said = "folder mybot: bot.cpp is newer than the program bot: compile it again"
    assert done.exit_code == 2 and said in done.output, done.output


@pytest.mark.whole
def test_the_folder_that_tools_new_makes_plays(here: Path) -> None:
    assert CliRunner().invoke(main, ["new", "mybot"]).exit_code == 0
    done = CliRunner().invoke(main, ["match", "random", "./mybot", "--sets", "1", "--jobs", "1"])
    assert done.exit_code == 0 and "./mybot" in done.output, done.output
    unknown = CliRunner().invoke(main, ["match", "rule", "mybot"])
    assert unknown.exit_code == 2 and "the program of that name is ./mybot" in unknown.output


@pytest.mark.whole
def test_engines_of_a_series_start_in_the_folder_of_the_user(here: Path) -> None:
    engine = here / "engine"
    engine.write_text(f"#!/bin/sh\nexec {shlex.join([sys.executable, '-S', str(LINE_ENGINE)])}\n")
    engine.chmod(0o755)
    (here / "own.py").write_text(LINE_ENGINE.read_text("utf-8"), "utf-8")
    words = [*TOOLS, "series", "rule", "./engine", "python own.py", "--sets", "1", "--quiet"]
    done = subprocess.run([*words, "--no-sandbox"], cwd=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_end_of_a_command_looks_for_no_garbage() -> None:
    ring = "class Ring:\n def __del__(self): print('looked for')\n"
    command = "import sys\nfrom tools.command import main\nsys.argv = ['tools', 'rules', '--help']\n"
    end = "try: main()\nfinally:\n ring = Ring()\n ring.itself = ring\n del ring"
    done = subprocess.run([sys.executable, "-c", ring + command + end], cwd=ROOT, capture_output=True, text=True)
    assert "Usage:" in done.stdout and "looked for" not in done.stdout
