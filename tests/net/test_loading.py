"""Every network: it is loaded from its folder and its file, once in a process, and what is another one only says so."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from ddzbot.game import shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.net import (
    bid_net,
    cql_net,
    cql_numpy,
    fast_net,
    loading,
    mcm_cnn,
    mcm_numpy,
    rocket_bidder,
    rocket_cnn,
    rocket_numpy,
)
from ddzbot.net import current as weights
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed, read
from ddzbot.players.base import CannotPlay, Limit
from ddzbot.players.registry import make_player
from ddzbot.rules import BOTZONE
from ddzbot.view import View
from tests.net import bid_models, cql_models, fast_models, models, rocket_models
from tests.net.networks import small_network
from tools.release.weights_file import promote, write


class Network(NamedTuple):
    """A network with random weights, and what loads it."""

    loader: Loader
    packed: Callable[[], Packed]
    setting: str = ""
    takes: str = ""
    """What it cannot do without."""


NETWORKS = {
    "fast": Network(fast_net.LOADER, fast_models.random_network),
    "bid": Network(bid_net.LOADER, bid_models.random_network),
    "mcm": Network(mcm_cnn.LOADERS[mcm_cnn.NAME], models.random_network, takes="kernel or numpy"),
    "mcm, thesis": Network(mcm_cnn.LOADERS[mcm_cnn.THESIS], models.random_network, "thesis", "kernel or numpy"),
    "cql": Network(cql_net.LOADER, cql_models.random_network),
    "rocket": Network(rocket_cnn.LOADER, partial(rocket_models.random_rocket, dtype="float16"), takes="numpy"),
    "yesno": Network(rocket_bidder.LOADER, rocket_models.random_bidder),
}
every_network = pytest.mark.parametrize("network", NETWORKS.values(), ids=list(NETWORKS))


@pytest.fixture(autouse=True)
def nothing_loaded() -> None:
    for network in NETWORKS.values():
        network.loader.forget()


def entered(folder: Path, network: Network) -> Path:
    """Writes the network into the folder, as the one for botzone."""
    path = write(folder, "net", network.packed())
    promote(path, "botzone", network.setting)
    return path


@every_network
@pytest.mark.parametrize("engine", ["kernel", "without kernel"])
def test_it_is_loaded_from_its_folder_and_from_its_file(
    network: Network, engine: str, kernel: Kernel, tmp_path: Path
) -> None:
    path, given = entered(tmp_path, network), kernel if engine == "kernel" else None
    current = network.loader.load(given, "botzone", folder=str(tmp_path))
    assert current.net is not None and current.description == path.name
    assert current.trained_on == network.packed().rules
    of_file = network.loader.load(given, "icga", str(path))
    assert type(of_file.net) is type(current.net) and of_file.description == str(path)
    other = network.loader.load(given, "icga", folder=str(tmp_path))
    assert other.net is None and "icga" in other.description


@every_network
def test_its_file_is_read_once_in_a_process(network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read_files = entered(tmp_path, network), list[str]()

    def counted(file: str, *given: object, **named: object) -> Packed:
        read_files.append(file)
        return read(file, *given, **named)  # type: ignore[arg-type]

    for module in (loading, weights):
        monkeypatch.setattr(module, "read", counted)
    nets = [network.loader.load(None, "botzone", folder=str(tmp_path)).net for _ in range(5)]
    assert len(set(map(id, nets))) == 1 and read_files == [str(path)]
    nets = [network.loader.load(None, "botzone", str(path)).net for _ in range(5)]
    assert len(set(map(id, nets))) == 1 and read_files == 2 * [str(path)]
    network.loader.forget()
    assert network.loader.load(None, "botzone", folder=str(tmp_path)).net is not nets[0]
    assert read_files == 3 * [str(path)]


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("player", ["champion:search=none", "mcm", "cql", "deeprocket"])
def test_five_players_in_a_process_read_one_file(player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read_files = list[str]()

    def counted(file: str, *given: object, **named: object) -> Packed:
        read_files.append(file)
        return read(file, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(weights, "read", counted)
    view = View.of(start(shuffled(BOTZONE, "five players")), 0)
    for seed in range(5):
        make_player(player, seed).choose(view, Limit(playouts=10))
    assert len(read_files) == 1


@every_network
@pytest.mark.parametrize("engine", ["kernel", "without kernel"])
@pytest.mark.parametrize("fault", ["features", "architecture", "tensors"])
def test_another_network_is_refused(network: Network, engine: str, fault: str, kernel: Kernel, tmp_path: Path) -> None:
    packed = network.packed()
    other, says = {
        "features": (packed._replace(features="other-7"), "other-7"),
        "architecture": (packed._replace(architecture="other-8"), "the architecture is other-8, not "),
        "tensors": (
            small_network(features=packed.features, rules=packed.rules, architecture=packed.architecture),
            "is missing",
        ),
    }[fault]
    path, given = write(tmp_path, "other", other), kernel if engine == "kernel" else None
    loaded = network.loader.load(given, "botzone", str(path))
    assert loaded.net is None and loaded.trained_on == ""
    assert loaded.description.startswith("no network: ") and says in loaded.description


@every_network
def test_a_damaged_file_is_refused(network: Network, tmp_path: Path) -> None:
    path = entered(tmp_path, network)
    path.write_bytes(path.read_bytes()[:-100])
    for load in (partial(network.loader.load, file=str(path)), partial(network.loader.load, folder=str(tmp_path))):
        loaded = load(None, "botzone")
        assert loaded.net is None and path.name in loaded.description


@every_network
def test_without_numpy_and_kernel_it_computes_or_says_what_it_takes(
    network: Network, tmp_path: Path, kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = entered(tmp_path, network)
    for module in (cql_numpy, mcm_numpy, rocket_numpy):
        monkeypatch.setattr(module, "np", None)
    loaded = network.loader.load(None, "botzone", str(path))
    assert (loaded.net is None) == bool(network.takes)
    if network.takes:
        assert loaded.description.startswith("no network: ") and "there is no numpy" in loaded.description
    assert (network.loader.load(kernel, "botzone", str(path)).net is None) == (network.takes == "numpy")


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("player", ["champion", "mcm", "cql", "deeprocket"])
def test_a_player_without_its_network_says_so(player: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    with pytest.raises(CannotPlay, match=r"^no network: "):
        make_player(player).choose(View.of(start(shuffled(BOTZONE, "none")), 0), Limit(playouts=10))
