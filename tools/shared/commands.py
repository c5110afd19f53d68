"""Command lines of bots."""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from .bounds import reason_of
from .message import Message, prose
from .shell import split_words

MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
COMPILED = (".cpp", ".cc", ".cxx", ".c")
"""How sources end that are compiled."""
_COPYING = 2.0
"""Seconds by which a source may be newer than its program: `cp -r` copies one after the other, and keeps no times."""
MAINS = ("__main__.py", "main.py", "bot.py")
"""The script that begins where a folder has several."""

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*(?:\.exe)?")
_SCRIPTS = {
    "java": (".jar", ".java"),
    "node": (".js", ".mjs", ".cjs"),
    "perl": (".pl",),
    "php": (".php",),
    "ruby": (".rb",),
    **dict.fromkeys(("sh", "bash", "dash", "zsh"), (".sh",)),
}
"""How the scripts of other interpreters end; what else they can run is not known here."""
_CODE_FOLLOWS = ("-c", "-e", "-r")

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


def split_command(command: str | Sequence[str]) -> list[str]:
    """
    Gets the words of a command line; a text is split as a shell would, but no shell ever runs it.

    For example, ``python3 'my bot.py'`` has two words.

    :raises ValueError: if there is no word, a quote is open or a word holds a NUL character
    """
    if isinstance(command, str):
        try:
            arguments = split_words(command)
        except ValueError as error:
            raise ValueError(
                Message("command {command} cannot be split: {why}", command=repr(command), why=prose(error))
            ) from None
    else:
        arguments = list(command)
    if not arguments or not arguments[0]:
        raise ValueError(Message("command {command} names no program", command=repr(command)))
    if any("\0" in word for word in arguments):
        raise ValueError(Message("command {command} holds a NUL character", command=repr(command)))
    return arguments


def program_words(command: str) -> list[str]:
    """
    Gets the words of a bot's command line; a program ``python`` is the interpreter that runs the judge.

    A folder stands for the program in it, as the only or the first word: ``./mybot`` may be ``./mybot/bot`` or
    ``python ./mybot/bot.py``.

    :raises ValueError: if there is no word, a quote is open, or a folder has no program that can be started
    """
    typed = split_command(command)
    if os.path.isdir(typed[0]) and shutil.which(typed[0]) is None:
        return [*_words_for(Path(typed[0])), *typed[1:]]
    program = assigned(typed)[1]
    return [*typed[: len(typed) - len(program)], sys.executable, *program[1:]] if program[0] == "python" else typed


def assigned(words: Sequence[str]) -> tuple[dict[str, str], Sequence[str]]:
    """
    Divides a command line into the variables that it sets, and the rest.

    For example, ``env THREADS=1 python3 bot.py`` sets one variable and starts ``python3 bot.py``.
    """
    own: dict[str, str] = {}
    for index, word in enumerate(words if words and words[0] == "env" else ()):
        assignment = _ASSIGNMENT.fullmatch(word)
        if assignment:
            own[assignment[1]] = assignment[2]
        elif index and own and not word.startswith("-"):
            return own, words[index:]
        elif index:
            break
    return {}, words


def missing_in(words: Sequence[str]) -> str:
    """Names the file of a command line that is missing, so that it cannot start; empty if none is known to be."""
    program = assigned(words)[1]
    if shutil.which(program[0]) is None:
        return Message("there is no program {program}", program=program[0])
    script = _script_of(program)
    if not script or os.path.exists(script):
        return ""
    return Message("there is no file {file} for {program} to run", file=script, program=Path(program[0]).name)


def _script_of(words: Sequence[str]) -> str:
    """Gets the file that an interpreter is to run; empty if the words name none."""
    interpreter = Path(words[0]).name
    if _PYTHON.fullmatch(interpreter):
        return _script_of_python(words[1:])
    suffixes = _SCRIPTS.get(interpreter, ())
    before = takewhile(lambda word: word not in _CODE_FOLLOWS, words[1:])
    return next((word for word in before if word.endswith(suffixes)), "") if suffixes else ""


def _script_of_python(words: Sequence[str]) -> str:
    left = iter(words)
    for word in left:
        if word in ("-X", "-W", "--check-hash-based-pycs"):
            next(left, "")
        elif word == "-" or word.startswith(("-c", "-m")):
            return ""
        elif not word.startswith("-"):
            return word
    return ""


def _words_for(folder: Path) -> list[str]:
    """
    Gets the words that start what lies in a folder: what was compiled there, or its script.

    :raises ValueError: if it must be compiled first, or again, or the file to start is ambiguous.
    """
    try:
        files = sorted(path.name for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise ValueError(
            Message("folder {folder}: it cannot be read: {why}", folder=folder, why=reason_of(error))
        ) from None
    if any(file in MAKEFILES or file.endswith(COMPILED) for file in files):
        program = _only("bot", [file for file in files if os.access(folder / file, os.X_OK)])
        if not program:
            raise ValueError(
                Message("folder {folder} has sources: compile them to a program called bot in it", folder=folder)
            )
        if newer := _newest_source(folder, files, program):
            raise ValueError(
                Message(
                    "folder {folder}: {source} is newer than the program {program}: compile it again",
                    folder=folder,
                    source=newer,
                    program=program,
                )
            )
        return [str(folder / program)]
    scripts = [file for file in files if file.endswith(".py")]
    program = next((file for file in MAINS if file in scripts), "") or _only("", scripts)
    if not program:
        raise ValueError(
            Message(
                "folder {folder}: no program is found in it; name its file, or the command that starts it",
                folder=folder,
            )
        )
    return [sys.executable, str(folder / program)]


def _newest_source(folder: Path, files: Sequence[str], program: str) -> str:
    """Names the newest source of a folder if it was changed after the program was made; empty if none was."""
    changed = {file: (folder / file).stat().st_mtime for file in files if file.endswith(COMPILED)}
    newest = max(changed, key=changed.__getitem__, default="")
    return newest if newest and changed[newest] > (folder / program).stat().st_mtime + _COPYING else ""


def _only(usual: str, names: Sequence[str]) -> str:
    return usual if usual in names else names[0] if len(names) == 1 else ""
