"""What the tests of the environments need."""

from importlib.util import find_spec

from ddzbot.kernel import native
from tests.support import require


def need_packages() -> None:
    """Leaves a test out, and says so, where the extra or the kernel is missing."""
    require(find_spec("pettingzoo") and find_spec("gymnasium"), "pettingzoo and gymnasium (extra env)")
    require(native(), "the kernel")
