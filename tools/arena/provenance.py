"""
Which program played: its code, its kernel, its networks, and the machine.

Everything is read when a match starts. What decides about moves must stay the same within a match (:data:`MATTERS`);
the rest is noted, because it may explain a difference in time.
"""

import hashlib
import platform
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ddzbot.files import ROOT
from ddzbot.kernel import chosen
from ddzbot.kernel.library import VERSION
from ddzbot.net.reigning import reigning
from ddzbot.players.registry import PlayerSpec, player_class
from ddzbot.rules import rule_set

from ..shared.contestants import parse_contestant
from ..shared.machine import code_path, commit, cpu
from ..shared.place import PACKAGE
from .shape import ShapeError, fields, text, whole

__all__ = ["MATTERS", "Provenance", "checked", "differences", "lines_of", "provenance", "tags_of"]

Provenance = dict[str, Any]
"""A JSON object: texts, the number of jobs, and an object of hashes by file name under ``networks`` and ``files``."""

MATTERS = ("sources", "kernel", "networks", "files")
"""What may not differ between the parts of a match, unless somebody asks for it."""

PACKAGES = ("ddzbot", "tools/arena", "tools/judge", "tools/opponents", "tools/referee", "tools/records", "tools/shared")
"""Folders whose Python code decides which moves are played, and how they are counted."""

_TEXTS = ("commit", "sources", "kernel", "path", "cpu", "python", "numpy", "where")
_HASHES = ("networks", "files")


def provenance(
    rules: str, contestants: Iterable[str], modules: Iterable[str], files: Iterable[str], where: str, jobs: int
) -> Provenance:
    """
    Finds out who plays now. *modules* and *files* are what the contestants need beside the project's own code.

    *where* is empty for this machine, or names the cluster. For example
    ``provenance("botzone", ("champion", "rhcp"), (), (), "", 2)["networks"]`` has one entry.
    """
    kernel = chosen().kernel
    own = {name: _hash(find_origin(name)) for name in modules}
    return {
        "commit": commit(),
        "sources": sources(),
        "kernel": f"{VERSION} {kernel.library.build}" if kernel else "none",
        "path": code_path(kernel),
        "networks": networks(rules, contestants),
        "files": {**own, **{name: _hash(name) for name in files}},
        "cpu": cpu(),
        "python": platform.python_version(),
        "numpy": _numpy(),
        "where": where,
        "jobs": jobs,
    }


def sources(root: str = ROOT) -> str:
    """Hashes the Python code that plays and counts; documents, tests and trainings are no part of it."""
    digest = hashlib.sha256()
    for folder in PACKAGES:
        # pip calls the folder otherwise, but the code is the same.
        place = Path(root, folder.replace("tools", PACKAGE))
        for path in sorted(place.rglob("*.py")):
            content = path.read_bytes()
            name = f"{folder}/{path.relative_to(place).as_posix()}"
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:12]


def networks(rules: str, contestants: Iterable[str]) -> dict[str, str]:
    """Maps each network that reigns for one of these players under *rules* to its hash."""
    found = {}
    for contestant in map(parse_contestant, contestants):
        for features in _features_of(contestant.player, rule_set(rules).bidding) if contestant.player else ():
            network, description = reigning(features, rules)
            found[description] = network.sha256[:12] if network else "none"
    return dict(sorted(found.items()))


def _features_of(player: PlayerSpec, bidding: bool) -> Iterator[str]:
    """Yields the features of the networks that reign for a player; a file that somebody names is one of the files."""
    kind = player_class(player.name)
    features: str = getattr(kind, "features", "")
    # The class says how a player bids by default; with the option only the player itself knows.
    bid_features: str = getattr(player.make() if "bids" in player.options else kind, "bid_features", "")
    if features and "weights" not in player.options:
        yield features
    if bid_features and bidding and "bid_weights" not in player.options:
        yield bid_features


def find_origin(module: str) -> str:
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


def checked(value: Any, where: str) -> Provenance:
    """
    Takes what a file says about who played.

    :raises ShapeError: if it is something else.
    """
    fields(value, where, (*_TEXTS, *_HASHES, "jobs"))
    for name in _TEXTS:
        text(value[name], f"{where}.{name}")
    for name in _HASHES:
        if not isinstance(value[name], dict):
            raise ShapeError(f"{where}.{name} is {value[name]!r:.40}, which is not an object")
        for key, one in value[name].items():
            text(one, f"{where}.{name}[{key!r:.40}]")
    whole(value["jobs"], f"{where}.jobs")
    return dict(value)


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Says what differs and matters, as ``kernel 5 0123456789ab -> 5 ba9876543210``; nothing if nothing does."""
    found: list[str] = []
    for name in MATTERS:
        if before[name] == now[name]:
            continue
        if name in _HASHES:
            found += _of_files(name, before[name], now[name])
        elif name == "sources":
            found.append(f"code {_code(before)} -> {_code(now)}")
        else:
            found.append(f"{name} {before[name]} -> {now[name]}")
    return found


def _code(one: Mapping[str, Any]) -> str:
    return f"{one['commit']} (sources {one['sources']})"


def _of_files(name: str, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    kind = name[:-1]
    for file in sorted({*before, *now}):
        if before.get(file) != now.get(file):
            yield f"{kind} {file} {before.get(file, 'not there')} -> {now.get(file, 'not there')}"


def lines_of(one: Mapping[str, Any]) -> list[str]:
    """Says in a few lines for people who played."""
    place = f"on {one['where']}, from" if one["where"] else "on"
    files = [f"{name} {own}" for kind in _HASHES for name, own in one[kind].items()]
    return [
        f"code {_code(one)}, kernel {one['kernel']} ({one['path']}), {place} {one['cpu']}, Python {one['python']},"
        f" numpy {one['numpy']}, jobs {one['jobs']}",
        "networks and files: " + (", ".join(files) or "none"),
    ]


def tags_of(one: Mapping[str, Any]) -> dict[str, str]:
    """Says the same as tags of a game record."""
    played = {name: ", ".join(f"{file} {own}" for file, own in one[name].items()) for name in _HASHES}
    tags = {
        "Commit": _code(one),
        "Kernel": f"{one['kernel']} ({one['path']})",
        "Networks": played["networks"],
        "Files": played["files"],
        "Processor": one["cpu"],
        "Python": one["python"],
    }
    return {name: value for name, value in tags.items() if value}
