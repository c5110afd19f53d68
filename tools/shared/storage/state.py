"""Where programs keep what outlives them."""

import os
from pathlib import Path


def state_folder() -> Path:
    """Gets the folder of this user for what programs keep: ``$XDG_STATE_HOME/ddzbot``, or ``~/.local/state/ddzbot``."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state") / "ddzbot"
