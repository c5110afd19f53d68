"""A results file that was damaged in any way is read as it was, or refused in one sentence that names it."""

import gzip
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.arena.some_files import keep, lines_in, played, put, results_in, rows_in
from tests.support import ROOT
from tools.arena.files.results_file import read
from tools.arena.matches.plan import Match
from tools.arena.report import main as report
from tools.arena.reports.results import as_json

PLAN = Match.of("mini", ("random", "rule"), 12, 3)
Lines = list[dict[str, Any]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "r.json"
    keep(path, played(PLAN))
    return path


def reported(path: Path) -> Result:
    return CliRunner().invoke(report, [str(path)])


def sentence(path: Path) -> str:
    """The one sentence with which a file is refused, as a user reads it."""
    with pytest.raises(ValueError, match=re.escape(f"results file {path}: ")) as refused:
        read(path)
    message = str(refused.value)
    assert "\n" not in message
    done = reported(path)
    assert done.exit_code == 2
    assert isinstance(done.exception, SystemExit), done.exception
    assert path.name in "".join(done.output.split())
    return message


def first_row(lines: Lines) -> dict[str, Any]:
    row: dict[str, Any] = lines[2]["sets"][0][1]
    return row


def first_game(lines: Lines) -> dict[str, Any]:
    game: dict[str, Any] = first_row(lines)["games"][0]
    return game


FAULT = {"game": 1, "by": "B", "verdict": "RE", "sentence": "why"}
TWICE = "line 4: set 0 of random against rule stands there twice"

DAMAGES: list[tuple[str, Callable[[Lines], object], str]] = [
    ("a doubled row", lambda lines: lines[3]["sets"].append(lines[2]["sets"][0]), TWICE),
    ("a row outside the plan", lambda lines: first_row(lines).update(set=12), "set 12 of random against rule is not"),
    ("a row before the plan", lambda lines: first_row(lines).update(set=-1), "`int` >= 0 - at `$.sets[0][1].set`"),
    ("another pairing", lambda lines: lines[2]["sets"][0].__setitem__(0, 1), "line 3: there is no pairing 1"),
    ("no pairing", lambda lines: lines[2]["sets"].__setitem__(0, {}), "Expected `array`, got `object`"),
    ("a missing key", lambda lines: first_row(lines).pop("games"), "missing required field `games`"),
    ("a stranger's count", lambda lines: first_row(lines)["counts"].update(C={}), "speaks of contestants or games"),
    (
        "no contestant's count",
        lambda lines: first_row(lines)["counts"].update(D={}),
        "matching regex '^[ABC]$' - at `key`",
    ),
    ("an unknown count", lambda lines: first_row(lines)["counts"]["A"].update(won=1), "unknown field `won`"),
    ("an unknown key", lambda lines: first_row(lines).update(more=1), "contains unknown field `more`"),
    ("a wrong type", lambda lines: first_row(lines).update(ms=[]), "Expected `object`, got `array`"),
    ("a time in words", lambda lines: first_row(lines)["ms"]["A"].append("1"), "Expected `float`, got `str`"),
    ("true for a number", lambda lines: first_game(lines).update(landlord=True), "Expected `int`, got `bool`"),
    ("a seat too many", lambda lines: first_game(lines).update(out=3), "`int` <= 2 - at `$.sets[0][1].games"),
    ("another seating", lambda lines: first_game(lines).update(seating="BAA"), "has not the games ABB BAA"),
    ("a game too few", lambda lines: first_row(lines)["games"].pop(), "has not the games ABB BAA"),
    ("a score too few", lambda lines: first_game(lines)["scores"].pop(), "of length 3, got 2"),
    ("a score too high", lambda lines: first_game(lines).update(scores=[1e10, 0, 0]), "rule is none: score"),
    ("a fault of D", lambda lines: first_row(lines).update(faults=[{**FAULT, "by": "D"}]), "matching regex"),
    ("a fault elsewhere", lambda lines: first_row(lines).update(faults=[{**FAULT, "game": 2}]), "games that it has"),
    ("a fault in a word", lambda lines: first_row(lines).update(faults=[{**FAULT, "verdict": 1}]), "Expected `str`"),
    ("unknown rules", lambda lines: lines[0].update(rules="chess"), "rule set 'chess' is unknown"),
    ("an unknown kind", lambda lines: lines[0].update(kind="swiss"), "Invalid enum value 'swiss' - at `$.kind`"),
    ("an unknown limit", lambda lines: lines[0].update(limit="soon"), "limit 'soon'"),
    ("one contestant", lambda lines: lines[1]["contestants"].pop(), "a match needs two contestants, not 1"),
    ("a test that is none", lambda lines: lines[0].update(sprt=[3, 0, 0.05, 0.05]), "line 2: upper bound"),
    (
        "a test of all",
        lambda lines: lines[0].update(kind="everybody", sprt=[0, 3, 0.05, 0.05]),
        "line 2: sprt is not a field",
    ),
    ("no sets", lambda lines: lines[1].update(sets=0), "Expected `int` >= 1 - at `$.sets`"),
    ("no part", lambda lines: lines.pop(1), "line 2: it does not name the program that played"),
    ("no kernel", lambda lines: lines[1]["provenance"].pop("kernel"), "field `kernel` - at `$.provenance`"),
    ("networks in words", lambda lines: lines[1]["provenance"].update(networks="x"), "$.provenance.networks"),
    ("others' identities", lambda lines: lines[1]["identities"].pop("rule"), "identities are not those"),
    ("a drop without a name", lambda lines: lines.append({"line": "dropped", "player": 3, "why": ""}), "at `$.player`"),
    ("a ranking of one", lambda lines: lines.append({"line": "ranking", "players": "rule", "sets": 4}), "$.players"),
    ("an unknown line", lambda lines: lines.append({"line": "won"}), "Invalid value 'won' - at `$.line`"),
    ("nothing played", lambda lines: lines.__delitem__(slice(1, None)), "it was cut before the first set"),
]


@pytest.mark.parametrize(("damage", "message"), [one[1:] for one in DAMAGES], ids=[one[0] for one in DAMAGES])
def test_what_no_match_writes_is_refused_though_its_checksums_are_right(
    damage: Callable[[Lines], object], message: str, file: Path
) -> None:
    lines = lines_in(file)
    damage(lines)
    put(file, lines)
    assert message in sentence(file)


def test_a_class_is_read_by_the_module_where_it_was(file: Path) -> None:
    lines = lines_in(file)
    text = json.dumps(lines[1])
    for old, new in (
        ("tools.arena.cheating:C:nodes=5", "tools.lab.cheating:C:nodes=5"),
        ("mine.arena:C", "mine.arena:C"),
    ):
        lines[1] = json.loads(text.replace('"rule"', f'"{old}"'))
        put(file, lines)
        (part,) = read(file).parts
        assert part.contestants == ("random", new) and {*part.identities} == {new, "random"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"format":"ddzbot-match/2","rules":"mini","sum":"x"}\n{}\n', "it is not a ddzbot-match/3 file"),
        ('{"format":"ddzbot-match/9"}', "it is not a ddzbot-match/3 file"),
        *((text, "it is not a ddzbot-match/3 file") for text in ("", "{}", "[]", "\x00")),
    ],
)
def test_other_formats_and_other_files_are_refused_by_name(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(content)
    assert message in sentence(path)


def flipped(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]


def cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def without_a_line(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    return b"".join(lines)


def with_a_line_twice(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return b"".join(lines)


def swapped(content: bytes, chance: random.Random) -> bytes:
    """Puts a piece of the file in another place of it, over what stands there."""
    length = chance.randrange(1, 40)
    source, at = (chance.randrange(len(content) - length) for _ in "12")
    return content[:at] + content[source : source + length] + content[at + length :]


WAYS = [flipped, cut, without_a_line, with_a_line_twice, swapped]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: str(way.__name__))
def test_a_damaged_file_is_read_as_it_was_or_refused_in_one_sentence(
    way: Callable[[bytes, random.Random], bytes], file: Path
) -> None:
    content, whole = file.read_bytes(), rows_in(file)[0]
    chance = random.Random(f"damage/{way.__name__}")
    refused = 0
    for _ in range(80):
        file.write_bytes(way(content, chance))
        try:
            found = read(file)
        except ValueError as error:
            assert str(error).startswith(f"results file {file}: ") and "\n" not in str(error)
            refused += 1
            continue
        (rows,) = found.rows_of(found.plan)
        if rows == whole and not found.torn:
            continue
        # What is left of a file that was cut: its first blocks, as they were.
        assert rows == whole[: len(rows)]
        assert found.torn or file.read_bytes() == content[: file.stat().st_size]
        assert len(rows) % 5 == 0 or rows == whole
    assert refused >= 3


def values_in(value: Any) -> list[tuple[Any, Any]]:
    """Lists (container, key) of every value below *value*."""
    if not isinstance(value, dict | list):
        return []
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [pair for key in keys for pair in values_in(value[key])]


ODD = [None, True, -1, 0, 10**30, 1.5, "", "x", "\ud800\n", [], {}, [[]], {"a": 1}]


def mutated(value: Any, chance: random.Random) -> None:
    """Takes a value out, puts an odd one in its place, or another one of the same file."""
    places = values_in(value)
    container, key = chance.choice(places)
    what = chance.randrange(3)
    if what == 0:
        del container[key]
    elif what == 1:
        container[key] = chance.choice(ODD)
    else:
        other, there = chance.choice(places)
        container[key] = json.loads(json.dumps(other[there]))


@pytest.mark.whole
def test_values_that_make_no_sense_are_told_in_one_sentence(file: Path) -> None:
    chance, lines, codes = random.Random("values"), lines_in(file), set()
    for _ in range(100):
        value = json.loads(json.dumps(lines))
        mutated(value, chance)
        put(file, value)
        done = reported(file)
        assert done.exception is None or isinstance(done.exception, SystemExit), (value, done.exception)
        codes.add(done.exit_code)
        if done.exit_code == 2:
            assert done.output.count("Error: results file") == 1
    assert codes == {0, 2}


def test_half_a_line_at_the_end_is_dropped_and_said(file: Path) -> None:
    content = file.read_bytes()
    ends = [found.end() for found in re.finditer(rb"\n", content)]
    file.write_bytes(content[: ends[3] - 30])
    done = reported(file)
    assert done.exit_code == 0
    assert f"the last {ends[3] - 30 - ends[2]} bytes are half a line and do not count" in done.output
    assert "unfinished: 5 of 12 sets" in done.output


def test_a_last_line_whose_middle_never_reached_the_disk_is_half_a_line(file: Path) -> None:
    content = file.read_bytes()
    begin = content[:-1].rindex(b"\n") + 1
    file.write_bytes(content[: begin + 10] + bytes(100) + content[begin + 110 :])
    assert read(file).torn == len(content) - begin
    assert len(rows_in(file)[0]) < 12


def test_files_are_read_compressed_too_and_damage_to_that_is_named(file: Path) -> None:
    kept = file.with_name("r.json.gz")
    kept.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    assert rows_in(kept) == rows_in(file)
    content = kept.read_bytes()
    chance = random.Random("gzip")
    for _ in range(60):
        kept.write_bytes(flipped(content, chance) if chance.random() < 0.5 else cut(content, chance))
        try:
            assert rows_in(kept) == rows_in(file)
        except ValueError as error:
            assert str(error).startswith(f"results file {kept}: ") and "\n" not in str(error)


@pytest.mark.parametrize(
    ("name", "reason"), [("no/such/wp.png", "No such file or directory"), ("wp.nonsense", "Format 'nonsense' is not")]
)
def test_a_picture_that_cannot_be_drawn_is_one_sentence(name: str, reason: str, file: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(report, [str(file), "--plot", str(tmp_path / name)])
    assert done.exit_code == 2 and done.stderr.startswith(f"Error: {tmp_path / name}: it cannot be drawn: {reason}")
    assert CliRunner().invoke(report, [str(file), "--plot", str(tmp_path / "wp.svg")]).exit_code == 0
    assert b"<svg" in (tmp_path / "wp.svg").read_bytes()


@pytest.mark.parametrize("option", ["--csv", "--page", "--plot"])
def test_nothing_is_written_over_the_results(file: Path, option: str) -> None:
    before = file.read_bytes()
    done = CliRunner().invoke(report, [str(file), option, str(file)])
    assert done.exit_code == 2 and f"{file}: it is named twice" in done.stderr
    assert file.read_bytes() == before


@pytest.mark.whole
def test_the_report_writes_its_files_though_nobody_reads_what_it_prints(file: Path, tmp_path: Path) -> None:
    """As ``| head -1`` leaves it: the first print fails."""
    wanted = [tmp_path / name for name in ("r.csv", "r.png", "r.html")]
    options = [
        word for option, path in zip(("--csv", "--plot", "--page"), wanted, strict=True) for word in (option, path)
    ]
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:
        words = [sys.executable, "-m", "tools", "report", file, *options]
        done = subprocess.run(words, stdout=closed, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert (done.stderr, [path.exists() for path in wanted]) == ("", [True] * 3)


def test_the_report_prints_the_whole_as_one_object(file: Path) -> None:
    done = CliRunner().invoke(report, [str(file), "--json"])
    found = json.loads(done.output)
    assert done.exit_code == 0
    whole = json.loads(json.dumps(as_json(results_in(file))))
    assert {name: found[name] for name in whole} == whole
    summary = found["pairings"][0]["summary"]
    for part in (summary, summary["landlord"], summary["peasants"], found["summary"]):
        assert {"wp", "wp95", "adp", "adp95"} <= {*part}
    assert found["parts"][0]["provenance"]["kernel"] == "5 0123456789ab"


def test_files_without_provenance_say_that_nobody_knows_who_played(file: Path) -> None:
    head, part, *blocks = lines_in(file)
    put(file, [head, {name: value for name, value in part.items() if name in ("line", "contestants", "sets")}, *blocks])
    done = reported(file)
    assert done.exit_code == 0
    assert "sets: the file does not say which program played" in done.output


def test_kept_results_say_who_played() -> None:
    kept = (ROOT / "results").glob("*/*.json.gz")
    assert not [path for path in kept if b'"provenance":' not in gzip.decompress(path.read_bytes())[:20000]]


@pytest.mark.whole
def test_the_reader_of_the_page_gets_what_the_report_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "reference" / "results-files.md").read_text("utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(ROOT)
    exec(program, {})
    wp, adp = re.findall(r"-?[\d.]+", capsys.readouterr().out)
    assert f"sets, by points │ {wp} (" in said_of(Path("results/time/botzone2.json.gz"))
    assert f"│ {adp} (" in said_of(Path("results/time/botzone2.json.gz"))


def said_of(path: Path) -> str:
    return " ".join(reported(path).output.split())
