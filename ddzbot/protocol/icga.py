"""
The line protocol of the Chinese computer games championship, DOUDIZHUVER 1.0: a message in, an answer out.

One process plays a whole series of deals. Seats have letters; A is followed by B, and B by C. The platform repeats the
bids and moves of the others only, so what we answered is noted here. How the championship scores is not known: the
values are those of Botzone's game with an auction.
"""

from typing import Any, Dict, List, NoReturn, Optional, Union

from ddzbot import __version__
from ddzbot.cards import CARD_IDS, hand_of_ids
from ddzbot.game import HIGHEST_BID, SEATS, final_bid, is_legal_bid
from ddzbot.game import to_beat as last_to_beat
from ddzbot.protocol.botzone import OwnTurn, TableState
from ddzbot.protocol.budget import SHARE_OF_LIMIT, processor_seconds
from ddzbot.protocol.watchdog import Settings, Watchdog
from ddzbot.rules import ICGA, PASS, Move, read_move
from ddzbot.search.deadline import Clock
from ddzbot.view import BidView, View

VERSION = "DOUDIZHUVER"
LETTERS = "ABC"
ASKED = "WHAT"
PASSED = "-1"
_TIME_FIELD = 6
"""The place of the seconds an answer among the numbers of INFO; older platforms do not send it."""
_MOST_MOVES = 400
_LONGEST_WORD = 20


class IcgaError(ValueError):
    """Raised for a message that makes no sense where it comes; the message is one sentence."""


class _Deal:
    """Our knowledge of the deal in progress."""

    def __init__(self, own: str, ids: List[int]) -> None:
        self.own = own
        self.ids = ids
        """The cards that we hold."""
        self.first = ""
        """The position that bids first, 0 to 2."""
        self.bids: List[int] = []
        self.landlord = ""
        self.bottom: List[int] = []
        self.plays: List[Move] = []

    def bidder(self, letter: str) -> int:
        """Gets the position of a letter in the auction, which begins with the first to bid."""
        return (LETTERS.index(letter) - LETTERS.index(self.first or letter)) % SEATS

    def seat(self, letter: str) -> int:
        """Gets the seat of a letter in the play."""
        return (LETTERS.index(letter) - LETTERS.index(self.landlord)) % SEATS

    def take_bid(self, letter: str, bid: int) -> None:
        """Notes a bid; one that cannot be counts as none, as it does where a seat was faulted."""
        self.first = self.first or letter
        self.bids.append(bid if is_legal_bid(self.bids, bid) else 0)

    def take_play(self, letter: str, ids: List[int]) -> None:
        """Notes a move, and passes of seats whose moves the platform left out."""
        if len(self.plays) < _MOST_MOVES:
            self.plays += [PASS] * ((self.seat(letter) - len(self.plays)) % SEATS)
            self.plays.append(read_move(ICGA, hand_of_ids(ids)) if ids else PASS)

    def own_turn(self) -> OwnTurn:
        """Gets what we know when we are to move, or to bid."""
        if not self.landlord:
            return OwnTurn(BidView(ICGA, hand_of_ids(self.ids), tuple(self.bids)), self.ids)
        view = View(
            rules=ICGA,
            seat=self.seat(self.own),
            hand=hand_of_ids(self.ids),
            bottom=hand_of_ids(self.bottom),
            bids=tuple(self.bids),
            stake=final_bid(self.bids),
            landlord_position=self.bidder(self.landlord),
            plays=tuple(self.plays),
        ).with_possible_bids()
        contradiction = view.contradiction() or view.contradiction_of_turns()
        if contradiction:
            raise IcgaError("the messages contradict each other: " + contradiction)
        return OwnTurn(view, self.ids)


