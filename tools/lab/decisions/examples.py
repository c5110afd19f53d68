"""
Looks at decisions of which somebody knows better: ``python -m tools lab decisions examples champion@5000p``.

They are for the eye, after a change: a few decisions prove nothing, and whoever tunes to them learns them by heart.
"""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import click
import tomli
from rich.progress import track
from rich.table import Column, Table
from rich.text import Text

from ddzbot.game import SEAT_NAMES
from ddzbot.view import View

from ...look.analyse.order import in_order
from ...records.notation import NotationError, parse_position
from ...shared.bounds import UnreadableError, whole_file
from ...shared.contestants import parse_contestant
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.limits import parse_limit
from ...shared.place import ROOT
from ...shared.terminal import Console

USUAL = ROOT / "results" / "examples.toml"


class Example(NamedTuple):
    """A decision, and what is known of it."""

    view: View
    good: tuple[str, ...]
    """Moves that are right; none where only the wrong ones are known."""
    bad: tuple[str, ...]
    why: str

    def is_solved_by(self, move: str) -> bool:
        """Tells if a move is one of the right ones, or none of the wrong ones."""
        return move in self.good if self.good else move not in self.bad


def read_examples(path: Path) -> list[Example]:
    """
    Reads a file of examples.

    :raises InputError: for a file that cannot be read, and an example that is none.
    """
    try:
        entries = tomli.loads(whole_file(path).decode("utf-8")).get("example", [])
    except (UnreadableError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{path} has no [[example]]")
    return [_example(f"{path}, example {number}", entry) for number, entry in enumerate(entries, 1)]


def _example(name: str, entry: dict[str, Any]) -> Example:
    try:
        game = in_order(parse_position(entry["position"]))
        view = View.of(game, game.seat)
        good, bad = (tuple(entry.get(key, ())) for key in ("good", "bad"))
        if bool(good) == bool(bad) or not {*good, *bad} <= set(map(str, view.legal_moves())):
            raise ValueError("it has good or bad moves, not both, and these are legal")
        return Example(view, good, bad, entry["why"])
    except (NotationError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{name}: {type(error).__name__}: {error}") from None


def choices(player: str, limit: str, example: Example, seeds: int) -> Counter[str]:
    """Counts what a player chooses with so many seeds."""
    engine, found = parse_contestant(player).engine(), Counter[str]()
    for seed in range(seeds):
        engine.reseed(seed)
        found[str(engine.choose(example.view, parse_limit(limit)).move)] += 1
    return found


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("players", nargs=-1, required=True)
@click.option("--file", "path", type=click.Path(dir_okay=False, path_type=Path), default=USUAL, help="The examples.")
@click.option("--limit", default="400p", help="Limit of a decision of a player that has none behind an @.")
@click.option("--seeds", type=click.IntRange(1), default=5, help="How often each player decides.")
def main(players: tuple[str, ...], path: Path, limit: str, seeds: int) -> None:
    """Let PLAYERS decide where somebody knows better, and show what they choose; right moves are green."""
    try:
        parse_limit(limit)
        if any(parse_contestant(player).is_program for player in players):
            raise ValueError("a program plays games; name players")
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    examples = read_examples(path)
    table = Table("example", "seat", "right", *(Column(player, overflow="fold") for player in players))
    solved = dict.fromkeys(players, 0)
    for number, example in enumerate(track(examples, "deciding", console=Console(stderr=True), transient=True), 1):
        cells = []
        for player in players:
            found = choices(player, limit, example, seeds)
            solved[player] += sum(count for move, count in found.items() if example.is_solved_by(move))
            cells.append(Text(", ").join(_cell(example, move, count) for move, count in found.most_common()))
        right = ", ".join(example.good) or f"not {', '.join(example.bad)}"
        table.add_row(str(number), SEAT_NAMES[example.view.seat], right, *cells)
    table.add_section()
    table.add_row("right", "", "", *(f"{count} of {seeds * len(examples)}" for count in solved.values()))
    console = Console()
    console.print(table)
    for number, example in enumerate(examples, 1):
        console.print(f"{number}: {example.why}", soft_wrap=True, highlight=False)


def _cell(example: Example, move: str, count: int) -> Text:
    return Text(f"{move} {count}x", "green" if example.is_solved_by(move) else "")
