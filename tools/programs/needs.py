"""The packages that a player outside the upload needs."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..shared.install import how_to_get
from ..shared.shell import joined_words


@contextmanager
def packages_of(player: str) -> Iterator[None]:
    """
    Says how to get a package that an import in this block lacks.

    :raises ValueError: if one is missing that this project knows; the message names the player and the package.
    """
    try:
        yield
    except subprocess.CalledProcessError as error:  # RLCard asks pip which packages there are
        problem = f"{joined_words(error.cmd)} fails; {joined_words([sys.executable, '-m', 'ensurepip'])} installs pip"
        raise ValueError(f"{player}: {problem}") from None
    except ModuleNotFoundError as error:
        how = how_to_get((error.name or "").partition(".")[0])
        if how is None:
            raise
        raise ValueError(f"{player}: {how}") from None
