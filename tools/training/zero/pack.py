"""Refuses to pack these networks, since the files of a training play as they are."""

from typing import NoReturn


def packed(*_: object) -> NoReturn:
    """
    Refuses to pack.

    :raises ValueError: always.
    """
    raise ValueError("its networks play as they are kept: douzero:weights=FOLDER/net-000512000.npz")
