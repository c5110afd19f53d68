"""
The commands of README and of the guide's first screens, run as they stand there in a checkout with a bad name.

Nothing is installed: its environment has the packages of this Python. Only thoughts and matches are shorter.
"""

import os
import re
import shutil
import signal
import subprocess
import sysconfig
import urllib.parse
import urllib.request
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import ROOT, command_line, eventually, kernel_path, require, started
from tests.test_doc_examples import examples
from tools.shared.compiling import build_release
from tools.shared.install import extras
from tools.shared.targets import JUDGE

pytestmark = pytest.mark.whole

FOLDER = "it's my bot, 斗地主 & more; 100 % (part #1) [a-z]*?"
"""What make, shells, addresses, patterns and command lines read as something else."""
COPIED = ("ddzbot", "tools", "weights", "docs", "tests/bots", "tests/data")
FILES = ("Makefile", "README.md", "LICENSE", "bot.py", "constraints.txt", "pyproject.toml", "setup.py")

SERVES = "make serve"
ELSEWHERE = {"make test": "this is a test of it", "make web": "tests/web: npm fetches Python for it"}
"""Commands of README that are not run here, and where they are."""
MANY = "review#Look through many games"
FIRST = {"play": 4, "serve": 2, "review": 7, "submit": 5, "match": 3, MANY: 6, "analyse": 1, "solve": 2}
"""How many commands of a page of the guide are run, from its beginning or from one of its headings on."""
OF_README = {"play", "serve", "solve"}
"""Pages of which those commands are not run again that README has too: no other needs what they leave."""
STATUS = {"mygenerator": 1, "--fault any": 2}
"""How the commands end that find something wrong, or nothing at all."""
SHORTER = (
    (re.compile(r"^make run(?! BOT)"), "make run BOT='python bot.py --limit 20p'"),
    (re.compile(r"^(make play(?: PLAY=\"(.*)\")?)$"), r'make play PLAY="\2 --limit 20p"'),
    (re.compile(r"^(make serve(?: SERVE=\"(.*)\")?)$"), r'make serve SERVE="\2 --port 0 --limit 20p --workers 1"'),
    (re.compile(r"--sets \d+"), "--sets 9"),
    (re.compile(r'("\./mybot") --sets 9'), r"\1 --sets 2"),
    (re.compile(r"--limit \d+p"), "--limit 50p"),
    (re.compile(r'"python3 (bot.py|build/ddzbot.zip)"'), r'"python3 \1 --player rule"'),
    # The recipe has the value in quotes, and no place for options. tests/check checks this player to the end.
    (re.compile(r'^(make check BOT=".*)"'), r'\1\" --only \"start,output,lead,follow"'),
    (re.compile(r"^(python -m tools review (?!.*--limit).*)"), r"\1 --limit 50p"),
    (re.compile(r"(rules check \./mygenerator .*)"), r"\1 --minutes 0.05"),
    (re.compile(r"new mybot --language cpp"), "new mybot-in-cpp --language cpp"),
)


PYTHON = re.compile(r"(?:make|python3?|echo|\.) ")
"""How the command lines begin that are run; the others need an installed wheel."""


def commands(page: Path) -> list[str]:
    """Lists the commands of a page without what is said beside them."""
    return [example.line for example in examples(page, page.name) if PYTHON.match(example.line)]


README = commands(ROOT / "README.md")


