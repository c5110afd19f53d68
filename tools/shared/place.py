"""Where the checkout lies, or what pip installed in its place, and how its commands are called."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = __name__.partition(".")[0]
"""What the folder ``tools`` is called: ``ddzbot_tools`` where pip installed it."""

INSTALLED = PACKAGE != "tools"


def call_of(command: str) -> str:
    """Gets how one calls a command: ``python -m tools match``, or where it is installed ``ddzbot match``."""
    return f"ddzbot {command}" if INSTALLED else f"python -m tools {command}"
