"""What pip installs: the wheel, and what works from it in an environment that knows no checkout."""

import fcntl
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from ddzbot import __version__
from ddzbot.kernel.library import FILE_NAME
from ddzbot.net.current import read_manifest
from tests.support import ROOT, find_python, kernel_path, require
from tools.command import COMMANDS
from tools.shared import compiling
from tools.shared.targets import TARGETS, name_here

SOURCES = ("ddzbot", "tools", "weights")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
DATA = {".css", ".html", ".js", ".jsonl", ".npz", ".toml", ".txt", ".cpp"}

pytestmark = pytest.mark.whole

GUIDE = (ROOT / "docs" / "guide" / "opponent.md").read_text("utf-8")
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


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from copies of the sources by the first worker that asks for it."""
    require(kernel_path(), "a C compiler")
    require(find_spec("setuptools"), "setuptools (extra release)")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with open(shared / "wheel.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "wheel").exists():
            made(shared / "sources", shared / "wheel-unfinished")
            (shared / "wheel-unfinished").rename(shared / "wheel")
    (found,) = (shared / "wheel").iterdir()
    return found


def made(sources: Path, to: Path) -> None:
    sources.mkdir()
    for name in SOURCES:
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, sources)
    # What was compiled already is not compiled again, and what an earlier release left must not stay.
    kernels = [compiling.build(), *([compiling.build_for(name_here())] if find_spec("ziglang") else [])]
    for kernel in kernels:
        (sources / kernel.relative_to(ROOT)).parent.mkdir(exist_ok=True)
        shutil.copy(kernel, sources / kernel.relative_to(ROOT))
    left = sources / "build" / f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}" / "ddzbot" / "left.py"
    left.parent.mkdir(parents=True)
    left.write_text("")
    command = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-index", "--no-build-isolation", "-w", to]
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip makes of the wheel for the oldest Python, without any other package."""
    to = tmp_path_factory.mktemp("installed")
    systems = (f"manylinux2014_{platform.machine()}", sysconfig.get_platform().replace("-", "_"))
    named = [word for system in systems for word in ("--platform", system)]
    pip("--target", to, "--python-version", "3.6", "--only-binary=:all:", *named, wheel)
    return to


def pip(*arguments: str | Path, python: str = sys.executable) -> None:
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--no-compile"]
    done = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and the packages of this Python, without the checkout; its folder of programs."""
    to = tmp_path_factory.mktemp("environment")
    venv.create(to, with_pip=False)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(to), "platbase": str(to)}))
    (site / "here.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip(wheel, python=str(to / "bin" / "python"))
    return to / "bin"


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


def test_the_wheel_says_which_systems_it_is_for(wheel: Path) -> None:
    start = f"ddzbot-{__version__}-py3-none-"
    if find_spec("ziglang"):
        assert wheel.name == f"{start}{TARGETS[name_here()].tag}.whl"
    else:
        assert re.fullmatch(rf"{start}(many|mac|win|linux)\w*{platform.machine()}.*\.whl", wheel.name, re.IGNORECASE)


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
    program = PROGRAMS[2].replace('"-m", "ddzbot"', '"-S", "-m", "ddzbot", "--limit", "20p"')
    done = run_bare(version, folder, program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lead, then = done.stdout.splitlines()
    assert json.loads(lead.removeprefix("leads")) and json.loads(then.removeprefix("then")) != [51]


def test_the_agent_of_the_guide_plays_whole_games_in_rlcard(environment: Path, tmp_path: Path) -> None:
    require(find_spec("rlcard"), "rlcard (extra rlcard)")
    program = PROGRAMS[3].replace("playouts=200", "playouts=10")
    done = run([environment / "python", "-c", program + AGAIN], tmp_path)
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
    sentence = r"has no click: install ddzbot with its extra tools, as in pip install 'FILE\.whl\[tools\]'\."
    assert re.fullmatch(rf"This Python \(.*\) {sentence}\n", done.stderr)


def test_a_hint_names_an_extra_of_the_wheel(environment: Path, tmp_path: Path) -> None:
    program = """
from ddzbot_tools.shared.install import extras, how_to_get
print(*extras())
for package in ("scipy", "torch", "distributed", "rlcard"):
    print(how_to_get(package).rpartition(", as in ")[2])
