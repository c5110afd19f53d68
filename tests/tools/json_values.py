"""Values for tests of JSON, ordinary and strange ones."""

import math
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st


def outcome(function: Callable[..., Any], *arguments: Any) -> tuple[str, str]:
    """What comes of a call; repr distinguishes 1 from 1.0 and from True, -0.0 from 0.0, and orders of keys."""
    try:
        return "value", repr(function(*arguments))
    except Exception as error:
        return type(error).__name__, str(error)


TEXTS = st.text(st.characters(exclude_categories=()), max_size=8) | st.text(
    st.characters(max_codepoint=127), max_size=4
)
TEXTS |= st.text(st.sampled_from('"\\/\x00\x1f\x7f\x80\u2028\ud83d\ude00é中😀ab'))
INTEGERS = st.integers() | st.integers(2**63 - 2, 2**64 + 2) | st.integers(-(2**63) - 2, 2 - 2**63)
FLOATS = st.floats() | st.floats(1e15, 1e18) | st.floats(1e-8, 1e-3) | st.builds(float, st.integers(-(10**20), 10**20))
FINITE = FLOATS.filter(math.isfinite)


def nested(leaves: st.SearchStrategy[Any], keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves, lambda values: st.lists(values, max_size=4) | st.dictionaries(keys, values, max_size=4), max_leaves=12
    )


def paired(text: str) -> str:
    """Makes one character of two halves of a surrogate pair side by side, as reading does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


PAIRED = TEXTS.map(paired)
PLAIN = nested(st.none() | st.booleans() | INTEGERS | FINITE | PAIRED, PAIRED)
"""Values that come back as they were."""
