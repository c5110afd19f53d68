"""
Reads what a match leaves behind: the record of ``python -m tools.judge --record``, and the platform's bare log.

Both hold the platform's log, in which the judge's words and the bots' answers take turns. The judge's words decide
what was bid and laid; a log whose last answers were not judged yet is completed by our own referee. Suits are dropped.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ddzbot.cards import CardsError, Hand, hand_of_ids
from ddzbot.game import SEAT_NAMES, SEATS, Deal
from ddzbot.rules import BOTZONE2

from ..referee.deal import deal_with_auction, deal_without_auction
from ..referee.referee import RefereeError
from ..referee.stdio import judge
from ..shared.json_text import parse_json
from .record import NO_RESULT, GameRecord, Note, RecordedMove, RecordError, Result

__all__ = ["record_of_log", "record_of_match"]

WITH_AUCTION = "FightTheLandlord2"
WITHOUT_AUCTION = "FightTheLandlord"

NAMES = ("name", "bot", "user", "id", "_id", "$oid")
"""Keys under which the platform says who played, the clearest first."""
DEEPEST_NAME = 3

AUTO_PILOT = "auto-pilot"
NO_FAULT: list[Any] = [None] * SEATS
VERDICT_PREFIX = "INVALID_INPUT_VERDICT_"


def record_of_match(match: dict[str, Any]) -> GameRecord:
    """
    Converts a record of the local judge, an object with ``game``, ``bots`` and ``log``.

    :raises RecordError: if it is none.
    """
    names = match.get("bots")
    if not isinstance(names, list) or len(names) != SEATS:
        raise RecordError(f"bots {names!r:.60} is not a list of three")
    first, second, third = map(str, names)
    tags = {"Game": str(match.get("game"))}
    faults = match.get("faults")
    if isinstance(faults, list) and faults:
        tags["Faults"] = "; ".join(str(fault.get("sentence")) for fault in faults if isinstance(fault, dict))
    return _record(match, (first, second, third), tags)


def record_of_log(message: dict[str, Any]) -> GameRecord:
    """
    Converts the platform's log, an object with ``log`` (or ``logs``), and perhaps ``players`` and ``_id``.

    :raises RecordError: if it is none.
    """
    log = message["log"] if "log" in message else message.get("logs")
    number = _text_of(message.get("_id"), ("$oid",))
    return _record({"log": log}, _names(message.get("players")), {"Match": number} if number else {})


def _names(players: Any) -> tuple[str, str, str]:
    """Reads who played: texts, or objects with a name. What else stands there says nothing."""
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


class _Turn(NamedTuple):
    """What the bots answered, and what the judge then said."""

    answers: dict[str, Any]
    output: dict[str, Any]

    @property
    def display(self) -> dict[str, Any]:
        return _object(self.output, "display", "the judge's output")

    @property
    def scores(self) -> list[Any] | None:
        """What each player is paid, if the match is over."""
        if self.output.get("command") != "finish":
            return None
        content = _object(self.output, "content", "the judge's output")
        return [content.get(str(player)) for player in range(SEATS)]


def _record(message: dict[str, Any], names: tuple[str, str, str], tags: dict[str, str]) -> GameRecord:
    opening, turns = _opening(message), list(_turns(message))
    deal = _deal(opening)
    seed = _seed(opening.get("initdata"))
    if seed:
        tags["Seed"] = seed
    displays = [_Turn({}, opening).display, *(turn.display for turn in turns)]
    landlord = _last(displays, "landlord", None if deal.rules.bidding else 0)
    if landlord is not None and (type(landlord) is not int or landlord not in range(SEATS)):
        raise RecordError(f"landlord {landlord!r:.40} is not a player")
    codes = enumerate(_errored(_last(displays, "errored", NO_FAULT)))
    faults = [f"{_reason(code)} by position {player}" for player, code in codes if code]
    if faults:
        tags.setdefault("Faults", "; ".join(faults))
    return GameRecord(
        rules=deal.rules,
        hands=deal.hands,
        bottom=deal.bottom,
        bids=_bids(_last(displays, "bid", [])),
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


def _opening(message: dict[str, Any]) -> dict[str, Any]:
    """Gets the judge's first words, which have the deal."""
    log = message.get("log")
    if not isinstance(log, list) or not log:
        raise RecordError(f"log {log!r:.40} has no match")
    return _output(log, 0)


