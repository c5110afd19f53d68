"""What pip installs: the wheel, and what works from it in an environment that knows no checkout."""

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from filelock import FileLock

from ddzbot import __version__
from ddzbot.kernel.library import FILE_NAME
from ddzbot.net.current import read_manifest
from tests.support import ROOT, find_python, kernel_path, require, started
from tools.command import COMMANDS
from tools.shared.install import PINS, extras
from tools.shared.machine import commit
from tools.shared.targets import TARGETS, name_here

SOURCES = ("ddzbot", "tools", "weights")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "bot.py")
AUTHOR = ("-c", "user.name=a", "-c", "user.email=a@b")
FOLDER = "my packages 斗地主"
DATA = {".css", ".html", ".js", ".json", ".jsonl", ".npz", ".toml", ".cpp"}

pytestmark = pytest.mark.whole

GUIDE = (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")
AGENT = ROOT / "docs" / "examples" / "rlcard_agent.py"
PROGRAMS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)

POSITION = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"

STRATEGIES = """
import sys
from hypothesis import given, settings
from ddzbot.api import legal_moves, rule_set
from ddzbot.testing.strategies import follows
@settings(max_examples=5, database=None, deadline=None)
@given(follows(rule_set("botzone")))
def test(position):
    assert legal_moves(rule_set("botzone"), *position)
test()
print(*sorted({name.partition(".")[0] for name in sys.modules} & {"click", "msgspec", "numpy", "rich", "scipy"}))
"""
AGAIN = """
class Checked(Champion):
    def step(self, state):
        action = super().step(state)
        assert action in state["raw_legal_actions"]
        return action
for seed in range(5):
    env = rlcard.make("doudizhu", config={"seed": seed})
    env.set_agents([Checked(), Checked(), Checked()])
    print(env.run(is_training=False)[1])
"""
HELP = """
from click.testing import CliRunner
from ddzbot_tools.command import groups, main
names = [name for modules in groups().values() for name in modules]
for name in names:
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0 and done.output.startswith(f"Usage: main {name} "), done.output
    assert "python -m tools" not in done.output, done.output
print(len(names))
"""


PYTHONS = {"oldest": ("3.10",), "newest": ("3.15", "3.14", "3.13")}
"""Those that the commands are tried on: the oldest that runs them, and the newest of this machine."""

Installed = Callable[..., Path]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all workers, for what the first one that asks makes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / FOLDER
    folder.mkdir(exist_ok=True)
    return folder


