"""
What the server says when it refuses something: one sentence, in English and in Chinese.

The reason why cards may not be played is a code of :mod:`ddzbot.illegal_moves`, which has the English text; the Chinese
text is a message of :mod:`tools.shared.refusal_words`.
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
        """Makes the message that says it; *fatal* if the connection ends with it, not to come again."""
        return {"type": "refused", "sentence": self.sentence._asdict(), "fatal": fatal}


def refused(error: TableError) -> RefusedError:
    """Makes the refusal of what a table does not allow; in Chinese, too, if it has Chinese."""
    said = str(error)
    return RefusedError(said, (chinese(said) if isinstance(said, Message) else None) or said)
