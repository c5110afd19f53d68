"""python -m tools games: the list, every filter, pages, selections, and games played again."""

import gzip
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddzbot.rules import BOMB, ROCKET
from ddzbot.search.limit import Limit
from tests.arena.matches.test_faults import crashing
from tests.records.some_records import EXAMPLE
from tests.records.test_bounds import MOST_MEMORY_MIB, peak_of
from tests.support import ROOT, command_line
from tools.arena.games.__main__ import MOST_REPLAYED, main
from tools.arena.games.again import play_again
from tools.arena.games.facts import GameFacts, Letters
from tools.arena.games.filters import Span, parse_span
from tools.arena.match import main as match
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.game_records import GameStyle
from tools.arena.matches.plan import Match, Plan
from tools.arena.matches.sets import SetPlayer
from tools.records.files import read_records, records_of, write_records
from tools.records.record import GameRecord
from tools.records.sources import SourceGame
from tools.records.text_reader import parse_record

PLAN = Match.of("botzone2", ("rule", "random"), 3, 14)


def games_of(plan: Plan) -> str:
    player = SetPlayer(plan, GameStyle("text", True))
    pairs = [(pairing, index) for index in range(plan.sets) for pairing in range(len(plan.tables))]
    return "\n".join(game for pair in pairs for game in player.played(*pair).games)


@cache
def text() -> str:
    return games_of(PLAN)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.ddzn.gz"
    path.write_bytes(gzip.compress(text().encode()))
    return path


def games(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


def listed(*words: object) -> list[dict[str, Any]]:
    done = games(*words, "--json")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.output.splitlines()]


def numbers(*words: object) -> list[int]:
    return [game["number"] for game in listed(*words)]


def those(fits: Any) -> list[int]:
    return [number for number, record in enumerate(records_of(text(), "text"), 1) if fits(record)]


def sides(record: GameRecord, name: str) -> set[str]:
    """The sides on which a player sits."""
    seats = [seat for seat in range(3) if record.names[record.position_of(seat)] == name]
    return {"landlord" if seat == 0 else "peasants" for seat in seats}


def bombs(record: GameRecord) -> int:
    return sum(ply.move.kind in (BOMB, ROCKET) for ply in record.plies())


def test_the_list_says_what_each_game_is(file: Path) -> None:
    done = games(file)
    assert done.exit_code == 0
    heading, *lines = done.output.splitlines()
    columns = "game set.game rules won by points moves bombs landlord landlord_down landlord_up faults"
    assert heading.split() == columns.split()
    assert len(lines) == 18 + 3 and lines[-3:] == ["A = rule", "B = random", "18 of 18 games"]
    record = records_of(text(), "text")[10]
    assert record.result.scores is not None
    words = lines[10].split()
    assert words[:3] == ["11", "1.4", "botzone2"] and words[3] == record.result.winner
    assert words[4] == f"{record.result.scores[0]:+g}"
    assert words[5:7] == [str(len(record.moves)), str(bombs(record))]
    by_seat = [record.names[record.position_of(seat)] for seat in range(3)]
    assert words[7:] == [word for name in by_seat for word in ({"rule": "A", "random": "B"}[name], name)]


