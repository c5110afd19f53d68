"""
The player ``champion``: the fast network, and a search that plays its best moves out over many worlds.

It cannot play without a network, nor search without the kernel; :mod:`ddzbot.engine` has its fallback. The network
alone (``search=none``) needs no kernel. docs/lab/mcm.md has what each part is worth.
"""

from math import exp
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Type, Union

from ddzbot.belief.certain import BeliefError, Certain, what_is_certain
from ddzbot.belief.guesses import GUESSERS
from ddzbot.belief.models import MODELS, Model, model_named
from ddzbot.bidding import bid_by_hand, bid_by_points
from ddzbot.kernel import describe, native
from ddzbot.net import bid_net, fast_net
from ddzbot.net.fast_features import NAME
from ddzbot.net.loading import Loaded
from ddzbot.players.base import MOST_DEBUG_MOVES, OUT_OF_TIME, CannotPlay, Decision, Player
from ddzbot.players.options import checked_word, network_alone, number, read_options
from ddzbot.rules import Move
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.kernel.fast_records import MoveValue
    from ddzbot.kernel.rollout import RolloutOptions
    from ddzbot.search.certain import Wins
    from ddzbot.search.rollout import RolloutSearch
    from ddzbot.search.slices import MoveResult

USUAL_PLAYOUTS = 1000
"""Playouts without a limit: a number, so that the decision is the same on every machine."""
_MARGIN, _MARGIN_OF_POINTS = 1000, 2000
"""The margin by which a move that competes may be worse than the best: thousandths of a logit, and of a point."""
_SEARCH_LOADS = 2
"""In a fresh process the search takes at least so many times as long to begin as the network does to answer."""


class ChampionOptions(NamedTuple):
    """The options of ``champion``, in the units of the command line."""

    search: str = "rollout"
    """``rollout``, or ``none`` for the network alone."""
    weights: Optional[str] = None
    """A file to play with instead of the current network."""
    objective: Optional[str] = None
    """The criterion: ``wp``, wins, or ``adp``, points; by default the points where there is an auction."""
    max_moves: float = 8
    """The most moves that compete."""
    margin: Optional[float] = None
    """The margin by which they may be worse than the best by the network: by default 1 in logits, or 2 points."""
    prior: float = 16
    """The number of playouts that the network's evaluation counts as."""
    blend: float = 1
    """The number of further ones that it counts as for each playout."""
    prune_z: float = 2.5
    """The standard errors by which a move must be behind to be given up; 0: none ever is."""
    belief: Union[str, Model] = "uniform"
    """The belief over the hidden hands before the play is weighed: a model's name, or a function."""
    oversample: float = 2
    """The worlds that are drawn for each that is used, by how likely the play was in it; 0: all count alike."""
    temperature: float = 0.2
    """The lowest temperature, in units of logit, at which the hidden seats are thought to play."""
    move_temperature: float = 0
    """Of the network alone: at which temperature, in units of logit, or of 2 points, it draws its move; 0: the best."""
    solver: str = "exact"
    """Whether wins that are certain are looked for before a search: ``exact`` or ``none``."""
    bids: str = "points"
    """The way to bid: ``points``, the most that its network for bids expects; or ``hand``, by a count of the hand."""
    bid_weights: Optional[str] = None
    """A file to bid with instead of the current network for bids."""

    def whole_numbers(self) -> Dict[str, int]:
        """
        Gets the numbers in the kernel's units, without those that depend on what decides.

        :raises ValueError: for a number that is out of range.
        """
        read = {option: number("champion", option, getattr(self, option), *size) for option, size in _NUMBERS.items()}
        return {option: amount for option, amount in read.items() if amount is not None}

    def of_rollout(self, by_score: bool) -> "RolloutOptions":
        """Gets the kernel's form."""
        from ddzbot.kernel.rollout import RolloutOptions

        margin = _MARGIN_OF_POINTS if by_score else _MARGIN
        return RolloutOptions(**{"margin": margin, **self.whole_numbers(), "by_score": int(by_score)})


