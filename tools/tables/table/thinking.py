"""
Bots that think in processes of their own.

Everything here blocks, and is called from threads; in an event loop, by :attr:`Thinkers.turns`.
"""

import logging
import time
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple, Protocol

from ddzbot.engine import Engine
from ddzbot.players.base import Decision, Player
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...shared.contestants import parse_contestant
from ...shared.foreign_bots import PREFIX
from ...shared.machine import give_way
from ...shared.work.answering import Answering, HangError, NoAnswerError
from .bots import checked_bot, player_of
from .levels import player_text
from .turns import Turns

USUAL_PATIENCE = 60.0
"""Seconds for a move or an analysis without a limit in seconds."""
GRACE = 15.0
"""Seconds beyond the limit, in which a process may start and load its network on a busy machine; all that a bid has."""
MOST_HANGS = 2
"""A bot that gave no answer so often in one game is not asked again in it."""

NICENESS = 5
"""A thought gives way to the program that asks, which is to answer at once."""


class Question(Protocol):
    """What a process is asked."""

    @property
    def seconds(self) -> float | None:
        """How long the answer may take by itself; None without a limit in seconds."""

    def answer(self) -> Any:
        """Finds the answer, in that process."""


class TimedAnswer(NamedTuple):
    """What a bot decides."""

    value: Any
    """A :class:`Decision`, or a bid."""
    seconds: float = 0.0
    """How long it thought about its move."""


class BotQuestion(NamedTuple):
    """What the bot *spec* bids or plays."""

    spec: str
    seed: int
    view: View | BidView
    limit: Limit

    @property
    def seconds(self) -> float | None:
        """As of a :class:`Question`; a bid is no search."""
        return 0.0 if isinstance(self.view, BidView) else self.limit.seconds

    def answer(self) -> TimedAnswer:
        """Decides; where the player fails, the engine's fallbacks do."""
        engine, view = _engine(self.spec), known_view(self.view)
        engine.reseed(self.seed)
        if isinstance(view, BidView):
            return TimedAnswer(engine.bid(view).bid)
        began = time.perf_counter()
        decision = engine.choose(view, self.limit)
        return TimedAnswer(decision, time.perf_counter() - began)


def known_view(view: View | BidView) -> View | BidView:
    """Gets a view with the rule set that this process knows: the kernel keeps what it has prepared for each object."""
    return view._replace(rules=rule_set(view.rules.name))


@lru_cache(maxsize=16)
def _engine(spec: str) -> Engine:
    if spec.startswith(PREFIX):
        return Engine(player_of(checked_bot(spec)))
    return parse_contestant(player_text(spec)).engine()


class Thinkers:
    """
    A few processes that answer questions, one each at a time; a caller waits for a free one. For example::

        with Thinkers(2) as thinkers:
            decision = thinkers.ask(BotQuestion("champion", 7, view, Limit(seconds=1))).value
    """

    def __init__(
        self, processes: int, patience: float = USUAL_PATIENCE, grace: float = GRACE, niceness: int = NICENESS
    ) -> None:
        self.turns = Turns(processes)
        """For callers in an event loop: a caller with a turn finds a process free."""
        self.processes = Answering(processes, _answer, partial(give_way, niceness))
        self._patience, self._grace = patience, grace

    def __enter__(self) -> "Thinkers":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, question: Question) -> Any:
        """
        Gets the answer.

        :raises HangError: if it took too long.
        :raises NoAnswerError: if the question raised something, or its process died.
        """
        return self.processes.ask(question, self.seconds(question) + self._grace)

    def seconds(self, question: Question) -> float:
        """Gets how long the answer may take by itself."""
        return self._patience if question.seconds is None else question.seconds

    def close(self) -> None:
        """Ends all processes, in the middle of a thought too."""
        self.processes.close()


def _answer(question: Question) -> Any:
    return question.answer()


class RemotePlayer(Player):
    """
    A player by name that thinks in one of the *thinkers*.

    Where there is no answer it raises, and the engine around it (:class:`ddzbot.engine.Engine`) plays on. Make one for
    each game: after :data:`MOST_HANGS` it raises at once, so that a bot that hangs at every move ends a game in time.
    """

    def __init__(
        self, spec: str, seed: int, thinkers: Thinkers, took: Callable[[float], None] = lambda seconds: None
    ) -> None:
        """Makes the player; *took* gets how long each thought about a move took."""
        super().__init__(seed)
        self.name = self.label = spec
        self._thinkers = thinkers
        self._took = took
        self._hangs = 0

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses as the player does in its process.

        :raises NoAnswerError: if there is no answer.
        """
        thought = self._thought(view, limit)
        self._took(thought.seconds)
        decision: Decision = thought.value
        return decision

    def bid(self, view: BidView) -> int:
        """
        Bids as the player does in its process.

        :raises NoAnswerError: if there is no answer.
        """
        bid: int = self._thought(view, Limit()).value
        return bid

    def _thought(self, view: View | BidView, limit: Limit) -> TimedAnswer:
        if self._hangs >= MOST_HANGS:
            raise NoAnswerError(f"no answer {MOST_HANGS} times: it is not asked again in this game")
        try:
            thought: TimedAnswer = self._thinkers.ask(BotQuestion(self.name, self.seed, view, limit))
        except HangError as error:
            self._hangs += 1
            logging.warning("bot %s: %s", self.name, error)
            raise
        return thought
