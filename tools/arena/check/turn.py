"""One turn of the bot under test, with all that it takes to meet it again."""

from pathlib import Path
from typing import Any, NamedTuple

from ...judge.game import JudgeGame
from ...judge.process import Mode
from ...shared.json_text import json_line, json_text
from ...shared.storage.whole_file import put


class Turn(NamedTuple):
    """A turn as it went."""

    match: JudgeGame | None
    """The match in which it was; None for a line without one."""
    game: str
    player: int
    number: int
    """Of the bot's turns, from 1."""
    mode: Mode
    kept: bool
    """The process had been kept from the turn before."""
    data: Any
    globaldata: Any
    input: bytes
    """All lines that the process was handed."""
    output: bytes
    """What it printed in this turn."""
    stderr: str


def as_line(value: Any) -> bytes:
    """Gets a message as a bot reads it."""
    return json_line(value)


def save(path: Path, turn: Turn, facts: dict[str, Any]) -> Path:
    """
    Writes a turn, with *facts* about it, as one JSON object, and its input beside it; gets the path of that.

    :raises OSError: if one of the files cannot be written
    """
    lines = path.with_suffix(".in")
    fields = {
        **facts,
        "game": turn.game,
        "player": turn.player,
        "initdata": turn.match and turn.match.initdata,
        "answers": turn.match and turn.match.log[1::2],
        "turn": turn.number,
        "mode": turn.mode,
        "kept": turn.kept,
        "data": turn.data,
        "globaldata": turn.globaldata,
        "input": turn.input.decode("utf-8", "surrogateescape"),
        "output": turn.output.decode("utf-8", "replace"),
        "stderr": turn.stderr,
    }
    lines_of_json = ",\n".join(
        f"{json_text(key)}: {json_text(value, ascii_only=True)}" for key, value in fields.items()
    )
    put(path, f"{{\n{lines_of_json}\n}}\n".encode())
    put(lines, turn.input)
    return lines
