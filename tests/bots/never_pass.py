"""Follows with its lowest card if none is higher: OK for the process runner, the referee has to see it."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_always(requests, responses):
    """Plays one card, the lowest that is higher than the last move if there is one."""
    earlier, later = requests[-1].get("history", [[], []])
    table = later or earlier
    if not table:
        return respond(requests, responses)
    played = [card for response in responses if isinstance(response, list) for card in response]
    hand = sorted(set(requests[0]["own"]) - set(played))
    higher = [card for card in hand if len(table) == 1 and card // 4 > table[0] // 4]
    return (higher or hand)[:1]


obedient_one_shot.respond = respond_always
obedient_one_shot.main()
