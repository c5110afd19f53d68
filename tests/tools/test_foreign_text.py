"""A terminal obeys no text of a stranger: one way leads there, and commands are walked with hostile names."""

import ast
import contextlib
import io
import logging
import os
import pty
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from tests.support import ROOT, command_line, kernel_path, require
from tools.command import main
from tools.records.files import read_records, write_records
from tools.records.record import Note
from tools.shared.bars import progress_bar
from tools.shared.interrupts import Command
from tools.shared.plain import plain, plain_lines
from tools.shared.terminal import Console, GameScreen, PlainFormatter

EVIL = "\x1b]0;PWN\x1b\\\x1b[8m\x9b2J\u202e\x07[/b][red]\r"
"""Sets the title, hides what follows, turns the line around, and is markup that nothing opened."""

FORGED = f"{EVIL}\n Player9 won"
SHOWN = r"\x1b]0;PWN\x1b\\x1b[8m\x9b2J\u202e\x07[/b][red]\x0d"
OWN = re.compile(r"\x1b\[(?!8m)[0-9;]*m|\x1b\[\?25[lh]|\x1b\[\d*[A-HJK]|\r")
"""What rich itself writes: colours, and the ways of a progress bar."""
OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def obeyed(printed: str) -> list[str]:
    """What a terminal would take for an order, beside rich's own."""
    return OBEYED.findall(OWN.sub("", printed))


# The way itself.


@given(st.text())
def test_plain_text_has_nothing_to_obey_and_says_all_that_was_there(text: str) -> None:
    shown = plain(text)
    assert not OBEYED.search(shown) and "\n" not in shown and "\t" not in shown
    assert plain(shown) == shown
    back = re.sub(r"\\x(..)|\\u(....)", lambda found: chr(int(found[1] or found[2], 16)), shown)
    assert back == text or "\\" in text
    assert plain_lines(f"{text}\n\t") == "\n".join(map(plain, text.split("\n"))).replace(r"\x09", "\t") + "\n\t"


def test_plain_text_is_left_alone() -> None:
    for text in ("a [b] 斗地主 \u3000 é \U0001f0cf", r"C:\x1b"):
        assert plain(text) == text


def printed(*things: object, terminal: bool = False, width: int = 60) -> str:
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=terminal).print(*things)
    return file.getvalue()


def test_widths_are_those_of_what_is_shown() -> None:
    table = Table("name", "points")
    table.add_row("a\x1b[8m", "1")
    table.add_row(Text("b\x9b\x9b\x9b\x9b"), "2")
    lines = printed(table).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert r"│ a\x1b[8m │ 1      │" in lines
    assert "".join(printed(Text("\x9b" * 40)).split()) == r"\x9b" * 40, "wrapped, and not cut off"


def test_a_text_keeps_its_styles_where_they_were() -> None:
    text = Text.assemble("\x1bab", ("\x9bc", "bold"), "\u202ed", style="red")
    assert printed(text, terminal=True) == "\x1b[31m\\x1bab\x1b[0m\x1b[1;31m\\x9bc\x1b[0m\x1b[31m\\u202ed\x1b[0m\n"


def test_no_way_of_printing_lets_anything_through_or_reads_markup() -> None:
    file = io.StringIO()
    console = Console(file=file, width=100, force_terminal=True)
    table = Table(EVIL, "", title=EVIL, caption=EVIL)
    table.add_row(EVIL, Text(EVIL, "bold"))
    console.print(EVIL, Text(EVIL), [EVIL], ":bomb:", style="bold", end=EVIL)
    console.print(table)
    console.rule(EVIL)
    console.out(EVIL)
    with progress_bar(console=console) as bar:
        bar.add_task(EVIL, total=1)
        bar.refresh()
    with console.status(Text(EVIL)):
        pass
    assert obeyed(file.getvalue()) == []
    assert ":bomb:" in file.getvalue()


def test_names_and_faults_of_a_game_stay_on_their_lines() -> None:
    file = io.StringIO()
    GameScreen(Console(file=file, width=80), [FORGED] * 3).fault(FORGED)
    assert file.getvalue().count("\n") == 1


