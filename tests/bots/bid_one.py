"""Plays well, but bids 1 even after a higher bid: OK for the process runner, the referee has to see it."""

import obedient_one_shot
from obedient_one_shot import respond

obedient_one_shot.respond = lambda requests, responses: 1 if "bid" in requests[-1] else respond(requests, responses)
obedient_one_shot.main()
