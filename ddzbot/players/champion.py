"""
The player ``champion``: the fast network, and a search that plays its best moves out over many worlds.

It cannot play without a network, nor search without the kernel; :mod:`ddzbot.engine` has who stands in. The network
alone (``search=none``) needs no kernel. docs/champion.md has what each part is worth.
"""

from math import exp
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

from ddzbot.belief.models import Model, model_named
from ddzbot.kernel import describe, native
from ddzbot.net.fast_features import NAME
from ddzbot.net.fast_net import Loaded, net_of_file, reigning_net
from ddzbot.players.base import CannotPlay, Decision, Player
from ddzbot.players.options import network_alone, number
from ddzbot.rules import Move
from ddzbot.search.clock import Clock
from ddzbot.search.limit import Limit
from ddzbot.view import View

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.kernel.fast_net import FastNet
    from ddzbot.kernel.fast_records import Worth
    from ddzbot.kernel.rollout import RolloutArm, RolloutOptions
    from ddzbot.search.certain import Wins
    from ddzbot.search.rollout import RolloutResult

USUAL_PLAYOUTS = 1000
"""Playouts without a limit: a number, so that the decision is the same on every machine."""
_NEAR, _NEAR_POINTS = 1000, 2000
"""How much worse than the best a move that competes may be: thousandths of a logit, and of a point."""
_TOLD_MOVES = 4


