"""What a bot prints, without a process: through the judge's door, whole games, their records, a page and a terminal."""

import functools
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ddzbot.rules import MINI
from ddzbot.search.limit import Limit
from tests.bots.obedient_one_shot import respond
from tests.fuzz.checks import assert_is_a_sentence, check_record
from tools.arena.matches.game_records import GameStyle
from tools.arena.matches.plan import Match as Plan
from tools.arena.matches.programs import ProgramTable
from tools.arena.matches.sets import SetPlayer
from tools.arena.stats.row import Row, read_message
from tools.judge.game import JudgeGame
from tools.judge.game_report import JudgeScreen, result_table
from tools.judge.process import BotProcess, _encode
from tools.judge.process_answer import NO_REPLY, Answer, Reply, ReplyError, read_output
from tools.judge.process_exchange import End
from tools.judge.process_limits import Limits
from tools.judge.process_verdict import EndedTurn, rule_on
from tools.records.files import records_of
from tools.referee.games import make_referee
from tools.shared.bounds import LONGEST_LINE
from tools.shared.json_text import json_text
from tools.shared.message import to_json
from tools.shared.plain import plain_lines
from tools.shared.storage.journal import line_of, read_lines
from tools.shared.terminal import Console
from tools.study.view.game_data import game_data
from tools.study.view.render import embed
from tools.study.view.suits import card_ids

Print = Callable[[Sequence[Any], Sequence[Any]], bytes]

FORMS = "text", "json"
PLAN = Plan.of("mini", ("python -", "python -"), 1, 7)
DEALS = {
    "FightTheLandlord": {"allocation": [[4, 5], [8], [12]]},
    "FightTheLandlord2": {"allocation": [[4, 5], [8], [12]], "publiccard": []},
}


def answer_seeds() -> list[bytes]:
    """Answers of bots of this project and of others, to the first request of a game, and lines that are none."""
    values: list[Any] = [
        {"player": "champion", "playouts": 128, "moves": {"3": [64, 0.5], "pass": [64, 0.25]}, "seconds": 0.5},
        {"player": "mcm", "candidates": {"3": [1.5], "44": [0.5]}, "search": "certain win"},
        {"player": "rule", "failed_champion": "no network", "rule": "lead", "budget": 3.5},
        {"player": "forced"},
        {"moves": {"3": {"value": -1e300}, "33": {"value": 10**300}, "333": {"value": 0}}, "player": "x"},
        {"error": "time is up"},
        "text \ud83d\ude00 \u4e2d",
        "x" * 9000,
        functools.reduce(lambda inner, _: [inner], range(440), 0),
        1e300,
    ]
    whole = [{"response": [4], "debug": value, "data": {"a": value}, "globaldata": [value]} for value in values]
    lines = [json.dumps(answer).encode() for answer in [*whole, {"response": 3}, {"response": "3"}, {}]]
    return [*lines, b'{"response":[],"debug":1e400}', b'{"response":[4]}\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n']


def check_answer(data: bytes) -> None:
    """Lets bots print *data*, and what was read of it beside legal moves, in games of every kind."""
    try:
        reply = read_output(data)
    except ReplyError as error:
        assert_is_a_sentence(error)
        assert str(error).isascii() and str(error).isprintable()
        reply = NO_REPLY

    def raw(*_: Sequence[Any]) -> bytes:
        return data

    legal: Print = functools.partial(_legal, reply)
    if reply != NO_REPLY:
        _check_match("FightTheLandlord", legal, legal)
        _check_set(lambda *turn: legal(*turn) if len(turn[0]) == 1 else data, legal, FORMS[len(data) % 2])
    _check_match("FightTheLandlord", raw, legal)
    _check_match("FightTheLandlord2", raw, legal)


def _legal(reply: Reply, requests: Sequence[Any], responses: Sequence[Any]) -> bytes:
    fields = {**reply._asdict(), "response": respond(requests, responses)}
    printed = json.dumps(fields, ensure_ascii=len(requests) % 2 == 0).encode()
    # What has come in once comes in again, and as what it was.
    assert repr(read_output(printed)) == repr(Reply(**fields))
    return printed


class _Printing(BotProcess):
    """A one-shot bot whose processes are a function."""

    def __init__(self, printed: Print) -> None:
        super().__init__("python -")
        self._printed = printed

    def _envelope_turn(self, requests: Sequence[Any], responses: Sequence[Any], data: Any, globaldata: Any) -> Answer:
        envelope = self._envelope(requests, responses, data, globaldata, 1.0)
        sent = _encode(envelope)
        assert sent.count(b"\n") == 1
        assert json.loads(sent) == envelope
        ended = EndedTurn(
            self.name, End.EXIT, 0, self._printed(requests, responses), "", 1.0, 1.0, Limits(), False, False
        )
        ruling = rule_on(ended)
        return Answer(ruling.verdict, *ruling.reply, seconds=0.5, peak_mib=1.0, problem=ruling.problem)


def _check_match(game: str, first: Print, others: Print) -> None:
    """Plays and draws a match as ``tools.judge --show --thoughts --save-games`` does, and reads its record."""
    match = JudgeGame(make_referee(game, DEALS[game], ""), [_Printing(first), _Printing(others), _Printing(others)])
    screen_bytes = io.BytesIO()
    console = Console(file=io.TextIOWrapper(screen_bytes, "utf-8", write_through=True), width=80)
    screen = JudgeScreen(console, ["a", "b", "c"], match, thoughts=True)
    for turn in match.turns():
        screen.draw(turn)
    console.print(result_table(match, ["a", "b", "c"]))
    drawn = screen_bytes.getvalue().decode("utf-8")
    assert drawn == plain_lines(drawn), "a terminal would obey something of it"
    for fault in match.faults:
        assert_is_a_sentence(fault.sentence)
    line = json_text(match.record(game))
    assert len(line.encode("utf-8")) < LONGEST_LINE
    (record,) = records_of(line, "json")
    check_record(record, card_ids(json.loads(line)))


def _check_set(first: Print, second: Print, form: str) -> None:
    """Plays a set as ``tools.arena.match --results --save-games --thoughts`` does, and reads what it writes."""
    table = ProgramTable(MINI, Limit(), dict(zip("AB", PLAN.contestants, strict=True)))
    for letter, position in table._bots:
        table._bots[letter, position] = _Printing(first if letter == "A" else second)
    player = SetPlayer(PLAN, GameStyle(form, thoughts=True))
    player._tables[0] = table.play
    row, texts = player.played(0, 0)
    (read_back,) = read_lines(line_of(msgspec.to_builtins(row, enc_hook=to_json), "")[0]).values
    assert msgspec.convert(read_back, Row, dec_hook=read_message) == row
    for record_text in texts:
        (record,) = records_of(record_text, form)
        embed({"games": [game_data(record)]}).encode("utf-8")
