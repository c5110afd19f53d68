"""Checks of a learner's arguments before a game is played, and deep copies."""

import operator
from copy import deepcopy
from typing import Any, Optional, Sequence, TypeVar, cast

_Copied = TypeVar("_Copied", bound="Copied")


class Copied:
    """An environment whose shallow copies are whole ones: two that shared a game would play in each other's."""

    def __copy__(self: _Copied) -> _Copied:
        return deepcopy(self)


def whole(name: str, given: Any) -> int:
    """
    Gets a whole number, of Python or numpy.

    :raises TypeError: for anything else; a fraction is none, nor is a truth value.
    """
    try:
        if not isinstance(given, bool):
            return operator.index(given)
    except TypeError:
        pass
    raise TypeError(f"{name} must be a whole number, not {given!r:.60}")


def checked_seed(seed: Any) -> int:
    """
    Gets a seed.

    :raises TypeError: for what is no whole number.
    :raises ValueError: for a number below 0.
    """
    number = whole("seed", seed)
    if number < 0:
        raise ValueError(f"seed must be 0 or more, not {number}")
    return number


def checked_mode(mode: Any, modes: Sequence[str]) -> Optional[str]:
    """
    Gets a render mode, or None for none.

    :raises ValueError: for one that the environment has not.
    """
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode must be {', '.join(map(repr, modes))} or None, not {mode!r:.60}")
    return cast(Optional[str], mode)


def checked_action(action: Any, count: int) -> int:
    """
    Gets the number of an action.

    :raises TypeError: for what is no whole number.
    :raises IndexError: for a number that no action has.
    """
    number = whole("an action", action)
    if not 0 <= number < count:
        raise IndexError(f"an action must be a number from 0 to {count - 1}, not {number}")
    return number
