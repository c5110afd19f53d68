"""A person's games, one after the other, and what is printed and saved when one ends or is left."""

from dataclasses import replace

from ddzbot.kernel import native
from ddzbot.search.limit import Limit

from ...records.record import GameRecord, RecordError
from ...records.screen import draw_record
from ...shared.interrupts import INTERRUPTED
from ...shared.language import padded, tr, translate
from ...shared.message import Message
from ...shared.paths import INSTALLED, call_of
from ...shared.terminal import Console
from ..table.games_file import GameStore
from ..table.levels import NAMES
from .asking import ask, is_interactive
from .screen import PlayScreen
from .session import Session
from .setup import Setup


class Sitting:
    """
    One or more games, with *setup* for the first of them.

    *store* keeps the games, None keeps none. *begun* is the game of the store to resume. With *reveal* the whole
    game is shown at its end.

    :raises ValueError: for a bot that there is not, a game that cannot be resumed, or a file that cannot be written.
    """

    def __init__(
        self,
        console: Console,
        setup: Setup,
        limit: Limit,
        store: GameStore | None = None,
        begun: GameRecord | None = None,
        reveal: bool = False,
    ) -> None:
        self._console = console
        self._limit = limit
        self._store = store
        self._reveal = reveal
        self._setup = setup
        self._table = setup.table(begun)
        self._write()

    def play(self) -> int:
        """Plays until the person has had enough; gets the exit status."""
        if native() is None:
            if INSTALLED:
                self._say(
                    tr("There is no C kernel here: an installation with one makes the bots and the hints stronger.")
                )
            else:
                self._say(tr("There is no C kernel here: 'make kernel' makes the bots and the hints stronger."))
        status = self._game()
        while status is None:
            self._setup = replace(self._setup, seed=self._setup.seed + 1)
            self._table = self._setup.table()
            if self._store is not None:
                self._store.leave()
            self._say("")
            status = self._game()
        return status

    def _game(self) -> int | None:
        """Plays one game; None asks for another one."""
        screen = PlayScreen(self._console, self._setup.position, self._setup.names)
        screen.title(self._setup.rules, self._setup.seed)
        if any(bot in NAMES for bot in self._setup.bots):
            screen.levels()
        session = Session(self._table, self._setup.position, screen, self._limit, ask, lambda: self._keep(screen))
        try:
            session.play()
            self._ended()
            return None if is_interactive() and _another() else 0
        except KeyboardInterrupt:
            self._left()
            return INTERRUPTED
        except EOFError:
            self._left()
            return 0

    def _write(self) -> None:
        if self._store is not None:
            self._store.save(self._table.record())

    def _keep(self, screen: PlayScreen) -> None:
        """Writes the game; that this fails in the middle of it (the disk is full) does not end it."""
        try:
            self._write()
        except RecordError as error:
            screen.fault(str(error))

    def _ended(self) -> None:
        if self._reveal:
            self._say("")
            draw_record(self._console, self._table.record(), debug=True)
        self._say("")
        if self._store is not None:
            game = (str(self._store.path), "--number", str(self._store.number))
            self._offer(Message("Watch it again:"), call_of("show", *game))
            self._offer(Message("in a browser:"), call_of("view", *game, "--open"))
            self._offer(Message("Learn from it:"), call_of("play", "--learn", *game))
        self._offer(Message("The same deal:"), self._setup.command)

    def _left(self) -> None:
        self._say("")
        if self._table.over:
            return
        if self._store is not None:
            self._offer(Message("Resume it:"), call_of("play", "--resume", str(self._store.path)))
        self._offer(Message("The same deal:"), self._setup.command)

    def _offer(self, advice: str, command: str) -> None:
        self._say(padded(translate(advice), 18) + command)

    def _say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)


def _another() -> bool:
    """Asks whether there shall be another game; an empty line is yes."""
    while True:
        answer = ask(tr("Another game? [Y/n]") + " ").strip().lower()
        if answer in ("", "y", "yes", "n", "no"):
            return not answer.startswith("n")
