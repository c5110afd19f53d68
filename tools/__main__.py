"""What there is: every command with one line."""

import click
from rich.table import Table

from .command import described
from .shared.interrupts import Command
from .shared.terminal import Console


@click.command("python -m tools", cls=Command)
def main() -> None:
    """Lists every command with one line; each has --help."""
    table = Table(box=None, show_header=False)
    for name, sentence in described():
        table.add_row(f"python -m {name}", sentence)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
