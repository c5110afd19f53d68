"""Tables of three beside published ones: the seats, and how often each player went out first."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.arena.some_files import keep_table
from tools.lab.experiments.__main__ import main
from tools.lab.experiments.plan import PlanError, read_plan
from tools.lab.experiments.render import NOT_PLAYED

pytestmark = pytest.mark.whole

PLAN = """
[[seats]]
name = "three"
contestants = ["rule", "rhcp", "mcm"]
games = 8
limit = "5p"
seated = ["CQL", "RHCP", "MCM"]
published = "57 / 10 / 32"

[[seats]]
name = "three-first"
first_of = "three"
contestants = ["rule", "rhcp", "mcm"]
games = 4
limit = "5p"
seated = ["CQL", "RHCP", "MCM"]
published = "44.4 / 21.6 / 34.0"

[[seats]]
name = "one"
contestants = ["rule", "mctshs:setting=thesis", "rule"]
games = 8
seated = ["RB", "MCTSHS", "RB"]
published = "peasants 79.2"

[[seats]]
name = "nobody-else"
contestants = ["rule", "rule", "rule"]
games = 8
"""
WINNERS = [0, 1, 1, 2, 0, 0, 0, 0]


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    keep(path, "three", ["rule", "rhcp", "mcm"], "5p", WINNERS)
    return path


def keep(plan: Path, name: str, contestants: list[str], limit: str, winners: list[int]) -> None:
    file = plan.with_name(f"{name}.json")
    keep_table(file, contestants, limit, winners)
    plan.with_name(f"{name}.json.gz").write_bytes(gzip.compress(file.read_bytes()))
    file.unlink()


def table_of(plan: Path, names: str) -> str:
    """Fills a block of a document with experiments of *plan*."""
    document = plan.with_name("page.md")
    document.write_text(f"<!-- experiments: {names} -->\n<!-- end of experiments -->\n")
    done = CliRunner().invoke(main, [str(plan), "--no-play", "--doc", str(document)])
    assert done.exit_code == 0, done.output
    return document.read_text()


def test_every_row_has_the_seats_and_the_published_result(plan: Path) -> None:
    text = table_of(plan, "three three-first")
    assert "| `rule` / `rhcp` / `mcm` | 5p | 8 | 62.5 / 25.0 / 12.5 | 62.5 (30.6 to 86.3) |" in text
    assert "| CQL 57 / RHCP 10 / MCM 32 |" in text
    # Deals 0 to 3 alone: the first games of another table are not played twice.
    assert "| 5p | 4 | 25.0 / 50.0 / 25.0 |" in text and "| CQL 44.4 / RHCP 21.6 / MCM 34.0 |" in text
    assert text.count("`rule` sits where the published table has CQL. Deals: `report/1`.\n") == 1
    assert "sits where" not in table_of(plan, "nobody-else")


def test_a_side_that_was_published_alone_is_shown_beside_both(plan: Path) -> None:
    assert NOT_PLAYED in table_of(plan, "one")
    keep(plan, "one", ["rule", "mctshs:setting=thesis", "rule"], "", WINNERS[:6])
    text = table_of(plan, "one")
    assert "| 6 | 50.0 / 33.3 / 16.7 | 50.0 (18.8 to 81.2) | 50.0 (18.8 to 81.2) |" in text
    assert "| RB / MCTSHS / RB: peasants 79.2 |" in text
    assert text.count("`rule` sits where the published table has RB.") == 1


def test_a_player_of_the_published_name_needs_no_note(plan: Path) -> None:
    plan.write_text(PLAN.replace('"rule", "rhcp", "mcm"', '"cql:option=1", "rhcp", "mcm"'))
    assert read_plan(plan)[0].in_place_of == {}
    assert read_plan(plan)[2].in_place_of == {"rule": "RB"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            PLAN.replace('first_of = "three"', 'first_of = "four"'),
            "first games of four, which is not a table of its own",
        ),
        (PLAN.replace('limit = "5p"', 'limit = "6p"', 1), "first games of three, which plays something else"),
        (PLAN.replace('seated = ["CQL", "RHCP", "MCM"]', 'seated = ["CQL"]'), "seated ['CQL'] must be 3 texts"),
        (PLAN.replace("[[seats]]", "[[match]]", 1), "[[match]] 1: 'games' is unknown"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused_with_one_sentence(plan: Path, text: str, sentence: str) -> None:
    plan.write_text(text)
    with pytest.raises(PlanError) as caught:
        read_plan(plan)
    assert sentence in str(caught.value) and "plan.toml" in str(caught.value)
