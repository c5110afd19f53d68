"""
One recorded game: the deal as far as it is known, the auction, every move with what was noted about it, the result.

A record holds what happened, not what should have: its moves need not be legal. Replaying it
(:meth:`GameRecord.plies`, :meth:`GameRecord.game`) says which move was not, and why.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import filterfalse, islice
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from ddzbot.cards import Hand, contains, hand_text, is_in_a_deck, size
from ddzbot.game import SEAT_NAMES, SEATS, Deal, Game, Scores, auction, final_bid
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.view import View

from ..shared.bounds import MOST_MOVES
from .replay import Ending, Ply, filled_hands, fits_into, legal_ending, replay

UNFINISHED = "unfinished"

PLAYER_TAGS = ("Player0", "Player1", "Player2")
RESERVED_TAGS = ("Rules", *PLAYER_TAGS, "Winner", "Scores", "Termination")
"""Tags of the text format that stand for fields of the record."""

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)


class RecordError(ValueError):
    """Raised for a record that holds no game, or cannot be read; the message is one sentence that names the input."""


class Note(NamedTuple):
    """The notes on a move besides its cards."""

    seconds: float | None = None
    """The seconds that the player thought."""
    value: float | None = None
    """The player's value of the move, on its own scale."""
    debug: dict[str, Any] | None = None
    """The player's debug output, a JSON object."""
    comment: str = ""
    """For people."""


NO_NOTE = Note()


class RecordedMove(NamedTuple):
    """One move as it was made; no cards are the pass."""

    cards: Hand
    note: Note = NO_NOTE


class Result(NamedTuple):
    """The end of the game, as far as it is known."""

    winner: Literal["landlord", "peasants"] | None = None
    scores: Scores | None = None
    """By seat; by position while there is no landlord."""
    termination: str = UNFINISHED
    """For people, e.g. ``landlord out`` or ``fault: TLE by position 1``."""


NO_RESULT = Result()


_replayed: tuple[Any, tuple[Ply, ...]] = (None, ())
"""What was replayed last, and its plies: a review asks for them at each of its decisions."""


