"""The file in which a server saves finished games."""

import logging
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.serve.house import over, play_on, serving
from tools.records.files import read_records
from tools.tables.serve.__main__ import main
from tools.tables.serve.saving import SavedGames


@pytest.mark.parametrize("name", ["games.ddzn", "games.jsonl"])
async def test_every_finished_game_is_saved_and_no_other_one(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    for _ in range(2):
        saved = SavedGames(file)
        async with serving(finished=saved.add) as server:
            _, client = await server.seated("mini")
            _, other = await server.seated("mini")
            assert not over(other.state)
            await play_on(client, random.Random("saved"), over)
        saved.close()
    games = read_records(file)
    assert [sorted(game.names) for game in games] == [["person", "rule", "rule"]] * 2
    assert all(game.result.winner is not None and game.rules.name == "mini" for game in games)


def test_a_file_of_something_else_is_refused_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "notes.ddzn"
    file.write_text("milk, bread\n", "utf-8")
    done = CliRunner().invoke(main, ["--port", "0", "--save-games", str(file)])
    assert done.exit_code == 2 and f"--save-games {file}: " in done.output
    assert file.read_text("utf-8") == "milk, bread\n"


async def test_a_game_that_cannot_be_saved_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "sub" / "games.ddzn"
    file.parent.mkdir()
    saved = SavedGames(file)
    async with serving(finished=saved.add) as server:
        _, client = await server.seated("mini")
        file.write_text("milk, bread\n", "utf-8")
        with caplog.at_level(logging.WARNING):
            await play_on(client, random.Random("saved"), over)
            saved.close()
    assert f"a finished game is not saved: {file}: " in caplog.text
