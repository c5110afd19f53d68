"""A match that is interrupted, resumed or spread over processes gives the same results file, times apart."""

import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner, Result

from tests.arena.some_files import keep, results_in, rows_in, timeless
from tests.support import ROOT, command_line
from tools.arena.files.match_files import check_same
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.matches.plan import Match, Plan
from tools.arena.matches.runner import Progress, run
from tools.arena.matches.sets import PlayedSet
from tools.arena.report import main as report
from tools.arena.reports.results import results_of
from tools.arena.stats.row import Row

PLAN = Match.of("mini", ("random", "rule"), 12, 3)


def played(plan: Plan, jobs: int = 1, rows: list[list[Row]] | None = None, stop_after: int = 10**6) -> Progress:
    progress = Progress(plan, rows)
    left = [stop_after]

    def done(pairing: int, one: PlayedSet) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        run(progress, jobs, done)
    return progress


def file_of(progress: Progress) -> Any:
    return timeless(results_of(progress).rows)


def kept_in(path: Path) -> Any:
    return timeless(rows_in(path))


@pytest.mark.whole
def test_an_interrupted_pool_loses_no_finished_set() -> None:
    progress = played(PLAN, jobs=2, stop_after=5)
    assert 5 <= len(progress.rows[0]) < 12
    assert file_of(played(PLAN, rows=progress.rows)) == file_of(played(PLAN))


@pytest.mark.whole
def test_a_sequential_test_stops_early_at_the_same_set_for_any_number_of_processes() -> None:
    plan = replace(Match.of("mini", ("rule", "random"), 1000, 3), sprt=(0, 20, 0.05, 0.05))
    one, two = played(plan), played(plan, jobs=2)
    assert one.decided
    assert len(one.rows[0]) < 200
    assert file_of(one) == file_of(two)


def ended_with(path: Path, sets: int) -> Result:
    words = f"random rule --rules mini --seed 3 --jobs 1 --quiet --sets {sets} --results".split()
    return CliRunner().invoke(match, [*words, str(path)])


def test_fewer_sets_than_were_played_are_refused_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    keep(path, played(PLAN, stop_after=7))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="has sets up to the 7th: --sets 5 would throw some away; --sets 7 ends it"):
        check_same(read(path), replace(PLAN, sets=5), path)
    assert ended_with(path, 6).exit_code == 2
    assert path.read_bytes() == before


def test_a_match_that_was_stopped_can_be_ended_with_what_was_played(tmp_path: Path) -> None:
    path, whole = tmp_path / "results.json", tmp_path / "whole.json"
    keep(path, played(PLAN, stop_after=7))
    done = ended_with(path, 7)
    assert done.exit_code == 0, done.output
    keep(whole, played(replace(PLAN, sets=7)))
    assert kept_in(path) == kept_in(whole) and results_in(path).finished
    assert CliRunner().invoke(report, [str(path)]).exit_code == 0
    # Once more changes nothing, and it can be made longer again.
    before = path.read_bytes()
    assert ended_with(path, 7).exit_code == 0 and path.read_bytes() == before
    keep(path, played(replace(PLAN, sets=9), rows=rows_in(path)))
    assert [part.sets for part in read(path).parts] == [12, 7, 9]


@pytest.mark.whole
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_wish_to_stop_keeps_every_finished_set(jobs: int) -> None:
    progress = Progress(PLAN)
    run(progress, jobs, lambda pairing, row: None, lambda: len(progress.rows[0]) >= 3)
    assert 3 <= len(progress.rows[0]) < 12
    assert file_of(played(PLAN, rows=progress.rows)) == file_of(played(PLAN))


def processes_of(marker: str) -> list[psutil.Process]:
    return [one for one in psutil.process_iter(["cmdline"]) if marker in " ".join(one.info["cmdline"] or ())]


@pytest.mark.whole
def test_no_kept_program_outlives_a_match(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text((ROOT / "tests" / "bots" / "obedient_keep_running.py").read_text())
    progress = Progress(Match.of("botzone", ("rule", command_line(sys.executable, bot)), 2, 1))
    run(progress, 2, lambda pairing, row: None)
    assert len(progress.rows[0]) == 2
    assert processes_of(str(bot)) == []
