"""python -m tools serve: what it refuses, where it serves, and how it stops."""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from tests.support import ROOT, eventually, require
from tools.tables.serve import __main__ as command
from tools.tables.serve.__main__ import Options, _announce, _bound, _store, main
from tools.tables.serve.store import Store


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bot", "missing"], "player 'missing' is unknown"),
        (
            ["--bot", "python bot.py"],
            "bot 'python bot.py' is a command line: only players by name sit at a table; there are a3c, champion",
        ),
        (["--limit", ""], "a decision needs a limit"),
        (["--seed", "2026-11-24"], "'2026-11-24' is not made of hexadecimal digits"),
        (
            ["--seed", "F" * 31],
            f"--seed {'f' * 31} has fewer than 32 hexadecimal digits: a player of one finished game",
        ),
        (["--host", "192.0.2.1", "--port", "0"], "--host 192.0.2.1 --port 0: "),
    ],
)
def test_bad_usage_is_one_sentence(arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert sentence in result.output and "Traceback" not in result.output


def test_a_short_seed_is_refused_with_a_fresh_one_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Options] = []

    async def serve(options: Options, *_others: object) -> None:
        asked.append(options)

    monkeypatch.setattr(command, "_serve", serve)
    refused = CliRunner().invoke(main, ["--port", "0", "--seed", "20261124"])
    assert refused.exit_code == 2 and asked == []
    fresh = re.search(r"such as --seed ([0-9a-f]{32}), or add --open-seed$", refused.output.strip())
    assert fresh, refused.output
    for arguments in (["--seed", fresh[1]], ["--seed", "20261124", "--open-seed"]):
        assert CliRunner().invoke(main, ["--port", "0", *arguments]).exit_code == 0
    assert [options.seed for options in asked] == [fresh[1], "20261124"]


def test_a_port_in_use_is_one_sentence_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = CliRunner().invoke(main, ["--port", str(port)])
    assert result.exit_code == 2
    said = (
        f"--host 127.0.0.1 --port {port}: Address already in use; name another one with --port, or 0 for any free one"
    )
    assert result.output.splitlines()[-1] == f"Error: {said}"


def test_where_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def folder(tables: str, port: int) -> Path | None:
        context = main.make_context("serve", ["--tables", tables, "--port", str(port)])
        store = _store(Options(**context.params))
        if store is None:
            return None
        store.close()
        return store.path

    assert folder("auto", 8765) == tmp_path / "ddzbot" / "tables-8765"
    assert (tmp_path / "ddzbot" / "tables-8765").is_dir()
    assert folder("auto", 0) is None and folder("off", 8765) is None
    assert folder(str(tmp_path / "mine"), 0) == tmp_path / "mine"


def test_a_folder_of_another_server_is_one_sentence(tmp_path: Path) -> None:
    other = Store(tmp_path)
    result = CliRunner().invoke(main, ["--tables", str(tmp_path), "--port", "0"])
    other.close()
    assert result.exit_code == 2 and f"--tables {tmp_path}: another server keeps its tables there" in result.output


@pytest.mark.parametrize(
    ("host", "ways", "said"),
    [
        ("127.0.0.1", {socket.AF_INET: "10.0.0.7"}, ["The table is at http://127.0.0.1:PORT/ (Ctrl-C stops it)"]),
        ("127.0.0.2", {socket.AF_INET: "10.0.0.7"}, ["The table is at http://127.0.0.2:PORT/ (Ctrl-C stops it)"]),
        (
            "0.0.0.0",
            {socket.AF_INET: "10.0.0.7", socket.AF_INET6: "fd00::7"},
            [
                "The table is at http://127.0.0.1:PORT/ (Ctrl-C stops it)",
                "Others on the network can open it at http://10.0.0.7:PORT/",
            ],
        ),
        (
            "0.0.0.0",
            {},
            [
                "The table is at http://127.0.0.1:PORT/ (Ctrl-C stops it)",
                "Others on the network can open it at your address, port PORT",
            ],
        ),
        (
            "::",
            {socket.AF_INET: "10.0.0.7", socket.AF_INET6: "fd00::7"},
            [
                "The table is at http://[::1]:PORT/ (Ctrl-C stops it)",
                "Others on the network can open it at http://10.0.0.7:PORT/ or http://[fd00::7]:PORT/",
            ],
        ),
    ],
)
def test_it_says_what_others_have_to_type(
    host: str,
    ways: dict[int, str],
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "_host_towards", lambda family: ways.get(family, ""))
    require(host != "::" or socket.has_dualstack_ipv6(), "IPv6")
    bound = _bound(host, 0)
    with bound:
        port = str(bound.getsockname()[1])
        options = Options(**main.make_context("serve", ["--host", host, "--port", "0"]).params)
        _announce(options, bound, None, 0)
    assert capsys.readouterr().out.replace(port, "PORT").splitlines() == said


def test_the_way_to_the_network_is_an_address_of_this_machine() -> None:
    found = {host.address for hosts in psutil.net_if_addrs().values() for host in hosts}
    assert {command._host_towards(family) for family in (socket.AF_INET, socket.AF_INET6)} <= {"", *found}


@pytest.fixture
def server() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-u", "-m", "tools", "serve", "--port", "0", "--limit", "600s", "--bot", "champion"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as started:
        yield started
        started.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.whole)])
def test_it_says_where_it_serves_and_stops_at_once_while_a_bot_thinks(
    server: subprocess.Popen[str], number: signal.Signals
) -> None:
    assert server.stdout is not None and server.stderr is not None
    line = server.stdout.readline()
    address = re.fullmatch(r"The table is at (http://127\.0\.0\.1:\d+/) \(Ctrl-C stops it\)\n", line)
    assert address, line
    with urllib.request.urlopen(address[1]) as page:
        assert b"<!doctype html>" in page.read()
    workers = thinking(address[1], server)
    started = time.monotonic()
    server.send_signal(number)
    assert server.wait() == 0
    assert time.monotonic() - started < 250
    assert server.stdout.read() == "stopped\n"
    assert server.stderr.read() == ""
    psutil.wait_procs(workers, 5)
    assert not any(worker.is_running() for worker in workers)


def thinking(address: str, server: subprocess.Popen[str]) -> list[psutil.Process]:
    """Makes a table of bots, watches it until a process has begun to think, and gets the processes."""
    program = (
        "import asyncio, sys\n"
        "from aiohttp import ClientSession\n"
        "async def main(address):\n"
        "    origin = {'Origin': address.rstrip('/')}\n"
        "    async with ClientSession(headers=origin) as session:\n"
        "        wish = {'rules': 'botzone', 'places': ['champion'] * 3}\n"
        "        async with session.post(address + 'tables', json=wish) as answer:\n"
        "            table = (await answer.json())['table']\n"
        "        async with session.ws_connect(address + 'tables/' + table + '/socket') as socket:\n"
        "            await socket.send_json({'type': 'join', 'token': '', 'watch': True})\n"
        "            await socket.receive(); await socket.receive()\n"
        "asyncio.run(main(sys.argv[1]))\n"
    )
    subprocess.run([sys.executable, "-c", program, address], check=True)
    assert eventually(lambda: bool(psutil.Process(server.pid).children())), "no process began to think"
    return list(psutil.Process(server.pid).children())
