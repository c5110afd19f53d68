"""
The player ``mctshs``: tree search over the candidates of LessSplit, as in the master thesis and better.

Setting ``thesis`` is the thesis' program as its logs show it; ``default`` is what was measured to be stronger with as
many playouts; ``report`` is the bot of the report on an AI for mini Dou Dizhu by Hu Jianbo and Meng Zimo (in Chinese),
as it describes it. docs/search.md explains all three, and has the numbers.

It cannot play without the kernel, which searches; :mod:`ddzbot.engine` has who stands in.
"""

from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence

from ddzbot.belief.worlds import believed, check_belief
from ddzbot.kernel import describe, native
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import MINI_SPLIT, MOST_MOVES, Arm, SearchOptions
from ddzbot.players.base import CannotPlay, Decision, Player
from ddzbot.players.options import number
from ddzbot.players.search_options import with_candidates
from ddzbot.rules import Move
from ddzbot.search.certain import look_for_wins
from ddzbot.search.clock import Clock
from ddzbot.search.limit import Limit
from ddzbot.search.tree import Result, TreeSearch, by_mean, by_visits
from ddzbot.view import View

USUAL_PLAYOUTS = 20000
"""Playouts of setting ``default`` without a limit: a number, so that the decision is the same on every machine."""
_TOLD_ARMS = 4
_NEVER = 1 << 30
"""As visits before a node has children: the tree stays flat."""


class Setting(NamedTuple):
    """How a search is run and what it plays in the end."""

    options: SearchOptions
    final: Callable[[Arm], float]
    """What ranks the moves in the end."""
    playouts: Callable[[int], int]
    """How many playouts so many candidates get where the limit does not say."""
    belief: str = "uniform"
    """What the hidden hands are drawn from, one of :data:`ddzbot.belief.worlds.BELIEFS`."""
    proves: bool = False
    """Whether a win that is certain is looked for first, and played (:mod:`ddzbot.search.certain`)."""


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
            ripe=_NEVER,
            exploration=4000,
            field_visits=775,
            field_size=4,
            finish=True,
            long_solos=2,
        ),
        by_mean,
        thesis_playouts,
    ),
    "default": Setting(
        SearchOptions(worlds=0, root_margin=2, tree_margin=1, ripe=30, exploration=700, quick=True, whim=2000),
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
            ripe=1,
            exploration=2000,
            long_list=5,
            pruning=MINI_SPLIT,
        ),
        by_visits,
        usual_playouts,
        belief="report",
    ),
}
"""The constants of the settings; docs/search.md says where each comes from."""


class MctshsPlayer(Player):
    """
    Searches the candidates with random playouts.

    *setting* is ``default``, ``thesis`` or ``report``. The others change one thing of it: *worlds*, how many guesses of
    the hidden hands are taken in turn (0: a new one for each playout); *candidates*, which moves are searched,
    ``less_split`` or ``mini``, as in :mod:`ddzbot.candidates`; *k*, how many moves a candidate of ``less_split`` may
    cost more than the fewest; *c*, UCT's constant; *belief*, what the hidden hands are drawn from, one of
    :data:`ddzbot.belief.worlds.BELIEFS`; *long_list*, with how many moves to choose from a random player keeps all its
    solos: with more it forgets half of them.

    :raises ValueError: for an unknown setting, or a number that is out of range.
    """

    name = "mctshs"

    def __init__(
        self,
        seed: int = 0,
        setting: str = "default",
        worlds: Optional[object] = None,
        k: Optional[object] = None,
        c: Optional[object] = None,
        belief: Optional[str] = None,
        candidates: Optional[str] = None,
        long_list: Optional[object] = None,
    ) -> None:
        super().__init__(seed)
        if setting not in SETTINGS:
            raise ValueError("mctshs: setting {!r} is unknown; there are {}".format(setting, ", ".join(SETTINGS)))
        changes: Dict[str, Any] = {
            "worlds": number("mctshs", "worlds", worlds, 256),
            "exploration": number("mctshs", "c", c, 1000, unit=1000),
            "long_list": number("mctshs", "long_list", long_list, MOST_MOVES),
        }
        chosen = SETTINGS[setting]
        given = {field: value for field, value in changes.items() if value is not None}
        options = with_candidates("mctshs", chosen.options._replace(**given), candidates, k)
        belief = belief or chosen.belief
        check_belief(belief)  # an unknown one is refused now
        self.setting = chosen._replace(options=options, belief=belief)
        """The setting with the changes."""

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a move that wins for certain, or the best of a search that *limit* ends; without a limit the setting's
        number of playouts does.

        ``debug`` has the playouts, the moves in the tree, and the best moves with visits and share of games won:
        ``{"playouts": 20000, "nodes": 5210, "moves": {"345678": [15212, 0.617], ...}}``.
        """
        clock = Clock.starting_now()
        kernel = native()
        if kernel is None:
            raise CannotPlay(f"no kernel ({describe()})")
        if not self.setting.proves:
            return _told(self._searched(kernel, view, limit, clock, 0))
        wins = look_for_wins(kernel, view, limit, clock)
        if wins.move is not None:
            self.report(wins.move)
            return Decision(wins.move, wins.debug)
        return _told(self._searched(kernel, view, limit, clock, wins.playouts), wins.winning)

    def _searched(self, kernel: Kernel, view: View, limit: Limit, clock: Clock, spent: int) -> Result:
        seed = self.random_for(view).getrandbits(64)
        # Without a table the search itself deals uniformly, and a little faster.
        belief = self.setting.belief
        ways = None if belief == "uniform" else believed(view, belief).in_kernel(kernel)
        address = ways.address if ways else None
        search = TreeSearch(kernel, view, self.setting.options, seed, self.setting.final, self.report, worlds=address)
        if limit.seconds is None and limit.playouts is None:
            limit = Limit(playouts=self.setting.playouts(search.arms))
        if limit.playouts is not None:
            limit = limit._replace(playouts=max(1, limit.playouts - spent))
        return search.run(limit, clock)


def _told(result: Result, winning: Sequence[Move] = ()) -> Decision:
    """Makes a decision of a search: its best move, or the best of those that win in every world."""
    moves = {str(arm.move): [arm.visits, round(arm.mean, 3)] for arm in result.arms[:_TOLD_ARMS]}
    best = next((arm.move for arm in result.arms if arm.move in winning), winning[0] if winning else result.move)
    return Decision(best, {"playouts": result.playouts, "nodes": result.nodes, "moves": moves})
