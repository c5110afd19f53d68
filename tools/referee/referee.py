"""
The interface of referees: the output of Botzone's judges as data.

A referee takes the answers of a turn and returns the player to ask next, or the scores. It knows no processes and no
clock. Its words are the platform's: :meth:`Output.as_json` is, key by key and in the same order, what the platform's
judge program prints. A *player* is Botzone's number of a place at the table (0 to 2, a position in the project's
words).
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

from ddzbot.game import Game

Command = Literal["request", "finish"]


class RefereeError(ValueError):
    """Input on which the platform's judge crashes, or that makes no game; the message is one sentence about it."""


class Fault(NamedTuple):
    """A fault of a player."""

    player: int
    code: str
    """The platform's own word, e.g. ``MISSING_CARD`` or ``INVALID_INPUT_VERDICT_TLE``."""
    sentence: str
    """Why, for a person; the platform says no more than the code."""


class Output(NamedTuple):
    """The output of a judge after a turn."""

    command: Command
    content: dict[str, Any]
    """A request for each player to ask (none when an auto-pilot plays), or with ``finish`` the scores, by player."""
    display: dict[str, Any]
    """The data for the platform's viewer."""
    initdata: dict[str, Any] | None = None
    """With the first output only: the deal, in the form that makes the same deal again."""

    def as_json(self) -> dict[str, Any]:
        """Gets the object that the platform's judge prints."""
        fields = {"command": self.command, "content": self.content, "display": self.display}
        return fields if self.initdata is None else {**fields, "initdata": self.initdata}


class Referee(Protocol):
    """
    One game between three players, from the deal to the scores.

    For example, after ``first()`` of FightTheLandlord, ``answer({"0": {"verdict": "OK", "response": [52, 53]}})``
    is the request to player 1 if player 0 was dealt the rocket, and the end of the game if not.
    """

    faults: list[Fault]
    """The faults so far, the first of each player."""

    bids: tuple[int, ...]
    """The bids so far, as counted; empty without an auction."""

    game: Game | None
    """The game so far with all hands open; None while an auction runs."""

    def first(self) -> Output:
        """Gets the opening request, with the deal."""

    def answer(self, answers: Mapping[str, Any]) -> Output:
        """
        Judges one turn.

        *answers* is a turn in the form of the platform's log: by player (as text) an object with ``verdict`` and
        ``response``; empty when no player was asked.

        :raises RefereeError: where the platform's judge would crash, and after the end of the game
        """


def finish_content(scores: tuple[float, float, float]) -> dict[str, float]:
    """Gets scores in player order in the form of a last output."""
    return {str(player): score for player, score in enumerate(scores)}
