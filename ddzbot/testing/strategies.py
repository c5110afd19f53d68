"""
Hypothesis strategies for hands, moves, deals, auctions, games and views under every rule set.

Generated values are consistent: the cards fit into one deck, every move of a game is legal, every view is one that a
seat may really have. Examples shrink to few cards of low rank. Where the one-line checks of :mod:`ddzbot.testing` are
not enough, write properties of your own::

    from hypothesis import given

    from ddzbot.api import hand_text, legal_moves, rule_set
    from ddzbot.testing.strategies import follows
    from my_program import my_moves

    RULES = rule_set("botzone")

    @given(follows(RULES))
    def test_my_moves_are_the_legal_ones(position):
        hand, to_beat = position
        expected = {str(move) for move in legal_moves(RULES, hand, to_beat)}
        assert set(my_moves(hand_text(hand), str(to_beat))) == expected

Here ``my_moves("4456", "3")`` has to list ``["pass", "4", "5", "6"]`` in any order. For leads, use :func:`leads`. This
module alone needs Hypothesis, once a strategy is made.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

from ddzbot.cards import ACE, LITTLE_JOKER, RANK_COUNT, ROCKET_CARDS, UNIT, Hand, contains, count, hand_text, size
from ddzbot.game import HIGHEST_BID, SEATS, Deal, Game, auction, is_legal_bid, start
from ddzbot.rules import BOMB, ROCKET, Move, RuleSet
from ddzbot.testing.bodies import Body, bodies
from ddzbot.view import View

try:
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
except ImportError:
    if not TYPE_CHECKING:

        class _Missing:
            def __getattr__(self, name: str) -> Any:
                raise ImportError("ddzbot.testing.strategies needs hypothesis, as in pip install 'ddzbot[testing]'")

        st = _Missing()
        InvalidArgument = ValueError


class _Shown(int):
    """A hand that a counterexample prints as its cards."""

    def __repr__(self) -> str:
        return f"parse_hand({hand_text(self)!r})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Prints it so in Hypothesis, too, which has a way of its own for numbers."""
        printer.text(repr(self))


_THE_ROCKET = Move(ROCKET_CARDS, ROCKET, LITTLE_JOKER, 1)
_LENGTHS = (1, 1, 1, 1, 2, 3, 4, 5)
"""Half of the groups in a hand are cards of one rank, the others chains, which none is of twos and jokers."""
_LATEST_STOP = 100
"""Random games are over after 40 to 100 moves, so that a stop before this one may be anywhere in a game."""


def hands(rules: RuleSet, min_size: int = 0, max_size: Optional[int] = None) -> "st.SearchStrategy[Hand]":
    """
    Generates hands of the deck of *rules*, rich in pairs, trios and bombs.

    For example ``hands(rules, 17, 17)`` is what a peasant may be dealt. *max_size* is the landlord's first hand unless
    it is given.

    :raises InvalidArgument: for sizes that no hand can have.
    """
    largest = rules.largest_hand if max_size is None else max_size
    if not 0 <= min_size <= largest <= size(rules.deck):
        raise InvalidArgument(f"hands of {min_size} to {largest} cards: the deck of {rules.name} has none")
    return _hands_within(rules.deck, min_size, largest)


def leads(rules: RuleSet, max_size: Optional[int] = None) -> "st.SearchStrategy[Hand]":
    """Generates hands that have to lead: 1 to *max_size* cards."""
    return hands(rules, 1, max_size)


def _hands_within(deck: Hand, min_size: int, max_size: int) -> "st.SearchStrategy[Hand]":
    return st.composite(_draw_hand)(deck, min_size, max_size)


