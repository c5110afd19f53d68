"""
Which file becomes which page, and where it stands in the navigation.

The files stay where a code host shows them. The site drops ``docs/`` and calls each README the index of its folder. Its
navigation is made of the links on the start page, in their order, so that no second list has to be kept. A page that no
such link leads to is a warning of Sphinx.
"""

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sphinx.application import Sphinx
from sphinx.project import Project

HOME = "docs"
"""The folder of pages; the site leaves its name out."""

START = "index"
"""The page that ``docs/README.md`` becomes."""

CHINESE = ".zh"
"""What stands behind the name of a page in Chinese: ``guide/submit.zh`` is ``guide/submit`` in Chinese."""

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s#:]+)\.(?:md|rst)\)")


class Group(NamedTuple):
    """A part of the navigation."""

    caption: str
    """Its heading; empty for what stands above the first one."""
    pages: tuple[tuple[str, str], ...]
    """The text of each link, and the name of its page."""


class SitePages(Project):
    """The pages of the site by their names."""

    def path2doc(self, filename: str | os.PathLike[str]) -> str | None:
        """Names the page that a file becomes; None if it becomes none."""
        page = super().path2doc(filename)
        return page and page_of(page)


def page_of(file: str) -> str:
    """
    Names the page of a file in the project's folder, without its suffix.

    For example, the README of the laboratory becomes ``lab/index``, and that of the project ``overview``.
    """
    folder, base = posixpath.split(file)
    if base.removesuffix(CHINESE) == "README":
        base = base.replace("README", "index" if folder else "overview")
    return posixpath.join(folder, base).removeprefix(f"{HOME}/")


def groups(text: str, home: str = HOME) -> Iterator[Group]:
    """
    Yields the groups of a start page in the folder *home*: what stands above the first section, then each section.

    A page counts where it is linked first. Links to a part of a page do not count, nor do those to pages in Chinese.
    """
    seen: set[str] = set()
    parts = _SECTION.split(text)
    for caption, section in zip(["", *parts[1::2]], parts[::2], strict=True):
        new = [
            (label, page) for label, page in _links(section, home) if page not in seen and not page.endswith(CHINESE)
        ]
        yield Group(caption, tuple(new))
        seen.update(page for _, page in new)


def _links(text: str, home: str) -> Iterator[tuple[str, str]]:
    """Yields the text of each link to a whole page, and that page, once."""
    seen: set[str] = set()
    for label, link in _LINK.findall(text):
        page = page_of(posixpath.normpath(posixpath.join(home, link)))
        if page not in seen:
            seen.add(page)
            yield " ".join(label.replace("`", "").split()), page


def name_pages(app: Sphinx) -> None:
    """Has Sphinx use these names."""
    app.project = app.env.project = SitePages(app.srcdir, app.config.source_suffix)


def add_navigation(app: Sphinx, page: str, source: list[str]) -> None:
    """Adds what a code host need not see: the navigation to the start page, its own pages to the index of a folder."""
    if page == START:
        top, *others = groups(source[0])
        source[0] += "".join(map(_toctree, [top, _in_chinese(Path(app.srcdir, HOME)), *others]))
    elif posixpath.basename(page) == START and app.env.doc2path(page).suffix == ".md":
        folder = posixpath.dirname(page)
        inside = [
            (label, target) for label, target in _links(source[0], f"{HOME}/{folder}") if target.startswith(folder)
        ]
        source[0] += _toctree(Group("", tuple(inside)))


def _in_chinese(home: Path) -> Group:
    """Makes the group of the pages in Chinese, which the Chinese start page links."""
    links = _links((home / f"README{CHINESE}.md").read_text("utf-8"), HOME)
    return Group("中文", (("首页", START + CHINESE), *(link for link in links if link[1].endswith(CHINESE))))


def _toctree(group: Group) -> str:
    """Writes a group as Sphinx reads it; none without pages."""
    entries = "\n".join(f"{label} </{page}>" for label, page in group.pages)
    caption = f":caption: {group.caption}\n" if group.caption else ""
    return f"\n\n```{{toctree}}\n:hidden:\n{caption}\n{entries}\n```\n" if entries else ""
