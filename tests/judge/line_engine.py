"""
An engine of the championship's lines that leads single cards and otherwise passes.

With --fault it does that instead of an answer when the deal of the number --deal begins.
"""

import argparse
import os
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--deal", default="")
parser.add_argument("--fault", default="")
options = parser.parse_args()


def fail() -> None:
    """Does what no engine should."""
    if options.fault == "ends":
        sys.stderr.write("no more\n")
        sys.exit(3)
    if options.fault == "kills its group":
        os.kill(0, 9)
    if options.fault == "grows":
        held = [b"x" * (1 << 20) for _ in range(300)]
        time.sleep(len(held))
    if options.fault == "never ends its line":
        sys.stdout.write("x" * (1 << 18))
    time.sleep(3600)


own, since = "", 2
hand: list[str] = []
for line in sys.stdin:
    word, rest = line.split(None, 1) if " " in line else (line.strip(), "")
    rest = rest.strip()
    answer = "OK " + word
    if word == "EXIT":
        break
    if word == "DOUDIZHUVER":
        answer = "NAME liner"
    elif word == "INFO":
        own, hand, since = "", [], 2
        if options.fault and rest.split(",")[2] == options.deal:
            fail()
    elif word in ("DEAL", "LEFTOVER"):
        own = own or rest[0]
        hand += rest[1:].split(",") if rest[0] == own else []
    elif rest == "WHAT" and word == "BID":
        answer = f"BID {own}0"
    elif rest == "WHAT" and since >= 2:
        answer, since = f"PLAY {own}{hand.pop()}", 0
    elif rest == "WHAT":
        answer, since = f"PLAY {own}-1", since + 1
    elif word == "PLAY":
        since = since + 1 if rest.endswith("-1") else 0
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()
