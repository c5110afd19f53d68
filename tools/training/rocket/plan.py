"""What is generated, before it is: everything that the records of a shard depend on."""

import hashlib
from typing import Any, NamedTuple

from ddzbot import __version__
from ddzbot.game import shuffled, start
from ddzbot.kernel import describe, native
from ddzbot.net.rocket_features import NAME
from ddzbot.players.champion import ChampionPlayer
from ddzbot.players.registry import parse_player, player_class
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ...shared.default_rules import DEFAULT_RULES
from ...shared.seeds import TRAIN, deal_seed

FORMAT = "ddzbot-rocket-records/1"


class Plan(NamedTuple):
    """Who plays, and how."""

    rules: str = DEFAULT_RULES
    seed: int = 1
    """The root from which every deal and every choice follows."""
    teacher: str = "champion"
    """The champion, with any of its options."""
    playouts: int = 20
    """Of a decision; 0: the network alone."""
    explore: float = 0.1
    """The share of the decisions in which one of the teacher's best moves is played, not the best."""
    games: int = 250
    """Games in a shard."""

    @property
    def limit(self) -> Limit:
        """What the teacher may spend on a decision."""
        return Limit(playouts=self.playouts or None)

    def player(self) -> ChampionPlayer:
        """
        Makes the teacher.

        :raises ValueError: if it is no champion, or there is no kernel.
        """
        if native() is None:
            raise ValueError(f"the teacher needs the kernel, which `make kernel` compiles ({describe()})")
        spec = parse_player(self.teacher)
        if player_class(spec.name) is not ChampionPlayer:
            raise ValueError(f"teacher {self.teacher} is not the champion")
        options = spec.options if self.playouts else {**spec.options, "search": "none"}
        return ChampionPlayer(self.seed, **options)

    def deal_seed(self, index: int) -> str:
        """Names the deal of a game: ``train/1/000123``."""
        return deal_seed(self.seed, TRAIN, index)

    def check(self) -> None:
        """
        Refuses a plan that cannot be played.

        :raises ValueError: with one sentence that names what is wrong.
        """
        rule_set(self.rules)
        if not 0 <= self.explore <= 1:
            raise ValueError(f"explore {self.explore} must be a share, from 0 to 1")
        for name, least in (("seed", 0), ("playouts", 0), ("games", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} {getattr(self, name)} must be at least {least}")

    def about(self) -> dict[str, Any]:
        """Gets the head of every shard: two shards with the same head and the same games are the same."""
        return {
            "format": FORMAT,
            "features": NAME,
            **self._asdict(),
            "namespace": TRAIN,
            "moves": self.signature(),
            "version": __version__,
        }

    def signature(self) -> str:
        """Hashes what the teacher plays in one game, so that records of another teacher are not taken for the same."""
        player = self.player()
        game = start(shuffled(rule_set(self.rules), "signature"))
        while not game.finished:
            game = game.played(player.choose(View.of(game, game.seat), self.limit).move)
        return hashlib.sha256(" ".join(map(str, game.plays)).encode()).hexdigest()[:12]
