"""
Options of former releases: every command refuses one with what is typed now.

The key of an option is its name; where it became something else in one command than in the others, the name of that
command stands before it.
"""

import click

from .message import Message

RETIRED: dict[str, str] = {
    "--playouts": "--limit 500p",
    "--seconds": "--limit 1s",
    "--time": "--limit 5s",
    "check --first-time": Message("twice {option}", option="--turn-time"),
    "check --time": "--turn-time 6",
    "judge --auto": "--mode auto",
    "judge --first-time": Message("twice {option}", option="--turn-time"),
    "judge --keep-running": "--mode keep-running",
    "judge --one-shot": "--mode one-shot",
    "judge --time": "--turn-time 6",
    "rules check --answer": "--turn-time 5",
    "rules check --seconds": "--minutes 0.5",
    "train make mcm --playouts": "--simulations 2000",
    "train make rocket --playouts": "--simulations 20",
}
"""What is typed now: an option with a value, or a :class:`Message` that says where it went."""


def refused(error: click.NoSuchOption) -> Message | None:
    """Gets the error message for an option that was retired; None for one that no release had."""
    if error.ctx is None:
        return None
    old, name = error.option_name, _name_of(error.ctx)
    now = RETIRED.get(f"{name} {old}") or RETIRED.get(old)
    if now is None:
        return None
    if isinstance(now, Message) or now.split()[0] in {
        option for one in error.ctx.command.params for option in one.opts
    }:
        return Message("{old} is {new} now", old=old, new=now)
    return Message("{old} is {new} now, which {command} does not take", old=old, new=now, command=name)


def _name_of(context: click.Context) -> str:
    """Gets the name of a command as it is typed behind the call of all tools, such as ``rules check``."""
    names = []
    one: click.Context | None = context
    while one is not None and (one.parent is not None or one is context):
        names.append(one.info_name or "")
        one = one.parent
    return " ".join(reversed(names))
