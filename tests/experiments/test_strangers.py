"""Gauntlets against bots of other people: one table, a row for each of them, and a picture."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.arena.some_files import rows_in
from tests.support import ROOT, command_line
from tools.arena.match import main as match
from tools.arena.stats.row import statistics_of
from tools.lab.experiments.plan import read_plan
from tools.lab.experiments.render import NOT_PLAYED, draw, table
from tools.shared import foreign_bots
from tools.shared.work.workers import Workers

pytestmark = pytest.mark.whole

RECIPE = 'repository = "a/b"\ncommit = ""\ngame = ""\nlanguage = ""\nlicence = ""\n'
PLAN = """
[[gauntlet]]
name = "rule"
contestants = ["rule", "bot:good", "bot:bad"]
sets = 2

[[gauntlet]]
name = "random"
contestants = ["random", "bot:good", "bot:bad"]
sets = 3
"""


@pytest.fixture(autouse=True)
def two_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(foreign_bots, "_RECIPES", tmp_path)
    for name, file in (("good", "obedient_one_shot"), ("bad", "illegal_move")):
        (tmp_path / f"{name}.toml").write_text(RECIPE)
        program = foreign_bots.recipe(name).top / foreign_bots.PROGRAM
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\nexec {command_line('python3', '-S', ROOT / 'tests' / 'bots' / f'{file}.py')}\n")
        program.chmod(0o755)


def test_each_bot_has_a_row_with_faults_and_is_drawn(tmp_path: Path) -> None:
    path, picture = tmp_path / "plan", tmp_path / "wp.png"
    path.write_text(PLAN)
    experiments = read_plan(path)
    assert draw(experiments, tmp_path, picture) == 0
    done = CliRunner().invoke(match, [*experiments[0].command(tmp_path, Workers(1))[3:], "--quiet", "--sets", "1"])
    assert done.exit_code == 0, done.stderr
    text = table(experiments, tmp_path)
    head, _, good, bad = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[:4]]
    assert head[:4] == ["bot", "sets", "WP of `rule`", "WP of `random`"]
    assert good[:2] == ["`bot:good`", "1 of 2"] and bad[:2] == ["`bot:bad`", "1 of 2"]
    against_good, against_bad = rows_in(tmp_path / "rule.json")
    assert good[2].startswith(f"{100 * statistics_of(against_good[0]).wp().value:.1f} (") and good[3] == NOT_PLAYED
    assert bad[2].startswith("100.0 (")
    assert (good[4], bad[4]) == ("0, 0 of 2", "2, 0 of 2")
    times = sorted(against_bad[0].ms["B"])
    assert times[0] - 1 <= float(bad[5].split(",")[0]) <= times[-1] + 1
    assert draw(experiments, tmp_path, picture) == 2 and picture.read_bytes().startswith(b"\x89PNG")
