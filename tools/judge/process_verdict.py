"""
From the end of a turn to its verdict, and to the sentence that names the failure.

The order of the checks is a decision: a limit that was hit comes first, then how the process ended, and only then what
it printed. So a crash after a good answer is RE, as the official Windows runner counts it.
"""

import signal
from typing import NamedTuple

from ddzbot.protocol.last_resort import shortened

from ..shared.message import Message, prose
from ..shared.plain import plain
from .process_answer import NO_REPLY, Reply, ReplyError, Verdict, read_output
from .process_exchange import End
from .process_limits import Limits

STDERR_EXCERPT = 200


class EndedTurn(NamedTuple):
    """All that a verdict is made of."""

    name: str
    end: End
    exit_code: int | None
    output: bytes
    stderr: str
    seconds_allowed: float
    peak_mib: float
    limits: Limits
    must_keep: bool
    """The bot has to keep running, so it may not just end."""

    bare_responses: bool


class Ruling(NamedTuple):
    """The verdict, what the bot printed (nothing unless OK), and one sentence (empty when OK)."""

    verdict: Verdict
    reply: Reply
    problem: str


def rule_on(turn: EndedTurn) -> Ruling:
    """Decides on a turn; for example, End.TIME is TLE whatever was printed."""
    if turn.end is End.TIME:
        return _fail(turn, "TLE", _slowness(turn))
    if turn.end is End.MEMORY:
        return _fail(turn, "MLE", _greed(turn))
    if turn.end is End.OUTPUT:
        return _fail(turn, "OLE", Message("printed more than {most} bytes in one turn", most=turn.limits.output_bytes))
    if turn.end is End.EXIT and turn.exit_code != 0:
        return _fail(turn, "RE", _death(turn))
    try:
        reply = read_output(turn.output, turn.bare_responses)
    except ReplyError as error:
        return _fail(turn, "NJ", str(error))
    if turn.end is End.EXIT and turn.must_keep:
        return _fail(turn, "RE", Message("ended without the marker line although it is to keep running"))
    return Ruling("OK", reply, "")


def _fail(turn: EndedTurn, verdict: Verdict, fault: str) -> Ruling:
    return Ruling(
        verdict, NO_REPLY, Message("{player} {what} ({verdict})", player=turn.name, what=prose(fault), verdict=verdict)
    )


def _greed(turn: EndedTurn) -> Message:
    used, limit = f"{turn.peak_mib:.1f}", f"{turn.limits.memory_mib:g}"
    return Message("used {used} MiB of memory, allowed are {limit}", used=used, limit=limit)


def _slowness(turn: EndedTurn) -> str:
    try:
        read_output(turn.output, turn.bare_responses)
    except ReplyError:
        return Message("took longer than {seconds} s", seconds=turn.seconds_allowed)
    problem = "answered but neither ended nor asked to keep running within {seconds} s"
    return Message(problem, seconds=turn.seconds_allowed)


def _death(turn: EndedTurn) -> str:
    code = turn.exit_code or 0
    killed = code < 0
    how = Message("was killed by {signal}", signal=_signal_name(-code)) if killed else _ended(code)
    lines = [line.strip() for line in turn.stderr.splitlines() if line.strip()]
    if not lines:
        return how
    return Message("{how}: {words}", how=how, words=plain(shortened(lines[-1], STDERR_EXCERPT)))


def _ended(code: int) -> Message:
    return Message("ended with exit code {code}", code=code)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
