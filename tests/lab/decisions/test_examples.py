"""Decisions of which somebody knows better."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.lab.decisions.examples import USUAL, choices, main, read_examples
from tools.shared.errors import InputError

ENDING = 'position = "botzone 3/4B/5L 678 -@0 4:1 2 678/4/-"'


def written(folder: Path, *lines: str) -> Path:
    path = folder / "examples.toml"
    path.write_text("\n".join(["[[example]]", *lines, ""]))
    return path


def test_the_examples_of_the_project_are_decisions_with_known_moves() -> None:
    examples = read_examples(USUAL)
    assert len(examples) == 5
    assert all(len(example.view.legal_moves()) > 1 and example.why for example in examples)


def test_a_move_is_right_if_it_is_good_or_not_bad() -> None:
    first, second = read_examples(USUAL)[:2]
    assert first.bad == ("TT",) and second.good == ("8888",)
    assert not first.is_solved_by("TT") and first.is_solved_by("4")
    assert second.is_solved_by("8888") and not second.is_solved_by("pass")


def test_each_seed_chooses_once() -> None:
    example = read_examples(USUAL)[2]
    found = choices("random", "", example, 30)
    assert found.total() == 30 and len(found) > 1
    assert choices("random", "", example, 30) == found
    assert choices("rule", "", example, 3).most_common()[0][1] == 3


def test_the_command_counts_what_is_right() -> None:
    done = CliRunner().invoke(main, ["rule", "random@2p", "--seeds", "2"], env={"COLUMNS": "150"})
    assert done.exit_code == 0, done.output
    (row,) = [line for line in done.output.splitlines() if line.startswith("│ right")]
    assert row.count("of 10") == 2
    assert "5: the landlord goes out next" in done.output


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (['why = "x"'], "example 1: it has position and why"),
        (['position = "botzone"', 'why = "x"', 'good = ["3"]'], "example 1: position 'botzone'"),
        ([ENDING, 'why = "x"', 'good = ["KK"]'], "example 1: KK is not a legal move"),
        ([ENDING, 'why = "x"'], "it has good or bad moves, not both"),
        ([ENDING, 'why = "x"', 'good = ["pass"]', 'bad = ["5"]'], "it has good or bad moves, not both"),
        (["why = ="], "examples.toml: "),
    ],
)
def test_what_is_no_example_is_refused(lines: list[str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read_examples(written(tmp_path, *lines))
    assert sentence in str(refused.value)


def test_a_file_without_examples_and_a_program_are_refused(tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text("")
    with pytest.raises(InputError, match="has no"):
        read_examples(tmp_path / "none.toml")
    done = CliRunner().invoke(main, ["./bot"])
    assert done.exit_code == 2 and "name players" in done.output
