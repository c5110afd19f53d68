"""Finished matches as records: what one seat knows, and nothing false."""

from pathlib import Path

import pytest

from ddzbot.cards import hand_of_ids
from ddzbot.game import SEATS
from tests.live.tables import played
from tools.records.check import problems_of
from tools.records.files import read_records
from tools.records.record import GameRecord, RecordError
from tools.tables.live.games import BROKEN_OFF, NOT_SENT, Games, record_of_live
from tools.tables.live.match import Delivery, LiveMatch
from tools.tables.live.wire import Ended

pytestmark = pytest.mark.whole


def live(requests: list[object], responses: list[object]) -> LiveMatch:
    notes = [{"seconds": 0.5, "debug": {"turn": turn}} for turn in range(len(responses))]
    return LiveMatch("match1", "2026-11-23", list(requests), list(responses), notes, ["a", "b", "c"], Delivery.SENT)


def record_of(game: str, position: int, seed: str) -> tuple[GameRecord, GameRecord]:
    """Gets the record of one seat, and that of the referee, which sees all hands."""
    from tools.records.record import record_of as full

    match, requests, responses = played(game, position, seed)
    ended = Ended("match1", position, tuple(match.scores))
    record = record_of_live(live(requests, responses), ended, "rule", {"Site": "here"})
    assert match.referee.game is not None
    return record, full(match.referee.game)


@pytest.mark.parametrize("game", ["FightTheLandlord", "FightTheLandlord2", "MiniFightTheLandlord"])
@pytest.mark.parametrize("seed", range(3))
def test_a_record_is_a_part_of_the_whole_game(game: str, seed: int) -> None:
    position = seed % SEATS
    record, whole = record_of(game, position, f"deal {seed}")
    for field in ("rules", "bottom", "landlord_position"):
        assert getattr(record, field) == getattr(whole, field)
    assert record.hands[position] == whole.hands[position]
    assert all(hand in (None, known) for hand, known in zip(record.hands, whole.hands, strict=True))
    assert all(bid in (None, known) for bid, known in zip(record.bids, whole.bids, strict=False))
    moves = [move.cards for move in record.moves]
    assert moves == [move.cards for move in whole.moves][: len(moves)]
    assert 0 <= len(whole.moves) - len(moves) < SEATS
    assert record.result.scores == whole.result.scores
    assert record.result.winner == whole.result.winner
    assert record.result.termination in (whole.result.termination, NOT_SENT)
    assert problems_of(record) == []
    assert dict(record.tags) == {"Match": "match1", "Begun": "2026-11-23", "Site": "here"}
    assert record.names[position] == "rule"
    own = [move.note.debug for ply, move in enumerate(record.moves) if record.position_of(ply % SEATS) == position]
    assert all(note is not None for note in own)


def test_a_player_that_goes_out_knows_the_whole_game() -> None:
    found = [record_of("FightTheLandlord", seed % SEATS, f"deal {seed}") for seed in range(12)]
    outs = [(record, whole) for record, whole in found if record.result.termination != NOT_SENT]
    assert outs
    for record, whole in outs:
        assert [move.cards for move in record.moves] == [move.cards for move in whole.moves]


def test_a_match_that_was_broken_off_in_the_auction() -> None:
    own = list(range(17))
    match = live([{"own": own, "bid": [1]}], [])
    record = record_of_live(match, Ended("match1", 1, ()), "rule", {})
    assert (record.landlord_position, record.bids, record.moves) == (None, (1,), ())
    assert record.hands == (None, hand_of_ids(own), None)
    assert record.result.termination == BROKEN_OFF
    answered = record_of_live(live([{"own": own, "bid": [1]}], [2]), Ended("match1", 1, ()), "rule", {})
    assert answered.bids == (1, 2)


@pytest.mark.parametrize(
    ("scores", "termination"),
    [((-1.0, 2.5, 2.5), "fault: by the landlord"), ((2.5, -1.0, -1.0), "fault: by a peasant")],
)
def test_scores_of_a_fault_say_so(scores: tuple[float, float, float], termination: str) -> None:
    first = {"own": list(range(17, 34)), "history": [[], [0]], "publiccard": [0, 1, 2]}
    record = record_of_live(live([first], []), Ended("match1", 1, scores), "rule", {})
    assert record.result.termination == termination


def test_a_match_without_a_request_or_with_contradictions_has_no_record() -> None:
    with pytest.raises(RecordError, match="asked us for nothing"):
        record_of_live(live([], []), Ended("match1", 1, ()), "rule", {})
    with pytest.raises(RecordError, match=r"."):
        record_of_live(live([{"history": [[], [1]]}], []), Ended("match1", 1, ()), "rule", {})


@pytest.mark.parametrize("name", ["games.jsonl", "games.ddzn", "folder"])
def test_games_are_added_one_by_one(tmp_path: Path, name: str) -> None:
    games = Games(tmp_path / "new" / name)
    records = [record_of("FightTheLandlord2", 0, f"deal {seed}")[0] for seed in range(2)]
    for number, record in enumerate(records):
        games.add(f"match{number}", record)
    if name == "folder":
        found = [read_records(path)[0] for path in sorted((tmp_path / "new" / name).iterdir())]
    else:
        found = read_records(tmp_path / "new" / name)
    assert found == records


@pytest.mark.parametrize("name", ["games.ddzn", "games.jsonl"])
def test_what_a_machine_that_died_has_left_of_a_game_costs_no_other_game(name: str, tmp_path: Path) -> None:
    games = Games(tmp_path / name)
    records = [record_of("FightTheLandlord", 0, f"deal {seed}")[0] for seed in range(3)]
    games.add("a", records[0])
    first = games.path.read_bytes()
    games.add("b", records[1])
    whole = games.path.read_bytes()
    for size in range(len(first) + 1, len(whole), 7):
        if whole[size - 1 : size] == b"\n":
            continue  # a record that ends with a line may be a person's
        for rest in (b"", bytes(len(whole) - size)):
            games.path.write_bytes(whole[:size] + rest)
            games.add("c", records[2])
            found = read_records(games.path)
            assert [one.hands for one in (found[0], found[-1])] == [records[0].hands, records[2].hands]
            assert len(found) in (2, 3)
    # Alone in its file, and one whose last line has no end.
    games.path.write_bytes(first[: first.index(b"hands") + 9])
    games.add("c", records[2])
    assert [one.hands for one in read_records(games.path)] == [records[2].hands]
    games.path.write_bytes(first.rstrip(b"\n"))
    games.add("c", records[2])
    assert games.path.read_bytes() == first + games.path.read_bytes()[len(first) :]
    assert len(read_records(games.path)) == 2


@pytest.mark.parametrize("name", ["games.jsonl.gz", "games.icga", "games.txt"])
def test_a_file_that_cannot_grow_is_refused_before_any_match(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match=r"."):
        Games(tmp_path / name)
