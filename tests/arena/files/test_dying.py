"""A match that dies at any of its writes resumes where it was: no set is lost, and none is doubled."""

import time
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.arena.some_files import lineup_of, rows_in, saving_often, timeless
from tests.dying import Dying, DyingError
from tests.support import ROOT, eventually, started
from tools.arena.files.match_files import MatchFiles
from tools.arena.match import main as match
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.game_records import GameStyle
from tools.arena.matches.plan import Gauntlet, Match, Seats
from tools.arena.matches.runner import Progress, run
from tools.arena.matches.sets import PlayedSet
from tools.records.files import read_records

PLANS = {
    "two": Match.of("mini", ("random", "rule"), 4, 3),
    "gauntlet": Gauntlet.of("mini", ("random", "rule", "rhcp"), 2, 3),
    "everybody": Everybody.of("mini", ("random", "rhcp", "rule"), 2, 3),
    "seats": Seats.of("mini", ("random", "rule", "rhcp"), 4, 3),
}
MOST_DEATHS = 100


@cache
def sets_of(kind: str, form: str) -> tuple[tuple[int, PlayedSet], ...]:
    """All sets of a match in the order in which one process plays them."""
    found: list[tuple[int, PlayedSet]] = []
    run(Progress(PLANS[kind]), 1, lambda pairing, one: found.append((pairing, one)), style=GameStyle(form, False))
    return tuple(found)


def play_rest(kind: str, results: Path, games: Path | None, form: str) -> None:
    """What the command does: opens the files, and writes what they lack, a set a block."""
    with closing(MatchFiles(PLANS[kind], results, games)) as files:
        have = {(pairing, row.set) for pairing, rows in enumerate(files.rows) for row in rows}
        lineup = lineup_of(PLANS[kind])
        files.judge(lineup, False, (), print)
        if len(have) < len(sets_of(kind, form)):
            files.begin(lineup, False, print)
        for pairing, one in sets_of(kind, form):
            if (pairing, one.row.set) not in have:
                files.append([(pairing, one)])


def check_whole(kind: str, results: Path, games: Path | None, form: str) -> None:
    want: list[list[Any]] = [[] for _ in PLANS[kind].tables]
    for pairing, one in sets_of(kind, form):
        want[pairing].append(one.row)
    assert timeless(rows_in(results)) == timeless(want)
    if games:
        numbers = Counter(record.tags["Number"] for record in read_records(games))
        assert set(numbers.values()) == {1}
        assert len(numbers) == sum(len(one.games) for _, one in sets_of(kind, form))


FORMS = (
    *(("two", None), ("two", "g.ddzn"), ("two", "g.jsonl.gz")),
    *(("gauntlet", "g.ddzn.gz"), ("everybody", "g.ddzn.gz"), ("seats", "g.jsonl")),
)
SHARES = {"nothing": 0.0, "half": 0.5, "all": 1.0}
"""How much is written of what is written last; for every commit, half, and of a match of two each of them."""


@pytest.mark.parametrize(
    ("kind", "games", "after"),
    [
        pytest.param(*form, share, id=f"{form[0]}-{form[1]}-{name}", marks=[] if often else pytest.mark.whole)
        for form in FORMS
        for name, share in SHARES.items()
        for often in [name == "half" or form == FORMS[1]]
    ],
)
def test_a_match_that_dies_at_any_write_ends_as_one_that_did_not(
    kind: str, games: str | None, after: float, tmp_path: Path
) -> None:
    form = "json" if games and "jsonl" in games else "text"
    deaths = 0
    for at in range(MOST_DEATHS):
        folder = tmp_path / str(at)
        results, file = folder / "r.json", folder / games if games else None
        try:
            with Dying(at, after):
                play_rest(kind, results, file, form)
        except DyingError:
            deaths += 1
        else:
            break
        play_rest(kind, results, file, form)
        check_whole(kind, results, file, form)
    assert 10 < deaths < MOST_DEATHS


@pytest.mark.parametrize("games", [None, "g.ddzn.gz"])
def test_a_match_that_dies_again_and_again_ends_as_one_that_did_not(games: str | None, tmp_path: Path) -> None:
    results, file = tmp_path / "r.json", tmp_path / games if games else None
    for at in (*range(12), *range(12), 40):
        try:
            with Dying(at, 0.5):
                play_rest("two", results, file, "text")
        except DyingError:
            continue
    play_rest("two", results, file, "text")
    check_whole("two", results, file, "text")


@pytest.mark.whole
def test_a_match_that_is_killed_at_a_grid_of_times_ends_as_one_that_was_not(tmp_path: Path) -> None:
    """A real SIGKILL at the first write that can be seen, and so many milliseconds behind it."""
    file, games, whole = tmp_path / "r.json", tmp_path / "g.ddzn.gz", tmp_path / "whole.json"
    words = ["random", "rule", "--rules", "mini", "--seed", "3", "--quiet", "--sets", "40", "--jobs", "1"]
    kept = ["--save-games", str(games), "--results", str(file)]
    for milliseconds in (0, 3, 15, 40):
        before = _size(file)
        with started([*saving_often(seconds=0), *words, *kept], cwd=ROOT) as process:
            assert eventually(lambda: process.poll() is not None or _size(file) > before)  # noqa: B023
            time.sleep(milliseconds / 1000)
            process.kill()
    assert CliRunner().invoke(match, [*words, *kept]).exit_code == 0
    assert CliRunner().invoke(match, [*words, "--results", str(whole)]).exit_code == 0
    assert timeless(rows_in(file)) == timeless(rows_in(whole))
    numbers = Counter(record.tags["Number"] for record in read_records(games))
    assert set(numbers.values()) == {1}
    assert len(numbers) == sum(len(row.games) for rows in rows_in(whole) for row in rows)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
