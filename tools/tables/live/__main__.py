"""Plays on Botzone from this machine, through the platform's interface for local AIs, and keeps the games."""

import asyncio
import contextlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from ddzbot.search.limit import Limit

from ...records.record import RecordError
from ...shared.compiling import kernel_at_start
from ...shared.contestants import Contestant, parse_contestant
from ...shared.errors import InputError
from ...shared.interrupts import Group
from ...shared.kept.folder import FolderError, state_folder
from ...shared.limits import limit_text
from ...shared.options import FILE, FOLDER, FiniteRange, read_limit, sandbox_option
from ...shared.terminal import say
from .account import DEFAULT_SITE, VARIABLE, Account, AccountError, Secret, account_of, read_secret
from .client import Client
from .deciding import decider_of
from .faults import FaultDraw
from .games import Games
from .screen import Screen
from .site import RefusedError, Site
from .standin import StandIn, Temper, served
from .starting import Wish
from .store import Store
from .trial import ONCE_ONLY, TEMPER, Trial, run_trial

FAILED = 1
GAMES = ("FightTheLandlord", "FightTheLandlord2")
"""The games of the site; the one of 30 cards is known from a course only."""
SLOTS = {"0": 0, "1": 1, "2": 2, "each": None}

_BOT = re.compile(r"[0-9A-Za-z_:=.,-]{1,200}")


