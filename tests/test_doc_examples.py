"""The examples in README, guide and reference: every command exists with these options, and cheap ones say this."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from ddzbot.protocol.loop import parse_options
from tests.support import ROOT
from tools.arena.check.scenes import GAMES
from tools.arena.new.__main__ import LANGUAGES
from tools.arena.new.__main__ import main as new
from tools.command import main as tools
from tools.make import MODULES
from tools.shared.paths import call_of

PAGES = [
    *(ROOT / name for name in ("README.md", "README.zh.md", "CONTRIBUTING.md", "tests/README.md", "results/README.md")),
    *sorted(page for page in (ROOT / "docs").rglob("*.md")),
]

BEGINS = re.compile(
    r"(?:\$ )?(?:\w+=\S* )*"
    r"(?:make|(?:\S*/)?(?:python3?|pip|g\+\+)|\./\S+|\.ci/run|py|ddzbot|cp|curl|sed|docker|echo|printf|export|\(umask|\.)"
    r"(?: |$)"
)
"""A line with which a block of commands begins, with the prompt of one that has their output, too."""
SHOWS = re.compile(r"^ {4}\$ (.*)")
CONTINUED = re.compile(r"\\$")
COMMENT = re.compile(r"(?:^|\s)#.*")
COLUMN = re.compile(r"\S\s{3,}\S")
"""A remark in a column of its own, which a shell takes for arguments."""
INNER = re.compile(r"\$\([^()]*\)")
ENDS = re.compile(r"\s*(?:\|\|?|;|&&|[()])\s*")
"""What stands between two simple commands."""
REDIRECTED = re.compile(r"\s*[<>]+\s*\S+")
ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
PROGRAM = re.compile(r"(?:\S*/)?(python3?|py|pip|ddzbot|make)")

SPENT = re.compile(r"\d[\d,]* nodes in [\d.]+ s|\"seconds\": ?[\d.]+|\[[\d.]+ s\]|1 or more[ \d.]+|\d+ KB")
"""What depends on the time that there was, and on the page."""
CHEAP = ("tools rules", "tools solve", "tools analyse --human", "tools review")
"""Commands that answer in seconds and else always the same."""
RUN = re.compile(
    r"-m tools (?:rules (?:classify|legal|beats|corpus)|solve|deals|analyse --human|bots list|match mcm:help"
    r"|weights verify|(?:report|view) (?:results|tests)/)"
)
"""Commands that run in a second, with files of this project alone."""

LARGE = {"cluster", "experiments", "lab", "live", "train", "training"}
"""Commands that `make test` leaves out: their tests are whole, too."""
OTHERS = {"http.server", "dask", "pytest", "pip", "tests.analyse.errors"}
"""Modules with command lines that have no parser to ask."""
ADDED = "greedy"
"""The player that the reader of a page has just added."""


class Example(NamedTuple):
    page: str
    number: int
    """The line."""
    line: str
    """The command line, without its comment."""


def blocks_of(page: Path) -> Iterator[list[tuple[int, str]]]:
    """Yields the blocks of code of a page, as lines with their numbers; continued lines are one."""
    block: list[tuple[int, str]] = []
    fenced = False
    lines = enumerate(page.read_text("utf-8").splitlines(), 1)
    for number, line in lines:
        fence = line.startswith("```")
        fenced ^= fence
        if not fence and (fenced or line.startswith("    ")):
            while CONTINUED.search(line):
                line = line[:-1] + next(lines)[1].strip()
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def blocks(page: Path) -> Iterator[tuple[int, str]]:
    """Yields the lines of code of a page."""
    for block in blocks_of(page):
        yield from block


def command_lines(page: Path) -> Iterator[tuple[int, str]]:
    """
    Yields the command lines of a page with their numbers and remarks.

    In a block that begins with a command every line is one, but what stands below a prompt is output.
    """
    for block in blocks_of(page):
        prompted = False
        for number, line in block if BEGINS.match(block[0][1].strip()) else ():
            prompt, line = line.strip().startswith("$ "), line.strip().removeprefix("$ ")
            prompted |= prompt
            if prompt or not prompted:
                yield number, line


def without_remark(line: str) -> str:
    """Gets a command line as a shell reads it: up to a comment."""
    return unquoted(COMMENT.sub("", quoted(line))).rstrip()


def examples(page: Path, name: str) -> Iterator[Example]:
    """Yields the command lines of a page, which is shown by that name."""
    for number, line in command_lines(page):
        yield Example(name, number, without_remark(line))


_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MEANT = " #|<>;()&$"
"""What means something else between quotes."""
_HIDDEN = "".join(map(chr, range(1, 1 + len(_MEANT))))


def quoted(text: str) -> str:
    """Hides what stands in quotes from the search for remarks and the ends of commands."""
    hidden = str.maketrans(_MEANT, _HIDDEN)
    return _QUOTED.sub(lambda match: match[0].translate(hidden), text)


def unquoted(word: str) -> str:
    return word.translate(str.maketrans(_HIDDEN, _MEANT))


def simple_commands(line: str) -> Iterator[list[str]]:
    """Yields the words of each simple command of a command line, without what is assigned and redirected."""
    for part in ENDS.split(REDIRECTED.sub("", INNER.sub("INNER", quoted(line)))):
        words = [unquoted(word) for word in shlex.split(part)]
        while words and ASSIGNED.match(words[0]):
            del words[0]
        if words:
            yield words


ALL = [example for page in PAGES for example in examples(page, page.relative_to(ROOT).as_posix())]


def command_of(name: str) -> click.Command:
    """Gets the command that a module runs, without running it."""
    spec = find_spec(f"{name}.__main__") if find_spec(name).submodule_search_locations else None  # type: ignore[union-attr]
    module = import_module(f"{name}.__main__" if spec else name)
    found = [value for key in ("command", "main") if isinstance(value := getattr(module, key, None), click.Command)]
    return found[0]


def parse(command: click.Command, name: str, words: list[str]) -> None:
    """Reads the words as the command would, down to the command of a group, and does nothing."""
    if "--help" in words:
        words = [word for word in words if word != "--help"]
        assert set(words) <= {option for parameter in command.params for option in parameter.opts} or not words
        return
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        _, inner, rest = command.resolve_command(context, words)
        assert inner is not None
        parse(inner, name, rest)
        return
    command.make_context(name, list(words))


MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = {*re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)}
VARIABLES = {*re.findall(r"\$\((?:if \$\()?([A-Z]+)\)", MAKEFILE)}
HANDED_ON = {"PLAY": "play", "SERVE": "serve"}
"""Variables of the Makefile whose words a command reads."""


def read_make(words: list[str]) -> None:
    """Sees that the targets and variables of a call of make exist, and that the commands read what it hands on."""
    for word in words:
        name, is_variable, value = word.partition("=")
        assert name in (VARIABLES if is_variable else TARGETS), word
        if name in HANDED_ON:
            parse(tools, "tools", [HANDED_ON[name], *shlex.split(value)])


def read_python(words: list[str]) -> None:
    """Sees that what Python is to run is there, and reads its words."""
    if words[0] == "-c":
        compile(words[1], "line", "exec")
    elif words[0] == "-m":
        read_module(words[1], words[2:])
    elif words[0] in ("bot.py", "build/ddzbot.zip"):
        parse_options(words[1:])
    else:
        made = words[0] == "mybot/test_bot.py"
        text = "" if made else (ROOT / words[0]).read_text("utf-8")
        assert [word for word in words if word.startswith("--") and f'"{word}"' not in text] == []


def read_module(name: str, words: list[str]) -> None:
    """Reads the words of a module's command line, if it has a parser to ask."""
    if name == "ddzbot":
        parse_options(words)
    elif name == "tools.make":
        parse(import_module(MODULES[words[0]], "tools").main, name, words[1:])
    elif name.partition(".")[0] == "tools":
        parse(command_of(name), name, words)
    else:
        assert name in OTHERS, name


