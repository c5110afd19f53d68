"""
Train, make records, score, pack and promote networks: ``python -m tools train learn champion FOLDER``.

``tools/training`` has the loop that all trainings share, and a room for each recipe.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click

from ..shared.interrupts import Group
from .recipes import RECIPES


class Place(NamedTuple):
    """The module of a command and its help, which is shown without an import."""

    module: str
    name: str
    help: str


class Lazy(Group):
    """Commands that are imported when they are called, since torch takes its time."""

    def __init__(self, name: str, sentence: str, places: "Mapping[str, Place | Lazy]") -> None:
        super().__init__(name, help=sentence)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Lists the names."""
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command."""
        entry = self._places.get(cmd_name)
        if not isinstance(entry, Place):
            return entry
        command: click.Command = getattr(import_module(f".{entry.module}", __package__), entry.name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes one line for each, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(command, entry.help or "") for command, entry in self._places.items()])


def _recipes(verb: str, sentence: str) -> Lazy:
    """Makes a command that takes the name of a recipe."""
    able = {name: recipe for name, recipe in RECIPES.items() if verb in recipe.verbs}
    places = {name: Place(f"{recipe.room}.command", verb, recipe.sentence) for name, recipe in able.items()}
    return Lazy(verb, sentence, places)


main = Lazy(
    "train",
    "Train, make records, score, pack and promote networks.",
    {
        "learn": _recipes("learn", "Train a network in a folder, or resume it."),
        "make": _recipes("make", "Make the records that a network learns from."),
        "score": _recipes("score", "Score networks on games that they have not learned from."),
        "pack": Place("packing", "pack", "Pack a network, and list it in the manifest."),
        "gate": Place("champion.gate", "gate", "Make a network of the champion current if it beats the current one."),
        "curve": Place("curve", "curve", "Measure the networks that a training kept."),
        "draw": Place("figures", "command", "Draw the logs of trainings side by side."),
        "state": Place("champion.state", "state", "Keep the state of a champion's training in one small file."),
    },
)

if __name__ == "__main__":
    main()
