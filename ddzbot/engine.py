"""
The engine: a legal decision for a view, even if players fail.

It owns the order of fallbacks: the player that was asked for, the same without its search if it has a network of
its own, ``mctshs``, ``rule``, and in the end the smallest card or the pass, which no rule set refuses. The next one is
asked when one cannot play, fails, or names a move that is not legal. The clock keeps running, and the decision names
the player that chose and why the others did not.

A caller that may not wait has a ladder of answers: :meth:`Engine.prepare` finds that of ``rule`` in milliseconds, and
:meth:`Engine.standing` is the best one while a player still thinks.
"""

from contextlib import suppress
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Type, Union

from ddzbot.cards import UNIT, Hand, size
from ddzbot.players.base import OUT_OF_TIME, CannotPlay, Decision, Failure, Player
from ddzbot.players.registry import DEFAULT_PLAYER, loading_of, parse_player
from ddzbot.readable import described
from ddzbot.rules import PASS, SOLO, Move, RuleSet, explain
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import NO_LIMIT, Limit
from ddzbot.view import BidView, View

FALLBACKS = ("mctshs", "rule")
"""The players that are asked, in this order, when the configured player does not choose."""
FORCED, NO_PLAYER = "forced", "none"
"""``Decision.player`` where only one move was legal, and where every player failed."""
FAILED = "failed_"
"""With the name of a player behind it, the key under which ``debug`` says why that one did not choose."""
LATE, UNLOADED = "it did not answer in time", "there was no time to load it"
"""The reasons of a player that the clock kept from choosing."""


@described(
    bid="The chosen bid, 0 to 3.",
    debug="Small JSON values for the match log.",
    player="The player that chose, with its options; ``forced`` or ``none`` where no player did.",
    failures="The players that failed before it, in this order; with any, the bid is a fallback.",
)
class Bid(NamedTuple):
    """A chosen bid, and what there is to say about it."""

    bid: int
    debug: Dict[str, Any]
    player: str = ""
    failures: Tuple[Failure, ...] = ()


class _Link:
    """A player of the chain, made when it is asked first; *loading* is :func:`loading_of` it."""

    def __init__(self, label: str, make: Callable[[], Optional[Player]], loading: int = 0) -> None:
        self.label = label
        self.loading = loading
        self._make = make
        self._made = False
        self._error: Optional[BaseException] = None
        self.ready: Optional[Player] = None
        """The player, if it was made."""

    def player(self) -> Optional[Player]:
        """
        Gets the player; None if there is none in this place.

        :raises Exception: whatever its making raised, each time.
        """
        if not self._made:
            self._made = True
            try:
                self.ready = self._make()
            except BaseException as error:  # whatever is broken there, it is raised again below
                self._error = error
            if self.ready is not None:
                self.label = self.ready.label
        if self._error is not None:
            raise self._error
        return self.ready


