"""A match from its results file to its results: what is left is played, shown and saved, until an interrupt."""

import math
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.progress import TextColumn

from ..cluster.errors import ClusterError
from ..programs.sandbox import warn_of_open_programs
from ..shared.bars import progress_bar
from ..shared.compiling import kernel_at_start
from ..shared.interrupts import INTERRUPTED, stop_on_signals
from ..shared.language import tr
from ..shared.message import Message, prose
from ..shared.named_files import refuse_twice
from ..shared.paths import call_of
from ..shared.storage.autosave import Autosave
from ..shared.terminal import Console
from ..shared.work.pool import WorkersLostError
from .fallbacks import refuse_fallbacks
from .files.identity import Lineup, lineup_of
from .files.match_files import MatchFiles, check_same
from .files.provenance import provenance, tags_of
from .files.results_file import Entry, read
from .matches.cost import cost_of, seconds_of, seconds_played
from .matches.faults import Reporter, always_at_fault, troubles_of
from .matches.in_subprocess import run_in_subprocess
from .matches.on_cluster import play_left
from .matches.plan import Plan
from .matches.runner import Progress
from .matches.sets import PlayedSet
from .one_game import print_game
from .options import PlayOptions
from .reports.results import Results, results_of
from .reports.text import print_cost, print_results, print_unfinished, running_line

console = Console(stderr=True)

CHECK = "check"
"""A command whose object (click's ``obj``) is this plays nothing, and only reports what would be refused."""


def begin(plan: Plan, run: PlayOptions, entries: tuple[Entry, ...] = ()) -> None:
    """
    Does what a command was asked for: plays a match to its end, or one game of it again.

    *entries* are what was handed in for a class.

    :raises ValueError: before the first game, if it cannot be played.
    """
    if run.thoughts and not run.save_games:
        raise ValueError(Message("--thoughts are kept with the games, which --save-games FILE writes"))
    refuse_twice(run.results, run.save_games, run.page)
    kernel_at_start()
    warn_of_open_programs(
        contestant.command for contestant in plan.contestants if contestant.is_program and not contestant.digest
    )
    if not run.allow_fallback:
        _look(plan, refuse_fallbacks, plan.rules, plan.contestants)
    if click.get_current_context().obj is CHECK:
        check_file(run, plan)
    elif run.replay_game:
        if run.results and run.results.exists():
            check_same(read(run.results), plan, run.results)
        print_game(plan, run.replay_game, tags_of(provenance(plan.rules, plan.contestants, "", 1)))
    else:
        play(run, plan, entries)


def _look(plan: Plan, function: Callable[..., Any], *arguments: Any) -> Any:
    """Looks at the players; where there may be many, what they load, torch above all, is gone afterwards."""
    return run_in_subprocess(function, *arguments) if plan.open else function(*arguments)


def check_file(run: PlayOptions, plan: Plan) -> None:
    """
    Looks at the results file, and makes none.

    :raises ValueError: if the match cannot be resumed from it.
    """
    if run.results and run.results.exists():
        with closing(MatchFiles(plan, run.results)) as files:
            if not plan.open:
                _judged(run, plan, files)


def _judged(run: PlayOptions, plan: Plan, files: MatchFiles) -> tuple[Progress, Lineup | None]:
    """
    Gets the sets that count, and the program that plays; None if nothing is left to play of a match that is not open.

    :raises MixedError: for another match, if a player has changed.
    """

    def lineup_now() -> Lineup:
        lineup = _lineup(run, plan)
        files.judge(lineup, run.mix, run.replay_pairs, _say)
        return lineup

    lineup = lineup_now() if plan.open else None  # before the sets are counted: those of a changed player are dropped
    progress = Progress(plan, files.rows)
    return progress, lineup or (None if progress.finished else lineup_now())


def _lineup(run: PlayOptions, plan: Plan) -> Lineup:
    """Describes the program that plays; identifies its players, too, if a results file has to be compared."""
    address = run.workers.place
    where, jobs = (f"cluster {address}", 0) if address else ("", run.workers.jobs)
    if run.results is None:
        return Lineup(provenance(plan.rules, plan.contestants, where, jobs), {})
    lineup: Lineup = _look(plan, lineup_of, plan, where, jobs)
    return lineup


def play(run: PlayOptions, plan: Plan, entries: tuple[Entry, ...] = ()) -> None:
    """
    Plays what is left of a match, and prints what came of it.

    *entries* are what was handed in for a class.

    :raises ValueError: before the first game, if it cannot be played, or not written.
    :raises SystemExit: after an interrupt, what ends the match before its end, and faults in a strict match.
    """
    with closing(MatchFiles(plan, run.results, run.save_games)) as files:
        if files.found and files.found.torn:
            torn = "Results file {file}: the last {count} bytes are half a line and are dropped."
            _say(Message(torn, file=run.results, count=files.found.torn))
        progress, lineup = _judged(run, plan, files)
        if progress.finished:
            files.shorten()
        elif lineup:
            if plan.kind == "everybody" and run.results:
                _print_cost(progress, run.workers.jobs)
            files.begin(lineup, run.thoughts, _say, entries)
        _Match(run, progress, files, entries).play()


