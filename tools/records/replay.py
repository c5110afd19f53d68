"""
Plays recorded moves again, legal or not, and says of each illegal one why.

A recorded game may have unknown hands. They are filled in with cards that fit all that is known, so that
one replay serves every record; what was filled in is never shown.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from ddzbot.cards import RANK_COUNT, Hand, contains, counts, hand_of_counts, hand_text, is_in_a_deck
from ddzbot.game import SEAT_NAMES, SEATS, Game, Scores, final_bid
from ddzbot.kernel import native
from ddzbot.rules import PASS, Move, RuleSet, explain, played, read_move

from ..shared.message import Message
from ..shared.refusal_words import refusal_message


class Ply(NamedTuple):
    """One move of a replay."""

    number: int
    """From 0: the number of moves before it."""
    before: Game
    move: Move
    after: Game
    problem: str | None
    """Why the rules refuse the move, one sentence; None for a legal move."""

    @property
    def seat(self) -> int:
        """The seat that made the move."""
        return self.number % SEATS

    @property
    def name(self) -> str:
        """For people: ``round 2, landlord_down`` is the fifth move."""
        return f"round {self.number // SEATS + 1}, {SEAT_NAMES[self.seat]}"


def replay(game: Game, moves: Iterable[Hand], unknown: Collection[int] = ()) -> Iterator[Ply]:
    """
    Plays *moves* from the start of *game*.

    An illegal move is played like any other, and a card that the seat does not hold changes no hand. *unknown* names
    the seats whose hands are filled in.
    """
    for ply, cards in enumerate(moves):
        problem = _problem(game, cards, ply % SEATS in unknown)
        move = read_move(game.rules, cards) if cards else PASS
        after = _played(game, move)
        yield Ply(ply, game, move, after, problem)
        game = after


class Ending(NamedTuple):
    """How a game has ended; both are None while it runs."""

    winner: int | None
    """The seat that went out."""
    paid: Scores | None
    """By seat."""

    @classmethod
    def of(cls, game: Game) -> "Ending":
        """Gets how *game* has ended."""
        return cls(game.winner, game.scores() if game.finished else None)


def legal_ending(game: Game, moves: Sequence[Hand]) -> Ending | None:
    """
    Plays *moves* from the start of *game* at once, and gets how it ends.

    None if one is illegal, of which :func:`replay` says why. What the kernel refuses is looked at once more without it.
    """
    kernel = native()
    ending = kernel and kernel.replay(game.rules, game.hands, final_bid(game.bids), moves)
    if ending:
        return Ending(*ending)
    plays = played(game.rules, game.hands, moves)
    if plays is None:
        return None
    hands = [hand - sum(moves[seat::SEATS]) for seat, hand in enumerate(game.hands)]
    return Ending.of(game._replace(hands=(hands[0], hands[1], hands[2]), plays=tuple(plays)))


def _problem(game: Game, cards: Hand, unknown: bool) -> str | None:
    hand = game.hands[game.seat]
    if game.finished:
        return Message("{cards}: the game is over", cards=hand_text(cards) or Message("pass"))
    if unknown and not contains(hand, cards):
        problem = "{cards}: the seat cannot have these cards after all that was played"
        return Message(problem, cards=hand_text(cards))
    refusal = explain(game.rules, hand, cards, game.to_beat)
    return refusal_message(refusal) if refusal else None


def _played(game: Game, move: Move) -> Game:
    if contains(game.hands[game.seat], move.cards):
        return game.played(move)
    hands = list(game.hands)
    held = zip(counts(hands[game.seat]), counts(move.cards), strict=True)
    hands[game.seat] = hand_of_counts(max(0, have - played) for have, played in held)
    return game._replace(hands=(hands[0], hands[1], hands[2]), plays=(*game.plays, move))


def fits_into(deck: Hand, parts: Iterable[Hand]) -> bool:
    """Checks that *deck* has the cards of all *parts* together, however many they are."""
    for part in parts:
        if not is_in_a_deck(part) or not contains(deck, part):
            return False
        deck -= part
    return True


def filled_hands(
    rules: RuleSet, hands: Sequence[Hand | None], bottom: Hand, moves: Sequence[Hand]
) -> tuple[Hand, Hand, Hand]:
    """
    Fills in the unknown *hands*, by seat, with which the play began.

    A seat gets what it plays, as far as it can have had it, the landlord gets the *bottom* too, and the lowest cards
    that are left over complete each hand.
    """
    pool = [have - dealt for have, dealt in zip(counts(rules.deck), _total(filter(None, hands)), strict=True)]
    known_counts = {seat: counts(hand) for seat, hand in enumerate(hands) if hand is not None}
    made: dict[int, list[int]] = {}
    for seat in range(SEATS):
        if seat not in known_counts:
            made[seat] = _must_hold(rules.seat_cards(seat), pool, 0 if seat else bottom, moves[seat::SEATS])
            pool = [have - used for have, used in zip(pool, made[seat], strict=True)]
    for seat, hand in made.items():
        for rank in range(RANK_COUNT):
            taken = min(pool[rank], rules.seat_cards(seat) - sum(hand))
            hand[rank] += taken
            pool[rank] -= taken
    first, second, third = (hand_of_counts({**known_counts, **made}[seat]) for seat in range(SEATS))
    return first, second, third


def _must_hold(most: int, pool: list[int], bottom: Hand, moves: Sequence[Hand]) -> list[int]:
    """Counts, rank by rank, the bottom and all moves for which *pool* and the size of the hand leave room."""
    dealt = [min(pair) for pair in zip(counts(bottom), pool, strict=True)]
    hand = dealt
    played = [0] * RANK_COUNT
    for cards in moves:
        then = [before + added for before, added in zip(played, counts(cards), strict=True)]
        needed = [max(pair) for pair in zip(dealt, then, strict=True)]
        if sum(needed) <= most and all(need <= have for need, have in zip(needed, pool, strict=True)):
            hand, played = needed, then
    return list(hand)


def _total(parts: Iterable[Hand]) -> list[int]:
    """Adds up rank by rank; as one integer more than fifteen cards of a rank would run into the next rank."""
    total = [0] * RANK_COUNT
    for part in parts:
        total = [so_far + added for so_far, added in zip(total, counts(part), strict=True)]
    return total
