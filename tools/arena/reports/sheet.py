"""The table of a match as CSV, which a spreadsheet reads: one line a contestant, and its WP against each other one."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...shared.bounds import unwritable
from ...shared.errors import InputError
from ...shared.plain import plain
from ...shared.storage.whole_file import put_table
from ..files.results_file import Entry
from .columns import IN_SHEET, RANKING, SEATED, SEATS_IN_SHEET, against, columns_of, ranking_of, seats_of
from .printers import sheet
from .results import Results

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a text begins with that a spreadsheet would reckon."""


def write_sheet(path: Path, results: Results, entries: Iterable[Entry] = ()) -> None:
    """
    Writes the table, the best first, or by seat; names of strangers are texts there, too.

    Those *entries* of a field that do not play stand last, with why.

    :raises InputError: if it cannot be written.
    """
    if results.seats:
        lines = sheet(columns_of(SEATED, *SEATS_IN_SHEET), seats_of(results))
    else:
        ranking, players = ranking_of(results)
        lines = sheet([*columns_of(RANKING, *IN_SHEET), *against(ranking)], players)
    empty = dict.fromkeys(lines[0], "")
    lines += [
        {**empty, "name": entry.name, "faults": f"does not play: {entry.problem}"} for entry in entries if entry.problem
    ]
    try:
        put_table(path, [_cell(column) for column in lines[0]], (map(_cell, line.values()) for line in lines))
    except OSError as error:
        raise InputError(unwritable(path, error)) from None


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return plain(f"'{value}" if value.startswith(_FORMULA) else value)
