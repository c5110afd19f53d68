"""The extension of Sphinx that docs/site/conf.py names: it connects what stands in the other modules."""

from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from .code import CommandLexer, name_language
from .languages import add_languages
from .pages import add_navigation, name_pages
from .references import find_reference, without_noise
from .search import SearchBoth

_OUR_FORMATS = ("ddzn", "position", "view")
"""What pages call the language of records and positions; nothing colours them."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Connects everything; Sphinx calls it."""
    for name in _OUR_FORMATS:
        app.add_lexer(name, TextLexer)
    app.add_lexer("commands", CommandLexer)
    app.add_search_language(SearchBoth)
    app.connect("builder-inited", name_pages)
    app.connect("source-read", add_navigation)
    app.connect("autodoc-process-docstring", without_noise)
    app.connect("doctree-read", name_language)
    app.connect("missing-reference", find_reference)
    app.connect("html-page-context", add_languages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
