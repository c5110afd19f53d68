"""The examples in the help of the commands: each is a line to copy, which its command reads, and cheap ones run."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from tests.test_doc_examples import parse
from tests.tools.all_commands import commands
from tools.command import main
from tools.shared.interrupts import Group
from tools.shared.paths import call_of

LINE = re.compile(rf"^ {{4,}}{re.escape(call_of())} (.*)", re.MULTILINE)
CHEAP = ("rules classify", "rules beats", "rules legal", "rules corpus", "solve", "deals")
ELSEWHERE = re.compile(r"for example: ", re.IGNORECASE)


class Example(NamedTuple):
    page: str
    """The command that has it in its help."""
    line: str
    """Behind the call of the tools."""


COMMANDS = dict(commands("train", "lab"))  # the commands of a training need torch


def shown(command: click.Command) -> str:
    """Gets the help as a terminal of 80 columns has it."""
    context = click.Context(command, info_name="x", terminal_width=80)
    return command.get_help(context).partition("\nOptions:")[0]


ALL = [Example(name, line) for name, command in COMMANDS.items() for line in LINE.findall(shown(command))]


def test_most_commands_have_examples() -> None:
    assert len(ALL) >= 24
    names = {"play", "serve", "match", "judge", "deals", "games", "show", "view", "review", "solve", "analyse"}
    assert names <= {example.page.partition(" ")[0] for example in ALL}


def test_an_example_is_one_line_however_long_the_call_is() -> None:
    line = f"{'/a/long/folder' * 6}/python -m tools inner ./mybot --rules standard"

    @click.group(cls=Group)
    def outer() -> None:
        pass

    @outer.command(help=f"\n    Does it.\n\n        {line}\n    ")
    def inner() -> None:
        pass

    assert f"    {line}\n" in shown(inner) + "\n"


def test_no_example_stands_elsewhere() -> None:
    for name, command in COMMANDS.items():
        assert not ELSEWHERE.search(command.help or ""), name


@pytest.mark.parametrize("example", ALL, ids=[f"{one.page}: {one.line}" for one in ALL])
def test_every_example_is_read(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind in (click.Path, click.File):
        monkeypatch.setattr(kind, "convert", lambda self, value, *_: Path(value))
    words = re.split(r" [|<>] ", example.line)[0]
    try:
        parse(main, "tools", shlex.split(words))
    except click.ClickException as error:
        pytest.fail(f"{example.page}: {example.line}: {error.format_message()}")


@pytest.mark.parametrize("example", [one for one in ALL if one.line.startswith(CHEAP)], ids=lambda one: one.line)
def test_a_cheap_example_runs(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, shlex.split(example.line))
    assert done.exit_code in (0, 1) and not done.stderr, done.output
