"""
The player ``mcm``: a network values every candidate, and a tree search corrects the values of the best ones.

Setting ``thesis`` is the program of thesis and patent, with a network that learned from the thesis' search; ``default``
searches as the player ``mctshs`` does. docs/design/mcm.md explains both. It cannot play without a network, nor correct
it without the kernel; :mod:`ddzbot.engine` has its fallback. The network alone (``search=none``) can do with numpy.
"""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Type

from ddzbot.belief.certain import Certain, what_is_certain
from ddzbot.belief.worlds import check_belief, worlds_of_search
from ddzbot.candidates import candidates_by
from ddzbot.kernel import describe, native
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import Arm, Branches, SearchOptions
from ddzbot.net.mcm_cnn import LOADERS, THESIS, McmNetwork
from ddzbot.net.mcm_features import NAME
from ddzbot.players import mctshs
from ddzbot.players.base import GOES_OUT, MOST_DEBUG_MOVES, ONE_CANDIDATE, CannotPlay, Decision, Player
from ddzbot.players.options import checked_word, network_alone, number, read_options
from ddzbot.players.search_options import number_of_trees, with_candidates
from ddzbot.rules import Move
from ddzbot.search.certain import NOTHING_PROVED, look_for_wins
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import SearchResult
from ddzbot.search.tree import TreeSearch, by_corrected_mean, by_visits
from ddzbot.view import View

LANDLORD_UP = 2


class Setting(NamedTuple):
    """A setting of the search: its moves, their first values, and its options."""

    options: SearchOptions
    final: Callable[[Arm], float]
    """The number that ranks the branches in the end."""
    head_visits: int
    """The visits that the network's value of a branch counts as."""
    in_turn: int = 0
    """The first simulations of each branch that are made in turn, before UCT chooses."""
    branches: int = 5
    """The most moves that are searched."""
    margin: int = 200
    """They are at most so many thousandths of a point worse than the best one, by the network."""
    corrects: str = "all"
    """The seats that search: ``all``, or as ``logged`` landlord_up alone."""
    most_playouts: Optional[int] = None
    """No decision gets more."""
    belief: str = "uniform"
    """The belief from which the hidden hands are drawn, one of :data:`ddzbot.belief.worlds.BELIEFS`."""
    proves: bool = False
    """Whether a win that is certain is looked for first, and played (:mod:`ddzbot.search.certain`)."""
    features: str = NAME
    """The features, or features and setting, of its network in :mod:`ddzbot.net.current`."""
    trees: int = 1
    """The trees that share the playouts, and vote."""


SETTINGS = {
    "thesis": Setting(
        mctshs.SETTINGS["thesis"].options._replace(exploration=1000, halving_visits=0),
        by_corrected_mean,
        head_visits=1000,
        in_turn=10000,
        most_playouts=100000,
        features=THESIS,
    ),
    "default": Setting(
        mctshs.SETTINGS["default"].options,
        by_visits,
        head_visits=50,
        branches=8,
        margin=400,
        belief=mctshs.SETTINGS["default"].belief,
        proves=True,
    ),
}


class Value(NamedTuple):
    """A move, and the payoff that the network expects of it, in points for the own seat."""

    move: Move
    payoff: float


class McmOptions(NamedTuple):
    """The options of ``mcm``, in the units of the command line; None keeps the setting's value."""

    setting: str = "default"
    """``default``, or ``thesis``."""
    search: str = "tree"
    """``tree``, or ``none`` for the network alone."""
    corrects: Optional[str] = None
    """The seats that search: ``all``, or as ``logged`` landlord_up alone."""
    branches: Optional[float] = None
    """The most moves that are searched."""
    margin: Optional[float] = None
    """The points by which they may be worse than the best one, by the network."""
    prior: Optional[float] = None
    """The visits that the network's value counts as."""
    turns: Optional[float] = None
    """The simulations that each branch gets in turn before UCT chooses."""
    c: Optional[float] = None
    """UCT's constant."""
    belief: Optional[str] = None
    """The belief from which the hidden hands are drawn, one of :data:`ddzbot.belief.worlds.BELIEFS`."""
    weights: Optional[str] = None
    """A file to play with instead of the current network."""
    candidates: Optional[str] = None
    """The moves that the network values: ``less_split`` or ``mini``."""
    k: Optional[float] = None
    """The moves by which a candidate of ``less_split`` may cost more than the fewest."""
    trees: float = 1
    """The trees that share the playouts, each with guesses of its own; the visits of a move are added up."""


