"""What colours a block of code that does not name its language: commands are told by their first word."""

import re

from docutils import nodes
from pygments.lexers.shell import BashLexer
from pygments.token import Error
from sphinx.application import Sphinx

__all__ = ["language_of", "name_language"]

_COMMAND = re.compile(r"(?:make|python3?|\.venv/bin/python|pip|git|cd|echo|ddzbot|docker|export|sudo|ssh|curl)\b")

_PYTHON = re.compile(r"(?:from [\w.]+ )?import \w")


def language_of(block: str) -> str:
    """Gets the language of a block: ``console`` with a prompt, ``python``, ``bash`` that a shell can read, ``text``."""
    if block.startswith("$ "):
        return "console"
    if _PYTHON.match(block):
        return "python"
    if not _COMMAND.match(block):
        return "text"
    return "text" if any(kind is Error for kind, _ in BashLexer().get_tokens(block)) else "bash"


def name_language(app: Sphinx, doctree: nodes.document) -> None:
    """Names the language of every block that names none."""
    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "none") in ("none", "default"):
            block["language"] = language_of(block.astext())
