"""
One decision under a watchdog: a player thinks in a thread of its own, and the main thread has an answer in any case.

The player leaves behind its best move so far, and in the end its choice. Where the time is short, or half of it is over
without a word of the player, the main thread asks ``rule``, and when the time is up it takes the best that is there.
A thread that never returns is left alone; it cannot hold up the answer.
"""

import threading
from typing import Any, Dict, List, NamedTuple, Optional, Union

from ddzbot.engine import Bid, Engine
from ddzbot.kernel import current_choice
from ddzbot.players.base import Decision
from ddzbot.protocol.botzone import OwnTurn
from ddzbot.protocol.budget import Budget
from ddzbot.search.deadline import Clock
from ddzbot.search.limit import Limit
from ddzbot.stack import start_thread
from ddzbot.view import BidView

LOADING = 0.2
"""
The least that loading a player takes of the time from the start of a process to here: 0.2 for the champion and 0.4 for
mcm out of a folder, 0.3 and 0.75 out of a zip file. The processor is as fast, and as busy, now as it was before.
"""
HURRY = 4
"""Time is short if it is less than so many times what this process took to start: then ``rule`` is asked first."""
NOBODY_IN_TIME = "the player did not answer in time"
"""The ``error`` in ``debug`` where there is no better answer than a legal one."""
_EVERYTHING = (BaseException,)
"""The exceptions of a player that the bot survives: nobody presses Ctrl-C."""


class Settings(NamedTuple):
    """The settings of the command line."""

    player: str
    seed: int
    playouts: Optional[int]
    budget: Budget


class Answer(NamedTuple):
    """An answer to one turn, and what there is to say about it."""

    response: Any
    """A bid, or the ids of a move."""
    debug: Dict[str, Any]


class Watchdog:
    """Asks the player, and keeps its engine from turn to turn."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engine: Optional[Engine] = None
        self._start = 0.0
        """The seconds that this process took to come to its first turn, a measure of how fast it is."""

    def ask(self, turn: OwnTurn, safe: Any, clock: Clock, budget: float) -> Answer:
        """
        Gets the player's choice, or when *clock* shows *budget* seconds the best that there is by then.

        *safe* is a response that is legal, for where there is nothing better.
        """
        view, engine = turn.view, self._engine or Engine(self._settings.player, self._settings.seed, _EVERYTHING)
        start = clock.elapsed()
        self._start = self._start or start
        engine.loading_seconds = LOADING * self._start
        answers: List[Answer] = []
        done = threading.Event()

        def work() -> None:
            try:
                answers.append(self._decide(engine, turn, clock, budget))
            except BaseException as error:  # this thread serves this decision alone
                answers.append(Answer(safe, {"error": sentence(error)}))
            finally:
                done.set()

        if budget - start < HURRY * self._start:
            engine.prepare(view)
        try:
            start_thread(work)
        except (RuntimeError, MemoryError):  # no thread to be had: better late than never
            work()
        if not _is_done(done, clock, (start + budget) / 2) and engine.standing(view) is None:
            engine.prepare(view)
        if _is_done(done, clock, budget):
            self._engine = engine
            return answers[0]
        # Whatever still runs in that thread keeps its engine to itself.
        self._engine = None
        standing = engine.standing(view)
        return _answer(turn, standing) if standing else Answer(safe, {"error": NOBODY_IN_TIME})

    def _decide(self, engine: Engine, turn: OwnTurn, clock: Clock, budget: float) -> Answer:
        view = turn.view
        seconds = self._settings.budget.for_player(budget - clock.elapsed(), clock.share())
        limit = Limit(seconds, self._settings.playouts)
        chosen = engine.bid(view, limit) if isinstance(view, BidView) else engine.choose(view, limit)
        answer = _answer(turn, chosen)
        kernel = current_choice()
        if kernel.kernel is None or kernel.passed_over:
            answer.debug["kernel"] = kernel.description
        return answer


def _answer(turn: OwnTurn, chosen: Union[Decision, Bid]) -> Answer:
    response = chosen.bid if isinstance(chosen, Bid) else turn.ids(chosen.move.cards)
    return Answer(response, dict(chosen.debug))


def _is_done(done: threading.Event, clock: Clock, budget: float) -> bool:
    """Waits until *clock* shows *budget* seconds, or until the thread is done; returns whether it is."""
    while not done.wait(max(0.0, budget - clock.elapsed())):
        # Before CPython 3.11 a wait ends early when the wall clock is set forward.
        if clock.elapsed() >= budget:
            return False
    return True


def sentence(error: BaseException) -> str:
    """Says what went wrong."""
    return f"{type(error).__name__}: {error}"
