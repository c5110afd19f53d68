"""What is kept of a hand-in: once made and checked it stays, for its game, until it shall play again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.arena.check.scenes import GAMES
from tools.arena.field import entries
from tools.arena.field.entries import Checked, _judge_safely, _sweep, _Task
from tools.arena.field.handed_in import HandedIn
from tools.shared.language import chinese
from tools.shared.message import Message, clauses


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> _Task:
    """A program for the first game; nothing of others is kept."""
    monkeypatch.setattr(entries, "_top", lambda: tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    (tmp_path / "bot.py").write_text("print(1)\n")
    return _Task(HandedIn("bot", tmp_path / "bot.py"), GAMES[0], False)


def test_what_a_living_process_makes_is_not_swept_away(task: _Task, tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    names = [f"abc.{os.getpid()}", f"abc-old.{os.getppid()}", "abc", "abc.x"]
    for name in (*names, f"abc.{dead.pid}", f"abc-old.{dead.pid}"):
        (tmp_path / "kept" / name).mkdir()
    _sweep()
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == sorted(names)


def note(game: str) -> Message:
    """A finding about a game, with words of a program that a terminal would obey."""
    return Message(
        "{step}: {sentence}", step=game, sentence=clauses([Message("with exit code {code}", code=2), "\x1b!"])
    )


def test_a_program_is_made_once_and_checked_once_for_each_game(task: _Task, monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[str] = []

    def check(words: list[str], game: str) -> Checked:
        checks.append(game)
        return Checked("", [note(game)], ["--keep-running"], 0.1)

    monkeypatch.setattr(entries, "check_program", check)
    for game in (GAMES[0], GAMES[0], GAMES[1], GAMES[0], GAMES[1]):
        (found,) = _judge_safely(task._replace(game=game)).notes
        assert (found, chinese(found)) == (f"{game}: with exit code 2; \\x1b!", f"{game}：退出码为 2；\\x1b!")
    assert checks == [*GAMES]
    words = _judge_safely(task).words
    home = Path(words[-2]).parent
    (home / "left").touch()
    assert _judge_safely(task).words == words and (home / "left").exists() and checks == [*GAMES]
    assert _judge_safely(task._replace(anew=True)).words == words
    assert words[1:] == [str(home / "bot.py"), "--keep-running"]
    assert not (home / "left").exists() and checks == [*GAMES, GAMES[0]]
