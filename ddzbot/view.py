"""
The view of one seat: its own hand, the bottom, the bids and every public move.

A player gets a :class:`View` and nothing else, so that looking at hidden cards is a type error. During the
auction there is no landlord yet, and a bidder gets a :class:`BidView`.
"""

from typing import List, NamedTuple, Optional, Sequence, Tuple

from ddzbot import rules as rules_now
from ddzbot.cards import Hand, contains, count, counts, hand_of_counts, hand_text, parse_hand, size
from ddzbot.game import HIGHEST_BID, SEATS, Game, auction, final_bid, to_beat
from ddzbot.moves import plays_of_text, text_of_plays
from ddzbot.readable import described, typed_back
from ddzbot.rule_sets import checked_rules
from ddzbot.rules import Move, RuleSet, legal_moves


@described(
    rules="The rule set.",
    hand="The cards that the bidder was dealt.",
    bids="The earlier bids in order; their number is the bidder's position.",
)
class BidView(NamedTuple):
    """The knowledge of a bidder."""

    rules: RuleSet
    hand: Hand
    bids: Tuple[int, ...]

    @classmethod
    def from_text(cls, rules: RuleSet, hand: str, bids: Sequence[int] = ()) -> "BidView":
        """
        Reads what a bidder knows. For example ``BidView.from_text(BOTZONE2, "3344556778TJQKA2L", (0, 1))``.

        :raises CardsError: for a text that is no cards.
        """
        return cls(checked_rules(rules), parse_hand(hand), tuple(bids))

    def __repr__(self) -> str:
        return typed_back(self, lambda: {"rules": self.rules, "hand": hand_text(self.hand), "bids": self.bids}, bids=())

    @property
    def legal_bids(self) -> List[int]:
        """The bids that are allowed now: 0 and everything above the highest bid so far."""
        return [0, *range(max(self.bids, default=0) + 1, HIGHEST_BID + 1)]

    def contradiction(self) -> Optional[str]:
        """Gets one sentence on what cannot be true in this view, or None."""
        if not self.rules.bidding:
            return f"there is no auction under rules {self.rules.name}"
        try:
            if auction(self.bids) is not None:
                return f"bids {self.bids}: the auction is over"
        except ValueError as error:
            return str(error)
        if size(self.hand) != self.rules.dealt:
            return f"the own hand has {size(self.hand)} cards where {self.rules.dealt} are dealt"
        if not contains(self.rules.deck, self.hand):
            return "the own hand has cards that the deck does not have"
        return None


