"""
The process around a :class:`ddzbot.protocol.session.Session`: options, standard streams, one-shot and keep-running.

Some judges read stdout and stderr as one stream, where one stray byte loses the game. Before anything else the
answers get a file descriptor of their own, and both standard streams lead nowhere from then on: for this
interpreter, for the libraries that it loads, and for C code.
"""

import argparse
import os
import sys
from typing import Any, BinaryIO, List

from ddzbot.players.registry import DEFAULT_PLAYER, PlayerError, checked_player, player_names
from ddzbot.protocol.budget import FIRST_TURN, KEPT_TURN, LONGEST_TURN, Budget
from ddzbot.protocol.session import Session, Settings
from ddzbot.search.clock import Clock

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""The line that asks the platform not to end the process after its answer."""


LAST_RESORT = '{"response":[],"debug":{"error":"the bot failed"}}'

LONG_WAIT = 0.5
"""A judge that lets a fresh process wait longer than this for its line has started it early, and not the turn."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        """Ends the process with exit code 2 and one sentence; ``--help`` has the rest."""
        self.exit(2, f"{self.prog}: {message}\n")


def parse_options(arguments: List[str], player: str = "") -> argparse.Namespace:
    """
    Reads the command line; a wrong one ends the process with exit code 2 and a sentence.

    *player* plays where no argument says who; empty: the default one.
    """
    default_player = player or DEFAULT_PLAYER
    parser = _Parser(
        prog="bot.py",
        description="Plays Dou Dizhu by Botzone's protocol: a JSON line from the judge in, a JSON line out.",
    )
    parser.add_argument(
        "--player",
        type=_player,
        metavar="NAME[:KEY=VALUE,...]",
        help=f"who plays (default {default_player}): {', '.join(player_names())}, or MODULE:CLASS of your own",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of every random choice (default 0)")
    parser.add_argument("--keep-running", action="store_true", help="stay alive between turns")
    parser.add_argument("--playouts", type=_playouts, help="limit a decision by playouts too: the same answer anywhere")
    parser.add_argument(
        "--seconds", type=_seconds, default=FIRST_TURN, help=f"time of a first or one-shot turn (default {FIRST_TURN})"
    )
    parser.add_argument(
        "--later-seconds", type=_seconds, default=KEPT_TURN, help=f"time of a later kept turn (default {KEPT_TURN})"
    )
    parser.add_argument(
        "--trust-time-limit", action="store_true", help="let time_limit in the envelope raise these times"
    )
    options = parser.parse_args(arguments)
    # One that nobody named is not checked: without arguments nothing may stop the bot.
    options.player = options.player or default_player
    return options


def _player(text: str) -> str:
    try:
        return checked_player(text).text
    except PlayerError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _playouts(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from 1 on")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= LONGEST_TURN:
        raise argparse.ArgumentTypeError(f"{text!r} must be seconds above 0 and up to {LONGEST_TURN:.0f}")
    return seconds


def run(arguments: List[str], started: float, player: str = "") -> None:
    """
    Talks to the judge until it has nothing more to say; *started* is the monotonic time of the process start.

    *player* is as in :func:`parse_options`.
    """
    options = parse_options(arguments, player)
    answers = take_over_stdout()
    budget = Budget(options.seconds, options.later_seconds, options.trust_time_limit)
    session = Session(Settings(options.player, options.seed, options.playouts, budget))
    talk(session, sys.stdin.buffer, answers, Clock(started), options.keep_running)
    # A player that hangs in its thread must not hold up the end of the process.
    os._exit(0)


def talk(session: Session, lines: BinaryIO, answers: BinaryIO, clock: Clock, keep_running: bool) -> None:
    """Answers the first line, and with *keep_running* every line after it until the input ends."""
    first_turn = True
    while True:
        waiting = Clock.starting_now()
        line = _next_line(lines)
        if not line and not first_turn:
            return
        if not first_turn or waiting.seconds() > LONG_WAIT:
            clock = Clock.starting_now()
        try:
            answer = session.answer(line.decode("utf-8-sig", "replace"), clock, first_turn)
        except Exception:  # it never raises; but if it does, the pass may be legal, and silence never is
            answer = LAST_RESORT
        if keep_running:
            answer += "\n" + KEEP_RUNNING
        try:
            answers.write(answer.encode("ascii") + b"\n")
            answers.flush()
        except OSError:
            return
        if not keep_running:
            return
        first_turn = False


def _next_line(lines: BinaryIO) -> bytes:
    """Reads the next line that is not blank; nothing at the end of the input."""
    for line in lines:
        if line.strip():
            return line
    return b""


def take_over_stdout() -> BinaryIO:
    """Gets a stream to the original stdout, and turns file descriptors 1 and 2 into dead ends."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    return answers
