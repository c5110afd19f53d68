"""Bots of other people: recipes, and what they make of a repository."""

import shlex
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.check.few import make_short
from tests.support import ROOT, command_line, require
from tools.arena import bots
from tools.arena.bots import main
from tools.judge.__main__ import command as judge
from tools.shared import foreign_bots
from tools.shared.contestants import parse_contestant
from tools.shared.paths import call_of

GOOD = (ROOT / "tests" / "bots" / "obedient_one_shot.py").as_posix()


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository for the recipe ``one``."""
    require(shutil.which("git"), "git")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    make_short(monkeypatch)
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "theirs").write_text(f"exec {command_line(sys.executable, '-S', GOOD)}\n")
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    recipes = tmp_path / "recipes"
    recipes.mkdir()
    of_all = f'repository = "a/b"\ncommit = "{commit}"\ngame = "FightTheLandlord"\nlanguage = "sh"\nlicence = "MIT"\n'
    add = '[add]\nfirst = "#!/bin/sh\\n"\nMakefile = "bot:\\n\\tcat first theirs > bot && chmod +x bot\\n"\n'
    (recipes / "one.toml").write_text(of_all + add)
    (recipes / "bad.toml").write_text(of_all + '[add]\n"main.c" = "#error no json\\n"\n')
    monkeypatch.setattr(foreign_bots, "_RECIPES", recipes)
    return folder


@pytest.mark.whole
def test_what_was_got_plays(source: Path) -> None:
    with pytest.raises(ValueError, match=f"bot 'one' is not here yet: {call_of('bots', 'get', 'one')}"):
        parse_contestant("bot:one")
    result = CliRunner().invoke(main, ["get", "one", "--source", str(source)])
    assert result.output == "It plays as bot:one.\n"
    assert parse_contestant("bot:one").is_program
    assert " here " in CliRunner().invoke(main, ["list"]).output
    played = CliRunner().invoke(judge, ["bot:one", "rule", "rule", "--seed", "7", "--game", "MiniFightTheLandlord"])
    assert played.exit_code == 0, played.output
    # Only what plays takes the place of what was there.
    recipe = foreign_bots.recipe("one")
    before = sorted(recipe.top.rglob("*"))
    assert sorted(path.name for path in recipe.top.parent.iterdir()) == ["one"]
    (foreign_bots._RECIPES / "one.toml").write_text(
        (foreign_bots._RECIPES / "one.toml").read_text().replace("cat first theirs", "cat first")
    )
    result = CliRunner().invoke(main, ["get", "one", "--source", str(source)])
    assert result.exit_code == 2
    assert "bot one does not play: " in result.output
    assert sorted(recipe.top.rglob("*")) == before
    # A process that is killed leaves what it made beside; the next one clears it away.
    recipe.top.rename(recipe.top.with_suffix(".old"))
    recipe.top.with_suffix(".part").mkdir()
    assert CliRunner().invoke(main, ["get", "one", "--source", str(source)]).exit_code == 2
    assert sorted(path.name for path in recipe.top.parent.iterdir()) == ["one"]
    assert sorted(recipe.top.rglob("*")) == before


def test_what_goes_wrong_is_one_sentence(source: Path) -> None:
    (source / "nowhere").mkdir()
    for words, sentence in {
        ("get", "two"): "bot 'two' is unknown: there are bad, one",
        (
            "get",
            "bad",
            "--source",
            str(source),
        ): "bot bad does not play: it does not compile: ./main.c:1:2: error: #error no json",
        ("get", "one", "--source", str(source / "nowhere")): "bot one: fatal: repository",
    }.items():
        result = CliRunner().invoke(main, list(words))
        assert result.exit_code == 2
        assert sentence in result.output
    with pytest.raises(ValueError, match="bot 'two' is unknown"):
        parse_contestant("bot:two")


def test_every_recipe_is_read() -> None:
    assert len(foreign_bots.recipes()) >= 6
    for one in foreign_bots.recipes().values():
        assert one.game in ("FightTheLandlord", "FightTheLandlord2")
        assert len(one.commit) == 40


class _Asking(BaseHTTPRequestHandler):
    """A host that asks for a password, as GitHub does where there is no such repository."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="git"')
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_nobody_is_asked_for_a_password(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, program = tmp_path / "asked", tmp_path / "askpass"
    program.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(asked))}\n")
    program.chmod(0o755)
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, str(program))
    with HTTPServer(("127.0.0.1", 0), _Asking) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setattr(bots, "HOST", host)
        result = CliRunner().invoke(main, ["get", "one"])
        server.shutdown()
    sentence = f"bot one: {host}/a/b asks for a password: it is gone or private; --source takes a copy of it"
    assert (result.exit_code, result.stderr) == (2, f"Error: {sentence}\n")
    assert not asked.exists()