def test_the_facts_are_those_of_the_games(file: Path) -> None:
    for found, record in zip(listed(file), records_of(text(), "text"), strict=True):
        assert found["bombs"] == bombs(record)
        assert (found["moves"], found["winner"]) == (len(record.moves), record.result.winner)
        assert found["game"] == record.tags["Number"]
        assert found["faults"] == []
    assert sum(found["bombs"] for found in listed(file)) > 3


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        (["--lost", "A"], lambda record: record.result.winner not in sides(record, "rule")),
        (["--who", "landlord=A"], lambda record: record.names[record.position_of(0)] == "rule"),
        (["--who", "peasant=A"], lambda record: "peasants" in sides(record, "rule")),
        (["--bombs", "2"], lambda record: bombs(record) >= 2),
        (["--set", "1-"], lambda record: record.tags["Event"] > "report/14/000001"),
        (["--set", "2"], lambda record: record.tags["Event"].startswith("report/14/000002 ")),
        (["--who", "missing"], lambda record: False),
        (["--fault", "any"], lambda record: False),
        (["--number", "3", "--number", "16-17"], None),
        (
            ["--lost", "B", "--bombs", "1", "--who", "landlord=B", "--who", "A"],
            lambda record: (
                sides(record, "random") == {"landlord"} and record.result.winner == "peasants" and bombs(record) > 0
            ),
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_filter(words: list[str], fits: Any, file: Path) -> None:
    assert numbers(file, *words) == ([3, 16, 17] if fits is None else those(fits))


def test_the_filters_are_tried_on_games_that_differ() -> None:
    assert 0 < len(those(lambda record: record.result.winner not in sides(record, "rule"))) < 18
    assert 0 < len(those(lambda record: bombs(record) >= 2)) < 18


@pytest.mark.parametrize(
    ("words", "span"),
    [("17", (17, 17)), ("10-19", (10, 19)), ("10-", (10, None)), ("-19", (None, 19)), ("0", (0, 0))],
)
def test_a_span_is_a_number_or_a_range(words: str, span: tuple[int | None, int | None]) -> None:
    assert parse_span(words) == Span(*span)


@pytest.mark.parametrize("words", ["", "-", "a", "1-b", "9-3", "1.5", "1--3", "²"])
def test_other_spans_are_refused(words: str, file: Path) -> None:
    done = games(file, f"--set={words}")
    assert done.exit_code == 2 and repr(words) in done.output


def test_a_tournament_has_a_letter_for_each_contestant(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    path.write_text(games_of(Everybody.of("mini", ("rule", "random", "rhcp"), 1, 3)))
    done = games(path)
    assert done.output.splitlines()[-4:] == ["A = random", "B = rhcp", "C = rule", "6 of 6 games"]
    assert numbers(path, "--who", "C") == [3, 4, 5, 6]
    assert [game["game"] for game in listed(path, "--who", "rule")] == ["1.0.0", "1.0.1", "2.0.0", "2.0.1"]
    assert numbers(path, "--set", "0") == [1, 2, 3, 4, 5, 6]


def test_a_player_against_itself_has_two_letters(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    path.write_text(games_of(Match.of("mini", ("rule", "rule"), 2, 3)))
    assert games(path).output.splitlines()[-3:] == ["A = rule", "B = rule", "4 of 4 games"]
    assert [game["letters"] for game in listed(path)] == [["A", "B", "B"], ["B", "A", "A"]] * 2
    assert sorted(numbers(path, "--lost", "A") + numbers(path, "--lost", "B")) == [1, 2, 3, 4]


def test_other_games_have_letters_and_names_too(tmp_path: Path) -> None:
    path = tmp_path / "game.ddzn"
    path.write_text(EXAMPLE)
    done = games(path)
    assert done.output.splitlines()[-4:] == ["A = ann", "B = bob", "C = cat", "1 of 1 games"]
    assert numbers(path, "--lost", "cat") == [] and numbers(path, "--lost", "ann") == [1]
    assert numbers(path, "--set", "0-") == []


# Faults.


@pytest.mark.whole
def test_games_with_a_fault_are_found_by_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    bot = crashing(tmp_path, 10)
    words = [bot, "rule", "--sets", "2", "--seed", "1", "--jobs", "1", "--quiet", "--save-games", str(path)]
    assert CliRunner().invoke(match, words).exit_code == 0
    found = listed(path, "--fault", "any")
    assert len(found) == 1
    assert listed(path, "--fault", "failure") == found == listed(path, "--fault", "failure", "--fault", "timeout")
    assert listed(path, "--fault", "timeout") == listed(path, "--fault", "fallback") == []
    for game in found:
        (fault,) = game["faults"]
        assert (fault["by"], fault["kind"], fault["code"]) == ("A", "failure", "RE")
        assert fault["why"].endswith("RuntimeError: no [idea] of this hand (RE)")
    shown = games(path, "--fault", "any").output.splitlines()
    assert all("A RE: player " in line for line in shown[1 : 1 + len(found)])
    assert shown[-1] == "1 of 4 games"


def facts(record: GameRecord) -> GameFacts:
    return GameFacts(SourceGame(1, Path("x"), 1, record, None), Letters().of(record))


@pytest.mark.parametrize(
    ("tags", "termination", "found"),
    [
        ({"Faults": "MISSING_CARD by position 1"}, "landlord out", [(1, "illegal", "MISSING_CARD", "")]),
        (
            {"Faults": "player 1 said nothing in 6 s (TLE)"},
            "",
            [(1, "timeout", "TLE", "player 1 said nothing in 6 s (TLE)")],
        ),
        (
            {"Faults": "RE by position 0: it said (a); b (RE); FALLBACK by position 2: x, y did"},
            "fault: RE by position 0",
            [(0, "failure", "RE", "it said (a); b (RE)"), (2, "fallback", "FALLBACK", "x, y did")],
        ),
        (
            {"Faults": "player 0 (landlord) crashed (RE); player 2 was refused: no (MISMATCH_CARDTYPE)"},
            "",
            [
                (0, "failure", "RE", "player 0 (landlord) crashed (RE)"),
                (2, "illegal", "MISMATCH_CARDTYPE", "player 2 was refused: no (MISMATCH_CARDTYPE)"),
            ],
        ),
        ({}, "fault: TLE by position 1", [(1, "timeout", "TLE", "")]),
        ({}, "landlord out", []),
    ],
)
def test_faults_are_read_in_the_words_of_every_source(
    tags: dict[str, str], termination: str, found: list[tuple[int, str, str, str]]
) -> None:
    record = parse_record(EXAMPLE)
    record = type(record)(**{**vars(record), "tags": tags, "result": record.result._replace(termination=termination)})
    assert [tuple(fault) for fault in facts(record).faults] == found


def test_a_fallback_is_found_in_the_notes() -> None:
    record = parse_record(EXAMPLE)
    note = record.moves[1].note._replace(debug={"player": "rule", "failed_mcm": "no network"})
    moves = (record.moves[0], record.moves[1]._replace(note=note), *record.moves[2:])
    record = type(record)(**{**vars(record), "moves": moves})
    assert [tuple(fault) for fault in facts(record).faults] == [
        (0, "fallback", "FALLBACK", "rule chose 1 of its moves")
    ]


# What is done with them.


def test_a_selection_is_written_to_a_new_file(file: Path, tmp_path: Path) -> None:
    for name in ("some.ddzn", "some.jsonl.gz"):
        target = tmp_path / name
        done = games(file, "--bombs", 2, "--out", target)
        wanted = those(lambda record: bombs(record) >= 2)
        assert (done.exit_code, done.output) == (0, f"{target}: {len(wanted)} of 18 games\n")
        assert read_records(target) == [records_of(text(), "text")[number - 1] for number in wanted]


def test_the_file_that_is_read_is_not_written_and_no_game_is_no_file(file: Path, tmp_path: Path) -> None:
    done = games(file, "--who", "missing", "--out", tmp_path / "none.ddzn")
    assert (done.exit_code, done.output) == (2, "Error: none of 18 games is selected\n")
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    before = file.read_bytes()
    done = games(file, "--bombs", 2, "--out", file)
    assert done.exit_code == 2 and f"{file}: it is one of the files to read" in done.output
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--number", "19", "--replay", "rule"], "there is no game 19: there are 18"),
        (["--json", "--replay", "rule"], "--json is a way to list games"),
        (["--bare"], "--bare goes with --out FILE"),
        (["--limit", "20p"], "--limit goes with --replay PLAYER"),
        (["--replay", "missing", "--out", "no/such/games.ddzn"], "no/such/games.ddzn: it cannot be written: No such"),
        (["--number", "1", "--replay", "missing"], "game 1: landlord: contestant"),
        (
            ["--number", "1", "--replay", "python bot.py"],
            "is a program, and only players of this project play from a record",
        ),
        (["--number", "1", "--replay", "rule", "--replay", "rhcp"], "every seat has a player already, 'rule'"),
        (["--number", "1", "--replay", "rule", "--from-move", "900"], "game 1: there is no position after 899 moves"),
    ],
)
def test_what_cannot_be_gets_one_sentence(words: list[str], sentence: str, file: Path) -> None:
    done = games(file, *words)
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.replace("│", " ").split())


