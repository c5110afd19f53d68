"""A recorded game as the replay page gets it: a JSON object that holds every hand after every move, ready to draw."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ddzbot.cards import size
from ddzbot.game import SEATS
from ddzbot.rules import KIND_NAMES
from ddzbot.view import View

from ...records.jsonl import record_json
from ...records.record import NO_NOTE, GameRecord
from ...records.replay import Ply
from ...records.thoughts import Thought, body_first, thought_of_note, values_are_chances
from ...shared.json_text import parse_json
from ...shared.names import short_name
from .suits import CardIds, Holding, code_of_id, codes_of, is_hand


def game_data(
    record: GameRecord,
    number: int = 1,
    ids: CardIds | None = None,
    analyses: Mapping[int, Thought] | None = None,
) -> dict[str, Any]:
    """
    Makes the object of one game, the *number*-th of its file.

    Lists are by seat, and by position while there is no landlord. Cards are texts with a space between them, ``3h`` or
    ``3``; null is unknown. *analyses* are by the number of the move from 0. ``record`` is for a board: null where
    a card is unknown.
    """
    landlord = record.landlord_position or 0
    positions = [(landlord + seat) % SEATS for seat in range(SEATS)]
    holdings = _holdings(record, ids)
    return {
        "number": number,
        "rules": record.rules.name,
        "auction": record.landlord_position is None,
        "names": [short_name(record.names[position]) for position in positions],
        "positions": positions,
        "bids": _by_seat(record.bids, positions),
        "heard": _heard(record, positions),
        "bottom": _bottom(record, ids),
        "bottomSize": record.rules.bottom_size,
        "sizes": [_dealt_size(record, seat) for seat in range(SEATS)],
        "hands": [None if holding is None else " ".join(holding.codes()) for holding in holdings],
        "moves": _moves(record, holdings, ids, analyses or {}),
        "result": {
            "winner": record.result.winner,
            "scores": record.result.scores and list(record.result.scores),
            "termination": record.result.termination,
        },
        "tags": dict(record.tags),
        "record": None if record.unknown_seats or record.bottom is None else parse_json(record_json(record.begun())),
    }


def seen_by(record: GameRecord, seat: int) -> GameRecord:
    """
    Makes the record of what *seat* has seen: without the hands, the notes and the unheard bids of the others.

    Tags are left out too, as one of them may be the seed of the deal.

    :raises RecordError: if the hand of *seat* is unknown, or the auction is not over.
    """
    bids = record.view(0, seat).bids
    own = record.position_of(seat)
    first, second, third = (hand if position == own else None for position, hand in enumerate(record.hands))
    moves = (move if ply % SEATS == seat else move._replace(note=NO_NOTE) for ply, move in enumerate(record.moves))
    return replace(record, hands=(first, second, third), bids=bids, moves=tuple(moves), tags={})


def _holdings(record: GameRecord, ids: CardIds | None) -> list[Holding | None]:
    hands = record.seat_hands
    holdings: list[Holding | None] = []
    for seat, hand in enumerate(hands):
        dealt = None
        if ids is not None:
            dealt = list(ids.hands[((record.landlord_position or 0) + seat) % SEATS])
            if seat == 0 and record.landlord_position is not None:
                dealt += ids.bottom
        holdings.append(None if hand is None else Holding(hand, dealt))
    return holdings


def _dealt_size(record: GameRecord, seat: int) -> int:
    return record.rules.dealt if record.landlord_position is None else record.rules.seat_cards(seat)


def _bottom(record: GameRecord, ids: CardIds | None) -> str | None:
    if record.bottom is None:
        return None
    if ids is not None and len(ids.bottom) == size(record.bottom):
        return " ".join(map(code_of_id, sorted(ids.bottom, reverse=True)))
    return " ".join(codes_of(record.bottom)[::-1])


def _by_seat(bids: Sequence[int | None], positions: Sequence[int]) -> list[int | None]:
    return [bids[position] if position < len(bids) else None for position in positions]


def _heard(record: GameRecord, positions: Sequence[int]) -> list[list[int | None]]:
    """Lists what each seat has heard of the auction; during the auction, by position, what was bid before and there."""
    if record.landlord_position is None:
        return [[bid if position <= own else None for position, bid in enumerate(record.bids)] for own in range(SEATS)]
    start = record.start
    unknown = {position for position, bid in enumerate(record.bids) if bid is None}
    views = [list(View.of(start, seat).bids) for seat in range(SEATS)]
    heard = [[None if position in unknown else bid for position, bid in enumerate(bids)] for bids in views]
    return [_by_seat(bids, positions) for bids in heard]


def _moves(
    record: GameRecord, holdings: Sequence[Holding | None], ids: CardIds | None, analyses: Mapping[int, Thought]
) -> list[dict[str, Any]]:
    if record.landlord_position is None:
        return []
    chances = values_are_chances(record)
    moves = []
    for ply in record.plies():
        note = record.moves[ply.number].note
        noted = thought_of_note(note, ply.move.cards, chances)
        played = ids.moves[ply.number] if ids is not None and ply.number < len(ids.moves) else None
        moves.append(
            {
                **_played(ply, holdings[ply.seat], played),
                "kind": KIND_NAMES[ply.move.kind],
                "problem": ply.problem,
                "seconds": note.seconds,
                "comment": note.comment,
                "thoughts": [thought for thought in (analyses.get(ply.number), noted) if thought],
            }
        )
    return moves


def _played(ply: Ply, holding: Holding | None, ids: Sequence[int] | None) -> dict[str, Any]:
    """Gets the cards of a move, and what is left of the mover's hand."""
    after = ply.after.hands[ply.seat]
    if holding is None:
        has_ids = ids is not None and is_hand(ids, ply.move.cards)
        cards = [code_of_id(card_id) for card_id in ids or ()] if has_ids else codes_of(ply.move.cards)
        return {"cards": " ".join(body_first(cards)), "left": None, "count": size(after)}
    cards = holding.play(ply.move.cards, after, ids)
    return {"cards": " ".join(body_first(cards)), "left": " ".join(holding.codes()), "count": size(after)}
