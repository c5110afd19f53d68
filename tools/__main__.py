"""All commands as one: ``python -m tools``, which lists them, and ``python -m tools match``."""

from .command import main

if __name__ == "__main__":
    main(prog_name="python -m tools")
