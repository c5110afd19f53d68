"""A match reports at once which program failed, why and in which game, and a strict one ends with exit code 1."""

import io
import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec import structs, to_builtins

from ddzbot.players.base import Failure
from tests.arena.some_files import keep, lines_in, put, rows_in
from tests.support import ROOT, command_line
from tools.arena.match import main as match
from tools.arena.matches.faults import Reporter, fallbacks_in, faults_of, kinds_of_faults, troubles_of
from tools.arena.matches.outcome import Asked, Fault, GameOutcome
from tools.arena.matches.plan import Match
from tools.arena.matches.runner import Progress
from tools.arena.report import main as report
from tools.arena.reports.results import as_json, results_of
from tools.arena.reports.text import print_results
from tools.arena.stats.row import Counts, FaultRow, GameRow, Row
from tools.shared.language import seat_word, translate
from tools.shared.message import Message, as_message, to_json
from tools.shared.terminal import Console

CRASHES = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests" / "bots")!r})
import obedient_one_shot
from obedient_one_shot import respond

def respond_or_raise(requests, responses):
    if sum(requests[0]["own"]) % MODULUS == 0:
        raise RuntimeError("no [idea] of this hand")
    return respond(requests, responses)

obedient_one_shot.respond = respond_or_raise
obedient_one_shot.main()
"""
"""A bot that raises with some hands; MODULUS 3: in about one game of three, 1: in every game."""


def crashing(folder: Path, modulus: int) -> str:
    path = folder / f"crash{modulus}.py"
    path.write_text(CRASHES.replace("MODULUS", str(modulus)))
    return command_line(sys.executable, "-E", "-s", "-S", path)


def play(*arguments: str, sets: int = 10) -> Result:
    return CliRunner().invoke(match, [*arguments, "--sets", str(sets), "--seed", "1", "--jobs", "1", "--quiet"])


@pytest.mark.whole
def test_a_failure_is_named_with_its_game_and_is_the_exit_code_of_a_strict_match(tmp_path: Path) -> None:
    bot, file = crashing(tmp_path, 3), tmp_path / "r.json"
    done = play(bot, "rule", "--strict", "--results", str(file), sets=2)
    assert done.exit_code == 1, done.output
    assert done.stderr.splitlines()[-1].startswith(f"At fault: {bot}: failures ")
    assert "games as landlord" in done.stdout
    assert play("random", "rule", "--rules", "mini", "--strict", sets=2).exit_code == 0
    faults = [(row.set, fault) for row in rows_in(file)[0] for fault in row.faults]
    assert len(faults) == 2
    index, first = faults[0]
    assert first.by == "A" and first.verdict == "RE"
    assert first.sentence.endswith("ended with exit code 1: RuntimeError: no [idea] of this hand (RE)")
    at_once = done.stderr.splitlines()
    assert at_once[0] == f"{bot}, game {index}.{first.game}: {first.sentence}"
    said = f"at fault in {len(faults)} of 4 games, first in game {index}.{first.game}: {first.sentence}"
    assert said in done.stdout
    # The report has it too, and the game can be played again by that number.
    assert said in CliRunner().invoke(report, [str(file)]).output
    again = play(bot, "rule", "--replay-game", f"{index}.{first.game}", sets=2)
    assert "RE by position" in again.output


@pytest.mark.whole
def test_a_bot_that_raises_in_every_game_is_not_repeated_for_each(tmp_path: Path) -> None:
    done = play(crashing(tmp_path, 1), "rule", sets=5)
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert len([line for line in lines if "no [idea] of this hand" in line]) == 3
    assert lines[3].endswith("from here on its faults are only counted.")
    assert "at fault in 10 of 10 games, first in game 0.0: player 0 (landlord)" in done.stdout
    assert "Elo below -" in done.stdout


def test_a_fallback_is_a_fault_of_a_strict_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    done = play("champion", "random", "--rules", "mini", "--strict", "--allow-fallback", sets=1)
    assert done.exit_code == 1
    assert "did not choose" in done.stderr and "champion: no network" in done.stderr
    assert "At fault: champion: fallbacks " in done.stderr


def row_with(index: int, *faults: tuple[int, str]) -> Row:
    said = tuple(FaultRow(game, by, "RE", as_message(f"player 0 {game}")) for game, by in faults)
    return Row(index, (GameRow("ABB", 0, True), GameRow("BAA", 0, True)), faults=said)


@pytest.mark.parametrize(("rules", "first"), [("mini", "games"), ("botzone2", "sets, by points")])
def test_the_first_row_says_whether_it_counts_games_or_sets(rules: str, first: str) -> None:
    lines = play("random", "rule", "--rules", rules, sets=1).stdout.splitlines()
    rows = [line.split("│")[1].strip() for line in lines if line.startswith("│")]
    assert rows == [first, "games as landlord", "games as peasants"]


def test_the_number_of_a_game_names_the_pairing_where_there_are_several() -> None:
    said: list[str] = []
    reporter = Reporter([("one", "two"), ("one", "three")], said.append)
    reporter.look(1, row_with(7, (1, "B")))
    reporter.look(0, row_with(7, (0, "A")))
    assert said == ["three, game 1.7.1: player 0 1", "one, game 0.7.0: player 0 0"]
    (kind,) = kinds_of_faults([(1, "B", [row_with(3), row_with(7, (1, "B"))])], True)
    assert kind.line == "at fault in 1 of 4 games, first in game 1.7.1: player 0 1"
    assert kinds_of_faults([(0, "A", [row_with(3)])], False) == []


def row_of(fault: Fault) -> FaultRow:
    (row,) = faults_of(["ABB"], [GameOutcome(None, 0, False, (0, 0, 0), [], [fault])])
    return row


def died(words: str) -> Fault:
    player = Message("player {number} ({seat})", number=0, seat=seat_word(0))
    what = Message("{how}: {words}", how=Message("ended with exit code {code}", code=1), words=words)
    return Fault(0, "RE", Message("{player} {what} ({verdict})", player=player, what=what, verdict="RE"))


def read_again(folder: Path, fault: FaultRow | dict[str, object]) -> Row:
    """Reads the one set of a file in which a fault is kept."""
    path = folder / "r.json"
    path.unlink(missing_ok=True)
    keep(path, Progress(Match.of("botzone", ("rule", "random"), 10, 1), [[row_with(7, (1, "B"))]]))
    lines = lines_in(path)
    ((_, row),) = lines[-1]["sets"]
    row["faults"] = [to_builtins(fault, enc_hook=to_json)]
    put(path, lines)
    return rows_in(path)[0][0]


def test_a_fault_is_kept_as_a_message_and_said_in_the_language_of_the_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    fell = next(fallbacks_in([Asked(1, 0, 0.0, {}, "rule", (Failure("champion", "no network"),))]))
    for fault, said in (
        (died("no idea"), "玩家 0（地主）以退出码 1 结束：no idea（RE）"),
        (Fault(*fell), "这一手不是玩家 1 选的，而是 rule 选的（champion: no network）"),
        (died("x" * 400), f"玩家 0（地主）以退出码 1 结束：{'x' * 148}...{'x' * 148}（RE）"),
        (died("{a}: {how} (RE)"), "玩家 0（地主）以退出码 1 结束：{a}: {how} (RE)（RE）"),
        (Fault(0, "RE", "player 0 (landlord) is unwell"), ""),
    ):
        row = read_again(tmp_path, structs.replace(row_of(fault), game=1, by="B"))
        sentence = row.faults[0].sentence
        assert sentence.isascii() and sentence.startswith("player")
        lines: list[str] = []
        Reporter([("one", "two")], lines.append).look(0, row)
        (kind,) = kinds_of_faults([(0, "B", [row])], False)
        # A sentence that nobody knows stands in English, and with it the whole line.
        assert translate(lines[0]) == (f"two，第 7.1 局：{said}" if said else f"two, game 7.1: {sentence}")
        line = f"2 局中有 1 局出错，首次在 7.1 局：{said}"
        assert translate(kind.line) == (line if said else f"at fault in 1 of 2 games, first in game 7.1: {sentence}")


def test_an_older_file_has_its_faults_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    sentence = "player 0 (landlord) ended with exit code 1 (RE)"
    row = read_again(tmp_path, {"game": 1, "by": "B", "verdict": "RE", "sentence": sentence})
    (kind,) = kinds_of_faults([(0, "B", [row])], False)
    assert translate(kind.line) == f"at fault in 1 of 2 games, first in game 7.1: {sentence}"


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ({"key": "{what}", "context": "", "values": {}}, "'{what}' has not the values"),
        ({"key": "it died"}, "{'key': 'it died'} is no message"),
        (["it died"], "['it died'] is no message"),
        (5, "5 is no message"),
        ({"english": {"a": 1}}, "{'english': {'a': 1}} is no message"),
        ({"key": "{a:>9999999999999}", "context": "", "values": {"a": "x"}}, "is no message"),
        ({"key": "{a", "context": "", "values": {}}, "is no message"),
    ],
)
def test_a_fault_that_is_no_message_is_refused(tmp_path: Path, sentence: object, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)) as refused:
        read_again(tmp_path, {"game": 1, "by": "B", "verdict": "RE", "sentence": sentence})
    assert "line 3" in str(refused.value) and "sentence" in str(refused.value)


def test_every_kind_of_fault_has_its_first_game() -> None:
    late = structs.replace(row_with(8), faults=(FaultRow(0, "B", "TLE", as_message("too late")),))
    kinds = kinds_of_faults([(2, "A", [row_with(9, (0, "A"))]), (0, "B", [late, row_with(9, (0, "B"))])], True)
    assert [(kind.verdict, kind.games, kind.of, kind.number) for kind in kinds] == [
        ("RE", 2, 6, "0.9.0"),
        ("TLE", 1, 6, "0.8.0"),
    ]


def test_every_kind_of_trouble_counts_for_every_contestant() -> None:
    none = Counts(searched=9)
    for trouble in ("failures", "illegal", "timeouts", "fallbacks"):
        assert troubles_of({"x": none, "y": structs.replace(none, **{trouble: 2})}) == [f"y: {trouble} 2"]
    assert troubles_of({"x": none, "y": none}) == []


def row_of_scores(index: int, landlord_won: tuple[bool, bool]) -> Row:
    games = (
        GameRow(seating, 0, won, (2, -1, -1) if won else (-2, 1, 1), moves=30)
        for seating, won in zip(("ABB", "BAA"), landlord_won, strict=True)
    )
    return Row(index, tuple(games))


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ([(False, True)] * 10, "Elo below -166"),
        ([(True, False)] * 10, "Elo above 166"),
        ([(True, False), (False, True)], "Elo 0 (-"),
        ([], "Elo unknown"),
    ],
)
def test_a_match_that_is_lost_or_won_whole_has_a_bound(outcomes: list[tuple[bool, bool]], said: str) -> None:
    plan = Match.of("botzone", ("rule", "random"), 10, 1)
    results = results_of(Progress(plan, [[row_of_scores(index, won) for index, won in enumerate(outcomes)]]))
    stream = io.StringIO()
    print_results(results, Console(file=stream, width=200))
    assert said in stream.getvalue()
    json.dumps(as_json(results), allow_nan=False)
