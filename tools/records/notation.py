"""
One-line notations: a position with all hands open, and what one seat knows.

A position has seven words: rule set, hands by seat, bottom, auction, move to beat, seat to move, and what each seat
has played. For example ``botzone2 5TJJQK/3344QQ/345699 ? 013@2 T:2 1 L,7/8/J,T``: the landlord sits at position 2, and
seat 1 is to move and has to beat the T that seat 2 played and the landlord passed on.

A view has six: rule set, own seat, own hand, bottom, auction, and all moves so far. For example
``botzone2 0 5TJQKAAA222 722 013@2 345678,56789T,6789TJ,-,-,J,L,-,-,7,8,T,J``. A view of the auction has four:
``botzone2 bid 3455678TJJQKAAA2L 01``.

Hands are ``-`` when empty, a bottom or a bid is ``?`` when unknown, moves have commas between them and ``-`` is the
pass, ``.`` are no moves. The auction is the bids by position, ``-`` for none, and the landlord's position after ``@``;
a view adds ``=`` and the stake if the bids do not tell it.

A position has the part of the past that decides the score: the moves that each seat has played, in order, and so bombs,
spring, anti-spring, trick points, and where all cards are. Passes are left out, and so is the order between seats.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from ddzbot.cards import CardsError, Hand, contains, hand_text, size
from ddzbot.game import SEATS, Game, auction, final_bid
from ddzbot.rules import PASS, Move, RulesError, RuleSet, read_move, rule_set
from ddzbot.view import BidView, View

from ..shared.bounds import LONGEST_POSITION
from ..shared.message import Message, prose
from ..shared.typed_cards import typed_hand
from .replay import fits_into

AnyView = TypeVar("AnyView", View, BidView)

_BIDS_AT = re.compile(r"(-|[0-3?]{1,3})@([012])(?:=([123]))?", re.ASCII)


class _Part(NamedTuple):
    """A word of a line."""

    name: Message
    example: str
    form: "re.Pattern[str]"
    """What it looks like."""


_RULES = _Part(Message("the rule set", "notation"), "botzone", re.compile(r"[a-z]\w+"))
_HAND = _Part(Message("the own hand", "notation"), "345", re.compile(r"[^/@:,.?]+"))
_BOTTOM = _Part(Message("the bottom", "notation"), "345", re.compile(r"[?-]|[^/@:,.]+"))
_AUCTION = _Part(Message("the auction", "notation"), "-@0", re.compile(r".*@.*"))
_POSITION = (
    _RULES,
    _Part(Message("the three hands", "notation"), "345/789/TJQ", re.compile(r".*/.*/.*")),
    _BOTTOM,
    _AUCTION,
    _Part(Message("the move to beat", "notation"), "-", re.compile(r"-|.+:.*")),
    _Part(Message("the seat to move", "notation"), "0", re.compile(r"[012]")),
    _Part(Message("the moves of each seat", "notation"), "-/-/-", re.compile(r".*/.*/.*")),
)
_VIEW = (
    _RULES,
    _Part(Message("the own seat", "notation"), "0", re.compile(r"[012]")),
    _HAND,
    _BOTTOM,
    _AUCTION,
    _Part(Message("all moves", "notation"), ".", re.compile(r".*")),
)
_BID_VIEW = (
    _RULES,
    _Part(Message("the word bid", "notation"), "bid", re.compile("bid")),
    _HAND,
    _Part(Message("all bids", "notation"), "-", re.compile(r".*")),
)


class NotationError(ValueError):
    """Raised for text that is not a position or view; the message is one sentence that names it."""


def position_text(game: Game) -> str:
    """Writes the position of *game*; a finished game is a position too."""
    played = [[move for move in game.plays[seat::SEATS] if not move.is_pass] for seat in range(SEATS)]
    return " ".join(
        [
            game.rules.name,
            "/".join(_cards(hand) for hand in game.hands),
            hand_text(game.bottom) or "?",
            _auction_text(game.bids, game.landlord_position),
            _table_text(game.plays),
            str(game.seat),
            "/".join(",".join(map(str, moves)) or "-" for moves in played),
        ]
    )


def parse_position(text: str) -> Game:
    """
    Reads a position as a game that continues from there: same hands, turn, table and score.

    Its earlier moves stand in some order that fits, with passes between them. Cards that no seat holds or has played do
    not take part, as in an endgame puzzle.

    :raises NotationError: for text that is not a position.
    """
    try:
        return _position(_words(text))
    except (RulesError, CardsError, _NoNotationError) as error:
        raise NotationError(Message("position {text}: {problem}", text=_shown(text), problem=prose(error))) from None


def view_text(view: View | BidView) -> str:
    """Writes what one seat knows."""
    if isinstance(view, BidView):
        return f"{view.rules.name} bid {_cards(view.hand)} {_bids_text(view.bids)}"
    bids = [bid or 0 for bid in view.bids]
    stake = "" if view.stake == final_bid(bids) else f"={view.stake}"
    return " ".join(
        [
            view.rules.name,
            str(view.seat),
            _cards(view.hand),
            hand_text(view.bottom) or "?",
            _auction_text(view.bids, view.landlord_position) + stake,
            ",".join("-" if move.is_pass else str(move) for move in view.plays) or ".",
        ]
    )


def parse_view(text: str) -> View | BidView:
    """
    Reads a view, also one of the auction.

    :raises NotationError: for text that is not a view.
    """
    try:
        parts = _words(text)
        return _bid_view(parts) if parts[1:2] == ["bid"] else _view(parts)
    except (RulesError, CardsError, _NoNotationError) as error:
        raise NotationError(Message("view {text}: {problem}", text=_shown(text), problem=prose(error))) from None


class _NoNotationError(ValueError):
    """The error, without the text."""


def _words(text: str) -> list[str]:
    _demand(
        len(text) <= LONGEST_POSITION, Message("it has more than {count} characters", count=f"{LONGEST_POSITION:,}")
    )
    return text.split(" ")


def _shown(text: str) -> str:
    return repr(text) if len(text) <= LONGEST_POSITION else f"{text!r:.60}..."


# Writing.


def _cards(cards: Hand) -> str:
    return hand_text(cards) or "-"


def _bids_text(bids: Sequence[int | None]) -> str:
    return "".join("?" if bid is None else str(bid) for bid in bids) or "-"


def _auction_text(bids: Sequence[int | None], landlord_position: int) -> str:
    return f"{_bids_text(bids)}@{landlord_position}"


def _table_text(plays: Sequence[Move]) -> str:
    for back, move in enumerate(plays[:-SEATS:-1], 1):
        if not move.is_pass:
            return f"{move}:{(len(plays) - back) % SEATS}"
    return "-"


# Reading.


def _position(words: list[str]) -> Game:
    _check_words(words, _POSITION)
    rules = rule_set(words[0])
    hands = [_parse_cards(word) for word in _three(words[1], Message("hands"))]
    bottom = _parse_bottom(rules, words[2])
    bids, landlord_position, _ = _parse_auction(rules, words[3])
    _demand(None not in bids, Message("auction {word}: a position knows all bids", word=repr(words[3])))
    seat = _parse_seat(words[5])
    played = [
        [] if word == "-" else _parse_moves(rules, word, passes=False)
        for word in _three(words[6], Message("played moves"))
    ]
    plays = _plays(rules, played, words[4], seat)
    game = Game(
        rules, (hands[0], hands[1], hands[2]), bottom, plays, tuple(bid or 0 for bid in bids), landlord_position
    )
    _check_cards(game)
    return game


def _plays(rules: RuleSet, played: list[list[Move]], table: str, seat: int) -> tuple[Move, ...]:
    """Makes a row of moves in which each seat has played its own, *table* is to beat, and it is *seat*'s turn."""
    on_table = _pop_table(rules, played, table, seat)
    plays = [move for moves in zip_longest(*played, fillvalue=PASS) for move in moves]
    if on_table is None:
        return (*plays, *[PASS] * (SEATS if plays else 0), *[PASS] * seat)
    move, holder = on_table
    plays += [*[PASS] * holder, move]
    return (*plays, *[PASS] * ((seat - len(plays)) % SEATS))


