"""Writes columns of results, each in a few lines: for a terminal, Markdown, a spreadsheet, and the page of a match."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table

from ...shared.language import translate
from .columns import NAME, Column, Thing


def texts(
    columns: Sequence[Column[Thing]], things: Iterable[Thing], named: Callable[[str], str] = str
) -> list[list[str]]:
    """Gets the rows of a table for people; *named* writes the name of a contestant."""
    return [
        [
            named(column.value(thing)) if column.form is NAME else column.form.text(column.value(thing))
            for column in columns
        ]
        for thing in things
    ]


def row_of(columns: Sequence[Column[Any]], known: Mapping[str, Any]) -> list[Any]:
    """Gets a row of which only some cells are known, by key."""
    return [known.get(column.key, "") for column in columns]


def terminal(columns: Sequence[Column[Any]], rows: Iterable[Sequence[str]], title: str, whole_names: bool) -> Table:
    """Makes a table for a terminal, in its language, of which only names fold, if they are not *whole_names*."""
    table = Table(title=title, title_justify="left")
    for column in columns:
        whole = whole_names or column.form is not NAME
        table.add_column(column.heading, justify="right" if column.form.right else "left", no_wrap=whole)
    for row in rows:
        table.add_row(*map(translate, row))
    return table


def markdown(rows: Sequence[Sequence[str]], alignment: str = "") -> str:
    """Makes a table in Markdown, the head first, without columns that are empty; *alignment* has l, c or r for each."""
    head, *body = rows
    marks = [{"r": "---:", "c": ":---:"}.get(letter, "---") for letter in alignment or "l" * len(head)]
    used = [column for column in range(len(head)) if any(row[column] for row in body)]
    return "\n".join(f"| {' | '.join(row[column] for column in used)} |" for row in (head, marks, *body))


def markdown_of(columns: Sequence[Column[Thing]], things: Iterable[Thing]) -> str:
    """Makes a table in Markdown of columns."""
    rows = texts(columns, things, lambda name: f"`{name}`")
    return markdown(
        [[column.heading for column in columns], *rows],
        "".join("r" if column.form.right else "l" for column in columns),
    )


def sheet(columns: Sequence[Column[Thing]], things: Iterable[Thing]) -> list[dict[str, Any]]:
    """Gets the lines of a spreadsheet, each with its cells by name."""
    heads = [head.format(column.key) for column in columns for head in column.form.heads]
    rows = ([cell for column in columns for cell in column.form.cells(column.value(thing))] for thing in things)
    return [dict(zip(heads, row, strict=True)) for row in rows]


def data(columns: Sequence[Column[Thing]], thing: Thing) -> dict[str, Any]:
    """Gets what the page of a match has of a contestant, by key."""
    return {column.key: column.form.data(column.value(thing)) for column in columns}
