"""A match that is interrupted, resumed or spread over processes gives the same results file, times apart."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner, Result

from tests.arena.some_files import keep, lines_in, put, saving_often, sets_in
from tests.support import ROOT, started
from tools.arena.plan import Plan
from tools.arena.results import results_of
from tools.arena.results_file import load, read, rows_to_resume
from tools.arena.runner import Progress, run
from tools.arena.sets import Row
from tools.match import main as match
from tools.records.files import records_of
from tools.report import main as report

PLAN = Plan("mini", ("random", "rule"), 12, 3)
THREE = Plan("mini", ("random", "rule", "rhcp"), 4, 3)


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
        keep(path, progress)
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
    keep(path, played(PLAN))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="seed is 3 there and 4 here"):
        rows_to_resume(path, PLAN._replace(seed=4))
    assert path.read_bytes() == before


def ended_with(path: Path, sets: int) -> Result:
    words = ["random", "rule", "--rules", "mini", "--seed", "3", "--jobs", "1", "--quiet"]
    return CliRunner().invoke(match, [*words, "--sets", str(sets), "--json", str(path)])


def test_fewer_sets_than_were_played_are_refused_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    keep(path, played(PLAN, stop_after=7))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="has sets up to the 7th: --sets 5 would throw some away; --sets 7 ends it"):
        rows_to_resume(path, PLAN._replace(sets=5))
    assert ended_with(path, 6).exit_code == 2
    assert path.read_bytes() == before


@pytest.mark.parametrize("said", [True, False])
def test_a_match_that_was_stopped_can_be_ended_with_what_was_played(said: bool, tmp_path: Path) -> None:
    path, whole = tmp_path / "results.json", tmp_path / "whole.json"
    keep(path, played(PLAN, stop_after=7))
    if not said:
        put(path, lines_in(path)[:-1])
    done = ended_with(path, 7)
    assert done.exit_code == 0, done.output
    keep(whole, played(PLAN._replace(sets=7)))
    assert without_times(load(path)) == without_times(load(whole))
    assert load(path)["finished"] and read(path).said is not None
    assert CliRunner().invoke(report, [str(path)]).exit_code == 0
    # Once more changes nothing, and it can be made longer again.
    before = path.read_bytes()
    assert ended_with(path, 7).exit_code == 0 and path.read_bytes() == before
    keep(path, played(PLAN._replace(sets=9), rows=read(path).rows))
    assert [part.sets for part in read(path).parts] == [12, 7, 9]


def test_a_match_that_was_stopped_can_go_on_to_fewer_sets(tmp_path: Path) -> None:
    path, whole = tmp_path / "results.json", tmp_path / "whole.json"
    keep(path, played(PLAN, stop_after=4))
    keep(path, played(PLAN._replace(sets=9), rows=read(path).rows))
    keep(whole, played(PLAN._replace(sets=9)))
    assert without_times(load(path)) == without_times(load(whole))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_wish_to_stop_keeps_every_finished_set(jobs: int) -> None:
    progress = Progress(PLAN, [[]])
    run(progress, jobs, lambda pairing, row: None, lambda: len(progress.rows[0]) >= 3)
    assert 3 <= len(progress.rows[0]) < 12
    assert file_of(played(PLAN, rows=progress.rows)) == file_of(played(PLAN))


def processes_of(marker: str) -> list[psutil.Process]:
    return [one for one in psutil.process_iter(["cmdline"]) if marker in " ".join(one.info["cmdline"] or ())]


def test_no_kept_program_outlives_a_match(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text((ROOT / "tests" / "bots" / "obedient_keep_running.py").read_text())
    progress = Progress(Plan("botzone", ("rule", f"{sys.executable} {bot}"), 2, 1), [[]])
    run(progress, 2, lambda pairing, row: None)
    assert len(progress.rows[0]) == 2
    assert processes_of(str(bot)) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_to_the_whole_group_stop_a_match_and_save_it(number: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "new" / "r.json"
    command = [*saving_often(), "random", "rule", "--rules", "mini", "--sets", "100000"]
    options = ["--jobs", "2", "--quiet", "--json", str(file)]
    with started(
        [*command, *options], cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while not sets_in(file):
            assert process.poll() is None
            time.sleep(0.05)
        for _ in range(3):
            os.killpg(process.pid, number)
            time.sleep(0.05)
        assert process.wait(60) == 130
    assert not load(file)["finished"]


def test_a_finished_match_can_be_made_longer(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    keep(path, played(PLAN))
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
    summary = lines_in(file)[-1]["summary"]
    for part in (summary, summary["landlord"], summary["peasants"]):
        assert {"wp", "wp95", "adp", "adp95"} <= {*part}
    done = CliRunner().invoke(report, [str(file), "--plot", str(plot)])
    assert (done.exit_code, plot.read_bytes()[1:4]) == (0, b"PNG")


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [("summary", "wp", 1.0), ("summary", "wp", "x"), ("times", "A", {}), ("sprt", "verdict", "accepted H1")],
)
def test_the_report_finds_what_the_rows_do_not_bear_out(part: str, name: str, value: Any, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    CliRunner().invoke(match, [*command(file), "--sprt", "0", "3"])
    assert CliRunner().invoke(report, [str(file)]).exit_code == 0
    lines = lines_in(file)
    lines[-1]["pairings"][0][part][name] = value
    put(file, lines)
    assert CliRunner().invoke(report, [str(file)]).exit_code == 1


def test_a_results_file_that_cannot_be_written_is_refused_before_the_match(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(match, command(tmp_path / "file" / "r.json"))
    assert done.exit_code == 2
    assert "cannot be written" in done.output


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


def test_a_results_file_that_is_not_there_is_named_once(tmp_path: Path) -> None:
    done = CliRunner().invoke(report, [str(tmp_path / "none.json")])
    assert done.exit_code == 2
    said = f"Error: results file {tmp_path / 'none.json'}: it cannot be read (No such file or directory)"
    assert done.output.splitlines()[-1] == said
