"""
Reads what a match leaves behind: the record of ``python -m tools judge --record``, and the platform's bare log.

Both hold the platform's log, in which the judge's words and the bots' answers take turns. The judge's words decide
what was bid and played; a log whose last answers were not judged yet is completed by our own referee. Suits are
dropped.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from ddzbot.cards import CardsError, Hand, hand_of_ids
from ddzbot.game import SEAT_NAMES, SEATS, Deal
from ddzbot.rules import BOTZONE2

from ..referee.deal import deal_with_auction, deal_without_auction
from ..referee.referee import RefereeError
from ..referee.stdio import judge
from ..shared.json_text import checked, parse_json
from .record import NO_RESULT, GameRecord, Note, RecordedMove, RecordError, Result

WITH_AUCTION = "FightTheLandlord2"
WITHOUT_AUCTION = "FightTheLandlord"

NAMES = ("name", "bot", "user", "id", "_id", "$oid")
"""Keys under which the platform names the players, the clearest first."""
DEEPEST_NAME = 3

AUTO_PILOT = "auto-pilot"
VERDICT_PREFIX = "INVALID_INPUT_VERDICT_"

Entry = TypeVar("Entry")

Errored = tuple[Any, Any, Any]
"""Type alias: the code of each player's first fault, None for those without."""
NO_FAULT: Errored = (None, None, None)


class _Event(Struct):
    player: Annotated[int, Meta(ge=-1, lt=SEATS)]
    """Before the first move the platform names no player: -1 is the landlord."""
    action: Any = None


class Display(Struct):
    """The judge's output for a turn."""

    allocation: Any = UNSET
    publiccard: Any = UNSET
    bid: list[int] | UnsetType = UNSET
    landlord: Annotated[int, Meta(ge=0, lt=SEATS)] | UnsetType | None = UNSET
    errored: Errored | UnsetType = UNSET
    event: _Event | None = None
    errorInfo: Any = UNSET  # noqa: N815


class _Output(Struct):
    display: Display
    content: dict[str, Any] | None = None
    command: Any = None
    initdata: Any = None


class _Judged(Struct):
    output: _Output


class _Fault(Struct):
    sentence: Any = None


class _Match(Struct):
    """The fields of a local judge's record besides the log."""

    bots: tuple[Any, Any, Any]
    game: Any = None
    faults: list[_Fault] = []


class _Turn(NamedTuple):
    """A turn: the bots' answers, and the judge's output after them."""

    answers: dict[str, Any]
    output: _Output

    @property
    def scores(self) -> list[Any] | None:
        """The scores of the players, if the match is over."""
        if self.output.command != "finish":
            return None
        paid = self.output.content or {}
        return [paid.get(str(player)) for player in range(SEATS)]


def record_of_match(match: dict[str, Any]) -> GameRecord:
    """
    Converts a record of the local judge, an object with ``game``, ``bots`` and ``log``.

    :raises RecordError: if it is none.
    """
    typed = checked(match, _Match, RecordError)
    first, second, third = map(str, typed.bots)
    tags = {"Game": str(typed.game)}
    if typed.faults:
        tags["Faults"] = "; ".join(str(fault.sentence) for fault in typed.faults)
    return _record(match, (first, second, third), tags)


def record_of_log(message: dict[str, Any]) -> GameRecord:
    """
    Converts the platform's log, an object with ``log`` (or ``logs``), and perhaps ``players`` and ``_id``.

    :raises RecordError: if it is none.
    """
    log = message["log"] if "log" in message else message.get("logs")
    match_id = _text_of(message.get("_id"), ("$oid",))
    return _record({"log": log}, _names(message.get("players")), {"Match": match_id} if match_id else {})


def displays_of(value: Any) -> list[Display]:
    """Gets all that the judge showed in the log of *value*, of which a record was made; nothing where it has none."""
    log = value.get("log", value.get("logs")) if isinstance(value, dict) else None
    return [_output(log, index).display for index in range(0, len(log), 2)] if isinstance(log, list) else []


def _names(players: Any) -> tuple[str, str, str]:
    """Reads the players' names: texts, or objects with a name. Other values are ignored."""
    listed = players if isinstance(players, list) and len(players) == SEATS else [""] * SEATS
    first, second, third = (_text_of(player, NAMES) for player in listed)
    return first, second, third


def _text_of(value: Any, keys: Sequence[str]) -> str:
    """Gets a text, or what stands first under one of *keys* of an object, which may be an object like it."""
    for _ in range(DEEPEST_NAME):
        if not isinstance(value, dict):
            break
        value = next((value[key] for key in keys if value.get(key)), "")
    return value if isinstance(value, str) else ""


def _record(message: dict[str, Any], names: tuple[str, str, str], tags: dict[str, str]) -> GameRecord:
    opening, turns = _opening(message), list(_turns(message))
    deal = _deal(opening)
    seed = _seed(opening.initdata)
    if seed:
        tags["Seed"] = seed
    displays = [opening.display, *(turn.output.display for turn in turns)]
    landlord = _last(displays, "landlord", None if deal.rules.bidding else 0)
    codes = enumerate(_last(displays, "errored", NO_FAULT))
    faults = [f"{_reason(code)} by position {player}" for player, code in codes if code]
    if faults:
        tags.setdefault("Faults", "; ".join(faults))
    return GameRecord(
        rules=deal.rules,
        hands=deal.hands,
        bottom=deal.bottom,
        bids=tuple(_last(displays, "bid", [])),
        landlord_position=landlord,
        moves=tuple(_moves(turns)),
        names=names,
        result=_result(turns, landlord or 0),
        tags=tags,
    )


