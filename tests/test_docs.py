"""The pages: every link leads somewhere, and every path and command that a text names exists."""

import builtins
import doctest
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import ROOT

FOLDERS = ("", "docs", "docs/*", "results", "results/*", "tests", "tests/data/*")
PAGES = sorted({page for folder in FOLDERS for page in ROOT.glob(f"{folder}/*.md".lstrip("/"))})
TEXTS = {".py", ".c", ".h", ".js", ".html", ".toml", ".txt", ".md", ".yml"}
CODE = [
    *(ROOT / name for name in ("Makefile", "pyproject.toml", "bot.py")),
    *(
        path
        for folder in ("ddzbot", "tools", "tests", "results", ".github")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in TEXTS and path.is_file()
    ),
]

LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
FIGURES_OF_A_LINK = re.compile(r"\[(?P<figures>[^\]]*\d[^\]]*)\]\((?P<target>[^)\s:]+)\)")
DOCS_PATH = re.compile(r"\bdocs/[\w./-]*\w")
COMMAND = re.compile(r"python3? -m (tools(?:\.\w+)*|tests\.\w+)")
TARGET = re.compile(r"(?:`|^    )make ([a-z][a-z-]*)", re.MULTILINE)
CALLED = re.compile(r"\b([A-Za-z_]\w+)\(")
DEFINED = re.compile(r"(?:\bdef|\bclass|\bfunction|\bconst|\blet|[\w*]\s)\s*\*?(\w+)\s*[(=:]")
INDEXES = ("README.md", "README.zh.md", "lab/README.md")
ARE_NONE = {"docs/manifest.json"}
"""What a test looks for in vain."""
ARE_OTHERS = {*dir(builtins), "floor", "randbits"}
"""Functions of mathematics and of Python."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks, in which brackets may be code."""
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


@cache
def sections(page: Path) -> dict[str, str]:
    """The text under each heading, by the name that links to it, made as the usual viewers make it."""
    _, *parts = re.split(r"^#+ (.+)$", prose(page), flags=re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in parts[::2]]
    names = [re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain]
    return dict(zip(names, parts[1::2], strict=True))


def broken_links(page: Path) -> list[str]:
    """Lists the relative links of a page that lead nowhere, to a missing heading too."""
    broken = []
    for groups in LINK.findall(prose(page)):
        link = groups[0] or groups[1]
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (heading and heading not in sections(target)):
            broken.append(link)
    return broken


def test_every_link_of_a_page_leads_somewhere() -> None:
    assert {name_of(page): broken for page in PAGES if (broken := broken_links(page))} == {}


def lines_of_code(page: Path) -> list[str]:
    """Lists what stands between backquotes, or is indented as code is; fenced examples run in other tests."""
    return [first or second for first, second in re.findall(r"`([^`\n]+)`|^    (.*)$", prose(page), re.MULTILINE)]


def test_every_function_that_a_page_calls_is_there() -> None:
    sources = [*CODE, *(ROOT / "docs" / "examples").rglob("*.py")]
    known = {name for path in sources for name in DEFINED.findall(path.read_text("utf-8"))} | ARE_OTHERS
    called = {(name_of(page), name) for page in PAGES for line in lines_of_code(page) for name in CALLED.findall(line)}
    assert len(called) > 30
    assert {(page, name) for page, name in called if name not in known} == set()


def numbers(text: str) -> set[str]:
    return set(re.findall(r"(?<!\w)(?:\d[\d,]*)?\.?\d+", text))


def figures_without_a_source(page: Path, linked: re.Pattern[str]) -> set[str]:
    """Lists the numbers beside the links of a page that do not stand where the link leads."""
    missing = set()
    for found in linked.finditer(page.read_text("utf-8")):
        path, _, heading = found["target"].partition("#")
        file = page.parent / path
        missing |= numbers(found["figures"]) - numbers(sections(file)[heading] if heading else file.read_text("utf-8"))
    return missing


@pytest.mark.parametrize(
    ("page", "linked"),
    [
        *(
            (f"docs/lab/{page}.md", FIGURES_OF_A_LINK)
            for page in ("sources", "results", "mcm", "experiments", "learners")
        ),
        ("README.md", FIGURES_OF_A_LINK),
        ("README.zh.md", FIGURES_OF_A_LINK),
    ],
)
def test_each_figure_of_a_link_stands_where_the_link_leads(page: str, linked: re.Pattern[str]) -> None:
    assert len(linked.findall((ROOT / page).read_text("utf-8"))) >= 3
    assert figures_without_a_source(ROOT / page, linked) == set()


def test_a_figure_that_does_not_stand_where_its_link_leads_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n[1.5, 2,000, 3](page.md#two) [4](page.md#two)\n## Two\n1.5 2,000 13\n")
    assert figures_without_a_source(page, FIGURES_OF_A_LINK) == {"3", "4"}


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '# One `x`, two\n[a](page.md#one-x-two) [b](#none) [c](gone.md) [d](https://e.org)\n<img src="f.png">\n'
    )
    assert broken_links(page) == ["#none", "gone.md", "f.png"]


def test_every_command_and_path_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        text = page.read_text("utf-8")
        assert [name for name in set(COMMAND.findall(text)) if find_spec(name) is None] == [], page
        assert [path for path in set(DOCS_PATH.findall(text)) if not (ROOT / path).exists()] == [], page
        assert set(TARGET.findall(text)) <= targets, page


def test_every_path_into_docs_that_code_names_exists() -> None:
    named = {(name_of(path), found) for path in CODE for found in DOCS_PATH.findall(path.read_text("utf-8"))}
    assert len(named) > 30
    missing = {(file, path) for file, path in named if not (ROOT / path).exists() and path not in ARE_NONE}
    assert missing == set()


def test_the_index_names_every_page() -> None:
    index = "".join((ROOT / "docs" / name).read_text("utf-8") for name in INDEXES)
    names = [page for page in PAGES if page.parent.name in {"guide", "reference", "design", "lab"}]
    assert [name_of(page) for page in names if f"{page.name})" not in index and page.name != "README.md"] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "design").glob("*.md")), ids=name_of)
def test_a_page_on_design_stays_short(page: Path) -> None:
    assert len(page.read_text("utf-8").splitlines()) <= 150


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("page", ["README.md", "README.zh.md"])
def test_the_python_of_the_overview_prints_what_stands_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    examples = doctest.DocTestParser().get_doctest(re.sub(r"^```.*", "", text, flags=re.MULTILINE), {}, page, None, 0)
    assert len(examples.examples) >= 5
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_programs_of_the_interface_run_as_they_stand_there() -> None:
    text = (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")
    games = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "from ddzbot.api" in block]
    for block in games[:3]:
        exec(block, {})
