"""Every reader of text takes a byte order mark, and says of UTF-16 and of other bytes what is wrong and where."""

import bz2
import codecs
import gzip
import io
import json
import lzma
import sys
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from tests.records.test_from_icga import OPENING
from tests.records.test_site_logs import page_of
from tests.support import ROOT, command_line
from tools.arena.check.again import meet
from tools.command import main
from tools.records.files import records_of
from tools.records.jsonl import record_json
from tools.referee.stdio import judge_line
from tools.shared.bounds import DOS_END, UnreadableError, utf8_text
from tools.study.analyse.query import Query, QueryError, parse_line
from tools.study.line_program import LineProgram
from tools.tables.live.account import AccountError, read_secret

DEMO = (ROOT / "tests" / "data" / "rule-demo-1.ddzn").read_text("utf-8")
DEALS = "ddzbot-deals/1 mini\n99TTJQKA2 9TTJJQQK2 9JQKKAA2L A2B\n"
LOG = '{"log": [], "initdata": {"seed": "7"}}\n'
PLAN = '# a plan\n[[match]]\nname = "one"\ncontestants = ["rule", "random"]\nrules = "botzone"\nseed = 1\nsets = 1\n'
VIEW = "botzone 0 56689TTJJJQQKAAB 5JJ -@0 3334,3444,999T,-,-,55667788,-,-,K\n"
BOT = command_line("python", ROOT / "bot.py", "--player", "random", "--keep-running")
QUERY = json.dumps({"id": 1, "view": VIEW.strip()})


def log_in_json() -> dict[str, Any]:
    first = json.loads(judge_line("FightTheLandlord", '{"log": []}', "7"))
    return {"log": [{"output": first, "verdict": "OK"}], "initdata": ""}


class Reader(NamedTuple):
    """A command that reads the file FILE, or else the standard input; a BOT in it keeps running."""

    words: str
    content: str
    name: str = "file"


READERS = {
    "text": Reader("records check FILE", DEMO, "game.ddzn"),
    "JSON lines": Reader("records check FILE", record_json(records_of(DEMO)[0]) + "\n", "game.jsonl"),
    "a log": Reader("records check FILE", json.dumps(log_in_json(), indent=1), "game.json"),
    "a page": Reader("records check FILE", page_of(log_in_json()), "game.html"),
    "the championship's lines": Reader("records check FILE", OPENING, "game.icga"),
    "a packed file": Reader("records check FILE", DEMO, "game.ddzn.gz"),
    "a file without a suffix": Reader("records check FILE", DEMO),
    "records from stdin": Reader("records check -", DEMO),
    "show": Reader("show FILE", DEMO, "game.ddzn"),
    "deals": Reader("match rule random --rules mini --sets 1 --jobs 1 --quiet --deals FILE", DEALS),
    "a plan": Reader("experiments FILE --no-play", PLAN),
    "initdata": Reader("judge BOT BOT BOT --game FightTheLandlord2 --initdata FILE", '{\n"seed": "7"}\n'),
    "a log from stdin": Reader("judge --stdio --game FightTheLandlord2", LOG),
    "a seed": Reader("match rule random --rules mini --sets 1 --jobs 1 --quiet --seed @FILE", "12345\n"),
    "endgames": Reader("solve --json --endgames FILE", '{"hands": ["34", "5"]}\n'),
    "endgames from stdin": Reader("solve --json --endgames -", '{"hands": ["34", "5"]}\n'),
    "a position from stdin": Reader("analyse --human --limit 20p", VIEW),
}


def said(reader: Reader, data: bytes, folder: Path) -> tuple[int, str]:
    """Runs the command; gets its exit status, and all that it printed but for times."""
    path = folder / reader.name
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    words = [word.replace("FILE", str(path)).replace("BOT", BOT) for word in reader.words.split()]
    done = CliRunner().invoke(main, words, input=data)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("name", READERS)
