"""Pages in Chinese have the sections, code, names, numbers and links of the English ones."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.test_doc_examples import blocks
from tests.test_docs import LINK, name_of, prose

CHINESE = ".zh.md"
PAGES = sorted([*ROOT.glob(f"*{CHINESE}"), *(ROOT / "docs").rglob(f"*{CHINESE}")])

REMARK = re.compile(r"\s+#\s.*")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


def english(page: Path) -> Path:
    """Gets the English page of a page in Chinese."""
    return page.with_name(page.name.replace(CHINESE, ".md"))


def headings(page: Path) -> list[int]:
    return [len(found) for found in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]


def code(page: Path) -> list[str]:
    """Lists the lines of code without remarks, which are in the language of the page."""
    return [REMARK.sub("", line) for _, line in blocks(page)]


def text(page: Path) -> str:
    """Gets the page without code, targets of links, and the switch of the language."""
    lines = [line for line in prose(page).splitlines() if not line.startswith("    ") and "中文" not in line]
    return re.sub(r"\]\([^)]*\)", "]", "\n".join(lines))


def names(page: Path) -> set[str]:
    """Lists what stands between backticks: options, files, values."""
    return set(re.findall(r"`[^`]+`", text(page)))


def numbers(page: Path) -> Counter[str]:
    return Counter(NUMBER.findall(text(page)))


def links(page: Path) -> set[str]:
    """Lists where the links of a page lead, whatever the language."""
    return {(groups[0] or groups[1]).replace(CHINESE, ".md") for groups in LINK.findall(prose(page))}


@pytest.mark.parametrize("part", [headings, code, names, numbers, links], ids=lambda part: part.__name__)
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_in_chinese_has_the_same(page: Path, part: Callable[[Path], object]) -> None:
    assert part(page) == part(english(page))


def test_readme_start_page_and_submitting_are_in_chinese() -> None:
    assert {name_of(english(page)) for page in PAGES} >= {"README.md", "docs/README.md", "docs/guide/submit.md"}
