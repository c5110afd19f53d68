"""
The faults in a recorded game, from its tags, its termination and its notes.

Matches write the tag ``Faults`` as ``RE by position 0: why; FALLBACK by position 2: why``, the judge's records as
sentences with the verdict at their end, and the platform's logs as codes.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..shared.message import Message, clauses
from .fallbacks import fallbacks_of
from .record import GameRecord

KINDS = ("failure", "illegal", "timeout", "fallback")
"""A crash or an answer that is none, an answer that the rules refuse, one that came too late, another player's."""

_FAILURES = ("RE", "MLE", "OLE", "NJ")
_BY_CODE = re.compile(
    r"(?:^|; )(?P<code>[A-Z_]+) by position (?P<position>[012])(?:: (?P<why>.*?))?(?=; [A-Z_]+ by |$)"
)
_BY_SENTENCE = re.compile(r"(?:^|; )(?P<why>player (?P<position>[012])\b.*?\((?P<code>[A-Z_]+)\))(?=;|$)", re.DOTALL)
_ENDED = re.compile(r"fault: (?P<code>[A-Z_]+) by position (?P<position>[012])")


class FaultOf(NamedTuple):
    """One thing that went wrong."""

    position: int
    kind: str
    """One of :data:`KINDS`."""
    code: str
    """The verdict or the platform's code, such as RE; FALLBACK where another player chose."""
    why: str
    """In words, as far as the record has any."""


def faults_in(record: GameRecord) -> list[FaultOf]:
    """Lists what went wrong, each kind once for each position."""
    by_kind: dict[tuple[int, str], FaultOf] = {}
    for fault in (*_recorded_faults(record), *_fallbacks(record)):
        by_kind.setdefault((fault.position, fault.kind), fault)
    return list(by_kind.values())


def ending_with_fault(termination: str) -> Message | None:
    """Makes the message of an ending that names a position at fault; None for any other."""
    match = _ENDED.fullmatch(termination)
    return Message("fault: {code} by position {position}", **match.groupdict()) if match else None


def said_in_tag(content: str) -> str:
    """Makes the message of what a match wrote into the tag ``Faults``; what others wrote stays as it is."""
    parts = [
        Message("{code} by position {position}: {why}", **match.groupdict()) for match in _BY_CODE.finditer(content)
    ]
    said = clauses(parts)
    return Message("Faults: {said}", said=said) if said == content and said else f"Faults: {content}"


def _recorded_faults(record: GameRecord) -> Iterator[FaultOf]:
    texts = ((_BY_CODE, record.tags.get("Faults", "")), (_BY_SENTENCE, record.tags.get("Faults", "")))
    for pattern, sentences in (*texts, (_ENDED, record.result.termination)):
        for match in pattern.finditer(sentences):
            parts = match.groupdict()
            yield FaultOf(int(parts["position"]), _kind(parts["code"]), parts["code"], parts.get("why") or "")


def _kind(code: str) -> str:
    if code in _FAILURES:
        return "failure"
    return {"TLE": "timeout", "FALLBACK": "fallback"}.get(code, "illegal")


def _fallbacks(record: GameRecord) -> Iterator[FaultOf]:
    if record.landlord_position is None:
        return
    for position, names in fallbacks_of(record).items():
        chose = ", ".join(f"{fallback} chose {count}" for fallback, count in sorted(names.items()))
        yield FaultOf(position, "fallback", "FALLBACK", f"{chose} of its moves")
