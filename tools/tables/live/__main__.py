"""Play on Botzone from this machine, through the platform's interface for local AIs, and keep the games."""

import asyncio
import contextlib
import os
import re
import sys
from pathlib import Path
from typing import Any

import click

from ...records.record import RecordError
from ...shared.compiling import kernel_at_start
from ...shared.contestants import Contestant, parse_contestant
from ...shared.errors import InputError
from ...shared.interrupts import Group
from ...shared.json_text import json_text, parse_json
from ...shared.limits import limit_text
from ...shared.options import FILE, FOLDER, read_limit, sandbox_option
from ...shared.storage.folder import FolderError
from ...shared.storage.state import state_folder
from .account import DEFAULT_SITE, VARIABLE, Account, AccountError, account_of, read_secret
from .client import Client
from .deciding import decider_of
from .games import Games
from .screen import Screen
from .site import RefusedError, Site
from .starting import MatchRequest
from .store import Store

FAILED = 1
LONGEST_POLL = 180.0
"""Seconds."""
GAMES = ("FightTheLandlord", "FightTheLandlord2")
"""The games of the site; the one of 30 cards is known from a course only."""

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
        return json_text(parse_json(value), ascii_only=True) if value else ""
    except ValueError as error:
        raise click.BadParameter(f"{value!r:.80} is not JSON: {error}") from None


player_option = click.option(
    "--player",
    "contestant",
    default="champion",
    show_default=True,
    callback=_read_player,
    help="The player, with options, or the command line of a program.",
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
    "--save-games",
    "games",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the games go: .jsonl or .ddzn, which grows, or a folder.  [default: a file beside the state]",
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
@click.option("--initdata", default="", callback=_read_initdata, metavar="JSON", help="The deal of started matches.")
@games_option
@sandbox_option
@click.option("--state", type=FOLDER, help="Folder of running matches.")
@seed_option
@click.option("--quiet", is_flag=True, help="Plain lines, without the table.")
def play(**options: Any) -> None:
    """
    Play the matches that come, and start some against bots.

    Without --against it plays whatever table you join on the site with your local AI, until Ctrl-C. With it, it starts
    --count matches and ends after them. A client that was stopped resumes its matches.
    """
    try:
        secret = read_secret(options["secret_file"], os.environ)
        account = account_of(secret, options["user"], options["site"])
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
    wish = (
        MatchRequest(options["game"], against, count or 1, options["at_once"], None, options["initdata"])
        if against
        else None
    )
    contestant, limit, seed = options["contestant"], options["limit"], options["seed"]
    tags = {"Player": contestant.spec, "Limit": limit_text(limit)}
    decider = decider_of(contestant, limit, seed, options["workers"])
    site = Site(account, LONGEST_POLL)
    client = Client(site, decider, store, games, screen.say, wish=wish, count=count, seed=seed, tags=tags)
    screen.say(f"{contestant.spec} plays for user {account.user} at {account.host}; the games go to {games.path}")
    try:
        with contextlib.closing(decider), screen.showing(client):
            asyncio.run(_run(site, client))
    except RefusedError as error:
        raise click.ClickException(str(error)) from None
    finally:
        for summary in client.tally.lines():
            screen.say(summary)
        if client.matches:
            screen.say(f"matches that still run at the site: {len(client.matches)}; the same command resumes them")
    return FAILED if client.starter is not None and client.starter.gave_up else 0


async def _run(site: Site, client: Client) -> None:
    async with site:
        await client.run()


if __name__ == "__main__":
    main()
