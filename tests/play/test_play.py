"""python -m tools play: the real program with lines from a pipe, and what it refuses."""

import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ddzbot.cards import hand_text
from ddzbot.game import SEAT_NAMES, SEATS
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import BidView
from tests.support import ROOT
from tools.records.files import read_records, write_records
from tools.records.record import GameRecord
from tools.shared.paths import call_of
from tools.study.show import main as show
from tools.tables.play.__main__ import main
from tools.tables.play.screen import spaced
from tools.tables.table.bots import bot
from tools.tables.table.table import Table

PROGRAM = (sys.executable, "-m", "tools", "play")
LIMIT = Limit(playouts=20)
FAST = ("--bot", "rule", "--limit", "20p")


def play(arguments: Sequence[object], lines: Sequence[str] = ()) -> Result:
    """Runs the command in this process; a line is typed for each of *lines*, and then the input ends."""
    words, text = [*map(str, arguments)], "".join(line + "\n" for line in lines)
    return CliRunner().invoke(main, words, input=text, env={"COLUMNS": "80"})


def expected_game(rules: RuleSet, seed: int, position: int) -> tuple[list[str], GameRecord]:
    """Plays the game that the program must play: what the person types, and the record in the end."""
    dice = random.Random(seed)
    players = [None if place == position else bot("rule", seed, place) for place in range(SEATS)]
    names = ["person" if player is None else "rule" for player in players]
    table = Table(rules, seed, players, names)
    lines: list[str] = []
    while not table.over:
        if table.position_to_move != position:
            table.advance_one(LIMIT)
            continue
        view = table.view(position)
        if isinstance(view, BidView):
            lines.append(str(dice.choice(view.legal_bids)))
            table.bid(position, int(lines[-1]))
        else:
            move = dice.choice(view.legal_moves())
            lines.append(str(move).lower().replace("t", "10"))
            table.play(position, move.cards)
    return lines, table.record()


def without_times(record: GameRecord) -> tuple[object, ...]:
    moves = [(move.cards, move.note.debug) for move in record.moves]
    return record.rules.name, record.hands, record.bids, record.names, record.result, dict(record.tags), moves


@pytest.mark.parametrize(("rules", "position"), [("botzone", 0), ("botzone2", 1), ("mini", 2)])
def test_a_whole_game_from_a_pipe(rules: str, position: int, tmp_path: Path) -> None:
    lines, expected = expected_game(RULE_SETS[rules], 7, position)
    file = tmp_path / "games.jsonl"
    seat = position if RULE_SETS[rules].bidding else SEAT_NAMES[position]
    done = play(["--rules", rules, "--seat", seat, "--seed", 7, *FAST, "--save-games", file], lines)
    assert (done.exit_code, done.stderr) == (0, "")
    (record,) = read_records(file)
    assert without_times(record) == without_times(expected)
    for seat, hand in enumerate(expected.game().hands):
        assert re.search(
            rf"^    {('landlord', 'landlord_down', 'landlord_up')[seat]} +{spaced(hand) or '-'} ", done.stdout, re.M
        )
    assert call_of("show", str(file), "--number", "1") in done.stdout
    assert CliRunner().invoke(show, [str(file), "--number", "1"]).exit_code == 0


def test_the_same_seed_deals_the_same_game_and_another_another() -> None:
    first, second, other = (play(["--seed", seed, *FAST], ["hint", "moves"]).stdout for seed in (3, 3, 4))
    assert first == second
    assert first != other


def test_a_random_seed_is_named_and_plays_the_game_again() -> None:
    first = play(FAST, ["moves"]).stdout
    seed = first.split(", deal ")[1].split(".")[0]
    (command,) = [line for line in first.splitlines() if line.startswith("The same deal:")]
    words = command.removeprefix("The same deal:").strip().removeprefix(call_of("play")).split()
    assert words[-8:] == f"--seat landlord --bot rule --bot rule --seed {seed}".split()
    assert play([*words, "--limit", "20p"], ["moves"]).stdout == first


def test_a_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    lines, expected = expected_game(RULE_SETS["botzone2"], 5, 2)
    file = tmp_path / "games.ddzn"
    options = ["--rules", "botzone2", "--seat", 2, "--seed", 5, *FAST, "--save-games", file]
    left = play(options, [*lines[:3], "quit"])
    assert left.exit_code == 0
    assert call_of("play", "--resume", str(file)) in left.stdout
    assert read_records(file)[0].result.winner is None
    gone_on = play(["--resume", file, "--save-games", file, "--limit", "20p"], lines[3:])
    assert (gone_on.exit_code, gone_on.stderr) == (0, "")
    (record,) = read_records(file)
    assert without_times(record) == without_times(expected)
    again = play(["--resume", file])
    assert again.exit_code == 2
    assert again.stderr == f"Error: {file}: there is no unfinished game of a person in it\n"


