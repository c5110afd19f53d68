"""The plan of DeepRocket's training samples: all that a shard depends on."""

import hashlib
from dataclasses import dataclass

from ddzbot.game import shuffled, start
from ddzbot.net.rocket_features import NAME
from ddzbot.players.champion import ChampionPlayer
from ddzbot.players.registry import parse_player, player_class
from ddzbot.rules import rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ..kernel import needed_kernel
from ..selfplay import SelfPlay

FORMAT = "ddzbot-rocket-records/2"


@dataclass(frozen=True)
class TeacherSelfPlay(SelfPlay):
    """Games of the teacher; without playouts its network plays alone."""

    playouts: int = 20
    explore: float = 0.1
    games: int = 250
    teacher: str = "champion"
    """The champion, with any of its options."""

    file_format = FORMAT
    features = NAME
    least_playouts = 0

    @property
    def limit(self) -> Limit:
        """The teacher's limit for a decision."""
        return Limit(playouts=self.playouts or None)

    def player(self) -> ChampionPlayer:
        """
        Makes the teacher.

        :raises ValueError: if it is no champion, or there is no kernel.
        """
        needed_kernel("the teacher")
        spec = parse_player(self.teacher)
        if player_class(spec.name) is not ChampionPlayer:
            raise ValueError(f"teacher {self.teacher} is not the champion")
        options = spec.options if self.playouts else {**spec.options, "search": "none"}
        return ChampionPlayer(self.seed, **options)

    def signature(self) -> dict[str, str]:
        """Hashes what the teacher plays in one game, so that records of another teacher are not taken for the same."""
        player = self.player()
        game = start(shuffled(rule_set(self.rules), "signature"))
        while not game.finished:
            game = game.played(player.choose(View.of(game, game.seat), self.limit).move)
        return {"moves": hashlib.sha256(" ".join(map(str, game.plays)).encode()).hexdigest()[:12]}
