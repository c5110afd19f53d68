"""
Numbers that were fitted on recorded games. Made by tools/lab/fit_belief/command.py: do not edit.

Source: 3018 recorded games with all hands known, in games.jsonl.gz.
Players: CQL, MCM, MCTSHS, RB, RHCP, Random.
Command: ``python -m tools lab fit-belief games.jsonl.gz``.
Log loss per hidden card on the 30 % of the deals that were not used, uniform and fitted:

* landlord: 0.6374 and 0.5902
* peasants, bottom known: 0.6030 and 0.5346
* peasants, bottom unknown: 0.6368 and 0.5571
"""

from ddzbot.belief.numbers import Numbers

NUMBERS = Numbers(
    mini_percent=88,
    ways=(
        (  # 3 to T
            (1000, 1968, 5221, 10006, 16001),  # not played
            (1000, 499, 277, 275, 1000),  # solo
            (1000, 530, 382, 644, 1000),  # kicker
            (1000, 185, 68, 1000, 1000),  # pair
            (1000, 193, 1000, 1000, 1000),  # trio or more
            (1000, 1012, 949, 2625, 1000),  # solo chain
            (1000, 178, 190, 1000, 1000),  # pair chain
        ),
        (  # J to K
            (1000, 2287, 5360, 7843, 13704),  # not played
            (1000, 535, 273, 247, 1000),  # solo
            (1000, 478, 998, 878, 1000),  # kicker
            (1000, 176, 74, 1000, 1000),  # pair
            (1000, 378, 1000, 1000, 1000),  # trio or more
            (1000, 1172, 730, 854, 1000),  # solo chain
            (1000, 237, 373, 1000, 1000),  # pair chain
        ),
        (  # A
            (1000, 1901, 3506, 3804, 6365),  # not played
            (1000, 632, 222, 751, 1000),  # solo
            (1000, 310, 577, 977, 1000),  # kicker
            (1000, 121, 117, 1000, 1000),  # pair
            (1000, 449, 1000, 1000, 1000),  # trio or more
            (1000, 1095, 715, 1147, 1000),  # solo chain
            (1000, 1025, 759, 1000, 1000),  # pair chain
        ),
        (  # 2
            (1000, 1934, 3006, 3197, 5763),  # not played
            (1000, 737, 247, 402, 1000),  # solo
            (1000, 686, 1272, 930, 1000),  # kicker
            (1000, 146, 95, 1000, 1000),  # pair
            (1000, 465, 1000, 1000, 1000),  # trio or more
            (1000, 1000, 1000, 1000, 1000),  # solo chain
            (1000, 1000, 1000, 1000, 1000),  # pair chain
        ),
        (  # jokers
            (1000, 1000, 1000, 1000, 1000),  # not played
            (1000, 1000, 1000, 1000, 1000),  # solo
            (1000, 1000, 1000, 1000, 1000),  # kicker
            (1000, 1000, 1000, 1000, 1000),  # pair
            (1000, 1000, 1000, 1000, 1000),  # trio or more
            (1000, 1000, 1000, 1000, 1000),  # solo chain
            (1000, 1000, 1000, 1000, 1000),  # pair chain
        ),
    ),
    solos=(
        (  # 3 to T
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 233, 233, 137, 157),  # led above
            (1000, 461, 747, 930, 806),  # answered above
        ),
        (  # J to K
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 483, 244, 268, 598),  # led above
            (1000, 396, 753, 817, 713),  # answered above
        ),
        (  # A
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 761, 478, 362, 851),  # led above
            (1000, 449, 692, 628, 694),  # answered above
        ),
        (  # 2
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 254, 304, 730, 973),  # led above
            (1000, 463, 819, 1208, 2646),  # answered above
        ),
        (  # jokers
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 903, 1000, 1000, 1000),  # led above
            (1000, 186, 1000, 1000, 1000),  # answered above
        ),
    ),
    pairs=(
        (  # 3 to T
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 642, 166, 65, 299),  # led above
            (1000, 1032, 415, 567, 347),  # answered above
        ),
        (  # J to K
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 735, 123, 185, 586),  # led above
            (1000, 1006, 282, 539, 513),  # answered above
        ),
        (  # A
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 905, 246, 432, 714),  # led above
            (1000, 1010, 243, 589, 541),  # answered above
        ),
        (  # 2
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 1000, 1000, 1000, 1000),  # led above
            (1000, 1000, 1000, 1000, 1000),  # answered above
        ),
        (  # jokers
            (1000, 1000, 1000, 1000, 1000),  # not skipped
            (1000, 1000, 1000, 1000, 1000),  # led above
            (1000, 1000, 1000, 1000, 1000),  # answered above
        ),
    ),
)
