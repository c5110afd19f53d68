"""How a typed object stands in a file: one line of JSON that begins with its format and version."""

import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec import Struct

from ddzbot.protocol.last_resort import shortened

from ..json_text import checked, json_text, parse_json

Kept = TypeVar("Kept", bound=Struct)

_HEAD = re.compile(rb'\{"format":"([^"]*)","version":(\d{1,9})[,}]')
HEAD_BYTES = 200
"""The format and the version of a file stand within its first bytes."""


@dataclass(frozen=True)
class Form(Generic[Kept]):
    """The form of the objects of one class: ``Form(Cup, "ddzbot-cup", 1)``."""

    kind: type[Kept]
    format: str
    version: int

    def text(self, value: Kept) -> bytes:
        """Writes an object as :meth:`read` reads it: ASCII, with a line end."""
        fields = {"format": self.format, "version": self.version, **_plain(value)}
        return json_text(fields, ascii_only=True).encode("ascii") + b"\n"

    def version_of(self, head: bytes) -> int | None:
        """Gets the version of a file from its first :data:`HEAD_BYTES`; None if it has another format."""
        mark = _HEAD.match(head)
        return int(mark[2]) if mark and mark[1] == self.format.encode() else None

    def read(self, data: bytes) -> Kept:
        """
        Reads an object.

        :raises ValueError: if *data* has none of this format and version; the message is one sentence.
        """
        version = self.version_of(data[:HEAD_BYTES])
        if version != self.version:
            raise ValueError(f"it is not a {self.format} of version {self.version}")
        try:
            return checked(parse_json(data.decode("ascii")), self.kind)
        except ValueError as error:
            raise ValueError(shortened(str(error), 200)) from None


def _plain(value: Any) -> Any:
    """Gets the lists and dicts of an object, for the encoder."""
    if isinstance(value, Struct):
        return {field: _plain(getattr(value, field)) for field in value.__struct_fields__}
    if isinstance(value, list | tuple):
        return [_plain(element) for element in value]
    return value
