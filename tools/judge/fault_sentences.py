"""
The sentences of faults, as files keep them in English: :data:`SENTENCES` are their forms.

:mod:`tools.shared.message_forms` reads a sentence by them, so that it can be translated.
"""

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import KIND_NAMES

from ..shared.message_forms import OTHERS, Forms

_SEATS: Forms = {seat: {} for seat in SEAT_NAMES}
_KINDS: Forms = {kind: {} for kind in KIND_NAMES}

_PLAYERS: Forms = {"player {number} ({seat})": {"seat": _SEATS}, "player {number}": {}}

_DEATHS: Forms = {"ended with exit code {code}": {}, "was killed by {signal}": {}}

_FAILURES: Forms = {
    "{how}: {words}": {"how": _DEATHS},
    **_DEATHS,
    "took longer than {seconds} s": {},
    "answered but neither ended nor asked to keep running within {seconds} s": {},
    "used {used} MiB of memory, allowed are {limit}": {},
    "printed more than {most} bytes in one turn": {},
    "ended without the marker line although it is to keep running": {},
    "printed no answer": {},
    "printed a byte order mark before its answer: print UTF-8 without one": {},
    "printed more than its answer: {text}": {},
    'printed no JSON object, such as {{"response": [3]}}, but {text}': {},
    "printed a response of {length} bytes: {most} are more than any move has": {},
    "printed invalid UTF-8: {text}": {},
    "printed no JSON: {text}": {},
    "could not be started: {program}: {why}": {},
}

_KICKERS: Forms = {
    "must be of different ranks outside its body": {},
    "must be outside its body": {},
    "may be any cards": {},
}

_REFUSALS: Forms = {
    "card {card} was not dealt to this player": {},
    "card {card} is not an integer": {},
    "card {card} is played a second time": {},
    "the response {response} is not a list of card ids": {},
    "there is no response": {},
    "verdict {verdict}": {},
    "{bid} is not a bid after {bids}": {"bid": {"nothing": {}, OTHERS: {}}},
    "a lead cannot be a pass": {},
    "{cards}: the hand {hand} does not hold these cards": {},
    "{cards}: these cards are not a move (rules {rules})": {},
    "{cards}: a {kind} is not a legal move (rules {rules})": {"kind": _KINDS},
    "{cards}: a {kind} takes {number} kicker a quad (rules {rules})": {"kind": _KINDS},
    "{cards}: a {kind} takes {number} kickers a quad (rules {rules})": {"kind": _KINDS},
    "{cards}: the kickers of a {kind} {which} (rules {rules})": {"kind": _KINDS, "which": _KICKERS},
    "{cards}: a {kind} cannot answer the {beaten_kind} {beaten}": {"kind": _KINDS, "beaten_kind": _KINDS},
    "{cards}: the answer to {beaten} must have {number} cards": {},
    "{cards}: it does not beat {beaten}": {},
}

SENTENCES: Forms = {
    "{player} was refused: {why} ({code})": {"player": _PLAYERS, "why": _REFUSALS},
    "{player} {what} ({verdict})": {"player": _PLAYERS, "what": _FAILURES},
}
"""Of :attr:`tools.judge.game.NamedFault.sentence`."""
