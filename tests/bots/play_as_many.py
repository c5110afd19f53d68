"""Plays its last cards over as many of others, whatever they are."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_by_number(requests, responses):
    """Passes, unless it has as many cards left as are to beat."""
    if "bid" in requests[-1] or not any(requests[-1]["history"]):
        return respond(requests, responses)
    older, newer = requests[-1]["history"]
    hand = set(requests[0]["own"])
    for response in responses:
        if isinstance(response, list):
            hand.difference_update(response)
    return sorted(hand) if len(hand) == len(newer or older) else []


obedient_one_shot.respond = respond_by_number
obedient_one_shot.main()