def test_the_end_of_the_lines_is_no_failure(tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn"
    done = play(["--seed", 5, *FAST, "--save-games", file], ["3"])
    assert (done.exit_code, done.stderr) == (0, "")
    (record,) = read_records(file)
    assert len(record.moves) == SEATS
    assert record.result.termination == "unfinished"


def test_reveal_shows_the_whole_game_and_the_thoughts_only_at_the_end() -> None:
    lines, expected = expected_game(RULE_SETS["mini"], 2, 0)
    done = play(["--rules", "mini", "--seed", 2, *FAST, "--reveal"], lines)
    before, _, after = done.stdout.partition(" went out: ")
    assert '"player":' not in before
    assert '"player":' in after
    assert all(hand_text(hand) in after for hand in expected.start.hands)
    assert '"player":' not in play(["--rules", "mini", "--seed", 2, *FAST], lines).stdout


def test_lines_in_other_encodings_and_line_ends_are_survived() -> None:
    words = [*PROGRAM, "--seed", "5", *FAST]
    done = subprocess.run(words, cwd=ROOT, input=b"\xff\xfe\r\n3\r\nhelp", capture_output=True)
    assert done.returncode == 0
    assert "you play 3 (solo)" in done.stdout.decode()
    assert "不要" in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--rules botzone2 --seat landlord", "seat landlord: under rules botzone2 the auction gives out seats"),
        (
            "--seat 0",
            "seat 0: under rules botzone there is no auction; use --seat landlord, landlord_down, landlord_up",
        ),
        ("--bot ./mybot", "bot './mybot' is a command line: only players by name"),
        ("--bot missing", "player 'missing' is unknown"),
        ("--bot rule --bot rule --bot rule", "3 bots: you play with two others"),
        ("--save-games games.icga", "games.icga: games are kept as .ddzn or .jsonl"),
        ("--save-games no/such/folder/games.ddzn", "no/such/folder/games.ddzn: it cannot be written"),
        ("--seat 3", "'3' is not one of"),
        ("--resume nowhere.ddzn", "'nowhere.ddzn' does not exist"),
    ],
)
def test_bad_options_get_one_sentence_and_2(arguments: str, sentence: str) -> None:
    result = CliRunner().invoke(main, arguments.split())
    assert result.exit_code == 2
    (line,) = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert sentence in line
    assert "deal" not in result.output


@pytest.mark.parametrize("option", ["--seed 1", "--save-games b.ddzn"])
def test_what_a_game_has_is_not_said_beside_resume(option: str, tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn"
    file.touch()
    result = CliRunner().invoke(main, ["--resume", str(file), *option.split()])
    assert result.exit_code == 2
    assert result.output == f"Error: {option.split()[0]} does not go with --resume: the game has its own\n"


def test_a_file_with_more_than_games_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn"
    _, record = expected_game(RULE_SETS["mini"], 1, 0)
    write_records(file, [record])
    text = "# my favourite\n" + file.read_text("utf-8")
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["--save-games", str(file)])
    assert result.exit_code == 2
    assert result.output == f"Error: {file}: it has more than games, which would be lost; name another file\n"
    assert file.read_text("utf-8") == text


def test_a_game_of_others_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "games.ddzn"
    table = Table(RULE_SETS["mini"], 1, [None, None, bot("rule", 1, 2)])
    write_records(file, [table.record()])
    result = CliRunner().invoke(main, ["--resume", str(file)])
    assert result.exit_code == 2
    assert result.output == f"Error: {file}: the players 'person', 'person', 'rule' are not two bots and one 'person'\n"


@pytest.mark.parametrize(
    ("locale", "asked", "said"),
    [
        ("C", "casual", ["Levels (--bot), Elo: beginner ", "player 1: casual"]),
        ("zh_CN.UTF-8", "休闲", ["难度（--bot）和等级分：入门 ", "玩家 1：休闲"]),
    ],
)
def test_a_level_is_asked_for_and_named_in_both_languages_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str, asked: str, said: list[str]
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    file = tmp_path / "games.ddzn"
    done = play(["--rules", "mini", "--seed", 3, "--bot", asked, "--bot", "rule", "--save-games", file], ["quit"])
    assert done.exit_code == 0 and all(one in done.stdout for one in said)
    assert read_records(file)[0].names == ("person", "casual", "rule")
    assert "--bot casual --bot rule --seed 3" in done.stdout
    assert said[1] in play(["--resume", file], ["quit"]).stdout
    by_name = play(["--rules", "mini", *FAST], ["quit"]).stdout
    assert not any(one in by_name for one in said)
