"""The file to upload plays by itself: with its kernel and network from inside the zip, on the oldest Python too."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ddzbot import files
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import FILE_NAME
from ddzbot.net.current import MANIFEST, read_manifest
from ddzbot.net.fast_features import NAME
from tests.support import PYTHONS, ROOT, find_python, kernel_path, require
from tools.release import bundle
from tools.shared import compiling
from tools.shared.targets import JUDGE, TARGETS

FIRST = json.dumps({"requests": [{"own": [*range(20)], "history": [[], []], "publiccard": [0, 1, 2]}]})
CHOICE = [0, 4, 5, 9, 13, 16, 17, 20, 24, 29, 30, 33, 36, 40, 41, 44, 46, 48, 50, 52]
LEAD = json.dumps({"requests": [{"own": CHOICE, "history": [[], []], "publiccard": [0, 4, 5]}]})


@pytest.fixture(scope="module")
def release() -> Path:
    """The kernel that runs on any Linux."""
    try:
        return compiling.build_release()
    except compiling.BuildError:
        return require(None, "a compiler for any Linux (extra zig)")


@pytest.fixture(scope="module")
def library(request: pytest.FixtureRequest) -> Path:
    """A kernel to pack: of this machine, or of the release if a test asks for that."""
    if getattr(request, "param", "here") == "release":
        found: Path = request.getfixturevalue("release")
        return found
    return Path(require(kernel_path(), "a C compiler"))


RELEASE = pytest.param("release", marks=pytest.mark.whole)


@pytest.fixture(scope="module")
def archive(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("zip") / "ddzbot.zip"
    bundle.write(path, bundle.members(library, ROOT / "weights"))
    return path


def answer(python: str, archive: Path, folder: Path, request: str = LEAD, **environment: str) -> dict[str, Any]:
    # Not -I: the folder of bot.py must stay importable, as it is on the judge.
    command = [python, "-S", "-E", "-s", str(archive), "--player", "champion", "--limit", "600s,200p"]
    settings = {**os.environ, **environment}
    done = subprocess.run(command, input=request, capture_output=True, text=True, cwd=folder, env=settings)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("library", "version"),
    [
        *(("here", version) for version in ("3.6", "3.13")),
        *(pytest.param("release", version, marks=pytest.mark.whole) for version in PYTHONS),
    ],
    indirect=["library"],
)
def test_kernel_and_network_play_out_of_the_zip(version: str, archive: Path, tmp_path: Path) -> None:
    python = require(find_python(version), f"CPython {version}")
    found = answer(python, archive, tmp_path)
    current = read_manifest(str(ROOT / "weights"))["current"][NAME]["botzone"]
    assert (found["debug"]["player"], found["debug"]["weights"]) == ("champion", current)
    assert found["debug"]["playouts"] > 0, "only a kernel searches"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.whole
@pytest.mark.parametrize("library", ["here", RELEASE], indirect=True)
def test_the_zip_decides_as_the_checkout_does(archive: Path, tmp_path: Path) -> None:
    require(sys.platform == "linux", "Linux")
    zipped = answer(sys.executable, archive, tmp_path)
    checkout = answer(sys.executable, ROOT / "bot.py", tmp_path)
    assert zipped["response"] == checkout["response"]
    assert zipped["debug"]["moves"] == checkout["debug"]["moves"]


def test_a_sure_win_needs_no_search(archive: Path, tmp_path: Path) -> None:
    assert sorted(answer(sys.executable, archive, tmp_path, FIRST)["response"]) == [*range(20)]


def test_without_files_in_memory_the_kernel_goes_to_the_temporary_folder(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first = files._in_temporary_file(b"kernel", "one.so")
    assert Path(first).read_bytes() == b"kernel"
    before = os.stat(first).st_mtime_ns
    assert files._in_temporary_file(b"kernel", "one.so") == first
    assert os.stat(first).st_mtime_ns == before, "it is not written again"
    Path(first).write_bytes(b"cut")
    assert Path(files._in_temporary_file(b"kernel", "one.so")).read_bytes() == b"kernel"
    os.chmod(os.path.dirname(first), 0o777)
    with pytest.raises(PermissionError):
        files._in_temporary_file(b"kernel", "one.so")
    monkeypatch.setattr("sys.platform", "win32")  # where every folder has that mode, whoever may write there
    assert files._in_temporary_file(b"kernel", "one.so") == first


@pytest.mark.whole
def test_a_zip_without_a_kernel_plays_by_the_network_alone(tmp_path: Path) -> None:
    path = tmp_path / "plain.zip"
    bundle.write(path, bundle.members(None, ROOT / "weights"))
    debug = answer(sys.executable, path, tmp_path)["debug"]
    assert debug["player"] == "champion:search=none" and debug["weights"].startswith("fast-")
    assert debug["failed_champion"] == "no kernel: none is there"


def test_a_damaged_kernel_in_the_zip_costs_the_search_only(archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(archive) as whole:
        contents = [(name, whole.read(name)) for name in whole.namelist()]
    bundle.write(path, ((name, b"?" if name.endswith(FILE_NAME) else content) for name, content in contents))
    debug = answer(sys.executable, path, tmp_path)["debug"]
    assert debug["player"] == "champion:search=none" and debug["failed_champion"].startswith("no kernel: ")


def test_the_same_sources_make_the_same_bytes(library: Path, archive: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    bundle.write(again, bundle.members(library, ROOT / "weights"))
    assert again.read_bytes() == archive.read_bytes()


class WithoutPass(ast.NodeTransformer):
    """Drops what stands where nothing else would."""

    def visit_Pass(self, node: ast.Pass) -> None:
        return None


class Lean(WithoutPass):
    """Drops what a bundle leaves out, too."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.copy_location(ast.arg(node.arg), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        return node


