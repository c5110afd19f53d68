"""A results file that was damaged in any way is read as it was, or refused in one sentence that names it."""

import gzip
import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.arena.some_files import keep, lines_in, put
from tests.support import ROOT
from tools.arena.plan import Plan
from tools.arena.results_file import OLD_FORMAT, load, read
from tools.arena.runner import Progress, run
from tools.report import main as report

PLAN = Plan("mini", ("random", "rule"), 12, 3)
Lines = list[dict[str, Any]]


@cache
def played(plan: Plan = PLAN) -> Progress:
    progress = Progress(plan, [[] for _ in plan.pairings])
    run(progress, 1, lambda *_: None)
    return progress


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "r.json"
    keep(path, played())
    return path


def old(results: dict[str, Any]) -> dict[str, Any]:
    return {**results, "format": OLD_FORMAT}


@pytest.fixture
def old_file(file: Path) -> Path:
    path = file.with_name("old.json")
    path.write_text(json.dumps(old(load(file)), separators=(",", ":")) + "\n")
    return path


def reported(path: Path) -> Result:
    return CliRunner().invoke(report, [str(path)])


def sentence(path: Path) -> str:
    """The one sentence with which a file is refused, as a user reads it."""
    with pytest.raises(ValueError, match=re.escape(f"results file {path}: ")) as refused:
        read(path)
    told = str(refused.value)
    assert "\n" not in told
    done = reported(path)
    assert done.exit_code == 2
    assert isinstance(done.exception, SystemExit), done.exception
    assert path.name in "".join(done.output.split())
    return told


def first_row(lines: Lines) -> dict[str, Any]:
    row: dict[str, Any] = lines[2]["block"][0][1]
    return row


DAMAGES: list[tuple[str, Callable[[Lines], object], str]] = [
    ("a doubled row", lambda lines: lines[3]["block"].append(lines[2]["block"][0]), "set 0 of random against rule st"),
    ("a row outside the plan", lambda lines: first_row(lines).update(set=12), "set is 12, which is not a whole number"),
    ("a row before the plan", lambda lines: first_row(lines).update(set=-1), "set is -1, which is not a whole number"),
    ("another pairing", lambda lines: lines[2]["block"][0].__setitem__(0, 1), "the pairing of a set is 1"),
    ("no pairing", lambda lines: lines[2]["block"].__setitem__(0, {}), "which is not a list of 2"),
    ("a missing key", lambda lines: first_row(lines).pop("games"), "lacks 'games'"),
    ("a missing count", lambda lines: first_row(lines)["counts"]["A"].pop("searched"), "counts.A lacks 'searched'"),
    ("a missing letter", lambda lines: first_row(lines)["ms"].pop("B"), "ms lacks 'B'"),
    ("an unknown key", lambda lines: first_row(lines).update(more=1), "has 'more', which is unknown"),
    ("a wrong type", lambda lines: first_row(lines).update(ms=[]), "ms is [], which is not an object"),
    ("a time in words", lambda lines: first_row(lines)["ms"]["A"].append("1"), "ms.A is '1', which is not a number"),
    ("true for a number", lambda lines: first_row(lines)["games"][0].update(landlord=True), "landlord is True"),
    ("another seating", lambda lines: first_row(lines)["games"][0].update(seating="BAA"), "which is not ABB"),
    ("a game too few", lambda lines: first_row(lines)["games"].pop(), "which is not a list of 2"),
    ("a score too few", lambda lines: first_row(lines)["games"][0]["scores"].pop(), "which is not a list of 3"),
    ("a score too high", lambda lines: first_row(lines)["games"][0].update(scores=[1e10, 0, 0]), "is not a set: score"),
    ("rules of nobody", lambda lines: lines[0].update(rules="chess"), "the match cannot be"),
    ("one contestant", lambda lines: lines[0]["contestants"].pop(), "the match cannot be of 1 contestants"),
    ("a test that is none", lambda lines: lines[0].update(sprt=[3, 0, 0.05, 0.05]), "the match cannot be"),
    ("no sets", lambda lines: lines[0].update(sets=0), "sets is 0"),
    ("no part", lambda lines: lines.pop(1), "line 2 does not say who played"),
    ("the second part first", lambda lines: lines[1].update(part=2), "part is 2"),
    ("no kernel", lambda lines: lines[1]["provenance"].pop("kernel"), "provenance lacks 'kernel'"),
    ("networks in words", lambda lines: lines[1]["provenance"].update(networks="x"), "networks is 'x'"),
    ("no summary", lambda lines: lines[-1].pop("summary"), "lacks 'summary'"),
    ("other contestants", lambda lines: lines[-1]["pairings"][0].update(a="rhcp"), "a is 'rhcp' and not 'random'"),
    ("nothing played", lambda lines: lines.__delitem__(slice(1, None)), "it was cut before the first set"),
]


