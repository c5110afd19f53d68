"""The command ``python -m tools solve``: words for people, objects for programs, refusals in one sentence."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from tests.support import ROOT
from tools.study import solve
from tools.study.solve import main

PAPER = ("4667788QK2", "334455QK2")
HARD = ("448999TJJQQAB2", "336688TAA22L")
PUZZLES = ROOT / "tests" / "data" / "endgames" / "puzzles.jsonl.gz"


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"COLUMNS": "120"})


def ask_json(*arguments: str) -> dict[str, Any]:
    result = ask(*arguments, "--json")
    assert result.exit_code == 0
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_the_command_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "tools", "solve", *PAPER]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The landlord wins, with 1 of 11 moves." in done.stdout


def test_the_answer_names_the_winner_all_winning_moves_and_a_line() -> None:
    lines = ask(*PAPER).stdout.splitlines()
    assert lines[2] == "The landlord wins, with 1 of 11 moves."
    assert lines[3].split() == ["winning", "4"]
    assert lines[4].split() == ["losing", "6", "7", "8", "Q", "K", "2", "66", "77", "88", "667788"]
    assert lines[5].startswith("line     landlord 4, peasant ")
    assert re.match(r"search +[\d,]+ nodes in \d\.\d\d s \((kernel|Python)\)", lines[-1])


def test_a_lost_position_has_no_winning_move() -> None:
    output = ask("45577TTKK2", "8AA").stdout
    assert "The peasant wins, whatever landlord plays." in output
    assert "winning" not in output


def test_programs_get_one_object() -> None:
    answer = ask_json(*PAPER)
    assert list(answer) == ["id", "winner", "winning_moves", "undecided", "line", "nodes", "seconds"]
    assert (answer["id"], answer["winner"], answer["winning_moves"], answer["undecided"]) == (
        None,
        "landlord",
        ["4"],
        [],
    )


def test_cards_are_typed_as_they_are_read_on_the_page() -> None:
    plain = ask_json("3TTLB", "4J", "--to-beat", "T", "--played-by", "1")
    read = ask_json("10 3 王炸 １０", "j,4", "--to-beat", "10", "--played-by", "1")
    assert plain["winning_moves"] == read["winning_moves"] == ["pass", "L", "B", "LB"]


def test_a_position_in_one_line_says_all() -> None:
    line = "standard 4667788QK2/334455QK2/9 ? -@0 - 0 -/-/-"
    assert ask_json(line)["winner"] == "peasants"
    shown = ask("standard 34/5/6 ? -@0 6:2 0 -/-/6").stdout
    assert "landlord       34  to answer" in shown and "played 6" in shown


def test_a_line_is_played_to_the_end() -> None:
    line = ask_json(*PAPER)["line"]
    assert sorted("".join(move for move in line[::2] if move != "pass")) == sorted(PAPER[0])


def test_three_hands_have_a_landlord_and_two_peasants() -> None:
    answer = ask_json("47TQB", "456AA2", "6669K", "--to-move", "1", "--to-beat", "TT", "--played-by", "0")
    assert (answer["winner"], answer["winning_moves"]) == ("peasants", ["pass"])


def test_the_seat_before_played_the_move_unless_it_is_said_who() -> None:
    hands = ("3", "44", "5K", "--to-move", "1", "--to-beat", "A")
    assert ask_json(*hands) == {**ask_json(*hands, "--played-by", "0"), "seconds": pytest.approx(0, abs=10)}
    assert ask_json(*hands)["winner"] == "landlord"
    assert ask_json(*hands, "--played-by", "2")["winner"] == "peasants"


def test_kinds_can_be_banned() -> None:
    hands = ("45567899JQK", "3469QAAA2B")
    assert ask_json(*hands)["winning_moves"] == ["45678"]
    assert ask_json(*hands, "--ban", "trio_solo", "--ban", "trio_pair")["winning_moves"] == ["45678", "456789"]


def test_rules_can_be_chosen() -> None:
    hands = ("3", "777888999TJQ2", "--to-move", "1", "--to-beat", "333444555666")
    assert ask_json(*hands, "--rules", "standard")["winner"] == "peasant"
    assert ask_json(*hands)["winner"] == "landlord"


# Many endgames.


def test_a_batch_answers_line_by_line() -> None:
    result = ask("--endgames", str(PUZZLES), "--json")
    answers = list(map(json.loads, result.stdout.splitlines()))
    with gzip.open(PUZZLES, "rt", encoding="utf-8") as lines:
        rows = list(map(json.loads, lines))
    assert [answer["id"] for answer in answers] == [row["id"] for row in rows]
    assert [answer["winner"] for answer in answers] == [row["verified_winner"] for row in rows]
    assert [set(answer["winning_moves"]) for answer in answers] == [set(row["winning_first_moves"]) for row in rows]


def test_a_batch_may_be_plain_and_of_three_hands(tmp_path: Path) -> None:
    file = tmp_path / "endgames.jsonl"
    rows = [
        {"hands": ["3", "44", "5K"], "to_move": 1, "last_move": "A", "last_player": 2},
        {"id": "lead", "hands": ["35", "44"], "last_move": "", "last_player": -1},
    ]
    file.write_text("\n\n".join(map(json.dumps, rows)))
    answers = list(map(json.loads, ask("--endgames", str(file), "--json").stdout.splitlines()))
    assert [(answer["id"], answer["winner"]) for answer in answers] == [(None, "peasants"), ("lead", "landlord")]


def test_a_batch_for_people_has_the_names() -> None:
    assert "paper-fig2" in ask("--endgames", str(PUZZLES)).stdout


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "this is not an endgame: Expecting property name"),
        ("3", "this is not an endgame: Expected `object`, got `int`"),
        ('{"landlord": "3"}', "it has neither hands, nor landlord and peasant"),
        ('{"hands": ["3", 4]}', "this is not an endgame: Expected `str`, got `int` - at `$.hands[1]`"),
        (
            '{"hands": ["3", "4"], "to_move": "north"}',
            "this is not an endgame: Invalid enum value 'north' - at `$.to_move`",
        ),
        ('{"hands": ["3", "4"], "to_move": 2}', "there is no seat 2 to move: 2 hands are given"),
        ('{"hands": ["33333", "4"]}', "cards '33333': the deck has fewer 3"),
    ],
)
def test_a_bad_line_is_named_before_anything_is_solved(tmp_path: Path, line: str, sentence: str) -> None:
    file = tmp_path / "endgames.jsonl"
    file.write_text('{"hands": ["3", "4"]}\n' + line + "\n")
    result = ask("--endgames", str(file), "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {file}:2: {sentence}") and result.stderr.count("\n") == 1


# Limits.


def test_a_short_time_gives_unknown_and_lists_what_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "Deadline", lambda limit, watch: Deadline(Limit(playouts=2_000)))
    result = ask(*HARD, "--json", "--limit", "5s")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["winner"], answer["winning_moves"], answer["line"]) == (1, "unknown", [], [])
    assert len(answer["undecided"]) > 20
    assert f"of 26 moves, {len(answer['undecided'])} undecided, the others lose" in ask(*HARD, "--limit", "5s").stdout


def test_a_time_limit_is_kept() -> None:
    result = ask(*HARD, "--json", "--limit", "0.0001s")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["seconds"] < 250


def test_a_long_search_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "PATIENCE", 0.0)
    result = ask(*PAPER)
    assert re.search(r"^solving: [\d,]+ nodes, \d s$", result.stderr, re.M)


# Refusals.


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name either two or three hands, or a file with --endgames"),
        (["3", "4", "--endgames", str(PUZZLES)], "name either two or three hands, or a file with --endgames"),
        (["3"], "an endgame has two or three hands, not 1"),
        (["33333", "4"], "cards '33333': the deck has fewer 3"),
        (["standard 3/4 ? -@0 - 0 -/-/-"], "position 'standard 3/4 ? -@0 - 0 -/-/-': hands '3/4': there must be three"),
        (["standard 3/4/5 ? -@0 - 0 -/-/-", "--to-beat", "3"], "the position has the seat to move and what is to beat"),
        (["3X", "4"], "cards '3X': 'X' is not a rank"),
        (["333", "334"], "the hands have 5 of 3; the deck of rules botzone has 4"),
        (["3", "4", "--to-move", "-1"], "there is no seat -1 to move: 2 hands are given"),
        (["3", "4", "--to-beat", "56"], "'56' is not a move (rules botzone)"),
        (["3", "4", "--to-beat", "5Y"], "cards '5Y': 'Y' is not a rank"),
        (["3", "4", "--to-beat", "pass"], "a pass lies on the table, but a pass is nothing to beat"),
        (["3", "4", "--to-beat", "5", "--played-by", "2"], "5: which of the 2 seats played this move must be given"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence_and_status_two(arguments: list[str], sentence: str) -> None:
    for result in (ask(*arguments), ask(*arguments, "--json")):
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"Error: {sentence}") and result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("--rules", "bridge"), ("--ban", "solo"), ("--ban", "pass"), ("--limit", "0s"), ("--limit", "5")]
)
def test_options_with_wrong_values_are_refused(arguments: tuple[str, str]) -> None:
    result = ask(*PAPER, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert arguments[1] in result.stderr