def _seed(initdata: Any) -> str:
    """Reads the seed of initdata, which may be JSON or a text that holds it; empty if it has none."""
    if isinstance(initdata, str):
        try:
            initdata = parse_json(initdata)
        except ValueError:
            return ""
    seed = initdata.get("seed") if isinstance(initdata, dict) else None
    return "" if seed is None else str(seed)


def _opening(message: dict[str, Any]) -> _Output:
    """Gets the judge's first words, which have the deal."""
    log = message.get("log")
    if not isinstance(log, list) or not log:
        raise RecordError(f"log {log!r:.40} has no match")
    return _output(log, 0)


def _turns(message: dict[str, Any]) -> Iterator[_Turn]:
    log = message["log"]
    for index in range(1, len(log), 2):
        is_last = index + 1 == len(log)
        yield _Turn(_entry(log, index, dict[str, Any]), _judge_last(log) if is_last else _output(log, index + 1))


def _judge_last(log: list[Any]) -> _Output:
    """Lets our referee say what the platform's judge would have said after the last answers."""
    opening = _output(log, 0)
    game = WITH_AUCTION if _has_auction(opening) else WITHOUT_AUCTION
    try:
        return checked(judge(game, {"log": log, "initdata": _initdata(opening)}, "").as_json(), _Output)
    except RefereeError as error:
        raise RecordError(str(error)) from None


def _output(log: list[Any], place: int) -> _Output:
    return _entry(log, place, _Judged).output


def _entry(log: list[Any], place: int, kind: type[Entry]) -> Entry:
    try:
        return checked(log[place], kind)
    except ValueError as error:
        raise RecordError(f"log: entry {place}: {error}") from None


def _last(displays: Sequence[Display], key: str, default: Any) -> Any:
    values = (getattr(display, key) for display in reversed(displays))
    return next((value for value in values if value is not UNSET), default)


# The deal.


def _has_auction(opening: _Output) -> bool:
    if opening.content is None:
        raise RecordError("the first output has no content")
    return any(isinstance(request, dict) and "bid" in request for request in opening.content.values())


def _initdata(opening: _Output) -> dict[str, Any]:
    deal = {"allocation": opening.display.allocation, "publiccard": opening.display.publiccard}
    if UNSET in deal.values():
        raise RecordError("the first output does not show the deal: its display has no allocation or no publiccard")
    return deal


def _deal(opening: _Output) -> Deal:
    initdata = _initdata(opening)
    try:
        if _has_auction(opening):
            return deal_with_auction(initdata, "").deal._replace(rules=BOTZONE2)
        return deal_without_auction(initdata, "").deal
    except RefereeError as error:
        raise RecordError(str(error)) from None


# The auction and the moves.


def _moves(turns: Sequence[_Turn]) -> Iterator[RecordedMove]:
    errored = NO_FAULT
    for answers, output in turns:
        display = output.display
        before, errored = errored, errored if display.errored is UNSET else display.errored
        if display.event and display.errorInfo is UNSET:
            player = max(display.event.player, 0)
            remark = ""
            if errored[player]:
                remark = AUTO_PILOT if before[player] else f"{_reason(errored[player])}: {AUTO_PILOT}"
            yield RecordedMove(_cards(display.event.action), _note(answers.get(str(player)), remark))


def _cards(ids: Any) -> Hand:
    """Reads card ids; the judge takes JSON's true for card 1, and shows it as it came."""
    try:
        return hand_of_ids([int(card) if isinstance(card, bool) else card for card in ids])
    except (CardsError, TypeError) as error:
        raise RecordError(f"action {ids!r:.60}: {error}") from None


def _note(answer: Any, remark: str) -> Note:
    if not isinstance(answer, dict):
        return Note(comment=remark)
    milliseconds: Any = answer.get("time")
    debug = answer.get("debug")
    if debug is not None and not isinstance(debug, dict):
        debug = {"debug": debug}
    seconds = milliseconds / 1000 if type(milliseconds) in (int, float) else None
    return Note(seconds=seconds, debug=debug, comment=remark)


# The end.


def _result(turns: Sequence[_Turn], landlord: int) -> Result:
    scores = turns[-1].scores if turns else None
    if scores is None:
        return NO_RESULT
    try:
        paid = [float(scores[(landlord + seat) % SEATS]) for seat in range(SEATS)]
    except (TypeError, ValueError):
        raise RecordError(f"scores {scores!r:.60} are not three numbers") from None
    by_seat = (paid[0], paid[1], paid[2])
    termination = _termination(turns[-1].output.display, landlord)
    if paid[0] == paid[1]:
        return Result(None, by_seat, termination)
    return Result("landlord" if paid[0] > paid[1] else "peasants", by_seat, termination)


def _termination(display: Display, landlord: int) -> str:
    if not display.event:
        return "fault: all three positions"
    player = max(display.event.player, 0)
    if display.errorInfo is not UNSET:
        return f"fault: {_reason(display.errorInfo)} by position {player}"
    return f"{SEAT_NAMES[(player - landlord) % SEATS]} out"


def _reason(code: Any) -> str:
    """Shortens the platform's code. For example, ``INVALID_INPUT_VERDICT_TLE`` is ``TLE``."""
    return str(code).removeprefix(VERDICT_PREFIX)
