"""
The process around a :class:`ddzbot.protocol.session.Session`: options, standard streams, one-shot and keep-running.

Before anything else it takes over the standard streams (:mod:`ddzbot.protocol.streams`).
"""

import argparse
import os
import sys
from typing import Any, BinaryIO, Callable, List

from ddzbot.players.registry import DEFAULT_PLAYER, PlayerError, checked_player, player_names
from ddzbot.protocol.budget import KEPT_TURN, LONGEST_TURN, Budget
from ddzbot.protocol.last_resort import last_resort
from ddzbot.protocol.reading import MOST_BYTES
from ddzbot.protocol.session import Session
from ddzbot.protocol.start import FIRST_TURN
from ddzbot.protocol.streams import Streams
from ddzbot.protocol.watchdog import Settings
from ddzbot.search.deadline import Clock
from ddzbot.search.limit import NO_LIMIT, Limit, parse_limit

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""The line that asks the platform not to end the process after its answer."""


PROTOCOLS = ("botzone", "icga")

LONG_WAIT = 0.5
"""A judge that lets a fresh process wait longer than this for its line has started it early, and not the turn."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        """Ends the process with exit code 2 and one sentence; ``--help`` has the rest."""
        self.exit(2, f"{self.prog}: {message}\n")


def parse_options(arguments: List[str], player: str = "") -> argparse.Namespace:
    """
    Reads the command line; a wrong one ends the process with exit code 2 and a sentence.

    *player* plays if no argument names one; empty: the default player.
    """
    default_player = player or DEFAULT_PLAYER
    parser = _Parser(
        prog="python -m ddzbot" if os.path.basename(sys.argv[0]) == "__main__.py" else "bot.py",
        description="Plays Dou Dizhu by Botzone's protocol: a JSON line from the judge in, a JSON line out.",
    )
    parser.add_argument(
        "--player",
        type=_player,
        metavar="NAME[:KEY=VALUE,...]",
        help=f"the player (default {default_player}): {', '.join(player_names())}, or MODULE:CLASS of your own",
    )
    parser.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        default=PROTOCOLS[0],
        help="how the judge talks: botzone, or icga, the lines of DOUDIZHUVER 1.0 (default botzone)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of every random choice (default 0)")
    parser.add_argument("--keep-running", action="store_true", help="stay alive between turns")
    parser.add_argument(
        "--limit",
        type=_limit,
        action="append",
        default=[],
        metavar="1s|5000p|1s,5000p",
        help=f"of a turn (default {KEPT_TURN}s, a first or only one {FIRST_TURN}s, counted from the start of the "
        "process); playouts alone leave that time as it is, so for the same move on any machine say 600s,5000p",
    )
    parser.add_argument("--first-limit", type=_seconds, metavar="1s", help="of a first or only turn, if different")
    parser.add_argument(
        "--trust-time-limit", action="store_true", help="let time_limit in the envelope raise these times"
    )
    options = parser.parse_args(arguments)
    # The default player is not checked: without arguments nothing may stop the bot.
    options.player = options.player or default_player
    return options


def _player(text: str) -> str:
    try:
        return checked_player(text).text
    except PlayerError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _limit(text: str) -> Limit:
    try:
        limit = parse_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if limit == NO_LIMIT or (limit.seconds or 0.0) > LONGEST_TURN:
        raise argparse.ArgumentTypeError(f"{text!r} must be like 0.2s, 5000p or 0.2s,5000p, up to {LONGEST_TURN:.0f}s")
    return limit


def _seconds(text: str) -> float:
    seconds = _limit(text).seconds
    if seconds is None or "," in text:
        raise argparse.ArgumentTypeError(f"{text!r} must be seconds, such as 4.5s")
    return seconds


def run(arguments: List[str], started: float, player: str = "") -> None:
    """
    Talks to the judge until it has nothing more to say; *started* is the monotonic time at which the process did.

    *player* is as in :func:`parse_options`. Ends the process: a player that hangs in its thread must not hold it up.
    """
    options = parse_options(arguments, player)
    streams = Streams()
    try:
        seconds, playouts = _of_all(options.limit)
        first = options.first_limit or seconds or FIRST_TURN
        budget = Budget(first, seconds or KEPT_TURN, options.trust_time_limit)
        settings = Settings(options.player, options.seed, playouts, budget)
        if options.protocol == "icga":
            talk_in_lines(settings, streams)
        else:
            talk(Session(settings).answer, streams, Clock(started), options.keep_running)
    except BaseException as error:  # the standard streams lead nowhere by now: only here can it still be answered
        streams.answer(last_resort("", f"the bot failed: {type(error).__name__}: {error}"))
    os._exit(0)


def _of_all(limits: List[Limit]) -> Limit:
    """Gets what the last of the limits that say it says."""
    seconds = [one.seconds for one in limits if one.seconds]
    playouts = [one.playouts for one in limits if one.playouts]
    return Limit(seconds[-1] if seconds else None, playouts[-1] if playouts else None)


def talk(answer: Callable[[str, Clock, bool], str], streams: Streams, clock: Clock, keep_running: bool) -> None:
    """Answers the first line, and with *keep_running* every line after it until the input ends."""
    first_turn = True
    while True:
        waiting = Clock.starting_now()
        line = _next_line(streams.lines)
        if not line and not first_turn:
            return
        if not first_turn or waiting.elapsed() > LONG_WAIT:
            clock = Clock.starting_now()
        answered = _answered(answer, _text_of(line), clock, first_turn)
        if not streams.answer(answered + ("\n" + KEEP_RUNNING if keep_running else "")) or not keep_running:
            return
        first_turn = False


def talk_in_lines(settings: Settings, streams: Streams) -> None:
    """Answers every message of a series in the championship's protocol, until it ends or the input does."""
    from ddzbot.protocol.icga import IcgaSession

    session = IcgaSession(settings)
    while not session.ended:
        line = _next_line(streams.lines)
        if not line:
            return
        text = session.answer(_text_of(line), Clock.starting_now())
        if text and not streams.answer(text):
            return


def _answered(answer: Callable[[str, Clock, bool], str], line: str, clock: Clock, first_turn: bool) -> str:
    try:
        text = answer(line, clock, first_turn)
        text.encode("ascii")
    except BaseException as error:  # it never raises; but if it does, the line alone says what is legal
        return last_resort(line, f"the bot failed: {type(error).__name__}: {error}")
    return text


def _text_of(line: bytes) -> str:
    # Not "utf-8-sig": what must be imported may be missing, and here nothing could answer in its place.
    return line.decode("utf-8", "replace").lstrip("\ufeff")


def _next_line(lines: BinaryIO) -> bytes:
    """Reads the next line that is not blank; nothing at the end of the input, or where it cannot be read."""
    try:
        while True:
            line = lines.readline(MOST_BYTES)
            if line.strip() or not line:
                return line
    except OSError:
        return b""
