"""
One bot's conversation with the judge: a line in, a line out, whatever the line, the player and the clock do.

A response that is legal (a pass, or the smallest card) is found before any player is asked, which
:mod:`ddzbot.protocol.watchdog` does.
"""

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from ddzbot import __version__
from ddzbot.game import SEATS
from ddzbot.protocol.botzone import OwnTurn, TableState, asks_for_bid, begins_match, partial_view, rebuild
from ddzbot.protocol.budget import SHARE_OF_LIMIT, processor_seconds
from ddzbot.protocol.last_resort import DEBUG_BYTES, plain_response, shortened
from ddzbot.protocol.reading import read_json
from ddzbot.protocol.watchdog import Answer, Settings, Watchdog, sentence
from ddzbot.search.deadline import Clock
from ddzbot.view import BidView, View

SHORTEST_TEXT = 40
"""Characters to which a text of the debug output may be shortened; one that still does not fit is dropped."""


class Parsed(NamedTuple):
    """A history as the bot reads it, before a player is asked."""

    turn: Optional[OwnTurn]
    """None where the history makes no sense."""
    response: Any
    """A bid or card ids that are legal whatever the player does."""
    error: str
    """One sentence on what is wrong with the history; empty where nothing is."""


def parse_history(requests: Sequence[Any], responses: Sequence[Any]) -> Parsed:
    """
    Finds out what we know from all *requests*, the last of them unanswered, and our *responses*.

    :raises Exception: of any kind, if the messages do not even have our hand.
    """
    try:
        turn = rebuild(requests, responses)
        view = turn.view
        if isinstance(view, BidView):
            return Parsed(turn, 0, "")
        return Parsed(turn, TableState(view.rules, turn.own_ids, view.to_beat).safe_ids(), "")
    except Exception as error:  # what a judge never sends may break anything
        try:
            response = 0 if asks_for_bid(requests[-1]) else partial_view(requests, responses).safe_ids()
        except Exception:  # the first error says what is wrong, and not what else was tried
            raise error from None
        return Parsed(None, response, sentence(error))


class Session:
    """
    The bot between two lines. It remembers the match of a keep-running bot, and no state that could change a choice.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._requests: List[Any] = []
        self._responses: List[Any] = []
        self._envelope: Any = None
        """The latest envelope: bare requests carry no time limit of their own."""
        self._watchdog = Watchdog(settings)

    def answer(self, line: str, clock: Clock, first_turn: bool = True) -> str:
        """
        Answers one line of the judge with one line of JSON, without its line end. Never raises.

        *clock* runs since this turn began; *first_turn* is true for a process that has not answered yet.
        """
        try:
            self._take(read_json(line))
            chosen = self._choose(self._parse(), clock, first_turn)
        except Exception as error:
            chosen = Answer([], {"error": sentence(error)})
        return self._finish(chosen, clock)

    def _choose(self, parsed: Parsed, clock: Clock, first_turn: bool) -> Answer:
        if parsed.turn is None:
            return Answer(parsed.response, {"error": parsed.error})
        try:
            chosen = self._watchdog.ask(parsed.turn, parsed.response, clock, self._budget(clock, first_turn))
        except Exception as error:  # what is legal is known already
            chosen = Answer(parsed.response, {"error": sentence(error)})
        view = parsed.turn.view
        return chosen._replace(debug={**_seen(view), **chosen.debug}) if isinstance(view, View) else chosen

    def _take(self, message: Any) -> None:
        if isinstance(message, dict) and "requests" in message:
            requests, responses = message["requests"], message.get("responses")
            self._requests = list(requests) if isinstance(requests, list) else []
            self._responses = list(responses) if isinstance(responses, list) else []
            self._envelope = message
            return
        if begins_match(message, self._requests):
            self._requests, self._responses = [], []
        self._requests.append(message)

    def _parse(self) -> Parsed:
        """Finds out what we know, and a response that is legal whatever the player does."""
        try:
            return parse_history(self._requests, self._responses)
        except Exception as error:
            return Parsed(None, plain_response(self._requests, self._responses), sentence(error))

    def _budget(self, clock: Clock, first_turn: bool) -> float:
        planned = self._settings.budget.planned(self._envelope, first_turn)
        # One thread thinks, so that no more processor time goes by than time.
        return min(planned, clock.elapsed() + SHARE_OF_LIMIT * processor_seconds())

    def _finish(self, chosen: Answer, clock: Clock) -> str:
        if len(self._responses) < len(self._requests):
            self._responses.append(chosen.response)
        debug = {"v": __version__, **chosen.debug, "ms": int(1000 * clock.elapsed())}
        try:
            debug = _trimmed(debug)
        except Exception as error:  # the words of a player are never worth a game
            debug = {"v": __version__, "error": "debug: " + sentence(error)}
        return _encoded({"response": chosen.response, "debug": debug})


def _seen(view: View) -> Dict[str, Any]:
    """
    Makes the table as the bot understands it, for ``debug``: it shows at a glance whether the history was read right.
    """
    return {"rules": view.rules.name, "seat": view.seat, "left": [view.cards_left(seat) for seat in range(SEATS)]}


def _trimmed(debug: Dict[str, Any]) -> Dict[str, Any]:
    """Shortens the longest texts, and drops the largest other values, until the rest fits what the platform keeps."""
    kept = {key: shortened(value, DEBUG_BYTES) if isinstance(value, str) else value for key, value in debug.items()}
    while len(_encoded(kept)) > DEBUG_BYTES:
        key = max(kept, key=lambda key: len(_encoded(kept[key])))
        value = kept[key]
        if isinstance(value, str) and len(value) > SHORTEST_TEXT:
            kept[key] = shortened(value, max(SHORTEST_TEXT, len(value) * 3 // 4))
        else:
            del kept[key]
    return kept


def _encoded(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
