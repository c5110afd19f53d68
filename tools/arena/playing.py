"""A match from its results file to its results: what is left is played, shown and kept, until somebody stops it."""

import math
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.progress import TextColumn

from ddzbot.search.limit import parse_limit

from ..cluster.errors import ClusterError
from ..shared.bars import progress_bar
from ..shared.interrupts import INTERRUPTED, stop_on_signals
from ..shared.kept.autosave import Autosave
from ..shared.language import tr, translate
from ..shared.message import Message, prose
from ..shared.place import call_of
from ..shared.terminal import Console
from ..shared.work.pool import WorkersLostError
from .files.identity import Who, who_plays
from .files.match_files import MatchFiles
from .files.provenance import provenance
from .files.results_file import Entry
from .options import REVIEW, Options
from .played.apart import apart
from .played.cost import cost_of, seconds_of, seconds_played
from .played.faults import Reporter, always_at_fault, troubles_of
from .played.on_cluster import play_left
from .played.plan import Plan
from .played.runner import Progress
from .played.sets import Played
from .shown.results import Results, results_of
from .shown.text import print_cost, print_results, running_line
from .stand_ins import refuse_stand_ins

console = Console(stderr=True)


def refuse(plan: Plan) -> None:
    """
    Makes sure that every contestant plays itself.

    :raises ValueError: for the first one that cannot.
    """
    _look(plan, refuse_stand_ins, plan.rules, plan.contestants)


def _look(plan: Plan, function: Callable[..., Any], *arguments: Any) -> Any:
    """Looks at the players; where there may be many, what they load, torch above all, is gone afterwards."""
    return apart(function, *arguments) if plan.open else function(*arguments)


def check_file(call: Options, plan: Plan) -> None:
    """
    Looks at the results file, and makes none.

    :raises ValueError: if the match cannot go on in it.
    """
    if call.file and call.file.exists():
        with closing(MatchFiles(plan, call.file)) as files:
            if not plan.open and not Progress(plan, files.rows).finished:
                files.judge(_who(call, plan), call.mix, (), _say)


def _who(call: Options, plan: Plan) -> Who:
    """Finds out who plays, and whether it is who played before if there is a file to go on with."""
    place = call.crew.place
    where, jobs = (f"cluster {place.address}", 0) if place else ("", call.crew.jobs)
    if call.file is None:
        return Who(provenance(plan.rules, plan.contestants, where, jobs), {})
    found: Who = _look(plan, who_plays, plan, where, jobs)
    return found


def play(call: Options, plan: Plan, entries: tuple[Entry, ...] = ()) -> None:
    """
    Plays what is left of a match, or says how long that takes, and prints what came of it.

    *entries* are what was handed in for a field.

    :raises ValueError: before the first game, if it cannot be played, or not written.
    :raises SystemExit: after an interrupt, what ends the match before its end, and faults in a strict match.
    """
    with closing(MatchFiles(plan, call.file, call.games)) as files:
        progress = Progress(plan, files.rows)
        if files.found and files.found.torn:
            torn = "Results file {file}: the last {count} bytes are half a line and are dropped."
            _say(Message(torn, file=call.file, count=files.found.torn))
        if plan.open or not progress.finished:
            who = _who(call, plan)
            files.judge(who, call.mix, call.again, _say)
            progress = Progress(plan, files.rows)
            if call.estimate or (plan.kind == "everybody" and call.file and not progress.finished):
                _print_cost(progress, call.crew.jobs)
            if not progress.finished and not call.estimate:
                files.begin(who, call.thoughts, _say, entries)
        if progress.finished:
            files.shorten()
        if not call.estimate:
            _Match(call, progress, files, entries).play()


def _print_cost(progress: Progress, jobs: int) -> None:
    """Says how long it takes; whoever has no sets yet plays a few for that."""
    plan = progress.plan
    pairs = {pairing for pairing, _ in progress.left()}
    names = {plan.names[who] for pairing in pairs for who in plan.tables[pairing]}
    seconds = {player: one for player, one in seconds_played(plan, progress.rows).items() if player in names}
    fresh = [one for one in plan.contestants if one.spec in names - seconds.keys()]
    if fresh:
        seconds |= _look(plan, seconds_of, plan, fresh)
    print_cost(progress, cost_of(progress, seconds), dict(sorted(seconds.items())), jobs, console)


