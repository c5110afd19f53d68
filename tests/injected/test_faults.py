"""The list of faults fits the project: each can be put in, and names tests that are there."""

import pytest

from tests.injected.list import Fault, faults
from tests.support import ROOT


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.what)
def test_each_fault_can_be_put_in(fault: Fault) -> None:
    assert fault.changed(ROOT) != (ROOT / fault.file).read_text()
    assert all((ROOT / name).exists() for name in fault.first)


def test_no_fault_is_there_twice() -> None:
    whats = [fault.what for fault in faults()]
    assert len(whats) == len(set(whats)) >= 40
