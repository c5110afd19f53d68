"""Pages in Chinese say what their English twins say: the same sections, tables, code, names, numbers and links."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.test_doc_examples import blocks
from tests.test_docs import LINK, name_of, prose

CHINESE = ".zh.md"
PAGES = sorted([*ROOT.glob(f"*{CHINESE}"), *(ROOT / "docs").rglob(f"*{CHINESE}")])

REMARK = re.compile(r"\s+#\s.*")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
HAN = re.compile(r"[\u3400-\u9fff]")


def english(page: Path) -> Path:
    """Gets the twin of a page in Chinese."""
    return page.with_name(page.name.replace(CHINESE, ".md"))


def headings(page: Path) -> list[int]:
    return [len(found) for found in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]


def code(page: Path) -> list[str]:
    """Lists the lines of code without remarks, which are in the language of the page."""
    return [REMARK.sub("", line) for _, line in blocks(page)]


def rows(page: Path) -> list[int]:
    """Lists the number of columns of each line of each table."""
    return [line.count("|") for line in page.read_text("utf-8").splitlines() if line.startswith("|")]


def text(page: Path) -> str:
    """The page without code, where links and pictures lead to, and the switch of the language."""
    lines = [line for line in prose(page).splitlines() if not line.startswith("    ") and "中文" not in line]
    return re.sub(r"\]\([^)]*\)", "]", "\n".join(lines))


def names(page: Path) -> set[str]:
    """What stands between backticks: options, files, values."""
    return set(re.findall(r"`[^`]+`", text(page)))


def numbers(page: Path) -> Counter[str]:
    return Counter(NUMBER.findall(text(page)))


def links(page: Path) -> set[str]:
    """Where the links of a page lead, whatever the language."""
    return {(groups[0] or groups[1]).replace(CHINESE, ".md") for groups in LINK.findall(prose(page))}


def test_readme_start_page_and_submitting_are_in_chinese() -> None:
    assert {name_of(english(page)) for page in PAGES} >= {"README.md", "docs/README.md", "docs/guide/submit.md"}
    for page in PAGES:
        assert len(HAN.findall(page.read_text("utf-8"))) > 400


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_and_its_twin_lead_to_each_other_at_once(page: Path) -> None:
    assert page.read_text("utf-8").splitlines()[2] == f"[English]({english(page).name}) · 中文"
    assert english(page).read_text("utf-8").splitlines()[2] == f"English · [中文]({page.name})"


@pytest.mark.parametrize("part", [headings, code, rows, names, numbers, links], ids=lambda part: part.__name__)
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_and_its_twin_have_the_same(page: Path, part: object) -> None:
    assert callable(part)
    assert part(page) == part(english(page))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_of_a_page_in_chinese_prefer_pages_in_chinese(page: Path) -> None:
    linked = [link for groups in LINK.findall(prose(page)) if (link := groups[0] or groups[1]).endswith(".md")]
    better = [link for link in linked if (page.parent / link).with_suffix(CHINESE).exists()]
    assert better == [english(page).name]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_paragraph_in_chinese_is_one_line(page: Path) -> None:
    # A line break would show as a blank between two characters.
    assert re.findall(r"[^|\n ]\n(?![ #|!\n-])[^\n]", prose(page)) == []


def test_a_page_that_drifted_is_found(tmp_path: Path) -> None:
    one, other = tmp_path / "a.md", tmp_path / "a.zh.md"
    one.write_text("# A\n\nIt takes 0.2 s, 1,000 sets with `x` ([b](b.md)).\n\n    make x   # does\n\n| a | b |\n")
    other.write_text("# 一\n\n要 0.3 秒，1,000 组，用 `y`（[乙](c.md)）。\n\n## 二\n\n    make y   # 做\n\n| 甲 |\n")
    for part in (headings, code, rows, names, numbers, links):
        assert part(one) != part(other), part.__name__
