"""
Serve tables in the browser, for one person or several; bots take the other seats.

    python -m tools serve --rules botzone2 --bot champion --limit 1s
    python -m tools serve records/last.jsonl --move 7 --open

It prints the address of the start page, or of a board that begins before a move of a game, and serves until Ctrl-C. By
default only this machine can reach it.
"""

import asyncio
import contextlib
import errno
import logging
import re
import secrets
import signal
import socket
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import click

from ddzbot.search.limit import Limit

from ...records.files import chosen, records_in
from ...records.jsonl import record_json
from ...records.record import RecordError
from ...shared.browser import show_page
from ...shared.compiling import kernel_at_start
from ...shared.default_rules import AUCTION_RULES
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.json_text import parse_json
from ...shared.message import Message
from ...shared.options import FILE, RULES, FiniteRange, number_option, read_limit, sandbox_option
from ...shared.storage.folder import FolderError
from ...shared.storage.state import state_folder
from ...shared.terminal import PlainFormatter, say
from ..table.bots import checked_bot, warn_of_open_bots
from ..table.levels import BEST, PROPOSED, choices
from ..table.thinking import Thinkers
from .app import make_app
from .board import start_of
from .plan import ServerConfig
from .reviews import NICENESS, ReviewQueue
from .rooms import Rooms
from .saving import SavedGames
from .sentences import RefusedError
from .site import raise_open_files, served_at
from .store import Store

PLAYERS = ("champion", "champion:search=none", "mctshs", "rule", "random")
HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""What to type on this machine itself, where the server listens at all of its addresses."""
DOCUMENTATION = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses in the network, kept free for documentation."""
PORTS = click.IntRange(0, 65535)
SEED_DIGITS = 32
"""A seed of so many hexadecimal digits, 128 bits, is found by no search; a finished game gives a shorter one away."""


class Options(NamedTuple):
    """The options of the command line."""

    rules: str
    bot: str
    limit: Limit
    hint_limit: Limit
    review_limit: Limit
    seed: str | None
    open_seed: bool
    host: str
    port: int
    name: tuple[str, ...]
    pace: float
    idle: float
    workers: int
    tables: str
    save_games: Path | None
    open_page: bool
    games: Path | None
    number: int
    move: int


