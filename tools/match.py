"""
Plays duplicate matches between players and programs, with honest statistics: is B better than A?

    python -m tools.match rhcp rule --rules standard --sets 1000 --seed 1 --json results/rhcp-rule.json
"""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click
from rich.progress import TextColumn

from ddzbot.rules import RULE_SETS

from .arena.faults import Reporter, troubles_of
from .arena.game_records import GameStyle
from .arena.kept import KeptMatch
from .arena.match_file import MatchFile
from .arena.one_game import print_game
from .arena.plan import Plan
from .arena.provenance import Provenance, provenance, tags_of
from .arena.results import results_of
from .arena.results_file import rows_to_resume
from .arena.runner import Progress as MatchProgress
from .arena.runner import run
from .arena.sets import Played
from .arena.stand_ins import refuse_stand_ins, stand_ins_option
from .arena.text import print_results, running_line
from .cluster.command import Where, cluster_options, open_cluster, where
from .cluster.errors import ClusterError
from .cluster.needs import needs_of
from .shared.bars import progress_bar
from .shared.compiling import kernel_at_start
from .shared.deals_file import read_deals
from .shared.default_rules import DEFAULT_RULES
from .shared.interrupts import INTERRUPTED, Command, stop_on_signals
from .shared.kept.autosave import Autosave
from .shared.options import check_option, seed_option
from .shared.place import call_of
from .shared.terminal import Console
from .shared.work.pool import WorkersLostError

USUAL_SETS = 100

console = Console(stderr=True)


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("contestants", nargs=-1, required=True)
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default=DEFAULT_RULES, help="Rule set of all games.")
@click.option(
    "--sets",
    type=click.IntRange(1),
    show_default=f"{USUAL_SETS}, or every deal of --deals",
    help="Duplicate sets: deals, each played from all sides.",
)
@click.option(
    "--deals",
    "deals_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Play the deals of this file, which tools.deals writes; --seed and --namespace then only seed the players.",
)
@seed_option(click.IntRange(0), 1, "Root seed; every deal follows from it.")
@click.option("--namespace", default="report", help="Which deals: train, gate, report or another word.")
@click.option("--limit", default="", help="Limit of a decision: 0.2s, 5000p (playouts) or both with a comma.")
@click.option(
    "--sprt", nargs=2, type=float, help="Stop early: lower and upper bound in points of WP (points with bidding)."
)
@click.option("--alpha", default=0.05, help="Error rate of accepting the upper bound wrongly.")
@click.option("--beta", default=0.05, help="Error rate of accepting the lower bound wrongly.")
@click.option("--gauntlet", is_flag=True, help="Only the first contestant meets each other one.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes that play.")
@cluster_options
@click.option(
    "--json",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Results file; an unfinished one is resumed.",
)
@click.option("--mix", is_flag=True, help="With --json: go on even if other code, kernel or networks played before.")
@stand_ins_option
@check_option
@click.option(
    "--games",
    "games_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every game here while the match runs: .ddzn or .jsonl, perhaps with .gz.",
)
@click.option("--thoughts", is_flag=True, help="With --games: keep what the bots say of their moves, too.")
@click.option("--game", help="Play one game again, as SET.GAME or PAIRING.SET.GAME, and print its record.")
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="With --game: write the record here.")
@click.option("--strict", is_flag=True, help="Exit code 1 after any failure, illegal move, timeout or fallback.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(
    contestants: tuple[str, ...],
    rules: str,
    sets: int | None,
    deals_path: Path | None,
    seed: int,
    namespace: str,
    limit: str,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    gauntlet: bool,
    jobs: int,
    cluster: str | None,
    cluster_tls: tuple[str, str, str] | None,
    file: Path | None,
    mix: bool,
    stand_ins: bool,
    check: bool,
    games_file: Path | None,
    thoughts: bool,
    game: str | None,
    record: Path | None,
    strict: bool,
    quiet: bool,
) -> None:
    """
    Plays CONTESTANTS against each other and prints WP and ADP with 95 % intervals over sets.

    A contestant is a player (rhcp, or with options NAME:KEY=VALUE,...), perhaps with a limit of its own (champion@2s),
    or a command line that speaks the judge's protocol ("python bot.py --player rule"). Three or more play all pairings,
    or with --gauntlet those of the first one, and get one table of Elo and a cross table.

    What goes wrong with a contestant is said at once, with its game, which --game plays again.

    Ctrl-C stops; with --json the same command goes on where it stopped, on this machine or with --cluster.
    """
    test = (*sprt, alpha, beta) if sprt else None
    place = where(cluster, cluster_tls)
    try:
        deals = read_deals(deals_path, rules) if deals_path else None
        sets = sets or (len(deals.hands) if deals else USUAL_SETS)
        plan = Plan(rules, contestants, sets, seed, namespace, limit, gauntlet, test, deals)
        plan.check()
        if file and game:
            rows_to_resume(file, plan)
        _check_game(game, record, {"--strict": strict, "--games": games_file}, place)
        if thoughts and not games_file:
            raise click.UsageError("--thoughts are kept with the games, which --games FILE writes")
        kernel_at_start()
        if not stand_ins:
            refuse_stand_ins(rules, contestants)
        if check:
            _check_file(file, plan, place, jobs, mix)
            return
        if game:
            print_game(plan, game, record, tags_of(_who(plan, None, 1)))
            return
        match_file = MatchFile(file, plan) if file else None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    progress = MatchProgress(plan, match_file.rows if match_file else [[] for _ in plan.pairings])
    kept = None
    if match_file or games_file:
        kept = KeptMatch(match_file, games_file)
        try:
            kept.begin(progress, lambda: _who(plan, place, jobs), mix, thoughts, _say)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    _play(progress, place or jobs, kept, quiet, strict)


