"""
The player ``mctshs``: tree search over the candidates of LessSplit, as in the master thesis and better.

Setting ``thesis`` is the thesis' program as its logs show it; ``default`` is what was measured to be stronger with as
many playouts; ``report`` is the bot of the report on an AI for mini Dou Dizhu by Hu Jianbo and Meng Zimo (in Chinese),
as it describes it. docs/design/search.md explains all three.

It cannot play without the kernel, which searches; :mod:`ddzbot.engine` has its fallback.
"""

from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence, Type

from ddzbot.belief.certain import Certain, what_is_certain
from ddzbot.belief.worlds import check_belief, worlds_of_search
from ddzbot.kernel import describe, native
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import MINI_SPLIT, MOST_MOVES, Arm, SearchOptions
from ddzbot.players.base import MOST_DEBUG_MOVES, CannotPlay, Decision, Player
from ddzbot.players.options import checked_word, number, read_options
from ddzbot.players.search_options import number_of_trees, with_candidates
from ddzbot.rules import Move
from ddzbot.search.certain import NOTHING_PROVED, look_for_wins
from ddzbot.search.deadline import Deadline
from ddzbot.search.limit import Limit
from ddzbot.search.slices import SearchResult
from ddzbot.search.tree import TreeSearch, by_mean, by_visits
from ddzbot.view import View

USUAL_PLAYOUTS = 20000
"""Playouts of setting ``default`` without a limit: a number, so that the decision is the same on every machine."""
_NEVER = 1 << 30
"""As visits before a node has children: the tree stays flat."""


class Setting(NamedTuple):
    """A setting of the search, and its choice in the end."""

    options: SearchOptions
    final: Callable[[Arm], float]
    """The number that ranks the moves in the end."""
    playouts: Callable[[int], int]
    """The playouts for a number of candidates if the limit has none."""
    belief: str = "uniform"
    """The belief from which the hidden hands are drawn, one of :data:`ddzbot.belief.worlds.BELIEFS`."""
    proves: bool = False
    """Whether a win that is certain is looked for first, and played (:mod:`ddzbot.search.certain`)."""
    trees: int = 1
    """The trees that share the playouts, and vote."""


def thesis_playouts(candidates: int) -> int:
    """Gets the thesis' budget: 3,000 playouts for each candidate, at least 50,000 and at most 100,000."""
    return min(max(3000 * candidates, 50000), 100000)


def usual_playouts(candidates: int) -> int:
    """Gets the same budget for any number of candidates."""
    return USUAL_PLAYOUTS


SETTINGS = {
    "thesis": Setting(
        SearchOptions(
            worlds=0,
            root_margin=2,
            tree_margin=2,
            expand_at=_NEVER,
            exploration=4000,
            halving_visits=775,
            halving_least=4,
            finish=True,
            long_solos=2,
        ),
        by_mean,
        thesis_playouts,
    ),
    "default": Setting(
        SearchOptions(worlds=0, root_margin=2, tree_margin=1, expand_at=30, exploration=700, quick=True, noise=2000),
        by_visits,
        usual_playouts,
        belief="fitted",
        proves=True,
    ),
    "report": Setting(
        SearchOptions(
            worlds=1,
            root_margin=2,
            tree_margin=2,
            expand_at=1,
            exploration=2000,
            long_list=5,
            pruning=MINI_SPLIT,
        ),
        by_visits,
        usual_playouts,
        belief="report",
    ),
}
"""The constants of the settings; docs/design/search.md says where each comes from."""


class MctshsOptions(NamedTuple):
    """The options of ``mctshs``, in the units of the command line; None keeps the setting's value."""

    setting: str = "default"
    """``default``, ``thesis`` or ``report``."""
    worlds: Optional[float] = None
    """The number of guesses of the hidden hands, taken in turn; 0: a new one for each playout."""
    k: Optional[float] = None
    """The moves by which a candidate of ``less_split`` may cost more than the fewest."""
    c: Optional[float] = None
    """UCT's constant."""
    belief: Optional[str] = None
    """The belief from which the hidden hands are drawn, one of :data:`ddzbot.belief.worlds.BELIEFS`."""
    candidates: Optional[str] = None
    """The moves that are searched: ``less_split`` or ``mini``, as in :mod:`ddzbot.candidates`."""
    long_list: Optional[float] = None
    """With how many moves to choose from a random player keeps all its solos: with more it forgets half of them."""
    trees: float = 1
    """The trees that share the playouts, each with guesses of its own; the visits of a move are added up."""


class MctshsPlayer(Player):
    """
    Searches the candidates with random playouts. Its options are :class:`MctshsOptions`.

    :raises ValueError: for an unknown option or setting, or a number that is out of range.
    """

    name = "mctshs"
    options_type: Optional[Type[Any]] = MctshsOptions

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed)
        self.options: MctshsOptions = read_options(self.name, MctshsOptions, options)
        self.setting = _setting_of(self.options)
        """The setting with the changes."""

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a move that wins for certain, or the best of a search that *limit* ends; without a limit the setting's
        number of playouts does.

        ``debug`` has the playouts, the moves in the tree, and the best moves with visits and share of games won:
        ``{"playouts": 20000, "nodes": 5210, "moves": {"345678": [15212, 0.617], ...}}``.
        """
        deadline = Deadline(limit)
        kernel = native()
        if kernel is None:
            raise CannotPlay(describe())
        certain = what_is_certain(view)
        wins = look_for_wins(kernel, view, certain, deadline) if self.setting.proves else NOTHING_PROVED
        if wins.move is not None:
            self.report(wins.move)
            return Decision(wins.move, wins.debug)
        return _decision_of(self._search(kernel, view, certain, deadline), wins.moves)

    def _search(self, kernel: Kernel, view: View, certain: Certain, deadline: Deadline) -> SearchResult:
        seed = self.random_for(view).getrandbits(64)
        worlds = worlds_of_search(kernel, view, self.setting.belief, certain)
        setting = self.setting
        search = TreeSearch(kernel, view, setting.options, seed, setting.final, worlds=worlds, trees=setting.trees)
        if deadline.is_endless:
            deadline = deadline.with_playouts(self.setting.playouts(search.arms))
        return search.run(deadline, self.report)


def _setting_of(options: MctshsOptions) -> Setting:
    checked_word("mctshs", "setting", options.setting, SETTINGS)
    chosen = SETTINGS[options.setting]
    changes: Dict[str, Any] = {
        "worlds": number("mctshs", "worlds", options.worlds, 256),
        "exploration": number("mctshs", "c", options.c, 1000, unit=1000),
        "long_list": number("mctshs", "long_list", options.long_list, MOST_MOVES),
    }
    given = {field: change for field, change in changes.items() if change is not None}
    search = with_candidates("mctshs", chosen.options._replace(**given), options.candidates, options.k)
    belief = options.belief or chosen.belief
    check_belief(belief)  # an unknown one is refused now
    return chosen._replace(options=search, belief=belief, trees=number_of_trees("mctshs", options.trees))


def _decision_of(found: SearchResult, winning: Sequence[Move] = ()) -> Decision:
    """Makes a decision of a search: its best move, or the best of those that win in every world."""
    moves = {str(arm.move): [arm.visits, round(arm.mean, 3)] for arm in found.moves[:MOST_DEBUG_MOVES]}
    return Decision(found.best_among(winning), {"playouts": found.playouts, "nodes": found.nodes, "moves": moves})
