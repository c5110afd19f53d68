"""Never answers where it is to follow with its last card."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_or_stall(requests, responses):
    """Responds with more than one card."""
    played = sum(len(response) for response in responses if isinstance(response, list))
    while played >= 16 and any(requests[-1]["history"]):
        pass
    return respond(requests, responses)


obedient_one_shot.respond = respond_or_stall
obedient_one_shot.main()