_NUMBERS: Dict[str, Tuple[Any, ...]] = {
    "max_moves": (16, 1, 1),
    "margin": (1000, 1000),
    "prior": (100000,),
    "prune_z": (100, 100),
    "oversample": (16,),
    "temperature": (1000, 1000, 0.001),
    "blend": (100, 1000),
}
"""Of each number the largest value, the kernel's units in one, and the least value."""
_MOVE_TEMPERATURE = (100, 1000)
"""The same of the one number that the kernel does not know."""
_BID_FEATURES = {"points": bid_net.NAME, "hand": ""}
_WORDS = {
    "search": ("rollout", "none"),
    "solver": ("exact", "none"),
    "objective": (None, "wp", "adp"),
    "bids": tuple(_BID_FEATURES),
}


class ChampionPlayer(Player):
    """
    Plays the network's best moves out, or its best one at once; its options are :class:`ChampionOptions`.

    :raises ValueError: for an unknown option, or a value that is out of range.
    """

    name = "champion"
    features = NAME
    bid_features = bid_net.NAME
    options_type: Optional[Type[Any]] = ChampionOptions

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: ChampionOptions = read_options(self.name, ChampionOptions, options)
        for option, words in _WORDS.items():
            checked_word(self.name, option, getattr(self.options, option), words)
        self.options.whole_numbers()  # a wrong one is refused now
        temperature = number(self.name, "move_temperature", self.options.move_temperature, *_MOVE_TEMPERATURE)
        if temperature and self.options.search != "none":
            raise ValueError(f"{self.name}: move_temperature needs search=none, since a search plays its best move")
        self.bid_features = _BID_FEATURES[self.options.bids]
        if isinstance(self.options.belief, str):
            _check_belief(self.options.belief)  # and an unknown one

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a move within *limit*; without one :data:`USUAL_PLAYOUTS` are played.

        A move that wins for certain, or alone wins in every world with open hands, is played without a search; where
        several win in every world, the search chooses among them (:mod:`ddzbot.search.certain`).

        ``debug`` has the network's file, ``objective`` if points decide, the playouts, and the best moves with the
        network's chance of winning, the playouts and the share of them that was won: ``{"moves": {"345678":
        [0.61, 152, 0.617], ...}, ...}``. ``values`` has for the same moves what decided, chances or points, with the
        network's evaluation in it, but no points of a network that learned other payments. ``only`` says what is
        proved of the moves among which the search chose.
        """
        return self.consider(view, limit).decision

    def consider(self, view: View, limit: Limit) -> "Deliberation":
        """Chooses a move as :meth:`choose` does, and keeps what it was chosen by."""
        deadline = Deadline(limit)
        alone = self.options.search == "none"
        kernel = native()
        if kernel is None and not alone:
            raise CannotPlay(describe())
        loaded = self._loaded(view)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        by_score = self._by_score(view)
        ranked = sorted(loaded.net.values(view), key=lambda worth: worth.score if by_score else worth.win, reverse=True)
        self.report(ranked[0].move)
        debug: Dict[str, Any] = {"weights": loaded.description, **({"objective": "adp"} if by_score else {})}
        hurried = not (alone or deadline.leaves(_SEARCH_LOADS))
        if hurried or alone or len(ranked) == 1 or kernel is None:
            if hurried:
                debug["search"] = OUT_OF_TIME
            debug["moves"] = _debug_worths(ranked)
            return Deliberation(Decision(self._drawn(view, ranked, by_score), debug), by_score, ranked, None, None)
        certain = what_is_certain(view)
        wins = self._wins(kernel, view, certain, deadline)
        if wins.move is not None:
            return Deliberation(Decision(wins.move, {**debug, **wins.debug}), by_score, ranked, wins, None)
        search = self.search_of(view, certain)
        result = search.run(_within(deadline), self.report)
        debug.update(playouts=result.playouts, moves=_debug_moves(result.moves))
        if not by_score or loaded.pays_as(view.rules):
            debug["values"] = {str(arm.move): round(arm.value, 3) for arm in result.moves[:MOST_DEBUG_MOVES]}
        if wins.moves:
            debug["only"] = wins.proved.value
        return Deliberation(Decision(result.best_among(wins.moves), debug), by_score, ranked, wins, search)

    def _drawn(self, view: View, ranked: "List[MoveValue]", by_score: bool) -> Move:
        """Gets the best move; with a temperature one by chance, unless the last cards can be played."""
        best, temperature = ranked[0], float(self.options.move_temperature)
        if not temperature:
            return best.move
        for worth in ranked:
            if worth.move.cards == view.hand:
                return worth.move
        unit = temperature * (_MARGIN_OF_POINTS if by_score else _MARGIN) / 1000
        behind = [best.score - worth.score if by_score else best.win - worth.win for worth in ranked]
        weights = [exp(-gap / unit) for gap in behind]
        return self.random_for(view).choices(ranked, weights)[0].move

    def bid(self, view: BidView) -> int:
        """
        Chooses the bid of which the most points are expected, or with ``bids=hand`` by the count of the hand.

        :raises CannotPlay: without a network that values bids.
        """
        if self.options.bids == "hand":
            return bid_by_hand(view)
        loaded = bid_net.LOADER.load(native(), view.rules.name, self.options.bid_weights)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        return bid_by_points(view, loaded.net)

    def without_search(self) -> Optional["ChampionPlayer"]:
        """Gets the network alone."""
        return network_alone(self)

    def _wins(self, kernel: "Kernel", view: View, certain: Certain, deadline: Deadline) -> "Wins":
        from ddzbot.search.certain import NOTHING_PROVED, look_for_wins

        if self.options.solver == "none":
            return NOTHING_PROVED
        # Their limits are in positions, of which a playout of the network is worth many: none is charged as one.
        return look_for_wins(kernel, view, certain, deadline.with_playouts(None))

    def tells_points(self, view: View) -> bool:
        """Checks if its network learned points as the rules of *view* pay them; if not, only its chances count."""
        return self._loaded(view).pays_as(view.rules)

    def _by_score(self, view: View) -> bool:
        return view.rules.bidding if self.options.objective is None else self.options.objective == "adp"

    def _loaded(self, view: View) -> Loaded:
        return fast_net.LOADER.load(native(), view.rules.name, self.options.weights)

    def search_of(self, view: View, certain: Optional[Certain] = None) -> "RolloutSearch":
        """
        Makes the search of *view*, which has not run yet; *certain* is what is certain in it, where that is known.

        :raises CannotPlay: if there is no network that the kernel can play with.
        """
        from ddzbot.belief.worlds import Worlds
        from ddzbot.search.rollout import RolloutSearch

        net: Any = self._loaded(view).net
        if native() is None or net is None:
            raise CannotPlay("the search needs kernel and network")
        seed = self.random_for(view).getrandbits(64)
        worlds = Worlds(view, self.options.belief, certain).in_kernel(net.kernel)
        options = self.options.of_rollout(self._by_score(view))
        return RolloutSearch(net, view, options, seed, worlds)


class Deliberation(NamedTuple):
    """A decision of the champion with what led to it: network values, proofs and the search."""

    decision: Decision
    by_score: bool
    """Whether points decided instead of wins."""
    worths: "List[MoveValue]"
    """The network's values of all legal moves, the best first."""
    wins: "Optional[Wins]"
    """The result of the search for certain wins; None where the network decided alone."""
    search: "Optional[RolloutSearch]"
    """The search; None where none was needed."""


def _check_belief(name: str) -> None:
    # The kernel finds where to look for worlds by how much likelier a count is than in its one table.
    if name in GUESSERS:
        names = ", ".join(MODELS)
        raise BeliefError(
            f"champion: belief {name!r} mixes several tables, and worlds are weighed against one; take {names}"
        )
    model_named(name)


def _within(deadline: Deadline) -> Deadline:
    return deadline.with_playouts(USUAL_PLAYOUTS) if deadline.is_endless else deadline


def _debug_worths(ranked: "List[MoveValue]") -> Dict[str, List[float]]:
    return {str(worth.move): [round(worth.chance, 3)] for worth in ranked[:MOST_DEBUG_MOVES]}


def _debug_moves(moves: "List[MoveResult]") -> Dict[str, List[float]]:
    best = [(arm.move, arm.prior or 0.0, arm.visits, arm.mean) for arm in moves[:MOST_DEBUG_MOVES]]
    return {str(move): [round(prior, 3), visits, round(mean, 3)] for move, prior, visits, mean in best}
