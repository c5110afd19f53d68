"""
Options and commands under their earlier names: they are refused with what is typed now.

The key of an option is its name; where it became something else in one command, or group, than in the others, the name
of that stands before it.
"""

import click

from .message import Message
from .paths import call_of

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
    "--cluster-tls": Message("the configuration of dask"),
    "--from": Message("found from the first bytes of the file"),
    "--playouts": "--limit 500p",
    "--seconds": "--limit 1s",
    "--time": "--limit 5s",
    **{f"{command} {old}": now for command in ("match", "seats", "class") for old, now in _MATCHES.items()},
    "series --games": "--save-games FILE",
    "series --json": "--results FILE",
    "series --stand-ins": "--allow-fallback",
    "analyse --game": "--number 1",
    "bots get --from": "--source FOLDER",
    "bundle --output": "--out FILE",
    "bundle --weights": "--folder FOLDER",
    "bundle -o": "--out FILE",
    "check --again": "--turn FILE",
    "check --first-time": Message("twice {option}", option="--turn-time"),
    "check --save": "--save-turn FILE",
    "check --steps": "--only NAME",
    "check --time": "--turn-time 6",
    "games --auction": "--from-move 0",
    "games --game": "--number 1",
    "games --open": Message("the command {command}", command="view FILE --open"),
    "games --page": Message("{one}, then {other}", one="--out FILE", other="view FILE --out PAGE"),
    "games --player": "--who PLAYER",
    "games --seat": "--who SEAT=PLAYER",
    "games --show": Message("the command {command}", command="show FILE --number N"),
    "games --write": "--out FILE",
    "judge --auto": "--mode auto",
    "judge --first-time": Message("twice {option}", option="--turn-time"),
    "judge --keep-running": "--mode keep-running",
    "judge --one-shot": "--mode one-shot",
    "judge --record": "--save-games FILE",
    "judge --time": "--turn-time 6",
    "deals --deals": "--count 100",
    "deals --namespace": "--seed gate/1",
    "experiments --again": "--replay-pairs PLAYER",
    "experiments --stand-ins": "--allow-fallback",
    "match --alpha": Message("always {value}", value="0.05"),
    "match --beta": Message("always {value}", value="0.05"),
    "match --check": Message("done for a whole plan by {command}", command=call_of("experiments", "PLAN")),
    "match --estimate": Message("printed first where three or more meet with {option}", option="--results FILE"),
    "match --field": Message("the command {command}", command=call_of("class", "FOLDER")),
    "match --memory": Message("an option of {command}", command=call_of("series", "A", "B", "C")),
    "match --minutes": Message("an option of {command}", command=call_of("class", "FOLDER")),
    "match --page": Message("an option of {command}", command=call_of("report", "FILE")),
    "match --seats": Message("the command {command}", command=call_of("seats", "A", "B", "C")),
    "match --series": Message("the command {command}", command=call_of("series", "A", "B", "C")),
    "report --games": "--games-file FILE",
    "report --review": "--limit 500p",
    "report --review-limit": "--limit 500p",
    "lab decisions make --decisions": "--count 20000",
    "lab decisions score --decisions": "--first 8",
    "lab fit-belief --output": "--out FILE",
    "lab signature --show": "--out FILE",
    "live play --games": "--save-games FILE",
    "play --game": "--number 1",
    "play --open": "--reveal",
    "play --position": "--seat 0",
    "play --record": "--save-games FILE",
    "records convert": "games FILE --out FILE",
    "review --game": "--number 1",
    "rules check --answer": "--turn-time 5",
    "rules check --seconds": "--minutes 0.5",
    "serve --game": "--number 1",
    "show --debug": "--thoughts",
    "show --game": "--number 1",
    "solve --batch": "--endgames FILE",
    "solve --beat": "--to-beat CARDS",
    "solve --beat-by": "--played-by SEAT",
    "train curve --namespace": "--seed heldout/71",
    "train learn --games": "--count 1000",
    "train learn --records": "--first 1000",
    "train learn champion --aim": "--objective adp",
    "train learn auction --deals": "--first 1000",
    "train learn zero --hours": "--minutes 180",
    "train make --games": "--count 1000",
    "train make auction --deals": "--count 1000",
    "train make mcm --playouts": "--simulations 2000",
    "train make rocket --playouts": "--simulations 20",
    "train pack --crown": "--promote",
    "train score --json": "--out FILE",
    "train score rocket --deals": "--auction-deals FOLDER",
    "train score rocket --most": "--first 1000",
    "view --analyse": "--limit 2000p",
    "view --game": "--number 1",
    "view -o": "--out FILE",
    "weights crown": "weights promote FILE",
}
"""What is typed now: an option with a value, or a :class:`Message` that names what replaced it."""


def refused(error: click.NoSuchOption) -> Message | None:
    """Gets the error message for an option that was retired; None for one that no release had."""
    if error.ctx is None:
        return None
    old, name = error.option_name, _name_of(error.ctx)
    words = name.split()
    places = (" ".join(words[:end]) for end in range(len(words), -1, -1))
    now = next((RETIRED[key] for place in places if (key := f"{place} {old}".strip()) in RETIRED), None)
    if now is None:
        return None
    if isinstance(now, Message) or now.split()[0] in {
        option for one in error.ctx.command.params for option in one.opts
    }:
        return Message("{old} is {new} now", old=old, new=now)
    return Message("{old} is {new} now, which {command} does not take", old=old, new=now, command=name)


def moved(context: click.Context, command: str) -> Message | None:
    """Gets the error message for a *command* that stood here; None for one that no release had."""
    old = f"{_name_of(context)} {command}".strip()
    return Message("{old} is {new} now", old=old, new=RETIRED[old]) if old in RETIRED else None


def _name_of(context: click.Context) -> str:
    """Gets the name of a command as it is typed behind the call of all tools, such as ``rules check``."""
    names: list[str] = []
    one: click.Context | None = context
    while one is not None and (one.parent is not None or one is context):
        names.append(one.info_name or "")
        one = one.parent
    return " ".join(reversed(names))
