"""How the shell of this system divides a line into words: sh, and on Windows cmd.exe with the rules of its programs."""

import os
import re
import shlex
from collections.abc import Iterable

ON_WINDOWS = os.name == "nt"

_PLAIN = re.compile(r"[\w@+=:,./\\-]+")
"""A word that cmd.exe takes as it stands."""
_TO_ESCAPE = re.compile(r'(\\*)("|\Z)')
_PIECE = re.compile(r'(\\*)"|(\s+)|(\\+|[^\\\s"]+)')
"""Of a line on Windows: backslashes before a quotation mark, blanks, or what stands for itself."""


def joined_words(words: Iterable[str]) -> str:
    """Writes a line that the shell here divides into *words*: each is quoted where it has to be."""
    return " ".join(map(_quoted, words)) if ON_WINDOWS else shlex.join(words)


def split_words(line: str) -> list[str]:
    """
    Divides a line into words as the shell here does.

    :raises ValueError: if a quotation is not closed.
    """
    return _split(line) if ON_WINDOWS else shlex.split(line)


def _quoted(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    # Backslashes stand for themselves, but before a quotation mark.
    return '"{}"'.format(_TO_ESCAPE.sub(lambda found: 2 * found[1] + ('\\"' if found[2] else ""), word))


def _split(line: str) -> list[str]:
    arguments: list[str] = []
    word: str | None = None
    is_open = False
    for slashes, blanks, letters in _PIECE.findall(line):
        if blanks and not is_open:
            arguments += [] if word is None else [word]
            word = None
        elif blanks or letters:
            word = (word or "") + blanks + letters
        else:
            word = (word or "") + slashes[: len(slashes) // 2] + '"' * (len(slashes) % 2)
            is_open ^= len(slashes) % 2 == 0
    if is_open:
        raise ValueError("No closing quotation")
    return [*arguments, *([] if word is None else [word])]
