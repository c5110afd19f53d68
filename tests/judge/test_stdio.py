"""The judge program that acts as the platform's: the log in, one line out. The recordings are in another file."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.judge.recorded import transcripts
from tests.judge.tables import SORTED, SORTED2, ok
from tools.judge.__main__ import command
from tools.referee.referee import RefereeError
from tools.referee.stdio import judge, judge_line

DEALS = {"FightTheLandlord": SORTED, "FightTheLandlord2": SORTED2}


def run(line: str, *options: str) -> Result:
    return CliRunner().invoke(command, ["--stdio", *options], input=line)


@pytest.mark.parametrize("name", ["errors/ftl2_two_errored", "mini30_on_ftl1_judge"])
def test_the_program_prints_what_the_platforms_printed(name: str) -> None:
    recorded = transcripts()[name]
    *_, message = recorded.messages()
    done = run(json.dumps(message) + "\n", "--game", recorded.game)
    assert (done.exit_code, done.stdout, done.stderr) == (0, recorded.printed[-1] + "\n", "")


def test_the_program_refuses_what_the_platforms_crashed_on() -> None:
    done = run('{"log": [], "initdata": {"allocation": [[1], [2], [3]]}}', "--game", "FightTheLandlord2")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "Error: initdata has an allocation but no publiccard: the platform's judge crashes on it\n"


def test_the_program_deals_the_seed_of_its_command_line() -> None:
    done = run('{"log": [], "initdata": ""}', "--game", "FightTheLandlord2", "--seed", "20241")
    assert done.stdout.strip() == transcripts()["ftl2_game1_randombids"].printed[0]


def test_a_new_match_may_lack_initdata() -> None:
    assert judge("FightTheLandlord", {"log": []}, "1") == judge("FightTheLandlord", {"log": [], "initdata": ""}, "1")


def test_initdata_may_be_a_json_text_in_the_middle_of_a_match() -> None:
    message = {"log": [{}, {"0": ok([5])}], "initdata": json.dumps(SORTED)}
    assert judge("FightTheLandlord", message, "unused").display["event"] == {"player": 0, "action": [5]}


def test_a_seed_is_enough_in_the_middle_of_a_match_of_fightthelandlord2() -> None:
    message = {"log": [{}, {"0": ok(1)}], "initdata": {"seed": "20241"}}
    recorded = transcripts()["ftl2_game1_randombids"]
    assert json.dumps(judge("FightTheLandlord2", message, "unused").as_json()) == recorded.printed[1]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ([], "a list named log"),
        ({"log": [{}], "initdata": SORTED}, "the bots' last answers are missing"),
        ({"log": [{}, 5], "initdata": SORTED}, "entry 1 5 is not an object"),
        ({"log": [{}, {"0": ok([])}, {}, {"1": ok([])}], "initdata": SORTED}, "over before entry 3"),
        ({"log": [{}, {"0": ok([5])}], "initdata": ""}, "the initdata of its first output is needed"),
        ({"log": [{}, {"0": ok([5])}], "initdata": {"seed": "1"}}, "the initdata of its first output is needed"),
        ({"log": [{}, {"0": ok([5])}], "initdata": 5}, "the initdata of its first output is needed"),
    ],
)
def test_a_log_that_makes_no_match_is_refused(message: Any, sentence: str) -> None:
    with pytest.raises(RefereeError, match=sentence):
        judge_line("FightTheLandlord", json.dumps(message), "unused")


@pytest.mark.parametrize("line", ["", "[" * 100_000, '{"log":[],"initdata":{"seed":1e400}}'])
def test_a_line_that_is_no_json_is_refused(line: str) -> None:
    with pytest.raises(RefereeError, match="the input line is not JSON"):
        judge_line("FightTheLandlord", line, "unused")


@pytest.mark.parametrize("verdict", [None, 5, 0.5, True, ["TLE"], {"TLE": 1}], ids=repr)
@pytest.mark.parametrize("game", DEALS)
def test_a_verdict_that_is_no_word_is_no_bots_fault(game: str, verdict: Any) -> None:
    message = {"log": [{}, {"0": {"verdict": verdict, "response": [5]}}], "initdata": DEALS[game]}
    with pytest.raises(RefereeError, match=r"log: entry 1: verdict .* of player 0 is not a word"):
        judge(game, message, "unused")


@pytest.mark.whole
def test_initdata_that_is_nested_too_deeply_is_no_json(tmp_path: Path) -> None:
    deep = "[" * 100_000
    assert run(json.dumps({"log": [], "initdata": deep})).exit_code == 0
    done = run("", "--game", "FightTheLandlord2")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    file = tmp_path / "deal.json"
    file.write_text(deep)
    done = CliRunner().invoke(command, ["a", "b", "c", "--initdata", str(file)])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "is not JSON" in done.stderr
