"""Commands that are printed: one function spells each, so that it runs in the shell where it stands."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support import ROOT
from tools.command import main
from tools.make import MODULES

SPELLED = re.compile(r"-m tools\b|\bddzbot (?:match|play|view|games|report|bots|analyse)\b")
CALLS = re.compile(r"\bcall_of\(|\bmake_call_of\(")
KEPT = ("training/", "lab/fit_belief/command.py", "command.py")
"""What networks and files say about how they were made, and what the helps of the commands are replaced from."""
PRINTED = re.compile(r"^(?:Resume it|The same deal): +(.*)", re.MULTILINE)
PLAY = "printf '{}' | {} -m tools play --rules mini --bot random --limit 20p --save-games 'a game.ddzn'"


def sources(pattern: re.Pattern[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yields the files with that pattern in their text, and their trees."""
    for path in sorted((ROOT / "tools").rglob("*.py")):
        if pattern.search(text := path.read_text("utf-8")):
            yield path.relative_to(ROOT / "tools").as_posix(), ast.parse(text)


def calls() -> list[tuple[str, list[str]]]:
    """Lists where a command is printed: the function that spells it, and its first words."""
    found = []
    for node in (node for _, tree in sources(CALLS) for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("call_of", "make_call_of"):
            words = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            found.append((node.func.id, [word for word in words if not word.startswith("-")]))  # type: ignore[attr-defined]
    return found


def test_every_command_that_is_printed_is_there() -> None:
    found = calls()
    assert len(found) >= 18
    assert {words[0] for function, words in found if function == "make_call_of" and words} <= {*MODULES}
    for words in dict.fromkeys(tuple(words) for function, words in found if function == "call_of"):
        if words[:1] == ("train",):  # its own help needs torch
            words = words[:1]
        done = CliRunner().invoke(main, [*words, "--help"])
        assert done.exit_code == 0, (words, done.output)


def test_nothing_else_spells_a_command() -> None:
    for name, tree in sources(SPELLED):
        if not name.startswith(KEPT):
            told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told]
            assert [text.value for text in texts if SPELLED.search(str(text.value))] == [], name
    for path in (ROOT / "tools").rglob("*.js"):
        assert not SPELLED.search(path.read_text("utf-8")), path


@pytest.mark.parametrize(
    ("python", "activated"),
    [(f".venv/bin/{Path(sys.executable).name}", False), pytest.param("python", True, marks=pytest.mark.whole)],
)
def test_what_is_printed_runs_where_it_stands(python: str, activated: bool, tmp_path: Path) -> None:
    """For example in a checkout with an environment that was not activated, with a blank in the name of a file."""
    for name in ("tools", "ddzbot"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    path = ["/usr/bin", "/bin"]
    if activated:
        path.insert(0, str(tmp_path / ".venv" / "bin"))
    hidden = {**os.environ, "PATH": os.pathsep.join(path), "DDZ_NO_KERNEL": "1"}

    def typed(line: str) -> str:
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=hidden, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), line
        return done.stdout

    commands = PRINTED.findall(typed(PLAY.format("quit\\n", python)))
    assert len(commands) == 2
    for command in commands:
        assert command.startswith(f"{python} -m tools play ")
        again = typed(f"{command} </dev/null")
        assert commands[1] in again
