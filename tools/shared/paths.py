"""Where the checkout lies, or what pip installed in its place, and how its commands are called."""

import os
import shutil
import sys
from pathlib import Path

from .shell import joined_words

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = __name__.partition(".")[0]
"""What the folder ``tools`` is called: ``ddzbot_tools`` where pip installed it."""

INSTALLED = PACKAGE != "tools"

_SCRIPT = "ddzbot"


def call_of(*words: str) -> str:
    """
    Writes a command as it runs in the shell where this one was typed, each word quoted where it has to be.

    ``call_of("match", "rule", "rhcp")`` is ``python -m tools match rule rhcp``, with ``.venv/bin/python`` or whatever
    else was typed for Python, or ``ddzbot match rule rhcp``.
    """
    typed = sys.argv[0]
    if not INSTALLED or Path(typed).stem != _SCRIPT:
        return joined_words([_python(), "-m", PACKAGE, *words])
    script = shutil.which(_SCRIPT)
    # On Windows the file is ddzbot.exe, and says of itself that it is ddzbot.
    files = filter(os.path.exists, (typed, f"{typed}.exe"))
    is_found = script and any(os.path.samefile(script, file) for file in files)
    return joined_words([_SCRIPT if is_found else typed, *words])


def move_calls(file: str, game: int) -> dict[str, str]:
    """Writes what to do with a move of a game of *file*: the commands but for the move; none for stdin."""
    if file == "-":
        return {}
    named = (file, *(("--number", str(game)) if game > 1 else ()))
    board = ("--port", "0", "--open", "--move")
    return {"analyse_move": call_of("analyse", *named, "--move"), "board_move": call_of("serve", *named, *board)}


def make_call_of(*words: str) -> str:
    """Writes what only make calls in the same way: ``make_call_of("kernel")`` is ``python -m tools.make kernel``."""
    return joined_words([_python(), "-m", f"{PACKAGE}.make", *words])


def _python() -> str:
    """Gets what was typed for Python; a path below this folder is short."""
    typed = sys.orig_argv[0]
    below = os.path.relpath(typed) if os.path.isabs(typed) else typed
    return typed if below.startswith(os.pardir) or os.sep not in below else below
