"""A series in the championship's line protocol: three engines at one table, held to the rules by its platform."""

from contextlib import ExitStack

import click

from ddzbot.game import SEATS, Scores
from ddzbot.protocol.icga import LETTERS

from ...judge.icga_engine import EngineProcess, words_of
from ...judge.icga_platform import IcgaFaultError, Platform, PlayedDeal
from ...judge.process_limits import Limits
from ...shared.terminal import say
from .outcome import Fault, GameOutcome
from .plan import Series

_MOST_BYTES = 1 << 16
"""Of an answer."""


class IcgaTable:
    """
    Three engines, each of which is one process for the whole series, or until it is at fault.

    An engine at fault loses the deal, and begins anew with the next one. Points are those of Botzone's game, since the
    championship's are not known.
    """

    def __init__(self, plan: Series) -> None:
        self._plan = plan
        seconds = plan.limit.seconds or 0.0
        limits = Limits(seconds, seconds, seconds, plan.memory, _MOST_BYTES)
        self._open = ExitStack()
        engines = []
        for position, contestant in enumerate(plan.contestants):
            engines.append(EngineProcess(words_of(contestant), position, limits))
            self._open.callback(engines[position].close)
        self._platform = Platform(engines, seconds)
        self._begun = False

    def close(self) -> None:
        """Ends the engines."""
        self._open.close()

    def play(self, index: int) -> GameOutcome:
        """
        Plays one deal; the first bid goes round from deal to deal.

        :raises click.ClickException: for an engine that cannot even begin.
        """
        if not self._begun:
            try:
                self._platform.open()
            except IcgaFaultError as error:
                raise click.ClickException(f"deal {index + 1}: {error}") from None
            self._begun = True
            for letter, name in zip(LETTERS, self._platform.names, strict=True):
                say(f"engine {letter} is {name}", err=True)
        return _outcome(self._platform.play(index, self._plan.sets, str(self._plan.seed)))


def _outcome(played: PlayedDeal) -> GameOutcome:
    landlord = played.game.landlord_position if played.game else 0
    landlord_place = played.first + landlord
    scores: Scores = tuple(played.points[(landlord_place + seat) % SEATS] for seat in range(SEATS))  # type: ignore[assignment]
    faults = [Fault((fault.place - played.first) % SEATS, fault.verdict, str(fault)) for fault in played.faults]
    finished = played.game is not None and played.game.finished
    won = played.game.winner == 0 if played.game and finished else scores[0] > 0
    return GameOutcome(played.game, landlord, won, scores, [], faults, played.bids)