@pytest.mark.parametrize(("damage", "told"), [one[1:] for one in DAMAGES], ids=[one[0] for one in DAMAGES])
def test_what_no_match_writes_is_refused_though_its_checksums_are_right(
    damage: Callable[[Lines], object], told: str, file: Path
) -> None:
    lines = lines_in(file)
    damage(lines)
    put(file, lines)
    assert told in sentence(file)


OLD_DAMAGES: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    (
        "doubled rows",
        lambda found: found["pairings"][0]["rows"].extend(found["pairings"][0]["rows"]),
        "set 0 of random",
    ),
    ("rows outside", lambda found: found.update(sets=5), "set is 5, which is not a whole number from 0 to 4"),
    ("no rows", lambda found: found["pairings"][0].pop("rows"), "pairings[0] lacks 'rows'"),
    ("no sets", lambda found: found.pop("sets"), "the file lacks 'sets'"),
    ("no pairings", lambda found: found.update(pairings=[]), "which is not a list of 1"),
    (
        "another format",
        lambda found: found.update(format="ddzbot-match/9"),
        "it is not a ddzbot-match/1 or ddzbot-match/2",
    ),
]


@pytest.mark.parametrize(("damage", "told"), [one[1:] for one in OLD_DAMAGES], ids=[one[0] for one in OLD_DAMAGES])
def test_the_older_format_is_read_as_strictly(
    damage: Callable[[dict[str, Any]], object], told: str, old_file: Path
) -> None:
    assert reported(old_file).exit_code == 0
    found = json.loads(old_file.read_text())
    damage(found)
    old_file.write_text(json.dumps(found))
    assert told in sentence(old_file)


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
    content, whole = file.read_bytes(), load(file)
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
        results = found.results()
        assert found.contradictions(results) == []
        if results == whole and not found.torn:
            continue
        # What is left of a file that was cut: its first blocks, as they were.
        rows = results["pairings"][0]["rows"]
        assert rows == whole["pairings"][0]["rows"][: len(rows)]
        assert found.torn or file.read_bytes() == content[: file.stat().st_size]
        assert len(rows) % 5 == 0 or rows == whole["pairings"][0]["rows"]
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


@pytest.mark.parametrize("kind", ["new", "old"])
def test_values_that_make_no_sense_are_told_in_one_sentence_or_found_by_the_report(
    kind: str, file: Path, old_file: Path
) -> None:
    chance = random.Random(f"values/{kind}")
    lines, object_of_old, path = lines_in(file), json.loads(old_file.read_text()), file if kind == "new" else old_file
    codes = set()
    for _ in range(250):
        value = json.loads(json.dumps(lines if kind == "new" else object_of_old))
        mutated(value, chance)
        if kind == "new":
            put(path, value)
        else:
            path.write_text(json.dumps(value))
        done = reported(path)
        assert done.exception is None or isinstance(done.exception, SystemExit), (value, done.exception)
        codes.add(done.exit_code)
        if done.exit_code == 2:
            assert done.output.count("Error: results file") == 1
    assert codes >= {1, 2}


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
    assert load(file)["summary"]["sets"] == 12


def test_files_are_read_compressed_too_and_damage_to_that_is_named(file: Path) -> None:
    kept = file.with_name("r.json.gz")
    kept.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    assert load(kept) == load(file)
    content = kept.read_bytes()
    chance = random.Random("gzip")
    for _ in range(60):
        kept.write_bytes(flipped(content, chance) if chance.random() < 0.5 else cut(content, chance))
        try:
            assert load(kept) == load(file)
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


def test_the_report_prints_the_whole_as_one_object(file: Path) -> None:
    done = CliRunner().invoke(report, [str(file), "--json"])
    found = json.loads(done.output)
    assert done.exit_code == 0
    assert {name: found[name] for name in load(file)} == load(file)
    assert found["parts"][0]["provenance"]["kernel"] == "5 0123456789ab"


def test_kept_files_of_the_older_format_say_that_nobody_knows_who_played() -> None:
    done = reported(ROOT / "results" / "champion" / "rhcp-before.json.gz")
    assert done.exit_code == 0
    assert "1000 sets: the file does not say which program played" in done.output
