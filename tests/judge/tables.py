"""A simple deal, and a short way to play on it."""

from typing import Any

from tools.referee.games import make_referee
from tools.referee.referee import Output, Referee

SORTED: dict[str, Any] = {
    "allocation": [list(range(20)), list(range(20, 37)), list(range(37, 54))],
    "publiccard": [0, 1, 2],
    "seed": "sorted",
}
"""FightTheLandlord: the landlord has 3 to 7, landlord_down 8 to J and a Q, landlord_up the rest."""

SORTED2: dict[str, Any] = {
    "allocation": [list(range(17)), list(range(17, 34)), list(range(34, 51))],
    "publiccard": [51, 52, 53],
    "seed": "sorted",
}
"""FightTheLandlord2: the bottom is a 2 and the rocket."""


def ftl1() -> Referee:
    return make_referee("FightTheLandlord", SORTED, "unused")


def ftl2() -> Referee:
    return make_referee("FightTheLandlord2", SORTED2, "unused")


def ok(response: Any) -> dict[str, Any]:
    return {"verdict": "OK", "response": response}


def say(referee: Referee, *responses: Any) -> Output:
    """Plays these responses from the start; each request takes the next one. Gets the last output."""
    return go_on(referee, referee.first(), *responses)


def go_on(referee: Referee, output: Output, *responses: Any) -> Output:
    for response in responses:
        (player,) = output.content
        output = referee.answer({player: ok(response)})
    return output


def auto_pilot(referee: Referee, output: Output) -> Output:
    """Lets the auto-pilots play until a player is asked."""
    while output.command == "request" and not output.content:
        output = referee.answer({})
    return output
