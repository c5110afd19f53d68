"""Games of the champion's network under the rules of the 30 cards: records that take no time to make."""

import functools
from pathlib import Path

import torch
from torch import Tensor, nn

from tests.training.some_shards import write_columns
from tools.training.rocket.games import TaughtGame, taught_game
from tools.training.rocket.plan import TeacherSelfPlay
from tools.training.rocket.shards import shard_of
from tools.training.shards import shard_path

PLAN = TeacherSelfPlay("mini", seed=1, playouts=0, explore=0.3, games=10)
GAMES = 40


@functools.cache
def games(first: int = 0, count: int = GAMES) -> list[TaughtGame]:
    player = PLAN.player()
    return [taught_game(PLAN, player, index) for index in range(first, first + count)]


def write_games(folder: Path) -> Path:
    """Writes shards as the command does."""
    folder.mkdir(exist_ok=True)
    for begin in range(0, GAMES, PLAN.games):
        shard = shard_of(games()[begin : begin + PLAN.games])
        write_columns(shard_path(folder, begin, PLAN.games), PLAN.about(), shard)
    return folder


class Tiny(nn.Module):
    """Learns as the real networks do, in no time."""

    def __init__(self, cells: int, outputs: int) -> None:
        super().__init__()
        self.layer = nn.Linear(cells, outputs)

    def forward(self, cells: Tensor) -> Tensor:
        logits: Tensor = self.layer(cells.to(torch.float32).flatten(1))
        return logits


TINY: dict[str, functools.partial[Tiny]] = {
    "policy": functools.partial(Tiny, 21 * 19 * 15, 309),
    "kicker": functools.partial(Tiny, 3 * 9 * 15, 28),
}
