"""
Compares what every player decides here with the committed hash: ``python tests/systems/signature.py``.

It asks the ddzbot that is installed, or on the path. The decisions are those of ``tools lab signature``, but fewer, and
without numpy, so that the commands' own packages are enough. ``--write`` commits to what is decided now.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

COUNT = 320
"""Four for each player under each rule set."""
COMMITTED = Path(__file__).resolve().parents[1] / "data" / "signature.txt"


def decided() -> str:
    """Hashes what is decided here."""
    sys.modules["numpy"] = None  # type: ignore[assignment]
    package = "ddzbot_tools" if find_spec("ddzbot_tools") else "tools"
    signature = import_module(f"{package}.lab.signature")
    native = import_module("ddzbot.kernel").native
    if native() is None:
        sys.exit(import_module("ddzbot.kernel").describe())
    players, _ = signature.KINDS["kernel"]
    return str(signature.digest(list(signature.decisions(players, COUNT))))


if __name__ == "__main__":
    found = decided()
    if "--write" in sys.argv:
        COMMITTED.write_text(f"{found}\n", "ascii")
    wanted = COMMITTED.read_text("ascii").strip()
    print(found)
    if found != wanted:
        sys.exit(f"{COMMITTED.name} has {wanted}: the players decide otherwise here, or since it was written.")
