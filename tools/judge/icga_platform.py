"""The platform of the Chinese championship's line protocol: it deals, asks in turn, and holds answers to the rules."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn

from ddzbot.cards import CARD_IDS, CardsError, Hand, hand_of_ids
from ddzbot.game import SEATS, Deal, Game, IllegalMoveError, auction, is_legal_bid, start
from ddzbot.protocol.icga import LETTERS
from ddzbot.rules import ICGA, PASS, read_move

Engine = Callable[[str], str]
"""Type alias: gets a message to its answer, both without a line end."""

SECONDS = 15
"""What INFO says an answer may take."""


class IcgaFaultError(ValueError):
    """Raised for an answer that breaks the protocol or the rules; the message is one sentence that names the engine."""


class Played(NamedTuple):
    """A deal that was played."""

    game: Game
    first: int
    """The place of the first to bid."""
    landlord: int
    """The place of the landlord."""

    @property
    def points(self) -> tuple[float, float, float]:
        """What each place is paid, in points of Botzone's game with an auction: the championship's are not known."""
        by_seat = self.game.scores()
        first, second, third = (by_seat[(place - self.landlord) % SEATS] for place in range(SEATS))
        return first, second, third


class Platform:
    """Three engines at the places A, B and C, and the series that they play."""

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = engines

    def open(self) -> list[str]:
        """Begins the series; gets the names of the engines."""
        names = []
        for place in range(SEATS):
            said = self._ask(place, "DOUDIZHUVER 1.0")
            if not said.startswith("NAME "):
                self._fault(place, said, "no NAME")
            names.append(said[5:])
        return names

    def play(self, number: int, deals: int, seed: str) -> Played:
        """
        Plays a deal of a series of *deals*; the first bid goes round from deal to deal.

        :raises IcgaFaultError: for an answer that breaks the protocol or the rules.
        """
        first = number % SEATS
        ids = list(range(CARD_IDS))
        random.Random(f"icga/{seed}/{number}").shuffle(ids)
        held = [set(ids[ICGA.dealt * place : ICGA.dealt * (place + 1)]) for place in range(SEATS)]
        bottom = ids[ICGA.dealt * SEATS :]
        self._tell(f"INFO 1,1,{number + 1},{deals},3,2100,{SECONDS}")
        for place in range(SEATS):
            self._told(place, f"DEAL {LETTERS[place]}{_listed(ids[ICGA.dealt * place : ICGA.dealt * (place + 1)])}")
        bids = self._auction(first)
        landlord_position = _result(bids)
        landlord = (first + landlord_position) % SEATS
        self._tell(f"LEFTOVER {LETTERS[landlord]}{_listed(bottom)}")
        hands: list[Hand] = [hand_of_ids(held[(first + position) % SEATS]) for position in range(SEATS)]
        game = start(Deal(ICGA, (hands[0], hands[1], hands[2]), hand_of_ids(bottom)), bids, landlord_position)
        held[landlord] |= set(bottom)
        while not game.finished:
            place = (landlord + game.seat) % SEATS
            game = self._move(game, place, held[place])
        self._tell(f"GAMEOVER {LETTERS[(landlord + (game.winner or 0)) % SEATS]}")
        return Played(game, first, landlord)

    def _auction(self, first: int) -> list[int]:
        bids: list[int] = []
        while auction(bids) is None:
            place = (first + len(bids)) % SEATS
            said = self._ask(place, "BID WHAT")
            bid = said[5:]
            if said[:5] != f"BID {LETTERS[place]}" or not bid.isdigit() or not is_legal_bid(bids, int(bid)):
                self._fault(place, said, f"no bid after {bids}")
            bids.append(int(bid))
            self._tell(said, but=place)
        return bids

    def _move(self, game: Game, place: int, held: set[int]) -> Game:
        said = self._ask(place, "PLAY WHAT")
        if said[:6] != f"PLAY {LETTERS[place]}":
            self._fault(place, said, "no move")
        try:
            ids = [] if said[6:] == "-1" else [int(card) for card in said[6:].split(",")]
        except ValueError:
            self._fault(place, said, "no list of cards")
        if not set(ids) <= held:
            self._fault(place, said, "cards that it does not hold")
        try:
            then = game.play(read_move(ICGA, hand_of_ids(ids)) if ids else PASS)
        except (CardsError, IllegalMoveError) as error:
            self._fault(place, said, str(error))
        held -= set(ids)
        self._tell(said, but=place)
        return then

    def _tell(self, line: str, but: int | None = None) -> None:
        for place in range(SEATS):
            if place != but:
                self._told(place, line)

    def _told(self, place: int, line: str) -> None:
        said = self._ask(place, line)
        if said != f"OK {line.split()[0]}":
            self._fault(place, said, f"not OK to {line!r:.40}")

    def _ask(self, place: int, line: str) -> str:
        return self._engines[place](line)

    def _fault(self, place: int, said: str, problem: str) -> NoReturn:
        raise IcgaFaultError(f"engine {LETTERS[place]} answers {said!r:.80}: {problem}")


def _listed(ids: Sequence[int]) -> str:
    return ",".join(map(str, ids))


def _result(bids: Sequence[int]) -> int:
    result = auction(bids)
    return result[0] if result else 0
