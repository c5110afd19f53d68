"""
Checks the links inside a built site: every page, picture, style, script and anchor that a page names must be there.

Links to other sites are not followed. What a page loads from elsewhere is a fault too, since the site is to work
without a network.
"""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_LOADING = {"script", "img", "source", "iframe", "video", "audio"}
"""Elements whose address is fetched when the page is shown; others but ``link`` wait for a click."""

_NOT_SHOWN = {"canonical", "next", "prev", "search", "index", "author", "copyright"}
"""What a ``link`` may say that fetches nothing."""

_IN_STYLE = re.compile(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)")


class Page(NamedTuple):
    """What the links of a page and to a page depend on."""

    anchors: frozenset[str]
    links: tuple[tuple[str, bool], ...]
    """Each address, and whether showing the page fetches it."""


class Fault(NamedTuple):
    """A link that leads nowhere."""

    page: str
    link: str
    problem: str

    def __str__(self) -> str:
        return f"{self.page}: {self.link}: {self.problem}"


class PageLinks(NamedTuple):
    """What a check came to."""

    pages: int
    links: int
    """Inside the site; each is counted as often as pages name it."""
    faults: tuple[Fault, ...]


class _Reader(HTMLParser):
    """Collects anchors and addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(filter(None, (values.get("id"), values.get("name") if tag == "a" else None)))
        fetched = tag in _LOADING or (tag == "link" and values.get("rel") not in _NOT_SHOWN)
        self.links += [(values[name], fetched) for name in ("href", "src", "action", "poster") if name in values]


def read_page(html: str) -> Page:
    """Reads a page."""
    reader = _Reader()
    reader.feed(html)
    return Page(frozenset(reader.anchors), tuple(reader.links))


def check(folder: Path) -> PageLinks:
    """Checks the site in *folder*."""
    pages = {path.relative_to(folder).as_posix(): read_page(path.read_text("utf-8")) for path in folder.rglob("*.html")}
    styles = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.css")}
    links = 0
    faults = []
    for name, link, fetched in _addresses(pages, styles):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            if fetched and parts.scheme != "data":
                faults.append(Fault(name, link, "this is fetched from elsewhere"))
            continue
        links += 1
        problem = _problem(folder, pages, name, unquote(parts.path), unquote(parts.fragment))
        if problem:
            faults.append(Fault(name, link, problem))
    return PageLinks(len(pages), links, tuple(faults))


def _addresses(pages: Mapping[str, Page], styles: Mapping[str, str]) -> Iterator[tuple[str, str, bool]]:
    """Yields (file, address, whether it is fetched)."""
    for name, page in sorted(pages.items()):
        yield from ((name, *link) for link in page.links)
    for name, style in sorted(styles.items()):
        yield from ((name, one or other, True) for one, other in _IN_STYLE.findall(style))


def _problem(folder: Path, pages: Mapping[str, Page], name: str, path: str, anchor: str) -> str | None:
    """Says what is wrong with a link of the file *name*; None if nothing is."""
    home = folder.resolve()
    target = (home / name).parent.joinpath(path).resolve() if path else home / name
    if not target.is_relative_to(home):
        return "this leads out of the site"
    if not target.is_file():
        return "there is no such file"
    found = pages.get(target.relative_to(home).as_posix())
    if anchor and found and anchor not in found.anchors:
        return f"the page has no anchor {anchor!r}"
    return None
