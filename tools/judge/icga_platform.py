"""The platform of the Chinese championship's line protocol: it deals, asks in turn, and holds answers to the rules."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn, Protocol

from ddzbot.cards import CARD_IDS, CardsError, Hand, hand_of_ids
from ddzbot.game import (
    HIGHEST_BID,
    SEATS,
    Deal,
    Game,
    IllegalMoveError,
    auction,
    final_bid,
    is_legal_bid,
    scores,
    start,
)
from ddzbot.protocol.icga import LETTERS
from ddzbot.rules import ICGA, PASS, read_move

SECONDS = 15.0
"""How long an answer may take, as INFO sends it."""

ILLEGAL = "ILLEGAL"
"""The verdict on an answer that came in time and breaks the protocol or the rules."""

_LONGEST_NAME = 60

Points = tuple[float, float, float]
"""Type alias: what each place is paid, in points of Botzone's game with an auction, for want of the championship's."""


class IcgaFaultError(ValueError):
    """Raised for an engine that is at fault; the message is one sentence that names it."""

    def __init__(self, place: int, verdict: str, sentence: str) -> None:
        super().__init__(sentence)
        self.place, self.verdict = place, verdict


class Engine(Protocol):
    """One that plays."""

    def ask(self, line: str) -> str:
        """
        Gets a message to its answer, both without a line end; begins anew if the engine was ended.

        :raises IcgaFaultError: if there is none.
        """

    def end(self) -> None:
        """Ends it at once."""


class PlayedDeal(NamedTuple):
    """A deal that was played, or as much of it as there was before a fault."""

    deal: Deal
    """By position in the auction."""
    first: int
    """The place of the first to bid."""
    bids: tuple[int, ...]
    game: Game | None
    """None if a fault ended the auction."""
    points: Points
    faults: tuple[IcgaFaultError, ...]
    """The first one ended the deal, unless the game is finished."""

    @property
    def landlord(self) -> int | None:
        """The place of the landlord."""
        return None if self.game is None else (self.first + self.game.landlord_position) % SEATS


class Platform:
    """Three engines at the places A, B and C, and the series that they play."""

    def __init__(self, engines: Sequence[Engine], seconds: float = SECONDS) -> None:
        self._engines = engines
        self._seconds = seconds
        self._open = [False] * SEATS
        self.names = [""] * SEATS
        """What the engines call themselves."""

    def open(self) -> None:
        """
        Begins the series.

        :raises IcgaFaultError: if one of the engines cannot begin.
        """
        faults = self._each(self._introduce)
        if faults:
            raise faults[0]

    def play(self, number: int, deals: int, seed: str) -> PlayedDeal:
        """
        Plays a deal of a series of *deals*; the first bid goes round from deal to deal.

        A fault ends the deal, and the engine, which begins anew with the next deal.
        """
        table = _Table(number, seed)
        faults = self._each(self._introduce)
        losers = [fault.place for fault in faults]
        if not faults:
            try:
                self._send(f"INFO 1,1,{number + 1},{deals},3,2100,{self._seconds:g}")
                self._play(table)
            except IcgaFaultError as fault:
                faults.append(self._ended(fault))
                losers = [fault.place]
            ending = f"GAMEOVER {LETTERS[table.winner]}" if table.finished else f"ERROR {LETTERS[losers[0]]}"
            # The deal is over: an engine that fails now loses nothing, and begins anew.
            faults += self._each(lambda place: self._tell(place, ending) if self._open[place] else None)
        points = table.points() if table.finished else table.forfeit_points(losers)
        return PlayedDeal(table.deal, table.first, tuple(table.bids), table.game, points, tuple(faults))

    def _play(self, table: "_Table") -> None:
        for place, ids in enumerate(table.dealt):
            self._tell(place, f"DEAL {LETTERS[place]}{_ids_text(ids)}")
        self._auction(table)
        game = table.begin()
        self._send(f"LEFTOVER {LETTERS[table.place_of(0)]}{_ids_text(table.bottom)}")
        while not game.finished:
            game = self._move(game, table)

    def _auction(self, table: "_Table") -> None:
        while auction(table.bids) is None:
            place = (table.first + len(table.bids)) % SEATS
            answer = self._engines[place].ask("BID WHAT")
            bid = _BIDS.get(answer[5:])
            if answer[:5] != f"BID {LETTERS[place]}" or bid is None or not is_legal_bid(table.bids, bid):
                _refuse(place, answer, f"no bid after {table.bids}")
            table.bids.append(bid)
            self._send(answer, but=place)

    def _move(self, game: Game, table: "_Table") -> Game:
        place = table.place_of(game.seat)
        answer = self._engines[place].ask("PLAY WHAT")
        if answer[:6] != f"PLAY {LETTERS[place]}":
            _refuse(place, answer, "no move")
        try:
            # Of bytes int takes the ten digits alone, and not those of other scripts.
            ids = [] if answer[6:] == "-1" else [int(card.encode("ascii")) for card in answer[6:].split(",")]
        except ValueError:
            _refuse(place, answer, "no list of cards")
        if not set(ids) <= table.held[place]:
            _refuse(place, answer, "cards that it does not hold")
        try:
            table.game = game.play(read_move(ICGA, hand_of_ids(ids)) if ids else PASS)
        except (CardsError, IllegalMoveError) as error:
            _refuse(place, answer, str(error))
        table.held[place] -= set(ids)
        self._send(answer, but=place)
        return table.game

    def _introduce(self, place: int) -> None:
        """Begins with an engine, unless it has begun."""
        if not self._open[place]:
            answer = self._engines[place].ask("DOUDIZHUVER 1.0")
            if not answer.startswith("NAME "):
                _refuse(place, answer, "no NAME")
            self.names[place] = answer[5:][:_LONGEST_NAME]
            self._open[place] = True

    def _each(self, does: Callable[[int], None]) -> list[IcgaFaultError]:
        """Does something with each of the engines, and ends those that are at fault."""
        faults = []
        for place in range(SEATS):
            try:
                does(place)
            except IcgaFaultError as fault:
                faults.append(self._ended(fault))
        return faults

    def _ended(self, fault: IcgaFaultError) -> IcgaFaultError:
        self._engines[fault.place].end()
        self._open[fault.place] = False
        return fault

    def _send(self, line: str, but: int | None = None) -> None:
        for place in range(SEATS):
            if place != but:
                self._tell(place, line)

    def _tell(self, place: int, line: str) -> None:
        answer = self._engines[place].ask(line)
        if answer != f"OK {line.split()[0]}":
            _refuse(place, answer, f"not OK to {line!r:.40}")


def dealt(number: int, seed: str) -> Deal:
    """Gets a deal of a series, by position in the auction."""
    return _Table(number, seed).deal


class _Table:
    """A deal while it is played."""

    def __init__(self, number: int, seed: str) -> None:
        ids = list(range(CARD_IDS))
        random.Random(f"icga/{seed}/{number}").shuffle(ids)
        self.first = number % SEATS
        self.dealt = [ids[ICGA.dealt * place : ICGA.dealt * (place + 1)] for place in range(SEATS)]
        self.bottom = ids[ICGA.dealt * SEATS :]
        self.held = [set(cards) for cards in self.dealt]
        hands: list[Hand] = [hand_of_ids(self.dealt[(self.first + position) % SEATS]) for position in range(SEATS)]
        self.deal = Deal(ICGA, (hands[0], hands[1], hands[2]), hand_of_ids(self.bottom))
        self.bids: list[int] = []
        self.game: Game | None = None
        self._landlord = 0

    def begin(self) -> Game:
        """Gives the bottom to the landlord of the auction."""
        result = auction(self.bids)
        position = result[0] if result else 0
        self._landlord = (self.first + position) % SEATS
        self.held[self._landlord] |= set(self.bottom)
        self.game = start(self.deal, self.bids, position)
        return self.game

    def place_of(self, seat: int) -> int:
        """Gets the place of a seat once there is a landlord."""
        return (self._landlord + seat) % SEATS

    @property
    def finished(self) -> bool:
        """Checks if a player is out."""
        return self.game is not None and self.game.finished

    @property
    def winner(self) -> int:
        """The place of the player that is out."""
        assert self.game is not None
        return self.place_of(self.game.winner or 0)

    def points(self) -> Points:
        """Gets what is paid for a game that is finished."""
        assert self.game is not None
        return _by_place(self.game.scores(), self._landlord)

    def forfeit_points(self, losers: Sequence[int]) -> Points:
        """
        Gets what is paid where the engines at these places are at fault.

        One of them pays the two others as a landlord that loses at this moment, two pay the third one as peasants do.
        """
        others = [place for place in range(SEATS) if place not in losers]
        if not others:
            return 0.0, 0.0, 0.0
        alone, winner = (losers[0], 1) if len(losers) == 1 else (others[0], 0)
        return _by_place(scores(ICGA, self.game.plays if self.game else (), winner, final_bid(self.bids)), alone)


def _by_place(paid: Sequence[float], landlord: int) -> Points:
    first, second, third = (paid[(place - landlord) % SEATS] for place in range(SEATS))
    return first, second, third


_BIDS = {str(bid): bid for bid in range(HIGHEST_BID + 1)}


def _refuse(place: int, answer: str, problem: str) -> NoReturn:
    raise IcgaFaultError(place, ILLEGAL, f"engine {LETTERS[place]} answers {answer!r:.80}: {problem}")


def _ids_text(ids: Sequence[int]) -> str:
    return ",".join(map(str, ids))
