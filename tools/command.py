"""
All commands for people as one, which pip installs as ``ddzbot``: ``ddzbot match`` is ``python -m tools.match``.

Each is imported when it is called, and so needs only its own packages.
"""

import ast
import copy
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click

from ddzbot import __version__

from .shared.interrupts import Group
from .shared.place import PACKAGE, call_of

COMMANDS = (
    "play",
    "serve",
    "live",
    "match",
    "report",
    "deals",
    "judge",
    "check",
    "analyse",
    "review",
    "solve",
    "rules",
    "view",
    "games",
    "records",
    "show",
    "doctor",
)
"""What is for people who play, measure and look; what makes networks and releases stays in the checkout."""

_FOLDER = Path(__file__).parent
_IN_CHECKOUT = "python -m tools."


def described(folder: Path = _FOLDER) -> Iterator[tuple[str, str]]:
    """Yields each command of *folder* as (what stands behind ``python -m``, the first sentence of its help)."""
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__main__")
        source = path.read_text("utf-8")
        if name != folder.name and '__name__ == "__main__"' in source and "click" in source:
            yield name, _sentence_of(ast.parse(source))


def _sentence_of(tree: ast.Module) -> str:
    """Gets the first sentence of the docstring; what stands in front of a colon is no help without the rest."""
    text = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
    return text.partition(": ``python")[0].rstrip(".")


class _Commands(Group):
    """Commands that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Lists the names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command, and lets its help speak of ``ddzbot`` where that is how one calls it."""
        if cmd_name not in COMMANDS:
            return None
        module = f".{cmd_name}.__main__" if (_FOLDER / cmd_name).is_dir() else f".{cmd_name}"
        found = import_module(module, PACKAGE)
        # That of the judge has a function around it.
        return _called(found.main if isinstance(found.main, click.Command) else found.command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes one line for each, without importing any."""
        sentences = dict(described())
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentences[f"{_FOLDER.name}.{name}"]) for name in COMMANDS])


def _called(command: click.Command) -> click.Command:
    """Copies a command, with examples that one can type here."""
    told = copy.copy(command)
    told.help, told.epilog, told.short_help = map(_here, (command.help, command.epilog, command.short_help))
    if isinstance(told, click.Group):
        told.commands = {name: _called(one) for name, one in told.commands.items()}
    return told


def _here(text: str | None) -> str | None:
    return text and text.replace(_IN_CHECKOUT, call_of(""))


@click.command(cls=_Commands, context_settings={"max_content_width": 120})
@click.version_option(__version__, prog_name="ddzbot")
def main() -> None:
    """Plays, measures and analyses Dou Dizhu; each command has --help."""


if __name__ == "__main__":
    main()
