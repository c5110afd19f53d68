"""What stays at home: judge, arena, training, packing and viewers; never imported by ddzbot."""

import os
import sys
from types import TracebackType

# pip installs this beside ddzbot, which runs on older Pythons: up to the sentence below it must be valid there.
_before = sys.excepthook
# Python calls a program "-m" while it looks for the module to run.
_starts_a_command = os.path.splitext(os.path.basename("".join(sys.argv[:1])))[0] in ("-m", "ddzbot")


class OldPythonError(ImportError):
    """Raised where Python is too old for the tools; the message is one sentence."""


def _end_with_a_sentence(kind: "type[BaseException]", error: BaseException, trace: "TracebackType | None") -> None:
    """Ends a command that lacks a package or a newer Python with one sentence, and one that is interrupted, too."""
    if isinstance(error, KeyboardInterrupt) and _starts_a_command:
        # It has not come as far as tools.shared.interrupts, which says and does the same.
        sys.stderr.write("Interrupted.\n")
        raise SystemExit(130)
    sentence = str(error) if isinstance(error, OldPythonError) else _how_to_get(error)
    if sentence:
        sys.stderr.write(sentence + "\n")
    else:
        _before(kind, error, trace)


def _how_to_get(error: BaseException) -> "str | None":
    from .shared.install import how_to_get

    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return how_to_get(missing.partition(".")[0]) if missing else None


sys.excepthook = _end_with_a_sentence

if sys.version_info < (3, 10):  # noqa: UP036
    raise OldPythonError(
        "The tools of ddzbot need Python 3.10 or newer, and this is {}.{}; ddzbot.api and python -m ddzbot "
        "run here.".format(*sys.version_info[:2])
    )

from .programs import add_players  # noqa: E402 - on an older Python nothing of it is read

add_players()
