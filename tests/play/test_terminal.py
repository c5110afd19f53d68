"""python -m tools play on a pseudo terminal."""

import re
from pathlib import Path

from tests.play.terminal import Terminal
from tools.records.files import read_records

FAST = ["--bot", "rule", "--limit", "60p"]
MOVE, AGAIN, BID = "your move> ", "Another game? [Y/n] ", "your bid ("


def play_by_hints(terminal: Terminal) -> int:
    """Asks for a hint each turn, does what it says, and gets the number of turns until the game was over."""
    turns = 0
    while AGAIN not in terminal.read_until(MOVE, AGAIN):
        terminal.type("hint")
        (hint,) = re.findall(r"^hint: (\w+)", terminal.read_until(MOVE), re.MULTILINE)
        terminal.type(hint)
        turns += 1
    return turns


def test_two_games_by_hints(tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn"
    with Terminal(["--rules", "mini", "--seed", "8", "--save-games", str(file), *FAST]) as terminal:
        assert play_by_hints(terminal) > 1
        terminal.type("maybe")
        terminal.read_until(AGAIN)
        terminal.type("")
        assert "deal 9." in terminal.read_until("play what you like")
        assert play_by_hints(terminal) > 1
        terminal.type("n")
        assert terminal.status() == 0
    first, second = read_records(file)
    assert [first.tags["Deal"], second.tags["Deal"]] == ["play/8/000000", "play/9/000000"]
    assert None not in (first.result.winner, second.result.winner)
    assert terminal.output.count("You win!") + terminal.output.count("You lose.") == 2
    assert "--number 2\n" in terminal.output


def test_control_c_keeps_the_game(tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn"
    with Terminal(["--rules", "botzone2", "--seed", "4", "--save-games", str(file), *FAST]) as terminal:
        terminal.read_until(BID)
        terminal.type("3")
        terminal.read_until(MOVE)
        assert terminal.interrupt() == 130
    (record,) = read_records(file)
    assert record.bids == (3,)
    assert record.result.winner is None
    assert f"--resume {file}" in terminal.output
    assert "Traceback" not in terminal.output


def test_control_c_while_a_bot_thinks(tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn"
    options = ["--seat", "landlord_down", "--seed", "4", "--bot", "mctshs", "--limit", "60s", "--save-games", str(file)]
    with Terminal(options) as terminal:
        terminal.read_until("thinking")
        assert terminal.interrupt() == 130
    assert read_records(file)[0].moves == ()
    assert "Traceback" not in terminal.output


def test_control_d_leaves_politely() -> None:
    with Terminal(["--seed", "4", *FAST]) as terminal:
        terminal.read_until(MOVE)
        terminal.press(b"\x04")
        assert terminal.status() == 0
    assert "The same deal:" in terminal.output
