"""
A deal, the auction, a game that shows all three hands, and the score of each platform.

This is the referee's and the self-player's side; a player only ever sees a :class:`ddzbot.view.View`.

A *position* is a place at the table in auction order (0 to 2); a *seat* is a role: 0 the landlord, 1
landlord_down who plays next, 2 landlord_up who plays before the landlord. Seat ``s`` sits at position
``(landlord_position + s) % 3``. Without an auction position and seat are the same.
"""

import random
from typing import List, NamedTuple, Optional, Sequence, Tuple, Union

from ddzbot import rules as rules_now
from ddzbot.cards import RANK_COUNT, UNIT, Hand, contains, count, hand_text, is_in_a_deck, parse_hand, size
from ddzbot.moves import plays_of_text, text_of_plays
from ddzbot.readable import described, typed_back
from ddzbot.rule_sets import checked_rules
from ddzbot.rules import (
    BOMB,
    PASS,
    ROCKET,
    SHUTTLE,
    SHUTTLE_PAIR,
    SHUTTLE_SOLO,
    Move,
    RuleSet,
    explain,
    is_legal,
    legal_moves,
    read_move,
)

SEATS = 3
"""The number of players."""
SEAT_NAMES = ("landlord", "landlord_down", "landlord_up")
"""The seats by number: the landlord, the peasant who plays after it, and the one who plays before it."""
HIGHEST_BID = 3
"""The bid that ends an auction."""

Scores = Tuple[float, float, float]


class IllegalMoveError(ValueError):
    """Raised for a move that the rules refuse now; the message is one sentence that says why."""


@described(
    rules="The rule set.",
    hands="The hand of each position.",
    bottom="The cards that the landlord will take.",
)
class Deal(NamedTuple):
    """The cards as dealt: three hands by position, and the bottom that belongs to none of them yet."""

    rules: RuleSet
    hands: Tuple[Hand, Hand, Hand]
    bottom: Hand

    @classmethod
    def from_text(cls, rules: RuleSet, hands: Sequence[str], bottom: str) -> "Deal":
        """
        Reads a deal. For example ``Deal.from_text(MINI, ("99TTJJQQK", "9TJQKKKAA", "9TJQAA222"), "2LB")``.

        :raises CardsError: for a text that is no cards.
        """
        return cls(checked_rules(rules), three_hands(hands), parse_hand(bottom))

    def __repr__(self) -> str:
        return typed_back(
            self,
            lambda: {"rules": self.rules, "hands": tuple(map(hand_text, self.hands)), "bottom": hand_text(self.bottom)},
        )


def three_hands(texts: Sequence[str]) -> Tuple[Hand, Hand, Hand]:
    """
    Reads three hands.

    :raises CardsError: for a text that is no cards.
    :raises ValueError: for another number of hands.
    """
    first, second, third = map(parse_hand, texts)
    return first, second, third


def shuffled(rules: RuleSet, seed: str) -> Deal:
    """Deals the deck of *rules*; the same seed gives the same deal in every process and Python version."""
    deck = [UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(rules.deck, rank))]
    random.Random("deal/" + seed).shuffle(deck)
    dealt = rules.dealt
    first, second, third = (sum(deck[dealt * position : dealt * (position + 1)]) for position in range(SEATS))
    return Deal(rules, (first, second, third), sum(deck[dealt * SEATS :]))


def auction(bids: Sequence[int]) -> Optional[Tuple[int, int]]:
    """
    Gets (landlord position, final bid) when the auction is over, or None while it runs.

    Each position bids once, in order; a bid of 3 ends the auction. When all pass, position 0 is the landlord at 1.

    :raises ValueError: for bids that no auction has, such as one that is not above the earlier ones.
    """
    for position, bid in enumerate(bids):
        heard = bids[:position]
        if position == SEATS or HIGHEST_BID in heard or not is_legal_bid(heard, bid):
            raise ValueError(f"bids {tuple(bids)}: {bid!r} is not a bid there")
    if HIGHEST_BID in bids:
        return list(bids).index(HIGHEST_BID), HIGHEST_BID
    if len(bids) < SEATS:
        return None
    best = max(bids)
    return (list(bids).index(best), best) if best else (0, 1)


def is_legal_bid(bids: Sequence[int], bid: int) -> bool:
    """Checks a bid against the earlier ones: 0, or more than all of them and at most 3."""
    return bid in range(HIGHEST_BID + 1) and (bid == 0 or bid > max(bids, default=0))


