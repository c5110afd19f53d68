"""Takes the bottom as the first player, even if another one is the landlord, and leads cards that it does not hold."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_as_first(requests, responses):
    """Responds with the bottom among its cards."""
    for request in requests:
        if request.get("pos") == 0:
            request["landlord"] = 0
    return respond(requests, responses)


obedient_one_shot.respond = respond_as_first
obedient_one_shot.main()
