"""The plan of MCM's training samples: all that a shard depends on."""

import hashlib
from dataclasses import dataclass
from typing import Any

from ddzbot.game import shuffled, start
from ddzbot.kernel.searching import NativeSearch, SearchOptions
from ddzbot.net.mcm_features import NAME
from ddzbot.players.mctshs import SETTINGS, thesis_playouts
from ddzbot.rules import rule_set
from ddzbot.view import View

from ..kernel import needed_kernel
from ..selfplay import SelfPlay

DEFAULT, THESIS = "default", "thesis"
"""The settings of the player mctshs that may play against themselves."""

FORMAT = "ddzbot-mcm-records/1"

_PROBE_PLAYOUTS = 2000
_PROBE_NODES = 10000


@dataclass(frozen=True)
class SearchSelfPlay(SelfPlay):
    """The plan of self-play games with search; :meth:`budget` has the simulations of a decision."""

    playouts: int = 2000
    """Simulations of a decision, at least."""
    explore: float = 0.15
    games: int = 50
    visits: int = 100
    """Simulations that begin with each candidate, at least."""
    setting: str = DEFAULT
    """
    The setting of the player mctshs that plays against itself. ``thesis`` has a budget of its own, and gives each
    of more than four candidates some 775 visits; ``playouts`` and ``visits`` count for ``default`` alone.
    """

    file_format = FORMAT
    features = NAME
    least_playouts = 1

    def budget(self, candidates: int) -> int:
        """
        Gets how many simulations a decision between so many *candidates* takes.

        For example, with 2,000 playouts and 100 visits 6 candidates get 2,000 together and 30 get 6,000.
        """
        if self.setting == THESIS:
            return thesis_playouts(candidates)
        return max(self.playouts, 2 * self.visits * candidates)

    def options(self, candidates: int) -> SearchOptions:
        """
        Gets the setting's options, with the field halved down to one move within the budget.

        Sequential halving (Karnin, Koren, Somekh 2013, here with as many visits each round): half of the budget goes
        to all candidates alike, which makes each of them a record; the rest tells the best ones apart. No visits of
        a round are missing in the end, because n + n/2 + n/4 + ... stays below 2 n.

        Setting ``thesis`` searches as it plays: it halves the field too, and stops at four moves.
        """
        if self.setting == THESIS:
            return SETTINGS[THESIS].options
        each = self.budget(candidates) // (2 * candidates)
        return SETTINGS[self.setting].options._replace(halving_visits=each, halving_least=1)

    def check(self) -> None:
        """
        Refuses what cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        super().check()
        if self.setting not in (DEFAULT, THESIS):
            raise ValueError(f"setting {self.setting!r} must be {DEFAULT} or {THESIS}")
        if self.visits < 1:
            raise ValueError(f"visits {self.visits} must be at least 1")

    def about(self) -> dict[str, Any]:
        """Gets the head of every shard: two shards with the same head and the same games are the same."""
        return {**super().about(), "options": self.options(2)._asdict()}

    def signature(self) -> dict[str, str]:
        """Hashes what one small search finds, so that records of a changed kernel are not taken for the same."""
        view = View.of(start(shuffled(rule_set(self.rules), "signature")), 0)
        search = NativeSearch(needed_kernel("self-play"), view, self.options(10), 1, _PROBE_NODES)
        search.run(_PROBE_PLAYOUTS)
        moves = repr([[*arm.move, arm.visits, arm.wins] for arm in search.arms()])
        return {"search": hashlib.sha256(moves.encode()).hexdigest()[:12]}