@dataclass(frozen=True)
class GameRecord:
    """
    A recorded game. For example, this reads one and looks at the position before its tenth move::

        record = parse_record(text)
        print(record.names[record.position_of(0)], hand_text(record.game(9).hands[0]))

    :raises RecordError: for fields that no game can have; moves are not judged.
    """

    rules: RuleSet
    hands: tuple[Hand | None, Hand | None, Hand | None]
    """By position, as dealt, None where unknown. While the bottom is unknown the landlord's hand includes it."""
    bottom: Hand | None
    """None if unknown."""
    bids: tuple[int | None, ...] = ()
    """By position, None where unknown; the bid of the landlord must be known if another one is."""
    landlord_position: int | None = 0
    """None until the auction is over; there are no moves before."""
    moves: tuple[RecordedMove, ...] = ()
    """Every move; move ``i`` was made by seat ``i % 3``."""
    names: tuple[str, str, str] = ("", "", "")
    """The players' names, by position."""
    result: Result = NO_RESULT
    tags: Mapping[str, str] = field(default_factory=dict)
    """Anything else about the game, such as Event, Date or Seed, in order."""

    def __post_init__(self) -> None:
        for problem in (_deal_problem(self), _auction_problem(self), _notes_problem(self), _tags_problem(self)):
            if problem:
                raise RecordError(problem)

    def position_of(self, seat: int) -> int:
        """
        Gets the place at the table of a seat.

        :raises RecordError: while there is no landlord.
        """
        if self.landlord_position is None:
            raise RecordError("the auction is not over: there are no seats yet")
        return (self.landlord_position + seat) % SEATS

    @property
    def seat_hands(self) -> tuple[Hand | None, Hand | None, Hand | None]:
        """The hands by seat with which the play began, the landlord's with the bottom; by position without landlord."""
        if self.landlord_position is None:
            return self.hands
        landlord, down, up = (self.hands[self.landlord_position :] + self.hands)[:SEATS]
        return None if landlord is None else landlord + (self.bottom or 0), down, up

    @property
    def unknown_seats(self) -> list[int]:
        """The seats whose hands are not known."""
        return [seat for seat, hand in enumerate(self.seat_hands) if hand is None] if None in self.hands else []

    @property
    def deal(self) -> Deal:
        """
        The cards as dealt.

        :raises RecordError: if the bottom or a hand is unknown.
        """
        first, second, third = self.hands
        if first is None or second is None or third is None or self.bottom is None:
            raise RecordError("the deal is not completely known")
        return Deal(self.rules, (first, second, third), self.bottom)

    @property
    def start(self) -> Game:
        """
        The game before the first move.

        Unknown hands are filled in with cards that fit all moves, so look only at those of other seats than
        :attr:`unknown_seats`. An unknown bottom is empty, and an unknown bid is 0.

        :raises RecordError: while there is no landlord.
        """
        position, (landlord, down, up) = self.position_of(0), self.seat_hands
        if landlord is None or down is None or up is None:
            cards = [move.cards for move in self.moves]
            landlord, down, up = filled_hands(self.rules, self.seat_hands, self.bottom or 0, cards)
        bids = tuple([bid or 0 for bid in self.bids])
        return Game(self.rules, (landlord, down, up), self.bottom or 0, (), bids, position)

    def plies(self) -> Iterator[Ply]:
        """Replays all moves, the illegal ones too, from :attr:`start` on; who asks once more gets the same plies."""
        global _replayed
        cards = [move.cards for move in self.moves]
        played = (self.rules, self.hands, self.bottom, self.bids, self.landlord_position, cards)
        before, plies = _replayed
        if before != played:
            plies = tuple(replay(self.start, cards, self.unknown_seats))
            _replayed = (played, plies)
        return iter(plies)

    @property
    def legal_ending(self) -> Ending | None:
        """How it ended, at a hundredth of the price of a replay; None without moves, and if one is illegal."""
        if not self.moves or self.unknown_seats:
            return None
        return legal_ending(self.start, [move.cards for move in self.moves])

    def illegal_moves(self) -> list[Ply]:
        """Lists the moves that the rules refuse."""
        return [ply for ply in self.plies() if ply.problem]

    def game(self, ply: int | None = None, strict: bool = True) -> Game:
        """
        Gets the game after *ply* moves, or after all; *strict* refuses illegal moves.

        :raises RecordError: if a hand is unknown, there are fewer moves, or a move before is illegal.
        """
        unknown = self.unknown_seats
        if unknown:
            raise RecordError(f"the hand of {SEAT_NAMES[unknown[0]]} is unknown")
        return self._after(ply, strict)

    def view(self, ply: int | None = None, seat: int | None = None) -> View:
        """
        Gets the view of *seat*, or of the seat to move, after *ply* moves; only its own hand must be known.

        :raises RecordError: if it is not, or there are fewer moves.
        """
        game = self._after(ply, strict=False)
        viewer = game.seat if seat is None else seat
        if viewer in self.unknown_seats:
            raise RecordError(f"the hand of {SEAT_NAMES[viewer]} is unknown")
        view = View.of(game, viewer)
        return view._replace(bids=self.bids) if None in self.bids else view

    def begun(self, moves: int | None = None) -> "GameRecord":
        """Makes the record of an unfinished game out of the first *moves*, or of all, without notes and tags."""
        bare = tuple(RecordedMove(move.cards) for move in self.moves[:moves])
        return replace(self, moves=bare, tags={}, result=NO_RESULT)

    def _after(self, number: int | None, strict: bool) -> Game:
        count = len(self.moves) if number is None else number
        if not 0 <= count <= len(self.moves):
            raise RecordError(f"there is no position after {count} moves: the record has {len(self.moves)}")
        plies = [*islice(self.plies(), count)]
        for ply in plies:
            if strict and ply.problem:
                raise RecordError(f"{ply.name}: {ply.problem}")
        return plies[-1].after if plies else self.start


def record_of(
    game: Game,
    names: Sequence[str] = ("", "", ""),
    notes: Mapping[int, Note] | None = None,
    tags: Mapping[str, str] | None = None,
    result: Result | None = None,
) -> GameRecord:
    """
    Makes the record of *game*; a game without a bottom is one whose bottom is unknown.

    *names* are by position, *notes* by the number of the move from 0. Without a *result*, the score of a finished
    game is that of its rules.

    :raises RecordError: if *names* are not three.
    """
    if len(names) != SEATS:
        raise RecordError(f"names {list(names)!r}: there must be one for each position")
    played = [sum(move.cards for move in game.plays[seat::SEATS]) for seat in range(SEATS)]
    by_seat = [hand + gone for hand, gone in zip(game.hands, played, strict=True)]
    by_seat[0] -= game.bottom
    first, second, third = (by_seat[(position - game.landlord_position) % SEATS] for position in range(SEATS))
    return GameRecord(
        rules=game.rules,
        hands=(first, second, third),
        bottom=game.bottom or None,
        bids=game.bids,
        landlord_position=game.landlord_position,
        moves=tuple(RecordedMove(move.cards, (notes or {}).get(ply, NO_NOTE)) for ply, move in enumerate(game.plays)),
        names=(names[0], names[1], names[2]),
        result=result or result_of(game),
        tags=dict(tags or {}),
    )


def without_notes(record: GameRecord) -> GameRecord:
    """Gets the record without seconds, values, debug and comments."""
    return replace(record, moves=tuple(move._replace(note=NO_NOTE) for move in record.moves))


