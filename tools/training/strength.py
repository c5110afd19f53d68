"""The strength of a network in training: measured between two rounds, printed, and drawn."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ..shared.terminal import say
from .points import PICTURE, Meeting, Point, Points, draw, met

OPPONENTS = ("rule", "rhcp")
_SECONDS = 60.0
_REST = 10
"""A measurement waits for so many times what the last one took: a busy machine learns all the same."""
_SHARE = 40
"""After some hours the pause between measurements is the training's CPU time divided by this."""


class Strength:
    """
    The curve of a training in a folder, which grows as it learns: a point each minute, and fewer after an hour or on a
    busy machine.

    *write* puts the network of the moment into a folder, and gets the player that it is.
    """

    def __init__(self, folder: Path, rules: str, sets: int, write: Callable[[Path], str]) -> None:
        self._folder, self._rules, self._write = folder, rules, write
        self._meetings = [Meeting(opponent, sets, 1) for opponent in OPPONENTS]
        self._looked, self._took = time.monotonic(), 0.0
        self.text = ""
        """The last point in few words, with the games after which it was measured."""

    def due(self, seconds: float) -> bool:
        """Tells whether a point is due, where the training has had so many *seconds*."""
        return time.monotonic() - self._looked >= max(_SECONDS, self._took * _REST, seconds / _SHARE)

    def look(self, games: int, seconds: float, stopped: Callable[[], bool]) -> None:
        """Measures the network, says how strong it is, and draws; no network plays twice, nor where it is *stopped*."""
        points, began = Points(self._folder), time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            player = self._write(Path(scratch))
            for meeting in self._meetings:
                worth = None if games in points.of(meeting) else met(player, self._rules, meeting, stopped)
                if worth:
                    points.add(meeting, Point(games, seconds / 3600, worth))
        self._looked = time.monotonic()
        self._took = self._looked - began
        curves = {meeting.against: points.of(meeting) for meeting in self._meetings}
        if stopped() or not all(games in curve for curve in curves.values()):
            return
        results = " and ".join(f"{curve[games]} against {opponent}" for opponent, curve in curves.items())
        say(f"{games:,} games, {seconds / 60:.1f} CPU minutes: wins {results}")
        wins = f"{100 * curves[OPPONENTS[-1]][games].worth.wp.value:.0f} % against {OPPONENTS[-1]}"
        self.text = f"{wins} after {games:,} games"
        draw(self._folder / PICTURE, [(f"against {opponent}", [*curve.values()]) for opponent, curve in curves.items()])
