"""Plays matches against the mock server while polls fail and the client is killed; returns what both sides saw."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.live.faults import FaultDraw, ServerTally
from tests.live.mock_server import MockServer, ServerBehaviour, served
from tools.tables.live.account import Account, Secret
from tools.tables.live.client import Client
from tools.tables.live.deciding import Decider
from tools.tables.live.games import Games
from tools.tables.live.pauses import Pace
from tools.tables.live.site import Site
from tools.tables.live.starting import MatchRequest
from tools.tables.live.store import Store

USER, SECRET = "trial-user", "trial-secret-0123456789"
GAMES = ("FightTheLandlord", "FightTheLandlord2")
PACE = Pace(
    first_pause=0.02, most_pause=0.3, least=0.001, gather=5.0, idle=0.01, most_idle=0.1, late=0.5, patience=30.0
)
SILENCE = 0.7
"""Part of the time that the server holds a poll, after which that counts as silence."""
REPEATS = ServerBehaviour(hold=3.0, delay=0.005)
ENVELOPES = REPEATS._replace(envelopes=True)
ONCE_ONLY = REPEATS._replace(repeats=False, hold=1.0)
"""A server that waits for every answer that it did not get, and is the slower the longer it does."""
FAULTS = 0.3
"""Share of GETs with a fault."""
AT_ONCE = 4
POLL_SECONDS = 10.0
LOOK_SECONDS = 0.05


class TrialResult(NamedTuple):
    """What came of it, on both sides."""

    report: ServerTally
    played: int
    """Matches that the client saw end with scores."""
    broken_off: int


async def run_trial(
    matches: int,
    seed: int,
    behaviour: ServerBehaviour,
    decider: Decider,
    folder: Path,
    games: Games,
    say: Callable[[str], None],
) -> TrialResult:
    """Plays all matches, half of each game; *folder* is the state folder of a client that is killed after the first."""
    server = MockServer(USER, SECRET, seed, FaultDraw(seed, FAULTS), behaviour)
    played = broken_off = 0
    async with served(server) as address:
        site = Site(Account(address, USER, Secret(SECRET)), POLL_SECONDS)
        for part, game in enumerate(GAMES):
            upto = matches * (part + 1) // len(GAMES)
            store = Store(folder, say)
            try:
                async with site:
                    wish = MatchRequest(game, ("rule",), upto - len(server.matches), AT_ONCE, None)
                    pace = PACE._replace(silence=SILENCE * behaviour.hold)
                    client = Client(site, decider, store, games, say, wish=wish, pace=pace, seed=seed + part)
                    await _run(client, server, upto, killed=upto < matches)
            finally:
                store.close()
            played += client.tally.played
            broken_off += client.tally.broken_off
    server.report.lost.extend(f"match {match.id} has not ended" for match in server.running)
    return TrialResult(server.report, played, broken_off)


async def _run(client: Client, server: MockServer, upto: int, killed: bool) -> None:
    """Runs a client to its end, or kills it once it has started its matches: the next client resumes them."""
    running = asyncio.create_task(client.run())
    while killed and not running.done() and len(server.matches) < upto:
        await asyncio.sleep(LOOK_SECONDS)
    if killed:
        running.cancel()
    await asyncio.gather(running, return_exceptions=killed)
