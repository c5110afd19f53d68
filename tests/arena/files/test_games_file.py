"""Every game of a match is kept while it runs: once each, whichever players play, and whatever ends the match."""

import errno
import gzip
import json
import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddzbot.rules import RULE_SETS
from tests.arena.files.test_match_file import FullDisk, command, ended, killed
from tests.arena.matches.test_faults import crashing
from tests.arena.some_files import begun, in_this_process, lines_in, played, put, rows_in, sets_in, timeless
from tests.support import ROOT, command_line
from tools.arena.files.games_file import GamesFile
from tools.arena.files.match_files import MatchFiles
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.matches.game_records import GameStyle, record_of_outcome
from tools.arena.matches.outcome import Asked, Fault, GameOutcome
from tools.arena.matches.plan import Match
from tools.arena.matches.runner import Progress, run
from tools.arena.matches.sets import PlayedSet, SetPlayer
from tools.records.check import problems_of
from tools.records.files import read_records, records_of
from tools.records.record import NO_NOTE, GameRecord
from tools.shared.json_text import LONGEST_KEPT
from tools.shared.machine import commit
from tools.shared.paths import call_of
from tools.shared.storage import autosave
from tools.shared.storage.autosave import Autosave

PLAN = Match.of("mini", ("random", "rule"), 12, 3)
BOT = command_line(sys.executable, ROOT / "tests" / "bots" / "obedient_keep_running.py")


def play(*arguments: str | Path, sets: int = 4) -> Result:
    words = [*map(str, arguments), "--sets", str(sets), "--seed", "3", "--quiet"]
    return CliRunner().invoke(match, words if "--jobs" in words else [*words, "--jobs", "1"])


def output_of(result: Result) -> str:
    return " ".join(result.output.replace("│", " ").split())


def numbers(records: list[GameRecord]) -> list[str]:
    return [record.tags["Number"] for record in records]


