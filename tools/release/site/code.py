"""What colours a block of code that does not name its language: commands are told by their first word."""

import re
from typing import ClassVar

from docutils import nodes
from pygments.lexer import RegexLexer
from pygments.token import Comment, String, Text
from sphinx.application import Sphinx

_COMMAND = re.compile(r"(?:make|python3?|\.venv/bin/python|pip|git|cd|echo|ddzbot|docker|export|sudo|ssh|curl)\b")
_PYTHON = re.compile(r"(?:from [\w.]+ )?import \w")


class CommandLexer(RegexLexer):  # type: ignore[misc]  # Pygments ships no types
    """Command lines with remarks: it sets apart no more than remarks and what stands in quotes, and knows no errors."""

    name = "Commands"
    aliases: ClassVar = ["commands"]
    tokens: ClassVar = {
        "root": [
            (r"(?<!\S)#.*", Comment),
            (r"(?<!\w)(?:'[^'\n]*'|\"[^\"\n]*\")", String),
            (r"[^\s'\"#]+|\s|.", Text),
        ]
    }


def language_of(block: str) -> str:
    """Gets the language of a block: ``console`` with a prompt, ``python``, ``commands``, or ``text``."""
    if block.startswith("$ "):
        return "console"
    if _PYTHON.match(block):
        return "python"
    return "commands" if _COMMAND.match(block) else "text"


def name_language(app: Sphinx, doctree: nodes.document) -> None:
    """Names the language of every block that names none."""
    for block in doctree.findall(nodes.literal_block):
        if block.get("language", "none") in ("none", "default"):
            block["language"] = language_of(block.astext())
