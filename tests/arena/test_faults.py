"""A match says at once who failed, why and in which game, and a strict one ends with exit code 1."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support import ROOT
from tools.arena.faults import Reporter, fault_line, troubles_of
from tools.arena.plan import Plan
from tools.arena.results import results_of, summary_of
from tools.arena.results_file import load, read
from tools.arena.sets import SetPlayer
from tools.arena.text import print_results
from tools.match import main as match
from tools.report import main as report
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
"""A bot that raises with some hands; MODULUS 10: in about one game of ten, 1: in every game."""


def crashing(folder: Path, modulus: int) -> str:
    path = folder / f"crash{modulus}.py"
    path.write_text(CRASHES.replace("MODULUS", str(modulus)))
    return f"{sys.executable} {path}"


def play(*arguments: str, sets: int = 10) -> Result:
    return CliRunner().invoke(match, [*arguments, "--sets", str(sets), "--seed", "1", "--jobs", "1", "--quiet"])


def test_a_bot_that_raises_in_one_game_of_ten_is_named_with_the_game(tmp_path: Path) -> None:
    bot, file = crashing(tmp_path, 10), tmp_path / "r.json"
    done = play(bot, "rule", "--json", str(file))
    assert done.exit_code == 0, done.output
    rows = load(file)["pairings"][0]["rows"]
    faults = [(row["set"], fault) for row in rows for fault in row.get("faults", ())]
    assert 1 <= len(faults) <= 5
    index, first = faults[0]
    assert first["by"] == "A" and first["verdict"] == "RE"
    assert first["sentence"].endswith("ended with exit code 1: RuntimeError: no [idea] of this hand (RE)")
    at_once = done.stderr.splitlines()
    assert at_once[0] == f"{bot}, game {index}.{first['game']}: {first['sentence']}"
    said = f"at fault in {len(faults)} of 20 games, first in game {index}.{first['game']}: {first['sentence']}"
    assert said in done.stdout
    # The report says it too, and the game can be played again by that number.
    assert said in CliRunner().invoke(report, [str(file)]).output
    again = play(bot, "rule", "--game", f"{index}.{first['game']}")
    assert "RE by position" in again.output


def test_strict_is_an_exit_code(tmp_path: Path) -> None:
    done = play(crashing(tmp_path, 10), "rule", "--strict")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1].startswith(f"Strict: {crashing(tmp_path, 10)}: failures ")
    assert "both sides" in done.stdout
    assert play("random", "rule", "--rules", "mini", "--strict").exit_code == 0


def test_a_bot_that_raises_in_every_game_is_not_repeated_for_each(tmp_path: Path) -> None:
    done = play(crashing(tmp_path, 1), "rule", sets=5)
    assert done.exit_code == 0
    lines = done.stderr.splitlines()
    assert len([line for line in lines if "no [idea] of this hand" in line]) == 3
    assert lines[3].endswith("from here on its faults are only counted.")
    assert "at fault in 10 of 10 games, first in game 0.0: player 0 (landlord)" in done.stdout
    assert "Elo below -" in done.stdout


def test_a_fallback_is_a_fault_of_a_strict_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    done = play("champion", "random", "--rules", "mini", "--strict", "--stand-ins", sets=1)
    assert done.exit_code == 1
    assert "did not choose" in done.stderr and "champion: no network" in done.stderr
    assert "Strict: champion: fallbacks " in done.stderr


def test_strict_goes_with_a_whole_match() -> None:
    done = play("random", "rule", "--game", "0.0", "--strict")
    assert done.exit_code == 2 and "--strict goes with a whole match" in done.output


def row_with(index: int, *faults: tuple[int, str]) -> dict[str, Any]:
    said = [{"game": game, "by": by, "verdict": "RE", "sentence": f"player 0 {game}"} for game, by in faults]
    return {"set": index, "games": [{"seating": "ABB"}, {"seating": "BAA"}], **({"faults": said} if said else {})}


def test_the_number_of_a_game_names_the_pairing_where_there_are_several() -> None:
    said: list[str] = []
    reporter = Reporter([("one", "two"), ("one", "three")], said.append)
    reporter.look(1, row_with(7, (1, "B")))
    reporter.look(0, row_with(7, (0, "A")))
    assert said == ["three, game 1.7.1: player 0 1", "one, game 0.7.0: player 0 0"]
    assert fault_line([row_with(3), row_with(7, (1, "B"))], "B", 1) == (
        "at fault in 1 of 4 games, first in game 1.7.1: player 0 1"
    )
    assert fault_line([row_with(3)], "A") == ""


def test_every_kind_of_trouble_counts_for_every_contestant() -> None:
    none = {"failures": 0, "illegal": 0, "timeouts": 0, "fallbacks": 0, "searched": 9}
    for trouble in ("failures", "illegal", "timeouts", "fallbacks"):
        counts = {"A": none, "B": {**none, trouble: 2}}
        results = {"pairings": [{"a": "x", "b": "y", "summary": {"counts": counts}}]}
        assert troubles_of(results) == [f"y: {trouble} 2"]
    assert troubles_of({"pairings": [{"a": "x", "b": "y", "summary": {"counts": {"A": none, "B": none}}}]}) == []


@pytest.mark.parametrize(
    "fault",
    [
        {"game": 2, "by": "A", "verdict": "RE", "sentence": ""},
        {"game": 0, "by": "C", "verdict": "RE", "sentence": ""},
        {"game": 0, "by": ["A"], "verdict": "RE", "sentence": ""},
        {"game": 0, "by": "A", "verdict": 1, "sentence": ""},
        {"game": 0, "by": "A", "verdict": "RE"},
        7,
    ],
)
def test_a_fault_of_another_shape_is_refused(fault: Any) -> None:
    from tools.arena.shape import ShapeError, check_row

    plan = Plan("mini", ("random", "rule"), 1, 3)
    player = SetPlayer(plan)
    row = player.row(0, 0)
    good = {"game": 1, "by": "B", "verdict": "RE", "sentence": "why"}
    assert check_row(plan, {**row, "faults": [good]}, "row")["faults"] == [good]
    with pytest.raises(ShapeError, match=r"row\.faults\[1\]"):
        check_row(plan, {**row, "faults": [good, fault]}, "row")


def row_of_scores(index: int, landlord_won: tuple[bool, bool]) -> dict[str, Any]:
    games = [
        {
            "seating": seating,
            "bids": [],
            "landlord": 0,
            "landlord_won": won,
            "scores": [2, -1, -1] if won else [-2, 1, 1],
            "moves": 30,
        }
        for seating, won in zip(("ABB", "BAA"), landlord_won, strict=True)
    ]
    counts = {"searched": 1, "fallbacks": 0, "timeouts": 0, "illegal": 0, "failures": 0}
    return {"set": index, "games": games, "counts": {"A": counts, "B": counts}, "ms": {"A": [], "B": []}}


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
    plan = Plan("botzone", ("rule", "random"), 10, 1)
    results = results_of(plan, [[row_of_scores(index, won) for index, won in enumerate(outcomes)]], False)
    stream = io.StringIO()
    print_results(results, Console(file=stream, width=200))
    assert said in stream.getvalue()
    json.dumps(summary_of(results["pairings"][0]["rows"]), allow_nan=False)


def test_a_file_with_faults_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    play(crashing(tmp_path, 1), "rule", "--json", str(file), sets=1)
    found = read(file)
    assert [fault["game"] for fault in found.rows[0][0]["faults"]] == [0, 1]
    assert found.contradictions(found.results()) == []
