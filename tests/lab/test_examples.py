"""Decisions of which somebody knows better."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.lab.__main__ import main
from tools.lab.decisions.examples import USUAL, choices, read_examples
from tools.shared.errors import InputError


def test_a_move_of_the_projects_examples_is_right_if_it_is_good_or_not_bad() -> None:
    examples = read_examples(USUAL)
    assert len(examples) == 5
    first, second, third = examples[:3]
    assert not first.is_solved_by("TT") and first.is_solved_by("4")
    assert second.is_solved_by("8888") and not second.is_solved_by("pass")
    assert choices("random", "", third, 30) == choices("random", "", third, 30)


def test_the_command_counts_what_is_right() -> None:
    words = ["decisions", "examples", "rule", "random@2p", "--seeds", "2"]
    done = CliRunner().invoke(main, words, env={"COLUMNS": "150"})
    assert done.exit_code == 0, done.output
    (row,) = [line for line in done.output.splitlines() if line.startswith("│ right")]
    assert row.count("of 10") == 2


@pytest.mark.parametrize("text", ["", "why =", '[[example]]\nwhy = "x"', '[[example]]\nposition = "3"\nwhy = "x"'])
def test_what_is_no_example_is_one_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"examples\.toml"):
        read_examples(path)
