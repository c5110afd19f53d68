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

from tests.support import ROOT
from tools.shared.paths import call_of

PAGES = [
    *(ROOT / name for name in ("README.md", "README.zh.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs" / "guide").glob("*.md")),
    *sorted((ROOT / "docs" / "reference").glob("*.md")),
    ROOT / "docs" / "lab" / "experiments.md",
]

COMMAND = re.compile(r"(?:^|[\s|(])(?:\.venv/bin/)?python3? -m (tools(?:\.\w+)*)(.*)")
SHOWS = re.compile(r"^ {4}\$ (.*)")
REMARK = re.compile(r"\s#\s.*|\s{3,}\S.*|\s*[|>;]\s.*|；.*")
OPTIONAL = re.compile(r"\[(--[^\]]*)\]")
"""What stands behind a command: a comment, a remark in its own column, a pipe, or where the output goes."""

SPENT = re.compile(r"\d[\d,]* nodes in [\d.]+ s|\"seconds\": ?[\d.]+|\[[\d.]+ s\]|1 or more[ \d.]+|\d+ KB")
"""What depends on the time that there was, and on the page."""
CHEAP = ("tools rules", "tools solve", "tools analyse --human", "tools review")
"""Commands that answer in seconds and else always the same."""

LARGE = {"cluster", "experiments", "lab", "live", "train", "training"}
"""Commands that `make test` leaves out: their tests are whole, too."""


class Example(NamedTuple):
    page: str
    number: int
    """The line."""
    name: str
    """The module."""
    words: tuple[str, ...]


def blocks(page: Path) -> Iterator[tuple[int, str]]:
    """Yields the lines of code of a page, continued lines as one."""
    fenced = False
    lines = enumerate(page.read_text("utf-8").splitlines(), 1)
    for number, line in lines:
        fenced ^= line.startswith("```")
        if fenced or line.startswith("    "):
            while line.endswith("\\"):
                line = line[:-1] + next(lines)[1].strip()
            yield number, line


def examples() -> Iterator[Example]:
    for page in PAGES:
        for number, line in blocks(page):
            found = COMMAND.search(line)
            if found:
                words = tuple(shlex.split(REMARK.sub("", OPTIONAL.sub(r"\1", quoted(found[2])))))
                yield Example(page.relative_to(ROOT).as_posix(), number, found[1], tuple(map(unquoted, words)))


_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def quoted(text: str) -> str:
    """Hides what stands in quotes from the search for remarks."""
    hidden = str.maketrans(" #|>", "\x01\x02\x03\x04")
    return _QUOTED.sub(lambda match: match[0].translate(hidden), text)


def unquoted(word: str) -> str:
    return word.translate(str.maketrans("\x01\x02\x03\x04", " #|>"))


ALL = list(examples())


def command_of(name: str) -> click.Command:
    """Gets the command that a module runs, without running it."""
    spec = find_spec(f"{name}.__main__") if find_spec(name).submodule_search_locations else None  # type: ignore[union-attr]
    module = import_module(f"{name}.__main__" if spec else name)
    found = [value for key in ("command", "main") if isinstance(value := getattr(module, key, None), click.Command)]
    return found[0]


def parse(command: click.Command, name: str, words: list[str]) -> None:
    """Reads the words as the command would, down to the command of a group, and does nothing."""
    if (words and words[-1] == "...") or "--help" in words:
        words = [word for word in words if word not in ("...", "--help")]
        assert set(words) <= {option for parameter in command.params for option in parameter.opts} or not words
        return
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        _, inner, rest = command.resolve_command(context, words)
        assert inner is not None
        parse(inner, name, rest)
        return
    command.make_context(name, list(words))


def test_there_are_examples_of_most_commands() -> None:
    assert len(ALL) > 80
    names = {example.words[0] for example in ALL if example.name == "tools"}
    assert {"match", "games", "review", "analyse", "view", "play"} <= names


def python_after(page: str, heading: str) -> str:
    """Gets the first block of Python below a heading."""
    _, _, below = (ROOT / page).read_text("utf-8").partition(heading)
    return below.partition("```python\n")[2].partition("```")[0]


def is_whole(example: Example) -> bool:
    """Tests whether the command is one of those, by its module or its name."""
    return bool({*example.name.split(".")[1:2], *example.words[:1]} & LARGE)


@pytest.mark.parametrize(
    "example",
    [pytest.param(one, marks=[pytest.mark.whole] * is_whole(one)) for one in ALL],
    ids=[f"{one.page}:{one.number}" for one in ALL],
)
def test_every_example_is_a_command_with_its_options(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = command_of(example.name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.py").write_text(python_after("docs/reference/rules.md", "## A rule set of your own"))
    # The files of an example need not be there.
    for kind in (click.Path, click.File):
        monkeypatch.setattr(kind, "convert", lambda self, value, *_: Path(value))
    try:
        parse(command, example.name, list(example.words))
    except click.ClickException as error:
        pytest.fail(f"{example.page}:{example.number}: {shlex.join(example.words)}: {error.format_message()}")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--no-such-option"], "No such option"),
        (["a.ddzn", "--set", "many"], "neither a number such as 17"),
        (["a.ddzn", "--fault", "north"], "is not one of"),
        ([], "Missing argument"),
    ],
)
def test_a_wrong_example_is_found(words: list[str], sentence: str) -> None:
    with pytest.raises(click.ClickException) as refused:
        parse(command_of("tools.arena.games"), "tools.arena.games", words)
    assert sentence in refused.value.format_message()


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
    found = COMMAND.search(line)
    assert found
    done = CliRunner().invoke(command_of(found[1]), shlex.split(found[2]), catch_exceptions=False)
    said = " ".join(SPENT.sub("SPENT", done.stdout.replace(call_of(), "python -m tools")).split())
    parts = [" ".join(part.split()) for part in SPENT.sub("SPENT", "\n".join(output)).split("...")]
    assert all(part in said for part in parts), (page, number, done.output)


def test_the_list_of_commands_runs() -> None:
    done = subprocess.run([sys.executable, "-m", "tools"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    missing = {example.name for example in ALL} - set(re.findall(r"python -m (\S+)", done.stdout)) - {"tools"}
    assert missing == set()
