"""Which file becomes which page, the navigation, names in docstrings, colours of code, and how texts are split."""

import pytest
from pygments.token import Comment, String, Text

from tests.support import ROOT
from tools.release.site.code import CommandLexer, language_of
from tools.release.site.languages import twin_of
from tools.release.site.pages import HOME, Group, groups, page_of
from tools.release.site.references import home_of
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


def test_a_page_has_a_twin_in_the_other_language() -> None:
    assert twin_of("guide/submit") == "guide/submit.zh"
    assert twin_of("guide/submit.zh") == "guide/submit"


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


@pytest.mark.parametrize(
    ("name", "module", "within", "home"),
    [
        ("Move", "ddzbot.game", "", "ddzbot.moves.Move"),
        ("size", "ddzbot.moves", "Move", "ddzbot.moves.Move.size"),
        ("random.Random", "ddzbot.game", "", "random.Random"),
        ("int", "ddzbot.game", "", "builtins.int"),
        ("NoSuchThing", "ddzbot.game", "", None),
        ("ddzbot.no_such_module", "", "", None),
        ("ddzbot.game.no_such_thing", "ddzbot.view", "", None),
    ],
)
def test_a_name_in_a_docstring_is_followed_home(name: str, module: str, within: str, home: str | None) -> None:
    assert home_of(name, module, within) == home


def test_a_name_for_the_eyes_of_a_type_checker_alone_is_followed_too() -> None:
    assert home_of("KernelWorlds", "ddzbot.belief.worlds") == "ddzbot.kernel.worlds.KernelWorlds"


@pytest.mark.parametrize(
    ("block", "language"),
    [
        ("$ python -m tools rules classify 33\npair", "console"),
        ("make zip   # the file", "commands"),
        (".venv/bin/python -m tools solve 33 4", "commands"),
        ("from ddzbot.api import choose", "python"),
        ("makes nothing", "text"),
    ],
)
def test_a_block_of_code_is_told_by_its_first_word(block: str, language: str) -> None:
    assert language_of(block) == language


def test_remarks_and_quotes_of_commands_are_set_apart() -> None:
    line = """make x BOT="a b#c" it's y#z 'q'  # do "it" """
    kinds = [(kind, text) for kind, text in CommandLexer().get_tokens(line) if kind is not Text]
    assert kinds == [(String, '"a b#c"'), (String, "'q'"), (Comment, '# do "it" ')]
    assert "".join(text for _, text in CommandLexer().get_tokens(line)) == line + "\n"


def test_chinese_is_split_into_characters_and_neighbours_and_english_into_words() -> None:
    search = SearchBoth({})
    assert search.split("在Botzone上叫分, kicker_2 A") == [*"在", "Botzone", *"上叫分", "上叫", "叫分", "kicker_2", "A"]
    assert search.stem("kickers") == search.stem("kicker")
    assert search.stem("叫分") == "叫分"
