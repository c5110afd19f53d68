"""
A program with all that it starts: what the judge asks of a system, and which module answers on this one.

Nothing else of the judge knows on which system it runs.
"""

import sys
from typing import Protocol

if sys.platform == "win32":
    from .process_windows import ProcessGroup as ProcessGroup
else:
    from .process_posix import ProcessGroup as ProcessGroup


class Pipes(Protocol):
    """The three pipes of a program. Nothing here waits longer than it is told to, whatever the program does."""

    def send(self, line: bytes, last: bool) -> None:
        """Begins to hand it a line, in the place of what it has not been handed of the one before; ends its input."""

    def receive(self, seconds: float) -> tuple[bytes, bytes]:
        """
        Gets what it has written to standard output and standard error, nothing of either if nothing is there.

        Waits for that, for its end, or for room for more of the line, at most so many *seconds*.
        """

    def rest(self) -> tuple[bytes, bytes]:
        """Gets all that a program has left in the two pipes, once it was killed."""

    def end_input(self) -> None:
        """Ends its input behind the line that it is handed."""

    def took_all(self) -> bool:
        """Checks if a program that runs has taken all of its line, or at least was handed it, if no more is known."""

    def took_nothing(self) -> bool:
        """Checks if a program that has ended took nothing of the line that it was handed last."""


class Group(Protocol):
    """
    One running program and all that it starts; a stranger's runs in a sandbox, where the system has one.

    Whoever makes one calls :meth:`close`. It is made of the words of a command line, the working directory, the
    environment (None for ours, less what would change its play), and the MiB that it may use.

    :raises OSError: if the program cannot be started
    """

    @property
    def pipes(self) -> Pipes:
        """Its input and output."""

    @property
    def in_sandbox(self) -> bool:
        """Tells whether it runs in a sandbox."""

    @property
    def peak_mib(self) -> float:
        """The most that one of its processes ever used, in MiB, once it was killed; 0 if the system does not tell."""

    @property
    def pid(self) -> int:
        """The id of the program."""

    @property
    def exit_code(self) -> int | None:
        """The exit code once the group was wiped out; -9 for one that died of signal 9."""

    def ended(self) -> bool:
        """Checks if the program has ended (its children may live on)."""

    def busy_at_rest(self) -> float | None:
        """
        Gets the seconds of processor time that all of it has used so far; None while one of its threads is at work.

        Not every system tells the second; then the seconds alone show whether it works.
        """

    def stop(self) -> None:
        """Stops the program and all that it started, so that thinking in another seat's time is impossible."""

    def resume(self) -> float:
        """Lets it all run again. Gets the seconds of processor time that it found while it was stopped, 0 for most."""

    def kill(self) -> int:
        """Kills all of it; what is in the pipes can still be read. Gets the exit code. A second call does nothing."""

    def close(self) -> None:
        """Kills all of it and closes the pipes."""
