"""
Answers for a history of requests: by a registered player, or by a program that speaks the judge's protocol.

Everything here blocks, and is called from threads. There is always an answer if the requests allow one: a player that
fails has the engine's fallbacks behind it, and a program without a legal answer the player rule.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from ddzbot.cards import CardsError, hand_of_ids
from ddzbot.engine import FAILED, Engine
from ddzbot.protocol.botzone import OwnTurn, asks_for_bid
from ddzbot.protocol.session import Parsed, parse_history
from ddzbot.rules import explain
from ddzbot.search.limit import Limit
from ddzbot.view import BidView

from ...judge.process import BotProcess
from ...judge.process_limits import Limits
from ...programs.sandbox import warn_of_open_programs
from ...shared.contestants import Contestant
from ...shared.seeds import player_seed
from ..table.thinking import RemotePlayer, Thinkers
from .match import History, consistent

FALLBACK = "rule"
"""The player that answers for a program that does not."""
NO_HAND = "its first requests are missing, so that our cards are not known"


class UnanswerableError(ValueError):
    """Raised for requests that leave no answer that is surely legal; the message is the end of a sentence."""


class Response(NamedTuple):
    """A response, and comments on it."""

    response: Any
    """A bid, or card ids."""
    debug: dict[str, Any]
    problem: str = ""
    """One sentence, if something went wrong on the way; the response is legal all the same."""


class Decider(Protocol):
    """What answers requests: a player or a program."""

    name: str
    """As one writes it."""

    def decide(self, match: str, histories: Sequence[History]) -> Response:
        """
        Answers the last request of the first of *histories* that makes sense.

        :raises UnanswerableError: if nothing is surely legal.
        """

    def forget(self, match: str) -> None:
        """Lets go of what was kept for a match."""

    def close(self) -> None:
        """Ends all processes."""


def decider_of(contestant: Contestant, limit: Limit, seed: int, workers: int) -> Decider:
    """Makes the decider of a contestant of the command line."""
    if contestant.player is None:
        warn_of_open_programs([contestant.command])
        return ProgramDecider(contestant, limit)
    return PlayerDecider(contestant.player.text, limit, seed, workers)


class PlayerDecider:
    """A registered player, in a few processes that all matches share; its seed in a match follows from the name."""

    def __init__(self, spec: str, limit: Limit, seed: int, workers: int) -> None:
        self.name = spec
        self._limit, self._seed = limit, seed
        self._thinkers = Thinkers(workers)
        self._engines: dict[str, Engine] = {}

    def decide(self, match: str, histories: Sequence[History]) -> Response:
        """Answers as described in :class:`Decider`."""
        parsed = parse(consistent(histories))
        if parsed.turn is None:
            return Response(parsed.response, {}, parsed.error)
        return by_engine(self._engine(match), parsed.turn, self._limit)

    def _engine(self, match: str) -> Engine:
        if match not in self._engines:
            seed = player_seed(f"live/{self._seed}/{match}", 0, 0)
            self._engines[match] = Engine(RemotePlayer(self.name, seed, self._thinkers))
        return self._engines[match]

    def forget(self, match: str) -> None:
        """Lets go of the engine."""
        self._engines.pop(match, None)

    def close(self) -> None:
        """Ends the processes, in the middle of a thought too."""
        self._thinkers.close()


class ProgramDecider:
    """A program, in a process for each match."""

    def __init__(self, contestant: Contestant, limit: Limit) -> None:
        self.name = contestant.spec
        self._command, self._limit = contestant.command, limit
        self._bots: dict[str, BotProcess] = {}

    def decide(self, match: str, histories: Sequence[History]) -> Response:
        """Answers as described in :class:`Decider`."""
        history = consistent(histories)
        parsed = parse(history)
        if parsed.turn is None:
            return Response(parsed.response, {}, parsed.error)
        if history is not histories[0]:
            self.forget(match)  # the process that was kept remembers something else
        answer = self._bot(match).turn(*history)
        problem = answer.problem if not answer.ok else _problem_of(parsed.turn, answer.response)
        debug = {} if answer.debug is None else answer.debug
        if not problem:
            return Response(answer.response, debug if isinstance(debug, dict) else {"debug": debug})
        fallback = by_engine(Engine(FALLBACK), parsed.turn, self._limit)
        return fallback._replace(debug={**fallback.debug, f"{FAILED}program": problem}, problem=problem)

    def _bot(self, match: str) -> BotProcess:
        if match not in self._bots:
            usual, seconds = Limits(), self._limit.seconds
            limits = (
                usual if seconds is None else Limits(usual.first_turn + seconds, usual.later_turn + seconds, seconds)
            )
            self._bots[match] = BotProcess(list(self._command), limits=limits, name=self.name)
        return self._bots[match]

    def forget(self, match: str) -> None:
        """Ends the process of a match."""
        bot = self._bots.pop(match, None)
        if bot is not None:
            bot.close()

    def close(self) -> None:
        """Ends all processes."""
        for match in list(self._bots):
            self.forget(match)


def parse(history: History) -> Parsed:
    """Reads the requests; where our hand is unknown, a pass over another player's cards is legal still."""
    try:
        return parse_history(*history)
    except Exception:
        request = history.requests[-1]
        if asks_for_bid(request):
            return Parsed(None, 0, NO_HAND)
        if isinstance(request, dict) and isinstance(request.get("history"), list) and any(request["history"]):
            return Parsed(None, [], NO_HAND)
        raise UnanswerableError(NO_HAND) from None


def by_engine(engine: Engine, turn: OwnTurn, limit: Limit) -> Response:
    """Lets an engine choose the bid or the cards."""
    view = turn.view
    if isinstance(view, BidView):
        bid = engine.bid(view)
        return Response(bid.bid, dict(bid.debug), _reasons(bid.failures))
    decision = engine.choose(view, limit)
    return Response(turn.ids(decision.move.cards), dict(decision.debug), _reasons(decision.failures))


def _reasons(failures: Sequence[Any]) -> str:
    return "; ".join(f"{failure.player} did not choose: {failure.reason}" for failure in failures)


def _problem_of(turn: OwnTurn, response: Any) -> str:
    """Gets the reason why the response of a program is not legal; empty for a legal one."""
    view = turn.view
    if isinstance(view, BidView):
        legal = isinstance(response, int) and response in view.legal_bids
        return "" if legal else f"its bid {response!r:.40} is not one of {view.legal_bids}"
    try:
        if not isinstance(response, list) or not set(response) <= set(turn.own_ids):
            return f"its response {response!r:.60} is not a list of cards that it holds"
        problem = explain(view.rules, view.hand, hand_of_ids(response), view.to_beat)
    except (CardsError, TypeError) as error:
        return f"its response {response!r:.60}: {error}"
    return f"its move is illegal: {problem}" if problem else ""


def timed(decider: Decider, match: str, histories: Sequence[History]) -> tuple[Response, float]:
    """
    Asks, and gets the seconds that it took too; after any error a move that is surely legal.

    :raises UnanswerableError: if nothing is.
    """
    began = time.perf_counter()
    try:
        answer = decider.decide(match, histories)
    except UnanswerableError:
        raise
    except Exception as error:  # a match is worth more than to know what
        response = parse(consistent(histories)).response
        answer = Response(response, {}, f"{decider.name} failed: {type(error).__name__}: {error!s:.100}")
    return answer, time.perf_counter() - began