class IcgaSession:
    """
    An engine of the championship between two lines.

    For example ``IcgaSession(settings).answer("DOUDIZHUVER 1.0", clock) == "NAME ddzbot"``.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._watchdog = Watchdog(settings)
        self._deal: Optional[_Deal] = None
        self._seconds: Optional[float] = None
        """The seconds for an answer, from INFO."""
        self.ended = False
        """Whether the platform has said that the series is over."""

    def answer(self, line: str, clock: Clock, first_turn: bool = True) -> str:
        """
        Answers one message with one line, without its line end; empty after the last one. Never raises.

        A message of which nothing can be made is answered with ``OK`` and its first word.
        """
        words = line.split(None, 1)
        word = words[0].upper()[:_LONGEST_WORD] if words else ""
        rest = words[1].strip() if len(words) > 1 else ""
        try:
            return self._answer_line(word, rest, clock, first_turn)
        except Exception:  # what a platform never sends may break anything
            return self._safe(word, rest)

    def _answer_line(self, word: str, rest: str, clock: Clock, first_turn: bool) -> str:
        kind = word[:3]
        if kind == VERSION[:3]:
            return f"NAME ddzbot {__version__}"
        if kind == "EXI":
            self.ended = True
            return ""
        if kind == "INF":
            self._seconds = _seconds_of(rest)
        elif kind == "DEA":
            self._deal = _Deal(_letter(rest), _ids(rest[1:]))
        elif kind == "BID" and rest.upper() != ASKED:
            self._current_deal().take_bid(_letter(rest), _bid(rest[1:]))
        elif kind == "LEF":
            self._leftover(_letter(rest), _ids(rest[1:]))
        elif kind == "PLA" and rest.upper() != ASKED:
            self._current_deal().take_play(_letter(rest), [] if rest[1:].strip() == PASSED else _ids(rest[1:]))
        elif kind in ("BID", "PLA"):
            return self._decide(kind, clock, first_turn)
        return f"OK {_plain(word)}"

    def _current_deal(self) -> _Deal:
        if self._deal is None:
            raise IcgaError("no hand has been dealt yet")
        return self._deal

    def _leftover(self, letter: str, ids: List[int]) -> None:
        deal = self._current_deal()
        deal.landlord, deal.bottom = letter, ids
        deal.first = deal.first or letter
        if letter == deal.own:
            deal.ids = deal.ids + ids

    def _decide(self, kind: str, clock: Clock, first_turn: bool) -> str:
        deal = self._current_deal()
        response: Union[int, List[int]] = 0
        if kind == "BID":
            deal.first = deal.first or deal.own
        else:
            response = TableState(ICGA, deal.ids, last_to_beat(deal.plays)).safe_ids()
        try:
            turn = deal.own_turn()
            budget = self._settings.budget.planned(self._time_limit(), first_turn)
            budget = min(budget, clock.elapsed() + SHARE_OF_LIMIT * processor_seconds())
            response = self._watchdog.ask(turn, response, clock, budget).response
        except Exception:  # whatever it is, the answer that is known to be legal goes out
            pass
        return self._note_answer(kind, deal, response)

    def _time_limit(self) -> Dict[str, Any]:
        return {} if self._seconds is None else {"time_limit": self._seconds}

    def _note_answer(self, kind: str, deal: _Deal, response: Union[int, List[int]]) -> str:
        """Notes what we answer, which the platform does not repeat."""
        if kind == "BID":
            bid = response if isinstance(response, int) else 0
            deal.take_bid(deal.own, bid)
            return f"BID {deal.own}{bid}"
        ids = response if isinstance(response, list) else []
        deal.take_play(deal.own, ids)
        deal.ids = [card_id for card_id in deal.ids if card_id not in ids]
        return f"PLAY {deal.own}" + (",".join(map(str, ids)) or PASSED)

    def _safe(self, word: str, rest: str) -> str:
        """Answers a message of which nothing can be made."""
        own = self._deal.own if self._deal else LETTERS[0]
        if rest.upper() == ASKED and word[:3] in ("BID", "PLA"):
            return f"BID {own}0" if word[:3] == "BID" else f"PLAY {own}{PASSED}"
        return f"OK {_plain(word)}"


def _plain(word: str) -> str:
    return "".join(letter for letter in word if "A" <= letter <= "Z" or "0" <= letter <= "9")


def _seconds_of(rest: str) -> Optional[float]:
    try:
        seconds = float(rest.split(",")[_TIME_FIELD])
    except (IndexError, ValueError):
        return None
    return seconds if 0 < seconds < 1e6 else None


def _letter(text: str) -> str:
    letter = text[:1].upper()
    if letter not in LETTERS or not letter:
        _refuse(f"{text!r:.40} names no seat")
    return letter


def _bid(text: str) -> int:
    text = text.strip()
    if text not in map(str, range(HIGHEST_BID + 1)):
        _refuse(f"{text!r:.40} is not a bid")
    return int(text)


def _ids(text: str) -> List[int]:
    ids = [int(card) for card in text.split(",")]
    if len(ids) > CARD_IDS:
        _refuse(f"{len(ids)} cards are more than there are")
    hand_of_ids(ids)
    return ids


def _refuse(problem: str) -> NoReturn:
    raise IcgaError(problem)
