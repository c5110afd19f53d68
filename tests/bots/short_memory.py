"""Has room for ten requests, and crashes over the next one."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_within(requests, responses):
    """Responds as long as there is room."""
    room = [None] * 10
    for turn, request in enumerate(requests):
        room[turn] = request
    return respond(requests, responses)


obedient_one_shot.respond = respond_within
obedient_one_shot.main()
