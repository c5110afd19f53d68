"""Files with much JSON in them come back as they were, and damaged ones are refused in one sentence."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.records.some_records import EXAMPLE
from tests.support import ROOT
from tools.arena.results import FORMAT
from tools.arena.results_file import OLD_FORMAT, load, read
from tools.records.files import read_records
from tools.records.record import RecordError
from tools.records.text_reader import parse_record
from tools.shared import json_text
from tools.shared.kept.journal import line_of, read_lines

KEPT = {
    path: form
    for path in sorted(ROOT.glob("results/*/*.json.gz"))
    for form in (OLD_FORMAT, FORMAT)
    if gzip.decompress(path.read_bytes()).startswith(f'{{"format":"{form}"'.encode())
}
SHORT_AND_OLD = sorted((path for path in KEPT if KEPT[path] == OLD_FORMAT), key=lambda path: path.stat().st_size)[:3]


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


def test_there_are_kept_results_of_both_formats() -> None:
    assert len(KEPT) > 30 and set(KEPT.values()) == {OLD_FORMAT, FORMAT}


@pytest.mark.whole
@pytest.mark.parametrize("kept", KEPT, ids=named)
def test_every_number_of_a_kept_results_file_comes_from_its_rows(kept: Path) -> None:
    found = read(kept)
    assert found.said is not None and found.contradictions(found.results()) == []


@pytest.mark.parametrize("kept", SHORT_AND_OLD, ids=named)
def test_results_are_read_and_written_to_the_last_byte(kept: Path, tmp_path: Path) -> None:
    content, file = gzip.decompress(kept.read_bytes()), tmp_path / "results.json"
    file.write_bytes(content)
    results = load(file)
    assert repr(results) == repr(load(kept)) == repr(json.loads(content))
    assert json_text.json_text(results, ascii_only=True).encode() + b"\n" == content


def test_a_contestant_of_any_name_comes_back() -> None:
    head = {"contestants": [{"name": "python 机器人.py\udcff\x7f"}], "llr": 1e-7, "sprt": None}
    line, own = line_of(head, "")
    assert line.decode("ascii") == json.dumps({**head, "sum": own}, separators=(",", ":")) + "\n"
    assert read_lines(line).values == [head]


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
def test_a_damaged_file_is_refused_in_one_sentence(
    error: type[Exception], function: Callable[[Path], object], data: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(data or b"\n" * (function is not read_records) or b"1")
    told = sentence(error, function, path)
    assert "odd.json" in told and "\n" not in told


def test_a_debug_value_that_could_not_be_written_again_is_refused() -> None:
    line = EXAMPLE.replace('{"player":"rule"}', '{"player":1e400}')
    with pytest.raises(RecordError, match="debug is not a JSON value"):
        parse_record(line)
