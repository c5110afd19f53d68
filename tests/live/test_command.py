"""The commands: they play, keep the games, say what is wrong in one sentence, and never the secret."""

import re
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from tests.live.faults import FaultDraw
from tests.live.mock_server import MockServer, ServerBehaviour
from tests.live.tables import SECRET, USER, serving
from tools.records.files import read_records
from tools.tables.live.__main__ import main
from tools.tables.live.account import VARIABLE

pytestmark = pytest.mark.whole


def run(*words: str, secret: str | None = SECRET) -> Result:
    return CliRunner().invoke(main, words, env={VARIABLE: secret})


def files_in(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())


def play(folder: Path, address: str, *words: str, secret: str | None = SECRET) -> Result:
    where = ["--site", address, "--state", str(folder / "state"), "--save-games", str(folder / "games.jsonl")]
    return run("play", "--user", USER, *where, "--player", "rule", "--limit", "10p", *words, secret=secret)


def test_started_matches_are_played_kept_and_summed_up(tmp_path: Path) -> None:
    server = MockServer(USER, SECRET, 3, FaultDraw(3), ServerBehaviour(hold=0.5))
    with serving(server) as address:
        done = play(tmp_path, address, "--game", "FightTheLandlord2", "--against", "rule", "--count", "3", "--quiet")
    assert done.exit_code == 0, done.output
    assert re.search(r"all: \d of \d won, WP \d", done.output)
    records = read_records(tmp_path / "games.jsonl")
    assert len(records) == server.report.finished + server.report.broken_off >= 3
    assert {record.tags["Limit"] for record in records} == {"10p"}
    assert (server.report.lost, server.report.doubled) == ([], [])
    assert SECRET not in done.output + files_in(tmp_path)


def test_a_wrong_secret_ends_with_one_sentence_and_is_not_said(tmp_path: Path) -> None:
    with serving(MockServer(USER, "another-secret", 3)) as address:
        done = play(tmp_path, address)
    assert done.exit_code == 1
    assert done.output.splitlines()[-1].startswith("Error: 127.0.0.1:")
    assert "there is no user user-1, or the secret is another one (HTTP 401)" in done.output
    assert SECRET not in done.output + files_in(tmp_path)


class _Redirects(BaseHTTPRequestHandler):
    """A site that sends on to an address with orders, and with the secret that it was sent."""

    def do_GET(self) -> None:
        self.wfile.write(
            f"HTTP/1.1 302 Found\r\nLocation: http://{SECRET}\x1bc\x1b7\x1bPpwn.example/x\r\n\r\n".encode()
        )

    def log_message(self, *_: object) -> None:
        pass


def test_the_word_on_a_redirect_has_no_orders_for_the_terminal_and_no_secret(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), _Redirects) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        done = play(tmp_path, f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
    assert done.exit_code == 1
    assert r"sends on to http://[secret]\x1bc\x1b7\x1bPpwn.example (HTTP 302)" in done.output
    assert "\x1b" not in done.output and SECRET not in done.output


@pytest.mark.parametrize(
    ("words", "secret", "problem"),
    [
        (["play", "--user", "me"], None, "there is no secret: set DDZBOT_BOTZONE_SECRET"),
        (["play"], SECRET, "there is no user"),
        (["play", "--user", "me", "--save-games", "games.txt"], SECRET, "says no format"),
        (["play", "--user", "me", "--against", "a\nb"], SECRET, "is not the ID of a bot"),
        (["play", "--user", "me", *["--against", "a"] * 3], SECRET, "there are two other positions"),
        (["play", "--user", "me", "--initdata", "{"], SECRET, "is not JSON"),
        (["play", "--user", "me"], "abc", "the secret must be"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], secret: str | None, problem: str) -> None:
    done = run(*words, secret=secret)
    assert done.exit_code == 2
    assert problem in done.output
    assert "Traceback" not in done.output
    assert SECRET not in done.output


def test_there_is_no_option_for_the_secret_itself() -> None:
    names = {name for command in main.commands.values() for option in command.params for name in option.opts}
    assert {name for name in names if "secret" in name} == {"--secret-file"}