def _check_game(game: str | None, record: Path | None, of_matches: Mapping[str, object], place: Where | None) -> None:
    """Refuses options that make no sense with --game, or without it."""
    if record and not game:
        raise click.UsageError(f"record {record}: --record goes with --game")
    for option, given in of_matches.items():
        if game and given:
            raise click.UsageError(f"game {game}: {option} goes with a whole match")
    if game and place:
        raise click.UsageError(f"game {game}: it is played on this machine, without --cluster")


def _check_file(file: Path | None, plan: Plan, place: Where | None, jobs: int, mix: bool) -> None:
    """
    Looks at the results file, and makes none.

    :raises ValueError: if the match cannot go on in it.
    """
    if file and file.exists():
        with closing(MatchFile(file, plan)) as found:
            if not MatchProgress(plan, found.rows).finished:
                found.check(_who(plan, place, jobs), mix)


def _who(plan: Plan, place: Where | None, jobs: int) -> Provenance:
    """Finds out which program plays."""
    needs = needs_of(plan.contestants)
    where = f"cluster {place.address}" if place else ""
    return provenance(plan.rules, plan.contestants, needs.modules, needs.files, where, 0 if place else jobs)


def _play(
    progress: MatchProgress,
    who: Where | int,
    file: KeptMatch | None,
    quiet: bool,
    strict: bool,
) -> None:
    """Plays on a cluster or in so many processes, shows what came of it, and exits with what it means."""
    results = None
    # To the end of the block: what was played is written, however often somebody presses Ctrl-C.
    with stop_on_signals() as stopped:
        saver = Autosave(file, _say, stopped) if file else None
        try:
            failure = _run(progress, who, saver, file.style if file else None, quiet, stopped)
            if saver:
                saver.flush()
            results = results_of(progress.plan, progress.rows, progress.finished)
        finally:
            if saver:
                saver.close(results)
    if not failure or any(progress.rows):
        print_results(results, Console())
    if file and file.style:
        _say(f"The games are in {file.games_path}; {call_of('games')} {file.games_path} lists them.")
    goes_on = file is not None and file.goes_on
    if failure:
        _say(f"Stopped: {failure}." + (" The same command goes on." if goes_on else ""))
        sys.exit(1)
    if not progress.finished:
        how = "run the same command again to go on" if goes_on else "with --json FILE the next one can be resumed"
        console.print(f"Stopped by an interrupt; {how}.")
        sys.exit(INTERRUPTED)
    troubles = troubles_of(results) if strict else []
    for trouble in troubles:
        _say(f"Strict: {trouble}.")
    if troubles:
        sys.exit(1)


def _run(
    progress: MatchProgress,
    who: Where | int,
    saver: Autosave | None,
    style: GameStyle | None,
    quiet: bool,
    stopped: Callable[[], bool],
) -> str:
    """Plays what is left, and gets why that could not be, or an empty text."""
    with _Bar(progress, saver, quiet) as bar:
        try:
            if isinstance(who, int):
                run(progress, who, bar.done, stopped, style)
                return ""
            with open_cluster(who, needs_of(progress.plan.contestants), _say) as cluster:
                from .arena.on_cluster import play_match

                play_match(cluster, progress, bar.done, stopped, bar.show, style)
        except (ClusterError, WorkersLostError) as error:
            return str(error)
    return ""


def _say(sentence: str) -> None:
    console.print(sentence, soft_wrap=True, highlight=False)


class _Bar:
    """The progress bar, with the running result."""

    def __init__(self, progress: MatchProgress, saver: Autosave | None, quiet: bool) -> None:
        self._match = progress
        self._saver = saver
        plan = progress.plan
        self._reporter = Reporter([(plan.contestants[a], plan.contestants[b]) for a, b in plan.pairings], _say)
        total = progress.plan.sets * len(progress.plan.pairings)
        self._bar = progress_bar(TextColumn("{task.fields[cluster]}", markup=False), console=console, disable=quiet)
        have = sum(len(rows) for rows in progress.rows)
        self._task = self._bar.add_task("playing", total=total, completed=have, cluster="")

    def __enter__(self) -> "_Bar":
        self._bar.start()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._bar.stop()

    def done(self, pairing: int, played: Played) -> None:
        """Shows a set that was played, and what went wrong in it, and has it saved."""
        self._reporter.look(pairing, played.row)
        self._bar.advance(self._task)
        self._bar.update(self._task, description=running_line(self._match.stats, self._match.sprt))
        if self._saver:
            self._saver.add(pairing, played)

    def show(self, text: str) -> None:
        """Shows who plays."""
        self._bar.update(self._task, cluster=text)


if __name__ == "__main__":
    main()
