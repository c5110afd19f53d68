"""What a step reports about a bot that does not comply."""

from collections.abc import Collection

from ...shared.message import Message, prose
from .bench import PlayedScene
from .turn import Turn

ADVICE = {
    "RE": Message("let it end with exit code 0, after its answer"),
    "TLE": Message("let it answer sooner, and then end or print the marker line"),
    "MLE": Message("let it use less memory"),
    "OLE": Message("let it print its answer and nothing else"),
    "NJ": Message('let it print one line such as {{"response":[3]}} and nothing else'),
    "OK": Message("let it answer as the rules of the game and the last request demand"),
}
"""By verdict; OK is that of an answer which the referee refused."""


class NonComplianceError(Exception):
    """The bot does not comply; the message has what was seen and what to do, and *turn* is where."""

    def __init__(self, sentence: str, turn: Turn | None) -> None:
        super().__init__(sentence)
        self.turn = turn


class NotAskedForError(Exception):
    """There is nothing to check; the message has the reason."""


def failure(place: str, problem: str, verdict: str, turn: Turn | None) -> NonComplianceError:
    """Makes the error for a *problem*, with what to do about it."""
    return NonComplianceError(
        Message("{place}: {problem}; {advice}", place=place, problem=prose(problem), advice=ADVICE[verdict]), turn
    )


def require_compliance(
    played: PlayedScene, advice: str = ADVICE["OK"], verdicts: Collection[str] = ("OK",)
) -> PlayedScene:
    """
    Passes on what went well; *advice* is for failures with one of the *verdicts*.

    :raises NonComplianceError: if the bot was at fault
    """
    if played.fault is None:
        return played
    to_do = advice if played.fault.verdict in verdicts else ADVICE[played.fault.verdict]
    label = Message("{place}, turn {turn}", place=played.place, turn=len(played.answers))
    problem = prose(played.fault.sentence)
    raise NonComplianceError(
        Message("{place}: {problem}; {advice}", place=label, problem=problem, advice=to_do), played.turn
    )
