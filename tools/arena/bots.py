"""Get bots that other people published, to play against: ``python -m tools bots get eric``."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import click

from ..programs.sandbox import warn_of_open_programs
from ..shared.errors import InputError
from ..shared.foreign_bots import PROGRAM, ForeignBotError, Recipe, recipe, recipes
from ..shared.interrupts import Group
from ..shared.options import EXISTING_FOLDER, sandbox_option
from ..shared.storage.lock import Lock, TakenError
from ..shared.terminal import say
from .field.build import build_program
from .field.entries import check_program
from .field.handed_in import HandedInError, copy_program

HOST = "https://github.com"
_ASKS = "could not read Username"
"""What git prints instead of asking for a name."""


@click.group(cls=Group)
def main() -> None:
    """Get bots that other people published, to play against as bot:NAME."""


@main.command("list")
def show() -> None:
    """List the bots, and which of them are here."""
    for name, bot in recipes().items():
        here = "here" if bot.is_here else "not here"
        say(f"{name:<12} {bot.game:<17} {bot.language:<6} {bot.licence:<11} {here:<8} {bot.repository}")


@main.command()
@click.argument("name")
@click.option("--source", type=EXISTING_FOLDER, help="Use this copy of its repository.")
@sandbox_option
def get(name: str, source: Path | None) -> None:
    """Clone, compile and check the bot NAME; it is installed once it answers."""
    try:
        chosen = recipe(name)
        warn_of_open_programs([[PROGRAM]])
        notes = _got(chosen, source)
    except HandedInError as error:
        raise InputError(f"bot {name} does not play: {error}") from None
    except (ForeignBotError, OSError) as error:
        raise InputError(str(error)) from None
    say(f"It plays as bot:{name}.")
    for sentence in notes:
        say(f"check: {sentence}")


def _got(bot: Recipe, source: Path | None) -> list[str]:
    """
    Makes and checks a bot beside its place, and puts it there as a whole; gets what the check found.

    :param source: a copy of the repository that is here already.
    :raises ForeignBotError: for an error of git, or if git is not installed.
    :raises HandedInError: for what does not compile, or does not answer.
    """
    top = bot.top
    top.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = Lock(top.with_suffix(".lock"))
    except TakenError:
        raise ForeignBotError(f"bot {bot.name}: another process gets it") from None
    part, old = top.with_suffix(".part"), top.with_suffix(".old")
    try:
        if old.exists() and not top.exists():
            os.rename(old, top)  # a process was killed between the two renames below
        _remove(part, old)
        _make(bot, source, part)
        report = check_program([str(part / PROGRAM)], bot.game, try_to_keep=False)
        if report.problem:
            raise HandedInError(report.problem)
        if top.exists():
            os.rename(top, old)
        os.rename(part, top)
        _remove(old)
        return report.notes
    finally:
        _remove(part)
        lock.close()


def _make(bot: Recipe, source: Path | None, part: Path) -> None:
    with tempfile.TemporaryDirectory() as clone:
        here = str(source or "") or f"{HOST}/{bot.repository}.git"
        _git(bot, "clone", "--quiet", "--no-checkout", here, clone)
        _git(bot, "-C", clone, "checkout", "--quiet", bot.commit, "--", *bot.files)
        copy_program(Path(clone, bot.folder), part)
    for file, content in bot.add.items():
        (part / file).parent.mkdir(exist_ok=True)
        (part / file).write_text(content, "utf-8")
    build_program(part)


def _git(bot: Recipe, *words: str) -> None:
    # GitHub asks for a password where there is no such repository.
    mute = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", env=mute
        )
    except FileNotFoundError:
        raise ForeignBotError(f"bot {bot.name}: git is not installed") from None
    if done.returncode:
        if _ASKS in done.stderr:
            asks = f"{HOST}/{bot.repository} asks for a password"
            raise ForeignBotError(f"bot {bot.name}: {asks}: it is gone or private; --source takes a copy of it")
        lines = done.stderr.splitlines()[-1:] or ["git prints nothing"]
        raise ForeignBotError(f"bot {bot.name}: {lines[0]}")


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
