"""What a file may have is bounded while it is read: in bytes, lines, games and moves, and so in memory."""

import gzip
import io
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.records.some_records import EXAMPLE
from tests.support import ROOT
from tools.records import files, from_icga, text_reader
from tools.records.files import read_records, records_in, records_of, text_of
from tools.records.record import RecordError
from tools.shared import bounds
from tools.shared.bounds import LONGEST_LINE, MOST_MOVES, UnreadableError, lines_in, lines_of, whole_file
from tools.study import solve
from tools.study.rules import InputError

MOST_MEMORY_MIB = 200
GAME = json.loads(text_of(records_of(EXAMPLE, "text"), "json"))


def packed(path: Path, parts: Iterator[bytes]) -> Path:
    with gzip.open(path, "wb", compresslevel=1) as file:
        for part in parts:
            file.write(part)
    return path


# The peak of a process is at least that of the one that started it, which so must be small.
STARTER = """
import os, sys
pid = os.fork()
if pid == 0:
    os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])
_, status, used = os.wait4(pid, 0)
os.write(1, b"%d %d" % (status, used.ru_maxrss) + b" of starter")
"""


def peak_of(*arguments: object) -> tuple[int, str, float]:
    """Runs a command, and gets its exit status, what it said, and its peak memory in MiB."""
    command = [sys.executable, "-S", "-c", STARTER, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    found = re.fullmatch(r"(.*?)(\d+) (\d+) of starter", done.stdout, re.DOTALL)
    assert found
    return os.waitstatus_to_exitcode(int(found[2])), found[1], int(found[3]) / 1024


def with_debug(text: str, lines: int = 1) -> bytes:
    """Makes games of which one move has a large object as debug."""
    game = json.dumps({**GAME, "moves": [{**GAME["moves"][0], "debug": {"x": "DEBUG"}}, *GAME["moves"][1:]]})
    return (game.replace('"DEBUG"', text) + "\n").encode() * lines


ROOM = LONGEST_LINE - 4000
BOMBS: dict[str, tuple[str, Callable[[], Iterator[bytes]], str]] = {
    "one line": ("bomb.ddzn.gz", lambda: (b"3" * (1 << 20) for _ in range(300)), "line 1: it has more than 2,097"),
    "one game": (
        "bomb.ddzn.gz",
        lambda: (b'[A%d "x"]\n' % number for number in range(1 << 19)),
        "the lines of this game have more than 2,097,152 bytes",
    ),
    "many moves": (
        "bomb.ddzn.gz",
        lambda: iter([EXAMPLE.partition("9       5*")[0].encode(), *(b"%d - - -\n" % n for n in range(9, 99_999))]),
        "a game has at most 1000 moves",
    ),
    "many games": ("bomb.jsonl.gz", lambda: iter([with_debug("1", 1000)]), "1000 games"),
    "small objects": ("bomb.jsonl", lambda: iter([with_debug("[" + '{"":1},' * (ROOM // 7) + "0]", 3)]), "3 games"),
    "nested lists": ("bomb.jsonl", lambda: iter([with_debug("[" * 400 + "]" * 400)]), "1 games"),
    "too many levels": ("bomb.jsonl", lambda: iter([with_debug("[" * 4000 + "]" * 4000)]), "nested too deeply"),
}  # fmt: skip


AT_ONCE = ("one line", "small objects")
"""Those of every commit; the bounds of the others are tested below, made small."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in AT_ONCE else pytest.mark.whole) for name in BOMBS]
)
def test_no_file_takes_much_memory(name: str, tmp_path: Path) -> None:
    suffix, parts, sentence = BOMBS[name]
    path = tmp_path / suffix
    if suffix.endswith(".gz"):
        packed(path, parts())
    else:
        path.write_bytes(b"".join(parts()))
    status, said, peak = peak_of("tools.records", "check", "--quiet", path)
    assert sentence in said
    assert status == (0 if sentence.endswith("games") else 2)
    assert status == 0 or (said.startswith(f"Error: {path}: ") and said.count("\n") == 1)
    assert peak < MOST_MEMORY_MIB


@pytest.mark.whole
@pytest.mark.parametrize("command", ["games", "show", "view"])
def test_no_command_takes_much_memory(command: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl"
    path.write_bytes(with_debug("[" + "[]," * (ROOM // 3) + "0]", 1))
    target = tmp_path / "out.ddzn"
    words = {
        "games": ("tools.arena.games", path, "--out", target),
        "show": ("tools.study.show", path, "--number", 1),
        "view": ("tools.study.view", path, "--number", 1, "--out", tmp_path / "page.html"),
    }
    status, said, peak = peak_of(*words[command])
    assert (status, peak < MOST_MEMORY_MIB) == (0, True), said


def test_a_bomb_is_refused_by_every_other_reader(tmp_path: Path) -> None:
    bomb = packed(tmp_path / "bomb.jsonl.gz", (b"3" * (1 << 20) for _ in range(100)))
    for words in (("tools.study.solve", "--endgames", bomb), ("tools.tables.play", "--resume", bomb)):
        status, said, peak = peak_of(*words)
        assert status in (1, 2)
        assert "it has more than 2,097,152 bytes" in " ".join(said.split())
        assert peak < MOST_MEMORY_MIB
    with pytest.raises(UnreadableError, match="it has more than 1,048,576 bytes"):
        whole_file(bomb)


# Each bound, made small.


def test_a_file_is_measured_while_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = packed(tmp_path / "a.ddzn.gz", iter([b"# remark\n" * 100]))
    assert len(list(lines_of(path))) == 100
    with pytest.raises(UnreadableError, match="line 11: the file has more than 98 bytes"):
        list(lines_of(path, 98))
    assert bounds.MOST_LINES == 4_000_000
    monkeypatch.setattr(bounds, "MOST_LINES", 10)
    with pytest.raises(UnreadableError, match="the file has more than 10 lines"):
        list(lines_of(path))
    monkeypatch.setattr(bounds, "LONGEST_LINE", 5)
    with pytest.raises(UnreadableError, match="line 1: it has more than 5 bytes"):
        list(lines_of(path))


def test_a_large_file_is_taken_apart_as_a_small_one(tmp_path: Path) -> None:
    path = tmp_path / "large.ddzn"
    lines = [f"# remark {number} 斗地主\r" for number in range(9000)]
    lines[3000], lines[6000] = "\ufeff# a mark", "x" * 200_000
    path.write_bytes("\n".join(lines).encode())
    assert list(lines_of(path)) == [line.removeprefix("\ufeff") for line in lines]
    path.write_bytes("\n".join(lines).encode().replace(b"remark 8000", b"remark \xff"))
    with pytest.raises(UnreadableError, match="line 8001: the byte 0xff is not UTF-8"):
        list(lines_of(path))


def test_games_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(GAME) + "\n" + json.dumps(GAME) + "\n")
    monkeypatch.setattr(files, "MOST_RECORDS", 1)
    found = records_in(path)
    assert next(found).names == ("ann", "bob", "cat")
    with pytest.raises(RecordError, match=re.escape(f"{path}: it has more than 1 games")):
        next(found)
    monkeypatch.setattr(files, "MOST_HELD", 1000)
    with pytest.raises(RecordError, match="the file has more than"):
        read_records(path)


def test_a_file_of_as_many_games_as_are_allowed_is_not_too_large() -> None:
    with_thoughts = 10_000  # twice what a game of the champion and MCM has, with 1,000 playouts
    assert len(json.dumps(GAME)) < with_thoughts
    assert files.MOST_RECORDS * with_thoughts < bounds.MOST_BYTES


def test_moves_are_counted_in_every_format(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {**GAME, "moves": [{"cards": ""}] * (MOST_MOVES + 1), "winner": None, "termination": "unfinished"}
    with pytest.raises(RecordError, match="it has 1001 moves; a game has at most 1000"):
        records_of(json.dumps(many), "json")
    monkeypatch.setattr(text_reader, "MOST_MOVES", 20)
    with pytest.raises(RecordError, match=r"line 19 '7 .*a game has at most 20 moves"):
        records_of(EXAMPLE, "text")
    monkeypatch.setattr(from_icga, "MOST_MOVES", 0)
    with pytest.raises(RecordError, match="a game has at most 0 moves"):
        records_of("DEAL A0,4\nLEFTOVER A1,2,3\nPLAY A0\n", "icga")


def test_a_reason_does_not_quote_a_whole_line() -> None:
    with pytest.raises(RecordError) as caught:
        records_of(EXAMPLE.replace("5*", "5" * 100_000), "text")
    assert len(str(caught.value)) < 500


def test_endgames_are_counted_and_may_come_from_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b'{"hands":["3","4"]}\n' * 3
    for data in (content, gzip.compress(content)):
        assert len(list(lines_in(io.BytesIO(data)))) == 3
    monkeypatch.setattr(solve, "MOST_ENDGAMES", 2)
    file = io.BytesIO(content)
    file.name = "batch"
    with pytest.raises(InputError, match="batch: it has more than 2 endgames"):
        list(solve.read_problems(file, solve.rule_set("standard"), frozenset()))


def test_a_game_comes_before_the_next_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)
    writing = os.open(path, os.O_RDWR)
    line = json.dumps(GAME).encode() + b"\n"
    os.write(writing, line * 12)
    found = records_in(path)
    assert [next(found).names for _ in range(3)] == [("ann", "bob", "cat")] * 3
    os.close(writing)
    found.close()


def test_a_full_disk_is_one_sentence_and_leaves_the_old_file(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.ddzn"
    source.write_text(json.dumps(GAME) + "\n")
    target.write_text("as it was")
    done = subprocess.run(
        [sys.executable, "-m", "tools", "games", str(source), "--out", str(target)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert (done.returncode, done.stderr) == (2, f"Error: {target}: it cannot be written: File too large\n")
    assert target.read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.ddzn"]