def test_too_many_games_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "many.ddzn"
    write_records(path, [parse_record(EXAMPLE)] * (MOST_REPLAYED + 1))
    done = games(path, "--replay", "rule")
    assert done.exit_code == 2 and f"more than {MOST_REPLAYED} games are selected" in done.output


def test_a_file_that_ends_too_early_is_listed_as_far_as_it_goes(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])
    done = games(file)
    assert done.exit_code == 2
    assert "Error: " in done.output.splitlines()[-1] and str(file) in done.output
    assert len(done.output.splitlines()) > 10


def test_a_folder_and_standard_input_are_listed(file: Path) -> None:
    (file.parent / "no.json").write_text("{}")
    done = games(file.parent)
    assert done.stdout.splitlines()[-1] == "18 of 18 games"
    assert done.stderr.startswith(f"Left out: {file.parent / 'no.json'}: ")
    piped = CliRunner().invoke(main, ["-", "--number", "2"], input=text().encode())
    assert piped.output.splitlines()[-1] == "1 of 18 games"


@pytest.mark.whole
def test_a_large_file_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "many.ddzn.gz"
    with gzip.open(path, "wt") as target:
        for number in range(30):
            target.write("\n" * (number > 0) + text())
    status, said, peak = peak_of("tools.arena.games", path, "--bombs", 1)
    assert (status, "540 games" in said) == (0, True)
    assert peak < MOST_MEMORY_MIB


