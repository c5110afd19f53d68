"""What came of a tournament: as numbers, as Markdown and as a picture, all from the sets."""

import csv
import io
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest

from tests.arena.matches.test_everybody import EVERYBODY, SETS, ask
from tools.arena.files.results_file import Found, read
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.plan import Plan
from tools.arena.matches.runner import Progress
from tools.arena.reports.columns import letter_of
from tools.arena.reports.markdown import tables
from tools.arena.reports.picture import draw
from tools.arena.reports.results import results_of
from tools.arena.reports.sheet import write_sheet
from tools.arena.reports.standings import Standings, standings
from tools.arena.reports.text import print_cross, print_ranking, running_line
from tools.arena.stats.ratings import score_of
from tools.arena.stats.row import FaultRow, GameRow, Row, statistics_of
from tools.shared.contestants import Contestant
from tools.shared.message import Message
from tools.shared.terminal import Console


def page(plan: Plan, found: Found) -> str:
    progress = Progress(plan, found.rows_of(plan))
    return "\n\n".join(tables(progress, found, standings(plan, progress.rows)))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    file = tmp_path_factory.mktemp("standings") / "t.json"
    assert ask(file).exit_code == 0
    return read(file)


@pytest.fixture(scope="module")
def made(found: Found) -> Standings:
    return standings(EVERYBODY, found.rows_of(EVERYBODY))


def test_wp_and_adp_of_a_player_are_by_the_first_sets_of_every_pair(found: Found, made: Standings) -> None:
    for one in made.players:
        scores, points, sets = [], [], 0
        for pair, rows in found.rows.items():
            if one.name not in pair:
                continue
            sets += len(rows)
            first = [row for number, row in rows.items() if number < SETS]
            sign = 1 if pair[0] == one.name else -1
            scores += [score_of(row) if sign == 1 else 1 - score_of(row) for row in first]
            points += [sign * statistics_of(row).points.ratio for row in first]
        assert one.wp.value == pytest.approx(fmean(scores)) and one.wp.low < one.wp.value < one.wp.high
        assert one.adp.value == pytest.approx(float(sum(points, Fraction(0)) / len(points)))
        assert (one.sets, one.first) == (sets, len(scores)) and one.first < one.sets
        assert one.milliseconds is not None and one.counts.searched > 0


def test_a_running_line_names_the_players_of_its_shares(found: Found, made: Standings) -> None:
    progress = Progress(EVERYBODY, found.rows_of(EVERYBODY))
    shares = {
        name: fmean(made.meetings[name, other].wp.value for other in EVERYBODY.names if other != name)
        for name in EVERYBODY.names
    }
    assert running_line(progress) == "WP " + ", ".join(f"{name} {100 * shares[name]:.0f}" for name in EVERYBODY.names)


def test_elo_ranks_and_a_pair_is_seen_from_both_sides(made: Standings) -> None:
    elo = [one.elo.value for one in made.players if one.elo]
    assert elo == sorted(elo, reverse=True) and sum(elo) == pytest.approx(0, abs=1e-6)
    assert len(made.meetings) == 6
    for (a, b), meeting in made.meetings.items():
        other = made.meetings[b, a]
        assert meeting.sets == other.sets >= SETS
        assert meeting.wp.value == pytest.approx(1 - other.wp.value)


def test_sets_of_one_deal_against_several_opponents_are_one_sample() -> None:
    plan = replace(EVERYBODY, sets=6, neighbours=0)
    names = ("a", "b", "c")
    plan = replace(plan, contestants=tuple(Contestant(name, None) for name in names))

    def row(number: int) -> Row:
        """The first program wins both, one or no game; how many points that is differs from deal to deal."""
        points = float(number + 1)
        first = GameRow("ABB", 0, number > 1, (2 * points, -points, -points) if number > 1 else (-2.0, 1.0, 1.0))
        return Row(number, (first, GameRow("BAA", 0, number % 2 == 0, (2.0, -1.0, -1.0))))

    rows = [row(number) for number in range(plan.sets)]
    (first,) = (one for one in standings(plan, [rows, rows, []]).players if one.name == "a")
    (alone,) = (one for one in standings(plan, [rows, [], []]).players if one.name == "a")
    # The second opponent met the same cards with the same result: that makes nothing surer.
    assert (first.sets, alone.sets) == (12, 6)
    assert first.wp == pytest.approx(alone.wp) and first.adp == pytest.approx(alone.adp)
    assert alone.adp.low < alone.adp.value < alone.adp.high


