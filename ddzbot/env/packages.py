"""The imports of the environments from other packages; for a missing one, a message says how to get it."""

from typing import TYPE_CHECKING, Any

_SENTENCE = "ddzbot.env needs {}, as in pip install 'ddzbot[env]'"

try:
    import numpy as np
except ImportError:
    if not TYPE_CHECKING:

        class _NoNumpy:
            def __getattr__(self, name: str) -> Any:
                raise ImportError(_SENTENCE.format("numpy"))

        np = _NoNumpy()

try:
    from gymnasium import Env, register, spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.logger import warn
except ImportError:
    if not TYPE_CHECKING:

        class Env:
            """Takes the place of Gymnasium where that is missing."""

            def __new__(cls, *_: Any, **__: Any) -> Any:
                """Refuses to be made."""
                raise ImportError(_SENTENCE.format("gymnasium"))

        class ResetNeeded(Exception):  # noqa: N818  # Gymnasium's name
            """Takes the place of Gymnasium's."""

        spaces = warn = None

        def register(*_: Any, **__: Any) -> None:
            """Has nowhere to enter a name."""


try:
    from pettingzoo import AECEnv
except ImportError:
    if not TYPE_CHECKING:

        class AECEnv:
            """Takes the place of PettingZoo where that is missing."""

            def __new__(cls, *_: Any, **__: Any) -> Any:
                """Refuses to be made."""
                raise ImportError(_SENTENCE.format("pettingzoo"))


__all__ = ["AECEnv", "Env", "ResetNeeded", "np", "register", "spaces", "warn"]