def shortened(command: str) -> str:
    """Writes the same command with less to think or to play."""
    for pattern, shorter in SHORTER:
        command = pattern.sub(shorter, command)
    return command


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout after everything was installed."""
    folder = tmp_path_factory.mktemp("copy") / FOLDER
    left_out = shutil.ignore_patterns("__pycache__", "*.so")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=left_out)
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    (folder / "build").mkdir()
    shutil.copy(require(kernel_path(), "a C compiler"), folder / "build")
    # The one to upload, too, which other tests need anyway.
    shutil.copytree(build_release().parent, folder / "build" / JUDGE)
    venv.create(folder / ".venv", symlinks=True)
    scheme = {name: str(folder / ".venv") for name in ("base", "platbase")}
    Path(sysconfig.get_path("purelib", "venv", scheme), "here.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for name in ("bin/pip", *(f"{extra}-installed" for extra in extras())):
        (folder / ".venv" / name).touch()
    return folder


@pytest.fixture
def checkout(copy: Path, tmp_path: Path) -> Iterator[Path]:
    """The same with a bot and a generator of your own, which the pages name."""
    before = {*copy.iterdir()}
    generator = "import json, sys\nfor line in sys.stdin:\n    json.loads(line)\n    print('[\"pass\"]', flush=True)\n"
    (copy / "generator.py").write_text(generator)
    for name, program in (("mybot", "tests/bots/obedient_one_shot.py"), ("mygenerator", "generator.py")):
        (copy / name).write_text(f"#!/bin/sh\nexec {command_line('python3', '-S', copy / program)}\n")
        (copy / name).chmod(0o755)
    yield copy
    for path in {*copy.iterdir()} - before - {copy / "records", copy / "dist"}:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.fixture
def environment(copy: Path, tmp_path: Path) -> dict[str, str]:
    """What a shell has in which the environment is active: a browser that only notes what it is to open, too."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    browser.chmod(0o755)
    path = f"{copy / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    ours = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHONDONTWRITEBYTECODE", "DDZ_KERNEL", "DDZ_WEIGHTS"}
    others = {name: value for name, value in os.environ.items() if name not in ours}
    return {**others, "PATH": path, "BROWSER": f"{browser} %s", "COLUMNS": "150"}


@pytest.fixture
def run(checkout: Path, environment: dict[str, str]) -> Callable[[str], str]:
    """Runs a command as a shell does, and gets what it prints; a table in the browser answers, and is ended."""

    def asked(command: str) -> str:
        short = shortened(command)
        if command.startswith(SERVES):
            return served(short)
        done = subprocess.run(
            ["sh", "-c", short], cwd=checkout, env=environment, input="quit\n", capture_output=True, text=True
        )
        status = next((status for words, status in STATUS.items() if words in command), 0)
        assert done.returncode == status, (short, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def served(command: str) -> str:
        options = {"cwd": checkout, "env": environment, "stdout": subprocess.PIPE, "text": True}
        with started(["sh", "-c", f"exec {command}"], **options, start_new_session=True) as process:
            assert process.stdout is not None
            address = re.search(r"http://\S+", process.stdout.readline())
            assert address
            with urllib.request.urlopen(address[0]) as page:
                said = page.read().decode()
            os.killpg(process.pid, signal.SIGINT)
            process.wait()
        return str(said)

    return asked


@pytest.mark.timeout(1800)
def test_every_command_of_readme_runs(run: Callable[[str], str], checkout: Path, tmp_path: Path) -> None:
    assert len(README) >= 20 and {*ELSEWHERE} < {*README}
    (checkout / "mybot").unlink()  # README makes one
    said = {command: run(command) for command in README if command not in ELSEWHERE}
    made = {path.name for path in (checkout / "records").iterdir()}
    assert "last.jsonl" in made
    page, review = opened(tmp_path)
    assert {page.name, review.name} <= made
    assert review == page.with_suffix(".review.html")
    assert "<title>" in said["make serve"]
    assert (checkout / "build" / "ddzbot.zip").exists() and list((checkout / "dist").glob("ddzbot-*.whl"))
    assert (checkout / "results.json").exists() and (checkout / "review.html").exists()


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("page", FIRST)
def test_the_first_screen_of_a_guide_runs(page: str, run: Callable[[str], str], checkout: Path, tmp_path: Path) -> None:
    name, _, heading = page.partition("#")
    part = tmp_path / f"{name}.md"
    text = (ROOT / "docs" / "guide" / part.name).read_text("utf-8")
    part.write_text(text[text.index(heading) :], "utf-8")
    given = commands(part)[: FIRST[page]]
    assert len(given) == FIRST[page]
    if page == "submit":
        (checkout / "mybot").unlink()
        request = re.search(r"'(.*)'", given[0])
        assert request
        (checkout / "request.json").write_text(request[1])
    for command in given:
        if command not in README or page not in OF_README:
            run(command)
    assert all(path.exists() for path in opened(tmp_path))


def opened(folder: Path) -> list[Path]:
    """Lists the files that a browser was to open."""
    noted = folder / "opened"
    addresses = noted.read_text().splitlines() if eventually(noted.exists, 1) else []
    return [Path(urllib.request.url2pathname(urllib.parse.urlsplit(address).path)) for address in addresses]
