"""
One bot's conversation with the judge: a line in, a line out, whatever the line, the player and the clock do.

An answer that is legal (a pass, or the smallest card) is found before any player is asked. The player then thinks in a
thread of its own and leaves behind its best move so far, and in the end its choice; whoever waits for it takes what
is there when the time is up. A thread that never returns is left alone; it cannot hold up the answer.
"""

import json
import threading
from typing import Any, Dict, List, NamedTuple, Optional, Union

from ddzbot import __version__
from ddzbot.engine import Engine
from ddzbot.game import SEATS
from ddzbot.kernel import describe, native
from ddzbot.protocol.botzone import Knowledge, Table, asks_for_bid, begins_match, rebuild, salvage
from ddzbot.protocol.budget import SHARE_OF_LIMIT, Budget, processor_seconds
from ddzbot.protocol.reading import read_json
from ddzbot.rules import explain
from ddzbot.search.clock import Clock
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

DEBUG_BYTES = 1000
"""The platform keeps 1 KB of debug output a turn."""


class Settings(NamedTuple):
    """What the user chose on the command line."""

    player: str
    seed: int
    playouts: Optional[int]
    budget: Budget


class _Thinking:
    """The answer to one turn, as good as it is by now."""

    def __init__(self) -> None:
        self.response: Any = []
        self.debug: Dict[str, Any] = {}
        self.engine: Optional[Engine] = None
        self.knowledge: Optional[Knowledge] = None
        self.done = threading.Event()

    def best_response(self) -> Any:
        """Gets the player's best move so far if it has named a legal one, otherwise what is known to be legal."""
        try:
            move = self.engine.best_so_far if self.engine else None
            if self.done.is_set() or move is None or self.knowledge is None:
                return self.response
            view = self.knowledge.view
            if isinstance(view, BidView) or explain(view.rules, view.hand, move.cards, view.to_beat):
                return self.response
            return self.knowledge.ids(move.cards)
        except Exception:  # a player that never returns may have left anything there
            return self.response


class Session:
    """The bot between two lines. It remembers the match of a keep-running bot, and nothing that changes a choice."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._requests: List[Any] = []
        self._responses: List[Any] = []
        self._envelope: Any = None
        """The latest envelope: bare requests carry no time limit of their own."""
        self._engine: Optional[Engine] = None

    def answer(self, line: str, clock: Clock, first_turn: bool = True) -> str:
        """
        Answers one line of the judge with one line of JSON, without its line end. Never raises.

        *clock* runs since this turn began; *first_turn* tells a fresh process from one that has answered before.
        """
        thinking = _Thinking()
        try:
            self._take(read_json(line))
            budget = self._settings.budget.seconds(self._envelope, first_turn)
            # One thread thinks, so that no more processor time goes by than time.
            budget = min(budget, clock.seconds() + SHARE_OF_LIMIT * processor_seconds())
            self._understand(thinking)
            if thinking.knowledge is not None:
                self._think(thinking, thinking.knowledge.view, clock, budget)
        except Exception as error:
            thinking.debug["error"] = _sentence(error)
        return self._finish(thinking, clock)

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

    def _understand(self, thinking: _Thinking) -> None:
        """Finds out what we know, and an answer that is legal whatever the player does."""
        requests, responses = self._requests, self._responses
        try:
            knowledge = rebuild(requests, responses)
            view = knowledge.view
            if isinstance(view, BidView):
                thinking.response = 0
            else:
                thinking.response = Table(view.rules, knowledge.own_ids, view.to_beat).safe_ids()
                thinking.debug.update(_seen(view))
            thinking.knowledge = knowledge
        except Exception as error:  # what a judge never sends may break anything
            thinking.debug["error"] = _sentence(error)
            thinking.response = 0 if asks_for_bid(requests[-1]) else salvage(requests, responses).safe_ids()

    def _think(self, thinking: _Thinking, view: Union[View, BidView], clock: Clock, budget: float) -> None:
        def work() -> None:
            try:
                self._decide(thinking, view, clock, budget)
            except BaseException as error:  # this thread is nobody else's
                thinking.debug["error"] = _sentence(error)
            finally:
                thinking.done.set()

        try:
            threading.Thread(target=work, daemon=True).start()
        except RuntimeError:  # no thread to be had: better late than never
            work()
        if thinking.done.wait(max(0.0, budget - clock.seconds())):
            self._engine = thinking.engine
        else:
            thinking.debug["error"] = "the player did not answer in time"
            # Whatever still runs in that thread keeps its engine to itself.
            self._engine = None

    def _decide(self, thinking: _Thinking, view: Union[View, BidView], clock: Clock, budget: float) -> None:
        engine = self._engine or Engine(self._settings.player, self._settings.seed, survives=(BaseException,))
        thinking.engine = engine
        if native() is None:
            thinking.debug["kernel"] = describe()
        if isinstance(view, BidView):
            bid = engine.bid(view)
            thinking.debug.update(bid.debug)
            thinking.response = bid.bid
            return
        limit = Limit(self._settings.budget.for_player(budget - clock.seconds()), self._settings.playouts)
        decision = engine.choose(view, limit)
        thinking.debug.update(decision.debug)
        assert thinking.knowledge is not None
        thinking.response = thinking.knowledge.ids(decision.move.cards)

    def _finish(self, thinking: _Thinking, clock: Clock) -> str:
        response = thinking.best_response()
        if len(self._responses) < len(self._requests):
            self._responses.append(response)
        debug = {"v": __version__, **thinking.debug, "ms": int(1000 * clock.seconds())}
        try:
            debug = _trimmed(debug)
        except Exception as error:  # the words of a player are never worth a game
            debug = {"v": __version__, "error": "debug: " + _sentence(error)}
        return _encoded({"response": response, "debug": debug})


def _seen(view: View) -> Dict[str, Any]:
    """What the bot believes the table to be; it shows at a glance whether the history was understood."""
    return {"rules": view.rules.name, "seat": view.seat, "left": [view.cards_left(seat) for seat in range(SEATS)]}


def _sentence(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]


def _trimmed(debug: Dict[str, Any]) -> Dict[str, Any]:
    """Drops the largest values until the rest fits what the platform keeps."""
    kept = dict(debug)
    while len(_encoded(kept)) > DEBUG_BYTES:
        del kept[max(kept, key=lambda key: len(_encoded(kept[key])))]
    return kept


def _encoded(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
