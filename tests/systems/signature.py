"""
Compares what every player decides here with the committed hash: ``python tests/systems/signature.py``.

It asks the ddzbot that is installed, or on the path, and needs no package, numpy neither. The decisions are those of
``tools lab signature``, but fewer. ``--python`` asks what is decided without the kernel, and ``--write`` commits to
what is decided now.
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

COUNTS = {"kernel": 320, "python": 200}
"""With the kernel four for each player under each rule set; without it, where most are made at once, all."""
DATA = Path(__file__).resolve().parents[1] / "data"


def committed(kind: str) -> Path:
    """Names the file with the hash of a kind."""
    return DATA / f"signature-{kind}.txt"


def decided(kind: str) -> str:
    """Hashes what is decided here."""
    sys.modules["numpy"] = None  # type: ignore[assignment]
    if kind == "python":
        os.environ["DDZ_NO_KERNEL"] = "1"
    kernel = import_module("ddzbot.kernel")
    if kind == "kernel" and kernel.native() is None:
        sys.exit(kernel.describe())
    package = "ddzbot_tools" if find_spec("ddzbot_tools") else "tools"
    signed = import_module(f"{package}.lab.signed")
    players, _ = signed.KINDS[kind]
    return str(signed.digest(list(signed.decisions(players, COUNTS[kind]))))


if __name__ == "__main__":
    asked = "python" if "--python" in sys.argv else "kernel"
    found, file = decided(asked), committed(asked)
    if "--write" in sys.argv:
        file.write_text(f"{found}\n", "ascii")
    wanted = file.read_text("ascii").strip()
    print(found)
    if found != wanted:
        sys.exit(f"{file.name} has {wanted}: the players decide otherwise here, or since it was written.")
