"""Crashes where another player has one card left."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_early(requests, responses):
    """Responds until another player has played sixteen cards."""
    for player in 0, 1:
        if sum(len(request["history"][player]) for request in requests if "history" in request) == 16:
            raise RuntimeError("one card left")
    return respond(requests, responses)


obedient_one_shot.respond = respond_early
obedient_one_shot.main()