class ChampionPlayer(Player):
    """
    Plays the network's best moves out, or its best one at once.

    *search* is ``rollout`` or ``none``, and *solver*, which looks for wins before a search, ``exact`` or ``none``.
    *weights* names a file to play with instead of the reigning one. *aims* says what decides, ``win`` or ``score``, the
    points; by default points where there is an auction, since bombs double them there. The others change how it
    searches: *arms*, how many moves compete at most; *near*, how many units of logit, or points, worse than the best
    one they may be; *prior*, how many playouts the network's opinion counts; *sure*, how many standard errors a move
    must be behind to be given up; *belief*, the model of the hidden hands; *drawn*, how many worlds are drawn for each
    that is taken, by how likely the play so far was in it (0: all alike), *heat* and *trust*, how that is weighed;
    *noise*, the temperature at which moves are drawn in the playouts, in units of logit, or points (0: always the best
    one).

    :raises ValueError: for an unknown option, or a number that is out of range.
    """

    name = "champion"
    features = NAME

    def __init__(
        self,
        seed: int = 0,
        search: str = "rollout",
        weights: Optional[str] = None,
        aims: Optional[str] = None,
        arms: object = 8,
        near: Optional[object] = None,
        prior: object = 16,
        sure: object = 2.5,
        belief: str = "uniform",
        drawn: object = 2,
        heat: object = 0.2,
        trust: object = 1.0,
        noise: object = 0,
        solver: str = "exact",
    ) -> None:
        super().__init__(seed)
        if search not in ("rollout", "none"):
            raise ValueError(f"champion: search={search} is unknown; there are rollout and none")
        if solver not in ("exact", "none"):
            raise ValueError(f"champion: solver={solver} is unknown; there are exact and none")
        if aims not in (None, "win", "score"):
            raise ValueError(f"champion: aims={aims} is unknown; there are win and score")
        model_named(belief)  # an unknown one is refused now
        self.search = search
        self.solver = solver
        self.aims = aims
        self.belief: Union[str, Model] = belief
        """The model of the hidden hands: its name, or a function."""
        self._weights = weights
        self._numbers = {
            "arms": number(self.name, "arms", arms, 16, least=1),
            "near": number(self.name, "near", near, 1000, unit=1000),
            "prior": number(self.name, "prior", prior, 100000),
            "sure": number(self.name, "sure", sure, 100, unit=100),
            "drawn": number(self.name, "drawn", drawn, 16),
            "heat": number(self.name, "heat", heat, 1000, unit=1000, least=0.001),
            "trust": number(self.name, "trust", trust, 1, unit=1000),
            "noise": number(self.name, "noise", noise, 1000, unit=1000),
        }

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Chooses a move within *limit*; without one :data:`USUAL_PLAYOUTS` are played.

        A move that wins for certain, or alone wins in every world with open hands, is played without a search; where
        several win in every world, the search chooses among them (:mod:`ddzbot.search.certain`).

        ``debug`` has the network's file, ``aims`` if points decide, the playouts, and the best moves with the
        network's chance of winning, the playouts and the share of them that was won: ``{"moves": {"345678":
        [0.61, 152, 0.617], ...}, ...}``.
        """
        clock = Clock.starting_now()
        kernel = native()
        if kernel is None and self.search != "none":
            raise CannotPlay(f"no kernel ({describe()})")
        loaded = self._loaded(view)
        if loaded.net is None:
            raise CannotPlay(loaded.description)
        worths = loaded.net.values(view)
        by_score = self._by_score(view)
        best = max(worths, key=lambda worth: worth.score if by_score else worth.win)
        self.report(best.move)
        debug: Dict[str, Any] = {"weights": loaded.description, **({"aims": "score"} if by_score else {})}
        if self.search == "none" or len(worths) == 1 or kernel is None:
            return Decision(best.move, {**debug, "moves": _told_worths(worths, by_score)})
        wins = self._wins(kernel, view, limit, clock)
        if wins.move is not None:
            return Decision(wins.move, {**debug, **wins.debug})
        result = self._searched(loaded.net, view, limit, clock)  # type: ignore[arg-type]
        told = {**debug, "playouts": result.playouts, "moves": _told_arms(result)}
        return Decision(_best_of(result, wins.winning), told)

    def without_search(self) -> Optional["ChampionPlayer"]:
        """Gets the network alone."""
        return network_alone(self)

    def _wins(self, kernel: "Kernel", view: View, limit: Limit, clock: Clock) -> "Wins":
        from ddzbot.search.certain import Wins, look_for_wins

        if self.solver == "none":
            return Wins(None, {}, [], 0)
        # Their limits are in positions, of which a playout of the network is worth many: none is charged as one.
        return look_for_wins(kernel, view, limit._replace(playouts=None), clock)

    def _by_score(self, view: View) -> bool:
        return view.rules.bidding if self.aims is None else self.aims == "score"

    def _loaded(self, view: View) -> Loaded:
        if self._weights is None:
            return reigning_net(native(), view.rules.name)
        return net_of_file(native(), self._weights)

    def _searched(self, net: "FastNet", view: View, limit: Limit, clock: Clock) -> "RolloutResult":
        from ddzbot.belief.worlds import Worlds
        from ddzbot.search.rollout import RolloutSearch

        if limit.seconds is None and limit.playouts is None:
            limit = Limit(playouts=USUAL_PLAYOUTS)
        seed = self.random_for(view).getrandbits(64)
        worlds = Worlds(view, self.belief).in_kernel(net.kernel)
        return RolloutSearch(net, view, self._options(view), seed, worlds, self.report).run(limit, clock)

    def _options(self, view: View) -> "RolloutOptions":
        from ddzbot.kernel.rollout import RolloutOptions

        by_score = self._by_score(view)
        given = {name: value for name, value in self._numbers.items() if value is not None}
        return RolloutOptions(**{"near": _NEAR_POINTS if by_score else _NEAR, **given, "by_score": int(by_score)})


def _best_of(result: "RolloutResult", winning: Sequence[Move]) -> Move:
    """Gets the best move, or the best of those that win in every world."""
    if not winning or result.move in winning:
        return result.move
    return next((arm.move for arm in _ranked(result) if arm.move in winning), winning[0])


def _ranked(result: "RolloutResult") -> "List[RolloutArm]":
    return sorted(result.arms, key=lambda arm: (arm.visits, arm.mean), reverse=True)


def chance(logit: float) -> float:
    """Gets the probability that a logit stands for."""
    return 1 / (1 + exp(-max(-60.0, min(60.0, logit))))


def _told_worths(worths: "List[Worth]", by_score: bool) -> Dict[str, List[float]]:
    ranked = sorted(worths, key=lambda worth: worth.score if by_score else worth.win, reverse=True)
    return {str(worth.move): [round(chance(worth.win), 3)] for worth in ranked[:_TOLD_MOVES]}


def _told_arms(result: "RolloutResult") -> Dict[str, List[float]]:
    told = _ranked(result)[:_TOLD_MOVES]
    return {str(arm.move): [round(chance(arm.win), 3), arm.visits, round(arm.mean, 3)] for arm in told}