def test_a_bundle_has_all_code_in_its_lines_without_docstrings_and_annotations(archive: Path) -> None:
    with zipfile.ZipFile(archive) as made:
        modules = [name for name in made.namelist() if name.startswith("ddzbot/") and name.endswith(".py")]
        packed = {name: ast.parse(made.read(name)) for name in modules}
    assert len(packed) > 80
    for name, code in packed.items():
        expected, found = Lean().visit(ast.parse((ROOT / name).read_bytes())), WithoutPass().visit(code)
        assert ast.dump(found) == ast.dump(expected), name
        assert lines(found) == lines(expected), name


def lines(code: ast.AST) -> list[int]:
    return [node.lineno for node in ast.walk(code) if isinstance(node, ast.stmt)]


def test_the_zip_is_below_the_4_mb_that_the_platform_takes(archive: Path) -> None:
    assert archive.stat().st_size < bundle.MOST_BYTES


def networks(folder: Path, player: str, **options: Any) -> list[str]:
    """Lists the networks that travel with a player, and checks that the manifest lists the same."""
    found = dict(bundle.members(None, folder, bundle.travelling(player), **options))
    names = sorted(name[8:] for name in found if name.endswith(".ddzw"))
    manifest = json.loads(found[f"weights/{MANIFEST}"])
    current = {name for by_rules in manifest["current"].values() for name in by_rules.values()}
    assert sorted(manifest["files"]) == sorted(current) == names
    return names


@pytest.mark.whole
def test_only_the_networks_travel_that_the_player_needs_in_the_games_of_the_platform(tmp_path: Path) -> None:
    fields = ("sha256", "features", "rules", "architecture", "data", "command", "results")
    current = {
        "fast-2": {"botzone": "fast-000000000000.ddzw", "standard": "fast-111111111111.ddzw"},
        "mcm-1": {"botzone": "mcm-222222222222.ddzw", "mini": "mcm-333333333333.ddzw"},
        "mcm-1/thesis": {"botzone": "mcm-666666666666.ddzw"},
        "yesno-1": {"botzone2": "yesno-555555555555.ddzw"},
    }
    names = [*(name for by_rules in current.values() for name in by_rules.values()), "fast-444444444444.ddzw"]
    manifest = {"version": 1, "current": current, "files": {name: dict.fromkeys(fields, "") for name in names}}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    for name in names:
        (tmp_path / name).write_bytes(b"")
    assert networks(tmp_path, "champion") == ["fast-000000000000.ddzw"]
    assert networks(tmp_path, "mcm") == ["mcm-222222222222.ddzw", "mcm-333333333333.ddzw"]
    assert networks(tmp_path, "mcm:setting=thesis") == ["mcm-666666666666.ddzw"]
    assert networks(tmp_path, "mctshs") == []
    assert networks(tmp_path, "deeprocket") == ["yesno-555555555555.ddzw"]
    assert networks(tmp_path, "deeprocket", rules=["botzone"]) == []
    assert networks(tmp_path, "champion", rules=["botzone"]) == ["fast-000000000000.ddzw"]


