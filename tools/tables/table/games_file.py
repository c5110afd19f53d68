"""A file of games that people play: the game under way is added behind the others, and written again as it goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...records.files import WRITABLE, format_of, records_in, records_of, text_of, write_texts
from ...records.record import GameRecord, RecordError
from ...shared.bounds import MOST_HELD, text_file, unwritable
from ...shared.message import Message
from ...shared.storage.lock import Lock, TakenError, lock_of

PATIENCE = 5.0
"""Seconds to wait for another program that writes the file; that takes a moment, unless it is a match."""


class GameStore:
    """
    Keeps the games of one file, as texts: a game takes many times its text as memory.

    Others may play into the same file at the same time: it is read again before it is written if one of them did, and
    only the game under way here changes. No two processes play one game.

    :raises RecordError: if the file has anything else in it, which writing it again would lose, or cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        """The number of the game under way, from 1; 0 until it is in the file."""
        self._form = format_of(path)
        if self._form not in WRITABLE:
            raise RecordError(Message("{file}: games are kept as .ddzn or .jsonl", file=path))
        self._own = ""
        """The text of the game under way as it stands in the file."""
        self._under_way: Lock | None = None
        self._texts: list[str] = []
        self._read_as: tuple[int, ...] | None = None
        with self._alone():
            pass

    def resume(self, wanted: Callable[[GameRecord], bool]) -> GameRecord:
        """
        Resumes the last game that is *wanted* and not under way in another process.

        :raises RecordError: if there is none, or the file cannot be written.
        """
        problem = Message("there is no unfinished game of a person in it")
        with self._alone():
            for number in range(len(self._texts), 0, -1):
                (record,) = records_of(self._texts[number - 1], self._form)
                if not wanted(record):
                    continue
                try:
                    self._take(number)
                except TakenError:
                    problem = Message("its unfinished game {number} is under way in another terminal", number=number)
                    continue
                self._own = self._texts[number - 1]
                return record
        self.leave()
        raise RecordError(Message("{file}: {problem}", file=self.path, problem=problem))

    def save(self, record: GameRecord) -> None:
        """
        Writes *record* as the game under way; one that is new goes behind the others.

        :raises RecordError: if the file cannot be written.
        """
        text = text_of([record], self._form)
        with self._alone():
            if not self.number or self._texts[self.number - 1 : self.number] != [self._own]:
                # It is new; or another program has edited the file, and its place has another game now.
                with suppress(TakenError):
                    self._take(len(self._texts) + 1)
            texts = [*self._texts[: self.number - 1], text, *self._texts[self.number :]]
            write_texts(self.path, self._separate(texts))
            self._texts, self._read_as, self._own = texts, self._state(), text

    def leave(self) -> None:
        """Lets others resume the game; what is saved next is a new one."""
        self.number, self._own = 0, ""
        if self._under_way is not None:
            self._under_way.close()
            self._under_way = None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps others from writing the file until the block ends, and reads it before if one of them has."""
        try:
            with Lock(lock_of(self.path), PATIENCE):
                self._refresh()
                yield
        except OSError as error:
            raise RecordError(unwritable(self.path, error)) from None

    def _take(self, number: int) -> None:
        """
        Keeps all other processes from a game. The lock is a file of its own, since the file of the games is replaced.

        :raises TakenError: if it is under way in another process.
        """
        self.leave()
        self.number = number
        self._under_way = Lock(lock_of(self.path).with_suffix(f".{number}.lock"))

    def _refresh(self) -> None:
        """Reads the file, unless it is as it was when it was last read or written here."""
        state = self._state()
        if state == self._read_as:
            return
        records = records_in(self.path, most_bytes=MOST_HELD) if state and state[1] else ()
        texts = [text_of([record], self._form) for record in records]
        if self.path.suffix != ".gz" and texts and "".join(self._separate(texts)) != self._text():
            raise RecordError(
                Message("{file}: it has more than games, which would be lost; name another file", file=self.path)
            )
        self._texts, self._read_as = texts, state

    def _text(self) -> str:
        return text_file(self.path, MOST_HELD).replace("\r\n", "\n")

    def _state(self) -> tuple[int, ...] | None:
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return None
        return state.st_ino, state.st_size, state.st_mtime_ns

    def _separate(self, texts: list[str]) -> Iterator[str]:
        """Yields the texts as the file has them, in text form with a blank line between each two."""
        blank = "\n" if self._form == "text" else ""
        return (blank * (index > 0) + text for index, text in enumerate(texts))
