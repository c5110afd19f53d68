"""The pages of tables as text, and the styles and scripts that they name."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ...shared.words import words_script

PAGES = Path(__file__).parent / "pages"
SHARED = Path(__file__).parents[2] / "study" / "view"
STATIC = {
    "cards.css": (SHARED, "text/css"),
    "replay.css": (SHARED, "text/css"),
    "words.js": (SHARED, "text/javascript"),
    "cards.js": (SHARED, "text/javascript"),
    "serve.css": (PAGES, "text/css"),
    "gone.js": (PAGES, "text/javascript"),
    "link.js": (PAGES, "text/javascript"),
    "start.js": (PAGES, "text/javascript"),
    "panels.js": (PAGES, "text/javascript"),
    "live.js": (PAGES, "text/javascript"),
    "endgame.js": (PAGES, "text/javascript"),
}
"""Where each file is, and what it is."""


def static_text(file: str, *sections: str) -> str:
    """Gets a style or script; with ``words.js`` come the words of these pages, and those of *sections*."""
    text = (STATIC[file][0] / file).read_text("utf-8")
    return text + words_script("pages", "serve", *sections) if file == "words.js" else text


def page_text(template: str, static: str, home: str, *folders: Path, **values: Any) -> str:
    """
    Makes a page of *template*, a file of the server's pages or of *folders*.

    *static* stands before the names of styles and scripts, and *home* is the address of the start page.
    """
    loader = FileSystemLoader([PAGES, SHARED, *folders])
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return pages.get_template(template).render(static=static, home=home, **values)
