"""All commands as one: ``python -m tools``, which lists them, and ``python -m tools match``."""

from .command import main
from .shared.paths import call_of

if __name__ == "__main__":
    main(prog_name=call_of())
