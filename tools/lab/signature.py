"""
Hashes what the players that search, and the plain ones, decide, for a change of code that must not change a move.

    python -m tools lab signature                  # 2,000 decisions with the kernel, 200 without
    python -m tools lab signature --show before.txt

The positions come from fixed seeds under every rule set, and every decision has a fixed number of playouts. The hash is
that of the moves, the visits and the playouts: it stays as it is for as long as the answers do, on every machine.
Without numpy, as in a browser, players that need it fall back.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import click

from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.kernel import describe, native
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ..shared.interrupts import Command
from ..shared.options import FILE
from ..shared.terminal import Console, say

_SEARCHES = (
    ("champion", 200),
    ("champion:objective=adp,oversample=1", 120),
    ("champion:oversample=0,solver=none", 120),
    ("mcm", 300),
    ("mcm:setting=thesis,search=tree", 300),
    ("mctshs", 400),
    ("mctshs:setting=thesis", 400),
    ("mctshs:setting=report", 200),
    ("mctshs:belief=mini,candidates=mini", 300),
)
_OTHERS = (
    ("champion:search=none", 1),
    ("mcm:search=none", 1),
    ("deeprocket", 1),
    ("cql", 1),
    ("rhcp", 1),
    ("rule", 1),
    ("random", 1),
)
_WITHOUT_KERNEL = (*_OTHERS, ("champion", 1))
WITHOUT_NUMPY = " without numpy"
KINDS = {
    kind + numpy: (players, count)
    for numpy in ("", WITHOUT_NUMPY)
    for kind, players, count in (("kernel", _SEARCHES + _OTHERS, 2000), ("python", _WITHOUT_KERNEL, 200))
}
"""By what must be there: players with their playouts, and how many decisions they make."""

_FIRST_NAMES = {
    "champion:objective=adp,oversample=1": "champion:aims=score,drawn=1",
    "champion:oversample=0,solver=none": "champion:drawn=0,solver=none",
}
"""What the hashed lines call two players, so that hashes of all commits can be compared."""
_STRAYS = 0.3
"""The share of moves drawn at random, so that positions differ from those of good play."""
_ANSWERS = ("playouts", "nodes", "moves", "search")
"""The keys of a decision's debug that belong to the answer; the others may change."""


def positions(rules: RuleSet, count: int) -> Iterator[View]:
    """Yields *count* views with a choice, from all parts of games that ``rule`` plays with stray moves."""
    game_number = 0
    while count > 0:
        random = Random(f"signature/{rules.name}/{game_number}")
        game = start(shuffled(rules, f"signature/{rules.name}/{game_number}"), _bids(rules), 0)
        engine = Engine("rule", game_number)
        game_number += 1
        while not game.finished and count > 0:
            view = View.of(game, game.seat)
            moves = view.legal_moves()
            if len(moves) > 1 and random.random() < 0.25:
                count -= 1
                yield view
            stray = random.random() < _STRAYS
            game = game.played(random.choice(moves) if stray else engine.choose(view, Limit()).move)


def _bids(rules: RuleSet) -> tuple[int, ...]:
    return (3,) if rules.bidding else ()


def decisions(players: tuple[tuple[str, int], ...], count: int) -> Iterator[str]:
    """Yields *count* decisions as lines of text: player, rule set, position, move, and what the search found."""
    each = -(-count // (len(players) * len(RULE_SETS)))
    for rules in RULE_SETS.values():
        views = list(positions(rules, each))
        for label, playouts in players:
            engine = Engine(label, 11)
            for index, view in enumerate(views):
                decision = engine.choose(view, Limit(playouts=playouts))
                answer = {key: decision.debug[key] for key in _ANSWERS if key in decision.debug}
                name, chooser = (_FIRST_NAMES.get(player, player) for player in (label, decision.player))
                yield f"{name} {rules.name} {index} {chooser} {decision.move} {json.dumps(answer)}"
                count -= 1
                if count == 0:
                    return


def digest(lines: Sequence[str]) -> str:
    """Hashes decisions to 16 hex digits."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _print_kind(kind: str, show: Path | None, quiet: bool) -> None:
    players, count = KINDS[kind]
    if kind.endswith(WITHOUT_NUMPY):
        sys.modules["numpy"] = None  # type: ignore[assignment]
    if kind.startswith("kernel") != (native() is not None):
        raise click.ClickException(f"the decisions of {kind!r} cannot be made here: {describe()}")
    from rich.progress import track

    lines = list(track(decisions(players, count), kind, count, console=Console(), disable=quiet, transient=True))
    say(f"{kind} {len(lines)} decisions {digest(lines)}")
    if show:
        show.with_name(f"{show.stem}-{kind}{show.suffix}").write_text("\n".join(lines) + "\n", "utf-8")


@click.command(cls=Command)
@click.option("--out", "show", type=FILE, help="Write every decision to FILE-kernel, FILE-python and so on.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@click.option("--only", type=click.Choice(tuple(KINDS)), hidden=True)
def main(show: Path | None, quiet: bool, only: str | None) -> None:
    """Print the hashes of what every player of the bot decides, with and without the kernel and numpy."""
    if only:
        _print_kind(only, show, quiet)
        return
    for kind in KINDS:
        command = [sys.executable, "-m", "tools", "lab", "signature", "--only", kind, *(["--quiet"] if quiet else [])]
        environment = {**os.environ, **({"DDZ_NO_KERNEL": "1"} if kind.startswith("python") else {})}
        ended = subprocess.run([*command, *(["--out", str(show)] if show else [])], env=environment, check=False)
        if ended.returncode:
            sys.exit(ended.returncode)
