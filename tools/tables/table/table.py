"""
A running game, with any mix of persons and players around the table.

The table knows all cards and shows each position only what it may know. It is the one judge of what a person does,
and asks the players through :class:`ddzbot.engine.Engine`, so that none of them can stop the game.
"""

import time
from collections.abc import Sequence

from ddzbot.cards import Hand, hand_text
from ddzbot.engine import Engine
from ddzbot.game import SEATS, Deal, Game, auction, final_bid, shuffled, start
from ddzbot.illegal_moves import NOT_HELD
from ddzbot.players.base import Player
from ddzbot.rules import PASS, RuleSet, explain, read_move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...records.fallbacks import fallback_in
from ...records.record import UNFINISHED, GameRecord, Note, Result, record_of
from ...shared.json_text import json_text
from ...shared.language import seat_word
from ...shared.message import Message
from ...shared.names import PERSON
from ...shared.refusal_words import refusal_message
from .bots import deal_name
from .events import BidMade, Event, GameOver, LandlordNamed, MoveMade

DEAL_TAG = "Deal"
"""The tag of a record that names the deal."""


class TableError(ValueError):
    """Raised for what is not allowed now; the message has the reason."""


class Table:
    """
    One game. Positions count places at the table, seats the roles once there is a landlord.

    For example, a person plays the landlord, always with the first legal move, against two bots::

        table = Table(rule_set("botzone"), 7, [None, bot("rule", 7, 1), bot("rule", 7, 2)])
        while not table.over:
            table.play(0, table.view(0).legal_moves()[0].cards)
            table.advance(Limit(seconds=1))
        print(table.record().result)
    """

    def __init__(
        self,
        rules: RuleSet,
        seed: int,
        players: Sequence[Player | None],
        names: Sequence[str] = (),
        deal: Deal | None = None,
        landlord: int | None = None,
        board: bool = False,
    ) -> None:
        """
        Deals, and without an auction makes position 0 the landlord, or the position *landlord*.

        *players* are by position, None is a person. *names* are for the record; without them a player's own name
        stands there. *deal* replaces the cards that *seed* gives. At a *board* a person may act for all.

        :raises TableError: for a wrong number of players or names, or a negative seed.
        """
        if len(players) != SEATS or len(names) not in (0, SEATS):
            raise TableError(f"{len(players)} players and {len(names)} names: a table has {SEATS} places")
        try:
            self.deal_name = deal_name(seed)
        except ValueError as error:
            raise TableError(str(error)) from None
        self.rules = rules
        self.names = tuple(names) or tuple(player.name if player else PERSON for player in players)
        self.events: list[Event] = []
        """Everything that happened, in order; :meth:`events_for` leaves out what a position did not hear."""
        self._deal = deal or shuffled(rules, self.deal_name)
        self._engines: list[Engine | None] = [Engine(player) if player else None for player in players]
        self._bids: list[int] = []
        self._game: Game | None = None
        self._notes: dict[int, Note] = {}
        self._taken_back = 0
        self._board = board
        self._landlord = landlord if rules.bidding or landlord is not None else 0
        self._deal_out()

    @classmethod
    def resumed(cls, record: GameRecord, seed: int, players: Sequence[Player | None], board: bool = False) -> "Table":
        """
        Resumes a recorded game, at the point where the record ends; at a *board* a person may act for all.

        A board takes any past in which all players held what they played.

        :raises TableError: if the record has an illegal move or bid.
        :raises tools.records.record.RecordError: if it does not know all cards.
        """
        if None in record.bids:
            raise TableError("the record does not know all bids")
        landlord = None if record.bids else record.landlord_position
        table = cls(record.rules, seed, players, record.names, record.deal, landlord, board)
        table.deal_name = record.tags.get(DEAL_TAG, "")
        for position, bid in enumerate(record.bids):
            table._bid(position, bid or 0)
        for move in record.moves:
            table._play(move.cards, move.note, fallback_in(move.note.debug or {}), strict=not board)
        return table

    # What is public.

    @property
    def in_auction(self) -> bool:
        """Tests whether there is no landlord yet."""
        return self._game is None

    @property
    def over(self) -> bool:
        """Tests whether a player went out."""
        return self._game is not None and self._game.finished

    @property
    def at(self) -> int:
        """The version of the state: a number that grows with every event, and with every move taken back."""
        return len(self.events) + self._taken_back

    @property
    def position_to_move(self) -> int | None:
        """The position that bids or moves next, None when the game is over."""
        if self._game is None:
            return len(self._bids)
        return None if self._game.finished else self.position_of(self._game.seat)

    def is_person(self, position: int) -> bool:
        """Tests whether a person sits there, and not a bot."""
        return self._engines[position] is None

    def seat_of(self, position: int) -> int:
        """
        Gets the seat of a position.

        :raises TableError: during the auction.
        """
        return (position - self._running.landlord_position) % SEATS

    def position_of(self, seat: int) -> int:
        """
        Gets the position of a seat.

        :raises TableError: during the auction.
        """
        return (self._running.landlord_position + seat) % SEATS

    def last_act(self, position: int) -> int | None:
        """Gets how many bids and moves there were before the last one of a position; None if it made none."""
        own = [index for index, act in enumerate(self._acts) if act.position == position]
        return own[-1] if own else None

    def view(self, position: int) -> View | BidView:
        """
        Gets what *position* may know now, at any turn: a BidView during the auction, and then a View.

        In an auction with hidden bids a position sees none before its own turn.
        """
        if self._game is not None:
            return View.of(self._game, self.seat_of(position))
        return BidView(self.rules, self._deal.hands[position], tuple(self._earlier_bids(position)))

    def events_for(self, position: int) -> list[Event]:
        """Lists the events that *position* noticed: where bids are hidden, a bid is heard by those who bid later."""
        if self.rules.open_bids:
            return list(self.events)
        heard = len(self._earlier_bids(position)) + (position < len(self._bids))
        return [event for event in self.events if not isinstance(event, BidMade) or event.position < heard]

    def record(self) -> GameRecord:
        """Makes the record of the game so far: all hands, and what the players noted and how long they took."""
        tags = {DEAL_TAG: self.deal_name} if self.deal_name else {}
        if self._game is not None:
            return record_of(self._game, self.names, self._notes, tags)
        hands, (first, second, third) = self._deal.hands, self.names
        return GameRecord(
            rules=self.rules,
            hands=hands,
            bottom=self._deal.bottom,
            bids=tuple(self._bids),
            landlord_position=None,
            names=(first, second, third),
            result=Result(termination=UNFINISHED),
            tags=tags,
        )

    # What is done.

    def bid(self, position: int, bid: int) -> None:
        """
        Takes a person's bid.

        :raises TableError: if it is not that person's turn, there is no auction, or the bid is too low or too high.
        """
        self._check_person(position)
        self._bid(position, bid)

    def play(self, position: int, cards: Hand) -> None:
        """
        Takes a person's move; no cards are the pass.

        :raises TableError: if it is not that person's turn, or the rules refuse the move.
        """
        self._check_person(position)
        self._play(cards, Note())

    def take_back(self, acts: int) -> None:
        """
        Goes back to where there were so many bids and moves; what came after them has never been.

        :raises TableError: if there is nothing to take back.
        """
        if not 0 <= acts < len(self._acts):
            raise TableError(Message("there is no move to take back"))
        acts_before, notes, at = self._acts[:acts], self._notes, self.at
        self.events, self._bids, self._game, self._notes = [], [], None, {}
        self._deal_out()
        for act in acts_before:
            if isinstance(act, BidMade):
                self._bid(act.position, act.bid, act.fallback)
            else:
                self._play(act.move.cards, notes[len(self._notes)], act.fallback, strict=False)
        self._taken_back = at + 1 - len(self.events)

    def advance(self, limit: Limit) -> list[Event]:
        """Lets the players act, each within *limit*, until a person is to move or the game is over."""
        before = len(self.events)
        while self.advance_one(limit) is not None:
            pass
        return self.events[before:]

    def advance_one(self, limit: Limit) -> Event | None:
        """
        Lets one player act, and gets its bid or move; None if a person is to move or the game is over.

        The consequences, such as the end of the game, follow in :attr:`events`.
        """
        position = self.position_to_move
        engine = None if position is None else self._engines[position]
        if position is None or engine is None:
            return None
        before = len(self.events)
        view = self.view(position)
        if isinstance(view, BidView):
            bid = engine.bid(view)
            self._bid(position, bid.bid, bid.player if bid.failures else "")
        else:
            began = time.perf_counter()
            decision = engine.choose(view, limit)
            seconds = round(time.perf_counter() - began, 6)
            note = Note(seconds, None, _writable(decision.debug))
            self._play(decision.move.cards, note, decision.player if decision.failures else "")
        return self.events[before]

    # Behind the table.

    @property
    def _running(self) -> Game:
        if self._game is None:
            raise TableError(Message("the auction is not over: there are no seats yet"))
        return self._game

    @property
    def _acts(self) -> list[BidMade | MoveMade]:
        """The bids and moves, in order; all else that happened follows from them."""
        return [event for event in self.events if isinstance(event, (BidMade, MoveMade))]

    def _earlier_bids(self, position: int) -> list[int]:
        """Lists the bids before the own one, as far as they are heard at the table."""
        asked = position < len(self._bids) or (self.in_auction and position == len(self._bids))
        return self._bids[:position] if asked or self.rules.open_bids else []

    def _check_person(self, position: int) -> None:
        if self.over:
            raise TableError(Message("the game is over"))
        if position not in range(SEATS):
            raise TableError(
                Message("there is no position {position}: positions are 0, 1 and 2", position=repr(position))
            )
        if not (self._board or self.is_person(position)):
            seat, player = self._name_of(position), self.names[position]
            raise TableError(Message("{seat} is played by {name}", seat=seat, name=player))
        mover = self.position_to_move
        if mover is not None and mover != position:
            mine, theirs = self._name_of(position), self._name_of(mover)
            raise TableError(Message("it is the turn of {mover}, not of {seat}", mover=theirs, seat=mine))

    def _name_of(self, position: int) -> Message:
        if self._game is None:
            return Message("position {number}", number=position)
        return seat_word(self.seat_of(position))

    def _deal_out(self) -> None:
        if self._landlord is not None:
            self._begin(self._landlord)

    def _bid(self, position: int, bid: int, fallback: str = "") -> None:
        if self._game is not None:
            raise TableError(Message("bid {bid}: there is no auction now", bid=bid))
        allowed = BidView(self.rules, 0, tuple(self._bids)).legal_bids
        if type(bid) is not int or bid not in allowed:
            bids = ", ".join(map(str, allowed))
            raise TableError(Message("bid {bid}: it must be one of {bids}", bid=bid, bids=bids))
        self._bids.append(bid)
        self.events.append(BidMade(position, bid, fallback))
        result = auction(self._bids)
        if result is not None:
            self._begin(result[0])

    def _begin(self, landlord: int) -> None:
        self._game = start(self._deal, self._bids, landlord)
        self.events.append(LandlordNamed(landlord, final_bid(self._bids), self._deal.bottom))

    def _play(self, cards: Hand, note: Note, fallback: str = "", strict: bool = True) -> None:
        """Plays cards; if not *strict*, all that the hand holds, as the past of a position in one line may be any."""
        if self._game is None:
            raise TableError(Message("{cards}: the auction is not over, it is time to bid", cards=_said(cards)))
        game = self._game
        if game.finished:
            raise TableError(Message("{cards}: the game is over", cards=_said(cards)))
        problem = explain(self.rules, game.hands[game.seat], cards, game.to_beat)
        if problem and (strict or problem.code == NOT_HELD):
            raise TableError(refusal_message(problem))
        move = read_move(self.rules, cards) if cards else PASS
        position = self.position_of(game.seat)
        self._notes[len(game.plays)] = note
        self._game = game.played(move)
        self.events.append(MoveMade(position, game.seat, move, note.seconds, fallback))
        if self._game.finished:
            self.events.append(GameOver(position, game.seat, self._game.scores()))


def _writable(debug: dict[str, object]) -> dict[str, object]:
    """Takes a player's comment if a record can hold it, and otherwise its text."""
    try:
        json_text(debug)
    except (TypeError, ValueError):
        return {"text": repr(debug)}
    return debug


def _said(cards: Hand) -> str:
    return hand_text(cards) or Message("pass")
