"""What bots are called: a name of their own, as in ``anna=./anna/bot``, or a short form of what starts them."""

import os
import re
from collections import Counter
from collections.abc import Iterable

from .shell import split_words

LONGEST_NAME = 40

PERSON = "person"
"""What records, tables and pages call a person without a name; no program may be called so."""

_NAMED = re.compile(r"([^\W_][\w.-]{0,39})=(.+)", re.DOTALL)
_PLAYER_OPTION = re.compile(r"--player[ =]([A-Za-z0-9_.:=,-]+)")


def divided(text: str) -> tuple[str, str]:
    """Divides ``anna=./anna/bot`` into the name and what it is of; the name is empty where there is none."""
    parts = _NAMED.fullmatch(text)
    return (parts[1], parts[2]) if parts else ("", text)


def named(text: str) -> tuple[str, str]:
    """
    Divides like :func:`divided` what a user names now.

    :raises ValueError: for a name that means a person.
    """
    name, command = divided(text)
    if name == PERSON:
        raise ValueError(f"{text!r}: a game calls a human player {PERSON}; give the program another name")
    return name, command


def name_of(text: str) -> str:
    """Gets the name, or without one the whole *text*, which then is what the bot is called."""
    return divided(text)[0] or text


def short_name(name: str, folders: int = 0) -> str:
    """
    Makes a name of a command line, with the last *folders* of its program.

    For example, ``python bot.py --player mctshs`` becomes ``mctshs``.
    """
    given, command = divided(name)
    option = _PLAYER_OPTION.search(command)
    if given or option:
        return given or (option[1] if option else "")
    try:
        arguments = split_words(command)
    except ValueError:
        arguments = command.split()
    arguments = [word.replace(os.sep, "/") for word in arguments]
    if len(arguments) > 1 and "python" in arguments[0].rpartition("/")[2]:
        arguments = arguments[1:]
    short = "/".join(arguments[0].split("/")[-1 - folders :]) if {"/", os.sep} & {*command} and arguments else command
    return short if len(short) <= LONGEST_NAME else short[: LONGEST_NAME - 1] + "…"


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Shortens names for a table; those that would become the same keep a folder, or stay as they are."""
    labels = {name: name for name in names}
    for folders in (1, 0):
        short = {name: short_name(name, folders) for name in labels}
        many = Counter(short.values())
        labels = {name: label if many[label] == 1 else labels[name] for name, label in short.items()}
    return labels