def cells(text: str, number: int) -> list[list[str]]:
    """Gets the cells of a table of a page, without its head."""
    found = [block for block in text.split("\n\n") if block.startswith("|")][number]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found.splitlines()[2:]]


def test_the_page_ranks_says_what_it_rests_on_and_shows_every_pair_twice(found: Found, made: Standings) -> None:
    text = page(EVERYBODY, found)
    ranking, wp = (cells(text, number) for number in range(2))
    names = [f"`{one.name}`" for one in made.players]
    assert [row[1] for row in ranking] == [row[1] for row in wp] == names
    first = made.players[0]
    assert first.elo is not None and ranking[0][2].startswith(f"{first.elo.value:.0f} ({first.elo.low:.0f} to ")
    assert ranking[0][3].startswith(f"{100 * first.wp.value:.1f} (")
    last = made.meetings[first.name, made.players[2].name]
    assert wp[0][2] == "-" and wp[0][4] == f"{100 * last.wp.value:.1f}"
    reach = max(abs(end - one.wp.value) for one in made.meetings.values() for end in one.wp[1:])
    assert f"a 95 % interval reaches at most {100 * reach:.1f} to either side:" in text
    # Neighbours have more sets.
    assert wp[0][3].startswith("**") and wp[2][3].startswith("**")
    assert "3 pairs on the same deals, `report/1`: 4 sets each, and 6 for neighbours in Elo (bold)." in text
    assert "still to be" not in text and "1 game at a time" in text and "chose for it" not in text


def test_a_player_that_has_not_played_is_listed_as_such(found: Found) -> None:
    more = replace(Everybody.of("mini", (*EVERYBODY.names, "cql"), SETS, 1), neighbours=6)
    text = page(more, found)
    row = next(row for row in cells(text, 0) if row[1] == "`cql`")
    assert row[2] == "not played yet" and row[6] == "0"
    assert "12 sets are still to be played." in text


@pytest.mark.parametrize("ending", [pytest.param("png", marks=pytest.mark.whole), "svg"])
def test_a_picture_is_small_and_the_same_each_time(made: Standings, ending: str, tmp_path: Path) -> None:
    one, two = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
    assert (draw(made, one), draw(made, two)) == (3, 3)
    assert one.read_bytes() == two.read_bytes() and len(one.read_bytes()) < 120_000
    assert sorted(path.name for path in tmp_path.iterdir()) == [one.name, two.name]


@pytest.mark.whole
def test_the_names_of_players_as_fast_and_as_strong_as_each_other_do_not_hide_each_other(
    made: Standings, tmp_path: Path
) -> None:
    first = made.players[0]
    alike = [one._replace(milliseconds=first.milliseconds, wp=first.wp) for one in made.players]
    picture = tmp_path / "alike.svg"
    draw(made._replace(players=alike), picture)
    found = re.findall(r"<!-- (\S+) -->\s*<g [^>]*translate\(([\d.]+) ([\d.]+)\)", picture.read_text())
    places = {name: (x, y) for name, x, y in found}
    assert len({places[one.name] for one in alike}) == len(alike) == 3


def test_where_nobody_has_played_nothing_is_drawn(tmp_path: Path) -> None:
    nothing = standings(EVERYBODY, [[], [], []])
    assert draw(nothing, tmp_path / "t.png") == 0 and not [*tmp_path.iterdir()]


