"""
Which tests are for every commit (``make test``), and which are the rest of ``make test-all``.

Those of the rest belong to a room of :data:`ROOMS`, import one or a package that only the extra ``test-all`` brings, or
bear the mark ``whole``. No list of files is kept: where a test of the first part needs such a package, it fails, since
nothing there finds one.
"""

import functools
import re
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

from tools.shared.install import needed, packages

PARTS = ("test", "rest")
ROOMS = ("cluster", "experiments", "lab", "live", "site", "training")
"""Folders of tools/ and tests/ for laboratory, trainings, clusters, matches on a site and pages of the project."""

_COMPILERS = {"ziglang", "setuptools"}
"""What may be there anyway: zig where there is no compiler."""
PACKAGES = tuple(
    name.replace("-", "_")
    for name in packages(needed("test-all"))
    if name not in {*packages(needed("test")), *_COMPILERS}
)
_WHOLE = re.compile(
    rf"^\s*(?:from|import) (?:{'|'.join(PACKAGES)}|(?:tools|tests)\.(?:{'|'.join(ROOMS)})|tests\.browser)\b"
    r"|^pytestmark = pytest\.mark\.whole$",
    re.MULTILINE,
)
_TESTS = Path(__file__).resolve().parent


@functools.cache
def of_the_rest(path: Path) -> bool:
    """Tells whether all tests in a file or folder are of the rest."""
    if path.is_relative_to(_TESTS) and path.relative_to(_TESTS).parts[:1] in {(room,) for room in ROOMS}:
        return True
    return path.suffix == ".py" and bool(_WHOLE.search(path.read_text("utf-8")))


def may_hold(path: Path, part: str) -> bool:
    """Tells whether a file or folder may have tests of that *part*; what may not is not even imported."""
    if part == "test":
        return not of_the_rest(path)
    return path.suffix != ".py" or of_the_rest(path) or "mark.whole" in path.read_text("utf-8")


class _Hidden(MetaPathFinder):
    def find_spec(self, name: str, *_: object) -> None:
        if name in PACKAGES:
            raise ModuleNotFoundError(f"{name} is for make test-all: mark what needs it whole", name=name)


def hide_packages() -> None:
    """Lets no import of this process find a package that only the rest needs, as where `make test` installed all."""
    sys.meta_path.insert(0, _Hidden())
