"""The real faults of public projects, each put alone into our generator, and a position on which it answers wrong."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ddzbot.cards import RANK_COUNT, ROCKET_CARDS, UNIT, Hand, contains, count, hand_text, parse_hand
from ddzbot.rules import (
    BOMB,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    PAIR_CHAIN,
    PLANE,
    PLANE_PAIR,
    PLANE_SOLO,
    ROCKET,
    SOLO_CHAIN,
    STANDARD,
    Move,
    classify,
    legal_moves,
    read_move,
)
from tests.rules.faulty import Answer, kickers, moves_by, texts, with_repeats, without


@dataclass(frozen=True)
class PeerFault:
    """What is wrong in which projects, our generator with it, and a position where it has moves too many or too few."""

    projects: str
    what: str
    answer: Answer
    hand: str
    to_beat: str = ""
    more: tuple[str, ...] = ()
    less: tuple[str, ...] = ()


def also(more: Callable[[Hand, Move | None], Iterable[Hand]]) -> Answer:
    """The right moves and others: those of *more* that the hand holds, on the move that lies on the table."""

    def answer(asked: dict[str, Any]) -> list[str]:
        hand = parse_hand(asked["hand"])
        table = read_move(STANDARD, parse_hand(asked["to_beat"])) if asked["to_beat"] else None
        moves = texts(legal_moves(STANDARD, hand, table))
        added = [hand_text(cards) for cards in more(hand, table) if contains(hand, cards)]
        return list(dict.fromkeys([*moves, *added]))

    return answer


def lacking(lost: Callable[[Move], bool]) -> Answer:
    """The right moves but those that *lost* is true of."""
    return without(lambda move, _: lost(move), "standard")


def most_of_a_rank(cards: Hand) -> int:
    return max(count(cards, rank) for rank in range(RANK_COUNT))


def highest_trio(cards: Hand) -> int:
    return max(rank for rank in range(RANK_COUNT) if count(cards, rank) == 3)


def by_the_highest_trio(hand: Hand, table: Move | None) -> list[Hand]:
    """Planes with solo kickers whose highest trio, body or kickers, is above that of the table."""
    if table is None or table.kind != PLANE_SOLO:
        return []
    planes = [move for move in legal_moves(STANDARD, hand) if (move.kind, move.length) == table[1::2]]
    return [move.cards for move in planes if highest_trio(move.cards) > highest_trio(table.cards)]


def hidden_by_a_trio(move: Move, asked: dict[str, Any]) -> bool:
    """A plane with solo kickers over one whose kickers have a trio as high as any of its own."""
    on = read_move(STANDARD, parse_hand(asked["to_beat"]))
    return move.kind == on.kind == PLANE_SOLO and highest_trio(move.cards) <= highest_trio(on.cards)


def over_several_trios(move: Move, asked: dict[str, Any]) -> bool:
    """An answer to a plane of four or more that has a trio among its kickers."""
    on = read_move(STANDARD, parse_hand(asked["to_beat"]))
    return move.kind == on.kind == PLANE_SOLO and on.length > 3 and most_of_a_rank(kickers(on)) == 3


def over_four_equal(move: Move, asked: dict[str, Any]) -> bool:
    on = read_move(STANDARD, parse_hand(asked["to_beat"]))
    return move.kind == on.kind == PLANE_SOLO and most_of_a_rank(kickers(on)) == 4


def first_readings(move: Move, asked: dict[str, Any]) -> bool:
    """An answer to a later reading of what lies on the table, or by one."""
    if not asked["to_beat"] or move.is_pass or move.kind in (BOMB, ROCKET):
        return False
    on = read_move(STANDARD, parse_hand(asked["to_beat"]))
    return classify(STANDARD, move.cards)[0].kind != on.kind


def continued(move: Move) -> bool:
    """A plane with a trio among its kickers that continues its chain, and no plane without kickers."""
    beside = [rank for rank in (move.rank - 1, move.rank + move.length) if 0 <= rank < 12]
    readings = classify(STANDARD, move.cards)
    trios = [rank for rank in beside if count(move.cards, rank) == 3]
    return move.kind == PLANE_SOLO and bool(trios) and readings[0].kind == PLANE_SOLO


def from_four(move: Move, asked: dict[str, Any]) -> bool:
    is_chain = move.kind in (SOLO_CHAIN, PAIR_CHAIN, PLANE)
    return is_chain and count(parse_hand(asked["hand"]), move.rank) == 4


def bombs_on_the_rocket(hand: Hand, table: Move | None) -> list[Hand]:
    return [4 * UNIT[rank] for rank in range(13)] if table is not None and table.kind == ROCKET else []


def any_four_with_two(hand: Hand, table: Move | None) -> list[Hand]:
    """Fours with two pairs on a four with two cards, and the other way round: one kind, compared by the fours."""
    fours = (FOUR_TWO_SOLO, FOUR_TWO_PAIR)
    if table is None or table.kind not in fours:
        return []
    return [move.cards for move in legal_moves(STANDARD, hand) if move.kind in fours and move.rank > table.rank]


def kickers_of_the_body(hand: Hand, table: Move | None) -> list[Hand]:
    """Planes of two whose one kicker is the fourth card of a rank of the body."""
    if table is not None:
        return []
    body = [3 * (UNIT[rank] + UNIT[rank + 1]) for rank in range(11)]
    own = [(cards, UNIT[rank + step]) for rank, cards in enumerate(body) for step in (0, 1)]
    return [cards + fourth + UNIT[rank] for cards, fourth in own for rank in range(15) if not count(cards, rank)]


PEER_FAULTS = [
    PeerFault(
        "DouZero",
        "a plane is ranked by the highest trio among its cards: a lower one beats",
        also(by_the_highest_trio),
        "333444555JJJ",
        "6667778889TQ",
        more=("333444555JJJ",),
    ),
    PeerFault(
        "DouZero",
        "a plane is ranked by the highest trio among its cards: a higher one does not beat",
        without(hidden_by_a_trio, "standard"),
        "666777888TQK",
        "333444555999",
        less=("666777888TQK",),
    ),
    PeerFault(
        "DouZero",
        "a plane of four or more with a trio beside it is not known on the table",
        without(over_several_trios, "standard"),
        "46777888999TTTJQ",
        "333444555666KKKA",
        less=("46777888999TTTJQ",),
    ),
    PeerFault(
        "DouZero",
        "a plane with four equal kickers is not known on the table",
        without(over_four_equal, "standard"),
        "46777888999TTTJQ",
        "333444555666KKKK",
        less=("46777888999TTTJQ",),
    ),
    PeerFault(
        "DouZero, RLCard",
        "cards on the table have one reading",
        without(first_readings, "standard"),
        "777888999TQK",
        "333444555666",
        less=("777888999TQK",),
    ),
    PeerFault(
        "RLCard",
        "a trio that continues the chain is no kicker",
        lacking(continued),
        "3334445556667778",
        less=("3334445556667778",),
    ),
    PeerFault(
        "OpenSpiel, RLCard, landlord-ai",
        "four equal cards are no kickers of a plane",
        lacking(lambda move: move.kind == PLANE_SOLO and most_of_a_rank(kickers(move)) == 4),
        "3334445556668888",
        less=("3334445556668888",),
    ),
    PeerFault(
        "OpenSpiel, RLCard, landlord-ai",
        "both jokers are no kickers",
        lacking(lambda move: contains(kickers(move), ROCKET_CARDS)),
        "333444LB",
        less=("333444LB",),
    ),
    PeerFault(
        "OpenSpiel",
        "no fours with two",
        lacking(lambda move: move.kind in (FOUR_TWO_SOLO, FOUR_TWO_PAIR)),
        "333356",
        less=("333356",),
    ),
    PeerFault(
        "OpenSpiel",
        "no chain begins at a rank that is held four times",
        without(from_four, "standard"),
        "33334567",
        less=("34567",),
    ),
    PeerFault(
        "OpenSpiel, doudizhu-resolver",
        "a bomb beats the rocket",
        also(bombs_on_the_rocket),
        "3333",
        "LB",
        more=("3333",),
    ),
    PeerFault(
        "doudizhu-resolver, roomai",
        "four equal cards are two pairs beside a four",
        also(lambda hand, table: [] if table else [4 * (UNIT[a] + UNIT[b]) for a in range(13) for b in range(a)]),
        "33335555",
        more=("33335555",),
    ),
    PeerFault(
        "doudizhu-resolver, roomai",
        "four equal cards are two pairs beside a plane",
        moves_by(with_repeats(PLANE_PAIR, STANDARD)),
        "3334446666",
        more=("3334446666",),
    ),
    PeerFault(
        "landlord-ai",
        "the kickers of a plane must differ",
        lacking(lambda move: move.kind == PLANE_SOLO and most_of_a_rank(kickers(move)) > 1),
        "33344455",
        less=("33344455",),
    ),
    PeerFault(
        "landlord-ai",
        "the kickers of a four must differ",
        lacking(lambda move: move.kind == FOUR_TWO_SOLO and most_of_a_rank(kickers(move)) > 1),
        "333355",
        less=("333355",),
    ),
    PeerFault(
        "landlord-ai",
        "no plane of two without kickers",
        lacking(lambda move: move.kind == PLANE and move.length == 2),
        "333444",
        less=("333444",),
    ),
    PeerFault(
        "landlord-ai",
        "only planes of two have kickers",
        lacking(lambda move: move.kind in (PLANE_SOLO, PLANE_PAIR) and move.length > 2),
        "333444555678",
        less=("333444555678",),
    ),
    PeerFault(
        "landlord-ai, roomai",
        "the fourth card of a rank of the body is a kicker",
        also(kickers_of_the_body),
        "33344445",
        more=("33344445",),
    ),
    PeerFault(
        "landlord-ai",
        "fours with two cards and with two pairs beat each other",
        also(any_four_with_two),
        "44447788",
        "333356",
        more=("44447788",),
    ),
]
