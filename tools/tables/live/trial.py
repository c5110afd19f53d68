"""Plays matches against the stand-in server while things go wrong, and says what came of it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .account import Account, Secret
from .client import Client
from .deciding import Decider
from .faults import FaultDraw, ServerTally
from .games import Games
from .pauses import Pace
from .site import Site
from .standin import StandIn, Temper, served
from .starting import Wish
from .store import Store

USER, SECRET = "trial-user", "trial-secret-0123456789"
PACE = Pace(
    first_pause=0.02, most_pause=0.3, least=0.001, gather=5.0, idle=0.01, most_idle=0.1, late=0.5, patience=30.0
)
SILENCE = 0.7
"""Part of the time that the server holds a poll, after which that counts as silence."""
TEMPER = Temper(hold=3.0, delay=0.01, turn_seconds=60.0)
ONCE_ONLY = TEMPER._replace(repeats=False, hold=1.0)
"""A server that waits for every answer that it did not get, and is the slower the longer it does."""
POLL_SECONDS = 10.0
LOOK_SECONDS = 0.05


class Trial(NamedTuple):
    """What is tried."""

    matches: int = 50
    seed: int = 1
    faults: float = 0.3
    """Share of GETs with a fault."""
    games: tuple[str, ...] = ("FightTheLandlord", "FightTheLandlord2")
    """Each is played in as many matches as the next."""
    against: tuple[str, ...] = ("rule",)
    at_once: int = 4
    restarts: int = 2
    """How often the client is stopped, in the middle of whatever it does, and started again."""
    temper: Temper = TEMPER


class TrialResult(NamedTuple):
    """What came of it, on both sides."""

    report: ServerTally
    played: int
    """Matches that the client saw end with scores."""
    broken_off: int
    resent: int
    """Answers that the client sent more than once; some of them never reached the server before."""


async def run_trial(
    trial: Trial, decider: Decider, folder: Path, games: Games | None, say: Callable[[str], None]
) -> TrialResult:
    """Plays all matches; *folder* is where the client keeps those that run."""
    plan = FaultDraw(trial.seed, trial.faults)
    standin = StandIn(USER, SECRET, trial.seed, plan, trial.temper)
    played = broken_off = resent = 0
    async with served(standin) as address:
        site = Site(Account(address, USER, Secret(SECRET)), POLL_SECONDS)
        for part, upto in enumerate(_parts(trial)):
            game = trial.games[part % len(trial.games)]
            restarted = part % (1 + trial.restarts) < trial.restarts
            store = Store(folder, say)
            try:
                async with site:
                    wish = Wish(game, trial.against, upto - len(standin.matches), trial.at_once, None)
                    pace = PACE._replace(silence=SILENCE * trial.temper.hold)
                    client = Client(site, decider, store, games, say, wish=wish, pace=pace, seed=trial.seed + part)
                    await _run(client, standin, upto, stop_early=restarted and upto < trial.matches)
            finally:
                store.close()
            played += client.tally.played
            broken_off += client.tally.broken_off
            resent += client.tally.resent
    unfinished = [f"match {match.id} has not ended" for match in standin.running]
    standin.report.lost.extend(unfinished)
    return TrialResult(standin.report, played, broken_off, resent)


def _parts(trial: Trial) -> list[int]:
    """Gets after how many started matches each client ends, for as many clients as games and restarts want."""
    clients = min(trial.matches, max(len(trial.games), trial.restarts + 1))
    return [trial.matches * (part + 1) // clients for part in range(clients)]


async def _run(client: Client, standin: StandIn, upto: int, stop_early: bool) -> None:
    """Runs a client to its end, or only until it has started its matches: then others go on with them."""
    running = asyncio.create_task(client.run())
    while stop_early and not running.done() and len(standin.matches) < upto:
        await asyncio.sleep(LOOK_SECONDS)
    if stop_early:
        running.cancel()
    await asyncio.gather(running, return_exceptions=stop_early)
