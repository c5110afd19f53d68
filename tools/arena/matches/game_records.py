"""Makes a record of each game of a match, with tags for its number and its faults."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ddzbot.protocol.last_resort import shortened

from ...records.files import text_of
from ...records.record import GameRecord, Note, Result, record_of
from ...shared.bounds import LONGEST_REASON
from ...shared.json_text import kept
from ...shared.limits import limit_text
from .faults import FALLBACK, fallbacks_in, game_number
from .outcome import Asked, GameOutcome
from .plan import Plan


class GameStyle(NamedTuple):
    """How the games of a match are written."""

    form: str
    """``text`` or ``json``."""
    thoughts: bool
    """Whether the records keep the bots' comments on their moves."""
    tags: tuple[tuple[str, str], ...] = ()
    """Further tags of every record, such as the program that played."""


def text_of_outcome(plan: Plan, place: tuple[int, int, int], outcome: GameOutcome, style: GameStyle) -> str:
    """Writes one game; *place* is its pairing, its set and its number in the set."""
    record = record_of_outcome(plan, place, outcome, style.thoughts, style.tags)
    return text_of([record], style.form)


def record_of_outcome(
    plan: Plan,
    place: tuple[int, int, int],
    outcome: GameOutcome,
    thoughts: bool,
    tags: tuple[tuple[str, str], ...] = (),
) -> GameRecord:
    """
    Makes the record of one game, with the time of every decision, and with *thoughts* the bots' comments on it.

    A game in which programs failed before there was a landlord is a record of the auction.
    """
    pairing, index, game = place
    contestants = dict(zip(plan.letters, plan.pairs[pairing], strict=True))
    seating = plan.seatings(index)[game]
    first, second, third = (contestants[letter] for letter in seating)
    own = _tags(plan, place, outcome) | dict(tags)
    if outcome.game is None:
        deal = plan.deal(index)
        return GameRecord(
            rules=deal.rules,
            hands=deal.hands,
            bottom=deal.bottom,
            bids=outcome.bids,
            landlord_position=None,
            names=(first, second, third),
            result=_ended(outcome),
            tags=own,
        )
    notes = {asked.ply: note_of_asked(asked, thoughts) for asked in outcome.asked if asked.ply is not None}
    result = None if outcome.game.finished else _ended(outcome)
    return record_of(outcome.game, (first, second, third), notes, own, result)


def _tags(plan: Plan, place: tuple[int, int, int], outcome: GameOutcome) -> dict[str, str]:
    pairing, index, game = place
    tags = {
        "Event": f"{plan.deal_name(index)} game {game}",
        "Number": game_number(pairing if len(plan.tables) > 1 else None, index, game),
        "Seating": plan.seatings(index)[game],
        "Limit": limit_text(plan.limit),
        "Faults": "; ".join(_fault_texts(outcome)),
    }
    return {tag: text for tag, text in tags.items() if text}


def _fault_texts(outcome: GameOutcome) -> Iterator[str]:
    """Yields each fault, and the first move of each position that another player chose."""
    for position, verdict, sentence in outcome.faults:
        yield f"{verdict} by position {position}: {shortened(sentence, LONGEST_REASON)}"
    seen = set()
    for position, _, sentence in fallbacks_in(outcome.asked):
        if position not in seen:
            seen.add(position)
            yield f"{FALLBACK} by position {position}: {shortened(sentence, LONGEST_REASON)}"


def note_of_asked(asked: Asked, thoughts: bool) -> Note:
    """Makes the note of a move: how long it took, and with *thoughts* the bot's comment on it."""
    return Note(round(asked.milliseconds / 1000, 6), None, _kept(asked.debug) if thoughts else None)


def _kept(debug: dict[str, Any]) -> dict[str, Any] | None:
    comment = kept(debug)
    return comment or None if comment is debug else {"debug": comment}


def _ended(outcome: GameOutcome) -> Result:
    """The result of a game that ended before a player was out."""
    position, verdict, _ = outcome.faults[-1]
    by_side = "landlord" if outcome.landlord_won else "peasants"
    if outcome.game is None:
        return Result(None, outcome.scores, f"fault: {verdict} by position {position}")
    return Result(by_side, outcome.scores, f"fault: {verdict} by position {position}")  # type: ignore[arg-type]
