"""Keeps running and plays well, but needs most of a second for its second turn: TLE or OK, as the limit is."""

import time

import obedient_keep_running
from obedient_one_shot import respond


def respond_late(requests, responses):
    """Responds late in the second turn, and at once in the others."""
    if len(requests) == 2:
        time.sleep(0.8)
    return respond(requests, responses)


obedient_keep_running.respond = respond_late
obedient_keep_running.main()
