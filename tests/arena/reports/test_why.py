"""``report --why``: lost games of each contestant are reviewed, and what its mistakes cost is added up."""

import dataclasses
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from ddzbot.search.limit import Limit
from tests.view.pages import data_in
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.report import main as report
from tools.arena.reports.why import BY_NETWORK, BY_SEARCH, FEWEST, games_of, lost_by, most_of_each, sample
from tools.arena.stats.row import FaultRow, GameRow
from tools.records.files import records_in, write_records
from tools.shared.message import Message

SETS = "6"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with an auction, whose games were kept."""
    folder = tmp_path_factory.mktemp("why")
    words = ["random", "rule", "--rules", "botzone2", "--sets", SETS, "--jobs", "1", "--quiet"]
    file = folder / "r.json"
    done = CliRunner().invoke(match, [*words, "--results", str(file), "--save-games", str(folder / "g.ddzn.gz")])
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "Why each lost: " in said and f"report {file} --why" in said
    return file


def why(*words: object) -> Result:
    return CliRunner().invoke(report, [*map(str, words), "--why"])


def test_ten_lines_say_why_each_lost(results: Path) -> None:
    done = why(results)
    assert done.exit_code == 0, done.output
    _, random, rule = done.stdout.split("\nWhy ")
    assert random.startswith("random lost: ") and rule.startswith("rule lost: ")
    for said in (random, rule):
        lines = said.splitlines()
        assert len([one for one in lines if one]) <= 10
        assert "by the network alone" in lines[0]
    assert "\nby role: landlord" in random and "\nby part of the game: auction " in random
    _, _, _, costliest, *_, advice, command = filter(None, random.splitlines())
    told = json.loads(CliRunner().invoke(report, [str(results), "--why", "--json"]).stdout)["why"]["random"]
    assert ("Too few games to be sure: " in advice) == (told["close"] is not None)
    assert advice.startswith("Work at this first: ") and re.search(r"(analyse|review) .* --number \d+", command)
    place = costliest.partition(" points ")[2].split()[0]
    assert command.endswith(f"# {place}"), "it shows a mistake of the kind that the advice names"


def test_the_shares_add_up_and_the_games_are_those_of_the_file(results: Path) -> None:
    done = why(results, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)["why"]
    assert told.keys() == {"random", "rule"}
    plan = read(results).plan
    for name, one in told.items():
        lost = lost_by(plan, read(results).rows_of(plan), name)
        kept = games_of(results.with_name("g.ddzn.gz"), plan, lost)
        assert (one["lost"], one["reviewed"]) == (len(lost), len(kept)) and one["reviewed"] > 0
        by_number = {game.number: game.record for game in kept.values()}
        for shares in (one["by_role"], one["by_phase"], one["by_kind"]):
            assert sum(share["points"] for share in shares) == pytest.approx(one["points"], abs=1e-3)
            assert sum(share["percent"] for share in shares) == pytest.approx(100 if shares else 0, abs=0.1)
            for worst in (worst for share in shares for worst in share["worst"]):
                record = by_number[worst["game"]]
                place = worst["ply"] if worst["phase"] == "auction" else record.position_of(worst["ply"] % 3)
                assert record.names[place] == worst["name"] == name
    assert told["random"]["points"] > 0


def test_a_search_reviews_fewer_games(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.arena.reports.why.BY_SEARCH", 4)
    monkeypatch.setattr("tools.arena.reports.why.FEWEST", 1)
    done = why(results, "--limit", "20p", "--json")
    assert done.exit_code == 0, done.output
    assert [one["reviewed"] for one in json.loads(done.stdout)["why"].values()] == [2, 1]


def test_the_page_has_it_and_its_games(results: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    games_file = results.with_name("g.ddzn.gz")
    done = CliRunner().invoke(report, [str(results), "--page", str(page), "--games-file", str(games_file)])
    assert done.exit_code == 0, done.output
    assert "Why" not in done.stdout
    data = data_in(page)
    kept, games = [*records_in(games_file)], {game["number"]: game for game in data["games"]}
    players = {one["name"]: one["why"] for one in data["match"]["players"]}
    assert players["random"]["points"] > 0 and data["match"]["judge"] is None
    for told in players.values():
        for shares in told["shares"].values():
            assert sum(one["points"] for one in shares) == pytest.approx(told["points"], abs=0.1)
            for number, ply, cost in (mistake for one in shares for mistake in one["worst"]):
                shown = games[number]
                assert shown["tags"]["Number"] == kept[number - 1].tags["Number"] and cost >= 0
                marked = [shown["moves"][ply - 1].get("review")] if ply else shown["bidReviews"]
                assert any(one and one["mark"] for one in marked)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["match"], "no games were kept with"),
        (["match", "gone"], "the games g.ddzn.gz of r.json are not beside it: name them with --games-file"),
        (["seats"], "--why: it is of pairs"),
    ],
)
def test_what_has_no_answer_is_one_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.arena.seats import main as seats

    monkeypatch.chdir(tmp_path)
    players = ["random"] * 3 if words[0] == "seats" else ["random", "rule"]
    played = [*players, "--rules", "mini", "--sets", "1", "--quiet", "--results", "r.json"]
    kept = ["--save-games", "g.ddzn.gz"] if "gone" in words else []
    done = CliRunner().invoke(seats if words[0] == "seats" else match, [*played, *kept])
    assert done.exit_code == 0, done.output
    Path("g.ddzn.gz").unlink(missing_ok=True)
    refused = why("r.json")
    assert refused.exit_code == 2 and said in " ".join(refused.stderr.split()), refused.output


def test_a_sample_is_taken_evenly() -> None:
    places = [(0, index, 0) for index in range(1000)]
    few = sample(places, BY_SEARCH)
    assert len(few) == len({*few}) == BY_SEARCH and few == sorted(few)
    assert few[0] == (0, 0, 0) and max(after[1] - one[1] for one, after in pairwise(few)) == 13
    assert sample(places[:7], BY_NETWORK) == places[:7] and sample([], BY_SEARCH) == []


def test_all_contestants_share_the_games_that_are_reviewed() -> None:
    search = Limit(playouts=1000)
    assert (most_of_each(2, None), most_of_each(2, search)) == (400, 40)
    assert (most_of_each(20, None), most_of_each(20, search)) == (40, FEWEST)
    for contestants in range(2, 100):
        most = most_of_each(contestants, None)
        assert most >= FEWEST and (most == FEWEST or contestants * most <= BY_NETWORK)


def test_of_a_game_that_was_played_again_the_last_counts(results: Path, tmp_path: Path) -> None:
    plan = read(results).plan
    records = [*records_in(results.with_name("g.ddzn.gz"))]
    lost = lost_by(plan, read(results).rows_of(plan), "random")
    once = games_of(results.with_name("g.ddzn.gz"), plan, lost)
    place, first = min(once.items(), key=lambda one: one[1].number)
    again = dataclasses.replace(first.record, tags={**first.record.tags, "Event": "again"})
    write_records(tmp_path / "g.ddzn", [*records, again])
    twice = games_of(tmp_path / "g.ddzn", plan, lost)
    assert twice.keys() == once.keys() and twice[place].number == len(records) + 1
    assert twice[place].record.tags["Event"] == "again" != first.record.tags.get("Event")


def test_a_game_with_a_fault_is_not_lost_by_play(results: Path) -> None:
    plan = read(results).plan
    rows = [[*played] for played in read(results).rows_of(plan)]
    (pairing, index, number), *others = lost_by(plan, rows, "random")
    at = next(at for at, row in enumerate(rows[pairing]) if row.set == index)
    for letter in plan.letters:
        fault = FaultRow(number, letter, "RE", Message("it ended"))
        rows[pairing][at] = replace(rows[pairing][at], faults=(fault,))
        assert lost_by(plan, rows, "random") == others


def test_a_lost_game_is_one_that_all_seats_of_a_contestant_lost() -> None:
    from tools.arena.reports.why import _lost

    assert _lost(GameRow("ABB", 0, False), "A") and not _lost(GameRow("ABB", 0, False), "B")
    assert not _lost(GameRow("AAB", 0, False), "A") and not _lost(GameRow("AAB", 0, True), "A")
