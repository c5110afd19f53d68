"""The extension of Sphinx that docs/site/conf.py names: it connects pages, search and the references of docstrings."""

import re
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from .pages import CHINESE, add_navigation, name_pages
from .search import SearchBoth

_OUR_FORMATS = ("ddzn", "position", "view")
"""What pages call the language of records and positions; nothing colours them."""
_NOISE = re.compile(r"Alias for field number \d+")
"""Python's own docstring of a field of a named tuple."""


def without_noise(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Takes away what is no docstring of ours."""
    if lines and _NOISE.fullmatch(lines[0]):
        lines.clear()


def find_reference(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.TextElement
) -> nodes.Element | None:
    """Links a name that its module imports: the one of that name on the site. Any other name stays code."""
    domain = env.domains.python_domain
    if node.get("refdomain") != "py":
        return None
    matches = domain.find_obj(env, "", "", node["reftarget"], node["reftype"], searchmode=1)
    if len(matches) != 1:
        return shown
    ((label, target),) = matches
    return make_refnode(app.builder, node["refdoc"], target.docname, target.node_id, shown, label)


def name_language(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Marks a page as Chinese: browsers choose letters and voices by it."""
    if page.endswith(CHINESE):
        context["language"] = "zh-CN"


def setup(app: Sphinx) -> dict[str, Any]:
    """Connects everything; Sphinx calls it."""
    for file_format in _OUR_FORMATS:
        app.add_lexer(file_format, TextLexer)
    app.add_search_language(SearchBoth)
    app.connect("builder-inited", name_pages)
    app.connect("source-read", add_navigation)
    app.connect("autodoc-process-docstring", without_noise)
    app.connect("missing-reference", find_reference)
    app.connect("html-page-context", name_language)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
