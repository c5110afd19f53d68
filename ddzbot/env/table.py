"""One game from the deal to the scores, auction and faults included: what the environments of one game share."""

import random
from typing import List, Optional, Sequence, Tuple, Union

from ddzbot.env.actions import moves_of
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

    @property
    def position(self) -> int:
        """The position to move, 0 to 2."""
        if self.game is None:
            return len(self.bids)
        return (self.game.landlord_position + self.game.seat) % SEATS

    @property
    def view(self) -> Union[View, BidView]:
        """The view of the player to move."""
        if self.game is None:
            return BidView(self.rules, self.deal.hands[self.position], self.bids)
        return View.of(self.game, self.game.seat)

    def choices(self) -> List[Choice]:
        """Lists the legal moves or bids of the player to move; empty when the game is over."""
        if self.points is not None:
            return []
        view = self.view
        if isinstance(view, BidView):
            return list(view.legal_bids)
        return list(moves_of(view.rules, view.hand, view.to_beat))

    def seen(self, position: int) -> List[int]:
        """Lists what the player at a position sees now, whether it is to move or not: a row of :data:`SEEN` numbers."""
        if self.game is None:
            return seen_in_auction(self.rules, self.deal.hands[position], self.bids, position)
        return seen(View.of(self.game, (position - self.game.landlord_position) % SEATS))

    def choose(self, choice: Optional[Choice]) -> None:
        """Makes one of the choices; None is a fault, which ends the game as a judge ends it."""
        if choice is None:
            self._fault()
        elif isinstance(choice, Move):
            assert self.game is not None
            self.game = self.game.played(choice)
            if self.game.finished:
                self._pay(self.game.scores(), self.game.landlord_position)
        else:
            self.bids += (choice,)
            over = auction(self.bids)
            if over:
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