# Played again.


def test_the_same_players_play_the_same_game_again() -> None:
    for plan in (
        Match.of("botzone2", ("rule", "random"), 1, 5),
        Match.of("mini", ("mctshs", "rule"), 1, 5, "report", "60p"),
    ):
        player = SetPlayer(plan)
        for game in range(2):
            record = player.record(0, 0, game)
            names = (record.names[0], record.names[1], record.names[2])
            limit = Limit(playouts=60) if plan.limit else Limit()
            for bid, ply in ((plan.rules == "botzone2", 0), (False, 0), (False, 7)):
                again = play_again(record, names, limit, ply, bid=bid)
                assert [move.cards for move in again.moves] == [move.cards for move in record.moves]
                assert (again.bids, again.result) == (record.bids, record.result)


def test_what_differs_is_shown(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "again.ddzn"
    done = games(file, "--number", 3, "--replay", "rule", "--from-move", 7, "--out", target)
    assert done.exit_code == 0, done.output
    record, (again,) = records_of(text(), "text")[2], read_records(target)
    lines = done.output.splitlines()
    assert lines[0] == "game 3, again from move 7: landlord rule, landlord_down rule, landlord_up rule"
    alike = [one.cards == other.cards for one, other in zip(record.moves, again.moves, strict=False)]
    same = alike.index(False)
    assert same >= 6
    assert lines[1] == f"  moves 1 to {same} are the same"
    assert lines[3].split()[0] == str(same + 1)
    assert len(lines) == 3 + max(len(record.moves), len(again.moves)) - same + 2 + 1
    assert again.names == ("rule", "rule", "rule") and again.tags["Event"].endswith(", again from move 7")
    assert again.moves[:6] == record.moves[:6]
    assert again.moves[same].note.debug is not None


def test_players_that_are_not_named_play_as_before(file: Path) -> None:
    done = games(file, "--number", 2, "--replay", "landlord=rhcp")
    assert done.exit_code == 0
    record = records_of(text(), "text")[1]
    others = [record.names[record.position_of(seat)] for seat in (1, 2)]
    assert done.output.splitlines()[0].endswith(f": landlord rhcp, landlord_down {others[0]}, landlord_up {others[1]}")


def test_a_program_is_replaced_by_name(tmp_path: Path) -> None:
    path = tmp_path / "game.ddzn"
    path.write_text(EXAMPLE)
    done = games(path, "--replay", "landlord=rule")
    assert done.exit_code == 2
    assert "name another player with --replay landlord_down=PLAYER" in done.output


def test_several_games_are_counted(file: Path) -> None:
    done = games(file, "--set", 0, "--replay", "rule", "--from-move", 0)
    assert done.exit_code == 0, done.output
    before = sum(record.result.winner == "landlord" for record in records_of(text(), "text")[:6])
    last = done.output.splitlines()[-1]
    assert last.startswith(f"6 games: the landlord won {before} as recorded, and ")


def test_the_command_runs_and_stops_quietly_in_a_pipe(file: Path) -> None:
    command = f"{command_line(sys.executable, '-m', 'tools', 'games', file)} | head -1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split()[0] == "game" and done.stderr == ""
