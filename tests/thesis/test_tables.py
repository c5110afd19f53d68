"""The thesis' tables of three programs beside ours: read from kept results, with who sat where."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tools.experiments.plan import read_plan
from tools.experiments.render import filled
from tools.thesis.tables import PLANS, main

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


def ask(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": "100"})


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("│").split("│")]


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    keep(path, "three", ["rule", "rhcp", "mcm"], "5p", WINNERS)
    return path


def keep(plan: Path, name: str, contestants: list[str], limit: str, winners: list[int]) -> None:
    content = {"rules": "botzone", "contestants": contestants, "seed": 1, "namespace": "report", "limit": limit}
    text = json.dumps({**content, "winners": {str(index): seat for index, seat in enumerate(winners)}})
    plan.with_name(f"{name}.json.gz").write_bytes(gzip.compress(text.encode()))


def test_every_row_says_who_sat_where_and_what_was_published(plan: Path) -> None:
    done = ask(plan)
    assert done.exit_code == 0, done.output
    rows = [cells(line) for line in done.output.splitlines() if line.startswith("│")]
    assert rows[:2] == [
        ["ours", "rule 62.5", "rhcp 25.0", "mcm 12.5", "landlord 62.5 (30.6 to 86.3)"],
        ["published", "CQL 57", "RHCP 10", "MCM 32", ""],
    ]
    assert "8 games on the same deals report/1" in done.output
    assert done.output.count("`rule` sits where the published table has CQL.") == 2
    assert done.output.count("`rule` sits where the published table has RB.") == 1


def test_the_first_games_of_another_table_are_not_played_twice(plan: Path) -> None:
    rows = [cells(line) for line in ask(plan).output.splitlines() if line.startswith("│")]
    # Deals 0 to 3 alone: the landlord won one of four.
    assert rows[2][:4] == ["ours", "rule 25.0", "rhcp 50.0", "mcm 25.0"]
    assert rows[3][:4] == ["published", "CQL 44.4", "RHCP 21.6", "MCM 34.0"]


def test_a_side_that_was_published_alone_is_shown_alone(plan: Path) -> None:
    assert "not played yet" in ask(plan).output
    keep(plan, "one", ["rule", "mctshs:setting=thesis", "rule"], "", WINNERS[:6])
    rows = [cells(line) for line in ask(plan).output.splitlines() if line.startswith("│")]
    ours = next(row for row in rows if "mctshs" in row[2])
    assert ours[4] == "peasants 50.0 (18.8 to 81.2)"
    assert rows[rows.index(ours) + 1][4] == "after 6 games"
    assert rows[-1] == ["published", "RB", "MCTSHS", "RB", "peasants 79.2"]


def test_a_document_says_it_too(plan: Path) -> None:
    block = "<!-- experiments: {} -->\n<!-- end of experiments -->\n"
    ask(plan)
    text = filled(block.format("three three-first"), read_plan(plan), plan.parent)
    assert "| CQL 57 / RHCP 10 / MCM 32 |" in text and "| 62.5 / 25.0 / 12.5 |" in text
    assert "| CQL 44.4 / RHCP 21.6 / MCM 34.0 |" in text and "| 25.0 / 50.0 / 25.0 |" in text
    assert text.count("`rule` sits where the published table has CQL.\n") == 1
    assert "RB / MCTSHS / RB: peasants 79.2 |" in filled(block.format("one"), read_plan(plan), plan.parent)
    assert "sits where" not in filled(block.format("nobody-else"), read_plan(plan), plan.parent)


def test_a_player_of_the_published_name_sits_in_nobodys_place(plan: Path) -> None:
    plan.write_text(PLAN.replace('"rule", "rhcp", "mcm"', '"cql:option=1", "rhcp", "mcm"'))
    assert read_plan(plan)[0].in_place_of == {}
    assert read_plan(plan)[2].in_place_of == {"rule": "RB"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[seats]]\nname='a'\ncontestants=['a', 'b', 'c']\n", "no [[seats]] of it have published figures"),
        ("[[seats]", "it cannot be read"),
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
    done = ask(plan)
    assert done.exit_code == 2 and sentence in " ".join(done.output.split()) and "plan.toml" in done.output


def test_results_of_another_table_are_refused(plan: Path) -> None:
    keep(plan, "three", ["rhcp", "rule", "mcm"], "5p", WINNERS)
    done = ask(plan)
    assert done.exit_code == 2 and "these are results of another table than three" in " ".join(done.output.split())


def test_the_kept_results_of_this_project_fill_every_row_that_was_published(tmp_path: Path) -> None:
    # A copy, since what is kept is unpacked beside its plan.
    plans = [tmp_path / plan.parent.name / plan.name for plan in PLANS]
    for plan, copy in zip(PLANS, plans, strict=True):
        copy.parent.mkdir()
        for file in (plan, *plan.parent.glob("*.json.gz")):
            shutil.copy(file, copy.parent)
    done = ask(*plans)
    assert done.exit_code == 0, done.output
    rows = [cells(line) for line in done.output.splitlines() if line.startswith("│")]
    published = [one for plan in plans for one in read_plan(plan) if one.kind == "seats" and one.published]
    assert sum(row[0] == "published" for row in rows) == len(published) > 12
    assert not {"not played yet", "after"} & {word for row in rows for word in (row[-1], row[-1].split(" ")[0])}
    # As printed: the third row of the slides' table on the same deals.
    assert ["published", "RHCP 57", "CQL 10", "MCM 32"] in [row[:4] for row in rows]
