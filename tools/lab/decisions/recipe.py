"""The configuration of an evaluation suite: a folder has it, and a file for each unit of decisions."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from ddzbot.net.current import current_network
from ddzbot.net.fast_features import NAME
from ddzbot.rules import rule_set
from ddzbot.search.limit import parse_limit

from ...shared.bounds import UnreadableError, text_file
from ...shared.contestants import parse_contestant
from ...shared.errors import InputError
from ...shared.json_text import json_text, parse_json
from ...shared.paths import call_of
from ...shared.storage.whole_file import put
from ...training.kernel import needed_kernel

FORMAT = "ddzbot-decisions-1"
HEAD = "decisions.json"
UNIT = 50
"""Decisions of a file: what an interrupt can lose."""
UNIT_DEALS = 1000
"""Deals that a unit may use; it takes about 20."""
NAMESPACE = "decisions"
"""The deals of all benches, which no network was trained on, picked by or reported on."""
_UNIT_NAME = re.compile(r"unit-(\d{6,})\.jsonl\.gz", re.ASCII)
HALVES = 2
"""Searches that value the moves of a decision, each in worlds of its own."""
DRAWN = 4
"""Worlds that are drawn for each one taken."""


class Recipe(NamedTuple):
    """Everything that the decisions of a bench and their values follow from."""

    rules: str
    seed: int
    player: str
    """The player of the games, at all three seats."""
    limit: str
    """Of a decision in these games."""
    worlds: int
    """In which every move is played out, in both halves together."""
    drawn: int
    """The worlds that are drawn for each that is used, as the champion's option ``oversample``."""
    network: str
    """The file of the network that plays the moves out."""

    @property
    def games(self) -> int:
        """Decisions of a file."""
        return UNIT

    def check(self) -> None:
        """
        Makes sure that decisions can be made so.

        :raises ValueError: for an unknown rule set, player or limit, one in seconds, a program, or no kernel.
        """
        rule_set(self.rules)
        needed_kernel("a bench")
        if parse_limit(self.limit).seconds is not None:
            raise ValueError(f"limit {self.limit!r}: seconds give other games each time; give playouts, such as 100p")
        if parse_contestant(self.player).is_program:
            raise ValueError(f"player {self.player!r} is a program: only players of this process play a bench")

    def about(self) -> dict[str, Any]:
        """
        Gets the head of the folder, with the network that is current on this machine.

        :raises ValueError: if there is none.
        """
        return {"format": FORMAT, **self._asdict(), "network": network_of(self.rules)}


def network_of(rules: str) -> str:
    """
    Names the network that is current, whose moves a bench is about.

    :raises ValueError: if there is none.
    """
    current = current_network(NAME, rules)
    if current.network is None:
        raise ValueError(current.description)
    return current.description


def unit_path(folder: Path, unit: int) -> Path:
    """Names the file of a unit."""
    return folder / f"unit-{unit:06d}.jsonl.gz"


def known_units(folder: Path) -> list[tuple[int, Path]]:
    """Lists the units that a folder has, in order, with their files."""
    units = [(int(match[1]), path) for path in folder.iterdir() if (match := _UNIT_NAME.fullmatch(path.name))]
    return sorted(units)


def begin(folder: Path, about: dict[str, Any]) -> None:
    """
    Begins a folder, or resumes one.

    :raises InputError: if it was begun with another recipe.
    :raises OSError: if it cannot be written.
    """
    if not (folder / HEAD).exists():
        put(folder / HEAD, json_text(about).encode())
    for field, begun in read_recipe(folder)._asdict().items():
        if begun != about[field]:
            raise InputError(
                f"{folder} was begun with {field} {begun!r}, not {about[field]!r}: give the same, or another folder"
            )


def read_recipe(folder: Path) -> Recipe:
    """
    Reads the recipe of a folder.

    :raises InputError: if there is none.
    """
    path = folder / HEAD
    try:
        head = parse_json(text_file(path))
        if head.pop("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        recipe = Recipe(**head)
        rule_set(recipe.rules)
    except (UnreadableError, ValueError, KeyError, TypeError) as error:
        sentence = f"it is not the recipe of a bench ({type(error).__name__}: {error!s:.80})"
        raise InputError(
            f"{path}: {sentence}; {call_of('lab', 'decisions', 'make', str(path.parent))} makes one"
        ) from None
    return recipe
