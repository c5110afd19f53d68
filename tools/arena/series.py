"""
Play a series between three engines by the championship's protocol.

    python -m tools series champion rule "./engine --icga" --sets 100
"""

from dataclasses import replace

import click

from ddzbot.rules import ICGA
from ddzbot.search.limit import parse_limit

from ..judge.icga_platform import SECONDS
from ..judge.process_limits import Limits
from ..shared.contestants import parse_contestant
from ..shared.interrupts import Command
from ..shared.options import POSITIVE, seed_option
from .matches.plan import Series
from .options import PlayOptions, limit_option, play_options, refusals
from .playing import begin


@click.command(context_settings={"show_default": True}, cls=Command)
@click.argument("engines", nargs=-1, required=True)
@click.option("--sets", type=click.IntRange(1), default=9, metavar="N", help="Deals, each of which is played once.")
@seed_option(click.IntRange(0), 1, "Seed of the deals.")
@limit_option(f"{SECONDS:g}s", "seconds, which INFO sends.")
@click.option(
    "--memory",
    type=POSITIVE,
    default=round(Limits().memory_mib),
    show_default=True,
    metavar="MIB",
    help="MiB for each engine.",
)
@play_options(games=False)
def main(engines: tuple[str, ...], sets: int, seed: int, limit: str, memory: float, run: PlayOptions) -> None:
    """
    Play a series between three ENGINES by the championship's protocol: command lines, or built-in players.

        python -m tools series champion rule "./engine --icga" --sets 100 --results series.json

    An engine at fault loses the deal, and begins anew with the next one. Exit code 1 after any fault.

    Ctrl-C stops; with --results the same command resumes where it stopped.
    """
    with refusals():
        contestants = tuple(map(parse_contestant, engines))
        plan = Series(ICGA.name, contestants, sets, seed, ICGA.name, parse_limit(limit), memory=memory)
        plan.check()
        begin(plan, replace(run, strict=True))


if __name__ == "__main__":
    main()
