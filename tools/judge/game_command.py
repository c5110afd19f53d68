"""Plays the match that the command line asks for, shows it, writes it down, and prints its results."""

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ddzbot.players.registry import checked_player, is_player, player_names

from ..programs import program_of
from ..programs.sandbox import warn_of_open_programs
from ..records.files import write_texts
from ..records.record import RecordError
from ..referee.games import make_referee
from ..referee.referee import RefereeError
from ..shared.bounds import unwritable
from ..shared.commands import assigned, missing_in, program_words
from ..shared.foreign_bots import PREFIX, foreign_words
from ..shared.json_text import json_text
from ..shared.language import tr
from ..shared.message import Message, prose
from ..shared.names import divided, named, short_names
from ..shared.player_help import refuse_help
from ..shared.storage.growing_file import JournalError, append_line
from ..shared.terminal import Console
from .game import JudgeGame
from .game_report import JudgeScreen, result_table
from .process import BotProcess, Mode
from .process_limits import FIRST, Limits


@dataclass(frozen=True)
class GameOptions:
    """The options of a match."""

    game: str
    initdata: Any
    seed: str
    mode: Mode
    limits: Limits
    record: Path | None
    append: bool
    show: bool
    thoughts: bool
    as_json: bool


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Lets the match end with the judge's own exit status, where rich would take that of a bot's fault."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def make_limits(seconds: float | None, memory_mib: float) -> Limits:
    """
    Gets the limits of a bot; without *seconds* those of the platform.

    For example, ``make_limits(2, 256)`` gives every turn 2 s and the first one 4 s.
    """
    if seconds is None:
        return Limits(memory_mib=memory_mib)
    return Limits(FIRST * seconds, seconds, seconds, memory_mib)


def bot_words(bot: str) -> list[str]:
    """
    Gets the words that start a bot: a command line, or a player such as ``mcm:setting=thesis``, perhaps with a name.

    :raises ValueError: for an unknown player, option or value, and for a program that is not there
    """
    bot = named(bot)[1]
    refuse_help(bot)
    if bot.startswith(PREFIX):
        return foreign_words(bot)
    if is_player(bot):
        return [sys.executable, *program_of(checked_player(bot).name), "--player", bot]
    command = program_words(bot)
    program = assigned(command)[1]
    if shutil.which(program[0]) is None:
        alone = "program {program} does not exist, or may not be run"
        if command[1:]:
            raise ValueError(Message(alone, program=repr(program[0])))
        both = "program {program} does not exist, or may not be run, and is no player: there are {names}"
        raise ValueError(Message(both, program=repr(program[0]), names=", ".join(player_names())))
    if missing := missing_in(command):
        raise ValueError(Message("bot {bot}: {missing}", bot=repr(bot), missing=missing))
    return command


def run_game(commands: Sequence[str], options: GameOptions) -> bool:
    """
    Plays a match of the bots with these command lines, and returns whether none was at fault.

    :raises RefereeError: before the match, for a command that is none and for initdata that makes no game
    :raises OSError: if the judge itself cannot continue, or cannot write the record
    """
    with ExitStack() as stack:
        try:
            warn_of_open_programs(map(bot_words, commands))
            bots = [stack.enter_context(_bot(command, options)) for command in commands]
            match = JudgeGame(make_referee(options.game, options.initdata, options.seed), bots)
        except ValueError as error:
            raise RefereeError(str(error)) from None
        undrawn = _play(match, commands, options)
    _write(match, commands, options)
    if undrawn:
        raise undrawn
    _report(match, commands, options)
    return not match.faults


def _bot(command: str, options: GameOptions) -> BotProcess:
    return BotProcess(bot_words(command), options.mode, options.limits)


def _play(match: JudgeGame, commands: Sequence[str], options: GameOptions) -> Exception | None:
    """Plays to the end. A match that is recorded continues if it cannot be drawn any more; the reason comes back."""
    turns = match.turns()
    try:
        if options.show:
            screen = JudgeScreen(_Screen(stderr=options.as_json), _labels(commands), match, options.thoughts)
            for turn in turns:
                screen.draw(turn)
    except Exception as error:
        for _ in turns if options.record else ():
            pass
        if match.output.command == "request":
            raise
        return error
    for _ in turns:
        pass
    return None


def _labels(commands: Sequence[str]) -> list[str]:
    short = short_names(commands)
    return [short[command] for command in commands]


def _record(match: JudgeGame, commands: Sequence[str], game: str) -> dict[str, Any]:
    """Gets the record, in which a bot that has a name is called by it."""
    record = match.record(game)
    return {
        **record,
        "bots": [divided(command)[0] or recorded for command, recorded in zip(commands, record["bots"], strict=True)],
    }


def _write(match: JudgeGame, commands: Sequence[str], options: GameOptions) -> None:
    path = options.record
    if path is None:
        return
    line = json_text(_record(match, commands, options.game))
    try:
        if options.append and (path.is_file() or not path.exists()):
            append_line(path, line.encode())
        else:
            write_texts(path, [line + "\n"])
    except RecordError as error:
        raise OSError(str(error)) from None
    except (OSError, JournalError) as error:
        raise OSError(unwritable(path, error)) from None


def _report(match: JudgeGame, commands: Sequence[str], options: GameOptions) -> None:
    errors = Console(stderr=True)
    for fault in match.faults:
        sentence = tr("turn {turn}: {problem}", turn=fault.turn, problem=prose(fault.sentence))
        errors.print(Text(sentence), soft_wrap=True)
    if options.as_json:
        result = {key: value for key, value in _record(match, commands, options.game).items() if key != "log"}
        click.echo(json_text({**result, "record": options.record and str(options.record)}, ascii_only=True))
        return
    console = _Screen()
    console.print(result_table(match, _labels(commands)))
    lines = [options.game if options.initdata else tr("{game}, seed {seed}", game=options.game, seed=options.seed)]
    if options.record is not None:
        lines.append(tr("The record is in {file}", file=options.record))
    for sentence in lines:
        console.print(Text(sentence), soft_wrap=True)
