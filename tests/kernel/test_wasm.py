"""The kernel for Python in a browser; tests/web shows that it decides as the one of this machine does."""

import pytest

from ddzbot.kernel.seal import broken_seal
from tests.support import require
from tools.shared.compiling import BuildError, build_wasm


# It takes zig, which only the rest has where there is a compiler.
@pytest.mark.whole
def test_the_seal_is_a_section_of_its_own() -> None:
    try:
        content = build_wasm().read_bytes()
    except BuildError as error:
        require(None, error.message)
        raise
    assert not broken_seal(content)
    assert content[-78:-64] == b"\0\x4c\x0bddz-sha256:"
