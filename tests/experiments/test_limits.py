"""Experiments that only the limit tells apart: one table, and curves."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.arena.some_files import rows_in
from tools.arena.match import main as match
from tools.arena.stats.row import Row, statistics_of
from tools.lab.experiments.plan import read_plan
from tools.lab.experiments.render import NOT_PLAYED, draw, table
from tools.shared.work.workers import Workers

pytestmark = pytest.mark.whole

THREE = ["rule", "random", "rhcp"]
ENTRY = '[[{}]]\nname = "at-{}"\ncontestants = {}\nrules = "mini"\nsets = 3\nlimit = "{}p"\n'
PLAN = "".join(
    ENTRY.format(kind, limit, players, limit)
    for kind, limit, players in [
        ("tournament", 2000, THREE),
        ("tournament", 100, THREE),
        ("tournament", 500, THREE),
        ("match", 9000, THREE[:2]),
    ]
)


def won(rows: list[Row]) -> str:
    return f"{100 * sum((statistics_of(row) for row in rows[1:]), statistics_of(rows[0])).wp().value:.1f} ("


def test_limits_share_a_table_and_a_picture(tmp_path: Path) -> None:
    path, picture = tmp_path / "plan.toml", tmp_path / "wp.png"
    path.write_text(PLAN)
    experiments = read_plan(path)
    for experiment in experiments:
        if experiment.name in ("at-100", "at-9000"):
            words = experiment.command(tmp_path, Workers(1))[3:]
            done = CliRunner().invoke(match, [*words, "--quiet"])
            assert done.exit_code == 0, done.stderr
    text = table(experiments, tmp_path)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    assert rows[0] == ["playouts", "sets", "A against B", "A against C", "B against C"]
    assert [row[0] for row in rows[2:]] == ["100", "500", "2,000", "9,000"]
    assert [row[1] for row in rows[2:]] == ["3", NOT_PLAYED, NOT_PLAYED, "3"]
    # A file has its pairs in the order of the alphabet: random against rhcp, random against rule, rhcp against rule.
    first, second, third = rows_in(tmp_path / "at-100.json"), rows[2], rows[5]
    assert second[4].startswith(won(first[0]))
    assert third[2].startswith(won(rows_in(tmp_path / "at-9000.json")[0])) and third[3:] == ["", ""]
    against = float(won(first[1]).split()[0]), float(second[2].split()[0])
    assert round(sum(against), 1) == 100
    assert "A is `rule`, B is `random`, C is `rhcp`." in text
    assert draw(experiments, tmp_path, picture) == 4 and picture.read_bytes().startswith(b"\x89PNG")
