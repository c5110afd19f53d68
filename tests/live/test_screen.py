"""What a person sees: the table in a terminal, plain lines elsewhere, and nowhere the secret."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.faults import FaultDraw
from tests.live.mock_server import MockServer, ServerBehaviour
from tests.live.tables import SECRET, USER, Desk, serving
from tests.support import ROOT
from tools.shared.terminal import Console
from tools.tables.live.account import VARIABLE, Secret
from tools.tables.live.screen import Screen, picture
from tools.tables.live.wire import Request

pytestmark = pytest.mark.whole

FIRST = {"own": list(range(17, 34)), "history": [[], [0]], "publiccard": [0, 1, 2]}


def screen(terminal: bool, quiet: bool = False) -> tuple[Screen, io.StringIO]:
    out = io.StringIO()
    return Screen(Secret(SECRET), quiet, Console(file=out, force_terminal=terminal, width=100)), out


def test_a_sentence_has_the_time_and_not_the_secret() -> None:
    shown, out = screen(terminal=False)
    shown.say(f"the site says: /api/{USER}/{SECRET}/localai \x1b[31mred\n[bold]")
    line = r"\d\d:\d\d:\d\d  the site says: /api/user-1/\[secret\]/localai \\x1b\[31mred\\x0a\[bold\]\n"
    assert re.fullmatch(line, out.getvalue())


def test_the_table_has_every_match_and_the_sums(tmp_path: Path) -> None:
    client = Desk(tmp_path, "http://127.0.0.1:9").client
    client.begin("5553f4a0aa11bb22cc33dd44", ["me", "bot-one", "bot-two"])
    client.registry.take_request(Request("594553a2630d4c0758e2b2b1", FIRST), list)
    client.registry.take_request(
        Request("77aa", json.loads('{"own":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17],"bid":[1]}')), list
    )
    client.tally.add("landlord", 0, (2.2, 0.1, 0.1))
    console = Console(file=io.StringIO(), width=100, record=True)
    console.print(picture(client))
    lines = console.export_text().splitlines()
    assert lines[0] == "3 matches run"
    assert re.search(r"5553f4a0aa +bot-one, bot-two +0 +has begun", lines[2])
    assert re.search(r"594553a263 +landlord_down +19 17 17 +1 +thinks", lines[3])
    assert re.search(r"77aa +position 1 +1 +thinks", lines[4])
    assert lines[5].startswith("all: 1 of 1 won, WP 100.0")


def test_the_table_is_for_terminals(tmp_path: Path) -> None:
    client = Desk(tmp_path, "http://127.0.0.1:9").client
    client.begin("5553f4a0", ["me", "a", "b"])
    for terminal, quiet, drawn in ((True, False, True), (True, True, False), (False, False, False)):
        shown, out = screen(terminal, quiet)
        with shown.showing(client):
            shown.say("a line")
        assert ("matches run" in out.getvalue()) is drawn
        assert "a line" in out.getvalue()


def test_an_interrupt_leaves_the_matches_for_the_next_time(tmp_path: Path) -> None:
    server = MockServer(USER, SECRET, 3, FaultDraw(3), ServerBehaviour(hold=5.0, delay=30.0))
    with serving(server) as address:
        command = [sys.executable, "-m", "tools", "live", "play", "--user", USER, "--site", address]
        options = ["--against", "rule", "--player", "rule", "--limit", "10p", "--state"]
        environment = {**os.environ, VARIABLE: SECRET}
        running = subprocess.Popen(
            [*command, *options, str(tmp_path / "state")],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert running.stdout is not None
        lines = [running.stdout.readline(), running.stdout.readline()]
        assert "was started" in lines[1]
        running.send_signal(signal.SIGINT)
        rest, _ = running.communicate()
    assert running.returncode == 130
    assert "matches that still run at the site: 1; the same command resumes them" in rest
    assert "Interrupted." in rest
    assert SECRET not in "".join(lines) + rest
    assert len(list((tmp_path / "state").glob("*.match.json"))) == 1
