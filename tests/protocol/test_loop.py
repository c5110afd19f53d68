"""The process that a judge starts: bot.py, its streams and its exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ddzbot.protocol import loop
from ddzbot.search.deadline import Clock
from tests.support import ROOT, command_line, find_python, kernel_path, require

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
OWN = [*range(20)]
FIRST = json.dumps({"requests": [{"own": OWN, "history": [[], []], "publiccard": [0, 1, 2]}], "responses": []})
CHOICE = json.dumps(
    {
        "requests": [
            {
                "own": [0, 4, 5, 9, 13, 16, 17, 20, 24, 29, 30, 33, 36, 40, 41, 44, 46, 48, 50, 52],
                "history": [[], []],
                "publiccard": [0, 4, 5],
            }
        ],
        "responses": [],
    }
)
NEXT = json.dumps({"history": [[], []]})
PATIENT = ("--limit", "600s,300p")


def run_bot(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bot.py"), *options]
    return subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT)


def test_one_shot_mode_answers_one_line_and_ends() -> None:
    done = run_bot("\ufeff" + FIRST + "\n" + NEXT + "\n", *PATIENT)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert "error" not in json.loads(done.stdout)["debug"], "a byte order mark is no garbage"


def test_keep_running_mode_marks_every_answer_and_ends_with_the_input() -> None:
    done = run_bot(FIRST + "\n" + NEXT + "\n\n" + NEXT, "--keep-running")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr, len(lines)) == (0, "", 6)
    assert lines[1::2] == [MARKER] * 3
    cards = [card for line in lines[::2] for card in json.loads(line)["response"]]
    assert len({*cards}) == len(cards)


@pytest.mark.parametrize("text", ["", "\n\n", "garbage\n"])
def test_any_input_gets_one_json_line_and_exit_code_0(text: str) -> None:
    done = run_bot(text)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert json.loads(done.stdout)["response"] == []


@pytest.mark.parametrize("player", ["Hanging", "Recursing", "Chatty", "Exiting", "Unspeakable"])
def test_a_bad_player_still_ends_in_one_clean_line(player: str) -> None:
    done = run_bot(FIRST, "--player", "tests.protocol.bad_players:" + player, "--limit", "1s")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert json.loads(done.stdout)["response"]


@pytest.mark.parametrize(("wait", "gone"), [(1.2, 0.0), (0.4, 1.1)])
def test_a_process_that_was_started_early_has_its_whole_turn(
    wait: float, gone: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was ready 0.7 s after its start, and its line came after the *wait*: so much of its turn is *gone*."""
    now, seen = [0.7], []

    class Timed(Clock):
        @classmethod
        def starting_now(cls) -> Clock:
            return cls(now[0], lambda: now[0])

    class Judge:
        """The streams of a bot that is sent one line."""

        lines = property(lambda self: self)

        def readline(self, _most: int) -> bytes:
            now[0] += wait
            return b"line"

        def answer(self, _text: str) -> bool:
            return True

    def answer(_line: str, clock: Clock, _first: bool) -> str:
        seen.append(clock.elapsed())
        return ""

    monkeypatch.setattr(loop, "Clock", Timed)
    loop.talk(answer, Judge(), Clock(0.0, lambda: now[0]), False)  # type: ignore[arg-type]
    assert seen == pytest.approx([gone])


@pytest.mark.parametrize("version", ["3.6", "3.11"])
@pytest.mark.parametrize("options", [["-I", "-S", "-O"], ["-OO", "-X", "dev", "-b", "-W", "error"]], ids=str)
def test_the_options_of_the_interpreter_change_nothing(options: list[str], version: str, tmp_path: Path) -> None:
    python = require(find_python(version), f"CPython {version}")
    command = [python, *options, str(ROOT / "bot.py"), "--player", "rule", *PATIENT]
    done = subprocess.run(command, input=FIRST, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert json.loads(done.stdout)["debug"]["player"] == "rule"


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("nonsense", "player 'nonsense' is unknown; there are champion, "),
        ("mcm:setting=x", "mcm: setting=x is unknown; there are thesis and default"),
        ("tests.protocol.bad_players:Nobody", "player 'tests.protocol.bad_players:Nobody' cannot be imported: "),
    ],
)
def test_a_wrong_player_is_one_sentence_before_the_game(player: str, sentence: str) -> None:
    done = run_bot(FIRST, "--player", player)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert sentence in done.stderr


@pytest.mark.parametrize("player", ["mcm:setting=thesis", "mctshs:setting=thesis,belief=mini", "champion:search=none"])
def test_a_player_plays_with_the_options_that_were_asked_for(player: str) -> None:
    debug = json.loads(run_bot(CHOICE, "--player", player, "--limit", "600s,50p").stdout)["debug"]
    fallback = {"player": "rule", f"failed_{player}": "no kernel"}
    assert debug["player"] == player or (kernel_path() is None and debug.items() >= fallback.items())


def test_a_player_that_the_program_itself_names_stops_nothing() -> None:
    program = "import time; from ddzbot.protocol.loop import run; run([], time.monotonic(), 'nonsense')"
    done = subprocess.run([sys.executable, "-c", program], input=FIRST, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0
    assert "is unknown" in json.loads(done.stdout)["debug"]["failed_nonsense"]


@pytest.mark.parametrize("option", ["--limit=0p", "--first-limit=9p"])
def test_a_limit_that_makes_no_turn_is_refused_before_the_game(option: str) -> None:
    done = run_bot(FIRST, option)
    assert done.returncode == 2
    assert option.partition("=")[2] in done.stderr


def test_the_help_says_what_a_limit_of_playouts_alone_leaves() -> None:
    done = run_bot("", "--help")
    words = " ".join(done.stdout.split())
    assert "counted from the start of the process); playouts alone leave that time as it is" in words


def test_a_closed_stdout_is_no_crash() -> None:
    command = f'{command_line(sys.executable, ROOT / "bot.py")} | true; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", command], input=FIRST, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0\n", "")