def uv(*words: object) -> None:
    """Runs uv, which builds and installs as pip does, from the same place, in a tenth of the time."""
    found = require(shutil.which("uv") or (find_spec("uv") and sys.executable), "uv (extra test-all)")
    command = [found, *(["-m", "uv"] if found == sys.executable else []), *map(str, words)]
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, env={**settings, "UV_PYTHON_DOWNLOADS": "never"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def python_of(age: str) -> str:
    versions = PYTHONS[age]
    return require(next(filter(None, map(find_python, versions)), None), f"CPython {versions[-1]}")


@pytest.fixture(scope="session")
def distributions(shared: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is built of it, each in an environment that has what it asks for."""
    require(kernel_path(), "a C compiler")
    folder = shared / "distributions"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            sources = shared / "sources"
            sources.mkdir()
            for name in SOURCES:
                shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
            for name in FILES:
                shutil.copy(ROOT / name, sources)
            for words in (["init", "-q"], ["add", "-A"], [*AUTHOR, "commit", "-qm", "all"]):
                subprocess.run([require(shutil.which("git"), "git"), *words], cwd=sources, check=True)
            uv("build", "--quiet", "--python", python_of("newest"), "--out-dir", folder, sources)
    (made,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return made, wheel


@pytest.fixture(scope="session")
def head(distributions: tuple[Path, Path], shared: Path) -> str:
    """The commit of the sources that the distributions were made of."""
    return commit(str(shared / "sources"))


@pytest.fixture(scope="session")
def wheel(distributions: tuple[Path, Path]) -> Path:
    """The wheel."""
    return distributions[1]


@pytest.fixture(scope="session")
def installed(wheel: Path, shared: Path) -> Installed:
    """Gets the programs of an environment that has the wheel with one extra, and nothing else."""

    def programs(extra: str = "", age: str = "newest") -> Path:
        folder = shared / f"{age} with {extra or 'nothing'}"
        with FileLock(f"{folder}.lock"):
            if not (folder / "done").exists():
                uv("venv", "--quiet", "--clear", "--seed", "--python", python_of(age), folder)
                uv("pip", "install", "--quiet", "-c", PINS, "--python", folder / "bin" / "python", named(wheel, extra))
                (folder / "done").touch()
        return folder / "bin"

    return programs


def named(wheel: Path, extra: str) -> str:
    return f"ddzbot[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)


@pytest.fixture(scope="session")
def folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip makes of the wheel for the oldest Python, without any other package."""
    to = tmp_path_factory.mktemp("installed")
    systems = (f"manylinux2014_{platform.machine()}", sysconfig.get_platform().replace("-", "_"))
    named = [word for system in systems for word in ("--platform", system)]
    pip("--target", to, "--python-version", "3.6", "--only-binary=:all:", *named, wheel)
    return to


def pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile"]
    done = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    hidden = {"PYTHONPATH", "DDZ_KERNEL", "DDZ_WEIGHTS", "DDZ_NO_KERNEL"}
    settings = {name: value for name, value in os.environ.items() if name not in hidden} | environment
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True)


def run_bare(version: str, folder: Path, program: str, at: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program by a Python that has nothing but what lies in *folder*."""
    python = require(find_python(version), f"CPython {version}")
    return run([python, "-S", "-s", "-B", "-W", "error", "-c", program], at, PYTHONPATH=str(folder))


def test_the_wheel_holds_the_package_the_tools_the_kernel_and_the_networks(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {path.relative_to(ROOT) for room in ("ddzbot", "tools") for path in (ROOT / room).rglob("*")}
    wanted = {path.as_posix().replace("tools/", "ddzbot_tools/") for path in sources if path.suffix in {".py", *DATA}}
    networks = {f"ddzbot/weights/{name}" for name in read_manifest(str(ROOT / "weights"))["files"]}
    kernel = f"ddzbot/kernel/{FILE_NAME}"
    assert names == {*wanted, *networks, "ddzbot/weights/manifest.json", "ddzbot/py.typed", kernel}


def test_the_wheel_says_of_which_commit_it_is_and_which_systems_it_is_for(wheel: Path, head: str) -> None:
    start = f"ddzbot-{__version__}+g{head}-py3-none-"
    usual = TARGETS[name_here()].tag if name_here() in TARGETS else ""
    own = re.sub(r"\W", "_", sysconfig.get_platform())  # where the compiler asks for a newer C library
    assert wheel.name in (f"{start}{usual}.whl", f"{start}{own}.whl")


def test_the_source_distribution_has_all_that_a_build_needs(distributions: tuple[Path, Path], head: str) -> None:
    with tarfile.open(distributions[0]) as archive:
        assert distributions[0].name == f"ddzbot-{__version__}+g{head}.tar.gz"
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {*FILES, *(path.relative_to(ROOT).as_posix() for path in (ROOT / "ddzbot/kernel/src").rglob("*.[ch]"))}
    assert wanted <= names
    assert not {name for name in names if name.endswith((".so", ".pyc"))}


@pytest.mark.parametrize("age", PYTHONS)
def test_every_extra_can_be_installed(installed: Installed, wheel: Path, age: str) -> None:
    # In one go: where all are satisfied at once, so is each; every release is pinned.
    words = ("pip", "install", "--quiet", "--dry-run", "-c", PINS, "--python", installed(age=age) / "python")
    uv(*words, named(wheel, ",".join(extras())))


def test_the_guide_has_four_short_programs() -> None:
    assert len(PROGRAMS) == 4
    written = [[line for line in program.splitlines() if line and "import " not in line] for program in PROGRAMS]
    assert max(map(len, written[:3])) <= 11 and len(written[3]) <= 20


@pytest.mark.parametrize("version", ["3.6", "3.8", "3.13"])
def test_the_loop_of_the_guide_runs_on_a_bare_python(version: str, folder: Path, tmp_path: Path) -> None:
    program = PROGRAMS[0].replace("playouts=200", "playouts=20")
    done = run_bare(version, folder, program + "\nfrom ddzbot.api import describe; print(describe())", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    result, kernel = done.stdout.splitlines()
    assert re.fullmatch(r"(landlord wins|peasants win) \(.*\)", result)
    assert re.fullmatch(r"kernel \d+ " + re.escape(str(folder)) + f"/ddzbot/kernel/{FILE_NAME}", kernel)


@pytest.mark.parametrize("version", ["3.6", "3.8"])
def test_the_champion_itself_plays_from_a_view_of_the_guide(version: str, folder: Path, tmp_path: Path) -> None:
    done = run_bare(version, folder, PROGRAMS[1], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    chosen, *moves = done.stdout.splitlines()
    player, _, move = chosen.partition(" plays ")
    assert player == "champion" and moves[0].startswith(move + " wins ")
    assert len(moves) == 3


@pytest.mark.parametrize("version", ["3.6", "3.13"])
def test_the_program_of_the_guide_answers_a_judge(version: str, folder: Path, tmp_path: Path) -> None:
    program = PROGRAMS[3].replace('"-m", "ddzbot"', '"-S", "-m", "ddzbot", "--limit", "20p"')
    done = run_bare(version, folder, program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lead, then = done.stdout.splitlines()
    assert json.loads(lead.removeprefix("leads")) and json.loads(then.removeprefix("then")) != [51]


def test_the_agent_of_the_guide_plays_whole_games_in_rlcard(installed: Installed, tmp_path: Path) -> None:
    program = AGENT.read_text("utf-8").replace("playouts=200", "playouts=10")
    done = run([installed("rlcard") / "python", "-c", program + AGAIN], tmp_path)
    first, *others = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert {first, *others} <= {"[1 0 0]", "[0 1 1]"} and len(others) == 5


def test_the_command_says_what_it_lacks(folder: Path, tmp_path: Path) -> None:
    program = "from ddzbot_tools.command import main"
    done = run_bare("3.8", folder, program, tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        "The tools of ddzbot need Python 3.10 or newer, and this is 3.8; ddzbot.api and python -m ddzbot run here.\n"
    )
    done = run_bare("3.13", folder, program, tmp_path)
    assert done.returncode == 1
    sentence = r"has no click: install ddzbot with its extra base, as in pip install 'FILE\.whl\[base\]'\."
    assert re.fullmatch(rf"This Python \(.*\) {sentence}\n", done.stderr)


def test_a_hint_names_an_extra_of_the_wheel(installed: Installed, tmp_path: Path) -> None:
    program = """
from ddzbot_tools.shared.install import extras, how_to_get
print(*extras())
for package in ("aiohttp", "scipy", "torch", "distributed", "rlcard", "distutils"):
    print(how_to_get(package).rpartition(", as in ")[2])
"""
    done = run([installed() / "python", "-c", program], tmp_path)
    extras, *hints = done.stdout.splitlines()
    assert {"tools", "serve", "training", "cluster", "rlcard"} <= {*extras.split()}
    wanted = ("serve", "tools", "training", "cluster", "rlcard", "rlcard")
    assert hints == [f"pip install 'FILE.whl[{extra}]'." for extra in wanted], done.stderr


def test_the_strategies_need_no_more_than_hypothesis(installed: Installed, tmp_path: Path) -> None:
    done = run([installed("testing") / "python", "-c", STRATEGIES], tmp_path)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_every_command_has_help_that_one_can_type(installed: Installed, tmp_path: Path) -> None:
    done = run([installed("serve") / "python", "-c", HELP], tmp_path)
    assert done.stdout == f"{sum(map(len, COMMANDS.values()))}\n", done.stdout + done.stderr


@pytest.mark.parametrize("age", PYTHONS)
def test_the_commands_play_with_what_pip_brings_by_itself(
    installed: Installed, tmp_path: Path, age: str, head: str
) -> None:
    programs = installed(age=age)

    def ran(*words: str) -> str:
        done = run([programs / "ddzbot", *words], tmp_path, PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    found = json.loads(ran("doctor", "--json"))
    assert found["plays_in_full"]
    assert found["kernel"]["path"].startswith(str(programs.parent))
    assert found["packages"]["click"] and not found["packages"]["numpy"]
    assert "hidden cards" in ran("analyse", "--limit", "50p", "--human", POSITION)
    kept = ["--results", "r.json", "--save-games", "games.ddzn"]
    match = ["match", "champion", "rule", "--rules", "mini", "--limit", "20p", "--jobs", "1", "--strict"]
    assert "fallbacks 0" in ran(*match, "--sets", "1", *kept)
    assert f"code {head}, kernel" in ran("report", "r.json", "--why", "--page", "page.html")
    ran(*match[:3], "random", *match[3:], "--sets", "1")  # a table of Elo
    ran("new", "mybot")
    ran("match", "rule", "./mybot", "--rules", "mini", "--sets", "1")
    ran("check", "python -m ddzbot --player rule", "--only", "start")
    bots = ["rule", "rule", "python -m ddzbot --player rule"]
    ran("judge", *bots, "--game", "MiniFightTheLandlord", "--turn-time", "60")
    lacks = run([programs / "ddzbot", "serve"], tmp_path)
    assert lacks.returncode == 1 and lacks.stderr.endswith("as in pip install 'FILE.whl[serve]'.\n")


def test_a_class_plays_with_what_pip_brings_by_itself(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    shutil.copy(ROOT / "tests" / "bots" / "crash_at_start.py", tmp_path / "class" / "ann.py")
    words = ["class", "class", "rule", "random", "--rules", "mini", "--sets", "1", "--jobs", "1"]
    done = run([installed() / "ddzbot", *words], tmp_path)
    assert done.returncode == 0 and (tmp_path / "class.html").exists(), done.stdout + done.stderr


MINE = """
from ddzbot.cards import size
class Mine:
    def choose(self, view, limit):
        return max(view.legal_moves(), key=lambda move: size(move.cards))
"""
LEARNER = "from ddzbot.env import DouDizhu; env = DouDizhu('mini'); env.reset(seed=1); print(env.agent_selection)"


@pytest.mark.parametrize("age", PYTHONS)
def test_an_environment_and_a_player_of_ones_own_need_the_extra_env(
    installed: Installed, tmp_path: Path, age: str
) -> None:
    programs = installed("env", age)
    learner = run([programs / "python", "-c", LEARNER], tmp_path)
    assert (learner.returncode, learner.stderr) == (0, ""), learner.stderr
    (tmp_path / "mine.py").write_text(MINE)
    words = ["match", "mine:Mine", "rule", "--rules", "mini", "--sets", "2", "--jobs", "1"]
    match = run([programs / "ddzbot", *words], tmp_path, PYTHONPATH=".")
    assert match.returncode == 0 and "mine:Mine against rule" in match.stdout, match.stdout + match.stderr


@pytest.mark.parametrize("age", PYTHONS)
def test_a_table_in_the_browser_needs_the_extra_serve(installed: Installed, tmp_path: Path, age: str) -> None:
    words = [installed("serve", age) / "ddzbot", "serve", "--port", "0", "--workers", "1"]
    with started(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        assert any("http://" in line for line in server.stdout)


@pytest.mark.parametrize("age", PYTHONS)
def test_a_picture_needs_the_extra_tools(installed: Installed, tmp_path: Path, age: str) -> None:
    words = ["report", str(ROOT / "results" / "mcm" / "rhcp.json.gz"), "--plot", "course.png"]
    done = run([installed("tools", age) / "ddzbot", *words], tmp_path)
    assert done.returncode == 0 and (tmp_path / "course.png").exists(), done.stderr


@pytest.mark.parametrize("age", PYTHONS)
def test_rlcards_agents_need_the_extra_rlcard(installed: Installed, tmp_path: Path, age: str) -> None:
    words = ["match", "rule", "rlcard:doudizhu-rule-v1", "--rules", "standard", "--sets", "1", "--jobs", "1"]
    done = run([installed("rlcard", age) / "ddzbot", *words], tmp_path)
    assert done.returncode == 0 and "rlcard:doudizhu-rule-v1" in done.stdout, done.stdout + done.stderr


def test_the_first_command_plays_a_game_and_says_what_comes_next(installed: Installed, tmp_path: Path) -> None:
    typed = installed() / "ddzbot"
    named = shlex.quote(str(typed))
    done = run([typed, "run", "--game", "MiniFightTheLandlord"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "python -m ddzbot" in done.stdout and (tmp_path / "records" / "last.jsonl").exists()
    commands = [line.partition(": ")[2] for line in done.stdout.splitlines()[-3:]]
    assert commands == [f"{named} play", f"{named} serve", f"{named} view {Path('records', 'last.jsonl')} --open"]


def test_pip_brings_what_the_commands_need_where_they_run(wheel: Path, head: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        said = archive.read(f"ddzbot-{__version__}+g{head}.dist-info/METADATA").decode()
    always = [line[15:] for line in said.splitlines() if line.startswith("Requires-Dist: ") and "extra ==" not in line]
    assert always == ['ddzbot[base]; python_version >= "3.10"']


@pytest.mark.parametrize("activated", [False, True])
def test_what_a_command_prints_runs_in_the_same_shell(installed: Installed, tmp_path: Path, activated: bool) -> None:
    programs = installed()
    path = os.pathsep.join([str(programs), "/bin"] if activated else ["/usr/bin", "/bin"])
    typed = "ddzbot" if activated else shlex.quote(str(programs / "ddzbot"))
    line = f"echo quit | {typed} play --rules mini --bot random --save-games 'a game.ddzn'"
    said = run(["/bin/sh", "-c", line], tmp_path, PATH=path).stdout
    commands = [one.partition(":")[2].strip() for one in said.splitlines() if f" {typed} " in one]
    assert [shlex.join(shlex.split(command)[:3]) for command in commands] == [
        f"{typed} play --resume",
        f"{typed} play --rules",
    ]
    for command in commands:
        done = run(["/bin/sh", "-c", f"{command} </dev/null"], tmp_path, PATH=path)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
