"""The kernel for Python in a browser; tests/web shows that it decides as the one of this machine does."""

import pytest

from ddzbot.kernel.checksum import checksum_fault
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
    assert not checksum_fault(content)
    assert content[-78:-64] == b"\0\x4c\x0bddz-sha256:"
