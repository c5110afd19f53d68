"""Files with much JSON in them come back as they were, and damaged ones are refused in one sentence."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.records.some_records import EXAMPLE
from tests.support import ROOT
from tools.arena.files.results_file import Line, line_of, read
from tools.records.files import read_records
from tools.records.record import RecordError
from tools.records.text_reader import parse_record
from tools.shared.storage.journal import line_of as journal_line
from tools.shared.storage.journal import read_lines

BY_SIZE = sorted(ROOT.glob("results/*/*.json.gz"), key=lambda path: path.stat().st_size, reverse=True)
KEPT = sorted({path.parent: path for path in BY_SIZE}.values())
"""The smallest of each plan; tests/experiments/test_tables.py reads all."""


@pytest.mark.whole
@pytest.mark.parametrize("kept", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_kept_results_are_read_and_written_to_the_last_byte(kept: Path) -> None:
    found = read(kept)
    assert len(KEPT) > 9 and found.torn == 0
    content = gzip.decompress(kept.read_bytes())
    _, *lines = read_lines(content).values
    written, chain = b"", ""
    for line in (line_of(found.head), *(line_of(msgspec.convert(line, Line)) for line in lines)):
        data, chain = journal_line(line, chain)
        written += data
    assert written == content


def test_a_contestant_of_any_name_comes_back() -> None:
    head = {"contestants": [{"name": "python 机器人.py\udcff\x7f"}], "llr": 1e-7, "sprt": None}
    line, own = journal_line(head, "")
    assert line.decode("ascii") == json.dumps({**head, "sum": own}, separators=(",", ":")) + "\n"
    assert read_lines(line).values == [head]


def sentence(error: type[Exception], function: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(error) as caught:
        function(path)
    return str(caught.value)


BAD = [b"", b"\xff\xfe", b'{"a":"\xc3"}', b"\xef\xbb\xbf{}", b"{} {}", b'{"a":NaN}', b'{"a":1e400}', b"[" * 3000]


@pytest.mark.parametrize("data", BAD, ids=lambda data: repr(data[:12]))
@pytest.mark.parametrize(
    ("error", "function"), [(ValueError, read), (RecordError, read_records)], ids=["results", "records"]
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


# One codec.

BY_STANDARD = {
    "tools/arena/new/bot.py": "runs in the folder of a bot",
    "tools/arena/new/test_bot.py": "runs there, too",
    "tools/cluster/probe.py": "runs on workers, which may have other packages",
    "tools/lab/signed.py": "its text is hashed, and compared with that of other releases",
    "tools/referee/stdio.py": "prints the bytes of the platform's judge",
    "tools/release/weights_file.py": "its bytes give a network its name, and ddzbot reads them",
    "tools/shared/json_text.py": "does what orjson cannot",
    "tools/shared/words.py": "is read where a page of the browser is packed, which has no other packages",
}


def test_all_json_of_the_tools_goes_through_one_module() -> None:
    around = re.compile(r"^ *(?:import|from) (?:json|orjson)\b|\bmsgspec\.json\b", re.MULTILINE)
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tools").rglob("*.py")
        if around.search(path.read_text("utf-8"))
    }
    assert found <= {*BY_STANDARD}
