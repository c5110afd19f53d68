"""python -m tools play --endgame: the list, whole games from a pipe, and what it refuses."""

import re
import shlex

import pytest
from click.testing import CliRunner, Result

from tools.shared.paths import call_of
from tools.tables.play.__main__ import main
from tools.tables.table.endgames import PUZZLES

pytestmark = pytest.mark.usefixtures("with_kernel")
WON = ("4", "k", "66 77 88", "2", "q")


def play(*arguments: str, lines: tuple[str, ...] = ()) -> Result:
    text = "".join(line + "\n" for line in lines)
    return CliRunner().invoke(main, arguments, input=text, env={"COLUMNS": "80"})


def test_alone_it_lists_the_puzzles() -> None:
    done = play("--endgame")
    assert done.exit_code == 0
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert rows == [[str(number), *hands.split()] for number, hands in enumerate(PUZZLES, 1)]


def test_a_puzzle_is_won_by_its_hints() -> None:
    lines = tuple(line for move in WON for line in ("hint", move))
    done = play("--endgame", "16", lines=lines)
    assert (done.exit_code, done.stderr) == (0, "")
    hints = re.findall("^hint: (.*)$", done.stdout, re.MULTILINE)
    assert hints == ["4", "K", "Q, 2, 66, 77, 88 or 667788", "2", "Q"]
    assert "  1 landlord (you)  4 (solo), 9 left\n  2 peasant         Q (solo), 8 left\n" in done.stdout
    assert done.stdout.endswith(f"You win!\nOnce more:    {call_of('play')} --endgame 16\n")


def test_the_end_names_the_move_that_threw_the_win_away() -> None:
    done = play("--endgame", "18", lines=("Q", "hint", "9", "pass", ""))
    assert "hint: no move wins any more" in done.stdout
    assert "You lose.\nMove 1, Q, threw the win away: 9 or T would have won.\n" in done.stdout


def test_a_move_is_taken_back_and_words_are_answered() -> None:
    lines = ("back", "6", "moves", "history", "悔牌", "help", "save x", "moves bomb", "3", "table", "quit")
    done = play("--endgame", "16", lines=lines)
    assert done.exit_code == 0
    for sentence in (
        "  ! there is no move of yours to take back",
        "  solo  2  K 2",
        "back     take your last move or bid back",
        "  ! an endgame is not saved",
        "  ! 'bomb': you have no such move now; there are solo, pair, pair_chain",
        "  ! 3: the hand 4667788QK2 does not hold these cards",
    ):
        assert sentence in done.stdout
    assert done.stdout.count("  1 landlord (you)  6 (solo), 9 left") == 2
    assert done.stdout.count("landlord (you)  10  4 66 77 88 Q K 2") == 3


def test_three_hands_of_any_rules_and_either_side_are_begun_again_by_the_last_line() -> None:
    options = ("--rules", "botzone", "--seat", "landlord_up", "--endgame", "34 56 KA")
    done = play(*options, lines=("pass", "k", "pass", "a"))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "rules botzone," in done.stdout and "landlord_down> \n" not in done.stdout
    assert "  To beat: 3 (solo) of landlord.\nlandlord_down> pass\n  2 landlord_down (you)  pass\n" in done.stdout
    assert "  3 landlord_up (you)    K (solo), 1 left\n" in done.stdout and "You win!\nOnce more: " in done.stdout
    command = done.stdout.rstrip().rpartition(f"Once more:    {call_of('play')} ")[2]
    assert shlex.split(command) == list(options)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["99"], "--endgame 99: give a number from 1 to 22, or hands as in '345B 345L'"),
        (["0"], "--endgame 0: give a number"),
        (["x"], "--endgame x: give a number"),
        (["3 x"], "'X' is not a rank"),
        (["33333 4"], "'33333': the deck has fewer 3"),
        (["3 4 5 6"], "an endgame has two or three hands, not 4"),
        (["22", "--limit", "100p"], "3455667TKA22 3455TJQKA2B: this endgame is too large"),
        (["1", "--bot", "rule"], "--bot does not go with --endgame: all hands are open, and none are kept"),
        (["1", "--reveal"], "--reveal does not go with --endgame"),
        (["1", "--save-games", "x.ddzn"], "--save-games does not go with --endgame"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(arguments: list[str], sentence: str) -> None:
    done = play("--endgame", *arguments)
    assert done.exit_code == 2 and done.stdout == ""
    assert sentence in done.stderr and done.stderr.count("\n") == 1
