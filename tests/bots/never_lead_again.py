"""Takes the last move of others for one to beat, also after two passes."""

import obedient_one_shot
from obedient_one_shot import respond


def respond_to_the_last(requests, responses):
    """Passes as soon as others have played."""
    if any(any(request.get("history", [])) for request in requests):
        return []
    return respond(requests, responses)


obedient_one_shot.respond = respond_to_the_last
obedient_one_shot.main()
