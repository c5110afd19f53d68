"""
A folder of programs as contestants: each compiled and checked once, in processes of their own.

A program that cannot play is listed with its reason. One that can is kept under the hash of the files that were handed
in. So the same command resumes after any death, and another hand-in is another player. A refusal
is not kept, for a missing compiler or a busy machine may be its cause.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import msgspec
import psutil

from ddzbot.protocol.last_resort import shortened

from ...judge.process_limits import Limits
from ...referee.games import GAME_OF_RULES
from ...shared.bars import progress_bar
from ...shared.bounds import LONGEST_REASON, reason_of
from ...shared.contestants import Contestant
from ...shared.json_text import json_line, parse_json
from ...shared.language import tr
from ...shared.message import Message, as_message, from_json, to_json, with_values
from ...shared.plain import plain_name
from ...shared.storage.state import state_folder
from ...shared.storage.whole_file import put
from ...shared.terminal import Console
from ...shared.work.pool import run_in_pool
from ..check.bench import Bench
from ..check.run import choose, run_steps
from ..check.scenes import GAMES
from ..check.watched import Terms
from ..files.results_file import Entry
from .build import SCRIPT, build_program, encoding_of
from .handed_in import HandedIn, HandedInError, copy_program, digest_of, handed_in

_NOTE = "kept.json"
KEEP_RUNNING = "--keep-running"
"""What a program is called with that keeps running only if it is asked to."""
_NEEDED = ("start", "output")
"""The steps of the check without which no answer ever counts."""


class Field(NamedTuple):
    """A folder of programs."""

    entries: tuple[Entry, ...]
    """All that was handed in."""
    contestants: tuple[Contestant, ...]
    """Those that play."""
    seconds: Mapping[str, float]
    """How long a turn of each of them took in its check."""


class _Kept(msgspec.Struct):
    """What is kept of a program that plays."""

    start: str
    """The program, in the folder ``program``."""
    checked: dict[str, list[Any]] = {}
    """By game, what else the check found, each as :func:`tools.shared.message.to_json` writes it."""
    options: dict[str, list[str]] = {}
    """By game, the words behind the program with which it plays."""
    seconds: dict[str, float] = {}
    """By game, how long a turn of it took in the check."""


class _Task(NamedTuple):
    """One program to judge."""

    entry: HandedIn
    game: str
    anew: bool
    """Whether what is kept of it does not count."""


class _Judged(msgspec.Struct):
    """What came of one program."""

    digest: str = ""
    words: list[str] = []
    """How it is started."""
    home: str = ""
    """The folder that it is started in."""
    seconds: float = 0.0
    """How long a turn of it took in the check."""
    problem: str = ""
    notes: list[str] = []
    """What else the check found."""


def field_of(
    folder: Path,
    taken: Sequence[str],
    rules: str,
    jobs: int,
    say: Callable[[str], None],
    quiet: bool = True,
    again: Sequence[str] = (),
    forecast: Callable[[int, int], Iterable[str]] = lambda programs, fresh: (),
) -> Field:
    """
    Compiles and checks the programs of a folder, in so many processes.

    *say* prints what is wrong with each as soon as it is known, and before the first one what *forecast* says of the
    number of programs, and of those that must be checked. Those that shall play *again* are compiled and checked anew.

    :raises ValueError: if there is none in it, or none of a name in *again*.
    """
    programs = handed_in(folder, frozenset(taken))
    names = [*taken, *(program.name for program in programs)]
    for player in again:
        if player not in names:
            problem = "--replay-pairs {player}: it does not play; there are {names}"
            raise ValueError(Message(problem, player=player, names=", ".join(names)))
    _sweep()
    results: dict[str, _Judged] = {}
    tasks = [_Task(program, GAME_OF_RULES[rules], program.name in again) for program in programs]
    for sentence in forecast(len(tasks), sum(map(_is_fresh, tasks))):
        say(sentence)

    def done(task: _Task, judged: _Judged) -> None:
        results[task.entry.name] = judged
        _report(task.entry.name, judged, say)
        bar.advance(bar_task)

    with progress_bar(console=Console(stderr=True), disable=quiet, transient=True) as bar:
        bar_task = bar.add_task(tr("compiling and checking"), total=len(programs))
        run_in_pool(jobs, _judge_safely, tasks, done, name=lambda task: f"program {task.entry.name}", lost=_lost)
    entries, contestants = [], []
    for name, result in sorted(results.items()):
        why = as_message(result.problem) if result.problem else None
        entries.append(Entry(name, result.digest, why, tuple(map(as_message, result.notes))))
        if not why:
            contestants.append(Contestant(name, None, tuple(result.words), None, result.home, result.digest))
    out = len(entries) - len(contestants)
    if out:
        singular = "{out} of {all} does not play; the next start judges it again."
        plural = "{out} of {all} do not play; the next start judges them again."
        say(Message(singular if out == 1 else plural, out=out, all=len(entries)))
    seconds = {contestant.spec: results[contestant.spec].seconds for contestant in contestants}
    return Field(tuple(entries), tuple(contestants), seconds)


def _report(name: str, judged: _Judged, say: Callable[[str], None]) -> None:
    if judged.problem:
        say(Message("{name} does not play: {problem}", name=name, problem=judged.problem))
    for sentence in judged.notes:
        say(Message("{name}, check: {note}", name=name, note=sentence))


def _is_fresh(task: _Task) -> bool:
    """Tests whether a program must be checked."""
    try:
        note = None if task.anew else _read_note(_top() / digest_of(task.entry.path))
    except (HandedInError, OSError):
        return True
    return note is None or task.game not in note.checked


def _top() -> Path:
    return state_folder() / "field"


def _sweep() -> None:
    """Removes what processes left behind that were killed while they made it."""
    for part in _top().glob("*.*"):
        maker = part.name.rpartition(".")[2]
        if maker.isdecimal() and not psutil.pid_exists(int(maker)):
            shutil.rmtree(part, ignore_errors=True)


def _lost(task: _Task, how: str) -> _Judged:
    return _Judged(problem=Message("it ends every process that reads it, the last one {how}", how=how))


def _judge_safely(task: _Task) -> _Judged:
    """Judges one program: whatever goes wrong is its problem, and stops no other one."""
    judged = _Judged()
    try:
        _judge(task, judged)
    except Exception as error:
        judged.problem = _sentence(error)
    judged.problem = with_values(judged.problem, plain_name)
    judged.notes = [with_values(note, plain_name) for note in judged.notes]
    return judged


def _sentence(error: Exception) -> str:
    if isinstance(error, HandedInError):
        return str(error)
    if isinstance(error, OSError):
        return Message("it cannot be read, or not kept: {why}", why=reason_of(error))
    what = shortened(f"{type(error).__name__}: {error}", LONGEST_REASON)
    return Message("it cannot be judged: {what}", what=what)


def _judge(task: _Task, judged: _Judged) -> None:
    """Compiles and checks one program, unless that was done before."""
    judged.digest = digest_of(task.entry.path)
    home = _top() / judged.digest
    note = None if task.anew else _read_note(home)
    if note is None:
        note = _make_folder(task.entry.path, home, judged.digest, task.anew)
    program = home / "program" / note.start
    judged.home = str(program.parent)
    if task.game in GAMES and task.game not in note.checked:
        report = check_program(_words(program), task.game)
        judged.problem, judged.notes = (report.problem and encoding_of(program.parent)) or report.problem, report.notes
        if not judged.problem:
            note.checked[task.game], note.options[task.game] = [*map(to_json, report.notes)], report.options
            note.seconds[task.game] = report.seconds
            _write_note(home, note)
    judged.words = [*_words(program), *note.options.get(task.game, [])]
    judged.seconds = note.seconds.get(task.game, 0.0)
    judged.notes = [*map(from_json, note.checked[task.game])] if task.game in note.checked else judged.notes


def _words(program: Path) -> list[str]:
    return [sys.executable, str(program)] if program.suffix.lower() in (SCRIPT, ".zip") else [str(program)]


def _read_note(home: Path) -> _Kept | None:
    try:
        note = msgspec.convert(parse_json((home / _NOTE).read_text("utf-8")), _Kept)
    except (OSError, ValueError, msgspec.ValidationError):
        return None
    return note if (home / "program" / note.start).is_file() else None


def _write_note(home: Path, note: _Kept) -> None:
    put(home / _NOTE, json_line(msgspec.to_builtins(note)))


def _make_folder(path: Path, home: Path, digest: str, anew: bool) -> _Kept:
    """Makes the folder of a program, whole or not at all, even if two processes make it at the same time."""
    part, old = (home.with_name(f"{digest}{which}.{os.getpid()}") for which in ("", "-old"))
    _remove(part, old)
    try:
        if copy_program(path, part / "copy") != digest:
            raise HandedInError(Message("it changed while it was read"))
        _inner(part / "copy").rename(part / "program")
        _remove(part / "copy")  # what stood around it
        note = _Kept(_with_plain_name(build_program(part / "program")).name)
        part.chmod(0o755)
        _write_note(part, note)
        if home.exists() and (anew or _read_note(home) is None):
            home.rename(old)
        if not home.exists():
            part.rename(home)
        return _read_note(home) or note
    finally:
        _remove(part, old)


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _inner(folder: Path) -> Path:
    """Goes down where there is nothing but a folder, as zips have it."""
    inner = [*folder.iterdir()]
    return _inner(inner[0]) if len(inner) == 1 and inner[0].is_dir() else folder


def _with_plain_name(program: Path) -> Path:
    """Renames a program if its name is not text, for the name goes into files and command lines."""
    try:
        program.name.encode("utf-8")
    except UnicodeEncodeError:
        return program.rename(program.with_name(f"main{program.suffix}"))
    return program


class Checked(NamedTuple):
    """What the check found of a program."""

    problem: str
    """Why it cannot play; empty if it can."""
    notes: list[str]
    """What else there is, ``STEP: message`` each."""
    options: list[str]
    """The words behind it with which it plays."""
    seconds: float
    """How long a turn took, in the mean, as it plays."""


def check_program(words: Sequence[str], game: str, try_to_keep: bool = True) -> Checked:
    """
    Checks a program of *game*, started in its own folder.

    It plays with ``--keep-running`` behind it if it asks with that alone to be kept running, and the check of that
    finds nothing: ``bot.py`` of this project does.
    """
    terms = Terms(Limits(), home=str(Path(words[-1]).parent))
    bench = Bench(words, None, (game,), terms, rounds=1)
    failed = _failures(bench, ",".join(_NEEDED))
    if failed:
        return Checked(next(iter(failed.values())), [], [], 0.0)
    options: list[str] = []
    if try_to_keep and not bench.asks_to_keep_running:
        keep_command = [*words, KEEP_RUNNING]
        if Bench(keep_command, None, (game,), terms).asks_to_keep_running:
            options, bench = [KEEP_RUNNING], Bench(words, keep_command, (game,), terms, rounds=1)
    failed = _failures(bench)
    if failed and options:
        return check_program(words, game, try_to_keep=False)
    problem = next((failed[step] for step in _NEEDED if step in failed), "")
    others = {step: sentence for step, sentence in failed.items() if step not in _NEEDED}
    notes: list[str] = [
        Message("{step}: {sentence}", step=step, sentence=sentence) for step, sentence in others.items()
    ]
    turns = [note.answer.seconds for note in bench.notes if bench.keep_command is None or note.phase == "kept"]
    return Checked(problem, notes, options, fmean(turns) if turns else 0.0)


def _failures(bench: Bench, steps: str = "") -> dict[str, str]:
    """Runs some steps of the check, or all, and gets what each that fails says."""
    return {finding.name: finding.sentence for finding in run_steps(bench, choose(steps)) if finding.status == "fail"}
