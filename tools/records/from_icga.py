"""
Reads the lines of the Chinese championship's protocol (DOUDIZHUVER 1.0) as one engine has seen and answered them.

The platform's lines may begin with ``> `` and the engine's with ``< ``. The engine's own bids and moves are never
repeated by the platform, so its ``BID`` and ``PLAY`` answers must be there; its other answers may be left out. Other
hands are unknown unless they follow from the moves. A position is a letter's place in the auction.
"""

from collections.abc import Iterable, Iterator

from ddzbot.cards import CardsError, Hand, hand_of_ids
from ddzbot.game import SEAT_NAMES, SEATS, auction, is_legal_bid
from ddzbot.rules import ICGA

from ..shared.bounds import MOST_MOVES
from .record import GameRecord, RecordedMove, RecordError, Result, deduce_hands
from .text_reader import SourceLine

LETTERS = "ABC"
NO_PLAYER = "D"
"""The winner of a deal without a bid."""

IGNORED = ("DOUDIZHUVER", "OK", "EXIT")
ASKED = "WHAT"
PASSED = "-1"


class _Line(SourceLine):
    @property
    def rest(self) -> str:
        return self.text[len(self.label) :].strip()


def read_deals(lines: Iterable[str]) -> Iterator[GameRecord]:
    """
    Yields the deals of a series, one at a time.

    :raises RecordError: for a line that is not of the protocol, or contradicts the lines before it.
    """
    team = ""
    info: _Line | None = None
    deal: _Deal | None = None
    for message in _lines(lines):
        if message.label == "NAME":
            team = message.rest
        elif message.label == "INFO":
            info = message
        elif message.label == "DEAL":
            if deal:
                yield deal.record()
            deal = _Deal(message, team, info.rest if info else "")
        elif message.label not in IGNORED:
            if not deal:
                message.refuse("no hand has been dealt yet")
            deal.take(message)
    if deal:
        yield deal.record()


def _lines(lines: Iterable[str]) -> Iterator[_Line]:
    for number, line in enumerate(lines, 1):
        message = line.strip()
        if message[:1] in (">", "<"):
            message = message[1:].strip()
        if message:
            yield _Line(number, message)


class _Deal:
    """One deal, as its lines come in."""

    def __init__(self, line: _Line, team: str, info: str) -> None:
        self._line = line
        self._team = team
        self._info = info
        self._own = self._letter(line, line.rest[:1])
        self._hand = self._cards(line, line.rest[1:])
        self._first = ""
        """The letter of the first bidder."""
        self._bids: list[int] = []
        self._landlord = ""
        self._bottom: Hand | None = None
        self._moves: list[RecordedMove] = []
        self._result = Result()

    def take(self, line: _Line) -> None:
        """Takes the next line."""
        takers = {
            "BID": self._bid,
            "LEFTOVER": self._leftover,
            "PLAY": self._play,
            "GAMEOVER": self._game_over,
            "ERROR": self._error,
        }
        if line.label not in takers:
            line.refuse(f"{line.label} is not a word of the protocol")
        if line.rest != ASKED:
            takers[line.label](line)

    def record(self) -> GameRecord:
        """Gets all that the engine knew in the end."""
        hands: list[Hand | None] = [None] * SEATS
        names = [f"seat {letter}" for letter in self._from_first()]
        own = self._position(self._own)
        hands[own] = self._hand
        names[own] = self._team or names[own]
        try:
            return deduce_hands(
                GameRecord(
                    rules=ICGA,
                    hands=(hands[0], hands[1], hands[2]),
                    bottom=self._bottom,
                    bids=tuple(self._bids),
                    landlord_position=self._position(self._landlord) if self._landlord else None,
                    moves=tuple(self._moves),
                    names=(names[0], names[1], names[2]),
                    result=self._result,
                    tags={"Info": self._info} if self._info else {},
                )
            )
        except RecordError as error:
            self._line.refuse(error)

    def _bid(self, line: _Line) -> None:
        letter = self._letter(line, line.rest[:1])
        self._first = self._first or letter
        due = self._from_first()[len(self._bids) % SEATS]
        if self._landlord or auction(self._bids):
            line.refuse("the auction is over")
        if letter != due:
            line.refuse(f"the bid of {due} must come first")
        bid = line.rest[1:]
        if bid not in ("0", "1", "2", "3") or not is_legal_bid(self._bids, int(bid)):
            line.refuse(f"{bid!r} is not a bid after {self._bids}")
        self._bids.append(int(bid))

    def _leftover(self, line: _Line) -> None:
        letter = self._letter(line, line.rest[:1])
        if self._landlord:
            line.refuse("there is a landlord already")
        over = auction(self._bids)
        if self._bids and (over is None or self._from_first()[over[0]] != letter):
            line.refuse(f"the bids {self._bids}, from {self._first} on, do not make {letter} the landlord")
        self._landlord = letter
        self._bottom = self._cards(line, line.rest[1:])

    def _play(self, line: _Line) -> None:
        if not self._landlord:
            line.refuse("there is no landlord yet")
        letter = self._letter(line, line.rest[:1])
        due = LETTERS[(LETTERS.index(self._landlord) + len(self._moves)) % SEATS]
        if letter != due:
            line.refuse(f"it is the turn of {due}" + (", whose own answer is missing" if due == self._own else ""))
        if len(self._moves) == MOST_MOVES:
            line.refuse(f"a game has at most {MOST_MOVES} moves")
        ids = line.rest[1:]
        self._moves.append(RecordedMove(0 if ids == PASSED else self._cards(line, ids)))

    def _game_over(self, line: _Line) -> None:
        if line.rest == NO_PLAYER or not self._landlord:
            self._result = self._result._replace(termination="nobody bid")
            return
        seat = self._seat(self._letter(line, line.rest))
        faulted = self._result.termination.startswith("fault")
        ended = self._result.termination if faulted else f"{SEAT_NAMES[seat]} out"
        self._result = Result("peasants" if seat else "landlord", None, ended)

    def _error(self, line: _Line) -> None:
        letter = self._letter(line, line.rest)
        self._result = self._result._replace(termination=f"fault: ERROR by position {self._position(letter)}")

    def _from_first(self) -> str:
        """The letters in the order of the auction."""
        opener = LETTERS.index(self._first or LETTERS[0])
        return LETTERS[opener:] + LETTERS[:opener]

    def _position(self, letter: str) -> int:
        return self._from_first().index(letter)

    def _seat(self, letter: str) -> int:
        return (LETTERS.index(letter) - LETTERS.index(self._landlord)) % SEATS

    def _letter(self, line: _Line, letter: str) -> str:
        if letter not in LETTERS or len(letter) != 1:
            line.refuse(f"{letter!r} is not a seat; there are A, B and C")
        return letter

    def _cards(self, line: _Line, text: str) -> Hand:
        try:
            return hand_of_ids(int(card) for card in text.split(","))
        except CardsError as error:
            line.refuse(error)
        except ValueError:
            line.refuse(f"{text!r:.40} is not a list of card ids")
