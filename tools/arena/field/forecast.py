"""How long a class takes, before anything of it was done, and again once its programs were checked."""

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from ...shared.message import Message
from ..check.watched import Terms, raw_turn

TURNS_OF_CHECK = 200
"""About so many times a check asks a program; without an auction 170 times, with one 220 times."""
TURNS_OF_GAME = 27
"""The mean of moves, the passes too, in the kept results of ``results/players``."""
_OURS = 0.01
"""Seconds of a turn of a built-in player, about."""
_UNKNOWN = 0.1
"""Seconds of a turn where the system starts no program."""
_FEW = 5
"""Seconds that are not counted."""
_ANSWER = "print('{\"response\": []}')"


class Rounds(NamedTuple):
    """What every pair of a class plays."""

    sets: int
    most: int
    """Sets of neighbours, at most."""
    games: int
    """In a set."""
    jobs: int

    def seconds(self, turns: Sequence[float]) -> float:
        """Gets how long the sets of every pair take, by the seconds of a turn of each player."""
        games = self.sets * self.games * TURNS_OF_GAME
        return games * math.fsum(map(fmean, combinations(turns, 2))) / self.jobs


def before_the_check(programs: int, fresh: int, ours: int, rounds: Rounds) -> Iterator[Message]:
    """Says what is done with so many *programs*, of which the *fresh* ones must be checked, and how long that takes."""
    pairs = math.comb(programs + ours, 2)
    yield Message(
        "{programs}: {fresh} to compile and check, and then {pairs} x {sets} of {games} games, "
        "neighbours in Elo up to {most}.",
        programs=Message("{count} program" if programs == 1 else "{count} programs", count=programs),
        fresh=fresh,
        pairs=Message("{count} pair" if pairs == 1 else "{count} pairs", count=pairs),
        sets=_sets(rounds.sets),
        games=rounds.games,
        most=_sets(rounds.most),
    )
    turn = _turn()
    check = fresh * TURNS_OF_CHECK * turn / rounds.jobs
    games = rounds.seconds([turn] * programs + [_OURS] * ours)
    yield Message(
        "To start a program takes {turn} s here. If each turn starts one and thinks no longer, that is {check} for the "
        "check and {sets} for the sets of every pair, with --jobs {jobs}; programs that keep running are faster.",
        turn=f"{turn:.2f}",
        check=duration(check),
        sets=duration(games),
        jobs=rounds.jobs,
    )


def before_the_games(turns: Mapping[str, float], ours: int, rounds: Rounds) -> Message:
    """Says how long the sets of every pair take, by the seconds of a turn of each program in its check."""
    games = rounds.seconds([*turns.values(), *[_OURS] * ours])
    sentence = "By the turns of the check the sets of every pair take {time} with --jobs {jobs}."
    return Message(sentence, time=duration(games), jobs=rounds.jobs)


def duration(seconds: float) -> Message:
    """Writes a time that is only known roughly, for example ``about 3 minutes``."""
    for unit in (3600, 60):
        if seconds >= 1.5 * unit:
            count = f"{seconds / unit:.{int(seconds < 9.5 * unit)}f}"
            return Message("about {count} hours" if unit > 60 else "about {count} minutes", count=count)
    return Message("about {count} seconds", count=f"{seconds:.0f}") if seconds >= _FEW else Message("a few seconds")


def _sets(count: int) -> Message:
    return Message("{count} set" if count == 1 else "{count} sets", count=count)


def _turn() -> float:
    """Measures how long the smallest program takes for a turn."""
    try:
        return raw_turn([sys.executable, "-c", _ANSWER], b"{}\n", Terms()).answer.seconds
    except OSError:
        return _UNKNOWN
