"""
Options of former releases: every command refuses one with what is typed now.

The key of an option is its name; where it became something else in one command than in the others, the name of that
command stands before it.
"""

import click

from .message import Message
from .place import call_of

_MATCHES = {
    "--again": "--replay-pairs PLAYER",
    "--game": "--replay-game SET.GAME",
    "--games": "--save-games FILE",
    "--json": "--results FILE",
    "--namespace": "--seed gate/1",
    "--neighbours": "--sets 200-500",
    "--record": "--replay-game SET.GAME > FILE",
    "--stand-ins": "--allow-fallback",
}
"""Of the commands that play matches."""
RETIRED: dict[str, str] = {
    "--playouts": "--limit 500p",
    "--seconds": "--limit 1s",
    "--time": "--limit 5s",
    **{f"{command} {old}": now for command in ("match", "seats", "class") for old, now in _MATCHES.items()},
    "series --games": "--save-games FILE",
    "series --json": "--results FILE",
    "series --stand-ins": "--allow-fallback",
    "check --first-time": Message("twice {option}", option="--turn-time"),
    "check --time": "--turn-time 6",
    "judge --auto": "--mode auto",
    "judge --first-time": Message("twice {option}", option="--turn-time"),
    "judge --keep-running": "--mode keep-running",
    "judge --one-shot": "--mode one-shot",
    "judge --time": "--turn-time 6",
    "bots get --from": "--source DIR",
    "deals --deals": "--count 100",
    "deals --namespace": "--seed gate/1",
    "experiments --again": "--replay-pairs PLAYER",
    "experiments --stand-ins": "--allow-fallback",
    "match --alpha": Message("always {value}", value="0.05"),
    "match --beta": Message("always {value}", value="0.05"),
    "match --check": Message("done for a whole plan by {command}", command=call_of("experiments", "PLAN")),
    "match --estimate": Message("said first where three or more meet with {option}", option="--results FILE"),
    "match --field": Message("the command {command}", command=call_of("class", "FOLDER")),
    "match --memory": Message("an option of {command}", command=call_of("series", "A", "B", "C")),
    "match --minutes": Message("an option of {command}", command=call_of("class", "FOLDER")),
    "match --page": Message("an option of {command}", command=call_of("report", "FILE")),
    "match --seats": Message("the command {command}", command=call_of("seats", "A", "B", "C")),
    "match --series": Message("the command {command}", command=call_of("series", "A", "B", "C")),
    "report --games": "--games-file FILE",
    "report --review": "--review-limit 500p",
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
