"""What there is: every command with one line."""

import ast
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from .shared.interrupts import Command

_FOLDER = Path(__file__).parent


def commands(folder: Path = _FOLDER) -> Iterator[tuple[str, str]]:
    """Yields each command as (what stands behind ``python -m``, the first sentence of its help)."""
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__main__")
        source = path.read_text("utf-8")
        if name != folder.name and '__name__ == "__main__"' in source and "click" in source:
            yield name, _sentence_of(ast.parse(source))


def _sentence_of(tree: ast.Module) -> str:
    """Gets the first sentence of the docstring; what stands in front of a colon is no help without the rest."""
    text = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
    return text.partition(": ``python")[0].rstrip(".")


@click.command("python -m tools", cls=Command)
def main() -> None:
    """Lists every command with one line; each has --help."""
    table = Table(box=None, show_header=False)
    for name, sentence in commands():
        table.add_row(f"python -m {name}", sentence)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