@described(
    rules="The rule set.",
    hands="The cards that each seat still holds.",
    bottom="The three public cards, as the landlord took them.",
    plays="Every move so far; move ``i`` was made by seat ``i % 3``.",
    bids="The bids by position; empty without an auction.",
    landlord_position="The position of the landlord, 0 to 2; 0 without an auction.",
)
class Game(NamedTuple):
    """A game with all hands open. Never changes: :meth:`play` returns the next game."""

    rules: RuleSet
    hands: Tuple[Hand, Hand, Hand]
    bottom: Hand
    plays: Tuple[Move, ...]
    bids: Tuple[int, ...]
    landlord_position: int

    @classmethod
    def from_text(
        cls,
        rules: RuleSet,
        hands: Sequence[str],
        bottom: str,
        plays: str = "",
        bids: Sequence[int] = (),
        landlord_position: int = 0,
    ) -> "Game":
        """
        Reads a game: what each seat still holds, and the moves with blanks between them, such as ``"334455 pass LB"``.

        The moves are read as the rules understand them; :meth:`Move.from_text` says how another reading is written.
        Whether all that can be is not asked here.

        :raises CardsError: for a text that is no cards.
        :raises RulesError: for cards that are no move of the kind that is written after them.
        """
        moves = plays_of_text(plays, checked_rules(rules).recognised)
        return cls(rules, three_hands(hands), parse_hand(bottom), moves, tuple(bids), landlord_position)

    def __repr__(self) -> str:
        return typed_back(
            self,
            lambda: {
                "rules": self.rules,
                "hands": tuple(map(hand_text, self.hands)),
                "bottom": hand_text(self.bottom),
                "plays": text_of_plays(self.plays, self.rules.recognised),
                "bids": self.bids,
                "landlord_position": self.landlord_position,
            },
            plays="",
            bids=(),
            landlord_position=0,
        )

    @property
    def seat(self) -> int:
        """The seat to move, 0 to 2."""
        return len(self.plays) % SEATS

    @property
    def to_beat(self) -> Optional[Move]:
        """The move that must be beaten, or None on a lead."""
        return to_beat(self.plays)

    @property
    def winner(self) -> Optional[int]:
        """The seat that went out, or None while the game runs."""
        return self.hands.index(0) if 0 in self.hands else None

    @property
    def finished(self) -> bool:
        """Whether a player has gone out."""
        return 0 in self.hands

    def legal_moves(self) -> List[Move]:
        """Lists the legal moves of the seat whose turn it is."""
        moves = rules_now.answering.game_moves(self)
        return legal_moves(self.rules, self.hands[self.seat], self.to_beat) if moves is None else moves

    def play(self, move: Union[Move, str]) -> "Game":
        """
        Gets the game after *move* by the seat whose turn it is.

        The move may be a text: ``game.play("334455")``, or ``game.play("pass")``.

        :raises IllegalMoveError: if the rules refuse the move, or the game is over.
        :raises CardsError: for a text that is no cards.
        :raises TypeError: for what is no move.
        """
        after: Optional[Game] = rules_now.answering.game_play(self, move)
        if after is not None:
            return after
        if isinstance(move, str):
            move = self._move_of(move)
        if not isinstance(move, Move) or not isinstance(move[0], int):
            raise TypeError(f"move must be a Move, not {move!r:.60}")
        if 0 not in self.hands and is_legal(self.rules, self.hands[self.seat], move, self.to_beat):
            return self.played(move)
        raise self._refusal(move)

    def _move_of(self, text: str) -> Move:
        """Reads a move: of its readings one that is legal now, and else one that the rules refuse with their reason."""
        cards = PASS.cards if text == "pass" else parse_hand(text)
        return next((move for move in self.legal_moves() if move.cards == cards), read_move(self.rules, cards))

    def _refusal(self, move: Move) -> IllegalMoveError:
        if self.finished:
            return IllegalMoveError(f"{move}: the game is over")
        seat = self.seat
        if not is_in_a_deck(move.cards):
            return IllegalMoveError(f"{SEAT_NAMES[seat]} plays {move.cards!r:.60}: these cards are in no deck")
        reason = explain(self.rules, self.hands[seat], move.cards, self.to_beat)
        if reason:
            return IllegalMoveError(f"{SEAT_NAMES[seat]} plays {reason}")
        return IllegalMoveError(f"{SEAT_NAMES[seat]} plays {move}: kind, rank and length are of other cards")

    def played(self, move: Move) -> "Game":
        """Gets the game after a *move* that is known to be legal: one of :meth:`legal_moves`."""
        after: Optional[Game] = rules_now.answering.game_play(self, move)
        if after is not None:
            return after
        rules, hands, bottom, plays, bids, landlord_position = self
        cards = move.cards
        if cards:
            seat, (landlord, down, up) = len(plays) % SEATS, hands
            if seat == 0:
                hands = (landlord - cards, down, up)
            elif seat == 1:
                hands = (landlord, down - cards, up)
            else:
                hands = (landlord, down, up - cards)
        # To copy a tuple of thirty moves takes 60 ns, a tenth of this call.
        return _as_game(Game, (rules, hands, bottom, plays + (move,), bids, landlord_position))  # noqa: RUF005

    def scores(self) -> Scores:
        """
        Gets what each seat is paid, in seat order.

        :raises ValueError: while the game runs.
        """
        winner = self.winner
        if winner is None:
            raise ValueError("the game is not over: no scores yet")
        return scores(self.rules, self.plays, winner, final_bid(self.bids))