def _draw_hand(draw: "st.DrawFn", deck: Hand, min_size: int, max_size: int) -> Hand:
    """Takes groups of equal cards and short chains as far as there is room, then fills up with the lowest cards."""
    ranks = tuple(rank for rank in range(RANK_COUNT) if count(deck, rank))
    hand = 0
    if ranks:
        for group in draw(st.lists(_groups(ranks), min_size=min_size // 3, max_size=RANK_COUNT)):
            hand += _as_many(group, deck - hand, max_size - size(hand))
    return _Shown(hand + _as_many(deck, deck - hand, min_size - size(hand)))


@lru_cache(maxsize=None)
def _groups(ranks: Tuple[int, ...]) -> "st.SearchStrategy[Hand]":
    """Makes the strategy for one to four cards of a rank, the rocket, or as many of each rank of a short chain."""
    # Each number shrinks by itself: of a chain of bombs remains a bomb, whatever was drawn.
    return st.tuples(st.sampled_from(_LENGTHS), st.integers(1, 4), st.sampled_from((*ranks, None))).map(_group)


def _group(drawn: Tuple[int, int, Optional[int]]) -> Hand:
    length, copies, rank = drawn
    if rank is None:
        return ROCKET_CARDS
    return copies * sum(UNIT[rank : max(rank, min(rank + length - 1, ACE)) + 1])


def _as_many(wanted: Hand, held: Hand, room: int) -> Hand:
    """Takes the lowest of the *wanted* cards, as far as they are *held* and there is *room*."""
    taken = 0
    for rank in range(RANK_COUNT):
        taken += min(count(wanted, rank), count(held, rank), max(0, room - size(taken))) * UNIT[rank]
    return taken


@lru_cache(maxsize=None)
def moves(rules: RuleSet, recognised: bool = False) -> "st.SearchStrategy[Move]":
    """
    Generates moves that play cards: legal ones, or with *recognised* all that others may play.

    Each kind comes up about equally often, whatever the number of its moves. The pass is none of them.
    """
    shapes = rules.recognised if recognised else rules.legal
    of_kinds = [bodies(shape, rules.deck, rules.largest_hand) for shape in shapes]
    return st.one_of(*_moves_of(of_kinds), _alone(_THE_ROCKET))


def _moves_of(of_kinds: List[List[Body]]) -> "List[st.SearchStrategy[Move]]":
    """Makes one strategy for each kind that has a body at all."""
    return [st.sampled_from(group).flatmap(_with_kickers) for group in of_kinds if group]


def _alone(thing: Any) -> "st.SearchStrategy[Any]":
    """Generates *thing*, with a number drawn as where there is a choice: else it does not shrink to one of those."""
    return st.sampled_from((thing, thing))


def _with_kickers(body: Body) -> "st.SearchStrategy[Move]":
    if not body.number:
        return st.just(body.move(0))
    places = st.sampled_from(range(len(body.kickers)))
    return st.lists(places, min_size=body.number, max_size=body.number, unique=True).map(
        lambda chosen: body.move(sum(body.kickers[index] for index in chosen))
    )


def follows(rules: RuleSet, max_size: Optional[int] = None) -> "st.SearchStrategy[Tuple[Hand, Move]]":
    """
    Generates a hand of 1 to *max_size* cards and another player's move that it has to beat.

    The move is any that the rule set recognises. Most hands hold an answer of the same kind, or a bomb; the others may
    have none but the pass.
    """
    return st.composite(_draw_follow)(rules, rules.largest_hand if max_size is None else max_size)


def _draw_follow(draw: "st.DrawFn", rules: RuleSet, most: int) -> Tuple[Hand, Move]:
    to_beat = draw(moves(rules, recognised=True))
    deck = rules.deck - to_beat.cards
    answer = draw(st.one_of(_alone(0), *_answers(rules, deck, most, to_beat)))
    extra = draw(_hands_within(deck - answer, 0 if answer else 1, most - size(answer)))
    return _Shown(answer + extra), to_beat


def _answers(rules: RuleSet, deck: Hand, most: int, to_beat: Move) -> "List[st.SearchStrategy[Hand]]":
    """Makes the strategies for cards that beat *to_beat*: of the same kind first, then bombs, then the rocket."""
    groups = []
    for shape in rules.legal:
        if shape.kind == to_beat.kind and shape.length_for(to_beat.size) == to_beat.length:
            higher = bodies(shape, deck, most, to_beat.length)
            groups.append([body for body in higher if body.rank > to_beat.rank])
        elif shape.kind == BOMB:
            groups.append(bodies(shape, deck, most))
    answers = [strategy.map(lambda move: move.cards) for strategy in _moves_of(groups)]
    has_rocket = contains(deck, ROCKET_CARDS) and most >= size(ROCKET_CARDS)
    return [*answers, _alone(ROCKET_CARDS)] if has_rocket else answers


def deals(rules: RuleSet) -> "st.SearchStrategy[Deal]":
    """Generates deals of the whole deck. They shrink towards the deck in order: all 3s, then all 4s, and so on."""
    deck = [UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(rules.deck, rank))]
    return st.permutations(deck).map(lambda cards: _dealt(rules, cards))


def _dealt(rules: RuleSet, cards: List[Hand]) -> Deal:
    first, second, third = (sum(cards[rules.dealt * index : rules.dealt * (index + 1)]) for index in range(SEATS))
    return Deal(rules, (first, second, third), sum(cards[rules.dealt * SEATS :]))


def bids(over: Optional[bool] = None) -> "st.SearchStrategy[Tuple[int, ...]]":
    """
    Generates the bids of an auction so far, in order; for example ``(0, 2)``.

    With *over* true only auctions that are over, with false only those in which a bid is still to come.
    """
    chosen = [calls for calls in auctions() if over is None or over == (auction(calls) is not None)]
    return st.sampled_from(chosen)


def auctions() -> List[Tuple[int, ...]]:
    """Lists every legal auction, finished or not, the shorter before the longer."""
    listed: List[Tuple[int, ...]] = [()]
    for calls in listed:
        if auction(calls) is None:
            listed += [(*calls, bid) for bid in range(HIGHEST_BID + 1) if is_legal_bid(calls, bid)]
    return listed


def games(rules: RuleSet, finished: Optional[bool] = None) -> "st.SearchStrategy[Game]":
    """
    Generates games of random legal moves from random deals, with an auction where *rules* have one.

    With *finished* true they are played to the end, with false they stop somewhere before it, otherwise anywhere.
    """
    return st.composite(_draw_game)(rules, finished)


def _draw_game(draw: "st.DrawFn", rules: RuleSet, finished: Optional[bool]) -> Game:
    calls = draw(bids(over=True)) if rules.bidding else ()
    winner = auction(calls)
    game = start(draw(deals(rules)), calls, winner[0] if winner else 0)
    stop = None if finished else draw(st.integers(0, _LATEST_STOP))
    while not game.finished and (stop is None or len(game.plays) < stop):
        after = game.played(draw(st.sampled_from(game.legal_moves())))
        if after.finished and finished is False:
            break
        game = after
    return game


def views(rules: RuleSet) -> "st.SearchStrategy[View]":
    """Generates the view of the player to move, at a random point of a random game."""
    return games(rules, finished=False).map(lambda game: View.of(game, game.seat))
