"""
What a bot may use in one turn.

The defaults are those of a Python bot on Botzone as far as they are known: 6 s a turn, twice that for the first, 4 s
for each turn of a kept process after its first, 256 MiB of memory, 1 MiB of output.
"""

from dataclasses import dataclass, fields

TURN = 6.0
FIRST = 2
"""So many times as long as another turn with a start of the process may the first one take."""


@dataclass(frozen=True)
class Limits:
    """
    Limits of one bot: seconds of wall-clock time, MiB of memory, bytes of standard output.

    For example, ``Limits(first_turn=6.0)`` gives the first turn of a game no more time than others.

    :raises ValueError: if a limit is not above zero
    """

    first_turn: float = FIRST * TURN
    """Seconds for the first turn of a game, start of the process included."""

    later_turn: float = TURN
    """Seconds for a later turn in which a process is started (one-shot, or a kept process that had died)."""

    keep_running_turn: float = 4.0
    """Seconds for a later turn of a process that kept running."""

    memory_mib: float = 256.0
    """Peak resident memory of the bot and its children together, in MiB."""

    output_bytes: int = 1 << 20
    """Bytes on standard output in one turn; standard error is not counted."""

    def __post_init__(self) -> None:
        """Refuses limits under which no bot could ever answer (the comparison also refuses NaN)."""
        for field in fields(self):
            bound = getattr(self, field.name)
            if not bound > 0:
                raise ValueError(f"limit {field.name} must be above zero, not {bound}")
