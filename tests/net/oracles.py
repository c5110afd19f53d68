"""Readable forms of what the product computes otherwise, for tests to compare with."""

from ddzbot.cards import UNIT, Hand, counts
from ddzbot.net.mcm_features import CELLS, COLUMNS, KIND_ROWS, LANDLORD_ROW, ROWS, Layers
from ddzbot.net.rocket_moves import FIRST_PAIR


def planes_of(record: Layers) -> bytes:
    """Gets the 29 x 15 x 15 cells of a record, one byte each: layer by layer, row by row, rank by rank."""
    cells = bytearray(CELLS)
    for layer, (word, kind, landlord) in enumerate(zip(*record, strict=True)):
        start = layer * ROWS * COLUMNS
        for rank, cards in enumerate(counts(word)):
            if cards:
                for row in (cards - 1, *KIND_ROWS.get(kind, ())):
                    cells[start + row * COLUMNS + rank] = 1
        if landlord:
            row_start = start + LANDLORD_ROW * COLUMNS
            cells[row_start : row_start + COLUMNS] = b"\1" * COLUMNS
    return bytes(cells)


def kicker_of(output: int) -> Hand:
    """Gets the cards of an output of the kicker network, the inverse of :func:`kicker_output`."""
    return UNIT[output] if output < FIRST_PAIR else 2 * UNIT[output - FIRST_PAIR]
