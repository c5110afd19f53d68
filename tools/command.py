"""
All commands as one: ``python -m tools match`` in a checkout, ``ddzbot match`` where pip installed it.

Each is imported when it is called, and so needs only its own packages.
"""

import ast
import atexit
import copy
import gc
from importlib import import_module
from pathlib import Path

import click

from ddzbot import __version__

from .shared.chinese_help import chinese_table
from .shared.interrupts import Group
from .shared.language import is_chinese
from .shared.paths import INSTALLED, PACKAGE, call_of
from .shared.terminal import say

COMMANDS = {
    "Begin with": {
        "play": "tables.play",
        "check": "arena.check",
        "match": "arena.match",
        "review": "study.review",
        "new": "arena.new",
    },
    "Play": {"run": "judge.run", "serve": "tables.serve", "live": "tables.live"},
    "Games": {
        "seats": "arena.seats",
        "series": "arena.series",
        "class": "arena.class_of_programs",
        "judge": "judge",
        "report": "arena.report",
        "deals": "arena.deals",
        "games": "arena.games",
        "records": "records",
        "show": "study.show",
        "view": "study.view",
    },
    "Positions": {"analyse": "study.analyse", "solve": "study.solve", "rules": "study.rules"},
    "Bots": {"bots": "arena.bots", "doctor": "release.doctor"},
}
"""The commands, in groups for playing, measuring and looking, behind those to begin with: the module of each."""
IN_CHECKOUT = {
    "Make": {"train": "training.command", "weights": "release.weights", "bundle": "release.bundle"},
    "Laboratory": {"experiments": "lab.experiments", "lab": "lab"},
}
"""What makes networks and releases stays in the checkout, and the laboratory too."""
FOLDED = ("Laboratory",)
"""The groups that the list of commands has only with ``--all``."""

_FOLDER = Path(__file__).parent
_CALLED_IN_CHECKOUT = "python -m tools "


def groups() -> dict[str, dict[str, str]]:
    """Gets the commands that are here, in groups: the module of each."""
    return COMMANDS if INSTALLED else {**COMMANDS, **IN_CHECKOUT}


def _module_of(name: str) -> str | None:
    return next((modules[name] for modules in groups().values() if name in modules), None)


def sentence_of(module: str) -> str:
    """Gets the first sentence of a command's docstring, without an import; what follows a colon is an example."""
    path = _FOLDER.joinpath(*module.split("."))
    source = (path / "__main__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")
    text = " ".join((ast.get_docstring(ast.parse(source)) or "").split("\n\n")[0].split())
    return text.partition(": ``python")[0].rstrip(".") + "."


class _Commands(Group):
    """Commands that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Lists the names."""
        return [name for modules in groups().values() for name in modules]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command, and lets its help speak of ``ddzbot`` where that is how one calls it."""
        module = _module_of(cmd_name)
        if module is None:
            return None
        is_folder = _FOLDER.joinpath(*module.split(".")).is_dir()
        found = import_module(f".{module}.__main__" if is_folder else f".{module}", PACKAGE)
        # That of the judge has a function around it.
        return _called(found.main if isinstance(found.main, click.Command) else found.command)

    def get_help(self, ctx: click.Context) -> str:
        """Writes the help; in Chinese :func:`tools.shared.chinese_help.chinese_help` knows of no commands."""
        if not is_chinese():
            return super().get_help(ctx)
        tables = (chinese_table(title, lines, ctx) for title, lines in _listed(ctx).items())
        return "\n\n".join([super().get_help(ctx), *tables])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes one line for each, without importing any."""
        for title, lines in _listed(ctx).items():
            with formatter.section(title):
                formatter.write_dl([(name, sentence.rstrip(".")) for name, sentence in lines.items()])


def _listed(ctx: click.Context) -> dict[str, dict[str, str]]:
    """Gets the groups that the list shows: the sentence of each command."""
    folded = () if ctx.params.get("everything") else FOLDED
    return {
        title: {name: sentence_of(module) for name, module in modules.items()}
        for title, modules in groups().items()
        if title not in folded
    }


def _called(command: click.Command) -> click.Command:
    """Copies a command, with examples that one can type here."""
    adapted = copy.copy(command)
    adapted.help, adapted.epilog, adapted.short_help = map(_here, (command.help, command.epilog, command.short_help))
    if isinstance(adapted, click.Group):
        adapted.commands = {name: _called(one) for name, one in adapted.commands.items()}
    return adapted


def _here(text: str | None) -> str | None:
    return text and text.replace(_CALLED_IN_CHECKOUT, f"{call_of()} ")


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"max_content_width": 120}, in_chinese=True)
@click.version_option(__version__, prog_name="ddzbot", help="Show the version and exit.")
@click.option("--all", "everything", is_flag=True, is_eager=True, help="List the laboratory, too.")
@click.pass_context
def main(context: click.Context, everything: bool) -> None:
    """Play, measure and analyse Dou Dizhu. Each command has --help."""
    # Python looks for garbage when it ends, with torch for half a second: nobody needs that memory.
    atexit.register(gc.freeze)
    if context.invoked_subcommand is None:
        for line in context.get_help().splitlines():
            say(line)


if __name__ == "__main__":
    main()
