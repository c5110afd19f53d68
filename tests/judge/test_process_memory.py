"""What a process used is known after it has given it back, that of a child in the sandbox too."""

import subprocess
import sys
import time

import pytest

from tests.support import require
from tools.judge.process_memory import FIRST_PERIOD, MemoryMeter

PEAK_MIB = 150
USES = f"""
import sys
used = b"x" * ({PEAK_MIB} << 20)
del used
print(flush=True)
sys.stdin.read()
"""
STARTS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {USES!r}])"


@pytest.mark.parametrize(
    ("code", "in_sandbox", "is_seen"),
    [(USES, False, True), (STARTS, True, True), (STARTS, False, False)],
    ids=["of itself", "of a child in the sandbox", "of a child elsewhere"],
)
def test_a_peak_between_two_samples(code: str, in_sandbox: bool, is_seen: bool) -> None:
    require(sys.platform == "linux", "the high water of a process, which Linux keeps")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as process:
        assert process.stdin and process.stdout
        process.stdout.readline()
        meter = MemoryMeter(process.pid, in_sandbox)
        time.sleep(2 * FIRST_PERIOD)
        meter.sample()
        process.stdin.close()
    assert (meter.peak_mib >= PEAK_MIB) == is_seen
