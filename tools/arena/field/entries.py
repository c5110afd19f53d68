"""
A folder of programs as contestants: each compiled and checked once, in processes of their own.

What came of it is kept under the hash of what was handed in. So the same command goes on after any death, and whoever
hands in something else is another player.
"""

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...judge.process_limits import Limits
from ...referee.games import GAME_OF_RULES
from ...shared.bars import progress_bar
from ...shared.contestants import Contestant
from ...shared.kept.folder import state_folder
from ...shared.kept.whole_file import put
from ...shared.plain import plain
from ...shared.terminal import Console
from ...shared.work.pool import run_in_pool
from ..check.bench import Bench
from ..check.run import choose, run_steps
from ..check.scenes import GAMES
from ..check.watched import Terms
from ..results_file import Entry
from .build import built
from .handed_in import HandedInError, copied, digest_of, handed_in

__all__ = ["Field", "checked", "field_of"]

_NOTE = "made.json"
_NEEDED = ("start", "output")
"""The steps of the check without which no answer ever counts."""


class Field(NamedTuple):
    """A folder of programs."""

    entries: tuple[Entry, ...]
    """All that was handed in."""
    contestants: tuple[Contestant, ...]
    """Those that play."""


class _Made(msgspec.Struct):
    """What is known of a program, whoever handed it in."""

    start: str = ""
    """The program, in the folder of this; empty if there is none."""
    problem: str = ""
    checked: dict[str, list[str]] = {}
    """By game, what the check found."""


def field_of(
    folder: Path, taken: Sequence[str], rules: str, jobs: int, say: Callable[[str], None], quiet: bool = True
) -> Field:
    """
    Compiles and checks the programs of a folder, in so many processes; *say* hears what is wrong with each.

    :raises ValueError: if there is none in it.
    """
    programs = {one.name: one.path for one in handed_in(folder, frozenset(taken))}
    digests, refused = {}, {}
    for name, path in programs.items():
        try:
            digests[name] = digest_of(path)
        except HandedInError as error:
            refused[name] = _Made(problem=str(error))
    same = {digest: programs[name] for name, digest in digests.items()}
    found: dict[str, _Made] = {}

    def done(task: tuple[str, Path, str], made: _Made) -> None:
        found[task[0]] = made
        bar.advance(bar_task)

    with progress_bar(console=Console(stderr=True), disable=quiet, transient=True) as bar:
        bar_task = bar.add_task("compiling and checking", total=len(same))
        tasks = [(digest, path, GAME_OF_RULES[rules]) for digest, path in same.items()]
        run_in_pool(jobs, _prepared, tasks, done, name=lambda one: f"program {plain(one[1].name)}")
    entries, contestants = [], []
    for name in sorted(programs):
        digest = digests.get(name, "")
        made = refused.get(name) or found[digest]
        said = tuple(made.checked.get(GAME_OF_RULES[rules], ()))
        entries.append(Entry(name, digest, made.problem, said))
        if made.problem:
            say(f"{name} does not play: {made.problem}")
        else:
            words = _words(_home(digest), made)
            contestants.append(Contestant(name, None, tuple(words), None, str(Path(words[-1]).parent), digest))
        for sentence in said:
            say(f"{name}, check: {sentence}")
    return Field(tuple(entries), tuple(contestants))


def _home(digest: str) -> Path:
    return state_folder() / "field" / digest


def _words(home: Path, made: _Made) -> list[str]:
    program = str(home / made.start)
    return [sys.executable, program] if made.start.endswith((".py", ".zip")) else [program]


def _prepared(task: tuple[str, Path, str]) -> _Made:
    """Compiles and checks one program, unless that was done before."""
    digest, path, game = task
    home = _home(digest)
    made = _kept(home) or _made(path, home)
    if made.start and game not in made.checked and game in GAMES:
        made.problem, made.checked[game] = checked(_words(home, made), game)
        put(home / _NOTE, msgspec.json.encode(made))
    return made


def _kept(home: Path) -> _Made | None:
    try:
        made = msgspec.json.decode((home / _NOTE).read_bytes(), type=_Made)
    except (OSError, msgspec.DecodeError):
        return None
    return made if not made.start or (home / made.start).is_file() else None


def _made(path: Path, home: Path) -> _Made:
    """Makes the folder of a program, which is there whole or not at all, whoever makes it at the same time."""
    part = home.with_name(f"{home.name}.{os.getpid()}")
    for old in (part, home):
        shutil.rmtree(old, ignore_errors=True)
    try:
        copied(path, part / "program")
        made = _Made(built(part / "program").relative_to(part).as_posix())
    except HandedInError as error:
        made = _Made(problem=str(error))
    part.mkdir(parents=True, exist_ok=True)
    part.chmod(0o755)
    put(part / _NOTE, msgspec.json.encode(made))
    try:
        part.rename(home)
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
    return made


def checked(words: Sequence[str], game: str) -> tuple[str, list[str]]:
    """Gets why a program cannot play, started in its own folder, if so, and what else the check finds."""
    home = str(Path(words[-1]).parent)
    bench = Bench(words, None, (game,), Terms(Limits(), home=home), rounds=1)
    failed = {one.name: one.sentence for one in run_steps(bench, choose("")) if one.status == "fail"}
    problem = next((failed[name] for name in _NEEDED if name in failed), "")
    return problem, [f"{name}: {sentence}" for name, sentence in failed.items() if name not in _NEEDED]
