"""The rule player: an example or two of each rule of behaviour, then what holds in every game."""

import re

import pytest

from ddzbot.cards import RANK_COUNT, UNIT, Hand, contains, count, parse_hand, size
from ddzbot.game import SEATS, shuffled, start
from ddzbot.players.registry import make_player
from ddzbot.rules import BOTZONE, PASS, UNKNOWN, Move, explain, parse_move
from ddzbot.search.limit import Limit
from ddzbot.view import View

LANDLORD, DOWN, UP = range(SEATS)


def view_of(seat: int, hands: tuple[str, str, str], table: tuple[int, str] | None = None) -> View:
    """
    Builds the view of *seat* when the *hands* (by seat) are left, and *table* (seat, move) is to be beaten.

    Every other card was played in the first round; passes lead up to the turn of *seat*.
    """
    held = [parse_hand(hand) for hand in hands]
    before = list(held)
    if table:
        before[table[0]] += parse_hand(table[1])
    plays = [Move(cards, UNKNOWN, -1, 0) for cards in gone(before)]
    while len(plays) < 6 or len(plays) % SEATS != (table[0] if table else seat):
        plays.append(PASS)
    if table:
        plays.append(parse_move(BOTZONE, table[1]))
    while len(plays) % SEATS != seat:
        plays.append(PASS)
    view = View(
        rules=BOTZONE, seat=seat, hand=held[seat], bottom=0, bids=(), stake=1, landlord_position=0, plays=tuple(plays)
    )
    assert sum(view.cards_left(other) for other in range(SEATS)) == sum(map(size, held)), "more cards than the deck has"
    assert contains(BOTZONE.deck, sum(before)) and view.contradiction() is None
    return view


def gone(before: list[Hand]) -> list[Hand]:
    rest = BOTZONE.deck - sum(before)
    cards = [UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(rest, rank))]
    played = []
    for seat, hand in enumerate(before):
        number = BOTZONE.seat_cards(seat) - size(hand)
        played.append(sum(cards[:number]))
        cards = cards[number:]
    return played


def choice(view: View) -> tuple[str, str]:
    decision = make_player("rule").choose(view, Limit())
    assert explain(view.rules, view.hand, decision.move.cards, view.to_beat) is None
    return str(decision.move), decision.debug["rule"]


FULL = ("789TJQ", "KKAA22")
"""Hands of others."""