def _print_cost(progress: Progress, jobs: int) -> None:
    """Prints how long the match takes; players without any sets yet play a few for that."""
    plan = progress.plan
    pairs = {pairing for pairing, _ in progress.left()}
    names = {plan.names[player] for pairing in pairs for player in plan.tables[pairing]}
    seconds = {player: spent for player, spent in seconds_played(plan, progress.rows).items() if player in names}
    fresh = [contestant for contestant in plan.contestants if contestant.spec in names - seconds.keys()]
    if fresh:
        seconds |= _look(plan, seconds_of, plan, fresh)
    print_cost(progress, cost_of(progress, seconds), dict(sorted(seconds.items())), jobs, console)


class _Match:
    """What is left of a match, while it is played."""

    def __init__(self, run: PlayOptions, progress: Progress, files: MatchFiles, entries: tuple[Entry, ...]) -> None:
        self._run, self._progress, self._files, self._entries = run, progress, files, entries

    def play(self) -> None:
        """Plays it, shows what came of it, and exits with what it means."""
        run, progress, files = self._run, self._progress, self._files
        every = 0.0 if progress.plan.in_turn else None  # a deal of engines may take many minutes
        # To the end of the block: what was played is written, however often the user presses Ctrl-C.
        before, ends = progress.played, time.monotonic() + 60 * (run.minutes or math.inf)
        with stop_on_signals() as stopped, closing(Autosave(files, _say, stopped, every)) as saver:
            failure = self._play_left(saver, lambda: stopped() or time.monotonic() > ends)
            saver.flush()
            late = not stopped() and time.monotonic() > ends
        interrupted = not failure and not progress.finished and not late
        if interrupted and not progress.played:
            # At once: the statistics of nothing would have to be loaded first.
            print_unfinished(progress.plan, 0, Console())
            self._end_early()
        results = results_of(progress)
        if not failure or any(progress.rows):
            print_results(results, Console(), every=False, entries=self._entries, seers=progress.plan.seers)
        if files.style:
            lists = call_of("games", str(files.games))
            _say(Message("The games are in {file}; {command} lists them.", file=files.games, command=lists))
            if run.results and not progress.plan.three:
                _say(Message("Why each lost: {command}", command=_why_command(run.results, files.games)))
        if failure:
            why = prose(failure)
            again = Message("Stopped: {why}. The same command resumes.", why=why)
            _say(again if run.results else Message("Stopped: {why}.", why=why))
            sys.exit(1)
        if interrupted:
            self._end_early()
        if not progress.finished:
            late_words = "Stopped after {minutes} minutes: the order may not be clear. The same command resumes."
            _say(Message(late_words, minutes=f"{run.minutes:g}"))
        if run.page and (progress.played > before or not run.page.exists()):
            self._write_page(run.page, results)
        self._judge(results)

    def _end_early(self) -> NoReturn:
        if self._run.results:
            _say(Message("Stopped by an interrupt; run the same command again to resume."))
        else:
            _say(Message("Stopped by an interrupt; with --results FILE the next one can be resumed."))
        sys.exit(INTERRUPTED)

    def _judge(self, results: Results) -> None:
        """
        Exits with 1 after what the match does not accept: any fault in a strict one, or nothing but faults.

        Where several pairs meet, one program that only fails spoils its own pairs and not the match.
        """
        plan, strict = results.plan, self._run.strict
        troubles = troubles_of(results.counts) if strict else always_at_fault(plan, results.rows)
        for trouble in troubles:
            _say(Message("At fault: {trouble}.", trouble=trouble))
        if troubles and (strict or len(plan.tables) == 1):
            sys.exit(1)

    def _write_page(self, page: Path, results: Results) -> None:
        # Only here, because it loads the reviews.
        from .reports.page import write_page
        from .reports.why import why_they_lost

        run, games = self._run, self._files.games
        whys = why_they_lost(results, games, None, run.workers, run.quiet) if games and games.exists() else []
        write_page(page, results, games, self._entries, None, whys, run.title)
        _say(Message("The page to share is {file}.", file=page))

    def _play_left(self, saver: Autosave, stopped: Callable[[], bool]) -> str:
        """Plays what is left, and gets why that could not be, or an empty text."""
        progress = self._progress
        with _Bar(progress, saver, self._run.quiet) as bar:
            try:
                while not progress.finished and not stopped():
                    before = progress.played
                    bar.begin()
                    play_left(self._run.workers, progress, bar.done, stopped, self._files.style, bar.show, _say)
                    if progress.played == before:
                        break
            except (ClusterError, WorkersLostError) as error:
                return str(error)
        return ""


def _say(sentence: str) -> None:
    console.print(sentence, soft_wrap=True)


def _why_command(results: Path, games: Path | None) -> str:
    """Writes the command that says why each contestant lost."""
    beside = games is None or games.parent.resolve() == results.parent.resolve()
    return call_of("report", str(results), "--why", *([] if beside else ["--games-file", str(games)]))


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

    def done(self, pairing: int, played: PlayedSet) -> None:
        """Shows a set that was played, and what went wrong in it, and has it saved."""
        self._reporter.look(pairing, played.row)
        self._bar.advance(self._task)
        self._bar.update(self._task, description=running_line(self._progress))
        self._saver.add(pairing, played)

    def show(self, text: str) -> None:
        """Shows the workers that play."""
        self._bar.update(self._task, cluster=text)
