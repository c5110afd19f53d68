"""Crashes in the turns after others played a bomb."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_in_peace(requests, responses):
    """Responds as long as no earlier request has four cards of a rank."""
    for request in requests[:-1]:
        for move in request.get("history", []):
            if len(move) == 4 and move[0] // 4 == move[3] // 4:
                raise RuntimeError("a bomb")
    return respond(requests, responses)


obedient_one_shot.respond = respond_in_peace
obedient_one_shot.main()
