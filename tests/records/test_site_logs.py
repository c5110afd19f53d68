"""Logs of Botzone in every form in which they are downloaded, by file, by standard input and by folder."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.records.some_records import EXAMPLE
from tests.records.test_from_judge import bare_log, whole_log
from tools.arena.games.__main__ import main as games
from tools.records import json_values as json_values_module
from tools.records.__main__ import main as records_command
from tools.records.files import read_records, records_of
from tools.records.from_judge import record_of_log
from tools.records.record import GameRecord, RecordError
from tools.records.sources import SourceGame, source_games
from tools.study.review.__main__ import main as review
from tools.study.show import main as show
from tools.study.view.__main__ import main as view

NAMES = ("ann", "bob's bot", "牌")
MATCH = "0123456789abcdef01234567"

Forms = dict[str, str]
SOME = pytest.mark.parametrize("name", ["ftl1_game1", "ftl2_game1_randombids"])


def page_of(message: dict[str, Any]) -> str:
    """The page of a match as far as its script says what was played."""
    log = json.dumps(json.dumps(message["log"]))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            "<html><head><title>Match</title>",
            f"<script>var _rawLogJSON = {log};",
            f"  var initdata = {json.dumps(json.dumps(message['initdata']))};",
            f"  playerNames = {json.dumps(NAMES)};  matchID = '{MATCH}';",
            "</script></head><body></body></html>",
        ]
    )


def forms_of(message: dict[str, Any]) -> Forms:
    """One log as it comes: file names and contents."""
    log = message["log"]
    whole = {"success": True, "_id": MATCH, "players": [{"name": name} for name in NAMES], "logs": log}
    whole["initdata"] = json.dumps(message.get("initdata", ""))
    packed = {"_id": {"$oid": MATCH}, "players": [{"type": "bot", "bot": name} for name in NAMES], "log": log}
    return {
        "line.json": json.dumps({"log": log}) + "\n",
        "pretty.json": json.dumps({"log": log}, indent=2),
        "pretty.log": json.dumps({"log": log}, indent=4),
        "crlf.json": json.dumps({"log": log}, indent=1).replace("\n", "\r\n"),
        "mark.json": "\ufeff" + json.dumps({"log": log}, indent=1),
        "array.json": json.dumps(log),
        "array.txt": "\n\n" + json.dumps(log),
        "pretty-array.json": json.dumps(log, indent=2),
        "turns.json": "[\n" + ",\n".join(map(json.dumps, log)) + "\n]\n",
        "whole.json": json.dumps(whole),
        "pretty-whole.json": json.dumps(whole, indent=2),
        "pack.jsonl": json.dumps(packed) + "\n",
        "page.html": page_of({**message, "initdata": ""}),
        "page": page_of({**message, "initdata": ""}).replace("\n", "\r\n"),
    }


NAMED = ("whole.json", "pretty-whole.json", "pack.jsonl", "page.html", "page")


def same_game(record: GameRecord, other: GameRecord) -> bool:
    return (record.deal, record.bids, record.moves, record.result) == (
        other.deal,
        other.bids,
        other.moves,
        other.result,
    )


@SOME
def test_a_log_in_every_form_is_the_same_game(name: str, tmp_path: Path) -> None:
    message = whole_log(name)
    expected = record_of_log({"log": message["log"]})
    for file, content in forms_of(message).items():
        path = tmp_path / file
        path.write_text(content, encoding="utf-8", newline="")
        (record,) = read_records(path)
        assert same_game(record, expected), file
        assert record.names == (NAMES if file in NAMED else ("", "", "")), file
        assert record.tags.get("Match") == (MATCH if file in NAMED else None), file


@SOME
@pytest.mark.parametrize("command", [(records_command, "check", "-"), (games, "-", "--out", "-")])
def test_every_form_comes_by_standard_input(name: str, command: tuple[Any, ...]) -> None:
    outputs = set()
    for content in forms_of(whole_log(name)).values():
        done = CliRunner().invoke(command[0], [*command[1:]], input=content.encode())
        assert done.exit_code == 0, done.output
        lines = [line for line in done.output.splitlines() if not line.startswith(("[Match ", "[Player"))]
        outputs.add("\n".join(lines))
    assert len(outputs) == 1
    assert "0 problems" in str(outputs) or "hands" in str(outputs)


def test_the_other_formats_come_by_standard_input_too() -> None:
    for text in (EXAMPLE, "# a comment\n" + EXAMPLE, "\n\n" + EXAMPLE):
        done = CliRunner().invoke(games, ["-", "--out", "-"], input=text)
        assert done.output == EXAMPLE
    done = CliRunner().invoke(records_command, ["check", "-"], input="What is this?\n")
    assert (done.exit_code, done.output) == (2, "Error: standard input: it begins as no format does\n")


def run(command: Any, *words: object, text: str = "") -> Result:
    return CliRunner().invoke(command, [*map(str, words)], input=text.encode())


def test_the_commands_for_one_game_take_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page_of({**whole_log("ftl2_game1_randombids"), "initdata": ""})
    assert "landlord" in run(show, "-", text=text).output
    done = run(view, "-", text=text)
    assert done.exit_code == 0 and done.output.startswith("game.html: one game, ")
    # The page has suits, which only the log knows.
    assert '"3h' in Path("game.html").read_text("utf-8") or " 3h" in Path("game.html").read_text("utf-8")


def test_a_file_of_many_games_in_every_form(tmp_path: Path) -> None:
    games = [{"log": whole_log(name)["log"]} for name in ("ftl1_game1", "ftl1_game2", "ftl2_game1_randombids")]
    expected = [record_of_log(game) for game in games]
    for content in (
        "\n".join(map(json.dumps, games)),
        json.dumps(games),
        json.dumps(games, indent=2),
        "[" + ",\n".join(map(json.dumps, games)) + "]",
        "\n".join(json.dumps(game, indent=2) for game in games),
        "\n".join(json.dumps(game["log"]) for game in games),
        "\n".join(json.dumps(game["log"], indent=1) for game in games),
        json.dumps(games[0], indent=2) + "\n\n" + json.dumps(games[1:]),
    ):
        assert records_of(content, "json") == expected


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{\n"log": [1,\n', "line 1 '{': "),
        ('{"log": [}]', "line 1 '{\"log\": [}]': "),
        ('[\n{"output": {}},,\n]', "line 1 '[': "),
        ('[\n]\n{"log":\n', "line 3 '{\"log\":': "),
        ("[\n]\n] more", "line 3 '] more': "),
        ("[\n1,\n2]", "line 1 '[': it is not a JSON object"),
        ('{"log":\n"' + "x\n" * 2000, "line 1 '{\"log\":': "),
        ("hello", "line 1 'hello': "),
        ("[\n]", ""),
    ],
)
def test_what_is_no_log_is_refused_with_the_line_where_it_begins(content: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(RecordError) as refused:
        read_records(path)
    assert str(refused.value).startswith(f"{path}: {sentence or 'there is no game in it'}")


def test_values_over_many_lines_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    game = {"log": whole_log("ftl1_game1")["log"]}
    monkeypatch.setattr(json_values_module, "MOST_HELD", len(json.dumps([game], indent=1)) + 10)
    one, two = (json.dumps([game] * count, indent=1) for count in (1, 2))
    assert len(records_of(one, "json")) == 1
    assert len(records_of((json.dumps(game) + "\n") * 9, "json")) == 9, (
        "on lines of their own they are no more than one"
    )
    with pytest.raises(RecordError, match=r"line 1 '\[': .* put each game on a line of its own"):
        records_of(two, "json")


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("<html></html>", "it is no page of a match of Botzone: it does not set _rawLogJSON"),
        ('<script>_rawLogJSON = "";', "_rawLogJSON is not a log: it is empty, as while a match runs"),
        ('<script>_rawLogJSON = "[";', "_rawLogJSON is not a log: "),
        ('<script>\nvar _rawLogJSON = "[', "line 2: _rawLogJSON is not JSON: "),
    ],
)
def test_a_page_without_a_log_is_refused(page: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page)
    with pytest.raises(RecordError) as refused:
        read_records(path)
    assert str(refused.value).startswith(f"{path}: {sentence}")


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (["a", {"name": "b"}, {"type": "bot", "bot": {"name": "c"}}], ("a", "b", "c")),
        ([{"user": {"$oid": "a"}}, {}, 7], ("a", "", "")),
        ({"0": "a"}, ("", "", "")),
        ([{"name": {"name": {"name": {"name": "too deep"}}}}, "b", "c"], ("", "b", "c")),
    ],
)
def test_names_are_read_as_far_as_they_are_names(players: Any, names: tuple[str, ...]) -> None:
    assert record_of_log({**whole_log("ftl1_game1"), "players": players}).names == names


def test_the_seed_may_stand_in_a_text() -> None:
    log = bare_log("ftl1_game1")["log"]
    for initdata, seed in (
        (json.dumps({"seed": 7}), "7"),
        ("", None),
        ("no JSON", None),
        ({"seed": "x"}, "x"),
        (3, None),
    ):
        first = {**log[0], "output": {**log[0]["output"], "initdata": initdata}}
        assert record_of_log({"log": [first, *log[1:]]}).tags.get("Seed") == seed


# Folders.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of a log in some forms, and of what is not a game."""
    forms = forms_of(whole_log("ftl1_game1"))
    below = tmp_path / "logs" / "more"
    below.mkdir(parents=True)
    for place, name in ((below.parent, "pretty.json"), (below.parent, "page.html"), (below, "pack.jsonl")):
        (place / name).write_text(forms[name], encoding="utf-8")
    (below.parent / "game.ddzn").write_text(EXAMPLE + "\n" + EXAMPLE)
    (below.parent / "other.html").write_text("<html></html>")
    (below.parent / "results.json").write_text('{"format": "ddzbot-match/2"}\n')
    (below.parent / "notes.txt").write_text("not looked at")
    (below.parent / ".hidden.json").write_text("{")
    return below.parent


