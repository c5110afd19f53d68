"""The pages: every link leads somewhere, and every path and command that a text names exists."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import ROOT

FOLDERS = ("docs/guide", "docs/reference", "docs/design", "docs/lab", "docs")
PAGES = sorted({page for folder in FOLDERS for page in (ROOT / folder).glob("*.md")} | set(ROOT.glob("*.md")))
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
DOCS_PATH = re.compile(r"\bdocs/[\w./-]*\w")
COMMAND = re.compile(r"python3? -m (tools(?:\.\w+)*|tests\.\w+)")
TARGET = re.compile(r"(?:`|^    )make ([a-z][a-z-]*)", re.MULTILINE)
INDEXES = ("README.md", "README.zh.md", "lab/README.md")
ARE_NONE = {"docs/manifest.json"}
"""What a test looks for in vain."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks, in which brackets may be code."""
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The names by which headings can be linked, made as the usual viewers make them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def broken_links(page: Path) -> list[str]:
    """Lists the relative links of a page that lead nowhere, to a missing heading too."""
    broken = []
    for groups in LINK.findall(prose(page)):
        link = groups[0] or groups[1]
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (heading and heading not in anchors(target)):
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '# One `x`, two\n[a](page.md#one-x-two) [b](#none) [c](gone.md) [d](https://e.org)\n<img src="f.png">\n'
    )
    assert broken_links(page) == ["#none", "gone.md", "f.png"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_and_path_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [name for name in set(COMMAND.findall(text)) if find_spec(name) is None] == []
    assert [path for path in set(DOCS_PATH.findall(text)) if not (ROOT / path).exists()] == []
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(TARGET.findall(text)) <= targets


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