def test_a_byte_order_mark_and_the_end_that_dos_writes_change_nothing(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    status, _ = said(reader, reader.content.encode(), tmp_path)
    assert status == said(reader, codecs.BOM_UTF8 + reader.content.encode() + DOS_END, tmp_path)[0] == 0


@pytest.mark.parametrize("name", READERS)
def test_utf_16_and_a_compressed_file_are_called_so(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    utf_16 = (reader.content.encode(encoding) for encoding in ("utf-16", "utf-16-le", "utf-16-be"))
    wrong = [*((data, "it is UTF-16: save it as UTF-8") for data in utf_16)]
    for data, sentence in (
        *wrong,
        (lzma.compress(reader.content.encode()), "it is compressed with xz: unpack it first"),
    ):
        status, text = said(reader, data, tmp_path)
        assert status == 2 and sentence in " ".join(text.split()), text


@pytest.mark.parametrize("name", READERS)
def test_bytes_that_are_not_utf_8_are_named_with_their_line(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    first, end, rest = reader.content.encode().partition(b"\n")
    # A command for one line reads no other.
    for number, data in ((1, b" \xc4\xe3" + first + end + rest), (2, first + end + b"\xff" + rest)):
        status, text = said(reader, data, tmp_path)
        if number == 2 and "stdin" in name and "\n" not in reader.content.strip():
            continue
        byte = "0xc4" if number == 1 else "0xff"
        shown = " ".join(text.split())
        assert status == 2 and f"line {number}: the byte {byte} is not UTF-8" in shown, shown
        assert "FILE" not in reader.words or reader.name in shown


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("game.ddzn", data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("gzip", gzip.compress(b"a", mtime=0)),
        ("bzip2", bz2.compress(b"a")),
        ("xz", lzma.compress(b"a")),
        ("zip", zipped(b"a")),
        ("zip", zipped(b"")),
        ("zstd", bytes.fromhex("28b52ffd 2001 0900 00 61")),
        ("7z", bytes.fromhex("377abcaf271c0004")),
    ],
)
def test_each_kind_of_compression_is_named(kind: str, data: bytes) -> None:
    with pytest.raises(UnreadableError, match=f"it is compressed with {kind}: unpack it first"):
        utf8_text(data)


def test_files_that_were_put_together_may_have_a_mark_each(tmp_path: Path) -> None:
    marked = codecs.BOM_UTF8 + DEMO.encode()
    assert said(READERS["text"], marked + b"\n" + marked, tmp_path)[0] == 0


def test_a_query_may_begin_with_a_mark() -> None:
    assert isinstance(parse_line(codecs.BOM_UTF8 + QUERY.encode()), Query)
    for data, sentence in ((QUERY.encode("utf-16"), "it is UTF-16"), (b"{\xff", "the byte 0xff is not UTF-8")):
        with pytest.raises(QueryError, match=sentence):
            parse_line(data)


def test_a_program_may_begin_its_answers_with_a_mark(tmp_path: Path) -> None:
    program = tmp_path / "marks.py"
    program.write_text("import sys\nfor line in sys.stdin:\n    print('\\ufeff[\"pass\"]', flush=True)\n", "utf-8")
    with LineProgram([sys.executable, "-X", "utf8", str(program)], 60.0) as asked:
        assert asked.ask({"hand": "3"}) == ["pass"]


def test_a_results_file_that_an_editor_saved_with_a_mark_is_read(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    words = ["match", "rule", "random", "--sets", "2", "--jobs", "1", "--quiet", "--results", str(results)]
    assert CliRunner().invoke(main, words).exit_code == 0
    plain = CliRunner().invoke(main, ["report", str(results)])
    content = results.read_bytes()
    results.write_bytes(codecs.BOM_UTF8 + content)
    assert CliRunner().invoke(main, ["report", str(results)]).output == plain.output
    again = CliRunner().invoke(main, words)
    assert again.exit_code == 2 and "byte order mark before its first line" in again.output
    results.write_bytes(content.decode().encode("utf-16"))
    refused = CliRunner().invoke(main, ["report", str(results)])
    assert refused.exit_code == 2 and f"{results}: it is UTF-16" in refused.output


def test_a_game_is_added_to_a_file_that_begins_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "games.ddzn"
    path.write_bytes(codecs.BOM_UTF8 + DEMO.replace("\n", "\r\n").encode())
    words = ["play", "--rules", "mini", "--bot", "random", "--limit", "20p", "--save-games", str(path)]
    done = CliRunner().invoke(main, words, input="\ufeffquit\n")
    assert done.exit_code == 0, done.output
    assert len(records_of(path.read_text("utf-8"))) == 2


def test_a_turn_that_was_saved_may_begin_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    for data, sentence in ((codecs.BOM_UTF8 + b"{}", "not what --save-turn writes"), ("{}".encode("utf-16"), "UTF-16")):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=sentence):
            meet(path, None)  # type: ignore[arg-type]  # no bot is asked


def test_a_secret_may_begin_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(0o600)
    path.write_bytes(codecs.BOM_UTF8 + b"abcdefgh\r\n")
    assert read_secret(path, {}) == "abcdefgh"
    path.write_bytes("abcdefgh".encode("utf-16"))
    with pytest.raises(AccountError, match="it is UTF-16"):
        read_secret(path, {})


def test_the_byte_is_named_where_it_stands() -> None:
    with pytest.raises(UnreadableError, match="line 9: the byte 0xe4 is not UTF-8"):
        utf8_text(b"\xef\xbb\xbfa\n\nb\xe4c\n\xff", 7)
    texts = [utf8_text(data) for data in (b"", b"\0", b"\xef\xbb\xbf", b"\xef\xbb\xbfa\xef\xbb\xbf")]
    assert texts == ["", "\0", "", "a\ufeff"]
