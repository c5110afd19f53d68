"""Keeps running and plays well, but cannot be started in mid-game: OK in turn 1, RE if started in a later one."""

import obedient_keep_running
from obedient_one_shot import respond

known = []


def respond_in_order(requests, responses):
    """Responds as long as it has seen every earlier request itself."""
    if len(known) != len(requests) - 1:
        raise RuntimeError("turns are missing")
    known.append(requests[-1])
    return respond(requests, responses)


obedient_keep_running.respond = respond_in_order
obedient_keep_running.main()
