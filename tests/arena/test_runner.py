"""A match that is interrupted, resumed or spread over processes gives the same results file, times apart."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tools.arena.plan import Plan
from tools.arena.results import load, results_of, rows_to_resume, save
from tools.arena.runner import Progress, run
from tools.arena.sets import Row
from tools.match import main as match
from tools.records.files import records_of
from tools.report import main as report

PLAN = Plan("mini", ("random", "rule"), 12, 3)
THREE = Plan("mini", ("random", "rule", "random"), 4, 3)


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in ("ms", "times")}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def played(plan: Plan, jobs: int = 1, rows: list[list[Row]] | None = None, stop_after: int = 10**6) -> Progress:
    progress = Progress(plan, rows or [[] for _ in plan.pairings])
    left = [stop_after]

    def done(pairing: int, row: Row) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        run(progress, jobs, done)
    return progress


def file_of(progress: Progress) -> Any:
    return without_times(results_of(progress.plan, progress.rows, progress.finished))


def test_two_processes_give_the_same_file_as_one() -> None:
    assert file_of(played(PLAN, jobs=2)) == file_of(played(PLAN))


@pytest.mark.parametrize("plan", [PLAN, THREE])
def test_a_match_interrupted_twice_and_resumed_gives_the_same_file(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    for stop_after in (3, 4, 10**6):
        progress = played(plan, rows=rows_to_resume(path, plan), stop_after=stop_after)
        save(path, results_of(plan, progress.rows, progress.finished))
    assert load(path)["finished"]
    assert without_times(load(path)) == file_of(played(plan))


def test_an_interrupted_pool_loses_no_finished_set() -> None:
    progress = played(PLAN, jobs=2, stop_after=5)
    assert 5 <= len(progress.rows[0]) < 12
    assert file_of(played(PLAN, rows=progress.rows)) == file_of(played(PLAN))


def test_a_sequential_test_stops_early_at_the_same_set_for_any_number_of_processes() -> None:
    plan = Plan("mini", ("rule", "random"), 1000, 3, sprt=(0, 20, 0.05, 0.05))
    one, two = played(plan), played(plan, jobs=2)
    assert one.decided
    assert len(one.rows[0]) < 200
    assert file_of(one) == file_of(two)


def test_another_match_in_the_file_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    save(path, results_of(PLAN, played(PLAN).rows, True))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="seed is 3 there and 4 here"):
        rows_to_resume(path, PLAN._replace(seed=4))
    assert path.read_bytes() == before


def test_a_finished_match_can_be_made_longer(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    save(path, results_of(PLAN, played(PLAN).rows, True))
    longer = PLAN._replace(sets=15)
    assert file_of(played(longer, rows=rows_to_resume(path, longer))) == file_of(played(longer))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "ddzbot-match/0"}', "\x00"])
def test_a_file_that_holds_no_results_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"odd\.json"):
        load(path)


def command(file: Path) -> list[str]:
    return [
        "random",
        "rule",
        "--rules",
        "mini",
        "--sets",
        "12",
        "--seed",
        "3",
        "--jobs",
        "1",
        "--quiet",
        "--json",
        str(file),
    ]


def test_the_commands_write_and_read_stable_names(tmp_path: Path) -> None:
    file, plot = tmp_path / "r.json", tmp_path / "r.png"
    assert CliRunner().invoke(match, command(file)).exit_code == 0
    summary = json.loads(file.read_text())["summary"]
    for part in (summary, summary["landlord"], summary["peasants"]):
        assert {"wp", "wp95", "adp", "adp95"} <= {*part}
    done = CliRunner().invoke(report, [str(file), "--plot", str(plot)])
    assert (done.exit_code, plot.read_bytes()[1:4]) == (0, b"PNG")


def test_the_report_finds_a_summary_that_its_rows_do_not_bear_out(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    CliRunner().invoke(match, command(file))
    results = json.loads(file.read_text())
    results["pairings"][0]["summary"]["wp"] += 1
    file.write_text(json.dumps(results))
    assert CliRunner().invoke(report, [str(file)]).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["rule"], "two contestants"), (["rule", "nobody"], "nobody"), (["rule", "random", "--limit", "x"], "limit 'x'")],
)
def test_a_wrong_command_line_is_refused_with_a_sentence(arguments: list[str], named: str) -> None:
    done = CliRunner().invoke(match, arguments)
    assert done.exit_code == 2
    assert named in done.output


def test_any_game_of_a_match_can_be_played_again_by_its_number() -> None:
    arguments = ["random", "rule", "--rules", "mini", "--sets", "12", "--seed", "3", "--game", "7.1"]
    played_again = CliRunner().invoke(match, arguments).output
    (record,) = records_of(played_again, "text")
    row = next(row for row in played(PLAN).rows[0] if row["set"] == 7)
    assert record.result.scores == tuple(row["games"][1]["scores"])
    assert len(record.moves) == row["games"][1]["moves"]
    assert record.names == ("rule", "random", "random")


@pytest.mark.parametrize("number", ["x", "1", "12.0", "0.2", "1.0.0", "-1.0"])
def test_a_game_that_the_match_does_not_have_is_refused(number: str) -> None:
    arguments = ["random", "rule", "--rules", "mini", "--sets", "12", "--game", number]
    done = CliRunner().invoke(match, arguments)
    assert done.exit_code == 2
    assert number in done.output
