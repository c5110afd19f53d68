"""Matches of all against all: interrupted, resumed, and with players that come later or have changed."""

import importlib
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from tests.arena.some_files import in_this_process, lines_in, put
from tools.arena import playing
from tools.arena.files.identity import moves_of
from tools.arena.files.results_file import Found, read
from tools.arena.match import main
from tools.arena.matches import on_cluster
from tools.arena.matches.cost import Cost, cost_of, seconds_played
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.in_subprocess import run_in_subprocess
from tools.arena.matches.plan import Plan
from tools.arena.matches.runner import Progress, run
from tools.arena.stats.ratings import ratings, score_of
from tools.arena.stats.row import Row
from tools.shared.contestants import Contestant, parse_contestant
from tools.shared.interrupts import INTERRUPTED

THREE = ("random", "rule", "rhcp")
SETS, MORE = 4, 6
EVERYBODY = replace(Everybody.of("mini", THREE, SETS, 1), neighbours=MORE)
MINE = "from ddzbot.players.rhcp import RhcpPlayer\n\n\nclass Mine(RhcpPlayer):\n    pass\n"


def ask(file: Path, *players: str, more: tuple[str, ...] = ()) -> Result:
    options = ["--rules", "mini", "--sets", f"{SETS}-{MORE}", "--jobs", "1", "--quiet"]
    words = [*(players or THREE), *options, "--results", str(file), *more]
    with in_this_process():
        return CliRunner().invoke(main, words, env={"COLUMNS": "150"})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tournament") / "whole.json"
    assert ask(file).exit_code == 0
    return file


@pytest.fixture
def file(whole: Path, tmp_path: Path) -> Path:
    """A copy of a tournament that was played to the end."""
    path = tmp_path / "t.json"
    path.write_bytes(whole.read_bytes())
    return path


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Writes the module of a player ``mine_here:Mine``."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(text: str) -> None:
        (tmp_path / "mine_here.py").write_text(text)
        # Python takes a compiled module of the same second and size for this one's.
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
        sys.modules.pop("mine_here", None)
        importlib.invalidate_caches()

    return write


def played(found: Found) -> dict[tuple[str, ...], list[int]]:
    return {pair: sorted(rows) for pair, rows in found.rows.items()}


def ranked(found: Found) -> list[str]:
    """The players by the first sets of every pair."""
    scores = [{row.set: score_of(row) for row in rows if row.set < SETS} for rows in found.rows_of(EVERYBODY)]
    return [EVERYBODY.names[one.contestant] for one in ratings(3, EVERYBODY.tables, scores)]


def without_times(found: Found) -> dict[Any, Row]:
    rows = found.rows.items()
    return {(pair, number): structs.replace(row, ms={}) for pair, of_pair in rows for number, row in of_pair.items()}


def test_every_pair_has_its_sets_and_neighbours_have_more_on_the_same_deals(whole: Path) -> None:
    found = read(whole)
    first, second, third = ranked(found)
    close = {tuple(sorted(pair)) for pair in ((first, second), (second, third))}
    assert played(found) == {
        pair: [*range(MORE if pair in close else SETS)]
        for pair in (("random", "rhcp"), ("random", "rule"), ("rhcp", "rule"))
    }
    assert Progress(EVERYBODY, found.rows_of(EVERYBODY)).finished


def test_the_ranking_is_printed_with_elo_time_and_the_cost_before(tmp_path: Path) -> None:
    done = ask(tmp_path / "t.json")
    said = " ".join(done.stderr.split())
    assert "3 pairs x 4 sets, then 2 pairs of neighbours x 2 more; left are 16 sets of 2 games." in said
    assert "core-minutes" in done.stderr
    rows = [line.split("│") for line in done.stdout.splitlines() if line.startswith("│")]
    assert sorted(row[2].strip() for row in rows[:3]) == ["random", "rhcp", "rule"]
    assert [row[5].strip() for row in rows[:3]] == ["10", "12", "10"]
    assert [row[1].strip().split()[0] for row in rows[3:]] == ["a", "b", "c"]


