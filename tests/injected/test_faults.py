"""The list of faults fits the project: each can be put in, and names tests that are there."""

from tests.injected.list import faults
from tests.support import ROOT


def test_each_fault_can_be_put_in() -> None:
    for fault in faults():
        assert fault.changed(ROOT) != (ROOT / fault.file).read_text(), fault.what
        assert all((ROOT / name).exists() for name in fault.first), fault.what


def test_no_fault_is_there_twice() -> None:
    whats = [fault.what for fault in faults()]
    assert len(whats) == len(set(whats)) >= 50
