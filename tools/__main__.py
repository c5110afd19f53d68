"""What there is: every command with one line."""

import click
from rich.console import Console
from rich.table import Table

from .command import described
from .shared.interrupts import Command


@click.command("python -m tools", cls=Command)
def main() -> None:
    """Lists every command with one line; each has --help."""
    table = Table(box=None, show_header=False)
    for name, sentence in described():
        table.add_row(f"python -m {name}", sentence)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
