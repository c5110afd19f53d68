"""
The variables of the environment that a judged program gets: few, and none that changes how it behaves.

The user's own settings would make the judge another one than the site: with ``PYTHONUNBUFFERED`` a bot that never
flushes plays well here, and loses every game there.
"""

import re
import sys
from collections.abc import Mapping

_KEPT = re.compile(r"PATH|LANG|LANGUAGE|LC_\w+|TZ|DDZ_KERNEL|DDZ_NO_KERNEL")
"""Variables for paths of programs, the user's language and time zone, and the choice of our own kernel."""
OUTSIDE: tuple[str, ...] = ("HOME", "TMPDIR", "USER", "LOGNAME")
"""Variables for home and temporary folders outside the sandbox, which has its own."""
if sys.platform == "win32":
    OUTSIDE += (
        "APPDATA",
        "COMSPEC",
        "LOCALAPPDATA",
        "PATHEXT",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERPROFILE",
    )
_OURS = re.compile(r"PYTHONPATH|XDG_\w+|DDZ_(?!SEED)\w+")
"""Variables for the folders of our own code and data."""


def environment(env: Mapping[str, str], is_ours: bool = False) -> dict[str, str]:
    """Gets what of *env* a program outside of the sandbox gets; ours gets more."""
    kinds = (_KEPT, _OURS) if is_ours else (_KEPT,)
    names = [variable for variable in env if variable in OUTSIDE or any(kind.fullmatch(variable) for kind in kinds)]
    return {variable: env[variable] for variable in names}
