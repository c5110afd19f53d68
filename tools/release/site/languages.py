"""The switch between English and Chinese, and the words around a page in Chinese."""

from gettext import NullTranslations
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from .pages import CHINESE, START

WORDS = {
    "Search": "搜索",
    "On this page": "本页内容",
    "Next": "下一页",
    "Previous": "上一页",
    "Home": "首页",
    "Back to top": "回到顶部",
    "Skip to content": "跳到正文",
    "Toggle site navigation sidebar": "打开或关闭导航",
    "Toggle table of contents sidebar": "打开或关闭本页内容",
    "Toggle Light / Dark / Auto color theme": "切换浅色、深色或自动主题",
}
"""What the theme says, in Chinese."""


class _Chinese(NullTranslations):
    """Says what it can in Chinese, and the rest in English."""

    def gettext(self, message: str) -> str:
        return WORDS.get(message, message)


def twin_of(page: str) -> str:
    """Names the page that says the same in the other language."""
    return page.removesuffix(CHINESE) if page.endswith(CHINESE) else page + CHINESE


def add_languages(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """
    Gives each page its switch: to the same page in the other language, or to the start page where there is none.

    A page in Chinese also gets the theme in Chinese.
    """
    chinese = page.endswith(CHINESE)
    twin = twin_of(page)
    context["other_language"] = twin if twin in app.env.all_docs else START + ("" if chinese else CHINESE)
    context["in_chinese"] = chinese
    if chinese:
        context["language"] = "zh-CN"
        context["_"] = context["gettext"] = _Chinese().gettext
