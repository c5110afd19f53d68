"""
What only make calls, as one: ``python -m tools.make kernel --install``.

Each is imported when it is called, so that ``install`` needs the standard library and pip alone.
"""

import sys
from collections.abc import Sequence
from importlib import import_module

from .shared.paths import make_call_of

MODULES = {
    "install": ".shared.install",
    "kernel": ".release.build_kernel",
    "wheels": ".release.wheels",
    "web": ".tables.web.build",
}


def main(words: Sequence[str]) -> int | None:
    """Calls what the first word names with the others, and gets the exit status."""
    if not words or words[0] not in MODULES:
        sys.stderr.write(f"Usage: {make_call_of()} {'|'.join(MODULES)} ...\n")
        return 2
    name, *rest = words
    called = import_module(MODULES[name], __package__).main
    status: int | None = called(rest) if name == "install" else called(rest, prog_name=make_call_of(name))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
