"""
The identity of a player: the networks and files that it reads, and what it decides.

A match may take weeks, and the code changes meanwhile. Sets count for as long as the player that played them is the
same: its networks and files have the same hashes, and it makes the same moves in a few games against itself. Those have
a limit of playouts, so that they do not depend on the machine's speed. Another processor alone makes no other
one, although the last bits of a network may differ there.
"""

import hashlib
from pathlib import Path
from typing import NamedTuple

from ddzbot.search.limit import Limit

from ...cluster.needs import needs_of
from ...shared.contestants import Contestant
from ..matches.plan import Match, Plan
from ..matches.sets import SetPlayer
from ..stats.row import RowBase
from .provenance import Provenance, networks, provenance

SETS = 2
LIMIT = Limit(playouts=100)
_DIGITS = 12


class Identity(RowBase, frozen=True):
    """What makes a player the same one as before."""

    files: dict[str, str]
    """Hashes by name of network or file."""
    moves: str
    """A hash; empty for a program, which has a clock of its own, and for a player that does not repeat its moves."""


class Lineup(NamedTuple):
    """Which program plays, and the identity of each of its players, by name."""

    provenance: Provenance
    players: dict[str, Identity]


def lineup_of(plan: Plan, where: str = "", jobs: int = 0) -> Lineup:
    """Identifies the players of a match."""
    origin = provenance(plan.rules, plan.contestants, where, jobs)
    return Lineup(origin, {player.spec: _identity(plan.rules, player, origin) for player in plan.contestants})


def _identity(rules: str, player: Contestant, origin: Provenance) -> Identity:
    needs = needs_of([player])
    own = {(Path(file).name if player.named else file): origin.files[file] for file in (*needs.modules, *needs.files)}
    own |= {"program": player.digest} if player.digest else {}
    return Identity(dict(sorted({**networks(rules, [player]), **own}.items())), moves_of(rules, player))


def moves_of(rules: str, player: Contestant) -> str:
    """Hashes the moves of a player in a few games against itself, as :attr:`Identity.moves`."""
    if player.is_program:
        return ""
    plan = Match(rules, (player, player), SETS, 1, "moves", LIMIT)
    moves, again = (_moves(plan, SetPlayer(plan)) for _ in range(2))
    return moves if moves == again else ""


def _moves(plan: Plan, table: SetPlayer) -> str:
    digest = hashlib.sha256()
    for index in range(SETS):
        for game in range(len(plan.seatings())):
            outcome = table.outcome(0, index, game)
            plays = outcome.game.plays if outcome.game else ()
            digest.update(f"{outcome.bids} {[move.cards for move in plays]}\n".encode())
    return digest.hexdigest()[:_DIGITS]


def change(player: str, before: Lineup, now: Lineup) -> str:
    """Describes how a player has changed, e.g. ``network.ddzw is not there``; empty if it is the same."""
    own, new = before.players[player], now.players[player]
    for file in sorted({*own.files, *new.files}):
        was, is_now = (identity.files.get(file, "not there") for identity in (own, new))
        if was != is_now:
            return f"{file} was {was} and is {is_now}"
    then, today = before.provenance, now.provenance
    if not own.moves or not new.moves or own.moves == new.moves or _moved_only(then, today):
        return ""
    code = "" if then.commit == today.commit else f" (code {then.commit} -> {today.commit})"
    return f"it makes other moves than before{code}"


def _moved_only(before: Provenance, now: Provenance) -> bool:
    """Tests for the same code on another processor."""
    return before.commit == now.commit and before.kernel == now.kernel and before.cpu != now.cpu
