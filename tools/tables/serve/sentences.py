"""
The messages of the server when it refuses something, in English and in Chinese.

Why cards may not be played is a code of :mod:`ddzbot.illegal_moves`, which has the English; in Chinese it is a message
of :mod:`tools.shared.refusal_words`.
"""

from typing import Any, NamedTuple

from ...shared.language import chinese
from ...shared.message import Message
from ..table.table import TableError


class Sentence(NamedTuple):
    """One sentence in both languages of the page."""

    en: str
    zh: str


class RefusedError(Exception):
    """Raised for what a connection may not do now; nothing has changed."""

    def __init__(self, en: str, zh: str, passing: bool = False) -> None:
        super().__init__(en)
        self.sentence = Sentence(en, zh)
        self.passing = passing
        """It may be allowed a little later."""

    def message(self, fatal: bool = False) -> dict[str, Any]:
        """Makes its message; *fatal* if the connection ends with it, not to come again."""
        return {"type": "refused", "sentence": self.sentence._asdict(), "fatal": fatal}


def refused(error: TableError) -> RefusedError:
    """Makes the refusal of what a table does not allow; in Chinese, too, if it has Chinese."""
    return RefusedError(str(error), in_chinese(error))


def in_chinese(error: Exception) -> str:
    """Describes an error in Chinese, or in English if it has no Chinese."""
    sentence = str(error)
    return (chinese(sentence) if isinstance(sentence, Message) else None) or sentence