def _pop_table(rules: RuleSet, played: list[list[Move]], table: str, seat: int) -> tuple[Move, int] | None:
    """Takes the move to beat away from what its seat has played, and gets both; None on a lead."""
    if table == "-":
        return None
    cards, _, holder_name = table.partition(":")
    move, holder = read_move(rules, _parse_cards(cards)), _parse_seat(holder_name)
    _demand(
        holder != seat,
        Message("table {word}: seat {seat} cannot be to move after its own move", word=repr(table), seat=seat),
    )
    _demand(
        played[holder][-1:] == [move],
        Message("table {word}: it is not what seat {seat} played last", word=repr(table), seat=holder),
    )
    played[holder].pop()
    return move, holder


def _check_cards(game: Game) -> None:
    rules = game.rules
    played = [sum(move.cards for move in game.plays[seat::SEATS]) for seat in range(SEATS)]
    _demand(
        fits_into(rules.deck, (*game.hands, *played)),
        Message("the deck of rules {rules} does not have all these cards", rules=rules.name),
    )
    for seat in range(SEATS):
        _demand(
            size(game.hands[seat] + played[seat]) <= rules.seat_cards(seat),
            Message("seat {seat} has and has played more than {most} cards", seat=seat, most=rules.seat_cards(seat)),
        )
    _demand(
        contains(game.hands[0] + played[0], game.bottom), Message("the landlord neither has nor has played the bottom")
    )
    out = [seat for seat in range(SEATS) if not game.hands[seat]]
    last_seat = (game.seat + 2) % SEATS
    _demand(
        not out or (out == [last_seat] and _played_last(game)),
        Message("the seat without cards must have played the last move"),
    )


