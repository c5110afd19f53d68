"""The compliance check: a good bot passes every step, and each bad bot fails at the step that is about its fault."""

import json
import re
import shutil
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddzbot.cards import size
from ddzbot.protocol.botzone import rebuild
from ddzbot.rules import BOMB, ROCKET
from ddzbot.view import View
from tests.check.few import make_short
from tests.check.student_faults import program
from tests.support import ROOT, command_line, require
from tools.arena.check import steps
from tools.arena.check.__main__ import main
from tools.arena.check.arranged import arrange
from tools.arena.check.bench import Bench
from tools.arena.check.late import after_auctions, late_positions
from tools.arena.check.reached import Reached
from tools.arena.check.requests import examples
from tools.arena.check.run import Finding, choose, run_steps
from tools.arena.check.scenes import BIDS, FOLLOWS, GAMES, LEADS, PASSES, Scene, Scripted
from tools.arena.check.steps import STEPS
from tools.arena.check.watched import Terms, TurnNote
from tools.judge.game import JudgeGame
from tools.judge.process_answer import Answer
from tools.judge.process_limits import Limits
from tools.referee.games import make_referee

BOTS = ROOT / "tests" / "bots"
RULE = [sys.executable, "-E", "-s", "-S", str(ROOT / "bot.py"), "--player", "rule"]
NAMES = [step.name for step in STEPS]
BEHIND_OUTPUT = NAMES[NAMES.index("lead") : NAMES.index("bad-input")]
WHOLE_GAMES = ["restart", "auction", "late", "games"]
BEHIND_ANSWERS = [*WHOLE_GAMES, "keep-running"]
PATIENT = Terms(Limits(30.0, 30.0, 30.0))