class McmPlayer(Player):
    """
    Plays what network and search together think best; where it can go out, it does. Its options are
    :class:`McmOptions`.

    :raises ValueError: for an unknown setting or option, or a number that is out of range.
    """

    name = "mcm"
    features = NAME
    options_type: Optional[Type[Any]] = McmOptions

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: McmOptions = read_options(self.name, McmOptions, options)
        self.setting = _setting_of(self.options)
        """The setting with the changes."""
        self.features = self.setting.features

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a move within *limit*, which the time of the network counts to. Where it does not limit the playouts,
        their number is that of the player ``mctshs``, or the most that the setting allows: more change no move.

        ``debug`` has the network's file, what was searched, and the best moves with the network's payoff and, of
        a search, the visits and the share of games won: ``{"moves": {"345678": [0.617, 1521, 0.655], ...}, ...}``.
        """
        deadline = Deadline(limit)
        kernel = native() if self.options.search == "tree" else None
        if kernel is None and self.options.search == "tree":
            raise CannotPlay(describe())
        loaded = LOADERS[self.features].load(native(), view.rules.name, self.options.weights)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        decision = self._decision_of(kernel, view, loaded.net, deadline)
        weights = f"{loaded.description}, {loaded.net.engine}"
        return Decision(decision.move, {"weights": weights, **decision.debug})

    def without_search(self) -> Optional["McmPlayer"]:
        """Gets the network alone."""
        return network_alone(self)

    def _decision_of(self, kernel: Optional[Kernel], view: View, network: McmNetwork, deadline: Deadline) -> Decision:
        options = self.setting.options
        moves = candidates_by(options.pruning, view.rules, view.hand, view.to_beat, options.root_margin)
        out = [move for move in moves if move.cards == view.hand]
        if out:
            return self._settle(out[0], {"search": GOES_OUT})
        if len(moves) == 1:
            return self._settle(moves[0], {"search": ONE_CANDIDATE})
        certain = what_is_certain(view)
        wins = look_for_wins(kernel, view, certain, deadline) if kernel and self.setting.proves else NOTHING_PROVED
        if wins.move is not None:
            return self._settle(wins.move, wins.debug)
        moves = wins.moves or moves
        values = _ranked(moves, network.values(view, moves))
        self.report(values[0].move)
        return self._correct(kernel, view, certain, values, deadline)

    def _settle(self, move: Move, debug: Dict[str, Any]) -> Decision:
        """Plays what has to be played whatever the network thinks, which has not been shown such decisions."""
        self.report(move)
        return Decision(move, debug)

    def _correct(
        self, kernel: Optional[Kernel], view: View, certain: Certain, values: List[Value], deadline: Deadline
    ) -> Decision:
        branches = self._branches(values)
        why = self._alone(view, branches)
        if kernel is None or why:
            return Decision(values[0].move, {"search": why, "moves": _debug_values(values)})
        result = self._search(kernel, view, certain, branches, self._within(deadline))
        debug = {"playouts": result.playouts, "nodes": result.nodes, "moves": _debug_moves(result, branches)}
        return Decision(result.move, debug)

    def _branches(self, values: List[Value]) -> List[Value]:
        least = values[0].payoff - self.setting.margin / 1000
        return [branch for branch in values[: self.setting.branches] if branch.payoff >= least]

    def _alone(self, view: View, branches: List[Value]) -> str:
        """Says why the network decides alone; empty if it does not."""
        if self.options.search == "none":
            return "none"
        if self.setting.corrects == "logged" and view.seat != LANDLORD_UP:
            return "not for this seat"
        return "one branch" if len(branches) == 1 else ""

    def _within(self, deadline: Deadline) -> Deadline:
        """Gets the deadline of the search: what the setting allows of what is left."""
        most, playouts = self.setting.most_playouts, deadline.playouts_left
        if playouts is None:
            playouts = most or mctshs.USUAL_PLAYOUTS
        return deadline.with_playouts(playouts if most is None else min(most, playouts))

    def _search(
        self, kernel: Kernel, view: View, certain: Certain, values: List[Value], deadline: Deadline
    ) -> SearchResult:
        setting, seed = self.setting, self.random_for(view).getrandbits(64)
        shares = [share_of(view.seat, branch.payoff) for branch in values]
        branches = Branches([branch.move for branch in values], setting.head_visits, shares, setting.in_turn)
        worlds = worlds_of_search(kernel, view, setting.belief, certain)
        search = TreeSearch(
            kernel, view, setting.options, seed, setting.final, worlds=worlds, branches=branches, trees=setting.trees
        )
        return search.run(deadline, self.report)


def _setting_of(options: McmOptions) -> Setting:
    checked_word("mcm", "setting", options.setting, SETTINGS)
    checked_word("mcm", "search", options.search, ("tree", "none"))
    chosen = SETTINGS[options.setting]
    changes: Dict[str, Any] = {
        "corrects": options.corrects,
        "branches": number("mcm", "branches", options.branches, 64, least=1),
        "margin": number("mcm", "margin", options.margin, 4, unit=1000),
        "head_visits": number("mcm", "prior", options.prior, 1 << 24),
        "in_turn": number("mcm", "turns", options.turns, 1 << 24),
        "belief": options.belief,
        "trees": number_of_trees("mcm", options.trees),
    }
    search = with_candidates("mcm", chosen.options, options.candidates, options.k)
    exploration = number("mcm", "c", options.c, 1000, unit=1000)
    if exploration is not None:
        search = search._replace(exploration=exploration)
    given = {field: change for field, change in changes.items() if change is not None}
    setting = chosen._replace(options=search, **given)
    checked_word("mcm", "corrects", setting.corrects, ("all", "logged"))
    check_belief(setting.belief)  # an unknown one is refused now
    return setting


def share_of(seat: int, payoff: float) -> float:
    """
    Gets the share of games won that a payoff stands for: a game pays the landlord 2 points, and a peasant 1.

    For example ``share_of(0, 1.0) == 0.75``. A network may exceed what can be won, and so may the share.
    """
    return (payoff / (2 if seat == 0 else 1) + 1) / 2


def _ranked(moves: List[Move], payoffs: List[float]) -> List[Value]:
    return sorted(map(Value, moves, payoffs), key=lambda value: value.payoff, reverse=True)


def _debug_values(values: List[Value]) -> Dict[str, List[float]]:
    return {str(branch.move): [round(branch.payoff, 3)] for branch in values[:MOST_DEBUG_MOVES]}


def _debug_moves(found: SearchResult, branches: List[Value]) -> Dict[str, List[float]]:
    payoffs = dict(branches)
    best = found.moves[:MOST_DEBUG_MOVES]
    return {str(arm.move): [round(payoffs[arm.move], 3), arm.visits, round(arm.mean, 3)] for arm in best}
