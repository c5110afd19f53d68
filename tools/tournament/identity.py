"""
Who a player is: the networks and files that it reads, and what it decides.

A tournament goes on for weeks, and its code changes meanwhile. Sets count for as long as the player that played them
is the same: its networks and files have the same hashes, and it makes the same moves in a few games against itself.
Those have a limit of playouts, so that they do not depend on the machine's speed. Another processor alone makes nobody
another one, although the last bits of a network may differ there.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from ..arena.plan import Plan
from ..arena.provenance import Provenance, networks, provenance
from ..arena.sets import SetPlayer
from ..arena.shape import fields, text
from ..cluster.needs import Needs, needs_of
from ..shared.contestants import parse_contestant

__all__ = ["Identity", "change", "checked_identities", "identities", "moves_of", "who_plays"]

Identity = dict[str, Any]
"""A JSON object: ``files``, an object of hashes by name of network or file, and ``moves``, a hash."""

SETS = 2
LIMIT = "100p"
_DIGITS = 12


def moves_of(rules: str, player: str) -> str:
    """
    Hashes the moves of a player in a few games against itself.

    Empty for a program, which has a clock of its own, and for a player that moves otherwise when it plays them again.
    """
    if parse_contestant(player).is_program:
        return ""
    plan = Plan(rules, (player, player), SETS, 1, "moves", LIMIT)
    first, second = (_moves(plan, SetPlayer(plan)) for _ in range(2))
    return first if first == second else ""


def _moves(plan: Plan, table: SetPlayer) -> str:
    digest = hashlib.sha256()
    for index in range(SETS):
        for game in range(len(plan.seatings)):
            outcome = table.outcome(0, index, game)
            plays = outcome.game.plays if outcome.game else ()
            digest.update(f"{outcome.bids} {[move.cards for move in plays]}\n".encode())
    return digest.hexdigest()[:_DIGITS]


def who_plays(rules: str, players: Iterable[str], jobs: int) -> tuple[Provenance, dict[str, Identity]]:
    """Finds out which program plays, and who each of its players is."""
    players = tuple(players)
    needs = needs_of(players)
    who = provenance(rules, players, needs.modules, needs.files, "", jobs)
    return who, identities(rules, {player: needs_of((player,)) for player in players}, who)


def identities(rules: str, players: Mapping[str, Needs], who: Provenance) -> dict[str, Identity]:
    """Gets who each player is; *who* has the hashes of all their files."""
    found = {}
    for player, needs in players.items():
        hashes = networks(rules, (player,))
        hashes |= {name: who["files"][name] for name in (*needs.modules, *needs.files)}
        found[player] = {"files": dict(sorted(hashes.items())), "moves": moves_of(rules, player)}
    return found


def change(before: tuple[Identity, Provenance], now: tuple[Identity, Provenance]) -> str:
    """Says how a player is another one now than it was, e.g. ``network.ddzw is not there``; empty if it is the same."""
    own, new = before[0], now[0]
    for file in sorted({*own["files"], *new["files"]}):
        was, is_now = (one["files"].get(file, "not there") for one in (own, new))
        if was != is_now:
            return f"{file} was {was} and is {is_now}"
    was, is_now = (one["moves"] for one in (own, new))
    if not was or not is_now or was == is_now or _moved_only(before[1], now[1]):
        return ""
    code = "" if before[1]["commit"] == now[1]["commit"] else f" (code {before[1]['commit']} -> {now[1]['commit']})"
    return f"it makes other moves than before{code}"


def _moved_only(before: Provenance, now: Provenance) -> bool:
    """Tells the same code on another processor."""
    same_code = all(before[name] == now[name] for name in ("commit", "sources", "kernel"))
    return same_code and before["cpu"] != now["cpu"]


def checked_identities(value: Any, where: str) -> dict[str, Identity]:
    """
    Takes what a file says about who its players were.

    :raises ShapeError: if it is something else.
    """
    for player, identity in fields(value, where, value if isinstance(value, dict) else ()).items():
        own = f"{where}[{player!r:.40}]"
        files = fields(identity, own, ("files", "moves"))["files"]
        text(identity["moves"], f"{own}.moves")
        for name, digits in fields(files, f"{own}.files", files if isinstance(files, dict) else ()).items():
            text(digits, f"{own}.files[{name!r:.40}]")
    return dict(value)
