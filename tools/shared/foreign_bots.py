"""
Bots that other people published: recipes in the folder ``bots``, and where ``ddzbot bots get`` puts what it makes.

Their code is not in this repository; a recipe names its place, and adds the little that it needs to compile.
"""

from pathlib import Path
from typing import Any, NamedTuple

from .paths import call_of
from .storage.state import state_folder

PREFIX = "bot:"
PROGRAM = "bot"
"""What a recipe makes in its folder."""
_RECIPES = Path(__file__).with_name("bots")


class ForeignBotError(ValueError):
    """A bot that is unknown, or cannot be had; the message has the reason and what to do."""


class Recipe(NamedTuple):
    """Where one bot lies, and what is made of it."""

    name: str
    repository: str
    commit: str
    game: str
    language: str
    licence: str
    folder: str = "."
    """The one in the repository that is compiled."""
    files: tuple[str, ...] = (".",)
    """What is taken of the repository, if not all."""
    add: dict[str, str] = {}  # noqa: RUF012
    """Files that the folder lacks."""

    @property
    def top(self) -> Path:
        """The folder that it is in when it was made."""
        return state_folder() / "bots" / self.name

    @property
    def is_here(self) -> bool:
        """Tests whether it was installed."""
        return (self.top / PROGRAM).exists()


def recipes() -> dict[str, Recipe]:
    """Reads the recipes that are here, by name."""
    import tomli  # only commands with such a bot need it

    by_name: dict[str, Recipe] = {}
    for path in sorted(_RECIPES.glob("*.toml")):
        content: dict[str, Any] = tomli.loads(path.read_text("utf-8"))
        by_name[path.stem] = Recipe(path.stem, **content)
    return by_name


def recipe(name: str) -> Recipe:
    """
    Gets one by its name.

    :raises ForeignBotError: for an unknown one.
    """
    by_name = recipes()
    if name not in by_name:
        raise ForeignBotError(f"bot {name!r} is unknown: there are {', '.join(by_name)}")
    return by_name[name]


def foreign_words(spec: str) -> list[str]:
    """
    Gets the words that start a bot such as ``bot:eric``.

    :raises ForeignBotError: for an unknown one, and for one that is not here yet.
    """
    bot_name = spec[len(PREFIX) :]
    bot = recipe(bot_name)
    if not bot.is_here:
        raise ForeignBotError(f"bot {bot_name!r} is not here yet: {call_of('bots', 'get', bot_name)}")
    return [str(bot.top / PROGRAM)]
