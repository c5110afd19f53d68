"""Files with much JSON in them: orjson and its twin of the standard library read and write the same."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot.rules import RULE_SETS
from tests.records.some_records import EXAMPLE, records
from tests.support import ROOT
from tools.arena.results import FORMAT
from tools.arena.results_file import OLD_FORMAT, load, read
from tools.records.files import read_records, records_of, text_of
from tools.records.jsonl import record_json
from tools.records.record import RecordError
from tools.records.text_reader import parse_record
from tools.shared import json_text, json_twin
from tools.shared.kept.journal import line_of, read_lines
from tools.view.game_data import game_data

DATA = ROOT / "tests" / "data" / "records"
GAMES = read_records(DATA / "thesis_games.jsonl.gz")
KEPT = {
    path: form
    for path in sorted(ROOT.glob("results/*/*.json.gz"))
    for form in (OLD_FORMAT, FORMAT)
    if gzip.decompress(path.read_bytes()).startswith(f'{{"format":"{form}"'.encode())
}
SHORT_AND_OLD = sorted((path for path in KEPT if KEPT[path] == OLD_FORMAT), key=lambda path: path.stat().st_size)[:3]

WAYS = ["orjson", "twin"]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways in turn: with orjson, and without it."""
    if request.param == "twin":
        monkeypatch.setattr(json_text, "orjson", None)
    return str(request.param)


@pytest.fixture
def no_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the twin refuse all work, so that orjson has to do it."""

    def refuse(*_: Any) -> Any:
        raise AssertionError("the twin was asked")

    monkeypatch.setattr(json_twin, "json_text", refuse)
    monkeypatch.setattr(json_twin, "parse_json", refuse)


def by_twin(function: Callable[..., Any], *arguments: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "orjson", None)
        return function(*arguments)


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


def test_there_are_kept_results_of_both_formats() -> None:
    assert len(KEPT) > 30 and set(KEPT.values()) == {OLD_FORMAT, FORMAT}


@pytest.mark.parametrize("kept", KEPT, ids=named)
def test_every_number_of_a_kept_results_file_comes_from_its_rows(kept: Path) -> None:
    found = read(kept)
    assert found.said is not None and found.contradictions(found.results()) == []


@pytest.mark.parametrize("kept", SHORT_AND_OLD, ids=named)
def test_results_are_read_and_written_to_the_last_byte(kept: Path, way: str, tmp_path: Path) -> None:
    content, file = gzip.decompress(kept.read_bytes()), tmp_path / "results.json"
    file.write_bytes(content)
    results = load(file)
    assert repr(results) == repr(load(kept)) == repr(json.loads(content))
    assert json_text.json_text(results, ascii_only=True).encode() + b"\n" == content


def test_results_and_records_are_the_work_of_orjson(no_twin: None) -> None:
    results = load(ROOT / "results" / "champion" / "rhcp.json.gz")
    assert read_lines(line_of(results, "")[0]).values == [results]
    assert records_of(text_of(GAMES, "json"), "json") == GAMES
    for number, game in enumerate([*GAMES[:28], parse_record(EXAMPLE)], 1):
        assert json_text.json_text(game_data(game, number))


def test_a_contestant_of_any_name_is_written_by_both_alike(way: str) -> None:
    head = {"contestants": [{"name": "python 机器人.py\udcff\x7f"}], "llr": 1e-7, "sprt": None}
    line, own = line_of(head, "")
    assert line.decode("ascii") == json.dumps({**head, "sum": own}, separators=(",", ":")) + "\n"
    assert read_lines(line).values == [head]


@settings(max_examples=40)
@given(st.sampled_from([*RULE_SETS.values()]).flatmap(records))
def test_any_record_is_written_by_both_alike_and_comes_back_from_both(record: Any) -> None:
    line = record_json(record)
    assert by_twin(record_json, record) == line
    assert records_of(line, "json") == by_twin(records_of, line, "json") == [record]


def test_the_games_of_the_thesis_are_read_and_written_by_both_alike() -> None:
    assert by_twin(read_records, DATA / "thesis_games.jsonl.gz") == GAMES
    assert by_twin(text_of, GAMES, "json") == text_of(GAMES, "json")


def sentence(error: type[Exception], function: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(error) as caught:
        function(path)
    return str(caught.value)


BAD = [b"", b"\xff\xfe", b'{"a":"\xc3"}', b"\xef\xbb\xbf{}", b"{} {}", b'{"a":NaN}', b'{"a":1e400}', b"[" * 3000]


@pytest.mark.parametrize("data", BAD, ids=lambda data: repr(data[:12]))
@pytest.mark.parametrize(
    ("error", "function"),
    [(ValueError, load), (RecordError, read_records)],
    ids=["results", "records"],
)
def test_a_damaged_file_is_refused_in_the_same_sentence(
    error: type[Exception], function: Callable[[Path], object], data: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(data or b"\n" * (function is not read_records) or b"1")
    told = sentence(error, function, path)
    assert by_twin(sentence, error, function, path) == told
    assert "odd.json" in told


def test_a_debug_value_that_could_not_be_written_again_is_refused() -> None:
    line = EXAMPLE.replace('{"player":"rule"}', '{"player":1e400}')
    with pytest.raises(RecordError, match="debug is not a JSON value"):
        parse_record(line)


PROGRAM = """
import sys
sys.modules["orjson"] = None
from tools.shared import json_text
from tools.shared.kept.journal import line_of
from tools.arena.results_file import load
from pathlib import Path
assert json_text.orjson is None
sys.stdout.buffer.write(line_of(load(Path(sys.argv[1])), "")[0])
"""


def test_without_the_package_the_same_bytes_are_written() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(SHORT_AND_OLD[0])], cwd=ROOT, check=True, capture_output=True
    )
    assert done.stdout == line_of(load(SHORT_AND_OLD[0]), "")[0]
