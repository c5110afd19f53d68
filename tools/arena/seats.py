"""
Play three contestants in fixed roles, and count how often each goes out first.

    python -m tools seats mcm rule rhcp --sets 500 --results results.json
"""

import click

from ..shared.contestants import parse_contestant
from ..shared.interrupts import Command
from ..shared.work.workers import worker_options
from .matches.plan import Seats
from .options import DealOptions, PlayOptions, deal_options, play_options, refusals
from .playing import begin


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("contestants", nargs=-1, required=True)
@deal_options()
@play_options(worker_options("Processes that play."))
def main(contestants: tuple[str, ...], dealt: DealOptions, run: PlayOptions) -> None:
    """
    Play three CONTESTANTS in fixed roles: landlord, landlord_down and landlord_up.

        python -m tools seats champion rule rule --sets 200

    Each deal is played once, and the table shows how often each went out, and how often its side won. The command match
    describes contestants.

    Ctrl-C stops; with --results the same command resumes where it stopped.
    """
    with refusals():
        begin(dealt.plan(Seats, map(parse_contestant, contestants)), run)


if __name__ == "__main__":
    main()
