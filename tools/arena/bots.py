"""Gets bots that other people published, to play against: ``python -m tools bots get eric``."""

import click

from ..shared.errors import InputError
from ..shared.foreign_bots import ForeignBotError, recipes
from ..shared.interrupts import Group
from ..shared.terminal import say


@click.group(cls=Group)
def main() -> None:
    """Gets bots that other people published, to play against as bot:NAME."""


@main.command("list")
def show() -> None:
    """Lists them."""
    for name, one in recipes().items():
        here = "here" if (one.home / one.start).exists() else "not here"
        say(f"{name:<12} {one.game:<17} {one.language:<6} {one.licence:<11} {here:<8} {one.repository}")


@main.command()
@click.argument("name")
@click.option("--from", "source", metavar="DIR", help="A copy of its repository that is here already.")
def get(name: str, source: str | None) -> None:
    """Clones and compiles one."""
    known = recipes()
    if name not in known:
        raise InputError(f"bot {name!r} is unknown: there are {', '.join(known)}")
    try:
        known[name].get(source)
    except ForeignBotError as error:
        raise InputError(str(error)) from None
    say(f"It plays as bot:{name}")


if __name__ == "__main__":
    main()