"""
    done = run([environment / "python", "-c", program], tmp_path)
    extras, *hints = done.stdout.splitlines()
    assert {"tools", "serve", "training", "cluster", "rlcard"} <= {*extras.split()}
    named = ("tools", "training", "cluster", "rlcard")
    assert hints == [f"pip install 'FILE.whl[{extra}]'." for extra in named], done.stderr


def test_the_strategies_need_no_more_than_hypothesis(environment: Path, tmp_path: Path) -> None:
    done = run([environment / "python", "-c", STRATEGIES], tmp_path)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_every_command_has_help_that_one_can_type(environment: Path, tmp_path: Path) -> None:
    done = run([environment / "python", "-c", HELP], tmp_path)
    assert done.stdout == f"{sum(map(len, COMMANDS.values()))}\n", done.stdout + done.stderr


def test_the_commands_play_with_what_was_installed(environment: Path, tmp_path: Path) -> None:
    doctor = run([environment / "ddzbot", "doctor", "--json"], tmp_path)
    found = json.loads(doctor.stdout)
    assert (doctor.returncode, found["plays_in_full"], found["advice"]) == (0, True, {})
    assert found["kernel"]["path"].startswith(str(environment.parent))
    assert found["packages"]["click"]
    analysis = run([environment / "ddzbot", "analyse", "--limit", "50p", "--human", POSITION], tmp_path)
    assert (analysis.returncode, analysis.stderr) == (0, "") and "hidden cards" in analysis.stdout
    results = tmp_path / "results.json"
    command = ["match", "champion", "rule", "--sets", "1", "--limit", "20p", "--jobs", "1", "--strict", "--results"]
    match = run([environment / "ddzbot", *command, results], tmp_path)
    assert match.returncode == 0 and "fallbacks 0" in match.stdout, match.stdout + match.stderr
    report = run([environment / "ddzbot", "report", results], tmp_path)
    assert report.returncode == 0 and f"release {__version__}" in report.stdout, report.stdout + report.stderr
    bots = ["rule", "rule", "python -m ddzbot --player rule"]
    judge = run(
        [environment / "ddzbot", "judge", *bots, "--game", "MiniFightTheLandlord", "--turn-time", "60"], tmp_path
    )
    assert judge.returncode == 0, judge.stdout + judge.stderr


def test_the_first_command_plays_a_game_and_says_what_comes_next(environment: Path, tmp_path: Path) -> None:
    typed = environment / "ddzbot"
    done = run([typed, "run", "--game", "MiniFightTheLandlord"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "python -m ddzbot" in done.stdout and (tmp_path / "records" / "last.jsonl").exists()
    commands = [line.partition(": ")[2] for line in done.stdout.splitlines()[-3:]]
    assert commands == [f"{typed} play", f"{typed} serve", f"{typed} view {Path('records', 'last.jsonl')} --open"]


def test_pip_brings_what_the_commands_need_where_they_run(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        said = archive.read(f"ddzbot-{__version__}.dist-info/METADATA").decode()
    always = [line[15:] for line in said.splitlines() if line.startswith("Requires-Dist: ") and "extra ==" not in line]
    assert always == ['ddzbot[base]; python_version >= "3.10"']


@pytest.mark.parametrize("activated", [False, True])
def test_what_a_command_prints_runs_in_the_same_shell(environment: Path, tmp_path: Path, activated: bool) -> None:
    path = os.pathsep.join([str(environment), "/bin"] if activated else ["/usr/bin", "/bin"])
    typed = "ddzbot" if activated else str(environment / "ddzbot")
    line = f"echo quit | {typed} play --rules mini --bot random --save-games 'a game.ddzn'"
    said = run(["/bin/sh", "-c", line], tmp_path, PATH=path).stdout
    commands = [one.partition(":")[2].strip() for one in said.splitlines() if f" {typed} " in one]
    assert [command.split()[:3] for command in commands] == [[typed, "play", "--resume"], [typed, "play", "--rules"]]
    for command in commands:
        done = run(["/bin/sh", "-c", f"{command} </dev/null"], tmp_path, PATH=path)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
