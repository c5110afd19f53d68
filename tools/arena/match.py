"""
Play duplicate matches between players and programs, and print WP and ADP with 95 % intervals.

    python -m tools match rhcp rule --rules standard --sets 1000 --seed 1 --results results/rhcp-rule.json
"""

import click

from ..shared.contestants import parse_contestant
from ..shared.interrupts import Command
from ..shared.message import Message
from ..shared.work.workers import worker_options
from .matches.everybody import FEWEST, Everybody
from .matches.plan import Gauntlet, Match, Plan
from .options import DealOptions, PlayOptions, deal_options, play_options, refusals, replay_pairs_option
from .playing import begin

_ERRORS = (0.05, 0.05)
"""How often a sequential test may accept a wrong bound, the upper and the lower one."""


@click.command(context_settings={"show_default": True}, cls=Command, in_chinese=True)
@click.argument("contestants", nargs=-1, required=True)
@click.option(
    "--gauntlet", is_flag=True, help="The first contestant plays each of the others; the others do not play each other."
)
@deal_options(neighbours=True)
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    help="Stop as soon as a sequential test accepts one of two gains, in points of WP (in points with bidding).",
)
@play_options(replay_pairs_option, worker_options("Processes that play."))
def main(
    contestants: tuple[str, ...], gauntlet: bool, dealt: DealOptions, sprt: tuple[float, float] | None, run: PlayOptions
) -> None:
    """
    Play duplicate matches between CONTESTANTS, and print WP and ADP with 95 % intervals over sets.

        python -m tools match rule rhcp --sets 200
        python -m tools match champion "python bot.py --player rule" --limit 0.2s --results results.json

    A contestant is a player (rhcp, or with options NAME:KEY=VALUE,...), optionally with its own limit (champion@2s), a
    command line that speaks the judge's protocol, or the folder of a program (./mybot). Three or more all meet on the
    same deals and get one table of Elo and a cross table. With --results you may add contestants later.

    The command reports each fault of a contestant at once. --replay-game replays the game of a fault.

    Ctrl-C stops; with --results the same command resumes where it stopped, on this machine or with --cluster.
    """
    with refusals():
        begin(_plan(contestants, gauntlet, dealt, sprt, run), run)


def _plan(
    names: tuple[str, ...], gauntlet: bool, dealt: DealOptions, sprt: tuple[float, float] | None, run: PlayOptions
) -> Plan:
    contestants = [*map(parse_contestant, names)]
    neighbours = dealt.sets.neighbours if dealt.sets else None
    if gauntlet or len(names) < FEWEST:
        if neighbours:
            raise ValueError(
                Message(
                    "sets up to {neighbours}: only three or more that all meet have neighbours", neighbours=neighbours
                )
            )
        if run.replay_pairs:
            raise ValueError(
                Message("--replay-pairs {player}: it is for three or more that all meet", player=run.replay_pairs[0])
            )
        return dealt.plan(Gauntlet if gauntlet else Match, contestants, sprt=(*sprt, *_ERRORS) if sprt else None)
    if sprt:
        raise ValueError(Message("a sequential test needs exactly two contestants, not {count}", count=len(names)))
    plan = dealt.plan(Everybody, contestants, neighbours=neighbours or 0)
    for player in run.replay_pairs:
        if player not in plan.names:
            raise ValueError(
                Message(
                    "--replay-pairs {player}: it does not play; there are {names}",
                    player=player,
                    names=", ".join(plan.names),
                )
            )
        if not run.results:
            raise ValueError(Message("--replay-pairs {player}: name the --results that have them", player=player))
    return plan


if __name__ == "__main__":
    main()
