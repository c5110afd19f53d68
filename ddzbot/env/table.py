"""One game from the deal to the scores, auction and faults included: what the environments of one game share."""

import random
from typing import Optional, Sequence, Tuple, Union

from ddzbot import rules as rules_now
from ddzbot.env.layout import Choice, seen, seen_in_auction
from ddzbot.game import SEATS, Deal, Game, auction, shuffled, start
from ddzbot.rules import Move, RuleSet
from ddzbot.view import BidView, View


class Table:
    """A game in progress, by positions at the table."""

    def __init__(self, deal: Deal) -> None:
        self.deal, self.rules = deal, deal.rules
        self.bids: Tuple[int, ...] = ()
        self.game: Optional[Game] = None if deal.rules.bidding else start(deal)
        """None during the auction."""
        self.points: Optional[Sequence[float]] = None
        """Of each position, when the game is over."""
        self.position = 0
        """The position to move, 0 to 2."""

    @property
    def view(self) -> Union[View, BidView]:
        """The view of the player to move."""
        if self.game is None:
            return BidView(self.rules, self.deal.hands[self.position], self.bids)
        return View.of(self.game, self.game.seat)

    def choices(self) -> Sequence[Choice]:
        """Lists the legal moves or bids of the player to move; empty when the game is over."""
        if self.points is not None:
            return []
        if self.game is None:
            return BidView(self.rules, self.deal.hands[self.position], self.bids).legal_bids
        return self.game.legal_moves()

    def seen(self, position: int) -> bytearray:
        """Gets what the player at a position sees now, as :func:`ddzbot.env.layout.seen` says, be it to move or not."""
        game = self.game
        if game is None:
            return seen_in_auction(self.rules, self.deal.hands[position], self.bids, position)
        seat = (position - game.landlord_position) % SEATS
        return rules_now.answering.game_seen(game, seat) or bytearray(seen(View.of(game, seat)))

    def choose(self, choice: Optional[Choice]) -> None:
        """Makes one of the choices; None is a fault, which ends the game as a judge ends it."""
        if choice is None:
            self._fault()
        elif isinstance(choice, Move):
            assert self.game is not None
            self.game = self.game.played(choice)
            self.position = (self.position + 1) % SEATS
            if self.game.finished:
                self._pay(self.game.scores(), self.game.landlord_position)
        else:
            self.bids += (choice,)
            self.position = len(self.bids)
            over = auction(self.bids)
            if over:
                self.position = over[0]
                self.game = start(self.deal, self.bids, over[0])

    def _fault(self) -> None:
        """In the auction a player at fault is paid as a landlord at fault."""
        scoring, position = self.rules.scoring, self.position
        if self.game is None or self.game.seat == 0:
            self._pay(scoring.landlord_fault, position)
        else:
            self._pay(scoring.peasant_fault, self.game.landlord_position)

    def _pay(self, scores: Sequence[float], landlord: int) -> None:
        self.points = [scores[(position - landlord) % SEATS] for position in range(SEATS)]


class Dealer:
    """Deals one game after the other; the same seed deals the same ones."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._random = random.Random()

    def table(self, seed: Optional[int] = None) -> Table:
        """Deals the next game; with a *seed* the first one of that seed. Until a seed is given, games are random."""
        if seed is not None:
            self._random = random.Random(f"environment/{seed}")
        return Table(shuffled(self._rules, f"environment/{self._random.getrandbits(64):016x}"))
