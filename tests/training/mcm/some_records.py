"""Games of the 30 cards, searched with few simulations: records that take no time to make."""

from pathlib import Path

from torch import Tensor, nn

from ddzbot.kernel.binding import Kernel
from ddzbot.net.mcm_features import CELLS
from tests.training.some_shards import write_columns
from tools.training.mcm.dataset import McmSamples, load_samples
from tools.training.mcm.plan import SearchSelfPlay
from tools.training.mcm.selfplay import Searched, searched_game
from tools.training.mcm.shards import play_shard
from tools.training.shards import shard_path

PLAN = SearchSelfPlay("mini", seed=1, playouts=100, visits=10, explore=0.3, games=4)


def decisions(kernel: Kernel, plan: SearchSelfPlay = PLAN, games: int = 4) -> list[Searched]:
    return [decision for game in range(games) for decision in searched_game(kernel, plan, game)]


def write_games(folder: Path, kernel: Kernel, games: int, plan: SearchSelfPlay = PLAN) -> Path:
    """Writes shards as the command does."""
    folder.mkdir(exist_ok=True)
    for begin in range(0, games, plan.games):
        write_columns(shard_path(folder, begin, plan.games), plan.about(), play_shard(plan, begin, lambda: False)[1])
    return folder


def some_records(folder: Path, kernel: Kernel, games: int = 40) -> McmSamples:
    return load_samples([write_games(folder, kernel, games)])


class TinyNetwork(nn.Module):
    """Learns as the real network does, in no time."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(CELLS, 4), nn.ReLU(), nn.Linear(4, 1))

    def forward(self, cells: Tensor) -> Tensor:
        values: Tensor = self.layers(cells)
        return values