def test_a_finished_tournament_is_left_alone(file: Path) -> None:
    before = file.read_bytes()
    done = ask(file)
    assert done.exit_code == 0 and "Elo by all sets" in done.stdout and "core-minutes" not in done.stderr
    assert file.read_bytes() == before


@pytest.mark.whole
def test_the_times_of_a_player_that_has_played_are_taken_from_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[list[str]] = []

    def not_measured(plan: Plan, players: list[Contestant]) -> dict[str, float]:
        measured.append([one.spec for one in players])
        return dict.fromkeys(measured[-1], 1.0)

    monkeypatch.setattr(playing, "seconds_of", not_measured)
    for players in (THREE, (*THREE, "cql")):
        done = ask(file, *players, more=("--sets", "5"))
        assert done.exit_code == 0 and "left are " in done.stderr
    assert measured == [["cql"]]


def test_a_player_takes_half_of_the_time_of_a_set_against_itself() -> None:
    rows: list[list[Row]] = [[] for _ in EVERYBODY.pairs]
    rows[EVERYBODY.pairs.index(("random", "rule"))] = [
        Row(0, (), ms={"A": (100.0, 200.0), "B": (1000.0,)}),
        Row(1, (), ms={"A": (), "B": (2000.0,)}),
    ]
    assert seconds_played(EVERYBODY, rows) == pytest.approx({"random": 0.3, "rule": 3.0})