def _read_player(_context: click.Context, _parameter: click.Parameter, value: str) -> Contestant:
    try:
        return parse_contestant(value).without_limit()
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _read_bots(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    for bot in value:
        if not _BOT.fullmatch(bot):
            raise click.BadParameter(f"{bot!r:.80} is not the ID of a bot")
    if len(value) > 2:
        raise click.BadParameter(f"there are two other positions, and {len(value)} bots")
    return value


def _read_initdata(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    try:
        return json.dumps(json.loads(value), separators=(",", ":")) if value else ""
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{value!r:.80} is not JSON: {error}") from None


player_option = click.option(
    "--player",
    "contestant",
    default="champion",
    show_default=True,
    callback=_read_player,
    help="Who plays: a player with options, or the command line of a program.",
)
limit_option = click.option(
    "--limit", default="1s", show_default=True, callback=read_limit, help="Limit of a decision: 1s, 5000p."
)
seed_option = click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of every choice.")
secret_option = click.option(
    "--secret-file",
    type=FILE,
    help=f"File with the secret, for its owner alone; otherwise the variable {VARIABLE} has it.",
)
games_option = click.option(
    "--games",
    type=click.Path(path_type=Path),
    help="Where the games go: a .jsonl or .ddzn file that grows, or a folder.  [default: a file beside the state]",
)


@click.group(cls=Group)
def main() -> None:
    """Play on Botzone from this machine, through the platform's interface for local AIs."""


@main.command()
@click.option("--user", default="", help="Your user ID on the site; not needed where the secret is the whole address.")
@click.option("--site", default="", help=f"The site.  [default: {DEFAULT_SITE}]")
@secret_option
@player_option
@limit_option
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Matches that think at once.")
@click.option("--game", type=click.Choice(GAMES), default=GAMES[0], show_default=True, help="What to start.")
@click.option("--against", multiple=True, callback=_read_bots, help="ID of a bot to play against; once or twice.")
@click.option("--count", type=click.IntRange(1), help="End after so many matches.  [default with --against: 1]")
@click.option("--at-once", type=click.IntRange(1, 100), default=1, show_default=True, help="Started matches at a time.")
@click.option("--slot", type=click.Choice(list(SLOTS)), default="each", show_default=True, help="Your position.")
@click.option("--initdata", default="", callback=_read_initdata, metavar="JSON", help="The deal of started matches.")
@games_option
@sandbox_option
@click.option("--state", type=FOLDER, help="Folder of running matches.")
@click.option("--poll-seconds", type=FiniteRange(1), default=180.0, show_default=True, help="Longest poll.")
@seed_option
@click.option("--quiet", is_flag=True, help="Plain lines, without the table.")
def play(**options: Any) -> None:
    """
    Play the matches that come, and start some against bots.

    Without --against it plays whatever table you join on the site with your local AI, until Ctrl-C. With it, it starts
    --count matches and ends after them. A client that was stopped goes on with its matches.
    """
    try:
        found = read_secret(options["secret_file"], os.environ)
        account = account_of(found, options["user"], options["site"])
        folder = options["state"] or state_folder() / re.sub(r"[^\w.-]", "-", f"live-{account.host}-{account.user}")
        games = Games(options["games"] or folder / "games.jsonl")
    except (AccountError, RecordError) as error:
        raise InputError(str(error)) from None
    kernel_at_start()
    screen = Screen(account.secret, options["quiet"])
    try:
        store = Store(folder, screen.say)
    except FolderError as error:
        raise InputError(str(error)) from None
    with contextlib.closing(store):
        sys.exit(_play(account, store, games, screen, options))


def _play(account: Account, store: Store, games: Games, screen: Screen, options: dict[str, Any]) -> int:
    count, against = options["count"], options["against"]
    slot = SLOTS[options["slot"]]
    wish = (
        Wish(options["game"], against, count or 1, options["at_once"], slot, options["initdata"]) if against else None
    )
    contestant, limit, seed = options["contestant"], options["limit"], options["seed"]
    tags = {"Player": contestant.spec, "Limit": limit_text(limit)}
    decider = decider_of(contestant, limit, seed, options["workers"])
    site = Site(account, options["poll_seconds"])
    client = Client(site, decider, store, games, screen.say, wish=wish, count=count, seed=seed, tags=tags)
    screen.say(f"{contestant.spec} plays for user {account.user} at {account.host}; the games go to {games.path}")
    try:
        with contextlib.closing(decider), screen.showing(client):
            asyncio.run(_run(site, client))
    except RefusedError as error:
        raise click.ClickException(str(error)) from None
    finally:
        for line in client.tally.lines():
            screen.say(line)
        if client.matches:
            screen.say(f"matches that go on at the site: {len(client.matches)}; the same command goes on with them")
    return FAILED if client.starter is not None and client.starter.gave_up else 0


async def _run(site: Site, client: Client) -> None:
    async with site:
        await client.run()


@main.command()
@click.option("--matches", type=click.IntRange(1), default=50, show_default=True)
@player_option
@limit_option
@click.option("--faults", type=FiniteRange(0, 1), default=0.3, show_default=True, help="Share of GETs that fail.")
@click.option("--against", multiple=True, default=("rule",), callback=_read_bots, help="Players to play against.")
@click.option("--at-once", type=click.IntRange(1, 20), default=4, show_default=True)
@click.option(
    "--restarts", type=click.IntRange(0), default=2, show_default=True, help="How often the client is stopped."
)
@click.option("--envelopes", is_flag=True, help="Requests come with all that were before.")
@click.option("--no-repeats", is_flag=True, help="A request comes once only, unless that fails.")
@games_option
@sandbox_option
@seed_option
@click.option("--verbose", is_flag=True, help="Print everything that the client says.")
def trial(matches: int, contestant: Contestant, limit: Limit, seed: int, **options: Any) -> None:
    """
    Play against a stand-in server while connections fail, and count what is lost.

    Exit status: 0 if no match was lost and no answer was doubled, otherwise 1.
    """
    kernel_at_start()
    asked = Trial(
        matches=matches,
        seed=seed,
        faults=options["faults"],
        against=options["against"],
        at_once=options["at_once"],
        restarts=options["restarts"],
        temper=(ONCE_ONLY if options["no_repeats"] else TEMPER)._replace(envelopes=options["envelopes"]),
    )
    decider = decider_of(contestant, limit, seed, 1)
    tell = say if options["verbose"] else lambda sentence: None
    try:
        with contextlib.closing(decider), tempfile.TemporaryDirectory(prefix="ddzbot-live-") as folder:
            games = Games(options["games"] or Path(folder) / "games.jsonl")
            result = asyncio.run(run_trial(asked, decider, Path(folder), games, tell))
    except RecordError as error:
        raise InputError(str(error)) from None
    for line in result.report.lines(result.resent):
        say(line)
    say(f"the client saw {result.played} matches end with scores, and {result.broken_off} broken off")
    missed = result.report.finished + result.report.broken_off - result.played - result.broken_off
    if missed:
        say(f"{missed} ends never reached the client")
    sys.exit(FAILED if result.report.lost or result.report.doubled or missed else 0)


@main.command()
@click.option("--user", default="me", show_default=True, help="The user ID that it knows.")
@secret_option
@click.option("--port", type=click.IntRange(0, 65535), default=8766, show_default=True, help="Port; 0 for a free one.")
@click.option("--faults", type=FiniteRange(0, 1), default=0.0, show_default=True, help="Share of GETs that fail.")
@click.option("--hold", type=FiniteRange(0.1), default=25.0, show_default=True, help="Seconds that a poll waits.")
@click.option("--delay", type=FiniteRange(0), default=0.5, show_default=True, help="Most seconds of others' moves.")
@click.option("--envelopes", is_flag=True, help="Send requests with all that were before.")
@click.option("--no-repeats", is_flag=True, help="Send a request once only, unless that fails.")
@seed_option
def standin(user: str, secret_file: Path | None, port: int, faults: float, seed: int, **options: Any) -> None:
    """Serve the stand-in for the platform, to try any client against it; bots are players of ours."""
    temper = Temper(options["hold"], not options["no_repeats"], options["envelopes"], options["delay"])
    try:
        secret = Secret(read_secret(secret_file, os.environ))
    except AccountError as error:
        raise InputError(str(error)) from None
    server = StandIn(user, secret.revealed(), seed, FaultDraw(seed, faults), temper)
    try:
        asyncio.run(_serve(server, port))
    except OSError as error:
        raise InputError(f"--port {port}: {error.strerror}") from None
    finally:
        for line in server.report.lines():
            say(line)


async def _serve(server: StandIn, port: int) -> None:
    async with served(server, port=port) as address:
        say(f"serving at {address}; Ctrl-C ends it")
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
