"""
A message to people: its key and its values, which stay apart until it is translated.

The key is the English text, with the names of the values in braces, as gettext has it. Nothing looks values up: a name
or a file stands in every language as it is. A value that is a word of ours is a :class:`Message` itself.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from string import Formatter
from typing import Any


class Message(str):
    """
    A message, which is its English text and knows what it was made of.

    For example, ``Message("{a} against {b}", a="win", b="rule")`` is ``win against rule``, also in an exception, whose
    ``str()`` it remains. *context* distinguishes two meanings of one key.
    """

    __slots__ = ("context", "key", "values")

    key: str
    context: str
    values: dict[str, Any]

    def __new__(cls, key: str, context: str = "", /, **values: object) -> "Message":
        """Fills the values in, as :meth:`str.format` does."""
        self = super().__new__(cls, key.format(**values))
        self.key, self.context, self.values = key, context, values
        return self

    def __str__(self) -> str:
        """Gets the message itself, so that one that was raised can be raised again as another error."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles it with what it was made of."""
        return _again, (self.key, self.context, self.values)


class English(str):
    """Text of others that is English, such as the reason of a system: a message with it in it stays English."""

    __slots__ = ()

    def __str__(self) -> str:
        """Gets the text as what it is."""
        return self


def english(text: str) -> str:
    """Gets the English text of a message and nothing else, as what is kept in files."""
    return str.__str__(text)


def prose(text: object) -> str:
    """Gets the text of an error, as a value of a message: it is one itself, or else English."""
    sentence = str(text)
    return sentence if isinstance(sentence, Message) else English(sentence)


def as_message(text: str) -> Message:
    """Makes a message of any text: one of others stays English, with the message that it stands in."""
    return text if isinstance(text, Message) else Message("{text}", text=English(text))


def with_values(text: str, change: Callable[[str], str]) -> str:
    """Changes every text that stands in a message as it is, also in messages in it; other text as a whole."""
    if isinstance(text, Message):
        values = {
            name: with_values(value, change) if isinstance(value, str) else value for name, value in text.values.items()
        }
        return Message(text.key, text.context, **values)
    return English(change(text)) if isinstance(text, English) else change(text)


def to_json(value: object) -> Any:
    """Gets a message, or a value of one, as values of JSON, from which :func:`from_json` makes it again."""
    if isinstance(value, Message):
        values = {name: to_json(part) for name, part in value.values.items()}
        return {"key": value.key, "context": value.context, "values": values}
    if isinstance(value, English):
        return {"english": english(value)}
    return value if isinstance(value, (int, float)) else english(str(value))


def from_json(value: Any) -> Any:
    """
    Makes a message, or a value of one, of what :func:`to_json` made of it.

    :raises ValueError: for what is none.
    """
    match value:
        case {"key": str(key), "context": str(context), "values": dict(values)} if _is_plain(key):
            try:
                return Message(key, context, **{name: from_json(part) for name, part in values.items()})
            except (LookupError, AttributeError):
                raise ValueError(f"{key!r} has not the values {', '.join(values)}") from None
        case {"english": str(text)}:
            return English(text)
        case str() | int() | float():
            return value
    raise ValueError(f"{value!r:.80} is no message")


def _is_plain(key: str) -> bool:
    """Tells whether a key has values by name and nothing else, so that it makes no text longer than theirs."""
    try:
        fields = list(Formatter().parse(key))
    except ValueError:
        return False
    return all(
        name is None or (name.isidentifier() and not spec and not conversion) for _, name, spec, conversion in fields
    )


def joined(parts: Iterable[str]) -> str:
    """Lists parts of a message with commas; nothing is an empty text."""
    return reduce(lambda some, one: Message("{some}, {one}", some=some, one=one) if some else one, parts, "")


def clauses(parts: Iterable[str]) -> str:
    """Lists clauses of a message with semicolons; nothing is an empty text."""
    return reduce(lambda some, one: Message("{some}; {one}", some=some, one=one) if some else one, parts, "")


def _again(key: str, context: str, values: dict[str, Any]) -> Message:
    return Message(key, context, **values)