@pytest.mark.parametrize(("sets", "allowed"), [(2, True), (1, False)])
def test_a_tournament_that_was_stopped_can_be_ended_with_fewer_sets(
    sets: int, allowed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.json"
    with monkeypatch.context() as stopping:
        stopping_after(6, stopping)
        assert ask(path).exit_code == INTERRUPTED
    before = path.read_bytes()
    done = ask(path, more=("--sets", str(sets)))
    assert done.exit_code == (0 if allowed else 2)
    assert ("Elo by all sets" in done.stdout) == allowed
    assert path.read_bytes().startswith(before)
    assert [part.sets for part in read(path).parts] == ([SETS, sets] if allowed else [SETS])


def stopping_after(sets: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the next call be stopped after so many sets."""
    left = [sets]

    def stopping(stage: Any, jobs: int, done: Any, stopped: Any, style: Any) -> None:
        def counted(pairing: int, one: Any) -> None:
            left[0] -= 1
            done(pairing, one)

        run(stage, jobs, counted, lambda: stopped() or left[0] <= 0)

    monkeypatch.setattr(on_cluster, "run", stopping)


@pytest.mark.parametrize("sets", [5, 12])
def test_interrupted_in_the_first_stage_or_behind_it_comes_to_the_same(
    whole: Path, sets: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "t.json"
    stopping_after(sets, monkeypatch)
    stopped = ask(file)
    assert stopped.exit_code == INTERRUPTED and "run the same command again" in stopped.stderr
    assert len(without_times(read(file))) == sets
    monkeypatch.undo()
    assert ask(file).exit_code == 0
    found = read(file)
    assert without_times(found) == without_times(read(whole))
    assert len(found.parts) == 2


def test_a_file_with_the_ranking_of_an_older_release_is_read(whole: Path, tmp_path: Path) -> None:
    ranking = {"line": "ranking", "players": ["random", "rhcp", "rule"], "sets": SETS}
    put(tmp_path / "t.json", [*lines_in(whole), ranking])
    assert without_times(read(tmp_path / "t.json")) == without_times(read(whole))


def test_sets_of_the_second_stage_do_not_rank(whole: Path) -> None:
    rows = read(whole).rows_of(EVERYBODY)
    turned = [[row if row.set < SETS else turned_round(row) for row in of_pair] for of_pair in rows]
    assert turned != rows
    assert Progress(EVERYBODY, turned).finished


def turned_round(row: Row) -> Row:
    games = (structs.replace(game, landlord_won=not game.landlord_won) for game in row.games)
    return structs.replace(row, games=tuple(games))


def test_an_added_player_plays_its_own_pairs_alone(file: Path, mine: Callable[[str], None]) -> None:
    mine(MINE)
    before = without_times(read(file))
    done = ask(file, "mine_here:Mine", *THREE)
    assert done.exit_code == 0, done.output
    found = read(file)
    after = without_times(found)
    assert all(after[one] == row for one, row in before.items())
    assert all("mine_here:Mine" in pair or number >= SETS for pair, number in after.keys() - before.keys())
    assert found.sets_of("mine_here:Mine") >= 3 * SETS


@pytest.mark.whole
def test_a_player_that_has_changed_plays_again_and_that_is_said(file: Path, mine: Callable[[str], None]) -> None:
    mine(MINE)
    assert ask(file, *THREE, "mine_here:Mine").exit_code == 0
    first = read(file)
    mine(MINE.replace("rhcp import RhcpPlayer", "rule import RulePlayer").replace("RhcpPlayer", "RulePlayer"))
    content = file.read_bytes()
    accepted = ask(file, *THREE, "mine_here:Mine", more=("--mix",))
    assert accepted.exit_code == 0 and file.read_bytes() == content
    done = ask(file, *THREE, "mine_here:Mine")
    said = " ".join(done.stderr.split())
    assert f"its {first.sets_of('mine_here:Mine')} sets are dropped and played again." in said
    assert "mine_here:Mine: mine_here was " in said
    found = read(file)
    others = {one: row for one, row in without_times(first).items() if "mine_here:Mine" not in one[0]}
    assert all(without_times(found)[one] == row for one, row in others.items())
    assert len(found.rows["mine_here:Mine", "rhcp"]) >= SETS
    # As rule it ties every set against rule.
    assert all(
        row.games[0].landlord_won == row.games[1].landlord_won for row in found.rows["mine_here:Mine", "rule"].values()
    )


def test_a_user_may_let_a_player_play_again(file: Path) -> None:
    before = read(file)
    done = ask(file, more=("--replay-pairs", "rhcp"))
    assert f"rhcp: it shall play again; its {before.sets_of('rhcp')} sets are dropped" in done.stderr
    found = read(file)
    assert without_times(found) == without_times(before)
    assert [line["player"] for line in lines_in(file) if line.get("line") == "dropped"] == ["rhcp"]
    assert found.played[-1] == before.sets_of("rhcp")


def test_a_player_that_moves_otherwise_each_time_is_not_known_by_its_moves(mine: Callable[[str], None]) -> None:
    mine(
        "import itertools\n\nfrom ddzbot.players.random_player import RandomPlayer\n\nCOUNT = itertools.count()\n\n\n"
        "class Mine(RandomPlayer):\n    def choose(self, view, limit):\n        self.seed = next(COUNT)\n"
        "        return super().choose(view, limit)\n"
    )
    assert moves_of("mini", parse_contestant("mine_here:Mine")) == ""


def test_what_another_process_raises_is_raised_here() -> None:
    assert run_in_subprocess(max, 3, 5) == 5
    with pytest.raises(ValueError, match="invalid literal"):
        run_in_subprocess(int, "x")


@pytest.mark.whole
def test_a_player_that_fails_is_named_with_its_fallback(tmp_path: Path, mine: Callable[[str], None]) -> None:
    mine(MINE + "\n    def choose(self, view, limit):\n        raise ValueError('no idea')\n")
    done = ask(tmp_path / "t.json", *THREE, "mine_here:Mine", more=("--limit", "5p", "--allow-fallback"))
    assert "mine_here:Mine, game " in done.stderr and "no idea" in done.stderr
    assert "`mine_here:Mine`, of " in done.stdout and "`mctshs` chose for it " in done.stdout


def test_the_cost_is_that_of_both_players_halves() -> None:
    seconds = {"random": 1.0, "rhcp": 2.0, "rule": 4.0}
    once = Progress(replace(EVERYBODY, neighbours=0))
    assert cost_of(once, seconds) == Cost(12, 4 * (1.5 + 2.5 + 3.0))
    assert cost_of(Progress(EVERYBODY), seconds) == Cost(16, 4 * 7.0 + 4 * 7.0 / 3)
