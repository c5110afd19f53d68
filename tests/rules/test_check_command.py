"""``rules check`` and ``rules corpus``: programs in any language, what is said of them, and the exit status."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddzbot.testing.questions import QUESTIONS
from tests.support import ROOT, command_line, require
from tools.programs import sandbox
from tools.shared.options import SANDBOX_VARIABLE
from tools.study.rules import main

EXAMPLES = ROOT / "docs" / "examples"
PROGRAM = """
import json, sys
from ddzbot.cards import parse_hand
from ddzbot.rules import beats, classify, legal_moves, parse_move, rule_set
rules = rule_set(sys.argv[1])
for asked in map(json.loads, sys.stdin):
    table = asked.get("to_beat")
    if "hand" in asked:
        found = legal_moves(rules, parse_hand(asked["hand"]), parse_move(rules, table) if table else None)
        answer = [str(move) for move in found]
    elif table:
        answer = beats(rules, parse_hand(asked["cards"]), parse_hand(table))
    else:
        answer = bool(classify(rules, parse_hand(asked["cards"])))
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def by_rules(tmp_path: Path) -> str:
    """The command line of a program that plays by the rules that are its argument."""
    (tmp_path / "program.py").write_text(PROGRAM)
    return command_line("env", f"PYTHONPATH={ROOT}", sys.executable, tmp_path / "program.py")


def check(*words: str) -> Result:
    return CliRunner().invoke(main, ["check", *words], catch_exceptions=False)


@pytest.mark.parametrize("question", ["moves", "classify", "beats"])
def test_a_right_program_agrees(by_rules: str, question: str) -> None:
    done = check(f"{by_rules} mini", "--rules", "mini", "--ask", question, "--tries", "200")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("No difference in 200 cases")


@pytest.mark.whole
def test_all_kinds_of_difference_are_listed_with_one_smallest_case_each(by_rules: str) -> None:
    done = check(f"{by_rules} icga", "--rules", "standard", "--tries", "1500", "--minutes", "1")
    head, *kinds, agreed = done.output.splitlines()
    assert done.exit_code == 1
    assert head.startswith("3 kinds of difference in 1,500 cases, 105 of them of the corpus (moves, rules standard")
    assert [line.partition(" leads")[0].partition(" on ")[0] for line in sorted(kinds)] == [
        "* hand 333344", "* hand 33344455", "* hand 666777888999",
    ]  # fmt: skip
    assert agreed.startswith("Nothing differs about: solo, pair, trio,") and "plane_solo" not in agreed


def test_the_same_as_an_object(by_rules: str) -> None:
    done = check(f"{by_rules} icga", "--rules", "standard", "--ask", "classify", "--tries", "300", "--json")
    found: dict[str, Any] = json.loads(done.output)
    assert done.exit_code == 1
    assert (found["rules"], found["ask"], found["tried"]) == ("standard", "classify", 300)
    assert {one["kind"]: one["cards"] for one in found["differences"]} == {
        "plane_solo (pair)": "33344455",
        "four_two_solo (pair)": "333344",
    }


def test_a_program_that_says_no_json_differs(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("while input(): print('moves:', flush=True)\n")
    done = check(command_line(sys.executable, tmp_path / "program.py"), "--tries", "3")
    assert done.exit_code == 1
    assert "yours says '<no JSON: moves:>'; a list of moves is wanted" in done.output


@pytest.mark.parametrize("question", [*QUESTIONS, "game"])
@pytest.mark.parametrize(
    ("program", "seconds", "said"),
    [
        ("import no_such_module", "60", "ended (exit status 1) without an answer to {"),
        ("import sys; print(end='['); sys.exit()", "60", "ended (exit status 0) without an answer to {"),
        ("import time; time.sleep(60)", "0.2", "gave no answer to {"),
    ],
    ids=["fails", "ends", "is silent"],
)
def test_a_program_that_gives_no_answer_is_bad_input_at_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], question: str, program: str, seconds: str, said: str
) -> None:
    (tmp_path / "program.py").write_text(f"open({str(tmp_path / 'starts')!r}, 'a').write('1')\n{program}\n")
    done = check(command_line(sys.executable, tmp_path / "program.py"), "--ask", question, "--turn-time", seconds)
    assert done.exit_code == 2 and "difference" not in done.output
    assert said in done.output and "sandbox" not in done.output
    # On a busy machine the silent one may be given up before it begins.
    assert seconds == "0.2" or (tmp_path / "starts").read_text() == "1"
    assert capfd.readouterr().err.count("No module named") == ("no_such_module" in program)


