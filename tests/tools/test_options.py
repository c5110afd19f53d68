"""Options that several commands have."""

import re
from collections import Counter

import click
import pytest
from click.testing import CliRunner

from tests.support import ROOT
from tools.shared.options import FiniteRange


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
    assert kinds["FiniteRange("] > 20
    # The class itself; and the bounds of a sequential test, which looks at them.
    assert (kinds["click.FloatRange("], kinds["type=float"]) == (0, 1)