def read(words: list[str]) -> None:
    """Reads a simple command as its program would, and does nothing; of programs of others, nothing is asked."""
    program = PROGRAM.fullmatch(words[0])
    if program:
        name, rest = program[1], words[1:]
        if name == "make":
            read_make(rest)
        elif name == "ddzbot":
            parse(tools, "ddzbot", rest)
        elif name != "pip":
            read_python(rest)


def is_whole(example: Example) -> bool:
    """Tests whether a command is one of those, by its module or its name."""
    return bool({*re.findall(r"-m tools[. ]([\w-]+)", example.line)} & LARGE)


def test_there_are_examples_of_most_commands() -> None:
    assert len(ALL) > 250
    names = {name for example in ALL for name in re.findall(r"-m tools (\w+)", example.line)}
    assert {"match", "games", "review", "analyse", "view", "play"} <= names


def python_after(page: str, heading: str) -> str:
    """Gets the first block of Python below a heading."""
    _, _, below = (ROOT / page).read_text("utf-8").partition(heading)
    return below.partition("```python\n")[2].partition("```")[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the rule set of a page in it; the files that command lines name need not be there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.py").write_text(python_after("docs/reference/rules.md", "## A rule set of your own"))
    for kind in (click.Path, click.File):
        monkeypatch.setattr(kind, "convert", lambda self, value, *_: Path(value))
    return tmp_path


@pytest.mark.parametrize(
    "example",
    [pytest.param(one, marks=[pytest.mark.whole] * is_whole(one)) for one in ALL],
    ids=[f"{one.page}:{one.number}" for one in ALL],
)
@pytest.mark.usefixtures("folder")
def test_every_command_line_of_a_page_can_be_copied(example: Example) -> None:
    try:
        check(example.line)
    except (click.ClickException, AssertionError, SystemExit) as error:
        why = error.format_message() if isinstance(error, click.ClickException) else error
        pytest.fail(f"{example.page}:{example.number}: {example.line}: {why}")


def check(line: str) -> None:
    """Reads a command line as a shell and its programs would."""
    assert BEGINS.match(line), "no command that is known here"
    assert not COLUMN.search(quoted(line)), "a remark without #"
    for words in simple_commands(line.replace(ADDED, "rule")):
        read(words)


def test_no_command_line_stands_in_a_block_of_something_else() -> None:
    """Copied with the rest of its block, it would not be one."""
    for page in PAGES:
        numbers = {number for number, _ in command_lines(page)}
        for block in blocks_of(page):
            if not numbers & {number for number, _ in block}:
                assert [line for _, line in block if BEGINS.match(line.strip())] == [], page


@pytest.mark.whole  # the commands of a training import torch
@pytest.mark.usefixtures("folder")
def test_every_command_that_make_runs_accepts_its_words() -> None:
    targets = [name for name in sorted(" ".join(TARGETS).split()) if name != "help"]
    dry = subprocess.run(["make", "-n", "-C", str(ROOT), *targets], capture_output=True, text=True, check=True)
    called = re.findall(r"python3? -m (tools (?:[\w.-]+ )+[^|;&>\n]*)", dry.stdout.replace("\\\n", ""))
    assert len(called) > 8
    for words in called:
        read_module("tools", shlex.split(words)[1:])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_command_lines_of_a_new_bot_can_be_copied(folder: Path, language: str, game: str) -> None:
    made = CliRunner().invoke(new, ["mybot", "--language", language, "--game", game], catch_exceptions=False)
    assert made.exit_code == 0
    lines = [example.line for example in examples(folder / "mybot" / "README.md", "README.md")]
    assert len(lines) >= 4
    for line in lines:
        check(line.replace(shlex.quote(sys.executable), "python3"))


def test_a_shell_reads_every_command_line(tmp_path: Path) -> None:
    script = tmp_path / "all.sh"
    script.write_text("".join(f"{example.line}\n" for example in ALL), "utf-8")
    done = subprocess.run(["sh", "-n", str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("python -m tools games --no-such-option", "No such option"),
        ("ddzbot games a.ddzn --set many", "neither a number such as 17"),
        ("python -m tools.arena.games a.ddzn --fault north | cat", "is not one of"),
        ("echo a | .venv/bin/python -m tools games", "Missing argument"),
        ("python -m tools play      the landlord", "a remark without #"),
        ("python -m tools play the landlord", "unexpected extra arguments"),
        ("python -m tools weights info FILE [--force]", "unexpected extra argument"),
        ('make play PLAY="--rules mini --no-such-option"', "No such option"),
        ("make no-such-target", "no-such-target"),
        ("make run NONE=1", "NONE=1"),
        ("python bot.py --player nobody", "2"),
        ("python docs/examples/learner/learn.py data/mine --hours 5", "--hours"),
        ("python -m nothing", "nothing"),
        ("the landlord, against the best level twice", "no command"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_command_line_that_cannot_be_copied_is_found(line: str, sentence: str) -> None:
    with pytest.raises((click.ClickException, AssertionError, SystemExit)) as refused:
        check(line)
    error = refused.value
    assert sentence in (error.format_message() if isinstance(error, click.ClickException) else str(error))


def shown() -> Iterator[tuple[str, int, str, list[str]]]:
    """Yields (page, line, command, output as far as it is shown) of every example with a prompt."""
    for page in PAGES:
        lines = page.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            prompt = SHOWS.match(line)
            if prompt and any(f"-m {name} " in prompt[1] for name in CHEAP):
                output = []
                for follows in lines[number + 1 :]:
                    if not follows.startswith("    ") or SHOWS.match(follows):
                        break
                    output.append(follows[4:])
                yield page.relative_to(ROOT).as_posix(), number + 1, prompt[1], output


SHOWN = list(shown())


def test_there_are_examples_with_their_output() -> None:
    assert len(SHOWN) >= 8


@pytest.mark.parametrize(("page", "number", "line", "output"), SHOWN, ids=[f"{one[0]}:{one[1]}" for one in SHOWN])
@pytest.mark.usefixtures("with_kernel")
def test_a_cheap_example_says_what_its_page_shows(
    page: str, number: int, line: str, output: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(tools, shlex.split(line.partition("-m tools ")[2]), catch_exceptions=False)
    said = " ".join(SPENT.sub("SPENT", done.stdout.replace(call_of(), "python -m tools")).split())
    parts = [" ".join(part.split()) for part in SPENT.sub("SPENT", "\n".join(output)).split("...")]
    assert all(part in said for part in parts), (page, number, done.output)


RUNS = {
    example.line.partition("-m tools ")[2]: None
    for example in ALL
    if RUN.search(example.line) and (example.page, example.number) not in {one[:2] for one in SHOWN}
}
"""Each once, of those whose output no page shows."""


@pytest.mark.parametrize("line", RUNS)
@pytest.mark.usefixtures("with_kernel")
def test_a_command_line_that_takes_a_second_runs(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("results", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(tools, shlex.split(line), catch_exceptions=False)
    assert (done.exit_code, done.stderr) == (0, ""), done.output


def test_the_list_of_commands_runs() -> None:
    done = subprocess.run([sys.executable, "-m", "tools"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    named = {name for example in ALL for name in re.findall(r"-m (tools\.(?!make)\S+)", example.line)}
    assert named - set(re.findall(r"python -m (\S+)", done.stdout)) == set()
