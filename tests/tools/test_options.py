"""Options that several commands have."""

import re
from collections import Counter
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.support import ROOT
from tools.shared.options import SEED_VARIABLE, FiniteRange, seed_option


@click.command()
@click.option("--time", "seconds", type=FiniteRange(0, min_open=True))
def waits(seconds: float) -> None:
    """Takes a time."""
    click.echo(seconds)


@pytest.mark.parametrize("text", ["nan", "inf", "1e999"])
def test_what_is_no_finite_number_is_refused_by_name(text: str) -> None:
    done = CliRunner().invoke(waits, ["--time", text])
    assert done.exit_code == 2 and f"Invalid value for '--time': {text} is not a finite number." in done.stderr


def test_the_bounds_are_those_of_click() -> None:
    assert CliRunner().invoke(waits, ["--time", "0.5"]).stdout == "0.5\n"
    for text in ("0", "-inf", "x"):
        assert CliRunner().invoke(waits, ["--time", text]).exit_code == 2
    assert "[x>0]" in CliRunner().invoke(waits, ["--help"]).stdout


def test_no_command_takes_nan() -> None:
    kinds: Counter[str] = Counter()
    for path in (ROOT / "tools").rglob("*.py"):
        kinds.update(re.findall(r"\bclick\.FloatRange\(|\bFiniteRange\(|\btype=float\b", path.read_text()))
    assert kinds["FiniteRange("] > 12
    # The class itself; and the bounds of a sequential test, which looks at them.
    assert (kinds["click.FloatRange("], kinds["type=float"]) == (0, 1)


@click.command()
@seed_option(click.IntRange(0), 1, "Root seed.")
def numbered(seed: int) -> None:
    click.echo(repr(seed))


@click.command()
@seed_option(click.STRING, lambda: "fresh", "Seed.")
def named(seed: str) -> None:
    click.echo(repr(seed))


@pytest.mark.parametrize(
    ("words", "variable", "number", "name"),
    [
        ([], None, "1", "'fresh'"),
        (["--seed", "7"], None, "7", "'7'"),
        (["--seed", "@FILE"], None, "23", "'23'"),
        ([], "@FILE", "23", "'23'"),
        ([], "5", "5", "'5'"),
        (["--seed", "7"], "5", "7", "'7'"),
    ],
)
def test_a_seed_comes_from_the_command_line_a_file_or_the_environment(
    words: list[str], variable: str | None, number: str, name: str, tmp_path: Path
) -> None:
    file = tmp_path / "seed"
    file.write_text(" 23\n")
    words, environment = [
        [word.replace("FILE", str(file)) for word in words],
        {SEED_VARIABLE: variable and variable.replace("FILE", str(file))},
    ]
    for command, expected in ((numbered, number), (named, name)):
        done = CliRunner(env=environment).invoke(command, words)
        assert (done.exit_code, done.output) == (0, f"{expected}\n")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "seed: it cannot be read: No such file or directory"),
        (b" \n", "seed: it is empty"),
        (b"\xff", "seed: line 1: the byte 0xff is not UTF-8: save the file as UTF-8"),
        (b"1" * 1001, "seed: it has more than 1,000 bytes"),
        (b"one", "'one' is not a valid integer range."),
    ],
)
def test_a_file_without_a_seed_is_refused(content: bytes | None, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "seed"
    if content is not None:
        file.write_bytes(content)
    done = CliRunner().invoke(numbered, ["--seed", f"@{file}"])
    assert done.exit_code == 2 and done.stderr.endswith(f"{problem}\n")
