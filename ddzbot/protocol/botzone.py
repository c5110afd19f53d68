"""
Botzone's messages: requests in, one seat's view out, and chosen cards back as card ids.

The judge's requests and our own responses, in order, are all that a seat ever hears. :func:`rebuild` turns them
into what we know, each turn anew, so that one code path serves the one-shot mode, where every envelope holds the
complete history, and the keep-running mode, where requests come one by one.

Three games speak this protocol. FightTheLandlord2 has an auction, and its first play request names the seats;
the number of cards dealt tells the two games without one apart, and their seats.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ddzbot.cards import CARD_IDS, Hand, hand_of_ids, ids_for
from ddzbot.engine import safe_move
from ddzbot.game import HIGHEST_BID, SEATS
from ddzbot.game import to_beat as last_to_beat
from ddzbot.rules import BOTZONE, BOTZONE2, MINI, PASS, Move, RuleSet, read_move
from ddzbot.view import BidView, View, known_bids

_WITHOUT_AUCTION = (BOTZONE, MINI)

MOST_REQUESTS = 200
"""No game asks one seat half as often."""


class ProtocolError(ValueError):
    """Raised for a message that cannot be understood; the message is one sentence that names the place."""


class OwnTurn(NamedTuple):
    """Our view when it is our turn, and the card ids of our hand."""

    view: Union[View, BidView]
    own_ids: List[int]

    def ids(self, cards: Hand) -> List[int]:
        """
        Chooses ids of our hand for *cards*.

        :raises CardsError: if we do not hold them.
        """
        return ids_for(self.own_ids, cards)


class TableState(NamedTuple):
    """The least that a legal answer needs: what we hold and what lies on the table."""

    rules: RuleSet
    own_ids: List[int]
    to_beat: Optional[Move]

    def safe_ids(self) -> List[int]:
        """
        Chooses the ids of a legal answer: none for the pass, or on a lead the smallest card.

        :raises ValueError: on a lead without cards.
        """
        move = safe_move(self.rules, hand_of_ids(self.own_ids), self.to_beat)
        return ids_for(self.own_ids, move.cards)


class _Seating(NamedTuple):
    """The facts in the first play request of a match."""

    rules: RuleSet
    seat: int
    own_ids: List[int]
    bottom: Hand
    landlord_position: int
    stake: int


def rebuild(requests: Sequence[Any], responses: Sequence[Any]) -> OwnTurn:
    """
    Works out what we know from all *requests*, the last of them unanswered, and our *responses*.

    :raises ProtocolError: if they are no messages of the three games, or contradict each other.
    :raises CardsError: if a card id is not a card, or occurs twice in one place.
    """
    if len(requests) > MOST_REQUESTS:
        raise ProtocolError(f"{len(requests)} requests are more than a game has")
    if len(requests) != len(responses) + 1:
        raise ProtocolError(f"{len(requests)} requests do not fit {len(responses)} responses")
    first = _object(requests[0])
    if "bid" not in first:
        return _rebuild_play(requests, responses, [])
    own_ids = _ids(first.get("own"), "own")
    heard = [_number(bid, "a bid") for bid in _list(first["bid"], "bid")]
    if len(requests) == 1:
        return OwnTurn(BidView(BOTZONE2, hand_of_ids(own_ids), tuple(heard)), own_ids)
    return _rebuild_play(requests[1:], responses[1:], [*heard, _number(responses[0], "a bid in responses")])


def _rebuild_play(requests: Sequence[Any], responses: Sequence[Any], heard: List[int]) -> OwnTurn:
    seating = _seating(_object(requests[0]))
    own_ids = seating.own_ids
    before_landlord = SEATS - 1 - seating.seat
    plays = _history(requests[0])[before_landlord:]
    if any(_history(requests[0])[:before_landlord]):
        raise ProtocolError("the history contradicts itself: cards were played before the landlord led")
    for response, request in zip(responses, requests[1:]):
        played = _ids(response, "responses")
        if not set(played) <= set(own_ids):
            raise ProtocolError(f"responses play the cards {played}, but we held {sorted(own_ids)}")
        own_ids = [card_id for card_id in own_ids if card_id not in played]
        plays += [played, *_history(request)]
    view = View(
        rules=seating.rules,
        seat=seating.seat,
        hand=hand_of_ids(own_ids),
        bottom=seating.bottom,
        bids=_bids(seating, heard),
        stake=seating.stake,
        landlord_position=seating.landlord_position,
        plays=tuple(_move(seating.rules, ids) for ids in plays),
    ).with_possible_bids()
    contradiction = view.contradiction() or view.contradiction_of_turns()
    if contradiction:
        raise ProtocolError("the history contradicts itself: " + contradiction)
    return OwnTurn(view, own_ids)


def _bids(seating: _Seating, heard: List[int]) -> Tuple[Optional[int], ...]:
    if not seating.rules.bidding:
        return ()
    return known_bids(heard, seating.landlord_position, seating.stake)


def _seating(request: Dict[str, Any]) -> _Seating:
    own_ids = _ids(request.get("own"), "own")
    bottom_ids = _ids(request.get("publiccard"), "publiccard")
    if "landlord" in request:
        return _seating_after_auction(request, own_ids, bottom_ids)
    for rules in _WITHOUT_AUCTION:
        if len(own_ids) == rules.largest_hand:
            return _Seating(rules, 0, own_ids, hand_of_ids(bottom_ids), 0, 1)
        if len(own_ids) == rules.dealt:
            # The landlord cannot pass first, so an empty first entry is padding: the landlord sits just before us.
            seat = 2 if _history(request)[0] else 1
            return _Seating(rules, seat, own_ids, hand_of_ids(bottom_ids), 0, 1)
    raise ProtocolError(f"own has {len(own_ids)} cards: no game deals that many")


def _seating_after_auction(request: Dict[str, Any], own_ids: List[int], bottom_ids: List[int]) -> _Seating:
    landlord = _number(request["landlord"], "landlord")
    position = _number(request.get("pos"), "pos")
    stake = _number(request.get("finalbid"), "finalbid")
    if not (0 <= landlord < SEATS and 0 <= position < SEATS):
        raise ProtocolError(f"landlord {landlord} and pos {position} must be 0, 1 or 2")
    if not 1 <= stake <= HIGHEST_BID:
        raise ProtocolError(f"finalbid must be 1, 2 or 3, not {stake}")
    seat = (position - landlord) % SEATS
    if seat == 0 and len(own_ids) == BOTZONE2.dealt:
        own_ids = own_ids + bottom_ids
    return _Seating(BOTZONE2, seat, own_ids, hand_of_ids(bottom_ids), landlord, stake)


def partial_view(requests: Sequence[Any], responses: Sequence[Any]) -> TableState:
    """
    Finds our hand and the move to beat when the history as a whole makes no sense.

    It asks only the requests that deal us cards, the ids in our responses, and the last request.

    :raises ValueError: if even these make no sense.
    """
    dealing = [request for request in requests if isinstance(request, dict) and "own" in request]
    if not dealing:
        raise ProtocolError("there is no request that deals us a hand")
    seating = _seating(dealing[-1])
    answers = [response for response in responses if isinstance(response, list)]
    played = {card_id for response in answers for card_id in response if isinstance(card_id, int)}
    own_ids = [card_id for card_id in seating.own_ids if card_id not in played]
    plays = [_move(seating.rules, ids) for ids in _history(requests[-1])]
    return TableState(seating.rules, own_ids, last_to_beat(plays))


def asks_for_bid(request: Any) -> bool:
    """Checks if a request, however damaged, is one of an auction."""
    return isinstance(request, dict) and "bid" in request


def begins_match(request: Any, earlier: Sequence[Any]) -> bool:
    """Checks if a bare *request* that comes after the *earlier* ones belongs to a new match."""
    if not isinstance(request, dict) or "own" not in request:
        return not earlier
    after_auction = len(earlier) == 1 and isinstance(earlier[0], dict) and "bid" in earlier[0]
    return "bid" in request or not after_auction


# Reading JSON values that may be anything.


def _move(rules: RuleSet, ids: List[int]) -> Move:
    return read_move(rules, hand_of_ids(ids)) if ids else PASS


def _object(value: Any) -> Dict[str, Any]:
    if not isinstance(value, dict):
        raise ProtocolError(f"a request must be a JSON object, not {value!r:.60}")
    return value


def _list(value: Any, place: str) -> List[Any]:
    if not isinstance(value, list):
        raise ProtocolError(f"{place} must be a list, not {value!r:.60}")
    return value


def _ids(value: Any, place: str) -> List[int]:
    ids = _list(value, place)
    if len(ids) > CARD_IDS:
        raise ProtocolError(f"{place} has {len(ids)} cards")
    for item in ids:
        if not isinstance(item, int):
            raise ProtocolError(f"a card id in {place} must be a whole number, not {item!r:.60}")
    # The judge takes true for card 1 and shows it to the others as it came.
    plain = [int(item) for item in ids]
    hand_of_ids(plain)
    return plain


def _number(value: Any, place: str) -> int:
    """Reads a bid as the judge does: text and fractions that ``int`` accepts are numbers."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise ProtocolError(f"{place} must be a number, not {value!r:.60}") from None


def _history(request: Any) -> List[List[int]]:
    entries = [_ids(entry, "history") for entry in _list(_object(request).get("history"), "history")]
    if len(entries) != SEATS - 1:
        raise ProtocolError(f"history must have two entries, not {len(entries)}")
    return entries
