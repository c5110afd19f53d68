"""What is generated, before it is: everything that the records of a shard depend on."""

import hashlib
import json
from typing import Any, NamedTuple

from ddzbot import __version__
from ddzbot.game import shuffled, start
from ddzbot.kernel import describe, native
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.searching import NativeSearch, SearchOptions
from ddzbot.net.mcm_features import NAME
from ddzbot.players.mctshs import SETTINGS, thesis_playouts
from ddzbot.rules import rule_set
from ddzbot.view import View

from ...shared.default_rules import DEFAULT_RULES
from ...shared.seeds import TRAIN, deal_seed

DEFAULT, THESIS = "default", "thesis"
"""The settings of the player mctshs that may play against themselves."""

FORMAT = "ddzbot-mcm-records/1"

_FIRST_FIELDS = SearchOptions._fields.index("whim") + 1
_PROBE_PLAYOUTS = 2000
_PROBE_NODES = 10000


class Plan(NamedTuple):
    """How games are played and searched."""

    rules: str = DEFAULT_RULES
    seed: int = 1
    """The root from which every deal and every choice follows."""
    playouts: int = 2000
    """Simulations behind a decision, at least; with many candidates there are more."""
    visits: int = 100
    """Simulations that begin with each candidate, at least."""
    explore: float = 0.15
    """The share of the decisions in which a worse move may be played."""
    games: int = 50
    """Games in a shard."""
    setting: str = DEFAULT
    """
    The setting of the player mctshs that plays against itself. ``thesis`` has a budget of its own, and gives each
    of more than four candidates some 775 visits; ``playouts`` and ``visits`` count for ``default`` alone.
    """

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
        return SETTINGS[self.setting].options._replace(field_visits=each, field_size=1)

    def deal_seed(self, index: int) -> str:
        """Names the deal of a game: ``train/1/000123``."""
        return deal_seed(self.seed, TRAIN, index)

    def check(self) -> None:
        """
        Refuses a plan that cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        rule_set(self.rules)
        if self.setting not in (DEFAULT, THESIS):
            raise ValueError(f"setting {self.setting!r} must be {DEFAULT} or {THESIS}")
        if not 0 <= self.explore <= 1:
            raise ValueError(f"explore {self.explore} must be a share, from 0 to 1")
        for name, least in (("seed", 0), ("playouts", 1), ("visits", 1), ("games", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} {getattr(self, name)} must be at least {least}")

    def about(self) -> dict[str, Any]:
        """Gets the head of every shard: two shards with the same head and the same games are the same."""
        fields = self._asdict()
        if self.setting == DEFAULT:
            del fields["setting"]  # the first shards have no such field, and are of this setting
        return {
            "format": FORMAT,
            "features": NAME,
            **fields,
            "namespace": TRAIN,
            "options": _told(self.options(2)),
            "search": self.signature(needed_kernel()),
            "version": __version__,
        }

    def signature(self, kernel: Kernel) -> str:
        """Hashes what one small search finds, so that records of a changed kernel are not taken for the same."""
        view = View.of(start(shuffled(rule_set(self.rules), "signature")), 0)
        search = NativeSearch(kernel, view, self.options(10), 1, _PROBE_NODES)
        search.run(_PROBE_PLAYOUTS)
        found = json.dumps([[*arm.move, arm.visits, arm.wins] for arm in search.arms()])
        return hashlib.sha256(found.encode()).hexdigest()[:12]


def needed_kernel() -> Kernel:
    """
    Gets the kernel.

    :raises ValueError: if there is none.
    """
    kernel = native()
    if kernel is None:
        raise ValueError(f"self-play needs the kernel, which `make kernel` compiles ({describe().partition(': ')[2]})")
    return kernel


def _told(options: SearchOptions) -> list[int]:
    """
    Lists the fields of the options, for the head of a shard.

    Shards were made before there were fields behind ``whim``. These are told only where they change the search, so that
    the older shards are still those of the plan.
    """
    fields = list(options)
    defaults = [SearchOptions._field_defaults.get(name) for name in SearchOptions._fields]
    while len(fields) > _FIRST_FIELDS and fields[-1] == defaults[-1]:
        fields.pop()
        defaults.pop()
    return fields
