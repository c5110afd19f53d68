"""python -m tools play --learn: mistakes and puzzles of recorded games, judged by the numbers of a review."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support import ROOT
from tools.tables.play.__main__ import main

pytestmark = pytest.mark.usefixtures("with_kernel")
DEMO = str(ROOT / "tests/data/rule-demo-1.ddzn")


def learn(*arguments: str, lines: tuple[str, ...] = (), file: str = DEMO) -> Result:
    text = "".join(line + "\n" for line in lines)
    arguments = ("--learn", file, "--limit", "1000p", *arguments)
    return CliRunner().invoke(main, arguments, input=text, env={"COLUMNS": "80"})


@pytest.mark.whole
def test_one_tries_again_where_mistakes_were_made() -> None:
    done = learn(lines=("22", "33", "moves", "help", "save x", "pass", "hint"))
    assert (done.exit_code, done.stderr) == (0, "")
    for sentence in (
        "1. Game 1, move 5: 22 was a mistake. Find it.\n",
        "    landlord_down  15  33 4 77 8 9 TT J Q A 22 L\n  To beat: 88 (pair) of landlord.\n",
        "  ! 22: mistake, 10.7 % +- 1.4 % lost; try again, or hint\n",
        "  ! 33: it does not beat 88\n",
        "  ! save means nothing here\n",
        "Right: pass is the best.\nhint: pass, wins 63.9 %",
        "2. Game 1, move 16: 55 was a mistake. Find it.\n",
        "hint: JJQQKKAA (pair_chain), wins 100 %",
        "\nNo more mistakes: 0 of 2 right at the first try.\n",
    ):
        assert sentence in done.stdout


@pytest.mark.whole
def test_puzzles_have_one_right_move_and_persons_learn_from_their_own_mistakes(tmp_path: Path) -> None:
    done = learn("--puzzles", lines=("88", "quit"))
    assert "1. Game 1, move 4: one move is clearly the best. Find it.\n" in done.stdout
    assert "Right: 88 is the best." in done.stdout and "2. Game 1, move" in done.stdout
    mine = tmp_path / "mine.ddzn"
    mine.write_text(Path(DEMO).read_text("utf-8").replace('Player2 "rule"', 'Player2 "person"'), "utf-8")
    assert learn(file=str(mine)).stdout == "\nThere is no mistake in it.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--number", "2"), f"{DEMO}: there is no game 2"),
        (("--seed", "3"), "--seed does not go with --learn: the games have their own"),
    ],
)
def test_what_cannot_be_learnt_from_is_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = learn(*arguments)
    assert done.exit_code == 2 and sentence in done.stderr
