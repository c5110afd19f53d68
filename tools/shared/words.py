"""The words of the pages, of which the terminal says some, too: ``words.json`` has each in English and Chinese."""

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("words.json")
"""Words by key, in sections: ``pages`` of all pages, and one of each kind of page."""


@cache
def _sections() -> dict[str, dict[str, tuple[str, str]]]:
    sections = json.loads(FILE.read_text("utf-8"))
    return {name: {key: (both[0], both[1]) for key, both in section.items()} for name, section in sections.items()}


def words(*sections: str) -> dict[str, tuple[str, str]]:
    """Gets the words of these sections by key, in English and Chinese; of two with one key the later."""
    return {key: both for section in sections for key, both in _sections()[section].items()}


def words_script(*sections: str) -> str:
    """Writes the script that hands :func:`words` to a page; it stands after ``words.js``."""
    return f"Words.add({json.dumps(words(*sections), ensure_ascii=False)});\n"
