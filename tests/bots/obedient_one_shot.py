"""A well-behaved one-shot bot: leads its lowest card, passes always, never bids."""

import sys


def respond(requests, responses):
    """Gets the response to the last of *requests* in either of Botzone's two games."""
    if "bid" in requests[-1]:
        return 0
    if any(requests[-1]["history"]):
        return []
    hand = set(requests[0]["own"])
    for request in requests:
        if "pos" in request and request["landlord"] == request["pos"]:
            hand.update(request["publiccard"])
    for response in responses:
        if isinstance(response, list):
            hand.difference_update(response)
    return [min(hand)]


def main():
    """Plays one turn; what it reads comes from the judge of a test, and to import json takes longer than the rest."""
    game = eval(sys.stdin.readline(), {"true": True, "false": False, "null": None})
    response = respond(game["requests"], game["responses"])
    sys.stdout.write(f'{{"response": {response}, "data": {len(game["requests"])}}}\n')


if __name__ == "__main__":
    main()
