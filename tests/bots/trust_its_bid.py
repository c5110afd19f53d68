"""Never bids, and crashes where it is taken to have bid."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_without_bid(requests, responses):
    """Responds as a player does that has bid 0, or was not asked."""
    if responses and isinstance(responses[0], int) and responses[0] > 0:
        raise RuntimeError("it never bids")
    return respond(requests, responses)


obedient_one_shot.respond = respond_without_bid
obedient_one_shot.main()
