"""Plays well and asks to be kept running, but ends at once: OK, and started again for each turn."""

from obedient_one_shot import main

main()
print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<")
