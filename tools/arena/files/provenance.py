"""
Which program played: its commit, its kernel, its networks, and the machine.

Everything is read when a match starts, and noted for people: it may explain a difference in time. Whether the same
program plays on is the question of :mod:`tools.arena.files.identity`.
"""

import hashlib
import platform
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from ddzbot.kernel import current_choice
from ddzbot.kernel.library import VERSION
from ddzbot.net.current import current_network
from ddzbot.players.registry import PlayerSpec, player_class
from ddzbot.rules import rule_set

from ...cluster.needs import needs_of
from ...shared.contestants import Contestant
from ...shared.machine import code_path, commit, cpu
from ...shared.message import Message
from ..stats.row import RowBase, Whole


class Provenance(RowBase, frozen=True):
    """The program and the machine that played."""

    commit: str
    kernel: str
    """Version and hash of its sources."""
    path: str
    """The code of the kernel that the processor runs."""
    networks: dict[str, str]
    """Hashes by name of file, as of ``files``."""
    files: dict[str, str]
    """What contestants need beside the project's own code: weights, bots, modules."""
    cpu: str
    python: str
    numpy: str
    where: str
    """The cluster; empty for one machine."""
    jobs: Whole


def provenance(rules: str, contestants: Iterable[Contestant], where: str, jobs: int) -> Provenance:
    """
    Describes the program that plays now, on the cluster *where*, or on this machine if that is empty.

    For example ``provenance("botzone", [parse_contestant("champion")], "", 2).networks`` has one entry.
    """
    contestants = tuple(contestants)
    needs = needs_of(contestants)
    kernel = current_choice().kernel
    own = {module: _hash(_origin(module)) for module in needs.modules}
    return Provenance(
        commit(),
        f"{VERSION} {kernel.library.build}" if kernel else "none",
        code_path(kernel),
        networks(rules, contestants),
        {**own, **{file: _hash(file) for file in needs.files}},
        cpu(),
        platform.python_version(),
        _numpy(),
        where,
        jobs,
    )


def networks(rules: str, contestants: Iterable[Contestant]) -> dict[str, str]:
    """Maps each network that is current for one of these players under *rules* to its hash."""
    hashes = {}
    for contestant in contestants:
        for features in _features_of(contestant.player, rule_set(rules).bidding) if contestant.player else ():
            network, description = current_network(features, rules)
            hashes[description] = network.sha256[:12] if network else "none"
    return dict(sorted(hashes.items()))


def _features_of(player: PlayerSpec, bidding: bool) -> Iterator[str]:
    """Yields the features of the current networks for a player; a file named by an option is one of the files."""
    # The class knows what plays and bids by default; with options only the player itself does.
    described = player.make() if player.options else player_class(player.name)
    features, bid_features = (str(getattr(described, attribute, "")) for attribute in ("features", "bid_features"))
    if features and "weights" not in player.options:
        yield features
    if bid_features and bidding and "bid_weights" not in player.options:
        yield bid_features


def _origin(module: str) -> str:
    """Gets the file of a module; empty if there is none."""
    try:
        return getattr(find_spec(module), "origin", None) or ""
    except (ImportError, ValueError):
        return ""


def _numpy() -> str:
    try:
        return version("numpy")
    except PackageNotFoundError:
        return "none"


def _hash(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:12]
    except OSError:
        return "missing"


def lines_of(origin: Provenance) -> list[str]:
    """Describes in a few lines which program played."""
    machine: str = origin.cpu
    if origin.where:
        machine = Message("{cluster}, from {cpu}", cluster=origin.where, cpu=origin.cpu)
    files = [f"{file} {own}" for hashes in (origin.networks, origin.files) for file, own in hashes.items()]
    return [
        Message(
            "code {commit}, kernel {kernel} ({path}), on {place}, Python {python}, numpy {numpy}, jobs {jobs}",
            commit=origin.commit,
            kernel=origin.kernel,
            path=origin.path,
            place=machine,
            python=origin.python,
            numpy=origin.numpy,
            jobs=origin.jobs,
        ),
        Message("networks and files: {files}", files=", ".join(files) or Message("none")),
    ]


def tags_of(origin: Provenance) -> dict[str, str]:
    """Describes it by tags of a game record."""
    networks, files = (
        ", ".join(f"{file} {own}" for file, own in hashes.items()) for hashes in (origin.networks, origin.files)
    )
    tags = {
        "Commit": origin.commit,
        "Kernel": f"{origin.kernel} ({origin.path})",
        "Networks": networks,
        "Files": files,
        "Processor": origin.cpu,
        "Python": origin.python,
    }
    return {tag: value for tag, value in tags.items() if value}