@pytest.mark.whole
def test_a_program_that_fails_later_says_so_once(
    by_rules: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fails = "    assert '33' not in asked['hand'], 'a pair is too much'\n"
    (tmp_path / "program.py").write_text(PROGRAM.replace("    table =", fails + "    table ="))
    done = check(f"{by_rules} botzone", "--tries", "9", "--minutes", "1")
    assert done.exit_code == 1 and "hand 33 leads: yours says '<no answer: it ended>'" in done.output
    assert capfd.readouterr().err.count("AssertionError: a pair is too much") == 1


@pytest.mark.parametrize("program", ["./no-such-program", "", "'open"])
def test_a_program_that_cannot_be_started_is_bad_input(program: str) -> None:
    done = check(program)
    assert done.exit_code == 2
    assert "cannot be started" in done.output


BUILDS = {
    "solos.cpp": ("g++", ["g++", "-O1", "-o", "solos", "solos.cpp"], "./solos"),
    "solos.js": ("node", None, "node solos.js"),
    "Solos.java": ("javac", ["javac", "Solos.java"], "java Solos"),
    "solos.rs": ("rustc", ["rustc", "-o", "solos", "solos.rs"], "./solos"),
    "solos.go": ("go", ["go", "build", "solos.go"], "./solos"),
}


def test_each_example_is_run() -> None:
    programs = {path.name for path in EXAMPLES.iterdir() if path.is_file()}
    assert programs == {*BUILDS, "rlcard_agent.py"}  # tests/test_package.py runs the agent


@pytest.mark.whole
@pytest.mark.parametrize("name", [name for name in BUILDS if name != "solos.go" or shutil.which("go")])
def test_an_example_lists_the_solos_and_no_more(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs, build, program = BUILDS[name]
    require(shutil.which(needs), needs)
    shutil.copy(EXAMPLES / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    if build:
        subprocess.run(build, check=True)
    done = check(program, "--tries", "150", "--minutes", "1", "--turn-time", "30", "--json")
    kinds = [one["kind"] for one in json.loads(done.output)["differences"]]
    assert done.exit_code == 1 and not any(one["yours_has_more"] for one in json.loads(done.output)["differences"])
    assert {"pair", "bomb", "rocket"} <= {*kinds}
    assert not any(kind.startswith(("solo (", "the pass", "the answer")) or kind == "solo" for kind in kinds)


def test_the_corpus_is_printed_and_grown() -> None:
    done = CliRunner().invoke(main, ["corpus", "--rules", "mini", "--grow", "5", "--seed", "3"])
    file = (ROOT / "ddzbot" / "testing" / "positions" / "mini.jsonl").read_text("ascii")
    assert done.exit_code == 0 and done.output.startswith(file)
    assert done.output.count("\n") == file.count("\n") + 5


GENERATOR = """
import contextlib
with contextlib.suppress(OSError):
    open({file!r}, 'w')
for _ in open(0):
    print('["3"]', flush=True)
"""


def test_a_generator_runs_in_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SANDBOX_VARIABLE)
    monkeypatch.setattr(sandbox, "why_open", lambda: "bubblewrap is not installed")
    tmp_path.chmod(0o755)
    (tmp_path / "program.py").write_text(GENERATOR.format(file=str(tmp_path / "left")))
    words = [command_line(sys.executable, tmp_path / "program.py"), "--tries", "1"]
    assert "does not limit their memory: bubblewrap is not installed." in check(*words).stderr
    assert (tmp_path / "left").exists()
    (tmp_path / "left").unlink()
    monkeypatch.undo()
    monkeypatch.delenv(SANDBOX_VARIABLE)
    sandbox.why_open.cache_clear()
    require(not sandbox.why_open(), "sandbox")
    assert "sandbox" not in check(*words).stderr
    assert not (tmp_path / "left").exists()
    monkeypatch.setenv(SANDBOX_VARIABLE, "1")
    check(*words, "--no-sandbox")
    assert (tmp_path / "left").exists()


def test_an_interpreter_that_the_sandbox_hides_is_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SANDBOX_VARIABLE)
    sandbox.why_open.cache_clear()
    require(not sandbox.why_open(), "sandbox")
    elsewhere, program = tmp_path / "elsewhere" / "python", tmp_path / "own" / "program.py"
    for file, text in (
        (elsewhere, f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n'),
        (program, f"#!{elsewhere}\n" + GENERATOR.format(file=os.devnull)),
    ):
        file.parent.mkdir(mode=0o755)
        file.write_text(text)
        file.chmod(0o755)
    done = check(str(program), "--tries", "1")
    assert done.exit_code == 2 and "difference" not in done.output
    assert "such as an interpreter that lies elsewhere, name that too, or use --no-sandbox" in done.output
    assert check(str(program), "--tries", "1", "--no-sandbox").exit_code == 1
