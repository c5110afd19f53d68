"""
What is fuzzed: for each reader some good inputs, and what must hold of any input.

A check takes bytes and returns, or raises. It returns for input that is refused in one sentence, and for input that is
taken, and then everything that a command does with it works too. An exception is a fault of the project's.
"""

import functools
import gzip
import hashlib
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ddzbot.net.current import MANIFEST, read_manifest
from ddzbot.net.packed import PREFIX, WeightsError, parse
from ddzbot.protocol.budget import Budget
from ddzbot.protocol.last_resort import last_resort
from ddzbot.protocol.session import Session
from ddzbot.protocol.watchdog import Settings
from ddzbot.rules import MINI, STANDARD
from ddzbot.search.deadline import Clock
from tests.fuzz.answers import answer_seeds, check_answer
from tests.fuzz.checks import assert_is_a_sentence, check_record
from tests.fuzz.hand_ins import check_hand_in, hand_in_seeds
from tests.judge.recorded import transcripts
from tests.protocol.envelopes import asked_in_scored_games, asked_in_transcripts
from tests.records.some_records import EXAMPLE
from tests.records.test_from_icga import OPENING
from tests.support import ROOT
from tools.arena.files.results_file import read as read_results
from tools.lab.experiments.plan import PlanError, read_plan
from tools.records.files import games_in, read_records, records_of, text_of
from tools.records.notation import NotationError, parse_position, parse_view, position_text, view_text
from tools.records.record import RecordError
from tools.referee.referee import RefereeError
from tools.referee.stdio import judge_line
from tools.shared.work.workers import Workers
from tools.study.analyse.query import QueryError, parse_line
from tools.study.rules import InputError
from tools.study.solve import read_problems
from tools.study.view.suits import card_ids

DATA = ROOT / "tests" / "data"
BOUNDS = "tools/shared/bounds.py"
JSON = ("tools/shared/json_text.py",)


class Target(NamedTuple):
    """A reader under test."""

    name: str
    seeds: Callable[[], list[bytes]]
    """Good inputs to begin with."""
    check: Callable[[bytes], None]
    watched: tuple[str, ...]
    """Folders or files of the project whose lines count as coverage."""


# The bot.


