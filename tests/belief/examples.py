"""Views written by hand, views late in random games, and every world of a view by trying all of them."""

from collections.abc import Iterator, Sequence
from itertools import product

from ddzbot.belief.certain import Certain
from ddzbot.belief.ways import World
from ddzbot.cards import RANK_COUNT, Hand, count, hand_of_counts, parse_hand, size
from ddzbot.game import SEATS, shuffled, start
from ddzbot.kernel.rng import Generator
from ddzbot.rules import BOTZONE, PASS, RuleSet, read_move
from ddzbot.view import View
from tests.kernel.reference import Reference


def view_of(seat: int, hand: str, plays: Sequence[str] = (), bottom: str = "", rules: RuleSet = BOTZONE) -> View:
    """What *seat* knows that holds *hand* after *plays*; "" is the pass."""
    moves = tuple(read_move(rules, parse_hand(cards)) if cards else PASS for cards in plays)
    return View(rules, seat, parse_hand(hand), parse_hand(bottom), (), 1, 0, moves)


def late_view(rules: RuleSet, seed: int, most_hidden: int = 12) -> tuple[View, Hand]:
    """The view of a random game when few cards are hidden, and what the first hidden seat holds."""
    generator = Generator(seed)
    game = start(shuffled(rules, f"belief/{seed}"), (3,) if rules.bidding else ())
    while not game.finished:
        if sum(map(size, game.hands)) - size(game.hands[game.seat]) <= most_hidden:
            return View.of(game, game.seat), game.hands[(game.seat + 1) % SEATS]
        game = game.played(Reference().random_move(rules, game.hands[game.seat], game.to_beat, generator))
    return late_view(rules, seed + 1000, most_hidden)


def worlds_of(certain: Certain) -> Iterator[World]:
    """Tries every number of every rank in the first hidden hand."""
    ranges = [range(count(certain.unseen, rank) + 1) for rank in range(RANK_COUNT)]
    for counts in product(*ranges):
        first = hand_of_counts(counts)
        if certain.allows(first, certain.unseen - first):
            yield World(first, certain.unseen - first)
