"""
An answer from a line alone, for when nothing else works: a pass, the smallest card on a lead, 0 for a bid.

It imports nothing of this package, so that it works where the package does not load. The line may be anything.
"""

import json
from typing import Any, List

DEBUG_BYTES = 1000
"""The platform keeps 1 KB of debug output a turn."""
_FRAME = len('{"error":}')
_CUT = "..."


def last_resort(line: str, error: str) -> str:
    """
    Answers the last request of *line* with JSON that is legal if the line could be read, and a pass otherwise.

    Never raises. ``debug`` has *error*. For example, a lead from the cards 4, 8 and 9 answers ``[4]``.
    """
    try:
        message = json.loads(line)
        response = plain_response(message.get("requests", [message]), message.get("responses", []))
    except Exception:  # whatever the line is, a pass may be legal, and silence never is
        response = []
    error = shortened(error, DEBUG_BYTES)
    while len(json.dumps(error)) > DEBUG_BYTES - _FRAME:
        error = shortened(error, len(error) * 3 // 4)
    return json.dumps({"response": response, "debug": {"error": error}}, separators=(",", ":"))


def shortened(text: str, most: int) -> str:
    """Takes the middle out of a text of more than *most* characters: what is wrong stands at one of its ends."""
    if len(text) <= most:
        return text
    end = max(0, most - len(_CUT)) // 2
    return text[:end] + _CUT + text[len(text) - end :]


def plain_response(requests: List[Any], responses: List[Any]) -> Any:
    """Answers the last of *requests*, as far as it can be read. Never raises."""
    try:
        if "bid" in requests[-1]:
            return 0
        if any(requests[-1]["history"]):
            return []
        held = _held(requests, responses)
        # Ids of one rank follow each other, and so do ranks, but for the jokers, which come last anyway.
        return [min(held)] if held else []
    except Exception:  # as above
        return []


def _held(requests: List[Any], responses: List[Any]) -> List[int]:
    """Lists our cards: those of the last request that dealt us any, without those that we have played."""
    dealt = [request for request in requests if "own" in request][-1]
    own = list(dealt["own"])
    if dealt.get("landlord", -1) == dealt.get("pos") and len(own) < 20:
        own += dealt["publiccard"]
    played = {card for response in responses if isinstance(response, list) for card in response}
    return [card for card in own if isinstance(card, int) and card not in played]
