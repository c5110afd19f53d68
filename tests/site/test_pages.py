"""Which file becomes which page, the navigation, and how the search splits texts."""

import pytest

from tests.support import ROOT
from tools.release.site.pages import HOME, Group, groups, page_of
from tools.release.site.search import SearchBoth

pytestmark = pytest.mark.whole


@pytest.mark.parametrize(
    ("file", "page"),
    [
        (f"{HOME}/README", "index"),
        (f"{HOME}/guide/submit", "guide/submit"),
        (f"{HOME}/lab/README", "lab/index"),
        ("README.zh", "overview.zh"),
        ("tests/data/records/README", "tests/data/records/index"),
    ],
)
def test_a_file_becomes_a_page(file: str, page: str) -> None:
    assert page_of(file) == page


def test_the_navigation_is_made_of_the_links_to_whole_pages_in_their_order() -> None:
    text = (
        "# Start\n[Over\nview](../README.md) [中文](README.zh.md)\n"
        "## Guide\n[B](guide/b.md) [A `x`](guide/a.md#part) [A `y`](guide/a.md) [out](https://e.org/c.md)\n"
        "## Reference\n[again](guide/b.md) [picture](pictures/p.png) [M](reference/modules/README.rst)\n"
    )
    assert list(groups(text)) == [
        Group("", (("Over view", "overview"),)),
        Group("Guide", (("B", "guide/b"), ("A y", "guide/a"))),
        Group("Reference", (("M", "reference/modules/index"),)),
    ]


def test_the_start_page_leads_to_guide_reference_design_and_laboratory() -> None:
    found = {group.caption: group.pages for group in groups((ROOT / "docs" / "README.md").read_text("utf-8"))}
    assert list(found)[1:5] == ["Guide", "Reference", "Design", "Laboratory"]
    assert ("Submit a bot", "guide/submit") in found["Guide"]


def test_chinese_is_split_into_characters_and_neighbours_and_english_into_words() -> None:
    search = SearchBoth({})
    assert search.split("在Botzone上叫分, kicker_2 A") == [*"在", "Botzone", *"上叫分", "上叫", "叫分", "kicker_2", "A"]
    assert search.stem("kickers") == search.stem("kicker")
    assert search.stem("叫分") == "叫分"
