"""python -m tools records check, and games --out, which converts."""

import errno
import gzip
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.records.some_records import DATA, EXAMPLE
from tests.records.test_from_icga import OPENING
from tools.arena.games.__main__ import main as games
from tools.records.__main__ import main
from tools.records.check import reason_group
from tools.records.files import read_records
from tools.records.record import without_notes
from tools.records.text_reader import parse_record

THESIS = DATA / "records" / "thesis_games.jsonl.gz"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def converted(source: object, target: object, *options: object) -> Result:
    return CliRunner().invoke(games, [str(word) for word in (source, "--out", target, *options)])


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.ddzn"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", [".ddzn", ".ddzn.gz", ".jsonl", ".jsonl.gz"])
def test_files_of_every_suffix_hold_the_same_games(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"games{suffix}"
    result = converted(THESIS, target)
    assert (result.exit_code, result.output) == (0, f"{target}: 40 of 40 games\n")
    assert read_records(target) == read_records(THESIS)


def test_a_read_only_file_system_is_one_sentence(
    tmp_path: Path, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "replace", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    result = converted(example, tmp_path / "a.jsonl")
    said = f"Error: {tmp_path / 'a.jsonl'}: it cannot be written: Read-only file system\n"
    assert (result.exit_code, result.output) == (2, said)


def test_the_standard_output_is_a_dash(example: Path) -> None:
    assert converted(example, "-").output == EXAMPLE


def test_bare_leaves_out_the_notes_and_game_chooses_one(example: Path) -> None:
    assert converted(example, "-", "--bare").output == EXAMPLE[: EXAMPLE.index("note")]
    chosen = parse_record(converted(THESIS, "-", "--number", 35, "--bare").output)
    assert chosen == without_notes(read_records(THESIS)[34])


def test_a_transcript_is_converted_whatever_its_name(tmp_path: Path) -> None:
    for name in ("deal.icga", "deal.txt", "deal.ddzn"):
        (tmp_path / name).write_text(OPENING, encoding="utf-8")
        assert '[Player1 "North Wind"]' in converted(tmp_path / name, "-").output


def test_judges_records_and_logs_stand_in_one_file(tmp_path: Path) -> None:
    with gzip.open(DATA / "botzone" / "transcripts.jsonl.gz", "rt", encoding="utf-8") as lines:
        log = json.loads(json.loads(next(lines))["last_judge_stdin"])
    path = tmp_path / "logs.jsonl"
    match = {"game": "FightTheLandlord", "bots": ["a", "b", "c"], **log}
    path.write_text(json.dumps(log) + "\n\n" + json.dumps(match) + "\n", encoding="utf-8")
    assert [record.names[0] for record in read_records(path)] == ["", "a"]


def test_a_check_ends_with_0_without_problems_and_with_1_where_it_names_them(example: Path) -> None:
    result = run("check", example)
    assert (result.exit_code, result.output) == (
        0,
        "1 games, 25 moves, 0 illegal moves in 0 games, 0 problems in all\n",
    )
    result = run("check", THESIS)
    lines = result.output.splitlines()
    assert result.exit_code == 1
    assert lines[0] == "game 35, round 1, landlord_down: 33445566: the answer to 8899TT must have 6 cards"
    assert lines[24] == "40 games, 1161 moves, 24 illegal moves in 6 games, 24 problems in all"
    assert lines[26].split() == ["12", "the", "game", "is", "over"]
    assert run("check", THESIS, "--quiet").output.splitlines() == lines[24:]


def test_a_check_under_other_rules_judges_by_them(tmp_path: Path) -> None:
    path = tmp_path / "kickers.ddzn"
    lines = ["hands   33334466 ? ?", "1       333366 - -", "2       44*"]
    text = '[Rules "standard"]\nbottom  ?\nseats   landlord@0 landlord_down@1 landlord_up@2\n' + "\n".join(lines)
    path.write_text(text, encoding="utf-8")
    assert run("check", path).exit_code == 0
    result = run("check", path, "--rules", "botzone")
    assert result.exit_code == 1
    assert "333366: the kickers of a four_two_solo must be of different ranks outside its body" in result.output
    result = run("check", path, "--rules", "mini")
    assert result.exit_code == 2
    assert "Error: the deck of rules mini does not have all these cards" in result.output


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('Winner "landlord"', 'Winner "peasants"', "the winner is 'peasants', but by the moves it is 'landlord'"),
        ('Scores "6 -3 -3"', 'Scores "3 -3 0"', "the scores are 3, -3, 0, but by the moves they are 6, -3, -3"),
        ("9       5*\n", "", "the record says 'landlord out', but every hand has cards"),
    ],
)
def test_a_check_finds_a_result_that_is_not_that_of_the_moves(example: Path, old: str, new: str, problem: str) -> None:
    assert old in EXAMPLE
    example.write_text(EXAMPLE.replace(old, new), encoding="utf-8")
    result = run("check", example)
    assert result.exit_code == 1
    assert problem in result.output


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", b"", "a.txt: it begins as no format does"),
        ("a.ddzn", b"[x]", "a.ddzn: line 1 '[x]': a tag is written"),
        ("a.ddzn", b"\xff", "a.ddzn: line 1: the byte 0xff is not UTF-8"),
        ("a.ddzn.gz", b"text", "a.ddzn.gz: it cannot be read: "),
        ("a.jsonl", b"\n{", "a.jsonl: line 2 '{': "),
        ("a.jsonl", b"[3]", "a.jsonl: line 1 '[3]': it is not a JSON object"),
        ("a.jsonl", b"{}", "it is neither a record nor a judge's record or a log"),
        ("a.jsonl", b'{"log": []}', "line 1 '{\"log\": []}': log [] has no match"),
    ],
)
def test_input_that_is_no_record_ends_with_2_and_one_sentence(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    for result in (run("check", tmp_path / name), converted(tmp_path / name, "-")):
        assert result.exit_code == 2
        assert sentence in result.output
        assert result.output.count("\n") == 1


def test_what_cannot_be_done_ends_with_2(tmp_path: Path, example: Path) -> None:
    for arguments, sentence in (
        (["check", tmp_path / "none.ddzn"], "none.ddzn: it cannot be read: No such file or directory\n"),
        (["check", example, "--rules", "uno"], "Invalid value for '--rules'"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert sentence in result.output
    for words, sentence in (
        ([tmp_path / "x.icga"], "format 'icga' cannot be written; there are text, json"),
        ([tmp_path / "none" / "x.ddzn"], "x.ddzn: it cannot be written: No such file or directory\n"),
        (["-", "--number", 2], "there is no game 2: there are 1"),
    ):
        result = converted(example, *words)
        assert result.exit_code == 2
        assert sentence in result.output


def test_compressed_files_of_the_same_games_are_the_same_bytes(tmp_path: Path, example: Path) -> None:
    for name in ("a.ddzn.gz", "b.ddzn.gz"):
        converted(example, tmp_path / name)
    assert (tmp_path / "a.ddzn.gz").read_bytes() == (tmp_path / "b.ddzn.gz").read_bytes()


@pytest.mark.parametrize(
    ("problem", "group"),
    [
        ("33445566: the answer to 8899TT must have 6 cards", "the answer to … must have … cards"),
        ("L: a solo cannot answer the pair AA", "a solo cannot answer the pair …"),
        ("3: a shuttle_solo takes 2 kickers a quad", "a shuttle_solo takes 2 kickers a quad"),
    ],
)
def test_reasons_are_grouped_without_their_cards(problem: str, group: str) -> None:
    assert reason_group(problem) == group


@pytest.mark.parametrize("name", ["a.ddzn", "a.jsonl", "a.icga", "a.ddzn.gz"])
def test_a_file_without_a_game_is_an_error(name: str, tmp_path: Path) -> None:
    file, target = tmp_path / name, tmp_path / "out.ddzn"
    file.write_bytes(gzip.compress(b"\n\n") if name.endswith(".gz") else b"\n\n")
    target.write_text("kept")
    for result in (run("check", file), converted(file, target)):
        assert (result.exit_code, result.stdout, target.read_text()) == (2, "", "kept")
        assert result.stderr == f"Error: {file}: there is no game in it\n"


def test_what_could_not_be_written_whole_leaves_the_old_file(tmp_path: Path, example: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.ddzn"
    converted(example, source)
    source.write_text(source.read_text() + "{\n")
    target.write_text("as it was")
    result = converted(source, target)
    assert (result.exit_code, target.read_text()) == (2, "as it was")
    assert f"{source}: line 2" in result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.ddzn", "example.ddzn"]
