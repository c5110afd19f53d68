"""Never bids or follows, and crashes if it is to follow with fewer than four cards, to which it hardly ever comes."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_early(requests, responses):
    """Responds as long as it has four cards."""
    played = sum(len(response) for response in responses if isinstance(response, list))
    if played > 13 and any(requests[-1]["history"]):
        raise RuntimeError("few cards")
    return respond(requests, responses)


obedient_one_shot.respond = respond_early
obedient_one_shot.main()
