"""
One decision under a watchdog: an answer that is legal in any case, and a player that thinks in a thread of its own.

The player leaves behind its best move so far, and in the end its choice; the main thread takes what is there when
the time is up. A thread that never returns is left alone; it cannot hold up the answer.
"""

import threading
from typing import Any, Dict, List, NamedTuple, Optional, Union

from ddzbot.cards import Hand, hand_of_ids, ids_for
from ddzbot.engine import Engine, safe_move
from ddzbot.kernel import current_choice
from ddzbot.protocol.budget import Budget
from ddzbot.rules import Move, RuleSet, explain
from ddzbot.search.deadline import Clock
from ddzbot.search.limit import Limit
from ddzbot.stack import start_thread
from ddzbot.view import BidView, View


class Settings(NamedTuple):
    """The settings of the command line."""

    player: str
    seed: int
    playouts: Optional[int]
    budget: Budget


class Knowledge(NamedTuple):
    """Our view when it is our turn, and the card ids of our hand."""

    view: Union[View, BidView]
    own_ids: List[int]

    def ids(self, cards: Hand) -> List[int]:
        """
        Chooses ids of our hand for *cards*.

        :raises CardsError: if we do not hold them.
        """
        return ids_for(self.own_ids, cards)


class Situation(NamedTuple):
    """The least that a legal answer needs: what we hold and what lies on the table."""

    rules: RuleSet
    own_ids: List[int]
    to_beat: Optional[Move]

    def safe_ids(self) -> List[int]:
        """
        Chooses the ids of a legal answer: none for the pass, or on a lead the smallest card.

        :raises ValueError: on a lead without cards.
        """
        move = safe_move(self.rules, hand_of_ids(self.own_ids), self.to_beat)
        return ids_for(self.own_ids, move.cards)


class Thinking:
    """The answer to one turn, as good as it is by now."""

    def __init__(self) -> None:
        self.response: Any = []
        """A bid, or the ids of a move."""
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


class Thinker:
    """Asks the player, and keeps its engine from turn to turn."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engine: Optional[Engine] = None

    def think(self, thinking: Thinking, knowledge: Knowledge, clock: Clock, budget: float) -> None:
        """Lets the player choose until *clock* shows *budget* seconds; what it says is left in *thinking*."""
        thinking.knowledge = knowledge

        def work() -> None:
            try:
                self._decide(thinking, knowledge, clock, budget)
            except BaseException as error:  # this thread serves this decision alone
                thinking.debug["error"] = sentence(error)
            finally:
                thinking.done.set()

        try:
            start_thread(work)
        except (RuntimeError, MemoryError):  # no thread to be had: better late than never
            work()
        if _is_done(thinking.done, clock, budget):
            self._engine = thinking.engine
        else:
            thinking.debug["error"] = "the player did not answer in time"
            # Whatever still runs in that thread keeps its engine to itself.
            self._engine = None

    def _decide(self, thinking: Thinking, knowledge: Knowledge, clock: Clock, budget: float) -> None:
        engine = self._engine or Engine(self._settings.player, self._settings.seed, survives=(BaseException,))
        thinking.engine = engine
        view = knowledge.view
        kernel = current_choice()
        if kernel.kernel is None or kernel.passed_over:
            thinking.debug["kernel"] = kernel.description
        if isinstance(view, BidView):
            bid = engine.bid(view)
            thinking.debug.update(bid.debug)
            thinking.response = bid.bid
            return
        limit = Limit(self._settings.budget.for_player(budget - clock.seconds()), self._settings.playouts)
        decision = engine.choose(view, limit)
        thinking.debug.update(decision.debug)
        thinking.response = knowledge.ids(decision.move.cards)


def _is_done(done: threading.Event, clock: Clock, budget: float) -> bool:
    """Waits until *clock* shows *budget* seconds, or until the thread is done; returns whether it is."""
    while not done.wait(max(0.0, budget - clock.seconds())):
        # Before CPython 3.11 a wait ends early when the wall clock is set forward.
        if clock.seconds() >= budget:
            return False
    return True


def sentence(error: BaseException) -> str:
    """Says what went wrong."""
    return f"{type(error).__name__}: {error}"