def _envelopes() -> list[bytes]:
    asked = [*asked_in_transcripts(), *asked_in_scored_games()]
    return [json.dumps(question.envelope).encode() for question in asked[:: max(1, len(asked) // 60)]]


def _check_protocol(data: bytes) -> None:
    line = data.decode("utf-8", "replace").replace("\n", " ")
    session = Session(Settings("rule" if len(data) % 2 else "random", 0, None, Budget(30.0, 30.0)))
    response = session.answer(line, Clock.starting_now())
    again = session.answer(line, Clock.starting_now(), first_turn=False)
    assert "in time" not in response + again
    for answered in (response, again, last_resort(line, "why")):
        assert "\n" not in answered
        answer = json.loads(answered)
        assert {*answer} == {"response", "debug"}
        assert isinstance(answer["response"], (list, int))
        assert len(json.dumps(answer["debug"], separators=(",", ":"))) < 1024


# Game records.


def _logs() -> list[bytes]:
    whole = [[*transcript.messages()][-1] for transcript in transcripts().values()]
    matches = [{"game": "FightTheLandlord2", "bots": ["a", "b", "c"], **log} for log in whole[::3]]
    return [json.dumps(log).encode() for log in (*whole, *matches)]


def _json_seeds() -> list[bytes]:
    games = [*records_of(EXAMPLE, "text"), *read_records(DATA / "records" / "thesis_games.jsonl.gz")[::8]]
    ours = [text_of([game], "json").encode() for game in games]
    logs = [json.loads(log) for log in _logs()[::7]]
    over_lines = [json.dumps(form, indent=1).encode() for log in logs for form in (log, log["log"])]
    return [*ours, b"".join(ours[:2]), *_logs(), *over_lines]


def _page_seeds() -> list[bytes]:
    page = '<html><script>\nvar _rawLogJSON = {};\nplayerNames = ["a", "b", "c"]; matchID = \'x\';\n</script>'
    logs = [json.loads(log)["log"] for log in _logs()[::5]]
    return [page.format(json.dumps(json.dumps(log))).encode() for log in logs]


def _text_seeds() -> list[bytes]:
    games = read_records(DATA / "records" / "thesis_games.jsonl.gz")[::8]
    return [
        EXAMPLE.encode(),
        *(text_of([game], "text").encode() for game in games),
        (EXAMPLE + "\n" + EXAMPLE).encode(),
    ]


def _icga_seeds() -> list[bytes]:
    return [OPENING.encode(), (OPENING + OPENING).encode(), (OPENING + "ERROR C\nOK ERROR\nGAMEOVER B\n").encode()]


def _check_records(suffix: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games" + suffix)
        path.write_bytes(data)
        try:
            games = list(games_in(path))
        except RecordError as error:
            assert_is_a_sentence(error)
            assert str(error).startswith(f"{path}: ")
            return
        for record, value in games:
            check_record(record, card_ids(value))


# Positions.


def _position_seeds() -> list[bytes]:
    docs = (ROOT / "docs" / "reference" / "records.md").read_text("utf-8")
    blocks = docs.split("```position\n")[1:] + docs.split("```view\n")[1:]
    return [line.encode() for block in blocks for line in block.partition("```")[0].splitlines()]


def _check_position(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for read, write in ((parse_position, position_text), (parse_view, view_text)):
        try:
            position = read(text)  # cards come in any order, as people type them, and are written in one
            written = write(position)
            assert read(written) == position and write(read(written)) == written
        except NotationError as error:
            str(error).encode("utf-8")


def _query_seeds() -> list[bytes]:
    limits: dict[str, Any] = {"seconds": 1.5, "playouts": 10, "top": 3, "seed": 7}
    fields = {"rules": "standard", "seat": 0, "hand": "34455", "bottom": "", "plays": ["66", "pass", "pass"]}
    texts = [("position" if seed.count(b" ") == 6 else "view", seed.decode()) for seed in _position_seeds()]
    queries = [{"id": 1, way: written, **limits} for way, written in texts]
    queries += [{"id": "x", **fields}, {"id": 2, "terminate": 1}]
    queries += [{"id": 3, "request": json.loads(envelope)} for envelope in _envelopes()[::5]]
    return [json.dumps(query).encode() for query in queries]


def _check_query(data: bytes) -> None:
    try:
        parse_line(data)
    except QueryError as error:
        json.dumps({"error": str(error), "id": error.id, "field": error.field})


def _endgame_seeds() -> list[bytes]:
    lines = [
        line
        for path in sorted((DATA / "endgames").glob("*.gz"))
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    return [*lines[:: max(1, len(lines) // 30)], b"\n".join(lines[:3]), gzip.compress(lines[0], mtime=0)]


def _check_endgames(data: bytes) -> None:
    file = io.BytesIO(data)
    file.name = "endgames"
    for rules in (STANDARD, MINI):
        file.seek(0)
        try:
            for problem in read_problems(file, rules, frozenset()):
                problem.shown.encode("utf-8")
                json.dumps(problem.name)
                problem.endgame.legal_moves()
        except InputError as error:
            assert_is_a_sentence(error)
            assert error.message.startswith("endgames:")


# What matches and trainings leave behind.


def _result_seeds() -> list[bytes]:
    files = sorted(ROOT.glob("results/*/*.json.gz"), key=lambda path: path.stat().st_size)
    return [gzip.decompress(path.read_bytes())[:60_000] for path in files[:2]] + [b'{"format":"ddzbot-match/1"}']


def _check_results(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results.json")
        path.write_bytes(data)
        try:
            read_results(path)
        except ValueError as error:
            assert str(path) in str(error)


def _plan_seeds() -> list[bytes]:
    return [path.read_bytes() for path in sorted(ROOT.glob("results/*/plan.toml"))]


def _check_plan(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plan.toml")
        path.write_bytes(data)
        try:
            for experiment in read_plan(path):
                experiment.command(Path(folder), Workers(1))
        except PlanError as error:
            assert_is_a_sentence(error)
            assert str(error).startswith(f"{path}:")


def _weight_seeds() -> list[bytes]:
    smallest = min(ROOT.glob("weights/*.ddzw"), key=lambda path: path.stat().st_size)
    content = smallest.read_bytes()
    return [_small_network(), content[:2000], _small_network()[:-1]]


@functools.cache
def _small_network() -> bytes:
    import numpy as np

    from ddzbot.net.packed import Packed
    from tools.release.weights_file import contents, float_tensor, integer_tensor, scaled_tensor

    values = np.linspace(-1, 1, 6).reshape(2, 3)
    tensors = {"a": float_tensor(values), "b": scaled_tensor(values), "c": float_tensor(values, "float16")}
    tensors["d"] = integer_tensor(np.arange(4), "int16")
    description = {"data": "none", "command": "none", "results": {}}
    return contents(Packed("mcm-1", "botzone", "mcm-cnn-1", tensors, description))


def _check_weights(data: bytes) -> None:
    # Most of the reader lies behind the hash: lengths and hash are set right, as an attacker would.
    for content in (data, _with_lengths_and_hash(data)):
        try:
            network = parse(content)
        except WeightsError as error:
            assert_is_a_sentence(error)
            continue
        for tensor in network.tensors.values():
            for numbers in (tensor.floats, tensor.integers):
                try:
                    numbers()
                except WeightsError as error:
                    assert_is_a_sentence(error)


def _with_lengths_and_hash(data: bytes) -> bytes:
    if len(data) < PREFIX.size + 33:
        return data
    magic, version, _, _, compression = PREFIX.unpack_from(data)
    end = len(data) - 32
    header = data.find(b"}]", PREFIX.size, end)
    header_end = data.find(b"}", header + 2, end) + 1 if header >= 0 else end
    header_end = header_end or end
    body = (
        PREFIX.pack(magic, version, header_end - PREFIX.size, end - header_end, compression) + data[PREFIX.size : end]
    )
    return body + hashlib.sha256(body).digest()


def _manifest_seeds() -> list[bytes]:
    return [(ROOT / "weights" / MANIFEST).read_bytes()]


def _check_manifest(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, MANIFEST).write_bytes(data)
        try:
            read_manifest(folder)
        except WeightsError as error:
            assert str(error).startswith(MANIFEST)


# The judge.


def _check_judge(data: bytes) -> None:
    for game in ("FightTheLandlord", "FightTheLandlord2"):
        try:
            judge_line(game, data.decode("utf-8", "replace"), "seed")
        except RefereeError as error:
            str(error).encode("utf-8")


TARGETS = {
    target.name: target
    for target in (
        Target("protocol", _envelopes, _check_protocol, ("ddzbot/protocol", "ddzbot/engine.py", "ddzbot/view.py")),
        Target("text", _text_seeds, functools.partial(_check_records, ".ddzn"), ("tools/records", BOUNDS)),
        Target("json", _json_seeds, functools.partial(_check_records, ".jsonl"), ("tools/records", "tools/referee")),
        Target("page", _page_seeds, functools.partial(_check_records, ".html"), ("tools/records",)),
        Target("icga", _icga_seeds, functools.partial(_check_records, ".icga"), ("tools/records",)),
        Target("position", _position_seeds, _check_position, ("tools/records/notation.py", "ddzbot/view.py")),
        Target(
            *("query", _query_seeds, _check_query),
            ("tools/study/analyse", "tools/records/notation.py", "ddzbot/protocol"),
        ),
        Target("endgames", _endgame_seeds, _check_endgames, ("tools/study/solve.py", BOUNDS, "ddzbot/search")),
        Target("results", _result_seeds, _check_results, ("tools/arena", *JSON)),
        Target("plan", _plan_seeds, _check_plan, ("tools/lab/experiments",)),
        Target("weights", _weight_seeds, _check_weights, ("ddzbot/net/packed.py",)),
        Target("manifest", _manifest_seeds, _check_manifest, ("ddzbot/net/current.py",)),
        Target("judge", _logs, _check_judge, ("tools/referee",)),
        Target("hand-in", hand_in_seeds, check_hand_in, ("tools/arena/field",)),
        Target("answer", answer_seeds, check_answer, ("tools/judge", "tools/records", "tools/study/view", *JSON)),
    )
}  # fmt: skip