class _Match:
    """What is left of a match, while it is played."""

    def __init__(self, call: Options, progress: Progress, files: MatchFiles, entries: tuple[Entry, ...]) -> None:
        self._call, self._progress, self._files, self._entries = call, progress, files, entries

    def play(self) -> None:
        """Plays it, shows what came of it, and exits with what it means."""
        call, progress, files = self._call, self._progress, self._files
        series = progress.plan.kind == "series"
        every = 0.0 if series else None  # a deal of engines may take many minutes
        # To the end of the block: what was played is written, however often somebody presses Ctrl-C.
        before, ends = progress.played, time.monotonic() + 60 * (call.minutes or math.inf)
        with stop_on_signals() as stopped, closing(Autosave(files, _say, stopped, every)) as saver:
            failure = self._run(saver, lambda: stopped() or time.monotonic() > ends)
            saver.flush()
            late = not stopped() and time.monotonic() > ends
        results = results_of(progress)
        if not failure or any(progress.rows):
            print_results(results, Console(), every=False, entries=self._entries)
        if files.style:
            lists = call_of("games", str(files.games))
            _say(Message("The games are in {file}; {command} lists them.", file=files.games, command=lists))
        if failure:
            why = prose(failure)
            again = Message("Stopped: {why}. The same command goes on.", why=why)
            _say(again if call.file else Message("Stopped: {why}.", why=why))
            sys.exit(1)
        if not progress.finished and not late:
            if call.file:
                _say(Message("Stopped by an interrupt; run the same command again to go on."))
            else:
                _say(Message("Stopped by an interrupt; with --json FILE the next one can be resumed."))
            sys.exit(INTERRUPTED)
        if not progress.finished:
            late_words = "Stopped after {minutes} minutes: the order may not be clear. The same command goes on."
            _say(Message(late_words, minutes=f"{call.minutes:g}"))
        if call.page and (progress.played > before or not call.page.exists()):
            self._write_page(call.page, results)
        self._judge(results)

    def _judge(self, results: Results) -> None:
        """
        Exits with 1 after what the match does not accept: faults in a strict one or a series, or nothing but faults.

        Where several pairs meet, one program that only fails spoils its own pairs and not the match.
        """
        call, series = self._call, results.plan.kind == "series"
        troubles = troubles_of(results.counts) if call.strict or series else []
        always = [] if series else always_at_fault(results.plan, results.rows)
        for trouble in troubles:
            _say(Message("At fault: {trouble}." if series else "Strict: {trouble}.", trouble=trouble))
        for trouble in always:
            _say(Message("At fault: {trouble}.", trouble=trouble))
        if troubles or (always and len(results.plan.tables) == 1):
            sys.exit(1)

    def _write_page(self, page: Path, results: Results) -> None:
        # Only here, because it loads the reviews.
        from .shown.page import write_page

        call = self._call
        write_page(page, results, self._files.games, self._entries, parse_limit(REVIEW), call.crew, call.quiet)
        _say(Message("The page to send round is {file}.", file=page))

    def _run(self, saver: Autosave, stopped: Callable[[], bool]) -> str:
        """Plays what is left, and gets why that could not be, or an empty text."""
        progress = self._progress
        with _Bar(progress, saver, self._call.quiet) as bar:
            try:
                while not progress.finished and not stopped():
                    before = progress.played
                    bar.begin()
                    play_left(self._call.crew, progress, bar.done, stopped, self._files.style, bar.show, _say)
                    if progress.played == before:
                        break
            except (ClusterError, WorkersLostError) as error:
                return str(error)
        return ""


def _say(sentence: str) -> None:
    console.print(translate(sentence), soft_wrap=True, highlight=False)


class _Bar:
    """The progress bar, with the running result."""

    def __init__(self, progress: Progress, saver: Autosave, quiet: bool) -> None:
        self._progress = progress
        self._saver = saver
        self._reporter = Reporter(progress.plan.pairs, _say)
        self._bar = progress_bar(TextColumn("{task.fields[cluster]}", markup=False), console=console, disable=quiet)
        self._task = self._bar.add_task(tr("playing"), cluster="")
        self.begin()

    def begin(self) -> None:
        """Counts what there is to play."""
        have = self._progress.played
        self._bar.update(self._task, total=have + sum(1 for _ in self._progress.left()), completed=have)

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._bar.stop()

    def done(self, pairing: int, played: Played) -> None:
        """Shows a set that was played, and what went wrong in it, and has it saved."""
        self._reporter.look(pairing, played.row)
        self._bar.advance(self._task)
        self._bar.update(self._task, description=running_line(self._progress))
        self._saver.add(pairing, played)

    def show(self, text: str) -> None:
        """Shows who plays."""
        self._bar.update(self._task, cluster=text)