@pytest.fixture(autouse=True)
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of the rest meet all games and scenes."""
    if not request.node.get_closest_marker("whole"):
        make_short(monkeypatch)


def command(name: str) -> list[str]:
    return [sys.executable, "-E", "-s", "-S", str(BOTS / f"{name}.py")]


def python_bot(file: str) -> str:
    return command_line("python", BOTS / file)


def check(name: str, terms: Terms = PATIENT, steps: str = "", **options: Any) -> dict[str, Finding]:
    """Checks a bot of tests/bots: by name of the step what it came to."""
    bench = Bench(command(name), terms=terms, rounds=1, **options)
    return {finding.name: finding for finding in run_steps(bench, choose(steps))}


def with_status(findings: dict[str, Finding], status: str) -> list[str]:
    return [name for name, finding in findings.items() if finding.status == status]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


# Good bots


def assert_it_passes(bench: Bench) -> None:
    findings = {finding.name: finding for finding in run_steps(bench, choose(""))}
    assert [finding.sentence for finding in findings.values() if not finding.complies] == []
    assert findings["keep-running"].status == "pass"
    assert {note.phase for note in bench.notes} == {"first", "later", "kept"}


@pytest.mark.parametrize("game", [pytest.param(GAMES[0], marks=pytest.mark.whole), GAMES[1]])
def test_the_projects_bot_passes_every_step_in_both_modes(game: str) -> None:
    assert_it_passes(Bench(RULE, [*RULE, "--keep-running"], (game,), PATIENT, rounds=1))


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_a_new_bot_passes_in_every_scene_and_game(game: str, tmp_path: Path) -> None:
    require(shutil.which("g++"), "g++")
    assert_it_passes(Bench(program(tmp_path, "cpp"), None, (game,), PATIENT, rounds=1))


@pytest.mark.parametrize(
    ("name", "said", "not_asked_for"),
    [
        ("obedient_one_shot", "it read a line, and ended with exit code 0 after ", ["keep-running"]),
        ("read_to_the_end", "it read its input to the end, and ended with exit code 0 after ", ["keep-running"]),
        ("obedient_keep_running", "it read a line, and asks to be kept running after ", []),
    ],
)
def test_a_bot_is_checked_as_it_is(name: str, said: str, not_asked_for: list[str]) -> None:
    steps = [step for step in NAMES if step not in WHOLE_GAMES]
    findings = check(name, steps=",".join(steps), games=GAMES[1:])
    assert findings["start"].sentence.startswith(said)
    assert with_status(findings, "not asked for") == not_asked_for
    assert with_status(findings, "pass") == [step for step in steps if step not in not_asked_for]


def test_a_game_without_an_auction_asks_for_no_bid() -> None:
    finding = check("obedient_one_shot", steps="bid", games=GAMES[:1])["bid"]
    assert (finding.status, finding.sentence) == ("not asked for", "the game has no auction")
    assert finding.complies


def test_json_over_several_lines_passes_with_a_warning() -> None:
    words = ["sh", "-c", "read line; printf '{\\n\"response\":\\n[3]}\\n'"]
    findings = {
        finding.name: finding for finding in run_steps(Bench(words, None, GAMES[:1], PATIENT), choose("output"))
    }
    over = "it printed JSON over 3 lines with the response [3]; the site promises to read one: print it on one line"
    assert (findings["output"].status, findings["output"].sentence) == ("pass", over)


def test_it_is_said_what_the_check_imitates() -> None:
    bot = python_bot("obedient_one_shot.py")
    done = run(bot, "--game", GAMES[0], "--only", "start", "--turn-time", "30")
    assert done.exit_code == 0, done.output
    assert "As Botzone: 60 s for the first turn, 30 s for others, 30 s for those of a kept process" in done.stderr
    done = run(bot, "--game", GAMES[0], "--only", "start", "--turn-time", "30", "--json")
    assert json.loads(done.stdout)["imitates"] == {"site": "Botzone", **asdict(Limits(60, 30, 30))}


@pytest.mark.parametrize("where", ["0", "1"], ids=["outside", "in the sandbox"])
def test_a_bot_that_never_flushes_fails_whatever_the_user_set(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("DDZ_SANDBOX", where)
    done = run(python_bot("never_flush.py"), "--game", GAMES[0], "--only", "start", "--turn-time", "0.5")
    assert done.exit_code == 1 and "took longer than 1.0 s (TLE)" in done.stdout, done.output


# Bad bots


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("crash_at_start", "ended with exit code 1: RuntimeError: no weights (RE); let it end with exit code 0"),
        ("crash_after_answer", "ended with exit code 3 (RE); let it end with exit code 0, after its answer"),
        ("stall", "took longer than 0.5 s (TLE); let it answer sooner"),
        ("memory_hog", "MiB of memory, allowed are 100 (MLE); let it use less memory"),
    ],
)
def test_a_bot_that_does_not_come_to_an_answer_fails_at_the_start(name: str, sentence: str) -> None:
    limits = Limits(20.0, memory_mib=100) if name == "memory_hog" else Limits(0.5)
    findings = check(name, Terms(limits, patience=1.0) if "crash" not in name else PATIENT)
    assert findings["start"].status == "fail"
    assert sentence in findings["start"].sentence
    rest = [finding for finding in findings.values() if finding.name != "start"]
    assert [finding.status for finding in rest] == ["not run"] * (len(STEPS) - 1)
    assert {finding.sentence for finding in rest} == {"step 1 (start) has to pass first"}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("chatter_on_stdout", "printed no JSON: 'searching...' (NJ); let it print one line such as"),
        ("garbage", "printed no JSON: 'I think I pass' (NJ); let it print one line such as"),
        ("output_flood", "printed more than 1048576 bytes in one turn (OLE); let it print its answer and nothing else"),
    ],
)
def test_output_that_is_no_single_line_of_json_fails_at_the_output(name: str, sentence: str) -> None:
    findings = check(name, steps=",".join(NAMES[: NAMES.index("bad-input")]))
    assert with_status(findings, "pass") == ["start"]
    assert with_status(findings, "fail") == ["output"]
    assert with_status(findings, "not run") == BEHIND_OUTPUT
    assert sentence in findings["output"].sentence


@pytest.mark.parametrize(
    ("name", "step", "sentence", "not_run"),
    [
        (
            "bid_one",
            "bid",
            "FightTheLandlord2, bid after 1, turn 1: player 1 was refused: 1 is not a bid after [1] (INVALID_BID); "
            "let it bid 0, or more than every earlier bid and at most 3",
            ["envelope", *BEHIND_ANSWERS],
        ),
        (
            "trust_limits",
            "envelope",
            "an envelope with text for its limits: it ended with exit code 1: TypeError: ",
            [],
        ),
        (
            "no_restart",
            "restart",
            "FightTheLandlord2, restarted game 1, turn 3: player 0 (landlord_up) ended with exit code 1: "
            "RuntimeError: turns are missing (RE); let a fresh process find out everything",
            ["auction", "late", "games"],
        ),
        (
            "crash_late",
            "late",
            "RuntimeError: no fifth move (RE); let it answer the last request, whatever was played and bid before",
            ["games"],
        ),
        (
            "marker_once",
            "keep-running",
            "ended without the marker line although it is to keep running (RE); let it print the marker line after",
            [],
        ),
        ("leave_between_turns", "keep-running", "its process had ended before turn 2; let it print the marker", []),
        ("warn_on_stderr", "hygiene", "it wrote 'warning: no weights' to standard error; let it write nothing", []),
        ("long_debug", "hygiene", "debug has 2048 bytes; let it have at most 1024", []),
    ],
)
def test_a_fault_fails_its_own_step_and_no_other(name: str, step: str, sentence: str, not_run: list[str]) -> None:
    # Whole games and scenes, a process for each turn, only where they are about the fault or not reached.
    without = () if step in ("bid", *WHOLE_GAMES) else ("follow", "forced-pass", "bad-input", *WHOLE_GAMES)
    findings = check(name, steps=",".join(one for one in NAMES if one not in without), games=GAMES[1:])
    assert with_status(findings, "fail") == [step]
    assert with_status(findings, "not run") == not_run
    assert sentence in findings[step].sentence


def test_a_bot_that_never_passes_fails_where_it_has_to_and_where_nothing_that_it_plays_is_higher() -> None:
    findings = check("never_pass", games=GAMES[1:])
    assert with_status(findings, "fail") == ["follow", "forced-pass"]
    assert with_status(findings, "not run") == BEHIND_ANSWERS
    assert (
        "FightTheLandlord2, follow after the rocket, turn 1: player 1 (landlord_down) was refused: "
        "3: a solo cannot answer the rocket LB (LESS_COMPARE); "
        "let it answer [] when it holds no higher move"
    ) in findings["forced-pass"].sentence


def test_hygiene_is_not_judged_by_turns_that_failed() -> None:
    assert check("garbage", steps="output,hygiene")["hygiene"].status == "not run"


def test_an_illegal_move_fails_every_step_that_asks_for_an_answer() -> None:
    findings = check("illegal_move")
    assert with_status(findings, "fail") == ["lead", "follow", "forced-pass", "bid"]
    assert "(MISSING_CARD); let it lead a move of the game, of cards that it holds" in findings["lead"].sentence
    assert with_status(findings, "not run") == ["envelope", *BEHIND_ANSWERS]
    assert findings["games"].sentence == "step 3 (lead) has to pass first"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("think_long", "this first turn took"),
        ("think_long_when_kept", "this turn of a kept process took"),
    ],
)
def test_a_bot_that_is_slow_but_answers_fails_at_the_time_alone(name: str, sentence: str) -> None:
    steps = "start,output,lead,keep-running,time" if "kept" in name else "start,output,time"
    terms = Terms(Limits(0.7, 0.7, 0.7) if name != "think_long_when_kept" else Limits(30, 30, 0.7), patience=40)
    findings = check(name, terms, steps, games=GAMES[:1])
    assert with_status(findings, "fail") == ["time"]
    assert sentence in findings["time"].sentence
    assert findings["time"].sentence.endswith(
        " s, and 0.7 s are allowed; let it answer sooner, and then end or print the marker line"
    )


def test_a_bot_that_is_large_but_answers_fails_at_the_memory_alone() -> None:
    findings = check("large_but_good", Terms(Limits(30, memory_mib=128), patience=3), "start,output,lead,memory")
    assert with_status(findings, "fail") == ["memory"]
    assert "MiB of memory, and 128 MiB are allowed; let it use less memory" in findings["memory"].sentence


def test_a_bot_that_hangs_on_bad_input_fails_there() -> None:
    findings = check("stall_on_bad_input", Terms(Limits(2.0), patience=1), "start,bad-input,hygiene", games=GAMES[:1])
    assert with_status(findings, "fail") == ["bad-input"]
    assert findings["bad-input"].sentence == (
        "a line of JSON that is cut off: it neither answered nor ended within 2 s; "
        "let it end when a line makes no sense, or when its input ends"
    )


def test_a_tally_alone_plays_games_to_have_something_to_count() -> None:
    findings = check("obedient_one_shot", steps="memory")
    assert findings["memory"].status == "pass"
    assert findings["memory"].sentence.startswith("peak ")


# Arranged games, and what they come to


@pytest.mark.parametrize("game", GAMES)
def test_thirty_arranged_games_have_each_role_with_each_theme_and_each_temper(game: str) -> None:
    made = [arrange(game, number) for number in range(30)]
    assert len({one.name.partition("(")[2] for one in made}) == 30
    for one in made:
        dealt = sum(one.initdata["allocation"], one.initdata["publiccard"] if game == GAMES[1] else [])
        assert sorted(dealt) == [*range(54)]


def test_the_games_say_what_they_did_not_reach() -> None:
    words = python_bot("obedient_one_shot.py"), "--only", "start,output,lead,follow,forced-pass,restart,games"
    done = run(*words, "--rounds", "1")
    *_, played, verdict = done.stdout.splitlines()
    assert "  it played 4 whole games, a process for each of " in played
    unseen = played.partition("; never seen: ")[2]
    assert unseen.startswith("FightTheLandlord (leads of all but solo; moves to beat of all but solo, pair, ")
    assert "; moves over others; moves over others with its last 4 cards as landlord, landlord_down, " in unseen
    assert "FightTheLandlord2 (leads of all but solo; " in unseen
    assert verdict == f"passed; never seen: {unseen}"
    of_one = run(*words, "--rounds", "1", "--game", GAMES[0], "--json").stdout
    assert json.loads(of_one)["never_seen"] == unseen.partition("FightTheLandlord2 ")[0].rstrip(",; ")
    assert Reached().count == 0


def test_it_is_said_in_how_many_turns_the_player_of_our_bot_did_not_choose_itself() -> None:
    bot = command_line(sys.executable, ROOT / "bot.py", "--limit", "600s,20p", "--player", "mcm:weights=none.ddzw")
    done = run(bot, "--only", "start,output,lead")
    sentence = r"^in (\d+) of \d+ turns the player did not choose itself: (mctshs|rule) chose \1$"
    assert re.search(sentence, done.stdout, re.MULTILINE)
    found = json.loads(run(bot, "--only", "start", "--json").stdout)
    assert list(found["fallbacks"].values()) == [1]


def test_of_the_turns_of_others_nothing_is_said() -> None:
    bench = Bench(["bot"])
    late, ours = {"player": "rule", "failed_champion": "it did not answer in time"}, {"v": "1.0.0"}
    for debug in (late, "error", {"error": "mine"}, None, ours, {**ours, **late}, {**ours, "error": "late"}):
        bench.notes.append(TurnNote("", "first", Answer("OK", debug=debug), None))  # type: ignore[arg-type]
    assert bench.fallbacks() == {"none": 1, "rule": 1}


# Late positions


@pytest.mark.parametrize("game", GAMES)
def test_late_positions_have_every_seat_and_number_of_cards_to_lead_and_to_follow(game: str) -> None:
    cells = {(seat, leads, cards) for seat in range(3) for leads in (True, False) for cards in range(1, 9)}
    bombs, alone, kinds = 0, 0, set()
    for scene in late_positions([game]):
        view = last_view(scene)
        cells.remove((view.seat, view.to_beat is None, size(view.hand)))
        bombs += any(move.kind in (BOMB, ROCKET) for move in view.plays)
        alone += any(view.cards_left(seat) == 1 for seat in ((0,) if view.seat else (1, 2)))
        kinds |= {view.to_beat.kind} if view.to_beat else set()
    assert not cells
    assert bombs >= 10 and alone >= 8 and len(kinds) >= 6, (bombs, alone, kinds)


def test_both_games_share_the_late_positions() -> None:
    both = late_positions(GAMES)
    assert [sum(scene.game == game for scene in both) for game in GAMES] == [24, 24]
    assert {scene.name for scene in both} == {scene.name for scene in late_positions(GAMES[:1])}


def test_the_landlord_leads_after_every_auction_and_each_peasant_meets_it_everywhere() -> None:
    found = [last_view(scene) for scene in after_auctions()]
    assert len({(view.landlord_position, view.stake, view.bids) for view in found if not view.seat}) >= 18
    assert len({(view.landlord_position, view.seat) for view in found}) == 9


def last_view(scene: Scene) -> View:
    """What the bot knows where a scene asks it."""
    bots = [Scripted([*script, [], []]) for script in scene.scripts]
    heard: list[View] = []
    own = bots[scene.player]
    answer = own.turn

    def turn(requests: list[Any], responses: list[Any], *more: Any) -> Any:
        view = rebuild(requests, responses).view
        if len(requests) == scene.answers:
            assert isinstance(view, View)
            heard.append(view)
        return answer(requests, responses)

    own.turn = turn  # type: ignore[assignment, method-assign]
    match = JudgeGame(make_referee(scene.game, scene.initdata, ""), bots)
    next(one for one in match.turns() if heard)
    return heard[0]


HIDDEN = {
    "crash_after_bomb": "late",
    "crash_before_last_card": "late",
    "crash_with_few_cards": "late",
    "never_lead_again": "late",
    "play_as_many": "late",
    "save_last_cards": "late",
    "short_memory": "late",
    "stall_with_last_card": "late",
    "take_bottom_as_first": "late",
    "trust_its_bid": "auction",
}
"""What bots hide that never follow or bid, by the step that finds it."""


@pytest.mark.whole
@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_weak_bot_hides_is_found(name: str) -> None:
    terms = Terms(Limits(2.0), patience=1.0) if "stall" in name else PATIENT
    findings = check(name, terms, f"start,output,lead,{HIDDEN[name]}")
    found = [finding for finding in findings.values() if finding.status == "fail"]
    assert found[0].name == HIDDEN[name], found
    assert found[0].turn and found[0].turn.number == len(json.loads(found[0].turn.input)["requests"])


def test_a_bot_that_hides_a_crash_is_found_in_a_position(tmp_path: Path) -> None:
    fault, bot = tmp_path / "fault.json", python_bot("trust_its_bid.py")
    done = run(bot, "--only", "auction", "--save-turn", str(fault))
    assert (done.exit_code, done.stdout.splitlines()[1]) == (1, "failed: auction")
    assert "(landlord), turn 2: player 2 (landlord) ended with exit code 1" in done.stdout
    again = run(bot, "--turn", str(fault))
    assert (again.exit_code, "RuntimeError: it never bids (RE)" in again.stdout) == (1, True)
    assert run(python_bot("obedient_one_shot.py"), "--turn", str(fault)).exit_code == 0


def test_a_bot_that_lives_on_its_data_is_not_put_into_positions_without() -> None:
    finding = check("keep_data", steps="start,output,lead,auction", games=GAMES[1:])["auction"]
    assert finding.status == "not asked for"
    assert finding.sentence.startswith("it needs the data of its earlier turns, which no position has; without them ")


def test_a_slow_bot_is_asked_as_much_as_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "AUCTION_SECONDS", 0.0)
    finding = check("obedient_one_shot", steps="auction", games=GAMES[1:])["auction"]
    count = len(steps.after_auctions())
    assert finding.sentence == f"it answered legally after 0 auctions of {count}, for which there was time"


def test_a_kept_process_plays_on_from_late_positions() -> None:
    finding = check("obedient_keep_running", steps="late", games=GAMES[:1])["late"]
    assert finding.sentence == "it answered legally in 8 late positions; in one process each it played on from 3"


# A turn that is kept


def test_a_fault_is_a_file_from_which_the_turn_is_met_again(tmp_path: Path) -> None:
    fault, bot = tmp_path / "fault.json", python_bot("crash_late.py")
    done = run(bot, "--only", "games", "--game", GAMES[0], "--save-turn", str(fault))
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-2].strip().endswith(f"--turn {fault}")
    assert done.stdout.splitlines()[-1].strip() == f"{bot} < {fault.with_suffix('.in')}"
    saved = json.loads(fault.read_text())
    assert (saved["step"], saved["game"], saved["output"]) == ("games", GAMES[0], "")
    assert saved["input"].encode() == fault.with_suffix(".in").read_bytes()
    assert "RuntimeError: no fifth move" in saved["stderr"]
    again = run(bot, "--turn", str(fault))
    assert again.exit_code == 1
    assert again.stdout.splitlines()[-1] == "bot ended with exit code 1: RuntimeError: no fifth move (RE)"
    mended = run(python_bot("obedient_one_shot.py"), "--turn", str(fault))
    assert (mended.exit_code, mended.stdout.splitlines()[-1]) == (0, "it answered legally")


def test_a_line_without_a_game_is_met_again_too(tmp_path: Path) -> None:
    fault, bot = tmp_path / "fault.json", python_bot("trust_limits.py")
    assert run(bot, "--only", "envelope", "--save-turn", str(fault)).exit_code == 1
    again = run(bot, "--turn", str(fault))
    assert (again.exit_code, "TypeError" in again.stdout.splitlines()[-1]) == (1, True)


def test_a_kept_process_hears_all_turns_again(tmp_path: Path) -> None:
    fault, good = tmp_path / "fault.json", python_bot("obedient_keep_running.py")
    done = run(python_bot("marker_once.py"), "--only", "keep-running", "--game", GAMES[0], "--save-turn", str(fault))
    assert (done.exit_code, json.loads(fault.read_text())["mode"]) == (1, "keep_running")
    assert run(good, "--turn", str(fault)).exit_code == 0


def test_the_turn_of_a_folder_is_met_alone_by_its_program(tmp_path: Path) -> None:
    folder, fault = tmp_path / "mybot", tmp_path / "fault.json"
    folder.mkdir()
    shutil.copy(BOTS / "garbage.py", folder / "bot.py")
    done = run(str(folder), "--only", "2", "--game", GAMES[0], "--save-turn", str(fault))
    assert done.exit_code == 1
    alone = command_line(sys.executable, folder / "bot.py")
    assert done.stdout.splitlines()[-1].strip() == f"{alone} < {fault.with_suffix('.in')}"


@pytest.mark.parametrize(
    ("text", "sentence"), [("{}", "it is not what --save-turn writes (KeyError: 'answers')"), ("x", "Expecting value")]
)
def test_a_file_that_keeps_no_turn_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "fault.json"
    path.write_text(text)
    done = run(python_bot("obedient_one_shot.py"), "--turn", str(path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_requests_of_every_kind_are_printed_and_make_sense() -> None:
    done = run("--requests")
    assert (done.exit_code, done.stderr) == (0, "")
    printed = done.stdout.splitlines()
    for example in examples(GAMES):
        rebuild(example.requests, example.responses)
        place = printed.index(f"{example.game}, {example.name}")
        lines = [line.decode() for line in example.lines]
        assert [f"{line.strip()}\n" for line in printed[place + 1 : place + 1 + len(lines)]] == lines
    assert sum(not line.startswith(" ") for line in printed) == len([*examples(GAMES)]) == 24


# The scenes


def test_a_scene_asks_the_bot_as_often_as_it_says_and_scripts_break_no_rule() -> None:
    for scene in (*LEADS, *FOLLOWS, *PASSES, *BIDS):
        bots = [Scripted(script) for script in scene.scripts]
        bots[scene.player] = Scripted([0] if scene.game == GAMES[1] and scene.player == 0 else [[]])
        match = JudgeGame(make_referee(scene.game, scene.initdata, ""), bots)
        while len(match.answers[scene.player]) < scene.answers - 1 or str(scene.player) not in match.output.content:
            next(match.turns())
        assert match.faults == [], scene.name


# The command line


def test_the_command_exits_with_0_and_prints_a_line_a_step() -> None:
    done = run(python_bot("obedient_one_shot.py"), "--only", "1,lead", "--game", "FightTheLandlord")
    assert done.exit_code == 0 and done.stderr.startswith("As Botzone: 12 s for the first turn, 6 s"), done.stderr
    assert done.stdout.splitlines()[1] == " 3 lead          pass           it led legally: [0]"


def test_the_command_exits_with_1_after_a_failure_and_speaks_json() -> None:
    done = run(python_bot("garbage.py"), "--only", "1,2,3", "--json")
    result = json.loads(done.stdout)
    assert done.exit_code == 1
    assert (result["bot"], result["complies"]) == (python_bot("garbage.py"), False)
    assert [(step["number"], step["status"]) for step in result["steps"]] == [(1, "pass"), (2, "fail"), (3, "not run")]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rule", "--keep-running", "nope"], "may not be run, and is no player: there are a3c, champion, cql,"),
        (["bot 'x"], 'Error: command "bot \'x" cannot be split: No closing quotation'),
        (["python x.py", "--only", "3,99"], "Error: step '99' is unknown: choose from 1 to 16, or from start, output"),
        (["python x.py", "--game", "Mahjong"], "'Mahjong' is not one of"),
        (["python x.py", "--fast"], "No such option"),
        ([], "Missing argument 'BOT'"),
        (["no-such-program --fast"], "Error: program 'no-such-program' does not exist, or may not be run"),
    ],
)
def test_bad_usage_exits_with_2_and_one_sentence(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr.splitlines()[-1]


def test_a_file_that_is_no_program_fails_at_the_start_and_no_step_can_use_it(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"\0 is not a program\n")
    file.chmod(0o755)
    done = run(str(file), "--only", "start")
    assert done.exit_code == 1
    assert "Exec format error (RE)" in done.stdout
    done = run(str(file), "--only", "bad-input")
    assert done.exit_code == 2
    assert "Error: the check cannot continue: [Errno 8] Exec format error" in done.stderr
