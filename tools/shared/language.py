"""
The language of the terminal: English, or Chinese where the locale is.

Commands are written in English. What people read goes through :func:`told`, which looks it up in ``chinese.txt``; words
that the pages have too are theirs. What does not stand there remains English.
"""

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rich.cells import cell_len

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import KIND_NAMES

__all__ = ["is_chinese", "padded", "page_words", "sentences", "told"]

_LIST = Path(__file__).with_name("chinese.txt")
_PAGES = Path(__file__).resolve().parents[1]
_FILES = (
    "look/view/words.js",
    "look/view/replay_words.js",
    "look/view/match_words.js",
    "tables/serve/pages/serve-words.js",
)
_ENTRY = re.compile(r'^ +"?([\w ]+)"?: \["(.*)", "(.*)"\],$', re.MULTILINE)
_VALUE = re.compile(r"\{(\w+)\}")


def is_chinese() -> bool:
    """Tells whether the locale of messages is Chinese; in a browser its page has a language of its own."""
    if sys.platform == "emscripten":
        return False
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, named), "").lower().startswith("zh")


def told(text: str, of: str = "") -> str:
    """
    Says *text* in the language of the terminal; blanks around it stay. *of* tells two meanings of a word apart.

    For example, ``told("the landlord wins")`` is ``地主胜`` where the locale is Chinese.
    """
    said = text.strip()
    if not said or not is_chinese():
        return text
    return text.replace(said, (of and _found(f"{of}: {said}")) or _found(said) or said)


def padded(text: str, width: int) -> str:
    """Fills up with blanks; Chinese characters are two columns wide."""
    return text + " " * (width - cell_len(text))


@cache
def page_words() -> dict[str, tuple[str, str]]:
    """Gets the words of the pages by key, in English and Chinese; of two of one key the first."""
    texts = [(_PAGES / name).read_text("utf-8") for name in reversed(_FILES)]
    return {key: (en, zh) for text in texts for key, en, zh in _ENTRY.findall(text)}


@cache
def _found(text: str) -> str | None:
    words, templates = _sentences()
    if text in words:
        return words[text]
    for pattern, said in templates:
        if found := pattern.fullmatch(text):
            values = {name: _found(value) or value for name, value in found.groupdict().items()}
            return _VALUE.sub(lambda one, values=values: values[one[1]], said)  # type: ignore[misc]
    return None


@cache
def _sentences() -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """Gets what has no values in it, and what has some, the longest text first."""
    found = dict(sentences())
    longest = sorted(
        (one for one in found if _VALUE.search(one)), key=lambda one: len(_VALUE.sub("", one)), reverse=True
    )
    return found, [(_pattern(one), found[one]) for one in longest]


def sentences() -> Iterator[tuple[str, str]]:
    """Yields every sentence in English and Chinese, with its values in braces."""
    pages = page_words()
    yield from ((kind, pages[f"kind_{kind}"][1]) for kind in KIND_NAMES)
    yield from ((seat, pages[f"seat_{number}"][1]) for number, seat in enumerate(SEAT_NAMES))
    for line in _LIST.read_text("utf-8").splitlines():
        english, _, said = line.partition(" => ")
        if said:
            yield english, pages[said[1:]][1] if said.startswith("@") else said


def _pattern(template: str) -> re.Pattern[str]:
    parts = _VALUE.split(template)
    return re.compile("".join(f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.S)
