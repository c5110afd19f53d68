"""The needs of a match on a worker, and the message about what it lacks."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ddzbot.players.registry import PlayerSpec, player_class

from ..programs import WithFiles
from ..shared.contestants import Contestant
from .probe import MISSING, STALE, fingerprint

_SHOWN = 3
"""Differences that a sentence names; a worker of another version has a hundred."""

_IN_WORDS = ("kernel", "numpy", "torch")
"""The needs that are versions and no hashes, so that messages can show both."""


class Needs(NamedTuple):
    """The needs of a match besides the project's own code, which must always be the same."""

    modules: tuple[str, ...] = ()
    """Modules of the user's own players."""
    files: tuple[str, ...] = ()
    """Files that must have the same content under the same name: weights, and what a program is written in."""
    programs: tuple[str, ...] = ()
    """Programs that must be there."""
    torch: bool = False
    """Whether torch must compute the same bits."""

    def fingerprint(self) -> dict[str, str]:
        """Gets what this process has of it."""
        return fingerprint(*self)


def needs_of(contestants: Iterable[Contestant]) -> Needs:
    """Finds out what *contestants* need, for example the file of ``champion:weights=new.ddzw``."""
    modules: set[str] = set()
    files: set[str] = set()
    programs: set[str] = set()
    for contestant in contestants:
        if contestant.digest:  # a program of a field, which lies where no other machine looks
            continue
        if contestant.player is None:
            files |= {word for word in contestant.command if _is_ours(word)}
            programs |= {contestant.command[0]} - {sys.executable} - files
        else:
            kind = player_class(contestant.player.name)
            module = kind.__module__
            modules |= set() if module.startswith("ddzbot.") else {module}
            files |= _files_in(contestant.player)
            if issubclass(kind, WithFiles):
                files |= {*map(_as_ours, kind.files_of(contestant.player.options))}
    return Needs(tuple(sorted(modules)), tuple(sorted(files)), tuple(sorted(programs)))


def _is_ours(word: str) -> bool:
    """Tells a file that belongs to a bot from an interpreter, which may be another one on another machine."""
    return os.path.isfile(word) and not (os.path.isabs(word) and os.access(word, os.X_OK))


def _as_ours(path: str) -> str:
    """Names a file of this package as the probe finds it: it lies elsewhere on another machine."""
    tools = Path(__file__).parents[1]
    return Path(path).relative_to(tools.parent).as_posix() if Path(path).is_relative_to(tools) else path


def _files_in(player: PlayerSpec) -> set[str]:
    return {option for option in player.options.values() if isinstance(option, str) and os.path.isfile(option)}


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Says in half a sentence what differs *there* from *here*; empty if nothing does. Only names of *here* count."""
    names = [thing for thing, mark in here.items() if there.get(thing, MISSING) != mark]
    differences = [_one(thing, here[thing], there.get(thing, MISSING)) for thing in names[:_SHOWN]]
    return ", ".join(differences) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _one(name: str, here: str, there: str) -> str:
    if there == MISSING:
        return f"{name} is missing there"
    if there == STALE:
        return f"{name} has changed since the worker started (restart it)"
    return f"{name} is {there} there and {here} here" if name in _IN_WORDS else f"{name} differs"
