"""Command lines of bots."""

import shlex
import sys
from collections.abc import Sequence


def split_command(command: str | Sequence[str]) -> list[str]:
    """
    Gets the words of a command line; a text is split as a shell would, but no shell ever runs it.

    For example, ``python3 'my bot.py'`` has two words.

    :raises ValueError: if there is no word, a quote is open or a word holds a NUL character
    """
    if isinstance(command, str):
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"command {command!r} cannot be split: {error}") from None
    else:
        words = list(command)
    if not words or not words[0]:
        raise ValueError(f"command {command!r} names no program")
    if any("\0" in word for word in words):
        raise ValueError(f"command {command!r} holds a NUL character")
    return words


def program_words(command: str) -> list[str]:
    """
    Gets the words of a bot's command line; a first word ``python`` is the interpreter that runs the judge.

    :raises ValueError: if there is no word, or a quote is open
    """
    words = split_command(command)
    return [sys.executable, *words[1:]] if words[0] == "python" else words
