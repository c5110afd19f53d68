"""
The player ``mctshs``: tree search over the candidates of LessSplit, as in the master thesis and better.

Setting ``thesis`` is the thesis' program as its logs show it; ``default`` is what was measured to be stronger with as
many playouts. docs/search.md explains both, and has the numbers.

Without the kernel there is no search: the player ``rule`` decides, and ``debug`` says so.
"""

from typing import Any, Callable, Dict, NamedTuple, Optional

from ddzbot.kernel import native
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import ALL_MOVES, Arm, SearchOptions
from ddzbot.players.base import Decision, Player
from ddzbot.players.rule import RulePlayer
from ddzbot.rules import Move
from ddzbot.search.clock import Clock
from ddzbot.search.limit import Limit
from ddzbot.search.tree import Result, TreeSearch, by_mean, by_visits
from ddzbot.view import View

USUAL_PLAYOUTS = 20000
"""Playouts of setting ``default`` without a limit: a number, so that the decision is the same on every machine."""
_TOLD_ARMS = 4


class Setting(NamedTuple):
    """How a search is run and what it plays in the end."""

    options: SearchOptions
    final: Callable[[Arm], float]
    """What ranks the moves in the end."""
    playouts: Callable[[int], int]
    """How many playouts so many candidates get where the limit does not say."""


def thesis_playouts(candidates: int) -> int:
    """Gets the thesis' budget: 3,000 playouts for each candidate, at least 50,000 and at most 100,000."""
    return min(max(3000 * candidates, 50000), 100000)


def usual_playouts(candidates: int) -> int:
    """Gets the same budget for any number of candidates."""
    return USUAL_PLAYOUTS


SETTINGS = {
    "thesis": Setting(
        SearchOptions(worlds=1, root_margin=2, tree_margin=2, ripe=1, exploration=4000, field_visits=775, field_size=4),
        by_mean,
        thesis_playouts,
    ),
    "default": Setting(
        SearchOptions(
            worlds=0,
            root_margin=2,
            tree_margin=ALL_MOVES,
            ripe=4,
            exploration=1500,
            finish=True,
            draws=3,
            lead_margin=0,
            follow_margin=2,
            passes=30,
            partner_passes=200,
        ),
        by_visits,
        usual_playouts,
    ),
}
"""The constants of both settings; docs/search.md says where each comes from."""


class MctshsPlayer(Player):
    """
    Searches the candidates with random playouts.

    *setting* is ``default`` or ``thesis``. The others change one thing of it: *worlds*, how many guesses of the hidden
    hands are taken in turn (0: a new one for each playout); *k*, how many moves a candidate may cost more than the
    fewest; *c*, UCT's constant.

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
    ) -> None:
        super().__init__(seed)
        if setting not in SETTINGS:
            raise ValueError("mctshs: setting {!r} is unknown; there are {}".format(setting, ", ".join(SETTINGS)))
        changes: Dict[str, Any] = {
            "worlds": _number("worlds", worlds, 256, 1),
            "root_margin": _number("k", k, ALL_MOVES, 1),
            "exploration": _number("c", c, 1000, 1000),
        }
        chosen = SETTINGS[setting]
        given = {field: value for field, value in changes.items() if value is not None}
        self.setting = chosen._replace(options=chosen.options._replace(**given))
        """The setting with the changes."""

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses the best move of a search that *limit* ends; without one the setting's number of playouts does.

        ``debug`` has the playouts, the moves in the tree, and the best moves with visits and share of games won:
        ``{"playouts": 20000, "nodes": 5210, "moves": {"345678": [15212, 0.617], ...}}``.
        """
        clock = Clock.starting_now()
        kernel = native()
        if kernel is None:
            decision = RulePlayer(self.seed).choose(view, limit)
            return Decision(decision.move, {"search": "no kernel", **decision.debug})
        result = self._searched(kernel, view, limit, clock)
        return Decision(result.move, _told(result))

    def _searched(self, kernel: Kernel, view: View, limit: Limit, clock: Clock) -> Result:
        seed = self.random_for(view).getrandbits(64)
        search = TreeSearch(kernel, view, self.setting.options, seed, self.setting.final, self._report)
        if limit.seconds is None and limit.playouts is None:
            limit = Limit(playouts=self.setting.playouts(search.arms))
        return search.run(limit, clock)

    def _report(self, move: Move) -> None:
        self.best_so_far = move


def _told(result: Result) -> Dict[str, Any]:
    moves = {str(arm.move): [arm.visits, round(arm.mean, 3)] for arm in result.arms[:_TOLD_ARMS]}
    return {"playouts": result.playouts, "nodes": result.nodes, "moves": moves}


def _number(name: str, given: Optional[object], most: int, unit: int) -> Optional[int]:
    """Reads an option, a number or the text of one, as a whole number of 1 / *unit*."""
    if given is None:
        return None
    try:
        number = float(str(given))
    except ValueError:
        number = -1.0
    if not 0 <= number <= most or number * unit != int(number * unit):
        raise ValueError(f"mctshs: {name}={given} is no number from 0 to {most}")
    return int(number * unit)