def test_a_spreadsheet_reads_a_line_a_player_and_no_name_is_a_formula(tmp_path: Path) -> None:
    names = ("=1+1", "<b>x</b>", "\x1b[2Jz")
    plan = replace(EVERYBODY, contestants=tuple(Contestant(name, None) for name in names), sets=1, neighbours=0)
    games = GameRow("ABB", 0, False), GameRow("BAA", 0, True)
    lost = Row(0, games, faults=(FaultRow(1, "A", "RE", Message("-it \x1b died")),))
    write_sheet(tmp_path / "t.csv", results_of(Progress(plan, [[lost], [lost], [lost]])))
    head, *lines = csv.reader((tmp_path / "t.csv").read_text("utf-8").splitlines())
    assert head[:2] == ["rank", "name"] and [name[11:] for name in head[-3:]] == ["=1+1", "<b>x</b>", "\\x1b[2Jz"]
    assert [line[1] for line in lines] == ["'=1+1", "<b>x</b>", "\\x1b[2Jz"]
    assert lines[2][head.index("faults")] == "at fault in 2 of 4 games, first in game 0.0.1: -it \\x1b died"
    assert lines[0][-3:] == ["", "100.0", "100.0"] and float(lines[2][head.index("elo")]) < 0


def test_a_cross_table_of_a_class_keeps_each_player_on_a_line_of_80_columns() -> None:
    names = [f"{'x' * 22}{number}" for number in range(20)]
    pairs = [(row, column) for row in names for column in names if row != column]
    meetings = {pair: SimpleNamespace(wp=SimpleNamespace(value=1.0), sets=1) for pair in pairs}
    found: Any = SimpleNamespace(players=[SimpleNamespace(name=name) for name in names], meetings=meetings)
    printed = io.StringIO()
    print_cross(found, {name: name for name in names}, Console(width=80, file=printed))
    lines = [line for line in printed.getvalue().splitlines() if line.startswith("│")]
    assert len(lines) == 3 * len(names)
    assert sum(line.count("100") for line in lines) == len(pairs)
    assert [line.split()[1:3] for line in lines] == 3 * [[letter_of(place), name] for place, name in enumerate(names)]


def test_the_columns_of_a_cross_table_have_letters_for_any_number_of_players() -> None:
    assert [letter_of(place) for place in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


@pytest.mark.parametrize(("width", "tables"), [(80, 2), (140, 1)])
def test_a_ranking_keeps_each_player_on_a_line_of_every_table(made: Standings, width: int, tables: int) -> None:
    printed = io.StringIO()
    names = {one.name: one.name for one in made.players}
    print_ranking(made.players, names, Console(width=width, file=printed), ["broken"])
    lines = [line.split("│")[1:-1] for line in printed.getvalue().splitlines() if line.startswith("│")]
    assert [line[1].strip() for line in lines] == tables * [*names, "broken"]
    assert all(
        cell.strip() for line in lines if line[1].strip() not in (made.players[-1].name, "broken") for cell in line
    )
    assert [cell.strip() for cell in lines[len(names)][:5]] == ["-", "broken", "does not play", "", ""]


def test_what_counts_all_sets_does_not_stand_among_what_counts_the_first_ones(made: Standings) -> None:
    printed = io.StringIO()
    print_ranking(made.players, {one.name: one.name for one in made.players}, Console(width=80, file=printed))
    heads = [[cell.strip() for cell in line.split("┃")] for line in re.findall("┃(.*)┃", printed.getvalue())]
    assert heads[0] == ["", "player", "Elo", "LOS", "sets", "ms median, 95 %"]
    assert heads[1] == ["", "player", "WP %", "ADP", "first sets"]
    assert "Elo by all sets (mean 0), LOS over the next" in printed.getvalue()
    assert "WP and ADP by the first sets of every pair" in printed.getvalue()
