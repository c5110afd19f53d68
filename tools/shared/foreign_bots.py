"""
Bots that other people published: recipes in ``bots/``, and where ``ddzbot bots get`` puts what they make.

No line of theirs lies in this repository; a recipe says where it lies, and adds the little that it needs to compile.
"""

import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from .kept.folder import state_folder
from .place import ROOT, call_of

HOST = "https://github.com"
PREFIX = "bot:"
_RECIPES = ROOT / "bots"


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
    def home(self) -> Path:
        """The folder in which it is compiled and started."""
        return state_folder() / "bots" / self.name / self.folder

    def get(self, source: str | None) -> None:
        """
        Clones and compiles it; *source* is a copy of the repository that is here already.

        :raises ForeignBotError: for what git or the compiler says, or if one is not installed.
        """
        top = state_folder() / "bots" / self.name
        shutil.rmtree(top, ignore_errors=True)
        top.parent.mkdir(parents=True, exist_ok=True)
        self._run(["git", "clone", "--quiet", "--no-checkout", source or f"{HOST}/{self.repository}.git", str(top)])
        self._run(["git", "-C", str(top), "checkout", "--quiet", self.commit, "--", *self.files])
        for file, text in self.add.items():
            (self.home / file).parent.mkdir(exist_ok=True)
            (self.home / file).write_text(text, "utf-8")
        self._run(["sh", "-c", self.build], self.home)

    def _run(self, words: list[str], folder: Path | None = None) -> None:
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace")
        except FileNotFoundError:
            raise ForeignBotError(f"bot {self.name}: {words[0]} is not installed") from None
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
            hint = "; jsoncpp is the package libjsoncpp-dev" if "json/json.h" in done.stderr else ""
            raise ForeignBotError(f"bot {self.name}: {lines[0] if lines else 'it says nothing'}{hint}")


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
    words = shlex.split(known[name].start)
    program = known[name].home / words[0]
    if not program.exists():
        raise ForeignBotError(f"bot {name!r} is not here yet: {call_of('bots', 'get', name)}")
    return [str(program), *words[1:]]
