"""Plays well, and crashes over its fifth request: RE in turn 5."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_for_a_while(requests, responses):
    """Responds in the first four turns."""
    if len(requests) > 4:
        raise RuntimeError("no fifth move")
    return respond(requests, responses)


obedient_one_shot.respond = respond_for_a_while
obedient_one_shot.main()