def _played_last(game: Game) -> bool:
    return bool(game.plays) and not game.plays[-1].is_pass


def _view(words: list[str]) -> View:
    _check_words(words, _VIEW)
    rules = rule_set(words[0])
    bids, landlord_position, stake = _parse_auction(rules, words[4])
    view = View(
        rules=rules,
        seat=_parse_seat(words[1]),
        hand=_parse_cards(words[2]),
        bottom=_parse_bottom(rules, words[3]),
        bids=bids,
        stake=stake,
        landlord_position=landlord_position,
        plays=() if words[5] == "." else tuple(_parse_moves(rules, words[5], passes=True)),
    )
    _demand(
        fits_into(rules.deck, [view.hand, *(move.cards for move in view.plays)]), Message("the deck has fewer cards")
    )
    return _possible(view)


def _bid_view(words: list[str]) -> BidView:
    _check_words(words, _BID_VIEW)
    bids = _parse_bids(words[3])
    _demand(None not in bids, Message("bids {word}: a bidder knows all of them", word=repr(words[3])))
    return _possible(BidView(rule_set(words[0]), _parse_cards(words[2]), tuple(bid or 0 for bid in bids)))


def _possible(view: AnyView) -> AnyView:
    contradiction = view.contradiction()
    if contradiction:
        raise _NoNotationError(contradiction)
    return view


def _check_words(words: list[str], parts: Sequence[_Part]) -> None:
    """Demands as many words as there are *parts*; where there are fewer, the sentence names the first that lacks."""
    count, most = len(words), len(parts)
    if count > most:
        raise _NoNotationError(Message("it must have {most} words, not {count}", most=most, count=count))
    if count < most:
        lacks = next(
            (part for part, word in zip(parts, words, strict=False) if not part.form.fullmatch(word)), parts[count]
        )
        problem = "it must have {most} words, not {count}: it lacks {part}, such as {example}"
        raise _NoNotationError(Message(problem, most=most, count=count, part=lacks.name, example=lacks.example))


def _demand(met: bool, problem: Message) -> None:
    if not met:
        raise _NoNotationError(problem)


def _three(word: str, what: Message) -> list[str]:
    parts = word.split("/")
    problem = Message("{what} {word}: there must be three with / between them", what=what, word=repr(word))
    _demand(len(parts) == SEATS, problem)
    return parts


def _parse_cards(word: str) -> Hand:
    cards = 0 if word == "-" else typed_hand(word)
    _demand(word == "-" or cards != 0, Message("cards are missing; - stands for none"))
    return cards


def _parse_bottom(rules: RuleSet, word: str) -> Hand:
    if word == "?":
        return 0
    bottom = _parse_cards(word)
    _demand(
        size(bottom) == rules.bottom_size,
        Message("bottom {word}: it must be {count} cards, or ?", word=repr(word), count=rules.bottom_size),
    )
    return bottom


def _parse_seat(word: str) -> int:
    _demand(word in ("0", "1", "2"), Message("seat {word} is not 0, 1 or 2", word=repr(word)))
    return int(word)


def _parse_moves(rules: RuleSet, word: str, passes: bool) -> list[Move]:
    moves = []
    for cards in word.split(","):
        _demand(passes or cards != "-", Message("played moves {word}: passes are left out", word=repr(word)))
        moves.append(PASS if cards == "-" else read_move(rules, _parse_cards(cards)))
    return moves


def _parse_bids(word: str) -> list[int | None]:
    _demand(
        word == "-" or (word != "" and set(word) <= set("0123?")),
        Message("bids {word} are not written as digits from 0 to 3", word=repr(word)),
    )
    return [] if word == "-" else [None if bid == "?" else "0123".index(bid) for bid in word]


def _parse_auction(rules: RuleSet, word: str) -> tuple[tuple[int | None, ...], int, int]:
    """Reads the bids, the landlord's position and the stake."""
    parts = _BIDS_AT.fullmatch(word)
    if not parts:
        raise _NoNotationError(Message("auction {word} is not written as bids@position", word=repr(word)))
    bids = _parse_bids(parts[1])
    _demand(
        rules.bidding or not bids,
        Message("auction {word}: there is none under rules {rules}", word=repr(word), rules=rules.name),
    )
    landlord_position = int(parts[2])
    heard = [bid or 0 for bid in bids]
    try:
        over = auction(heard)
    except ValueError as error:
        raise _NoNotationError(str(error)) from None
    if bids and None not in bids:
        _demand(
            over is not None and over[0] == landlord_position,
            Message("auction {word}: others bid more", word=repr(word)),
        )
    stake = final_bid(heard)
    _demand(
        parts[3] is None or int(parts[3]) != stake,
        Message("auction {word}: the bids tell the stake already", word=repr(word)),
    )
    return tuple(bids), landlord_position, int(parts[3] or stake)
