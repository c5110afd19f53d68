"""Pages in Chinese have the sections, code, names, numbers and links of the English ones."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.test_doc_examples import blocks_of
from tests.test_docs import LINK, name_of, prose, sections

CHINESE = ".zh.md"
PAGES = sorted([*ROOT.glob(f"*{CHINESE}"), *(ROOT / "docs").rglob(f"*{CHINESE}")])

REMARK = re.compile(r"\s+#\s.*")
LINK_WITH_MARK = re.compile(r"\[([^\[\]]*)\]\(([^)\s]+(?<!\.zh)\.(?:md|rst)(?:#[^)\s]+)?)\)(（英文）)?")
"""A link to an English page, and what has to stand behind it."""
SWITCH = ("English ·", "[English]")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


def english(page: Path) -> Path:
    """Gets the English page of a page in Chinese."""
    return page.with_name(page.name.replace(CHINESE, ".md"))


def headings(page: Path) -> list[int]:
    return [len(found) for found in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]


def code(page: Path) -> list[str]:
    """Lists the lines of code without remarks and what commands print, which are in the language of the page."""
    lines: list[str] = []
    for block in blocks_of(page):
        typed = [line for _, line in block if line.startswith("    $ ")] or [line for _, line in block]
        lines += [REMARK.sub("", line) for line in typed]
    return lines


def text(page: Path) -> str:
    """Gets the page without code, targets of links, and the switch of the language."""
    lines = [line for line in prose(page).splitlines() if not line.startswith(("    ", *SWITCH))]
    return re.sub(r"\]\([^)]*\)", "]", "\n".join(lines))


def names(page: Path) -> set[str]:
    """Lists what stands between backticks: options, files, values. English lines may break within."""
    return {" ".join(name.split()) for name in re.findall(r"`[^`]+`", text(page))}


def numbers(page: Path) -> Counter[str]:
    return Counter(NUMBER.findall(text(page)))


def links(page: Path) -> set[str]:
    """Lists where the links of a page lead, whatever the language."""
    return {in_english(page, groups[0] or groups[1]) for groups in LINK.findall(prose(page))}


def in_english(page: Path, link: str) -> str:
    """Gets the link to the English page, and to the heading there that stands in the same place."""
    path, _, heading = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if heading and target.name.endswith(CHINESE):
        heading = list(sections(english(target)))[list(sections(target)).index(heading)]
    return f"{path.replace(CHINESE, '.md')}#{heading}"


def badly_linked(page: Path) -> list[str]:
    """Lists the links of a page in Chinese that leave the language: needlessly, or without saying so."""
    found = []
    for label, link, mark in LINK_WITH_MARK.findall(prose(page)):
        target = page.parent / link.partition("#")[0]
        has_chinese = target.with_name(target.stem + CHINESE).exists()
        if label != "English" and not link.startswith("https:") and (has_chinese or not mark):
            found.append(link)
    return found


@pytest.mark.parametrize("part", [headings, code, names, numbers, links], ids=lambda part: part.__name__)
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_in_chinese_has_the_same(page: Path, part: Callable[[Path], object]) -> None:
    assert part(page) == part(english(page))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_in_chinese_leads_to_pages_in_chinese_and_marks_the_others(page: Path) -> None:
    assert badly_linked(page) == []


def test_a_link_that_leaves_the_language_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.zh.md"
    (tmp_path / "both.zh.md").write_text("# 二\n")
    lines = "[English](page.md) [a](both.zh.md#二) [b](both.md)（英文） [c](one.md#two)（英文） [d](one.md#three)"
    page.write_text(f"# 一\n{lines}\n", "utf-8")
    assert badly_linked(page) == ["both.md", "one.md#three"]


def test_the_pages_of_a_beginner_are_in_chinese() -> None:
    assert {name_of(english(page)) for page in PAGES} >= {
        "README.md",
        "docs/README.md",
        "docs/guide/first-bot.md",
        "docs/guide/install.md",
        "docs/guide/match.md",
        "docs/guide/submit.md",
        "docs/reference/rules.md",
    }