@described(
    rules="The rule set.",
    seat="The own seat: 0 landlord, 1 landlord_down, 2 landlord_up.",
    hand="The cards that the own seat still holds.",
    bottom="The public cards that the landlord took, whether played by now or not.",
    bids="The bids by position, None where this seat did not hear one.",
    stake="The stake of the auction: the winning bid, and 1 without an auction.",
    landlord_position="The position of the landlord, 0 to 2; 0 without an auction.",
    plays="Every move so far; move ``i`` was made by seat ``i % 3``.",
)
class View(NamedTuple):
    """The knowledge of one seat when it is to move."""

    rules: RuleSet
    seat: int
    hand: Hand
    bottom: Hand
    bids: Tuple[Optional[int], ...]
    stake: int
    landlord_position: int
    plays: Tuple[Move, ...]

    @classmethod
    def from_text(
        cls,
        rules: RuleSet,
        seat: int,
        hand: str,
        bottom: str,
        plays: str = "",
        bids: Sequence[Optional[int]] = (),
        stake: int = 1,
        landlord_position: int = 0,
    ) -> "View":
        """
        Reads what a seat knows; the moves as :meth:`ddzbot.game.Game.from_text` does.

        For example ``View.from_text(BOTZONE, 1, "3334456789TJQKA2L", "55B", "44 pass pass 6")``. Whether all that can
        be is not asked here: :meth:`contradiction` says it.

        :raises CardsError: for a text that is no cards.
        :raises RulesError: for cards that are no move of the kind that is written after them.
        """
        moves = plays_of_text(plays, checked_rules(rules).recognised)
        return cls(rules, seat, parse_hand(hand), parse_hand(bottom), tuple(bids), stake, landlord_position, moves)

    def __repr__(self) -> str:
        return typed_back(
            self,
            lambda: {
                "rules": self.rules,
                "seat": self.seat,
                "hand": hand_text(self.hand),
                "bottom": hand_text(self.bottom),
                "plays": text_of_plays(self.plays, self.rules.recognised),
                "bids": self.bids,
                "stake": self.stake,
                "landlord_position": self.landlord_position,
            },
            plays="",
            bids=(),
            stake=1,
            landlord_position=0,
        )

    @classmethod
    def of(cls, game: Game, seat: int) -> "View":
        """
        Gets what *seat* knows of *game*.

        :raises ValueError: for a seat that is none.
        :raises TypeError: for what is no game.
        """
        if not isinstance(game, Game):
            raise TypeError(f"game must be a Game, not {game!r:.60}")
        if seat not in range(SEATS):
            raise ValueError(f"seat must be 0, 1 or 2, not {seat!r}")
        rules, hands, bottom, plays, bids, landlord = game
        return cls(rules, seat, hands[seat], bottom, _bids_known_to(game, seat), final_bid(bids), landlord, plays)

    @property
    def to_beat(self) -> Optional[Move]:
        """The move that must be beaten, or None on a lead."""
        return to_beat(self.plays)

    @property
    def table_seat(self) -> Optional[int]:
        """The seat that played the move to beat, or None on a lead."""
        for back in (1, 2):
            if len(self.plays) >= back and not self.plays[-back].is_pass:
                return (len(self.plays) - back) % SEATS
        return None

    def played(self, seat: int) -> Hand:
        """Adds up the cards that *seat* has played."""
        return sum(move.cards for move in self.plays[seat::SEATS])

    def cards_left(self, seat: int) -> int:
        """Counts the cards that *seat* still holds."""
        return self.rules.seat_cards(seat) - size(self.played(seat))

    @property
    def unseen(self) -> Hand:
        """The cards that the two other seats hold together."""
        return self.rules.deck - self.hand - sum(move.cards for move in self.plays)

    @property
    def bottom_left(self) -> Hand:
        """
        The bottom cards that the landlord surely still holds.

        A rank that the landlord has played may have come from the bottom or from the hand. Seen from outside it came
        from the bottom first, so that what is left here is certain.
        """
        played = counts(self.played(0))
        return hand_of_counts(max(0, held - gone) for held, gone in zip(counts(self.bottom), played))

    def is_partner(self, seat: int) -> bool:
        """Checks if *seat* is the other peasant."""
        return seat != self.seat and 0 not in (seat, self.seat)

    def legal_moves(self) -> List[Move]:
        """Lists the own legal moves."""
        moves = rules_now.answering.game_moves(self)
        return legal_moves(self.rules, self.hand, self.to_beat) if moves is None else moves

    def contradiction(self) -> Optional[str]:
        """
        Gets one sentence on what cannot be true in this view, or None.

        A referee's view of a running game has no contradiction; one that was rebuilt from messages may have.
        """
        return self._contradiction_of_auction() or self._contradiction_of_cards()

    def contradiction_of_turns(self) -> Optional[str]:
        """
        Gets one sentence on what cannot be true in the order of the moves, or None.

        It is asked of views from outside. Endgames and exercises begin with passes that no player made.
        """
        passes = SEATS - 1  # the landlord leads
        for ply, move in enumerate(self.plays):
            if move.is_pass and passes == SEATS - 1:
                return f"seat {ply % SEATS} passes where it must lead"
            passes = passes + 1 if move.is_pass else 0
        for seat in range(SEATS):
            if seat != self.seat and self.cards_left(seat) == 0:
                return f"seat {seat} has played all its cards, and so the game is over"
        return None

    def with_possible_bids(self) -> "View":
        """Gets the same view, but without its bids if they cannot have led to its landlord and stake."""
        return self._replace(bids=()) if self._contradiction_of_auction() else self

    def _contradiction_of_auction(self) -> Optional[str]:
        if self.landlord_position not in range(SEATS):
            return f"landlord_position must be 0, 1 or 2, not {self.landlord_position!r}"
        if not self.rules.bidding:
            if self.bids or self.stake != 1:
                return f"there is no auction under rules {self.rules.name}: no bids, and a stake of 1"
            return None
        if self.stake not in range(1, HIGHEST_BID + 1):
            return f"stake must be 1, 2 or 3, not {self.stake!r}"
        # If any bids that were not heard fit the result, passes do.
        bids = known_bids(self.bids, self.landlord_position, self.stake)
        try:
            possible = auction([bid or 0 for bid in bids]) == (self.landlord_position, self.stake)
        except ValueError:
            possible = False
        if possible:
            return None
        return f"bids {self.bids}: they do not make position {self.landlord_position} the landlord at {self.stake}"

    def _contradiction_of_cards(self) -> Optional[str]:
        if self.seat not in range(SEATS):
            return f"seat must be 0, 1 or 2, not {self.seat!r}"
        for seat in range(SEATS):
            if sum(move.size for move in self.plays[seat::SEATS]) > self.rules.seat_cards(seat):
                return f"seat {seat} has played more cards than it was dealt"
        if not self.hand:
            return "the own hand is empty, and so the game over"
        if size(self.hand) != self.cards_left(self.seat):
            return f"the own hand has {size(self.hand)} cards where {self.cards_left(self.seat)} must be left"
        # Lists, because the sum of hands that contradict each other may have more of a rank than a hand has room for.
        shown_cards = [counts(self.hand), *(counts(move.cards) for move in self.plays)]
        if any(sum(copies) > count(self.rules.deck, rank) for rank, copies in enumerate(zip(*shown_cards))):
            return "more cards of a rank are known than the deck has"
        if not contains(self.rules.deck, self.bottom):
            return "the bottom has cards that the deck does not have"
        landlord_may_have = self.unseen + self.played(0) if self.seat else self.hand + self.played(0)
        if not contains(landlord_may_have, self.bottom):
            return "the bottom has cards that the landlord cannot have taken"
        return None


def _bids_known_to(game: Game, seat: int) -> Tuple[Optional[int], ...]:
    if game.rules.open_bids or not game.rules.bidding:
        return game.bids
    position = (game.landlord_position + seat) % SEATS
    was_asked = position < len(game.bids)
    return known_bids(game.bids[: position + 1] if was_asked else (), game.landlord_position, final_bid(game.bids))


def known_bids(heard: Sequence[Optional[int]], landlord_position: int, stake: int) -> Tuple[Optional[int], ...]:
    """
    Completes the bids that a seat *heard*, its own included, by what follows from the result of the auction.

    For example, a player who bid 0 first and sees position 1 play at 2 knows ``(0, 2, None)``.
    """
    bids = landlord_position + 1 if stake == HIGHEST_BID else SEATS
    bids_of: List[Optional[int]] = [*heard, *[None] * (bids - len(heard))]
    if bids_of[landlord_position] is None:
        bids_of[landlord_position] = stake
    return tuple(bids_of)
