"""
What a bot's turn came to: the verdict, and the reading of the line that the bot printed.

Botzone's verdicts are OK, TLE (time), MLE (memory), OLE (output), NJ (not JSON) and RE (crash).

All that bots print becomes values here, and nowhere else. What :func:`read_output` takes can be sent back to a bot,
written into a record, and read by :mod:`tools.records` and a page; what it does not take is the verdict NJ.
"""

import codecs
import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from ..shared.json_text import LONGEST_KEPT, JSONDecodeError, json_text, parse_json
from ..shared.message import Message, prose

Verdict = Literal["OK", "TLE", "MLE", "OLE", "NJ", "RE"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""The line after the answer with which a bot asks to be kept running until its next turn."""

EXCERPT = 60

LEVELS = 450
"""Levels of lists and objects that an answer may have. A log or a page, which may have 500, adds some around it."""

_HALF = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.")
"""Escapes in JSON: those of a surrogate pair, half of one, and any other."""


@dataclass(frozen=True)
class Answer:
    """
    One turn of one bot as the judge saw it.

    Without an OK there is no response, not even when a good line came before the failure.
    """

    verdict: Verdict
    response: Any = None
    debug: Any = None
    data: Any = None
    globaldata: Any = None
    seconds: float = 0.0
    """Wall-clock time from the start of the turn to its end."""

    peak_mib: float = 0.0
    """Peak memory of the process so far; 0 if it was gone before anything could be measured."""

    stderr: str = ""
    """The last 64 KiB of what the bot wrote to standard error in this turn."""

    problem: str = ""
    """One sentence that names the failure, e.g. ``seat 1 took longer than 6.0 s (TLE)``; empty when OK."""

    fresh: bool = True
    """A process was started in this turn, so the bot was handed the full envelope."""

    kept: bool = False
    """The bot printed the marker after its answer, so its process is stopped until the next turn."""

    @property
    def ok(self) -> bool:
        """Checks if there is a response that a referee may look at."""
        return self.verdict == "OK"


class ReplyError(ValueError):
    """What the bot printed is not one JSON object in the platform's form (verdict NJ)."""


class Reply(NamedTuple):
    """The four fields of an answer; None for each that is missing."""

    response: Any
    debug: Any
    data: Any
    globaldata: Any


NO_REPLY = Reply(None, None, None, None)


def read_output(output: bytes, bare_responses: bool = False) -> Reply:
    r"""
    Reads everything that a bot printed in one turn.

    It must be one JSON object, on one line or over several, as the runners of the platform's people read it; only blank
    lines and a marker line may follow, so that chatter before or after the answer spoils it. For example,
    ``b'{"response":[3]}\n'`` has the response ``[3]``, and ``b'{}'`` has the response None. With *bare_responses* any
    value that is not an object with the key ``response`` is the response itself, as in one of these runners; the
    platform's documentation does not promise that.

    No number may be beyond a double, and half of a surrogate pair becomes U+FFFD.

    :raises ReplyError: for anything else, with the reason in a few words
    """
    printed = _without_marker(output)
    if not printed:
        raise ReplyError(Message("printed no answer"))
    if printed.startswith(codecs.BOM_UTF8):
        raise ReplyError(Message("printed a byte order mark before its answer: print UTF-8 without one"))
    try:
        answer = _read_json(printed)
    except ReplyError:
        answer_line, _, extra = printed.partition(b"\n")
        if extra and _is_json(answer_line):
            raise ReplyError(Message("printed more than its answer: {text}", text=_excerpt(extra.strip()))) from None
        raise
    # No typed row: the platform takes any JSON in these places, and its judge, which we play, gives the verdict.
    if isinstance(answer, dict) and ("response" in answer or not bare_responses):
        reply = Reply(*(answer.get(field) for field in Reply._fields))
    elif bare_responses:
        reply = Reply(answer, None, None, None)
    else:
        wrong = 'printed no JSON object, such as {{"response": [3]}}, but {text}'
        raise ReplyError(Message(wrong, text=_excerpt(printed)))
    length = len(json_text(reply.response).encode())
    if length > LONGEST_KEPT:
        raise ReplyError(
            Message(
                "printed a response of {length} bytes: {most} are more than any move has",
                length=f"{length:,}",
                most=f"{LONGEST_KEPT:,}",
            )
        )
    return reply


def lines_of_answer(output: bytes) -> int:
    """Counts the lines from the first one to the end of the answer: 1 is what the platform's documentation asks for."""
    printed = _without_marker(output)
    return output[: output.index(printed) + len(printed)].count(b"\n") + 1


def _without_marker(output: bytes) -> bytes:
    printed = output.strip()
    before, _, last_line = printed.rpartition(b"\n")
    return before.strip() if last_line.strip() == MARKER.encode() else printed


def _read_json(printed: bytes) -> Any:
    """Reads strict JSON: NaN and Infinity are Python's own inventions and no JSON parser of a site takes them."""
    try:
        text = printed.decode("utf-8")
    except UnicodeDecodeError:
        raise ReplyError(Message("printed invalid UTF-8: {text}", text=_excerpt(printed))) from None
    try:
        return parse_json(_HALF.sub(_whole_character, text), LEVELS)
    except JSONDecodeError:
        first_line = printed.partition(b"\n")[0]
        raise ReplyError(Message("printed no JSON: {text}", text=_excerpt(first_line))) from None
    except ValueError as error:
        raise ReplyError(Message("printed no JSON: {text}", text=prose(error))) from None


def _is_json(line: bytes) -> bool:
    try:
        _read_json(line)
    except ReplyError:
        return False
    return True


def _whole_character(escape: "re.Match[str]") -> str:
    """Puts U+FFFD in the place of half of a surrogate pair, which no encoder takes."""
    return r"\ufffd" if escape[1] else escape[0]


def _excerpt(text: bytes) -> str:
    """Quotes the start of *text* on one line, whatever bytes it holds."""
    quoted = ascii(text[:EXCERPT].decode("utf-8", "backslashreplace"))
    return quoted + "..." if len(text) > EXCERPT else quoted
