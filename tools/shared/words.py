"""Everything that is said in two languages: ``words.json`` has the words of the pages, and the messages of commands."""

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("words.json")
"""
Words by key, each in English and Chinese: ``pages`` of all pages, and a section of each kind of page. ``messages`` has,
by topic, the Chinese of each message; @ is the key of a word that a page has too. ``skeletons`` has that of the
comments in a new bot.
"""


@cache
def _sections() -> dict[str, Any]:
    sections: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return sections


def words(*sections: str) -> dict[str, tuple[str, str]]:
    """Gets the words of these sections by key, in English and Chinese; of two with one key the later."""
    return {key: (both[0], both[1]) for section in sections for key, both in _sections()[section].items()}


def messages() -> dict[str, str]:
    """Gets the Chinese of each message, or @ and the key of a word."""
    return {english: chinese for topic in _sections()["messages"].values() for english, chinese in topic.items()}


def comments() -> dict[str, str]:
    """Gets the Chinese of each comment in a new bot."""
    pairs: dict[str, str] = _sections()["skeletons"]
    return pairs


def words_script(*sections: str) -> str:
    """Writes the script that hands :func:`words` to a page; it stands after ``words.js``."""
    return f"Words.add({json.dumps(words(*sections), ensure_ascii=False)});\n"
