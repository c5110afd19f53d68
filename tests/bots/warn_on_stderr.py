"""Plays well, and prints a warning on stderr in every turn: OK, and the compliance check has to see it."""

import sys

from obedient_one_shot import main

sys.stderr.write("warning: no weights\n")
main()
