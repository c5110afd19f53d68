"""Gets bots that other people published, to play against: ``python -m tools bots get eric``."""

import click

from ..opponents.sandbox import warn_of_open_programs
from ..shared.errors import InputError
from ..shared.foreign_bots import ForeignBotError, recipes
from ..shared.interrupts import Group
from ..shared.options import sandbox_option
from ..shared.terminal import say
from .check.bench import Bench
from .check.run import choose, run_steps

PLAYS = "games"
"""The step of the check that comes after all others that a bot needs to play."""


@click.group(cls=Group)
def main() -> None:
    """Gets bots that other people published, to play against as bot:NAME."""


@main.command("list")
def show() -> None:
    """Lists them."""
    for name, one in recipes().items():
        here = "here" if one.is_here else "not here"
        say(f"{name:<12} {one.game:<17} {one.language:<6} {one.licence:<11} {here:<8} {one.repository}")


@main.command()
@click.argument("name")
@click.option("--from", "source", metavar="DIR", help="A copy of its repository that is here already.")
@sandbox_option
def get(name: str, source: str | None) -> None:
    """Clones, compiles and checks one; it is there when it has played."""
    known = recipes()
    if name not in known:
        raise InputError(f"bot {name!r} is unknown: there are {', '.join(known)}")
    try:
        passed = known[name].get(source, lambda words: _checked(name, known[name].game, words))
    except (ForeignBotError, OSError) as error:
        raise InputError(str(error)) from None
    say(f"It plays as bot:{name}: {passed}")


def _checked(name: str, game: str, words: list[str]) -> str:
    """
    Says what the check's steps came to.

    :raises ForeignBotError: if it does not play a whole game.
    """
    warn_of_open_programs([words])
    findings = [
        one for one in run_steps(Bench(words, games=[game], rounds=1), choose("")) if one.status != "not asked for"
    ]
    failed = [f"step {one.number} ({one.name}): {one.sentence}" for one in findings if not one.complies]
    if any(one.name == PLAYS and not one.complies for one in findings):
        raise ForeignBotError(f"bot {name} does not play: {failed[0]}")
    passed = f"{len(findings) - len(failed)} of {len(findings)} steps of the check pass"
    return "; ".join([passed, *failed])


if __name__ == "__main__":
    main()
