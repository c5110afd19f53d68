"""
Counts how many recorded moves LessSplit keeps, by its margin: ``python -m tools.thesis.coverage FILE...``.

    python -m tools.thesis.coverage games.jsonl.gz
    python -m tools.thesis.coverage games.jsonl.gz --ten-kinds

A move counts if it lays cards, is legal, and its seat's hand is known; also where it was the only one. A pass says
nothing, since it is always a candidate. A margin k *covers* a move m that occurs in a division of the hand into at most
k moves more than the fewest: 1 + fewest(hand - m) <= fewest(hand) + k. Intervals take whole games as the sample, since
the moves of a game depend on each other.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click
from rich.box import SIMPLE_HEAD
from rich.progress import track
from rich.table import Table

from ddzbot.cards import Hand
from ddzbot.kernel import native
from ddzbot.rules import (
    BOMB,
    PAIR,
    PAIR_CHAIN,
    PLANE,
    ROCKET,
    RULE_SETS,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_PAIR,
    TRIO_SOLO,
    UNKNOWN,
    RuleSet,
    read_move,
    rule_set,
)
from ddzbot.split import fewest_moves

from ..match.estimates import RatioSums, share_estimate
from ..records.files import records_in
from ..records.record import GameRecord, RecordError
from ..records.replay import Ply
from ..shared.default_rules import ROW_RULES
from ..shared.interrupts import Command
from ..shared.terminal import Console

MARGINS = (0, 1, 2, 3)

PUBLISHED_MOVES = 21130
PUBLISHED_COUNTS = (18289, 20204, 20907, 20989)
"""By margin, as the slides of the thesis print them."""
PUBLISHED_PERCENT = (85.55, 95.62, 98.94, 99.33)
"""By margin, as printed; the first one is not its count, which is 86.55."""

TEN_KINDS = (SOLO, PAIR, TRIO, TRIO_SOLO, TRIO_PAIR, SOLO_CHAIN, PAIR_CHAIN, PLANE, BOMB, ROCKET)
"""What the thesis' programs list: no planes with kickers, and no four with two."""

EVERYBODY = "all"
ACTIONS = ("all", "leads", "follows")

Key = tuple[str, str]
"""Type alias: the player, or :data:`EVERYBODY`, and one of :data:`ACTIONS`."""


class Covered(NamedTuple):
    """Some moves, and how many of them each margin covers."""

    moves: int
    inside: tuple[RatioSums, ...]
    """By margin, summed over games."""


def ten_kinds(rules: RuleSet) -> RuleSet:
    """Gets *rules* with :data:`TEN_KINDS` alone, as the thesis' programs divide hands."""
    shapes = tuple(shape for shape in rules.legal if shape.kind in TEN_KINDS)
    return rules._replace(name=f"{rules.name}, ten kinds", legal=shapes, recognised=shapes)


def counter() -> Callable[[RuleSet, Hand], int]:
    """Gets what counts the fewest moves: the kernel, or its twin where there is none."""
    kernel = native()
    return kernel.fewest_moves if kernel else fewest_moves


def margin_of(rules: RuleSet, hand: Hand, cards: Hand, fewest: Callable[[RuleSet, Hand], int]) -> int | None:
    """Gets the least margin that covers the move *cards* of *hand*; None if it is not a move of *rules*."""
    if read_move(rules, cards).kind == UNKNOWN:
        return None
    return 1 + fewest(rules, hand - cards) - fewest(rules, hand)


def counts(ply: Ply, unknown: Sequence[int]) -> bool:
    """Checks if a move counts; *unknown* are the seats whose hands are not known."""
    return not (ply.move.is_pass or ply.problem or ply.seat in unknown)


def cover(records: Iterable[GameRecord], of_ten_kinds: bool = False) -> dict[Key, Covered]:
    """
    Counts the moves of *records*, and those that each margin covers, by player and leads or follows.

    *of_ten_kinds* divides as the thesis' programs do, see :func:`ten_kinds`; a move of another kind is never covered.
    """
    fewest = counter()
    sums: dict[Key, tuple[RatioSums, ...]] = defaultdict(lambda: (RatioSums(),) * len(MARGINS))
    for record in records:
        rules = ten_kinds(record.rules) if of_ten_kinds else record.rules
        for key, margins in _margins(record, rules, fewest).items():
            within = (sum(margin is not None and margin <= k for margin in margins) for k in MARGINS)
            game = (RatioSums.one(len(margins), number) for number in within)
            sums[key] = tuple(before + more for before, more in zip(sums[key], game, strict=True))
    return {key: Covered(inside[0].weight, inside) for key, inside in sums.items()}


