"""Plays well, but on a line that is no envelope it waits forever: OK as long as the judge makes no mistake."""

import time

from obedient_one_shot import main

try:
    main()
except Exception:
    time.sleep(3600)