_as_game = tuple.__new__
"""Makes a game of its fields without a step of Python code."""


def start(deal: Deal, bids: Sequence[int] = (), landlord_position: int = 0) -> Game:
    """
    Starts the play: seats are given out from the landlord's position, and the landlord takes the bottom.

    Without bids there is a landlord all the same, at a stake of 1.

    :raises ValueError: for a position that is none, and for bids that do not make it the landlord.
    """
    if landlord_position not in range(SEATS):
        raise ValueError(f"landlord_position must be 0, 1 or 2, not {landlord_position!r}")
    if bids and not deal.rules.bidding:
        raise ValueError(f"bids {tuple(bids)}: there is no auction under rules {deal.rules.name}")
    over = auction(bids) if bids else (landlord_position, 1)
    if over is None or over[0] != landlord_position:
        raise ValueError(f"bids {tuple(bids)}: they do not make position {landlord_position} the landlord")
    hands = [deal.hands[(landlord_position + seat) % SEATS] for seat in range(SEATS)]
    hands[0] += deal.bottom
    return Game(deal.rules, (hands[0], hands[1], hands[2]), deal.bottom, (), tuple(bids), landlord_position)


def to_beat(plays: Sequence[Move]) -> Optional[Move]:
    """Gets the last move that was not a pass, unless two passes followed it."""
    if plays:
        newest = plays[-1]
        if newest.cards:
            return newest
        if len(plays) > 1 and plays[-2].cards:
            return plays[-2]
    return None


def final_bid(bids: Sequence[int]) -> int:
    """Gets the stake that the auction set: the highest bid, and 1 without one."""
    return (max(bids) or 1) if bids else 1


# Scoring. Seat order throughout.


def scores(rules: RuleSet, plays: Sequence[Move], winner: int, stake: int) -> Scores:
    """
    Scores a finished game. For example, under ``botzone2`` a landlord who bid 3 and won with one bomb on the table is
    paid 12, the peasants -6 each.
    """
    scoring = rules.scoring
    base = scoring.peasants_win if winner else scoring.landlord_wins
    factor = stake if rules.bidding else 1
    if scoring.bombs_double:
        factor <<= sum([move.kind in (BOMB, ROCKET) for move in plays])
    if scoring.spring_doubles and (is_spring(plays) or is_anti_spring(plays)):
        factor <<= 1
    # In this order of float operations, which is the platform's, the last digits are the platform's too.
    landlord, down, up = (base[seat] * factor + trick_points(rules, plays[seat::SEATS]) / 100 for seat in range(SEATS))
    shared = (down + up) / 2
    return landlord, shared, shared


def is_spring(plays: Sequence[Move]) -> bool:
    """Checks if neither peasant played a card."""
    return all(move.is_pass for seat in (1, 2) for move in plays[seat::SEATS])


def is_anti_spring(plays: Sequence[Move]) -> bool:
    """Checks if the landlord played no card after the first move."""
    return all(move.is_pass for move in plays[SEATS::SEATS])


_SHUTTLES = frozenset((SHUTTLE, SHUTTLE_SOLO, SHUTTLE_PAIR))


def trick_points(rules: RuleSet, plays: Sequence[Move]) -> int:
    """Adds up the small scores of one seat's *plays*, in hundredths of a point."""
    points = rules.scoring.trick_points
    if not points and not rules.scoring.long_shuttle_points:
        return 0
    kinds = [move.kind for move in plays]
    total = sum([points.get(kind, 0) for kind in kinds])
    if _SHUTTLES.isdisjoint(kinds):
        return total
    long_shuttles = sum(move.kind in _SHUTTLES and move.length >= 3 for move in plays)
    return total + rules.scoring.long_shuttle_points * long_shuttles


def fits(deal: Deal) -> bool:
    """Checks that a deal has the right sizes and exactly the deck of its rule set."""
    sizes = [size(hand) for hand in deal.hands]
    return (
        sizes == [deal.rules.dealt] * SEATS
        and size(deal.bottom) == deal.rules.bottom_size
        and sum(deal.hands) + deal.bottom == deal.rules.deck
        and contains(deal.rules.deck, deal.bottom)
    )