def test_a_folder_is_a_data_set(folder: Path) -> None:
    said: list[str] = []
    found = list(source_games([folder, folder / "game.ddzn"], say=said.append))
    names = ["game.ddzn", "game.ddzn", "pack.jsonl", "page.html", "pretty.json", "game.ddzn", "game.ddzn"]
    assert [game.file.name for game in found] == names
    assert [game.number for game in found] == [1, 2, 3, 4, 5, 6, 7]
    assert [game.place for game in found] == [1, 2, 1, 1, 1, 1, 2]
    assert [game.value is None for game in found] == [True, True, False, False, False, True, True]
    assert [sentence.split(": ")[:2] for sentence in said] == [
        ["Left out", str(folder / "other.html")],
        ["Left out", str(folder / "results.json")],
    ]


def test_a_folder_with_a_broken_file_or_without_a_game_is_refused(folder: Path) -> None:
    with (folder / "more" / "pack.jsonl").open("a") as file:
        file.write("{\n")
    with pytest.raises(RecordError, match=r"pack\.jsonl: line 2"):
        list(source_games([folder]))
    empty = folder / "empty"
    empty.mkdir()
    with pytest.raises(RecordError, match=r"there is no game in this folder; files of games end in \.ddzn, "):
        list(source_games([empty]))


def test_a_folder_and_standard_input_are_reviewed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewed: list[int] = []

    def note(games: Sequence[SourceGame], *_limits: object) -> list[Any]:
        reviewed.extend(game.number for game in games)
        return []

    monkeypatch.setattr("tools.study.review.__main__._review_games", note)
    assert run(review, folder, "--quiet").exit_code == 0
    assert reviewed == [1, 2, 3, 4, 5]
    assert run(review, folder, "--number", 4, "--number", 2, "--quiet").exit_code == 0
    assert reviewed[5:] == [2, 4]
    assert run(review, "-", "--quiet", text=EXAMPLE).exit_code == 0
    done = run(review, folder, "--number", 8, "--number", 2, "--quiet")
    assert (done.exit_code, "there is no game 8: the files have 5" in done.output) == (2, True)
    done = run(review, folder / "none.ddzn", "--quiet")
    assert (done.exit_code, "it cannot be read: No such file or directory" in done.output) == (2, True)
