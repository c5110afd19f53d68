"""Values for tests of JSON, ordinary and strange ones, and both ways to read and write them side by side."""

import dataclasses
import datetime
import decimal
import enum
import math
import uuid
from collections import Counter, OrderedDict, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import orjson
from hypothesis import strategies as st

from tools.shared import json_text, json_twin


def outcome(function: Callable[..., Any], *arguments: Any) -> tuple[str, str]:
    """What comes of a call; repr tells 1 from 1.0 and from True, -0.0 from 0.0, and one order of keys from another."""
    try:
        return "value", repr(function(*arguments))
    except Exception as error:
        return type(error).__name__, str(error)


def read(text: str) -> tuple[str, str]:
    """Reads by orjson and by the twin, insists on the same, and gets it."""
    both = outcome(json_text.parse_json, text), outcome(json_twin.parse_json, text)
    assert both[0] == both[1]
    return both[0]


def write(value: Any, ascii_only: bool = False) -> tuple[str, str]:
    both = outcome(json_text.json_text, value, ascii_only), outcome(json_twin.json_text, value, ascii_only)
    assert both[0] == both[1]
    return both[0]


TEXTS = st.text(st.characters(exclude_categories=()), max_size=8) | st.text(
    st.characters(max_codepoint=127), max_size=4
)
TEXTS |= st.text(st.sampled_from('"\\/\x00\x1f\x7f\x80\u2028\ud83d\ude00é中😀ab'))
INTEGERS = st.integers() | st.integers(2**63 - 2, 2**64 + 2) | st.integers(-(2**63) - 2, 2 - 2**63)
FLOATS = st.floats() | st.floats(1e15, 1e18) | st.floats(1e-8, 1e-3) | st.builds(float, st.integers(-(10**20), 10**20))
FINITE = FLOATS.filter(math.isfinite)


def nested(leaves: st.SearchStrategy[Any], keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves,
        lambda values: st.lists(values, max_size=4) | st.dictionaries(keys, values, max_size=4),
        max_leaves=12,
    )


def paired(text: str) -> str:
    """Makes one character of two halves of a surrogate pair side by side, as reading does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


PAIRED = TEXTS.map(paired)
PLAIN = nested(st.none() | st.booleans() | INTEGERS | FINITE | PAIRED, PAIRED)
"""Values that come back as they were."""

Point = namedtuple("Point", "x y")


class Colour(enum.Enum):
    RED = 1


class Number(enum.IntEnum):
    ONE = 1


class Word(str, enum.Enum):
    WP = "wp"


class Odd(int, enum.Enum):
    """An integer whose value is another one."""

    FIVE = 5

    def __new__(cls, value: int) -> "Odd":
        made = int.__new__(cls, value + 1)
        made._value_ = value
        return made


class Shout(str):
    def __str__(self) -> str:
        return "!"


class Thing(dict[str, int]):
    def items(self) -> Any:
        return [("other", 1)]


@dataclasses.dataclass
class Data:
    x: int = 1


STRANGE = [
    (),
    (1, "a"),
    Point(1, 2.5),
    Colour.RED,
    Number.ONE,
    Word.WP,
    Odd.FIVE,
    Shout("a"),
    Thing(a=1),
    Data(),
    Counter("aab"),
    OrderedDict(a=1),
    uuid.UUID(int=7),
    datetime.date(2022, 2, 22),
    datetime.datetime(2022, 2, 22, 22, 22),
    decimal.Decimal("1.5"),
    np.float64(1.5),
    np.float32(1.5),
    np.int64(3),
    np.bool_(True),
    np.array([1, 2]),
    orjson.Fragment(b"[NaN"),
    b"ab",
    bytearray(b"ab"),
    memoryview(b"ab"),
    {1, 2},
    frozenset(),
    1j,
    ...,
    object,
    len,
    math.nan,
    math.inf,
    -math.inf,
]
ODD_KEYS = st.sampled_from([1, 1.5, 1e-7, True, None, (), Number.ONE, Word.WP, Shout("k"), math.nan, 2**70])
ANYTHING = nested(st.none() | INTEGERS | FLOATS | TEXTS | st.sampled_from(STRANGE), TEXTS | ODD_KEYS)
