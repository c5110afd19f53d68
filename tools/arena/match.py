"""
Plays duplicate matches between players and programs, with honest statistics: is B better than A?

    python -m tools match rhcp rule --rules standard --sets 1000 --seed 1 --json results/rhcp-rule.json
"""

from functools import partial
from typing import Any

import click

from ddzbot.rules import RULE_SETS

from ..cluster.command import crew_options
from ..judge.process_limits import Limits
from ..opponents.sandbox import warn_of_open_programs
from ..shared.compiling import kernel_at_start
from ..shared.default_rules import DEFAULT_RULES
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.options import EXISTING_FOLDER, FILE, FiniteRange, check_option, sandbox_option, seed_option
from ..shared.place import call_of
from ..shared.seeds import REPORT
from ..shared.terminal import say
from .field.entries import Field, field_of
from .files.match_files import check_same
from .files.provenance import provenance, tags_of
from .files.results_file import read
from .one_game import print_game
from .options import FIELD_NEIGHBOURS, FIELD_SETS, USUAL_DEALS, USUAL_SETS, Options
from .playing import check_file, play, refuse
from .stand_ins import stand_ins_option

_FEWEST = 2
"""Contestants of a match."""


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("contestants", nargs=-1)
@click.option(
    "--field",
    "folder",
    type=EXISTING_FOLDER,
    help="All programs of this folder meet: files, folders with a Makefile or sources, zips. Results get its name.",
)
@click.option("--rules", type=click.Choice(list(RULE_SETS)), default=DEFAULT_RULES, help="Rule set of all games.")
@click.option(
    "--sets",
    type=click.IntRange(1),
    show_default=f"{USUAL_SETS}, or every deal of --deals; {USUAL_DEALS} with --series, {FIELD_SETS} with --field",
    help="Duplicate sets of every pair: deals, each played from all sides.",
)
@click.option("--gauntlet", is_flag=True, help="Only the first contestant meets each other one.")
@click.option("--seats", is_flag=True, help="Three in fixed seats: the landlord, and who plays after and before it.")
@click.option("--series", is_flag=True, help="Three engines in the championship's lines; its --limit is of seconds.")
@click.option(
    "--memory",
    type=FiniteRange(0, min_open=True),
    default=Limits().memory_mib,
    help="With --series: MiB for each engine.",
)
@click.option(
    "--neighbours",
    type=click.IntRange(0),
    show_default=f"0; {FIELD_NEIGHBOURS} with --field",
    help="Of three or more: sets of a pair that is next to each other in Elo after those, with --field until the order "
    "is clear; 0: no more.",
)
@click.option("--minutes", type=FiniteRange(0, min_open=True), help="Stop after so long; the same command goes on.")
@click.option(
    "--deals",
    type=FILE,
    help="Play the deals of this file, which the command deals writes; --seed and --namespace then seed the players.",
)
@seed_option(click.IntRange(0), 1, "Root seed; every deal follows from it.")
@click.option("--namespace", default=REPORT, help="Which deals: train, gate, report or another word.")
@click.option("--limit", default="", help="Limit of a decision: 0.2s, 5000p (playouts) or both with a comma.")
@click.option(
    "--sprt", nargs=2, type=float, help="Stop early: lower and upper bound in points of WP (points with bidding)."
)
@click.option("--alpha", default=0.05, help="Error rate of accepting the upper bound wrongly.")
@click.option("--beta", default=0.05, help="Error rate of accepting the lower bound wrongly.")
@crew_options("Processes that play.")
@click.option("--json", "file", type=FILE, help="Results file; what is missing in it is played.")
@click.option(
    "--again",
    multiple=True,
    metavar="PLAYER",
    help="With --json: play the pairs of this one again; of a field, compile and check it anew, too.",
)
@click.option("--mix", is_flag=True, help="With --json: go on even if a contestant has become another one since.")
@sandbox_option
@stand_ins_option
@check_option
@click.option("--estimate", is_flag=True, help="Only say how long it will take.")
@click.option(
    "--games", type=FILE, help="Write every game here while the match runs: .ddzn or .jsonl, perhaps with .gz."
)
@click.option("--thoughts", is_flag=True, help="With --games: keep what the bots say of their moves, too.")
@click.option("--game", help="Play one game again, as SET.GAME or PAIRING.SET.GAME, and print its record.")
@click.option("--record", type=FILE, help="With --game: write the record here.")
@click.option(
    "--page", type=FILE, help="With --games: write a page of the results to send round, with lost games reviewed."
)
@click.option("--strict", is_flag=True, help="Exit code 1 after any failure, illegal move, timeout or fallback.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def main(**options: Any) -> None:
    """
    Plays CONTESTANTS against each other and prints WP and ADP with 95 % intervals over sets.

        python -m tools match rule rhcp --sets 200
        python -m tools match champion "python bot.py --player rule" --limit 0.2s --json results.json

    A contestant is a player (rhcp, or with options NAME:KEY=VALUE,...), perhaps with a limit of its own (champion@2s),
    a command line that speaks the judge's protocol, or the folder of a program (./mybot). Three or more all meet on
    the same deals and get one table of Elo and a cross table; with --json more of them may come later.

    What goes wrong with a contestant is said at once, with its game, which --game plays again.

    Ctrl-C stops; with --json the same command goes on where it stopped, on this machine or with --cluster.
    """
    call = Options(**options)
    try:
        if call.series:
            context = click.get_current_context()
            call = call.as_series({name for name in context.params if _is_given(context, name)})
        if not call.contestants and not call.folder:
            raise click.UsageError("name two contestants or more, or a --field of programs")
        call = call.as_field() if call.folder else call
        call.check_together()
        field = _field(call)
        plan = call.plan(field.contestants)
        if call.file and call.game and call.file.exists():
            check_same(read(call.file), plan, call.file)
        kernel_at_start()
        warn_of_open_programs(one.command for one in plan.contestants if one.is_program and not one.digest)
        if not call.stand_ins:
            refuse(plan)
        if call.game:
            who = provenance(plan.rules, plan.contestants, "", 1)
            print_game(plan, call.game, call.record, tags_of(who))
        elif call.check:
            check_file(call, plan)
        else:
            play(call, plan, field.entries)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _field(call: Options) -> Field:
    """Compiles and checks a folder of programs, if there is one."""
    if call.folder is None:
        return Field((), ())
    warn_of_open_programs([[str(call.folder)]])
    tell = partial(say, err=True)
    field = field_of(call.folder, call.contestants, call.rules, call.crew.jobs, tell, call.quiet, call.again)
    playing = len(field.contestants)
    if playing + len(call.contestants) < _FEWEST:
        some = f"{playing} of its {len(field.entries)} programs plays" if playing else "none of its programs plays"
        example = call_of("match", "rule", "--field", str(call.folder))
        raise InputError(f"field {call.folder}: {some}; name a player of ours to meet: {example}")
    return field


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


if __name__ == "__main__":
    main()
