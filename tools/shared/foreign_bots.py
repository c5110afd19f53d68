"""
Bots that other people published: recipes in the folder ``bots``, and where ``ddzbot bots get`` puts what they make.

No line of theirs lies in this repository; a recipe says where it lies, and adds the little that it needs to compile.
"""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from .kept.folder import state_folder
from .kept.lock import Lock, TakenError
from .place import call_of

HOST = "https://github.com"
PREFIX = "bot:"
_RECIPES = Path(__file__).with_name("bots")
_Tried = TypeVar("_Tried")


class ForeignBotError(ValueError):
    """A bot that is unknown, or cannot be had; the message says why and what to do."""


class Recipe(NamedTuple):
    """How one bot is had, compiled and started."""

    name: str
    repository: str
    commit: str
    game: str
    language: str
    licence: str
    build: str
    start: str
    folder: str = "."
    files: tuple[str, ...] = (".",)
    """What is taken of the repository, if not all."""
    add: dict[str, str] = {}  # noqa: RUF012

    @property
    def top(self) -> Path:
        """The folder that holds what was taken of the repository."""
        return state_folder() / "bots" / self.name

    def words(self, top: Path | None = None) -> list[str]:
        """Gets the words that start it, where it lies or in another folder *top*."""
        program, *rest = shlex.split(self.start)
        return [str((top or self.top) / self.folder / program), *rest]

    @property
    def is_here(self) -> bool:
        """Tells whether somebody has got it."""
        return Path(self.words()[0]).exists()

    def get(self, source: str | None, tried: Callable[[list[str]], _Tried]) -> _Tried:
        """
        Clones and compiles it beside its place, and puts it there, as a whole, if *tried* raises nothing.

        :param source: a copy of the repository that is here already.
        :param tried: is called with the words that start it; what it returns comes back.
        :raises ForeignBotError: for what git or the compiler says, or if one is not installed.
        """
        self.top.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock = Lock(self.top.with_suffix(".lock"))
        except TakenError:
            raise ForeignBotError(f"bot {self.name}: another process gets it") from None
        part, old = self.top.with_suffix(".part"), self.top.with_suffix(".old")
        try:
            if old.exists() and not self.top.exists():
                os.rename(old, self.top)  # somebody was killed between the two renames below
            _remove(part, old)
            self._build(source, part)
            outcome = tried(self.words(part))
            if self.top.exists():
                os.rename(self.top, old)
            os.rename(part, self.top)
            _remove(old)
            return outcome
        finally:
            _remove(part)
            lock.close()

    def _build(self, source: str | None, top: Path) -> None:
        self._run(["git", "clone", "--quiet", "--no-checkout", source or f"{HOST}/{self.repository}.git", str(top)])
        self._run(["git", "-C", str(top), "checkout", "--quiet", self.commit, "--", *self.files])
        home = top / self.folder
        for file, text in self.add.items():
            (home / file).parent.mkdir(exist_ok=True)
            (home / file).write_text(text, "utf-8")
        self._run(["sh", "-c", self.build], home)

    def _run(self, words: list[str], folder: Path | None = None) -> None:
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace")
        except FileNotFoundError:
            raise ForeignBotError(f"bot {self.name}: {words[0]} is not installed") from None
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
            hint = "; jsoncpp is the package libjsoncpp-dev" if "json/json.h" in done.stderr else ""
            raise ForeignBotError(f"bot {self.name}: {lines[0] if lines else 'it says nothing'}{hint}")


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def recipes() -> dict[str, Recipe]:
    """Reads the recipes that are here, by name."""
    import tomli  # only who names such a bot needs it

    found: dict[str, Recipe] = {}
    for path in sorted(_RECIPES.glob("*.toml")):
        content: dict[str, Any] = tomli.loads(path.read_text("utf-8"))
        found[path.stem] = Recipe(path.stem, **content)
    return found


def foreign_words(spec: str) -> list[str]:
    """
    Gets the words that start a bot such as ``bot:eric``.

    :raises ForeignBotError: for an unknown one, and for one that is not here yet.
    """
    name = spec[len(PREFIX) :]
    known = recipes()
    if name not in known:
        raise ForeignBotError(f"bot {name!r} is unknown: there are {', '.join(known)}")
    if not known[name].is_here:
        raise ForeignBotError(f"bot {name!r} is not here yet: {call_of('bots', 'get', name)}")
    return known[name].words()
