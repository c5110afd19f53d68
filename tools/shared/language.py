"""
The language of the terminal: English, or Chinese where the locale is; on Windows where the system is.

A message is a key, the English text, which ``words.json`` has in Chinese; words that the pages have too are theirs.
Values go in afterwards and are never looked up. A message is printed as a whole in one language: in English if it, or a
message in it, does not stand in the list.
"""

import os
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import click
from rich.cells import cell_len

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import KIND_NAMES
from ddzbot.search.endgame_position import Fault

from .message import English, Message, english
from .words import messages, words

_OF_PAGES = ("mark_inaccuracy", "mark_mistake", "mark_blunder", "why_", "cause_")
"""How the keys begin of words that are messages as they stand."""


def is_chinese() -> bool:
    """
    Tests whether messages are Chinese: in a Chinese locale, outside commands and in those that have Chinese.

    In a browser the page has a language of its own.
    """
    context = click.get_current_context(silent=True)
    return has_chinese_locale() and (context is None or getattr(context.command, "in_chinese", False))


def has_chinese_locale() -> bool:
    """Tests whether the locale of messages is Chinese."""
    if sys.platform == "emscripten":
        return False
    named = (os.environ.get(variable) for variable in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return (next(filter(None, named), "") or _of_windows()).lower().startswith("zh")


def _of_windows() -> str:
    """Gets the language that Windows speaks to this user, such as ``zh_CN``; it sets none of the variables."""
    if sys.platform == "win32":
        import ctypes
        import locale

        return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    else:
        return ""


def tr(key: str, context: str = "", /, **values: object) -> str:
    """
    Translates a message for the terminal; *context* distinguishes two meanings of a key.

    For example, ``tr("{a} against {b}", a="win", b="rule")`` is ``win 对 rule`` where the locale is Chinese.
    """
    return translate(Message(key, context, **values))


def translate(text: str) -> str:
    """Translates a :class:`Message` for the terminal; any other text stays as it is."""
    translation = chinese(text) if isinstance(text, Message) and is_chinese() else None
    return text if translation is None else translation


def template(key: str) -> str:
    """Gets a key in the language of the terminal, with the names of its values still in braces."""
    return _list().get(key, key) if is_chinese() else key


def translated(text: str) -> str:
    """Gets the Chinese of a text without values; the text itself if it has none."""
    return _list().get(text, text)


def seat_word(seat: int) -> Message:
    """Gets the name of a seat."""
    return Message(SEAT_NAMES[seat])


def mark_word(mark: str) -> Message:
    """Gets the name of a mistake: inaccuracy, mistake or blunder."""
    return Message(mark)


def why_word(text: str) -> Message:
    """Gets the reason of a mistake, as a value of :data:`tools.study.review.model.WHY`."""
    return Message(text)


def cause_word(name: str) -> Message:
    """Gets what mistakes are added up by, a name of :data:`tools.study.review.causes.LISTS`."""
    return Message(page_words()[f"cause_{name}"][0])


def kind_word(kind: int) -> Message:
    """Gets the name of a kind of moves."""
    return Message(KIND_NAMES[kind])


def fault_word(fault: Fault) -> Message:
    """Gets the message why an endgame cannot be."""
    values = dict(fault.values)
    if isinstance(values.get("seat"), str):
        values["seat"] = Message(str(values["seat"]))
    if "kind" in values:
        values["kind"] = Message(str(values["kind"]))
    return Message(fault.key, **values)


def padded(text: str, width: int) -> str:
    """Fills up with blanks; Chinese characters are two columns wide."""
    return text + " " * (width - cell_len(text))


@cache
def page_words() -> dict[str, tuple[str, str]]:
    """Gets the words of the pages that the terminal says, too, by key, in English and Chinese."""
    return words("serve", "match", "replay", "pages")


def in_both(text: str) -> tuple[str, str]:
    """Gets a text in English and in Chinese, as pages have their words; one without Chinese is English in both."""
    return english(text), (chinese(text) if isinstance(text, Message) else None) or english(text)


def chinese(message: Message) -> str | None:
    """Translates a message into Chinese in any locale; None if it, or a part of it, has no Chinese."""
    translation = _list().get(f"{message.context}: {message.key}" if message.context else message.key)
    if translation is None:
        return None
    values: dict[str, Any] = {}
    for name, value in message.values.items():
        values[name] = chinese(value) if isinstance(value, Message) else value
        if isinstance(value, English) or values[name] is None:
            return None
    return translation.format(**values)


@cache
def _list() -> dict[str, str]:
    return dict(sentences())


def sentences() -> Iterator[tuple[str, str]]:
    """Yields every key and its Chinese; a context stands before the key, with a colon."""
    pages = page_words()
    yield from ((kind, pages[f"kind_{kind}"][1]) for kind in KIND_NAMES)
    yield from ((seat, pages[f"seat_{position}"][1]) for position, seat in enumerate(SEAT_NAMES))
    named = {english: chinese for key, (english, chinese) in pages.items() if key.startswith(_OF_PAGES)}
    yield from ((english, chinese) for english, chinese in named.items() if english not in SEAT_NAMES)
    for key, chinese in messages().items():
        yield key, pages[chinese[1:]][1] if chinese.startswith("@") else chinese
