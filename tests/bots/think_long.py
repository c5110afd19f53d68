"""Plays well, but needs most of a second a turn: TLE or OK, as the limit is."""

import time

from obedient_one_shot import main

time.sleep(0.8)
main()