@pytest.mark.parametrize(
    ("seat", "hands", "table", "expected"),
    [
        # The move that empties the hand, then the sure tricks before the last one, then the stronger of two.
        *(
            (LANDLORD, (hand, *FULL), None, {f"{hand} finish"})
            for hand in ("3", "34567", "3334", "444456", "LB", "5555")
        ),
        (LANDLORD, ("44", *FULL), (UP, "33"), {"44 finish"}),
        (LANDLORD, ("322", "TTJQKA", "99JQKA"), None, {"22 sure"}),
        (LANDLORD, ("334567", "99TT", "JJQK"), None, {"34567 sure"}),
        (LANDLORD, ("2456789", "TTJQK", "99JQK"), (UP, "A"), {"2 sure"}),
        (LANDLORD, ("4AA", "567822B", "9TTJQKL"), None, {"AA"}),
        # No trick is sure while an enemy may hold a bomb.
        (LANDLORD, ("322", "TTTTKA", "99JQKA"), None, {"lead"}),
        (LANDLORD, ("2456789", "TTJQK", "TTJQK"), (UP, "A"), {"follow"}),
        # Low cards and chains are led first, low kickers go along.
        (LANDLORD, ("3468JKA2B", "4455667789TJQ", "5678899TTJQ2L"), None, {"3", "4"}),
        (LANDLORD, ("45678JK2", "3399TTQQKKA2L", "3447799TJQA2B"), None, {"45678"}),
        (LANDLORD, ("3777KA2B", "4455669TJQK2", "5689TTJQQKAL"), None, {"3777"}),
        # The answer breaks nothing.
        (LANDLORD, ("56789KKAA2J", "334466TTQQA2", "557788TJQ2LB"), (UP, "4"), {"J", "2"}),
        (LANDLORD, ("3999JJQQA2", "445577TTKKL", "557788TJKA2B"), (UP, "4666"), {"3999"}),
        (LANDLORD, ("35999TTJJQQKKAA2L", "4557788TQ", "3378JKA2B"), (UP, "4666"), {"3999"}),
        (LANDLORD, ("345", "66778899", "JJQQKK2"), (UP, "2"), {"pass forced"}),
        # Bombs are played to win or to stop a loss, and the rocket stays whole early.
        (LANDLORD, ("35555", "66778899TJQ", "4JQQKKAA"), (UP, "22"), {"5555"}),
        (LANDLORD, ("7899TTTTJQK", "66778899JQA", "4"), (UP, "22"), {"TTTT"}),
        (LANDLORD, ("3588TTLB", "34577JK2", "57899J22"), (UP, "5"), {"pass"}),
        # The partner is not overtaken, but to finish, and fed where it is next and has one card.
        (UP, ("344688K2", "5679QK22", "4469TQA2"), (DOWN, "A"), {"pass"}),
        (DOWN, ("4567789TJQ", "3345778QQA2", "66889TTJ"), (UP, "K"), {"pass"}),
        (UP, ("5B", "TJKAAA", "345QQQQK"), (DOWN, "K"), {"pass"}),
        (DOWN, ("4567789TJQ", "A", "66889TTJ"), (UP, "K"), {"A"}),
        (DOWN, ("4567789TJQ", "3455KKAA2", "6"), None, {"3 feed"}),
        # An enemy with one card is blocked: by anything but solos, by the highest one, or by what it cannot beat.
        (UP, ("Q", "4567789TJ", "3588KA"), None, {"88"}),
        (UP, ("Q", "4567789K", "358QA"), None, {"A"}),
        (UP, ("Q", "567789TJ", "368TKA2"), (DOWN, "4"), {"K", "A", "2"}),
        (UP, ("9", "579QKK", "35TJJJA"), None, {"3JJJ"}),
        (LANDLORD, ("799TA22B", "Q", "34455689TQ"), (UP, "3"), {"A"}),
    ],
)
def test_it_moves_so(seat: int, hands: tuple[str, str, str], table: tuple[int, str] | None, expected: set[str]) -> None:
    move, rule = choice(view_of(seat, hands, table))
    assert {move, rule, f"{move} {rule}"} & expected


@pytest.mark.parametrize(
    ("seat", "hands", "table", "never"),
    [
        # It gives no joker away, breaks no pair for a kicker, keeps a bomb early, and the rocket whole,
        (LANDLORD, ("777KKAAB", "4455669TJQ2", "5689TTJQQ2L"), None, ".*B"),
        (LANDLORD, ("66788899", "334455TTJJQQ2", "4479JQKKAA2LB"), None, "6888"),
        (LANDLORD, ("35799JJKKKK", "446688TTQQA2", "45678TJQA22LB"), None, "KKKK|3KKKK5"),
        (LANDLORD, ("357899QKLB", "4466TTJJAA22", "45678TJQQKA22"), None, "L|B|LB"),
        (LANDLORD, ("3579JJJJQKA2", "445566788TQKKA", "4566778TTQKA2B"), (UP, "3"), "JJJJ|J"),
        # keeps pairs together where the partner is not next, and breaks a chain to stop an enemy with one card.
        (UP, ("456778", "6", "3399JJKA2"), None, ".* feed"),
        (LANDLORD, ("88TJQKA", "K", "5567Q9"), (DOWN, "6"), "pass"),
    ],
)
def test_it_never_moves_so(seat: int, hands: tuple[str, str, str], table: tuple[int, str] | None, never: str) -> None:
    move, rule = choice(view_of(seat, hands, table))
    assert not re.fullmatch(never, move) and not re.fullmatch(never, f"{move} {rule}")


@pytest.mark.parametrize("played", ["33334444", "3344", "33344435", "LB33"])
def test_answers_moves_of_no_known_kind_legally_even_if_the_cards_cannot_be(played: str) -> None:
    # The own hand may hold the same cards: a view rebuilt from messages can contradict itself.
    game = start(shuffled(BOTZONE, "test/rule/unknown"))
    strange = Move(parse_hand(played), UNKNOWN, -1, 0)
    move = make_player("rule").choose(View.of(game, 1)._replace(plays=(strange,)), Limit()).move
    assert explain(BOTZONE, game.hands[1], move.cards, strange) is None
