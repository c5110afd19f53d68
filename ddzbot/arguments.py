"""
The arguments of the public interface, checked before anything is done with them.

Each check gets what may be used, or refuses what cannot be right with a ``TypeError`` (another type) or a
``ValueError`` (no such value) in one sentence that names the argument.
"""

from functools import wraps
from itertools import islice
from math import inf
from typing import Any, Callable, FrozenSet, List, Optional, Tuple, TypeVar, cast

from ddzbot.cards import CARD_IDS, CardsError, Hand, hand_of_ids, is_in_a_deck, parse_hand
from ddzbot.game import SEATS, Deal, Game, fits
from ddzbot.rules import KIND_NAMES, RULE_SETS, Move, RulesError, RuleSet, classify, read_move
from ddzbot.search.endgame_position import Endgame, EndgameError
from ddzbot.search.limit import Limit

Check = Callable[[str, Any], Any]
"""Type alias: what checks an argument, given its name and its value."""
_Function = TypeVar("_Function", bound=Callable[..., Any])

_SHOWN = 60
_SEED_BITS = 4096
"""Of the largest seed: a player writes it out, and Python refuses to write longer numbers."""


def refusing(function: _Function, **checks: Check) -> _Function:
    """Gets the same function, but what it is given goes through the *checks* of its parameters first."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]

    @wraps(function)
    def checked(*given: Any, **named: Any) -> Any:
        # Of arguments too many, and of unknown names, the function itself says so.
        taken = [checks[key](key, argument) for key, argument in zip(names, given)]
        by_name = {key: checks[key](key, argument) if key in checks else argument for key, argument in named.items()}
        return function(*taken, *given[len(names) :], **by_name)

    return cast(_Function, checked)


def shown(given: object) -> str:
    """Writes a value for a sentence about it, cut where it is long."""
    try:
        return repr(given)[:_SHOWN]
    except Exception:  # a number of too many digits, or a type of the caller's own that fails
        return f"a {type(given).__name__}"


def demand(name: str, given: object, what: str, *types: type) -> None:
    """Refuses all but some types; a truth value is no number."""
    if (isinstance(given, bool) and bool not in types) or not isinstance(given, types):
        raise TypeError(f"{name} must be {what}, not {shown(given)}")


def text(name: str, given: Any) -> str:
    """Takes a text that can be encoded."""
    demand(name, given, "a text", str)
    try:
        given.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{name} has half of a character: {shown(given)}") from None
    return str(given)


def cards_text(name: str, given: Any) -> str:
    """Takes any text: the function that reads it as cards says what is wrong with it."""
    demand(name, given, "a text", str)
    return str(given)


def truth(name: str, given: Any) -> bool:
    """Takes True or False."""
    demand(name, given, "True or False", bool)
    return bool(given)


def whole(name: str, given: Any) -> int:
    """Takes a whole number of up to 64 bits, which has room in any sentence about it."""
    return _whole_within(name, given, 64)


def seed(name: str, given: Any) -> int:
    """Takes a whole number of up to 4,096 bits."""
    return _whole_within(name, given, _SEED_BITS)


def _whole_within(name: str, given: Any, bits: int) -> int:
    demand(name, given, "a whole number", int)
    number = int(given)
    if number.bit_length() > bits:
        raise ValueError(f"{name} has {number.bit_length()} bits, and {bits} are the most")
    return number


def rules(name: str, given: Any) -> RuleSet:
    """Takes one of the rule sets."""
    demand(name, given, "a RuleSet", RuleSet)
    registered = RULE_SETS.get(given.name) if isinstance(given.name, str) else None
    if registered is not given and registered != given:
        raise RulesError(f"{name}: {shown(given.name)} is none of the rule sets {', '.join(RULE_SETS)}")
    return cast(RuleSet, given)


def hand(name: str, given: Any) -> Hand:
    """Takes cards that are in a deck of 54."""
    demand(name, given, "a Hand", int)
    if not is_in_a_deck(given):
        raise CardsError(f"{name} {shown(given)}: these cards are in no deck")
    return int(given)


def cards(name: str, given: Any) -> Hand:
    """Takes a hand, or the text of one."""
    if isinstance(given, str):
        return parse_hand(given)
    demand(name, given, "a Hand or a text", int)
    return hand(name, given)


def move(name: str, given: Any, by: RuleSet) -> Move:
    """Takes a move whose kind, rank and length are a reading of its cards under the rules *by*."""
    demand(name, given, "a Move", Move)
    hand(name, given.cards)
    for field, number in zip(Move._fields[1:], given[1:]):
        whole(f"{name}: its {field}", number)
    if given not in classify(by, given.cards, recognised=True) and given != read_move(by, given.cards):
        raise RulesError(f"{name}: {given} is no {_kind_of(given)} (rules {by.name})")
    return cast(Move, given)


def _kind_of(given: Move) -> str:
    kind = KIND_NAMES[given.kind] if 0 <= given.kind < len(KIND_NAMES) else f"kind {shown(given.kind)}"
    return f"{kind} of rank {shown(given.rank)} and length {shown(given.length)}"


def to_beat(name: str, given: Any, by: RuleSet) -> Optional[Move]:
    """Takes None, a text that is read by the rules *by*, or a move of some rule set; they say if it can be beaten."""
    if given is None:
        return None
    if isinstance(given, str):
        return read_move(by, parse_hand("" if given == "pass" else given))
    demand(name, given, "a Move, its text or None", Move)
    for rule_set in RULE_SETS.values():
        try:
            return move(name, given, rule_set)
        except RulesError as error:
            refusal = error
    raise refusal


def items(name: str, given: Any) -> Tuple[Any, ...]:
    """Takes a tuple or a list."""
    demand(name, given, "a tuple", tuple, list)
    return tuple(given)


def bids(name: str, given: Any) -> Tuple[int, ...]:
    """Takes whole numbers; the function that reads them checks them against the auction."""
    return tuple(whole(f"{name}: a bid", bid) for bid in items(name, given))


def heard_bids(name: str, given: Any) -> Tuple[Optional[int], ...]:
    """Takes whole numbers and, for bids that were not heard, None."""
    return tuple(None if bid is None else whole(f"{name}: a bid", bid) for bid in items(name, given))


def moves(name: str, given: Any, by: RuleSet) -> Tuple[Move, ...]:
    """Takes moves under the rules *by*."""
    return tuple(move(f"{name}: a move", each, by) for each in items(name, given))


def ids(name: str, given: Any) -> List[int]:
    """Takes card ids, each at most once."""
    try:
        listed = list(islice(given, CARD_IDS + 1))  # no more can be different ones
    except TypeError:
        raise TypeError(f"{name} must be card ids, not {shown(given)}") from None
    for card_id in listed:
        if type(card_id) is not int:
            raise CardsError(f"card id {shown(card_id)} is not an integer from 0 to 53")
    hand_of_ids(listed)
    return listed


def limit(name: str, given: Any) -> Limit:
    """Takes a limit of 0 or more."""
    demand(name, given, "a Limit, such as Limit(seconds=0.2)", Limit)
    if given.seconds is not None:
        demand(f"{name}.seconds", given.seconds, "a number", int, float)
    if given.playouts is not None:
        demand(f"{name}.playouts", given.playouts, "a whole number", int)
    for field, amount in zip(given._fields, given):
        if amount is not None and not 0 <= amount < inf:
            raise ValueError(f"{name}.{field} must be 0 or more, or None, not {shown(amount)}")
    try:
        float(given.seconds or 0)
    except OverflowError:
        raise ValueError(f"{name}.seconds must be less than 1e308, or None, not {shown(given.seconds)}") from None
    return cast(Limit, given)


def deal(name: str, given: Any) -> Deal:
    """Takes a deal of the whole deck."""
    demand(name, given, "a Deal", Deal)
    rules(f"{name}.rules", given.rules)
    hands = tuple(hand(f"{name}.hands: a hand", each) for each in items(f"{name}.hands", given.hands))
    hand(f"{name}.bottom", given.bottom)
    if len(hands) != SEATS:
        raise ValueError(f"{name}.hands: a deal has {SEATS} hands, not {len(hands)}")
    if not fits(given):
        raise ValueError(f"{name}: hands and bottom are not the deck of rules {given.rules.name}, dealt as it is there")
    return cast(Deal, given._replace(hands=hands))


def game(name: str, given: Any) -> Game:
    """Takes a game whose fields are of the right types; the function that uses its hands checks them."""
    demand(name, given, "a Game", Game)
    rules(f"{name}.rules", given.rules)
    hands = tuple(hand(f"{name}.hands: a hand", each) for each in items(f"{name}.hands", given.hands))
    if len(hands) != SEATS:
        raise ValueError(f"{name}.hands: a game has {SEATS} hands, not {len(hands)}")
    hand(f"{name}.bottom", given.bottom)
    if whole(f"{name}.landlord_position", given.landlord_position) not in range(SEATS):
        raise ValueError(f"{name}.landlord_position must be 0, 1 or 2, not {shown(given.landlord_position)}")
    plays = moves(f"{name}.plays", given.plays, given.rules)
    return cast(Game, given._replace(hands=hands, plays=plays, bids=bids(f"{name}.bids", given.bids)))


def endgame(name: str, given: Any) -> Endgame:
    """Takes a position that can be."""
    demand(name, given, "an Endgame", Endgame)
    rules(f"{name}.rules", given.rules)
    whole(f"{name}.seat", given.seat)
    if given.table_seat is not None:
        whole(f"{name}.table_seat", given.table_seat)
    hands = items(f"{name}.hands", given.hands)
    try:
        for each in hands:
            hand(f"{name}.hands: a hand", each)
        if given.to_beat is not None:
            move(f"{name}.to_beat", given.to_beat, given.rules)
    except ValueError as error:
        raise EndgameError(str(error)) from None
    position = cast(Endgame, given._replace(hands=hands, banned=_banned(f"{name}.banned", given.banned)))
    fault = position.fault()
    if fault:
        raise EndgameError(str(fault))
    return position


def _banned(name: str, given: Any) -> FrozenSet[int]:
    demand(name, given, "a set of kinds", frozenset, set, tuple, list)
    kinds = frozenset(whole(f"{name}: a kind", kind) for kind in given)
    unknown = sorted(kind for kind in kinds if kind not in range(len(KIND_NAMES)))
    if unknown:
        raise EndgameError(f"{name}: there is no kind {shown(unknown[0])}")
    return kinds