@click.command(cls=Command)
@click.argument("number", type=int)
def refuses(number: int) -> None:
    """Quotes what it read."""
    raise click.ClickException(EVIL * number)


def test_sentences_about_bad_input_and_the_log_quote_it_so() -> None:
    for words in (["1"], [EVIL]):
        done = CliRunner().invoke(refuses, words)
        assert obeyed(done.stderr) == [] and r"\x1b]0;PWN" in done.stderr
    record = logging.LogRecord("x", logging.WARNING, "", 0, "bot %s", (EVIL,), None)
    assert PlainFormatter().format(record) == f"bot {SHOWN}"


# No command goes around it.

PLAIN = {"plain", "plain_lines", "json_text", "judge_line"}
"""Calls whose texts are plain; the last ones write JSON."""
ELSEWHERE = {"print", "click.secho", "click.style", "sys.stdout.write", "sys.stderr.write", "rich.console.Console"}
WITHOUT = {
    "tools/__init__.py",
    "tools/arena/new/bot.py",
    "tools/make.py",
    "tools/shared/compiling.py",
    "tools/shared/install.py",
    "tools/tables/play/asking.py",
}
"""They say what to do where rich is not yet, ask on the line of the answer, or answer a judge; none is a stranger."""


def ways_around(tree: ast.AST) -> Iterator[str]:
    """What prints and does not go through tools.shared.terminal."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="rich" | "rich.console", names=names):
                yield from {one.name for one in names} & {"Console", "print", "get_console"}
            case ast.Call():
                yield from _around(node)


def _around(call: ast.Call) -> Iterator[str]:
    name, options = ast.unparse(call.func), {one.arg: ast.unparse(one.value) for one in call.keywords}
    markup = options.get("markup", "None" if name == "TextColumn" else "False") != "False"
    ours = "console" in options or name not in ("track", "Live")
    if name in ELSEWHERE or name.endswith("from_markup") or markup or not ours:
        yield name
    if name == "click.echo" and not all(map(_is_plain, call.args)):
        yield ast.unparse(call)


def _is_plain(text: ast.expr) -> bool:
    return isinstance(text, ast.Constant) or (isinstance(text, ast.Call) and ast.unparse(text.func) in PLAIN)


def test_everything_that_is_printed_goes_one_way() -> None:
    files = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "tools").rglob("*.py")}
    found = {name: list(ways_around(ast.parse(path.read_text("utf-8")))) for name, path in files.items()}
    assert {name: ways for name, ways in found.items() if ways and name not in WITHOUT} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from rich.console import Console, Group",
        "print(name)",
        "click.echo(json.dumps(name, ensure_ascii=False))",
        "sys.stderr.write(name)",
        "console.print(name, markup=True)",
        "Text.from_markup(name)",
        "TextColumn('{task.description}')",
    ],
)
def test_a_way_around_is_seen(source: str) -> None:
    assert list(ways_around(ast.parse(source)))


# The walk: every command that shows what strangers wrote.

BOT = f"""
import json, sys
sys.path.insert(0, {str(ROOT / "tests" / "bots")!r})
from obedient_one_shot import respond
EVIL = {EVIL!r}
if "dies" in sys.argv:
    sys.stderr.write(EVIL + "\\n")
    sys.exit(3)
