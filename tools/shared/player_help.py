"""
What ``NAME:help`` prints: the options of a player, with their defaults and what they mean.

The options of a player are the fields of a NamedTuple, each with a docstring under it, which is read from the source.
"""

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterable
from itertools import pairwise
from typing import IO, Any, NamedTuple

import click
from rich.table import Table

from ddzbot.players.base import Player
from ddzbot.players.registry import is_player, option_names, player_class

from .terminal import Console

HELP = ":help"
_OPTIONS_ARE = re.compile(r"[.;,] [Ii]ts options are \w+\.")
_ROLE = re.compile(r":(\w+):`~?([\w.]+)`")


class Option(NamedTuple):
    """One option of a player."""

    name: str
    default: str
    """As one writes it; empty where the default depends on something else."""
    meaning: str
    """Plain text; empty where the source has none."""


class PlayerHelp(click.ClickException):
    """Raised when the user asks for the options of a player; click prints them, and the command ends with 0."""

    exit_code = 0

    def __init__(self, player: str) -> None:
        names = [option.name for option in options_of(player_class(player))]
        super().__init__(f"{player} has options: {', '.join(names) or 'none'}")
        self.player = player

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the options to *file*, or stdout."""
        player = player_class(self.player)
        options = options_of(player)
        console = Console(file=file)
        paragraph = _plain(inspect.getdoc(player) or "").partition("\n\n")[0].replace("\n", " ")
        sentence = _OPTIONS_ARE.sub(".", paragraph)
        console.print(f"{self.player}: {sentence}" if sentence else self.player)
        if not options:
            console.print("It has no options.")
            return
        table = Table("option", "default", "what it is", box=None, pad_edge=False)
        for option in options:
            table.add_row(option.name, option.default or "-", option.meaning)
        console.print(table)
        console.print(f"Write {self.player}:OPTION=VALUE,OPTION=VALUE.")


def refuse_help(text: str) -> None:
    """
    Lets a player pass; any text passes that is not a player with ``:help`` behind it.

    :raises PlayerHelp: for such as ``mcm:help``.
    """
    player = text.removesuffix(HELP)
    if player != text and is_player(player) and "=" not in player:
        raise PlayerHelp(player)


def options_of(player: type[Player]) -> list[Option]:
    """Lists the options of a player in the order of its source, as far as it names them."""
    if player.options_type is None:
        names, parameters = option_names(player) or [], inspect.signature(player.__init__).parameters
        return [Option(option, _default(parameters[option].default), "") for option in names]
    kind = player.options_type
    meanings = _docstrings(kind)
    defaults = getattr(kind, "_field_defaults", {})
    return [Option(option, _default(defaults.get(option)), meanings.get(option, "")) for option in kind._fields]


def _default(value: Any) -> str:
    return "" if value is None or value is inspect.Parameter.empty else str(value)


def _docstrings(kind: type[Any]) -> dict[str, str]:
    """Reads what stands under each field of a class; nothing where there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):
        return {}
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    docstrings = {}
    for field, under in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            docstring = _text_of(under)
            if docstring:
                docstrings[field.target.id] = _plain(docstring)
    return docstrings


def _text_of(statement: ast.stmt) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return inspect.cleandoc(text).replace("\n", " ")
    return ""


def _plain(text: str) -> str:
    """Takes the marks out of a docstring; a constant of names becomes the names themselves."""
    return _ROLE.sub(_said, text).replace("``", "")


def _said(role: re.Match[str]) -> str:
    kind, path = role.groups()
    module, _, attribute = path.rpartition(".")
    if kind == "data" and module:
        value = getattr(importlib.import_module(module), attribute, None)
        if isinstance(value, Iterable) and not isinstance(value, str):
            entries = list(value)
            if entries and all(isinstance(word, str) for word in entries):
                return ", ".join(entries)
    return path if kind == "mod" else attribute