def _read_bot(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    try:
        checked_bot(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value


def _read_seed(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch("[0-9a-fA-F]+", value):
        raise click.BadParameter(f"{value!r} is not made of hexadecimal digits")
    return value and value.lower()


@click.command(help=__doc__, cls=Command)
@click.argument("games", required=False, type=click.Path(path_type=Path))
@number_option
@click.option("--move", type=click.IntRange(1), default=1, help="Begin a board before this move of that game.")
@click.option(
    "--rules",
    type=RULES,
    default=AUCTION_RULES,
    show_default=True,
    help="Rule set that the page proposes.",
)
@click.option(
    "--bot", default=PROPOSED.name, show_default=True, callback=_read_bot, help="The bot that the page proposes."
)
@click.option("--limit", default=BEST.limit, show_default=True, callback=read_limit, help="Limit of a bot: 1s, 5000p.")
@click.option("--hint-limit", default="1s", show_default=True, callback=read_limit, help="Limit of a hint.")
@click.option(
    "--review-limit", default="5000p", show_default=True, callback=read_limit, help="Limit of a decision in a review."
)
@click.option(
    "--seed",
    callback=_read_seed,
    metavar="SEED",
    help="Hexadecimal digits from which all deals follow; random without it.",
)
@click.option("--open-seed", is_flag=True, help="Accept a short --seed, from which any player can compute all cards.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve at; 0.0.0.0 for all.")
@click.option("--port", type=PORTS, default=8765, show_default=True, help="Port; 0 for any free one.")
@click.option("--name", multiple=True, help="Accept this host name from browsers. Repeatable.")
@click.option("--pace", type=FiniteRange(0, 60), default=0.8, show_default=True, help="Seconds between bots' moves.")
@click.option(
    "--idle", type=FiniteRange(0.01), default=120, show_default=True, help="Close a table after this many idle minutes."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Number of bots that may think at once."
)
@click.option(
    "--tables",
    default="auto",
    show_default=True,
    metavar="FOLDER|auto|off",
    help="Keep tables in this folder, so that they survive a restart; auto: a folder per --port.",
)
@click.option("--save-games", type=FILE, help="Save each finished game in this file: .ddzn or .jsonl.")
@click.option("--open", "open_page", is_flag=True, help="Open the start page, or the board, in a browser.")
@sandbox_option
def main(**options: object) -> None:
    """Serve until Ctrl-C."""
    asked = Options(**options)  # type: ignore[arg-type]
    start, saved = _start(asked), _saved(asked.save_games)
    warn_of_open_bots([asked.bot])
    _check_seed(asked)
    _log_plainly()
    bound = _bound(asked.host, asked.port)
    kernel_at_start()
    raise_open_files()
    with contextlib.ExitStack() as stack:
        stack.callback(bound.close)
        thinkers = stack.enter_context(Thinkers(asked.workers))
        reviewers = stack.enter_context(Thinkers(1, niceness=NICENESS))
        store = _store(asked)
        if store is not None:
            stack.callback(store.close)
        review_queue = ReviewQueue(reviewers, asked.review_limit)
        config = ServerConfig(thinkers, asked.limit, asked.hint_limit, asked.pace, review_queue)
        if saved is not None:
            stack.callback(saved.close)
            config = config._replace(finished=saved.add)
        asyncio.run(_serve(asked, bound, config, store, start))
    say("stopped")


def _log_plainly() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter(logging.BASIC_FORMAT))
    logging.basicConfig(handlers=[handler])


def _check_seed(options: Options) -> None:
    """
    Refuses a seed that others can find out.

    :raises click.UsageError: with a fresh one that they cannot.
    """
    if options.seed is not None and len(options.seed) < SEED_DIGITS and not options.open_seed:
        fresh = secrets.token_hex(SEED_DIGITS // 2)
        raise click.UsageError(
            f"--seed {options.seed} has fewer than {SEED_DIGITS} hexadecimal digits: a player of one finished game"
            f" can find it, and with it all cards; take a new one such as --seed {fresh}, or add --open-seed"
        )


def _start(options: Options) -> Any:
    """Gets the object of the record at which a board begins; None without one."""
    if options.games is None:
        return None
    try:
        record = chosen(records_in(options.games), options.number)
        if options.move > len(record.moves) + 1:
            raise RecordError(
                Message("there is no move {number}: the game has {count}", number=options.move, count=len(record.moves))
            )
        start = parse_json(record_json(record.begun(options.move - 1)))
        start_of(start)
    except RecordError as error:
        raise InputError(str(error)) from None
    except RefusedError as error:
        raise InputError(f"{options.games}: {error}") from None
    return start


def _saved(path: Path | None) -> SavedGames | None:
    """Opens the file of finished games; None without one."""
    try:
        return None if path is None else SavedGames(path)
    except RecordError as error:
        raise InputError(f"--save-games {error}") from None


def _store(options: Options) -> Store | None:
    """Takes the folder for tables; None if they live in memory. Port 0 is another one each time, and has no folder."""
    if options.tables == "off" or (options.tables == "auto" and not options.port):
        return None
    folder = state_folder() / f"tables-{options.port}" if options.tables == "auto" else Path(options.tables)
    try:
        return Store(folder)
    except FolderError as error:
        raise click.UsageError(f"--tables {error}") from None


def _bound(host: str, port: int) -> socket.socket:
    """Binds the socket now, so that a port that is taken is one sentence."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise click.UsageError(f"--host {host} --port {port}: {error.strerror}") from None
    try:
        if sys.platform == "win32":  # SO_REUSEADDR would take the port of a server that runs
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        bound.close()
        cure = "; name another one with --port, or 0 for any free one" if error.errno == errno.EADDRINUSE else ""
        raise click.UsageError(f"--host {host} --port {port}: {error.strerror}{cure}") from None
    return bound


async def _serve(options: Options, bound: socket.socket, config: ServerConfig, store: Store | None, start: Any) -> None:
    root = options.seed or secrets.token_hex(32)
    rooms = Rooms(config, choices(options.bot, PLAYERS), root, 60 * options.idle, store)
    resumed = 0 if store is None else store.restore(rooms)
    async with served_at(make_app(rooms, (*options.name, options.host), options.rules), bound):
        _announce(options, bound, store, resumed, "" if start is None else _board_path(rooms, start))
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for stop_signal in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(stop_signal, stop.set)
        await stop.wait()


def _board_path(rooms: Rooms, start: Any) -> str:
    room = rooms.make({"start": start})
    return f"tables/{room.name}#seat={room.seats.invite()[0]}"


def _announce(options: Options, bound: socket.socket, store: Store | None, resumed: int, board: str = "") -> None:
    """Prints where the tables are, or the *board*, which machines can open them, and how many there are already."""
    host, port = bound.getsockname()[:2]
    address = _address(HERE.get(host, options.host), port) + board
    say(f"The table is at {address} (Ctrl-C stops it)")
    if not ip_address(host).is_loopback:
        addresses = [_address(another_host, port) for another_host in _hosts_for_others(bound)]
        say(f"Others on the network can open it at {' or '.join(addresses) or f'your address, port {port}'}")
    if store is not None and resumed:
        say(f"{resumed} tables resume where they were, from {store.path}")
    if options.open_page:
        show_page(address)


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _hosts_for_others(bound: socket.socket) -> list[str]:
    """Finds what others on the network have to type; nothing where this machine has no way to them now."""
    host = bound.getsockname()[0]
    if not ip_address(host).is_unspecified:
        return [host]
    both = bound.family == socket.AF_INET6 and not bound.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
    hosts = [_host_towards(family) for family in ([socket.AF_INET, socket.AF_INET6] if both else [bound.family])]
    return [host for host in hosts if host]


def _host_towards(family: socket.AddressFamily) -> str:
    """Gets this machine's address on the way to the network; empty without one."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
        way.connect((DOCUMENTATION[family], 9))  # of a datagram this sends nothing
        return str(way.getsockname()[0])
    return ""


if __name__ == "__main__":
    main()