game = json.loads(sys.stdin.readline())
debug = {{"player": EVIL, "search": EVIL, "error": EVIL, "failed_" + EVIL: EVIL, "moves": {{EVIL: {{"win": 0.5}}}}}}
print(json.dumps({{"response": respond(game["requests"], game["responses"]), "debug": debug}}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot, and a game with hostile names, tags, notes and an end."""
    where = tmp_path_factory.mktemp("hostile")
    (where / "bot.py").write_text(BOT)
    (record,) = read_records(ROOT / "tests" / "data" / "rule-demo-1.ddzn")
    debug = {"player": EVIL, "error": EVIL, f"failed_{EVIL}": EVIL, "moves": {EVIL: {"win": 0.5}}}
    hostile = replace(
        record,
        names=(FORGED, f"{EVIL}b", EVIL),
        tags={"Event": FORGED, "Faults": f"RE: {FORGED}"},
        result=record.result._replace(termination=FORGED),
        moves=tuple(move._replace(note=Note(0.1, 0.5, debug, FORGED)) for move in record.moves),
    )
    write_records(where / "evil.jsonl", [hostile])
    write_records(where / "evil.ddzn", [hostile])
    (where / "broken.ddzn").write_text(f"{EVIL}\n")
    return where


def bot(folder: Path, *words: str) -> str:
    return command_line(sys.executable, folder / "bot.py", *words, EVIL)


WALK: dict[str, Callable[[Path], list[str]]] = {
    "show": lambda folder: ["show", f"{folder}/evil.jsonl"],
    "show --thoughts": lambda folder: ["show", f"{folder}/evil.ddzn", "--thoughts"],
    "games": lambda folder: ["games", f"{folder}/evil.jsonl"],
    "games --json": lambda folder: ["games", f"{folder}/evil.jsonl", "--json"],
    "review": lambda folder: ["review", f"{folder}/evil.jsonl", "--limit", "20p"],
    "review --json": lambda folder: ["review", f"{folder}/evil.jsonl", "--limit", "20p", "--json"],
    "records check": lambda folder: ["records", "check", f"{folder}/broken.ddzn"],
    "games --out": lambda folder: ["games", f"{folder}/evil.jsonl", "--out", "-"],
    "records, no such file": lambda folder: ["records", "check", f"{folder}/{EVIL}.ddzn"],
    "view": lambda folder: ["view", f"{folder}/broken.ddzn"],
    "judge": lambda folder: ["judge", bot(folder, "dies"), "rule", "rule", "--game", "MiniFightTheLandlord"],
    "judge --show": lambda folder: [*WALK["judge"](folder), "--show", "--thoughts"],
    "judge --thoughts": lambda folder: [
        *("judge", bot(folder), bot(folder), bot(folder), "--show", "--thoughts", "--game", "MiniFightTheLandlord"),
        *("--initdata", '{"allocation": [[4, 5, 8, 9], [12], [16]]}'),
    ],
    "check": lambda folder: ["check", bot(folder, "dies"), "--only", "1,2,3"],
    "match": lambda folder: ["match", bot(folder, "dies"), "rule", "--sets", "1", "--results", f"{folder}/m.json"],
    "report": lambda folder: ["report", results(folder)],
    "match of three": lambda folder: ["match", "rule", "random", EVIL, "--results", f"{folder}/t.json"],
    "play": lambda folder: ["play", "--bot", EVIL],
    "analyse": lambda folder: ["analyse", EVIL],
    "rules": lambda folder: ["rules", "legal", EVIL],
    "solve": lambda folder: ["solve", EVIL, "3"],
}


def results(folder: Path) -> str:
    """Gets the results file of the match, which is played if it is missing."""
    file = folder / "m.json"
    if not file.exists():
        run(WALK["match"](folder))
    return str(file)


def run(words: list[str]) -> str:
    """Gets what a command prints in a terminal."""
    done = CliRunner().invoke(main, words, env={"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "200"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done.output


@pytest.mark.parametrize("what", WALK)
def test_a_command_obeys_nothing_and_shows_it(folder: Path, what: str) -> None:
    if what.startswith("review"):
        require(kernel_path(), "a C compiler")
    text = run(WALK[what](folder))
    assert Counter(obeyed(text)) == {}
    assert re.search(r"\\(x1b|u001b)\]0;PWN", text)


def test_a_real_terminal_gets_the_same(folder: Path) -> None:
    ours, theirs = pty.openpty()
    words = WALK["show --thoughts"](folder)
    command = [sys.executable, "-m", "tools", *words]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, cwd=ROOT):
        os.close(theirs)
        printed = b""
        with open(ours, "rb", buffering=0) as terminal, contextlib.suppress(OSError):
            while data := terminal.read(1 << 16):
                printed += data
    text = printed.decode()
    assert "\x1b[" in text, "it is a terminal"
    assert Counter(obeyed(text)) == {}
    assert r"\x1b]0;PWN" in text