def result_of(game: Game) -> Result:
    """Gets the result of *game* by its rules; that of a running game is unfinished."""
    winner = game.winner
    if winner is None:
        return Result()
    return Result("peasants" if winner else "landlord", game.scores(), f"{SEAT_NAMES[winner]} out")


def deduce_hands(record: GameRecord) -> GameRecord:
    """
    Completes the hands that follow from the rest: what a seat played that is out, and then the last unknown hand.

    For example, a seat that sees a peasant go out knows all hands in the end if the bottom is known.
    """
    hands = list(record.hands)
    bottom = record.bottom
    for seat in record.unknown_seats:
        played = [move.cards for move in record.moves[seat::SEATS]]
        if sum(map(size, played)) == record.rules.seat_cards(seat) and fits_into(record.rules.deck, played):
            hands[record.position_of(seat)] = _as_dealt(sum(played), 0 if seat else bottom or 0)
    parts = [cards for cards in (*hands, bottom) if cards is not None]
    unknown = [position for position in range(SEATS) if hands[position] is None]
    if len(unknown) == 1 and fits_into(record.rules.deck, parts):
        remaining = record.rules.deck - sum(parts)
        if size(remaining) == _cards_recorded(record, unknown[0]):
            hands[unknown[0]] = remaining
    return replace(record, hands=(hands[0], hands[1], hands[2]))


def _as_dealt(started: Hand, bottom: Hand) -> Hand | None:
    """Takes the bottom out of what a seat started with; None if it was not in there."""
    return started - bottom if contains(started, bottom) else None


def _cards_recorded(record: GameRecord, position: int) -> int:
    """Counts the cards that a hand of a record has: the landlord's includes a bottom that is unknown."""
    holds_bottom = position == record.landlord_position and record.bottom is None
    return record.rules.largest_hand if holds_bottom else record.rules.dealt


# What no record can have.


def _deal_problem(record: GameRecord) -> str | None:
    rules = record.rules
    if len(record.moves) > MOST_MOVES:
        return f"it has {len(record.moves)} moves; a game has at most {MOST_MOVES}"
    if RULE_SETS.get(rules.name) != rules:
        return f"rule set {rules.name!r} is not one of {', '.join(RULE_SETS)}"
    parts = [cards for cards in (*record.hands, record.bottom) if cards is not None]
    if not fits_into(rules.deck, parts):
        listed = " ".join(hand_text(cards) or "-" for cards in parts)
        return f"the deck of rules {rules.name} does not have all these cards: {listed}"
    if all(map(_is_in_a_deck, map(itemgetter(0), record.moves))):
        return None
    wrong = next(move.cards for move in record.moves if not _is_in_a_deck(move.cards))
    return f"move {wrong!r}: there are no such cards"


_is_in_a_deck = lru_cache(maxsize=1 << 14)(is_in_a_deck)
"""Most moves come again and again."""


def _auction_problem(record: GameRecord) -> str | None:
    bids, landlord = record.bids, record.landlord_position
    if landlord is None and (record.moves or not record.rules.bidding):
        return f"there is no landlord (rules {record.rules.name}, {len(record.moves)} moves)"
    if landlord is not None and landlord not in range(SEATS):
        return f"landlord position {landlord!r} is not 0, 1 or 2"
    if not bids:
        return None
    bids_text = " ".join("?" if bid is None else str(bid) for bid in bids)
    if not record.rules.bidding:
        return f"bids {bids_text}: there is no auction under rules {record.rules.name}"
    heard = [bid or 0 for bid in bids]
    try:
        over = auction(heard)
    except ValueError as error:
        return str(error)
    if landlord is None:
        return None
    fits = None in bids and landlord < len(bids) and bids[landlord] == final_bid(heard)
    if not fits and (over is None or over[0] != landlord):
        return f"bids {bids_text}: they do not make position {landlord} the landlord"
    return None


def _notes_problem(record: GameRecord) -> str | None:
    numbers = [number for _, note in record.moves if note is not NO_NOTE for number in note[:2] if number is not None]
    numbers += record.result.scores or ()
    wrong = next(filterfalse(math.isfinite, numbers), None)
    return None if wrong is None else f"{wrong!r} is not a number for a record"


def _tags_problem(record: GameRecord) -> str | None:
    return next(filter(None, map(_tag_problem, record.tags)), None)


@lru_cache(maxsize=1 << 5)
def _tag_problem(tag: str) -> str | None:
    if tag in RESERVED_TAGS:
        return f"tag {tag!r} stands for a field of the record"
    if not _TAG_NAME.fullmatch(tag):
        return f"tag {tag!r} must be a capital letter and then letters, digits and _"
    return None