def test_a_zip_for_one_game_is_smaller_and_says_so(archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "one.zip"
    done = CliRunner().invoke(bundle.main, ["--out", str(path), "--kernel", "none", "--game", "FightTheLandlord2"])
    assert done.exit_code == 0 and "Player: champion, in FightTheLandlord2 alone" in done.output
    with zipfile.ZipFile(path) as whole:
        names = {name[8:] for name in whole.namelist() if name.endswith(".ddzw")}
    current = read_manifest(str(ROOT / "weights"))["current"]
    assert names == {current["fast-2"]["botzone2"], current["bid-1"]["botzone2"]}
    assert path.stat().st_size < archive.stat().st_size
    debug = answer(sys.executable, path, tmp_path)["debug"]
    assert "no network: none is current" in debug["failed_champion:search=none"], (
        "in another game it says why it is not the champion"
    )


PAGES = ("README.md", "README.zh.md", "docs/guide/submit.md", "docs/guide/submit.zh.md")
NAMED = {page: re.findall(r"make zip PLAYER=(\w+:\w+=\S+)", (ROOT / page).read_text("utf-8")) for page in PAGES}
"""The players with options for which a page makes a file."""


def test_each_page_on_uploading_names_mcm_with_the_guess_that_bombs_are_kept() -> None:
    assert [page for page in PAGES if "mcm:belief=mini" not in NAMED[page]] == []


@pytest.mark.parametrize("player", sorted({"mctshs:setting=thesis,belief=mini"}.union(*NAMED.values())))
def test_the_zip_plays_the_player_that_it_was_made_for(player: str, library: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    bundle.write(path, bundle.members(library, ROOT / "weights", bundle.travelling(player)))
    done = subprocess.run(
        [sys.executable, str(path), "--limit", "600s,50p"], input=LEAD, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["debug"]["player"] == player


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("nonsense", "player 'nonsense' is unknown; there are a3c, champion, cql, deeprocket, "),
        ("mcm:setting=x", "mcm: setting=x is unknown; there are thesis and default"),
        ("mcm:weights=x.ddzw", "a file of your own is not packed"),
        ("tests.protocol.bad_players:Raising", "is packed from the folder that --add names"),
    ],
)
def test_a_player_that_cannot_travel_is_refused(player: str, sentence: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(bundle.main, ["--out", str(tmp_path / "bot.zip"), "--kernel", "none", "--player", player])
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.replace("│", " ").split())
    assert not (tmp_path / "bot.zip").exists()


@pytest.mark.whole
def test_the_release_kernel_runs_on_old_systems(release: Path) -> None:
    versions = re.findall(rb"GLIBC_2\.(\d+)", release.read_bytes())
    assert versions and max(map(int, versions)) <= 17


def test_of_an_added_folder_nothing_hidden_is_packed(tmp_path: Path) -> None:
    for name in ("mine.py", "sub/data.bin", ".env", ".git/config", "sub/.key", "__pycache__/mine.pyc", "sub/.a/b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    bare, full = (dict(bundle.members(None, ROOT / "weights", added=added)) for added in (None, tmp_path))
    more = {name: full[name] for name in full.keys() - bare.keys() if not name.startswith("ddzbot/env/")}
    assert more == {"mine.py": b"mine.py", "sub/data.bin": b"sub/data.bin"}


@pytest.mark.parametrize("name", ["__main__.py", "ddzbot/engine.py", "weights/more/net.bin"])
def test_an_added_folder_replaces_nothing_of_ours(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).touch()
    top = name.partition("/")[0]
    with pytest.raises(OSError, match=f"{name}: the bundle has a {top} of its own; give it another name"):
        dict(bundle.members(None, ROOT / "weights", added=tmp_path))


def test_what_is_unpacked_may_be_read_and_has_no_date(tmp_path: Path) -> None:
    bundle.write(tmp_path / "a.zip", iter([("a.py", b"1"), ("b/c.bin", b"2")]))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        found = [(entry.filename, oct(entry.external_attr >> 16), entry.date_time[0]) for entry in archive.infolist()]
    assert found == [("a.py", "0o644", 1980), ("b/c.bin", "0o644", 1980)]


def test_the_command_says_what_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "made" / "bot.zip"
    done = CliRunner().invoke(bundle.main, ["--out", str(path), "--kernel", "none"])
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(path) as whole:
        names = whole.namelist()
    python = [name for name in names if name.endswith(".py")]
    assert re.search(rf"Python +│ +{len(python)} │", done.output)
    assert "__main__.py" in names
    at_home = ("tools", "tests", "ddzbot/testing", "ddzbot/env", "ddzbot/kernel/training.py")
    assert not any(name.startswith(at_home) for name in names)


def test_a_folder_without_networks_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(bundle.main, ["--out", str(tmp_path / "bot.zip"), "--kernel", "none", "--folder", "docs"])
    assert done.exit_code == 2 and "there is no manifest.json in docs" in done.output


@pytest.fixture
def without_zig(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing is built before, or by zig; gets the build folder."""
    require(shutil.which("cc"), "a C compiler")
    monkeypatch.setattr(compiling, "has_zig", lambda: False)
    monkeypatch.setattr(compiling, "BUILD", tmp_path)
    return tmp_path


@pytest.mark.whole
def test_the_compiler_that_is_there_makes_the_kernel_to_upload(without_zig: Path) -> None:
    made = compiling.build_release()
    assert made == without_zig / JUDGE / TARGETS[JUDGE].library
    assert Kernel(str(made)).library.build
    listed = subprocess.run(["nm", "-D", "--undefined-only", str(made)], capture_output=True, text=True).stdout
    versions = {tuple(map(int, found.split("."))) for found in re.findall(r"@GLIBC_([\d.]+)", listed)}
    assert versions and max(versions) <= (2, 17)


def test_a_kernel_that_only_runs_on_systems_like_this_is_not_uploaded(
    without_zig: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (without_zig / "new.c").write_text("#include <math.h>\ndouble ddz_new(double of) { return exp(of); }\n")
    monkeypatch.setattr(compiling, "SOURCES", without_zig)
    monkeypatch.setattr(compiling, "runs_on_any_linux", lambda library: False)
    with pytest.raises(compiling.BuildError, match=r"like this one alone: .*-m tools\.make install zig "):
        compiling.build_release()
    assert list((without_zig / JUDGE).iterdir()) == []


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        (b"libc.so.6\0GLIBC_2.14\0GLIBC_2.2.5\0", True),
        (b"memcpy\0GLIBC_2.17\0libc.so.6\0", True),
        (b"", True),
        (b"libc.so.6\0GLIBC_2.18\0", False),
        (b"libc.so.6\0GLIBC_2.2.5\0GLIBC_ABI_DT_RELR\0", False),
        (b"libc.so.6\0libm.so.6\0", False),
        (b"libc.musl-x86_64.so.1\0", False),
    ],
)
def test_what_a_library_needs_says_where_it_runs(names: bytes, runs: bool) -> None:
    head = b"\x7fELF\2\1" + bytes(10) + b"\3\0"
    assert compiling.runs_on_any_linux(head + b"\x3e\0" + b"\0" + names) is runs
    assert not compiling.runs_on_any_linux(head + b"\xb7\0" + b"\0" + names), "for another processor"
