"""Whole matches of real processes, what the judge makes of each failure, and the command line."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support import ROOT, started
from tools.judge.__main__ import command
from tools.judge.game import JudgeGame
from tools.judge.game_command import bot_words, make_limits
from tools.judge.process import BotProcess
from tools.judge.process_limits import Limits
from tools.referee.games import make_referee
from tools.referee.stdio import judge
from tools.shared.commands import program_words

BOTS = ROOT / "tests" / "bots"
GOOD = "obedient_keep_running"
PATIENT = Limits(60.0, 60.0, 60.0)

SMALL = {"allocation": [[4, 5, 8, 9], [12], [16]]}
"""A deal of four turns of the landlord."""


def bot(name: str, limits: Limits = PATIENT, **options: Any) -> BotProcess:
    return BotProcess([sys.executable, str(BOTS / f"{name}.py")], limits=limits, **options)


def play(game: str, *bots: BotProcess, initdata: Any = "") -> JudgeGame:
    match = JudgeGame(make_referee(game, initdata, "match"), bots)
    for _ in match.turns():
        pass
    for process in bots:
        process.close()
    return match


def good_bots(number: int = 3) -> list[BotProcess]:
    return [bot(GOOD) for _ in range(number)]


@pytest.mark.parametrize("game", ["FightTheLandlord", "FightTheLandlord2", "MiniFightTheLandlord"])
def test_three_good_bots_play_to_the_end(game: str) -> None:
    match = play(game, *good_bots())
    assert match.output.command == "finish"
    assert match.faults == []
    assert match.scores[0] > 0


def test_one_shot_bots_play_the_same_game_as_bots_that_keep_running() -> None:
    one_shot = play("FightTheLandlord", *[bot("obedient_one_shot") for _ in range(3)], initdata=SMALL)
    kept = play("FightTheLandlord", *good_bots(), initdata=SMALL)
    assert [entry.get("output") for entry in one_shot.log] == [entry.get("output") for entry in kept.log]


def test_a_one_shot_bot_gets_data_and_globaldata_back() -> None:
    program = (
        "import json; game = json.loads(input()); first = len(game['requests']) == 1; "
        "memory = {'globaldata': 'kept'} if first else {}; "
        "seen = [game.get('data'), game.get('globaldata')]; "
        "print(json.dumps(dict(memory, response=[], data=len(game['requests']), debug=seen)))"
    )
    counting = BotProcess([sys.executable, "-c", program], limits=PATIENT)
    match = play("FightTheLandlord", bot(GOOD), counting, bot(GOOD), initdata=SMALL)
    assert [answer.debug for answer in match.answers[1]] == [[None, None], [1, "kept"], [2, "kept"]]


def test_a_failure_ends_fightthelandlord_and_names_the_seat() -> None:
    match = play("FightTheLandlord", bot(GOOD), bot("crash_at_start"), bot(GOOD))
    assert match.scores == [2.5, -1, -1]
    assert match.output.display["errorInfo"] == "INVALID_INPUT_VERDICT_RE"
    (fault,) = match.faults
    assert (fault.player, fault.seat, fault.turn, fault.verdict) == (1, "landlord_down", 2, "RE")
    assert fault.sentence.startswith("player 1 (landlord_down) ")
    assert fault.sentence.endswith("(RE)")


def test_after_a_failure_fightthelandlord2_goes_on_without_the_player() -> None:
    match = play("FightTheLandlord2", bot(GOOD), bot("crash_at_start"), bot(GOOD))
    assert match.scores == [4, -2, -2]
    assert [(fault.player, fault.verdict, fault.code) for fault in match.faults] == [(1, "RE", "INVALID_BID")]
    assert len(match.answers[1]) == 1
    assert {} in match.log


def test_an_answer_against_the_rules_names_the_seat_and_the_platforms_code() -> None:
    match = play("FightTheLandlord", bot(GOOD), bot(GOOD), bot("illegal_move"))
    (fault,) = match.faults
    assert (fault.verdict, fault.code) == ("OK", "MISSING_CARD")
    assert fault.sentence.startswith("player 2 (landlord_up) was refused: card ")
    assert match.scores == [2.5, -1, -1]


def test_turns_show_the_game_as_it_goes_on() -> None:
    bots = good_bots()
    match = JudgeGame(make_referee("FightTheLandlord2", "", "match"), bots)
    turns = list(match.turns())
    for process in bots:
        process.close()
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    assert [turn.game is None for turn in turns[:4]] == [True, True, False, False]
    assert turns[2].bids == (0, 0, 0)
    assert turns[-1].game is not None
    assert turns[-1].game.finished


def test_the_log_makes_the_judge_say_the_same_again() -> None:
    match = play("FightTheLandlord2", bot(GOOD), bot("garbage"), bot(GOOD))
    message = {"log": match.log[:-1], "initdata": match.initdata}
    assert judge("FightTheLandlord2", message, "unused").as_json() == match.log[-1]["output"]


def test_a_record_has_the_log_the_scores_the_times_and_what_was_on_stderr() -> None:
    match = play("FightTheLandlord", bot("crash_at_start"), *good_bots(2))
    record = json.loads(json.dumps(match.record("FightTheLandlord")))
    assert record["log"][1]["0"]["verdict"] == "RE"
    assert "RuntimeError: no weights" in record["log"][1]["0"]["stderr"]
    assert record["scores"] == [-1, 2.5, 2.5]
    assert [len(times) for times in record["times"]] == [1, 0, 0]
    assert record["faults"][0]["seat"] == "landlord"


def test_limits_come_from_the_command_line() -> None:
    assert make_limits(None, 256) == Limits()
    assert Limits() == Limits(12, 6, 4, 256)
    assert make_limits(2, 64) == Limits(4, 2, 2, 64)


def test_python_is_the_interpreter_of_the_judge() -> None:
    assert program_words("python bot.py --player rule") == [sys.executable, "bot.py", "--player", "rule"]
    assert program_words("python3 bot.py")[0] == "python3"
    assert program_words("env A=1 B=c=d python bot.py") == ["env", "A=1", "B=c=d", sys.executable, "bot.py"]
    assert program_words("env -i python bot.py") == ["env", "-i", "python", "bot.py"]


def test_a_program_behind_its_variables_is_looked_for() -> None:
    with pytest.raises(ValueError, match="program 'no-such-bot' does not exist"):
        bot_words("env A=1 no-such-bot")
    with pytest.raises(ValueError, match="a game calls a human player person; give the program another name"):
        bot_words("person=rule")


# The command line.


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def line(name: str) -> str:
    return f"python tests/bots/{name}.py"


def test_a_good_match_exits_with_0_and_is_shown_and_recorded(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    record.write_text("old\n")
    done = run(*[line(GOOD)] * 3, "--seed", "1", "--show", "--save-games", str(record), "--turn-time", "60")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "landlord went out: the landlord wins" in done.stdout
    assert f"The record is in {record}" in done.stdout
    (text,) = record.read_text().splitlines()
    assert json.loads(text)["bots"][0].endswith(line(GOOD).removeprefix("python "))


@pytest.mark.whole
def test_thoughts_are_drawn_below_the_moves() -> None:
    options = ["--seed", "1", "--show", "--turn-time", "60"]
    raising = "python bot.py --player tests.protocol.bad_players:Raising --limit 20p --keep-running"
    done = run("python bot.py --player rule --keep-running", raising, line(GOOD), *options, "--thoughts")
    assert (done.exit_code, done.stderr) == (0, "")
    shown = done.stdout.splitlines()
    first = next(number for number, text in enumerate(shown) if text.startswith("  1 landlord plays "))
    assert re.fullmatch(r"      by the rule 'lead' +rule +\d+\.\d s", shown[first + 1])
    assert shown[first + 2].startswith("    > landlord ")
    # Said once, and not again as long as nothing changes.
    assert shown.count("      ! tests.protocol.bad_players:Raising failed: RuntimeError: a bug") == 1
    assert sum(text.endswith(" plays in its place") for text in shown) == 1
    assert any(text.endswith(" passes  [no choice]") for text in shown)
    # The third bot says nothing of its moves, so nothing is below them.
    assert all("landlord" in shown[number + 1] for number, text in enumerate(shown) if "landlord_up passes" in text)
    assert "by the rule" not in run(*[line(GOOD)] * 3, *options).stdout


@pytest.mark.whole
def test_a_bid_of_a_fallback_is_drawn_too() -> None:
    bots = [
        "python bot.py --player tests.protocol.bad_players:Raising --limit 20p --keep-running",
        *["python bot.py --player rule --keep-running"] * 2,
    ]
    done = run(*bots, "--game", "FightTheLandlord2", "--seed", "1", "--show", "--thoughts", "--turn-time", "60")
    shown = done.stdout.splitlines()
    assert shown[0].startswith("player 0 ")
    assert shown[1] == "      ! tests.protocol.bad_players:Raising failed: RuntimeError: a bug"
    assert shown[2] in ("      ! mctshs plays in its place", "      ! rule plays in its place")


def test_a_fault_exits_with_1_and_is_named_on_stderr(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    record.write_text("old\n")
    done = run(
        line("garbage"), line(GOOD), line(GOOD), "--json", "--save-games", str(record), "--append", "--turn-time", "60"
    )
    assert done.exit_code == 1
    assert done.stderr == "turn 1: player 0 (landlord) printed no JSON: 'I think I pass' (NJ)\n"
    result = json.loads(done.stdout)
    assert (result["scores"], result["record"]) == ([-1, 2.5, 2.5], str(record))
    assert len(record.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["a", "b"], "there are 2 bots: a game needs three"),
        (["a", "b", "c", "--stdio"], "there are 3 bots"),
        (["a", "b", "c", "--thoughts"], "--thoughts goes with --show"),
        (["a", "b", "c", "--append"], "--append goes with --save-games FILE"),
        (["a", "b", "c", "--game", "Mahjong"], "'Mahjong' is not one of"),
        (["rule", "rule", ""], "command '' names no program"),
        (
            ["rule", "rule", "nope"],
            "'nope' does not exist, or may not be run, and is no player: there are a3c, champion,",
        ),
        (["rule", "rule", "mcm:nonsense=1"], "the option 'nonsense' is unknown; there are setting,"),
        (["a", "b", "c", "--initdata", "5"], "--initdata '5' is neither a JSON object"),
        (["a", "b", "c", "--initdata", "{"], "--initdata '{' is not JSON"),
        (["rule", "rule", "rule", "--initdata", '{"allocation": [[1], [2], [2]]}'], "card id 2 occurs twice"),
        (["a", "b", "c", "--save-games", "no/such/x"], "--save-games 'no/such/x' cannot be written: No such file"),
        (["a", "b", "c", "--turn-time", "0"], "0.0 is not in the range"),
        (["a", "b", "c", "--turn-time", "inf"], "inf is not a finite number"),
    ],
)
def test_bad_usage_exits_with_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr.splitlines()[-1]


def test_the_help_names_every_exit_status() -> None:
    done = run("--help")
    assert done.exit_code == 0
    assert all(f"\n    {status:<3}  " in done.stdout for status in ("0", "1", "2", "3", "130"))


def test_a_deal_may_come_from_a_file(tmp_path: Path) -> None:
    deal = tmp_path / "deal.json"
    deal.write_text('{"allocation": [[4], [8], [12]]}')
    done = run(*[line(GOOD)] * 3, "--initdata", str(deal), "--json", "--turn-time", "60")
    assert json.loads(done.stdout)["scores"] == [2.01, 0, 0]


def test_a_match_with_an_auto_pilot_is_shown() -> None:
    deal = '{"allocation": [[4, 5], [8], [12]], "publiccard": []}'
    options = ["--game", "FightTheLandlord2", "--initdata", deal, "--show", "--turn-time", "60"]
    done = run(line(GOOD), line("garbage"), line(GOOD), *options)
    shown = done.stdout.splitlines()
    assert shown[1:3] == ["  ! player 1 printed no JSON: 'I think I pass' (NJ)", "player 1 does not bid"]
    assert "  2 landlord_down passes  [auto-pilot]" in shown
    assert done.exit_code == 1


@pytest.mark.whole
def test_a_closed_output_is_no_bots_fault_and_the_match_is_recorded(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    options = ["--show", "--turn-time", "60", "--save-games", str(record)]
    words = [sys.executable, "-m", "tools", "judge", *[line(GOOD)] * 3, *options]
    with started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as judging:
        assert judging.stdout is not None
        judging.stdout.close()
        assert judging.wait() == 3
        assert judging.stderr is not None
        assert judging.stderr.read() == "Error: [Errno 32] Broken pipe\n"
    assert json.loads(record.read_text())["scores"]
