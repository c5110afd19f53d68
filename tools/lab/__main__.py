"""Measure what a change does: speed, moves, single decisions, and the belief."""

import click

from ..shared.interrupts import Group
from .bench.kernel import main as bench
from .bombs import main as bombs
from .decisions.make import main as make
from .decisions.score import main as score
from .fit_belief.command import main as fit_belief
from .margins import main as margins
from .signature import main as signature


@click.group(cls=Group)
def main() -> None:
    """Measure what a change does: speed, moves, single decisions, and the belief."""


@main.group(cls=Group)
def decisions() -> None:
    """Draw decisions with precise values, and score players on them."""


decisions.add_command(make, "make")
decisions.add_command(score, "score")
main.add_command(fit_belief, "fit-belief")
main.add_command(bombs, "bombs")
main.add_command(margins, "margins")
main.add_command(bench, "bench")
main.add_command(signature, "signature")


if __name__ == "__main__":
    main()
