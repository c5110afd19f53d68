"""The command ``python -m tools rules``: sentences for people, objects for programs, and the exit status."""

import json
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support import ROOT
from tools.study.rules import main


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"COLUMNS": "80"})


def ask_json(*arguments: str) -> tuple[int, Any]:
    result = ask(*arguments, "--json")
    return result.exit_code, json.loads(result.stdout)


def test_the_command_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "tools", "rules", "beats", "4444", "3334"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "4444 beats 3334 (rules botzone)\n", "")


@pytest.mark.parametrize(
    ("cards", "rules", "sentence"),
    [
        ("3334", "botzone", "3334: trio_solo of 3 (rules botzone)"),
        ("33443", "botzone2", "33344: trio_pair of 3 (rules botzone2)"),
        ("LB", "mini", "LB: rocket (rules mini)"),
        ("34567", "icga", "34567: solo_chain of 3 to 7 (rules icga)"),
        (
            "333444555666",
            "standard",
            "333444555666: plane of 3 to 6, or plane_solo of 3 to 5, or plane_solo of 4 to 6 (rules standard)",
        ),
    ],
)
def test_classify_names_every_reading(cards: str, rules: str, sentence: str) -> None:
    assert ask("classify", cards, "--rules", rules).output.startswith(sentence)


def test_classify_leaves_with_no_for_what_may_not_be_played() -> None:
    result = ask("classify", "333366", "--rules", "icga")
    assert result.exit_code == 1
    assert result.output == (
        "333366: the kickers of a four_two_solo must be of different ranks outside its body (rules icga)\n"
        "Played by others, it is understood as four_two_solo of 3.\n"
    )


def test_classify_gives_both_faces_to_programs() -> None:
    status, answer = ask_json("classify", "9999TTTTJQ", "--rules", "mini")
    assert status == 1
    assert answer == {
        "rules": "mini",
        "cards": "9999TTTTJQ",
        "legal": [],
        "recognised": [{"cards": "9999TTTTJQ", "kind": "shuttle_solo", "rank": "9", "length": 2}],
        "why_not": "9999TTTTJQ: a shuttle_solo is not a legal move (rules mini)",
    }


@pytest.mark.parametrize(
    ("cards", "other", "sentence"),
    [
        ("33", "44", "33: it does not beat 44"),
        ("444", "33", "444: a trio cannot answer the pair 33"),
        ("333366", "3334", "333366: the kickers of a four_two_solo must be of different ranks"),
        ("55", "3344", "55: a pair cannot answer the unknown 3344"),
    ],
)
def test_beats_says_in_one_sentence_why_not(cards: str, other: str, sentence: str) -> None:
    result = ask("beats", cards, other)
    assert result.exit_code == 1
    assert result.output.startswith(sentence) and result.output.count("\n") == 1


def test_beats_answers_programs_with_a_truth_value() -> None:
    yes = {"rules": "botzone", "cards": "44", "other": "33", "beats": True, "why_not": None}
    assert ask_json("beats", "44", "33") == (0, yes)
    no = {"rules": "botzone", "cards": "33", "other": "44", "beats": False, "why_not": "33: it does not beat 44"}
    assert ask_json("beats", "33", "44") == (1, no)


def test_legal_groups_the_moves_by_kind() -> None:
    result = ask("legal", "344556677KKKLB", "--to-beat", "33")
    rows = [line.split() for line in result.output.splitlines()]
    assert result.exit_code == 0
    assert rows == [
        ["kind", "moves", "cards"],
        ["pass", "1", "pass"],
        ["pair", "5", "44", "55", "66", "77", "KK"],
        ["rocket", "1", "LB"],
        ["all", "7"],
    ]


def test_legal_lists_the_moves_for_programs() -> None:
    status, answer = ask_json("legal", "345LB", "--to-beat", "L")
    assert status == 0
    assert answer == {
        "rules": "botzone",
        "hand": "345LB",
        "to_beat": "L",
        "count": 3,
        "moves": [
            {"cards": "", "kind": "pass", "rank": None, "length": 0},
            {"cards": "B", "kind": "solo", "rank": "B", "length": 1},
            {"cards": "LB", "kind": "rocket", "rank": "L", "length": 1},
        ],
    }


def test_legal_lists_leads_and_says_that_it_does_not_understand_the_move_to_beat() -> None:
    status, answer = ask_json("legal", "3344")
    assert (status, answer["to_beat"]) == (0, None)
    assert [move["cards"] for move in answer["moves"]] == ["3", "4", "33", "44"]
    result = ask("legal", "5555LB6", "--to-beat", "3344")
    assert "3344 is not a move that the rules botzone recognise: only bombs and the rocket beat it." in result.output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["classify", "3X"], "cards '3X': 'X' is not a rank; ranks are 3456789TJQKA2LB"),
        (["classify", "33333"], "cards '33333': the deck has fewer 3"),
        (["classify", ""], "'' has no cards"),
        (["classify", "33", "--rules", "mini"], "cards '33': the deck of rules mini is 9999TTTT"),
        (["beats", "4", "pass"], "cards 'pass': 'P' is not a rank"),
        (["classify", "1"], "cards '1': '1' is not a rank; ranks are 3456789TJQKA2LB: T is 10, L and B are the jokers"),
        (["legal", "33334444555566667777L"], "cards '33334444555566667777L': no hand has more than 20 cards"),
        (["legal", "34", "--to-beat", "0"], "cards '0': '0' is not a rank"),
    ],
)
@pytest.mark.parametrize("json_option", [[], ["--json"]])
def test_bad_input_gets_one_sentence_and_status_two(
    arguments: list[str], json_option: list[str], sentence: str
) -> None:
    result = ask(*arguments, *json_option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {sentence}") and result.stderr.count("\n") == 1