def bare(record: GameRecord) -> GameRecord:
    """A record without what may differ between two runs."""
    moves = tuple(move._replace(note=NO_NOTE) for move in record.moves)
    tags = {name: text for name, text in record.tags.items() if name in ("Event", "Number", "Seating", "Faults")}
    return replace(record, moves=moves, tags=tags)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_games_of_every_rule_set_are_those_that_were_played(rules: str, tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn.gz"
    done = play("rule", "random", "--rules", rules, "--save-games", file, sets=2)
    assert done.exit_code == 0, done.output
    assert done.output.endswith(f"The games are in {file}; {call_of('games', str(file))} lists them.\n")
    records = read_records(file)
    plan = Match.of(rules, ("rule", "random"), 2, 3)
    player = SetPlayer(plan)
    again = [player.record(0, index, game) for index in range(2) for game in range(len(plan.seatings()))]
    assert [bare(record) for record in records] == [bare(record) for record in again]
    assert all(problems_of(record) == [] for record in records)
    assert numbers(records)[:2] == ["0.0", "0.1"]
    assert records[0].tags["Commit"] == commit() and records[0].tags["Kernel"]


@pytest.mark.parametrize("suffix", [".ddzn", ".ddzn.gz", ".jsonl", ".jsonl.gz"])
def test_thoughts_are_kept_where_that_is_asked_for_and_times_always(suffix: str, tmp_path: Path) -> None:
    without, with_them = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    words = ("rule", "random", "--rules", "mini", "--save-games")
    assert play(*words, without).exit_code == play(*words, with_them, "--thoughts").exit_code == 0
    notes = [move.note for record in read_records(without) for move in record.moves]
    assert any(note.seconds is not None for note in notes) and all(note.debug is None for note in notes)
    notes = [move.note.debug for record in read_records(with_them) for move in record.moves if move.note.debug]
    assert {"player": "rule", "rule": "lead"} in notes and {"player": "random"} in notes


@pytest.mark.whole
@pytest.mark.parametrize("rules", ["botzone", "botzone2"])
def test_programs_have_times_and_thoughts_too(rules: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    done = play(BOT, "rule", "--rules", rules, "--save-games", file, "--thoughts", sets=1)
    assert done.exit_code == 0, done.output
    for record in read_records(file):
        assert problems_of(record) == []
        for ply, move in enumerate(record.moves):
            if record.names[record.position_of(ply % 3)] == "rule":
                assert move.note.debug is None or move.note.debug["player"] == "rule"
            else:
                # With an auction the envelope may have come with the bid.
                words = ["envelope"] * (ply < 3) + ["request"] * (ply >= 3 or rules == "botzone2")
                assert move.note.debug in [{"debug": word} for word in words]
                assert move.note.seconds is not None and move.note.seconds > 0


@pytest.mark.whole
def test_several_processes_keep_the_same_games_as_one(tmp_path: Path) -> None:
    one, two = tmp_path / "one.ddzn", tmp_path / "two.ddzn"
    words = ("random", "rule", "rhcp", "--rules", "mini", "--save-games")
    with in_this_process():
        assert play(*words, one).exit_code == play(*words, two, "--jobs", "2").exit_code == 0
    alone = {record.tags["Number"]: bare(record) for record in read_records(one)}
    assert len(alone) == 3 * 4 * 2 and "2.3.1" in alone
    assert {record.tags["Number"]: bare(record) for record in read_records(two)} == alone


@pytest.mark.whole
def test_what_went_wrong_is_a_tag(tmp_path: Path) -> None:
    bot, file = crashing(tmp_path, 1), tmp_path / "games.ddzn"
    assert play(bot, "rule", "--save-games", file, sets=1).exit_code == 1
    first, second = read_records(file)
    sentence = "ended with exit code 1: RuntimeError: no [idea] of this hand (RE)"
    assert first.tags["Faults"].startswith("RE by position 0: player 0 (landlord) ")
    assert first.tags["Faults"].endswith(sentence)
    assert first.result.termination == "fault: RE by position 0" and first.result.winner == "peasants"
    assert second.tags["Faults"].startswith("RE by position 1: ") and second.result.winner == "landlord"


@pytest.mark.whole
def test_a_fallback_is_a_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    file = tmp_path / "games.ddzn"
    words = ("champion", "random", "--rules", "mini", "--allow-fallback")
    assert play(*words, "--save-games", file, sets=1).exit_code == 0
    faults = sorted(read_records(file)[1].tags["Faults"].removeprefix("FALLBACK by ").split("; FALLBACK by "))
    assert len(faults) == 2
    assert faults[1].startswith("position 2: player 2 did not choose, mctshs did (champion: no network")


def test_a_game_that_ended_in_the_auction_is_a_record_of_it() -> None:
    plan = Match.of("botzone2", ("rule", "random"), 1, 3)
    outcome = GameOutcome(None, 0, False, (-2.0, 1.0, 1.0), [], [Fault(1, "RE", "player 1 crashed")], (0, 0))
    record = record_of_outcome(plan, (0, 0, 0), outcome, True)
    assert (record.landlord_position, record.bids, record.moves) == (None, (0, 0), ())
    assert record.result.termination == "fault: RE by position 1"
    assert record.tags["Faults"] == "RE by position 1: player 1 crashed"


@pytest.mark.parametrize(
    ("debug", "kept"),
    [
        ({"moves": "x" * (LONGEST_KEPT - 100)}, None),
        ({"moves": "x" * LONGEST_KEPT}, {"debug": '{"moves":"' + "x" * 990}),
        ({"moves": "牌" * (LONGEST_KEPT // 2)}, {"debug": '{"moves":"' + "牌" * 990}),
        ({"value": float("inf")}, {"debug": "{'value': inf}"}),
        ({}, False),
    ],
    ids=["long", "too long", "too long in bytes", "no JSON", "none"],
)
def test_what_a_bot_says_stays_within_bounds(debug: dict[str, Any], kept: Any) -> None:
    player = SetPlayer(PLAN)
    outcome = player.outcome(0, 0, 0)
    asked = [Asked(0, 0, 1.0, debug)]
    record = record_of_outcome(PLAN, (0, 0, 0), outcome._replace(asked=asked), True)
    assert record.moves[0].note.debug == (debug if kept is None else kept or None)
    assert record.moves[0].note.seconds == 0.001


# What ends a match.


@pytest.mark.whole
def test_a_match_that_was_killed_goes_on_and_ends_as_if_nobody_had(tmp_path: Path) -> None:
    file, games = tmp_path / "r.json", tmp_path / "g.ddzn.gz"
    rows = killed(command(file, 100000, "--jobs", "2", "--save-games", str(games)), file, 5)
    sets = max(row.set for row in rows) + 5
    # Whatever the moment: the games of all sets that count are there already.
    assert {str(row.set) for row in rows} <= {number.partition(".")[0] for number in numbers(read_records(games))}
    # At once: workers that have not noticed yet hold no lock.
    done = ended(file, sets, "2", "--save-games", str(games))
    assert done.exit_code == 0, done.output
    assert [row for row in rows_in(file)[0] if row.set in {one.set for one in rows}] == rows
    assert timeless(rows_in(file)) == timeless(played(replace(PLAN, sets=sets)).rows)
    assert read(file).played == [len(rows), sets - len(rows)]
    found = Counter(numbers(read_records(games)))
    assert found == Counter(f"{index}.{game}" for index in range(sets) for game in range(2))


def kept_match(tmp_path: Path, games: str = "g.ddzn") -> MatchFiles:
    return begun(PLAN, tmp_path / "r.json", tmp_path / games)


def some_sets(number: int, form: str = "text") -> list[tuple[int, PlayedSet]]:
    player = SetPlayer(PLAN, GameStyle(form, False))
    return [(0, player.played(0, index)) for index in range(number)]


def test_games_whose_sets_were_not_written_are_dropped(tmp_path: Path) -> None:
    games, sets = tmp_path / "g.ddzn", some_sets(4)
    kept = kept_match(tmp_path)
    kept.append(sets[:3])
    kept.close()
    whole = games.read_bytes()
    assert lines_in(tmp_path / "r.json")[2]["games"][::2] == [len(whole), 3]
    # As if the match had been killed between the two files, or in the middle of one.
    for tail in ("\n" + "".join(sets[3][1].games), "\n[Event"):
        games.write_bytes(whole + tail.encode())
        words = ("--results", tmp_path / "r.json", "--save-games", games, "--mix")
        done = play("random", "rule", "--rules", "mini", *words, sets=12)
        assert done.exit_code == 0, done.output
        dropped = f"the last {len(tail.encode())} bytes are of sets that do not count and are dropped."
        assert f"Games file {games}: {dropped}" in output_of(done)
        assert numbers(read_records(games)) == [f"{index}.{game}" for index in range(12) for game in range(2)]
        assert games.read_bytes().startswith(whole)
        lines = (tmp_path / "r.json").read_bytes().splitlines(keepends=True)
        (tmp_path / "r.json").write_bytes(b"".join(lines[:3]))


@pytest.mark.parametrize("games", ["g.ddzn", "g.jsonl.gz"])
def test_games_of_a_match_that_died_before_its_first_block_are_set_aside(games: str, tmp_path: Path) -> None:
    file, games_file, aside = tmp_path / "r.json", tmp_path / games, tmp_path / f"{games}.aside"
    words = ("random", "rule", "--rules", "mini", "--results", file, "--save-games", games_file)
    assert play(*words, sets=3).exit_code == 0
    whole, lines = games_file.read_bytes(), file.read_bytes().splitlines(keepends=True)
    # The games were written, the sets were not.
    for attempt in (aside, aside.with_name(f"{games}.aside1")):
        file.write_bytes(b"".join(lines[:2]))
        games_file.write_bytes(whole[:-3])
        done = play(*words, sets=3)
        assert done.exit_code == 0, done.output
        message = f"Games file {games_file}: what was in it is of sets that do not count and is set aside as {attempt}."
        assert message in output_of(done)
        assert attempt.read_bytes() == whole[:-3]
        assert numbers(read_records(games_file)) == [f"{index}.{game}" for index in range(3) for game in range(2)]
        assert sets_in(file) == 3


@pytest.mark.whole
def test_each_games_file_goes_on_where_it_ended(tmp_path: Path) -> None:
    """Two games files in turn; a death before the first block of the second costs the first one nothing."""
    file, first, second = tmp_path / "r.json", tmp_path / "a.ddzn", tmp_path / "b.ddzn"
    words = ("random", "rule", "--rules", "mini", "--results", file)
    assert play(*words, "--save-games", first, sets=2).exit_code == 0
    lines = len(lines_in(file))
    assert play(*words, "--save-games", second, sets=3).exit_code == 0
    content = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(content[: lines + 1]))
    before = first.read_bytes()
    assert play(*words, "--save-games", first, sets=3).exit_code == 0
    assert first.read_bytes().startswith(before)
    assert numbers(read_records(first)) == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]
    assert play(*words, "--save-games", second, sets=4).exit_code == 0
    assert numbers(read_records(second)) == ["3.0", "3.1"]
    renamed = first.rename(tmp_path / "c.ddzn")
    assert play(*words, "--save-games", renamed, sets=4).exit_code == 0
    other = tmp_path / "other.ddzn"
    other.write_text("my own games")
    refused = play(*words, "--save-games", other, sets=5)
    assert refused.exit_code == 2 and other.read_text() == "my own games"


@pytest.mark.parametrize("failing", ["g.ddzn", "r.json"])
def test_a_full_disk_doubles_no_game(failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(autosave, "LONGEST_PAUSE", 0.05)
    printed, sets = list[str](), some_sets(6)
    kept = kept_match(tmp_path)
    place = os.stat(tmp_path / failing).st_ino

    class OneFull(FullDisk):
        def write(self, handle: int, data: bytes) -> int:
            return super().write(handle, data) if os.fstat(handle).st_ino == place else self._write(handle, data)

    disk = OneFull(monkeypatch, errno.ENOSPC, room=2500, most_tries=3)
    saver = Autosave(kept, printed.append, lambda: False, seconds=0)
    for number, one in sets:
        saver.add(number, one)
    saver.close()
    assert disk.tries == 3
    kind = "games" if failing == "g.ddzn" else "results"
    assert printed == [
        f"Paused: the disk of {kind} file {tmp_path / failing} is full (No space left on device); free some space, "
        "the match resumes by itself.",
        f"{kind.capitalize()} file {tmp_path / failing} is written again; the match continues."
        if failing == "r.json"
        else f"Results file {tmp_path / 'r.json'} is written again; the match continues.",
    ]
    records = read_records(tmp_path / "g.ddzn")
    assert numbers(records) == [f"{index}.{game}" for index in range(6) for game in range(2)]
    assert sets_in(tmp_path / "r.json") == 6


def test_every_block_of_a_compressed_file_is_whole(tmp_path: Path) -> None:
    kept, path = kept_match(tmp_path, "g.jsonl.gz"), tmp_path / "g.jsonl.gz"
    for number, block in enumerate(([one] for one in some_sets(3, "json")), 1):
        kept.append(block)
        text = gzip.decompress(path.read_bytes()).decode()
        assert len(records_of(text, "json")) == 2 * number
    kept.close()


# Other files.


@pytest.mark.whole
def test_a_file_that_is_not_of_this_match_is_refused_and_kept(tmp_path: Path) -> None:
    file, games = tmp_path / "r.json", tmp_path / "g.ddzn"
    words = ("random", "rule", "--rules", "mini", "--results", file, "--save-games", games)
    games.write_text("my own games")
    refused = play(*words)
    assert refused.exit_code == 2
    assert f"games file {games}: it has something in it already; name another file" in output_of(refused)
    assert games.read_text() == "my own games" and not file.exists()
    games.unlink()
    assert play(*words, sets=2).exit_code == 0
    whole = games.read_text()
    for other in (whole[:-1], whole.replace("rule", "ruin")):
        games.write_text(other)
        refused = play(*words, sets=3)
        assert refused.exit_code == 2
        assert f"games file {games}: it is not as this match has left it; name another file" in output_of(refused)
        assert games.read_text() == other
    games.write_text(whole)
    assert play(*words, sets=3).exit_code == 0
    assert numbers(read_records(games)) == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]


def test_a_finished_match_leaves_its_games_alone(tmp_path: Path) -> None:
    file, games = tmp_path / "r.json", tmp_path / "g.ddzn"
    words = ("random", "rule", "--rules", "mini", "--results", file, "--save-games", games)
    assert play(*words).exit_code == 0
    before = games.read_bytes(), file.read_bytes()
    assert play(*words).exit_code == 0
    assert (games.read_bytes(), file.read_bytes()) == before


@pytest.mark.whole
def test_games_that_will_be_missing_are_counted(tmp_path: Path) -> None:
    file, games = tmp_path / "r.json", tmp_path / "g.ddzn"
    words = ("random", "rule", "--rules", "mini", "--results", file)
    assert play(*words, sets=2).exit_code == 0
    later = play(*words, "--save-games", games, sets=3)
    assert f"Games file {games}: the games of 2 sets that were played before are not in it." in output_of(later)
    assert numbers(read_records(games)) == ["2.0", "2.1"]
    assert play(*words, sets=4).exit_code == 0
    last = play(*words, "--save-games", games, sets=5)
    assert f"Games file {games}: the games of 3 sets that were played before are not in it." in output_of(last)
    assert numbers(read_records(games)) == ["2.0", "2.1", "4.0", "4.1"]


def test_a_refusal_says_why_and_leaves_no_file_behind(tmp_path: Path) -> None:
    same, file = tmp_path / "same.ddzn", tmp_path / "r.json"
    for results, games, sentence in (
        (same, same, f"{same}: it is named twice; name another file"),
        (file, "/proc/g.ddzn", "games file /proc/g.ddzn: it cannot be written (No such file or directory)"),
        ("/proc/r.json", same, "results file /proc/r.json: it cannot be written (No such file or directory)"),
    ):
        refused = play("random", "rule", "--rules", "mini", "--results", results, "--save-games", games)
        assert refused.exit_code == 2 and sentence in output_of(refused)
        assert list(tmp_path.iterdir()) == []


def test_two_matches_do_not_write_one_file(tmp_path: Path) -> None:
    games = tmp_path / "g.ddzn"
    first = GamesFile(games, None)
    refused = play("random", "rule", "--rules", "mini", "--save-games", games)
    assert refused.exit_code == 2
    assert f"games file {games}: another match is writing it; name another file" in output_of(refused)
    first.close()


@pytest.mark.parametrize("mark", [[1, "0"], [-1, "0", 1], [1, 2, 1], {}])
def test_a_mark_of_another_shape_is_refused(mark: Any, tmp_path: Path) -> None:
    kept = kept_match(tmp_path)
    kept.append(some_sets(1))
    kept.close()
    lines = lines_in(tmp_path / "r.json")
    lines[2]["games"] = mark
    put(tmp_path / "r.json", lines)
    with pytest.raises(ValueError, match=r"line 3 is not as it must be .*\$\.games|line 3 is not .*got `object`"):
        read(tmp_path / "r.json")


def test_an_interrupt_keeps_the_games_that_were_played(tmp_path: Path) -> None:
    progress = Progress(PLAN)
    kept, seen = kept_match(tmp_path), list[PlayedSet]()
    saver = Autosave(kept, lambda sentence: None, lambda: True)

    def done(pairing: int, played: PlayedSet) -> None:
        seen.append(played)
        saver.add(pairing, played)

    run(progress, 1, done, lambda: len(seen) == 5, kept.style)
    saver.close()
    assert numbers(read_records(tmp_path / "g.ddzn")) == [f"{index}.{game}" for index in range(5) for game in range(2)]
    assert json.loads((tmp_path / "r.json").read_text().splitlines()[2])["games"][2] == 5