def _margins(record: GameRecord, rules: RuleSet, fewest: Callable[[RuleSet, Hand], int]) -> dict[Key, list[int | None]]:
    found: dict[Key, list[int | None]] = defaultdict(list)
    unknown = record.unknown_seats
    for ply in record.plies() if record.moves else ():
        if not counts(ply, unknown):
            continue
        margin = margin_of(rules, ply.before.hands[ply.seat], ply.move.cards, fewest)
        action = "leads" if ply.before.to_beat is None else "follows"
        for player in (EVERYBODY, record.names[record.position_of(ply.seat)] or "somebody"):
            for each in ("all", action):
                found[player, each].append(margin)
    return found


def table_of(found: dict[Key, Covered]) -> Table:
    """Makes the table: percent within each margin with half its 95 % interval, everybody first, then by player."""
    # Without lines between the columns it fits into 80.
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("player", "moves", "count", *(f"Lmin + {k}" if k else "Lmin" for k in MARGINS)):
        table.add_column(heading, justify="left" if heading in ("player", "moves") else "right", no_wrap=True)
    percent = [f"{each:.2f}      " for each in PUBLISHED_PERCENT]
    table.add_row("published", "people", f"{PUBLISHED_MOVES:,}", *percent, end_section=True)
    for player in sorted({player for player, _ in found}, key=lambda player: (player != EVERYBODY, player)):
        known = [(action, found[player, action]) for action in ACTIONS if (player, action) in found]
        for action, covered in known:
            name = player if action == ACTIONS[0] else ""
            cells = map(_share, covered.inside)
            table.add_row(name, action, f"{covered.moves:,}", *cells, end_section=action == known[-1][0])
    return table


def _share(sums: RatioSums) -> str:
    estimate = share_estimate(sums)
    percent, half = 100 * estimate.value, 50 * (estimate.high - estimate.low)
    # As many digits as fit: 99.60 and 100.0 are equally wide, and so are 0.12 and 12.3.
    return f"{percent:.{1 if percent == 100 else 2}f} ±{half:.{1 if half >= 10 else 2}f}"


def _games(files: tuple[Path, ...], rules: str) -> Iterator[GameRecord]:
    return chain.from_iterable(records_in(file, rules=rule_set(rules)) for file in files)


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--rules", default=ROW_RULES, show_default=True, type=click.Choice(list(RULE_SETS)), help="Rule set of rows."
)
@click.option("--ten-kinds", "ten", is_flag=True, help="Divide as the thesis' programs do: only trios take kickers.")
def main(files: tuple[Path, ...], rules: str, ten: bool) -> None:
    """Print how many moves of the games in FILES LessSplit keeps with margins 0 to 3, beside the thesis' figures."""
    console, progress = Console(), Console(stderr=True)
    try:
        # Read twice, since a game takes many times its text as memory.
        with progress.status("reading"):
            games = sum(1 for _ in _games(files, rules))
        found = cover(track(_games(files, rules), "counting", games, console=progress, transient=True), ten)
    except RecordError as error:
        raise click.UsageError(str(error)) from None
    if not found:
        raise click.UsageError(f"{', '.join(map(str, files))}: no legal move of a known hand")
    console.print("Moves inside a division of the hand into at most so many moves, percent:", highlight=False)
    console.print(table_of(found))
    printed = ", ".join(f"{count:,}" for count in PUBLISHED_COUNTS)
    first = 100 * PUBLISHED_COUNTS[0] / PUBLISHED_MOVES
    console.print(
        f"{games:,} games{', divided into the ten kinds of move of the thesis' if ten else ''}. The thesis "
        f"counts {printed} of {PUBLISHED_MOVES:,}: its first figure is a misprint for {first:.2f}, or its count is.",
        highlight=False,
    )


if __name__ == "__main__":
    main()