class Engine:
    """Players in the order in which they are asked, and what to do when all of them fail."""

    def __init__(
        self,
        player: Union[str, Player] = DEFAULT_PLAYER,
        seed: int = 0,
        survives: Tuple[Type[BaseException], ...] = (Exception, SystemExit),
    ) -> None:
        """
        Makes the engine for a player, or for what :func:`ddzbot.players.registry.parse_player` reads.

        A text that names no player, and a player that cannot be made, are no error here: the fallbacks play, and each
        decision says why. *survives* are the exceptions of a player that only cost it its decision; a process without
        a user who presses Ctrl-C may survive them all.
        """
        self._survives = survives
        if isinstance(player, Player):
            self._seed, label = player.seed, player.label
            asked = _Link(label, lambda: player)
            asked.player()
        else:
            self._seed, label = seed, player
            asked = self._link(label)
        alone = _Link(label, lambda: asked.ready and asked.ready.without_search(), loading_of(label, alone=True))
        after = FALLBACKS.index(label) + 1 if label in FALLBACKS else 0
        self._chain = [asked, alone, *map(self._link, FALLBACKS[after:])]
        self._quickest = self._chain[-1] if after < len(FALLBACKS) else None
        self._prepared: Tuple[Any, Union[Decision, Bid, None]] = (None, None)
        self._failures: List[Failure] = []
        self._asked = label
        self.loading_seconds = 0.0
        """The least that a unit of loading takes here and now, as far as the caller knows; 0 where no time is short."""

    def _link(self, text: str) -> _Link:
        return _Link(text, lambda: parse_player(text).make(self._seed), loading_of(text))

    def reseed(self, seed: int) -> None:
        """Sets the seed of all random choices from now on: as good as a new engine, but caches stay warm."""
        self._seed = seed
        for link in self._chain:
            if link.ready is not None:
                link.ready.seed = seed

    @property
    def player(self) -> Optional[Player]:
        """The player that was asked for; None if it cannot be made."""
        try:
            return self._chain[0].player()
        except self._survives:
            return None

    def prepare(self, view: Union[View, BidView]) -> None:
        """
        Finds the answer that stands until a player has one, that of ``rule``. Never raises; any thread may ask.

        There is none where ``rule`` is the player, and where it fails.
        """
        with suppress(*self._survives):  # the chain asks it again where it comes to it, and says why it failed
            self._prepared = (view, _answer_of(self._quickest, view))

    def standing(self, view: Union[View, BidView]) -> Union[Decision, Bid, None]:
        """
        Gets the best answer while a player thinks about *view* in another thread; None without any.

        It is the player's best move so far, or what :meth:`prepare` found, with a failure of the player that is late.
        """
        failures = list(self._failures)
        for link in self._chain:
            move = link.ready.best_so_far if link.ready else None
            if isinstance(view, View) and move is not None and _is_legal(view, move):
                return _with_chooser(Decision(move, {"search": OUT_OF_TIME}), link.label, failures)
        prepared_for, answer = self._prepared
        if answer is None or prepared_for is not view:
            return None
        if self._asked not in (answer.player, *(failure.player for failure in failures)):
            failures.append(Failure(self._asked, LATE))
        debug = {**answer.debug, **_debug_of(answer.player, failures)}
        return answer._replace(debug=debug, failures=tuple(failures))

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a legal move within *limit*, which all players together share.

        Where there is only one legal move no player is asked; the decision's player is ``forced`` then.
        """
        moves = _answers(view)
        if len(moves) == 1:
            return Decision(moves[0], {"player": FORCED}, FORCED)
        deadline = Deadline(limit)
        failures = self._begin()
        for player in self._players(failures, deadline):
            try:
                decision = _decision(player.choose(view, deadline.left()))
                move = decision.move
                listed = isinstance(move, Move) and move in moves
                illegal = None if listed else explain(view.rules, view.hand, move.cards, view.to_beat)
                if illegal is None:
                    return _with_chooser(decision, player.label, failures)
                refusal = str(illegal)
            except self._survives as error:  # a bug in a player must not lose the game
                refusal = _sentence(error)
            failures.append(Failure(player.label, refusal))
        move = safe_move(view.rules, view.hand, view.to_beat)
        return Decision(move, _debug_of(NO_PLAYER, failures), NO_PLAYER, tuple(failures))

    def bid(self, view: BidView, limit: Limit = NO_LIMIT) -> Bid:
        """Chooses a legal bid, 0 if every player fails; the result names the player as in :meth:`choose`."""
        failures = self._begin()
        for player in self._players(failures, Deadline(limit)):
            try:
                bid = int(player.bid(view))
                if bid in view.legal_bids:
                    return Bid(bid, _debug_of(player.label, failures), player.label, tuple(failures))
                refusal = f"bid {bid} is not one of {view.legal_bids}"
            except self._survives as error:  # as above
                refusal = _sentence(error)
            failures.append(Failure(player.label, refusal))
        return Bid(0, _debug_of(NO_PLAYER, failures), NO_PLAYER, tuple(failures))

    def _begin(self) -> List[Failure]:
        for link in self._chain:
            if link.ready is not None:
                link.ready.best_so_far = None
        self._failures = []
        return self._failures

    def _players(self, failures: List[Failure], deadline: Deadline) -> Iterator[Player]:
        """Yields the players of the chain in order; one that cannot be made, or not in time, becomes a failure."""
        for link in self._chain:
            seconds = link.loading * self.loading_seconds
            if link.ready is None and seconds and deadline.is_over(seconds):
                failures.append(Failure(link.label, UNLOADED))
                continue
            try:
                player = link.player()
            except self._survives as error:
                failures.append(Failure(link.label, _sentence(error)))
                continue
            if player is not None:
                self._asked = link.label
                yield player


def _answer_of(link: Optional[_Link], view: Union[View, BidView]) -> Union[Decision, Bid, None]:
    """Gets the answer of a player that needs no time; None if there is no such player, or it errs."""
    player = link.player() if link else None
    if player is None:
        return None
    if isinstance(view, BidView):
        bid = int(player.bid(view))
        return Bid(bid, _debug_of(player.label, []), player.label) if bid in view.legal_bids else None
    decision = player.choose(view, NO_LIMIT)
    return _with_chooser(decision, player.label, []) if _is_legal(view, decision.move) else None


def _is_legal(view: View, move: Move) -> bool:
    """Checks a move that a player has left behind, which may be anything."""
    try:
        return explain(view.rules, view.hand, move.cards, view.to_beat) is None
    except Exception:  # it is no move at all
        return False


def _answers(view: View) -> Sequence[Move]:
    """Lists the legal moves; of a lead none where there is a choice, which is always, unless one card is left."""
    return view.legal_moves() if size(view.hand) == 1 or view.to_beat else ()


def safe_move(rules: RuleSet, hand: Hand, to_beat: Optional[Move]) -> Move:
    """
    Gets a move that is legal whatever the table: the pass, or on a lead the smallest card.

    :raises ValueError: on a lead without cards.
    """
    if to_beat is not None:
        return PASS
    for rank, unit in enumerate(UNIT):
        if hand // unit % 16:
            return Move(unit, SOLO, rank, 1)
    raise ValueError(f"an empty hand cannot lead (rules {rules.name})")


def _decision(chosen: Union[Decision, Move]) -> Decision:
    """Lets a player of one's own name its move alone."""
    return Decision(chosen, {}) if isinstance(chosen, Move) else chosen


def _with_chooser(decision: Decision, player: str, failures: List[Failure]) -> Decision:
    """Gets the player that chose; a player with its own engine in another process passes on that engine's answer."""
    move, debug, chooser, others = decision
    if not failures:
        return Decision(move, {"player": player, **debug}, chooser or player, others)
    return Decision(move, {**_debug_of(player, failures), **debug}, chooser or player, (*failures, *others))


def _debug_of(player: str, failures: List[Failure]) -> Dict[str, Any]:
    """Makes the debug fields that name the player that chose and those that failed, for the judge's log."""
    debug = {"player": player}
    for failure in failures:
        debug[FAILED + failure.player] = failure.reason
    return debug


def _sentence(error: BaseException) -> str:
    return str(error) if isinstance(error, CannotPlay) else f"{type(error).__name__}: {error}"
