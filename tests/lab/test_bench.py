"""The benchmark: its keys, and a signature that only answers can move."""

import json

import pytest
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from ddzbot.rules import BOTZONE
from tests.kernel.reference import Reference
from tests.support import require
from tools.lab.bench import kernel as bench
from tools.lab.bench import loops
from tools.lab.bench.net import selfplay
from tools.shared.compiling import build_release, has_zig

pytestmark = pytest.mark.whole


def test_kernel_and_reference_have_the_same_signature(kernel: Kernel) -> None:
    assert bench.signature(kernel, 2) == bench.signature(Reference(), 2)


def test_the_kernel_to_upload_computes_the_same(kernel: Kernel) -> None:
    require(has_zig(), "zig (extra zig)")
    release = Kernel(str(build_release()))
    assert selfplay(release, BOTZONE, 20, 1)[1] == selfplay(kernel, BOTZONE, 20, 1)[1]


def test_json_has_every_figure_and_the_signature(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_KERNEL", kernel.library.path)
    done = CliRunner().invoke(bench.main, ["--json", "--quick", "--rules", "icga", "--peers"])
    figures = json.loads(done.stdout)
    told = [*figures["peers"], *done.stderr.splitlines()]
    assert all(any(line.startswith(f"{package} ") for line in told) for package in loops.PEERS)
    assert all(figures[key] > 0 for key in bench.ROWS)
    assert figures["signature"] == bench.signature(kernel, 5)
    assert figures["rules"] == "icga"
