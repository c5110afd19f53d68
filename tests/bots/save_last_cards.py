"""Passes on a lead with its last two cards."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_and_save(requests, responses):
    """Responds with a pass where it has one or two cards."""
    played = sum(len(response) for response in responses if isinstance(response, list))
    return [] if "bid" not in requests[-1] and played >= 15 else respond(requests, responses)


obedient_one_shot.respond = respond_and_save
obedient_one_shot.main()