def _turns(message: dict[str, Any]) -> Iterator[_Turn]:
    log = message["log"]
    for place in range(1, len(log), 2):
        if not isinstance(log[place], dict):
            raise RecordError(f"log: entry {place} {log[place]!r:.40} is not an object with the bots' answers")
        last = place + 1 == len(log)
        yield _Turn(log[place], _judged(log) if last else _output(log, place + 1))


def _judged(log: list[Any]) -> dict[str, Any]:
    """Lets our referee say what the platform's judge would have said after the last answers."""
    opening = _output(log, 0)
    game = WITH_AUCTION if _has_auction(opening) else WITHOUT_AUCTION
    try:
        return judge(game, {"log": log, "initdata": _initdata(opening)}, "").as_json()
    except RefereeError as error:
        raise RecordError(str(error)) from None


def _output(log: list[Any], place: int) -> dict[str, Any]:
    entry = log[place]
    if not isinstance(entry, dict):
        raise RecordError(f"log: entry {place} {entry!r:.40} is not an object with the judge's output")
    return _object(entry, "output", f"log: entry {place}")


def _object(value: dict[str, Any], key: str, place: str) -> dict[str, Any]:
    if not isinstance(value.get(key), dict):
        raise RecordError(f"{place}: {key} {value.get(key)!r:.40} is not an object")
    return dict(value[key])


def _last(displays: Sequence[dict[str, Any]], key: str, default: Any) -> Any:
    return next((display[key] for display in reversed(displays) if key in display), default)


# The deal.


def _has_auction(opening: dict[str, Any]) -> bool:
    requests = _object(opening, "content", "the first output").values()
    return any(isinstance(request, dict) and "bid" in request for request in requests)


def _initdata(opening: dict[str, Any]) -> dict[str, Any]:
    display = _object(opening, "display", "the first output")
    if not {"allocation", "publiccard"} <= set(display):
        raise RecordError("the first output does not show the deal: its display has no allocation or no publiccard")
    return {name: display[name] for name in ("allocation", "publiccard")}


def _deal(opening: dict[str, Any]) -> Deal:
    initdata = _initdata(opening)
    try:
        if _has_auction(opening):
            return deal_with_auction(initdata, "").deal._replace(rules=BOTZONE2)
        return deal_without_auction(initdata, "").deal
    except RefereeError as error:
        raise RecordError(str(error)) from None


# The auction and the moves.


def _bids(bids: Any) -> tuple[int, ...]:
    if not isinstance(bids, list) or any(type(bid) is not int for bid in bids):
        raise RecordError(f"bid {bids!r:.40} is not a list of bids")
    return tuple(bids)


def _moves(turns: Sequence[_Turn]) -> Iterator[RecordedMove]:
    errored: list[Any] = NO_FAULT
    for turn in turns:
        event = turn.display.get("event")
        before, errored = errored, _errored(turn.display.get("errored", errored))
        if isinstance(event, dict) and "errorInfo" not in turn.display:
            player = _player(event)
            remark = ""
            if errored[player]:
                remark = AUTO_PILOT if before[player] else f"{_reason(errored[player])}: {AUTO_PILOT}"
            yield RecordedMove(_cards(event.get("action")), _note(turn.answers.get(str(player)), remark))


def _errored(codes: Any) -> list[Any]:
    """Gets the code of each player's first fault, None for those without."""
    if not isinstance(codes, list) or len(codes) != SEATS:
        raise RecordError(f"errored {codes!r:.40} is not a list of three")
    return codes


def _player(event: dict[str, Any]) -> int:
    player = event.get("player")
    if type(player) is not int or player not in range(-1, SEATS):
        raise RecordError(f"event {event!r:.60} has no player")
    # Before the first move the platform names no player: -1 is the landlord.
    return max(player, 0)


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
    display = turns[-1].display
    by_seat = (paid[0], paid[1], paid[2])
    termination = _termination(display, landlord)
    if paid[0] == paid[1]:
        return Result(None, by_seat, termination)
    return Result("landlord" if paid[0] > paid[1] else "peasants", by_seat, termination)


def _termination(display: dict[str, Any], landlord: int) -> str:
    event = display.get("event")
    if not isinstance(event, dict):
        return "fault: all three positions"
    player = _player(event)
    if "errorInfo" in display:
        return f"fault: {_reason(display['errorInfo'])} by position {player}"
    return f"{SEAT_NAMES[(player - landlord) % SEATS]} out"


def _reason(code: Any) -> str:
    """Shortens the platform's code. For example, ``INVALID_INPUT_VERDICT_TLE`` is ``TLE``."""
    return str(code).removeprefix(VERDICT_PREFIX)
