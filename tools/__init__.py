"""What stays at home: judge, arena, training, packing and viewers; never imported by ddzbot."""

import sys
from types import TracebackType

_before = sys.excepthook


def _say_what_to_install(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Ends a command that lacks a package with one sentence, as make installs no more than each target needs."""
    from .install import how_to_get

    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    sentence = how_to_get(missing.partition(".")[0]) if missing else None
    if sentence:
        sys.stderr.write(sentence + "\n")
    else:
        _before(kind, error, trace)


sys.excepthook = _say_what_to_install
