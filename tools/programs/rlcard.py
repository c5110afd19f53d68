"""
The player ``rlcard``: an agent of RLCard as a guest, for example ``rlcard:doudizhu-rule-v1``.

RLCard's list of moves is nearly that of the rule set ``standard``. The agent chooses among the moves that both RLCard
and the rules of the game know. What it names beyond them is refused by name, not replaced: the engine says so, and its
fallback plays on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ddzbot.cards import CardsError
from ddzbot.players.base import CannotPlay, Decision, Player
from ddzbot.players.options import read_options
from ddzbot.rules import PASS, explain
from ddzbot.search.limit import Limit
from ddzbot.view import View

from .needs import packages_of
from .rlcard_state import action_of, cards_of, encode, raw_state

DEFAULT_MODEL = "doudizhu-rule-v1"


class RlcardOptions(NamedTuple):
    """The options of ``rlcard``."""

    model: str = DEFAULT_MODEL
    """A model of RLCard's registry, or the ``model.tar`` of its Deep Monte Carlo."""


class RlcardPlayer(Player):
    """
    Plays what an agent of RLCard chooses. Its options are :class:`RlcardOptions`.

    :raises ValueError: if RLCard is not installed, or has no such model.
    """

    name = "rlcard"
    options_type: type[Any] | None = RlcardOptions

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: RlcardOptions = read_options(self.name, RlcardOptions, options)
        with packages_of(self.name):
            import rlcard
            from rlcard.games.doudizhu.utils import ACTION_2_ID, ID_2_ACTION

            from .rlcard_agents import UnknownModelError, agents_of

            try:
                self._agents = agents_of(str(self.options.model))
            except UnknownModelError as error:
                raise ValueError(f"rlcard: {error}") from None
        self._environment = rlcard.make("doudizhu")
        self._known: dict[str, int] = ACTION_2_ID
        self._names: list[str] = ID_2_ACTION

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Asks the agent of this seat; *limit* is not needed.

        :raises CannotPlay: if it names a move that the rules refuse, or if RLCard does not know the move on the table
            or any legal answer.
        """
        moves = {label: move for move in view.legal_moves() if (label := action_of(move)) in self._known}
        if list(moves.values()) == [PASS]:
            return Decision(PASS, {"model": self.options.model, "known": 1})
        to_beat = view.to_beat
        if not moves:
            raise CannotPlay(f"rlcard: RLCard knows no legal move here (rules {view.rules.name})")
        if to_beat is not None and action_of(to_beat) not in self._known:
            raise CannotPlay(f"rlcard: RLCard does not know the move {to_beat} on the table (rules {view.rules.name})")
        with _seed_numpy(self.random_for(view).getrandbits(32)):
            state = encode(self._environment, raw_state(view, list(moves)))
            agent = self._agents[view.seat]
            action = agent.eval_step(state)[0]
        named = action if agent.use_raw else self._names[int(action)]
        if named not in moves:
            raise CannotPlay(f"rlcard: {self.options.model} {_refused(view, named)}")
        return Decision(moves[named], {"model": self.options.model, "known": len(moves)})


def _refused(view: View, action: str) -> str:
    """Names an action that the rules refuse, and says why."""
    try:
        reason = explain(view.rules, view.hand, cards_of(action), view.to_beat)
    except CardsError:
        reason = None
    return f"names {reason or repr(action)}"


@contextmanager
def _seed_numpy(seed: int) -> Iterator[None]:
    """Seeds numpy's own generator, which agents draw from, and gives it back as it was."""
    import numpy as np

    before = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before)
