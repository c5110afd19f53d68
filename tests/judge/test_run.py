"""The first command: one game of three bots, with its record."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.judge import run
from tools.judge.run import main
from tools.records.files import read_records


@pytest.mark.whole
def test_a_game_is_shown_and_recorded_where_its_folder_is_made(tmp_path: Path) -> None:
    record = tmp_path / "records" / "last.jsonl"
    done = CliRunner().invoke(main, ["rule", "--game", "MiniFightTheLandlord", "--save-games", str(record)])
    assert done.exit_code == 0, done.output
    assert "seed " in done.output and "landlord plays " in done.output
    assert len(read_records(record)) == 1
    assert " play\n" not in done.output, "make says what comes next"


def test_where_pip_installed_it_it_says_what_comes_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "INSTALLED", True)
    monkeypatch.setattr(run, "judged", lambda words: 0)
    record = tmp_path / "a game.jsonl"
    said = CliRunner().invoke(main, ["rule", "--game", "MiniFightTheLandlord", "--save-games", str(record)]).output
    assert [line.rpartition(" -m tools ")[2] for line in said.splitlines()[-3:]] == [
        "play",
        "serve",
        f"view '{record}' --open",
    ]


def test_by_default_the_champion_plays_itself_a_second_a_turn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(run, "judged", lambda words: asked.append(words) or 0)
    monkeypatch.chdir(Path(run.__file__).parents[2])
    record = str(tmp_path / "last.jsonl")
    assert CliRunner().invoke(main, ["--save-games", record]).exit_code == 0
    assert CliRunner().invoke(main, ["--save-games", record, "--seed", "demo/1"]).exit_code == 0
    played, options = asked[0][:3], asked[0][3:]
    assert played == ["python bot.py --limit 1s"] * 3
    assert options == [*("--game", "FightTheLandlord", "--save-games", record, "--show", "--thoughts")]
    assert asked[1][5:7] == ["--seed", "demo/1"]


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["./no-such-bot"], 2, "program './no-such-bot' does not exist"),
        (["rule", "--save-games", "README.md/last.jsonl"], 2, "README.md"),
    ],
)
def test_what_cannot_be_played_or_recorded_is_said_before_the_game(
    words: list[str], status: int, sentence: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(main, [*words, *([] if "--save-games" in words else ["--save-games", f"{tmp_path}/x"])])
    assert done.exit_code == status
    assert sentence in done.output
