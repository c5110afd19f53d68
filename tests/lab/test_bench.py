"""The benchmark: its keys, and a signature that only answers can move."""

import json

import pytest
from click.testing import CliRunner

from ddzbot.kernel.binding import Kernel
from tests.kernel.twin import Twin
from tools.lab.bench import kernel as bench


def test_kernel_and_twin_have_the_same_signature(kernel: Kernel) -> None:
    assert bench.signature(kernel, 2) == bench.signature(Twin(), 2)


def test_the_signature_depends_on_the_deals(kernel: Kernel) -> None:
    assert bench.signature(kernel, 2) != bench.signature(kernel, 3)


def test_the_hands_of_games_shrink_to_the_last_move(kernel: Kernel) -> None:
    hands = bench.hands_of_games(bench.rule_set("mini"), 3, kernel)
    assert hands == bench.hands_of_games(bench.rule_set("mini"), 3, kernel)
    assert len(set(hands)) > 20


def test_json_has_every_figure_and_the_signature(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_KERNEL", kernel.library.path)
    done = CliRunner().invoke(bench.main, ["--json", "--quick", "--rules", "icga"])
    figures = json.loads(done.output)
    assert all(figures[key] > 0 for key in bench.ROWS)
    assert figures["signature"] == bench.signature(kernel, 5)
    assert figures["rules"] == "icga"


def test_the_table_shows_every_figure(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_KERNEL", kernel.library.path)
    done = CliRunner().invoke(bench.main, ["--quick"])
    assert done.exit_code == 0
    assert all(text in done.output for text, _ in bench.ROWS.values())
