"""The file of a person's games, into which several terminals may play at the same time."""

import errno
import os
import signal
import subprocess
from pathlib import Path

import pytest

from ddzbot.rules import MINI
from ddzbot.search.limit import Limit
from tests.play.test_play import FAST, PROGRAM, ROOT, play
from tools.records.files import read_records, write_records
from tools.records.record import RecordError
from tools.shared.storage.journal import Journal
from tools.tables.play.setup import is_unfinished
from tools.tables.table.bots import bot
from tools.tables.table.games_file import GameStore
from tools.tables.table.table import Table


def table(seed: int) -> Table:
    return Table(MINI, seed, [None, bot("rule", seed, 1), bot("rule", seed, 2)])


def move(one: Table) -> None:
    """Lets the person move, and then the others."""
    one.play(0, one.view(0).legal_moves()[0].cards)
    one.advance(Limit(playouts=10))


def finished(seed: int) -> Table:
    one = table(seed)
    while not one.over:
        move(one)
    return one


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("name", "seeds"), [("games.ddzn", (1, 2)), ("games.jsonl", (1, 1)), ("games.jsonl.gz", (1, 2))]
)
def test_two_players_that_share_a_file_keep_both_games(tmp_path: Path, name: str, seeds: tuple[int, int]) -> None:
    path = tmp_path / name
    tables = [table(seed) for seed in seeds]
    stores = [GameStore(path) for _ in seeds]
    for store, one in zip(stores, tables, strict=True):
        store.save(one.record())
    while not all(one.over for one in tables):
        for store, one in zip(stores, tables, strict=True):
            if not one.over:
                move(one)
                store.save(one.record())
                assert store.number == 1 + stores.index(store)
    assert read_records(path) == [one.record() for one in tables]
    for store in stores:
        store.leave()
    assert os.listdir(tmp_path) == [name]


def test_the_next_game_of_one_goes_behind_those_that_others_have_added(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    first, second = GameStore(path), GameStore(path)
    first.save(finished(1).record())
    second.save(table(2).record())
    first.leave()
    first.save(table(3).record())
    assert [record.tags["Deal"] for record in read_records(path)] == [f"play/{seed}/000000" for seed in (1, 2, 3)]
    assert (first.number, second.number) == (3, 2)


def test_a_game_goes_on_in_one_place_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    write_records(path, [table(1).record(), finished(2).record(), table(3).record()])
    first, second, third = GameStore(path), GameStore(path), GameStore(path)
    assert first.resume(is_unfinished).tags["Deal"] == "play/3/000000"
    # The older one is free; a third terminal finds none.
    assert second.resume(is_unfinished).tags["Deal"] == "play/1/000000"
    with pytest.raises(RecordError, match=r"games\.ddzn: its unfinished game 1 is under way in another terminal$"):
        third.resume(is_unfinished)
    second.save(finished(1).record())
    second.leave()
    with pytest.raises(RecordError, match=r"its unfinished game 3 is under way in another terminal$"):
        third.resume(is_unfinished)
    first.leave()
    assert third.resume(is_unfinished) == table(3).record()
    third.leave()
    assert os.listdir(tmp_path) == ["games.ddzn"]


def test_a_new_game_is_under_way_from_its_first_save_on(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    store = GameStore(path)
    store.save(table(1).record())
    with pytest.raises(RecordError, match="game 1 is under way"):
        GameStore(path).resume(is_unfinished)


def test_a_file_that_is_edited_or_removed_meanwhile_costs_no_game(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    store, one = GameStore(path), table(1)
    store.save(one.record())
    other = finished(2).record()
    write_records(path, [other])
    move(one)
    store.save(one.record())
    assert read_records(path) == [other, one.record()]
    path.unlink()
    store.save(one.record())
    assert read_records(path) == [one.record()]
    path.write_text("# my notes\n")
    with pytest.raises(RecordError, match="there is no game in it"):
        store.save(one.record())
    assert path.read_text() == "# my notes\n"


def test_a_file_that_a_match_is_writing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.tables.table.games_file.PATIENCE", 0.0)
    path = tmp_path / "games.jsonl"
    match = Journal(path)
    with pytest.raises(RecordError, match=r"games\.jsonl: it cannot be written: another program is writing it$"):
        GameStore(path)
    match.close()


def test_a_full_disk_leaves_what_there_was_and_the_game_is_kept_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.ddzn"
    store, one = GameStore(path), table(1)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(RecordError, match=r"games\.ddzn: it cannot be written: No space left on device"):
            store.save(one.record())
        assert not path.exists()
    store.save(one.record())
    move(one)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(RecordError, match="No space left"):
            store.save(one.record())
    assert read_records(path) == [table(1).record()]
    store.save(one.record())
    assert read_records(path) == [one.record()]


def test_of_two_terminals_that_resume_one_game_the_second_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    write_records(path, [table(1).record()])
    words = [*PROGRAM, "--resume", str(path), "--limit", "20p"]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert b"Dou Dizhu" in first.stdout.readline()
        second = play(["--resume", path])
        said = f"Error: {path}: its unfinished game 1 is under way in another terminal\n"
        assert (second.exit_code, second.stderr, second.stdout) == (2, said, "")
        # A game whose terminal is gone is free again.
        first.send_signal(signal.SIGKILL)
    third = play(["--resume", path, "--limit", "20p"], ["quit"])
    assert (third.exit_code, third.stderr) == (0, "")
    assert play(["--seed", 5, *FAST, "--save-games", path], ["quit"]).exit_code == 0
    assert len(read_records(path)) == 2
