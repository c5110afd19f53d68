"""Text pasted into a page: games in any format that is read, a position, or an endgame with open hands."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from ddzbot.game import SEATS
from ddzbot.rules import RULE_SETS, STANDARD
from ddzbot.search.endgame import Solver
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ...records.files import records_of
from ...records.record import GameRecord, RecordedMove, RecordError
from ...shared.errors import InputError
from ...shared.plain import plain
from ..serve.reviews import Reviews
from ..serve.sentences import RefusedError

SOLVE_SECONDS = 10.0
ALL_MOVES = 1000
Prepare = Callable[[str, bool], Awaitable[None]]
"""Type alias: gets the networks of a rule set, and notes whether the page is to show the best move so far."""

_HANDS = re.compile(r"[3-9TJQKA2LB]+([ /][3-9TJQKA2LB]+){1,2}")
_POSITION = re.compile(rf'({"|".join(RULE_SETS)}) |\{{\s*"(id|rules|view|position|request|requests|hand|seat)"')


@dataclass
class Shelf:
    """The games that were pasted, by their numbers from 1, and what is known about them."""

    reviews: Reviews
    finished: dict[int, GameRecord] = field(default_factory=dict)
    thoughts: dict[int, Any] = field(default_factory=dict)
    """Of a position: what was thought about the move that was found, by its number."""


async def look_at(pasted: str, shelf: Shelf, limit: Limit, prepare: Prepare) -> dict[str, Any]:
    """
    Finds out what *text* is: ``games``, an ``analysis`` or a ``solution``. Games go to the *shelf*.

    :raises RefusedError: for anything else.
    """
    pasted = pasted.strip()
    try:
        if _HANDS.fullmatch(pasted.upper()):
            return _solve_hands(pasted.upper().replace("/", " ").split())
        if _POSITION.match(pasted):
            return await _analyse(pasted, shelf, limit, prepare)
        records = records_of(pasted)
    except InputError as error:
        raise RefusedError(error.message, f"内容有误：{error.message}") from None
    except RecordError as error:
        why = str(error).partition("; name one with --from")[0]  # there are no options here
        raise RefusedError(f"this is no game, position or endgame: {why}", f"这不是牌谱、局面或残局：{why}") from None
    for rules in {record.rules.name for record in records}:
        await prepare(rules, False)
    shelf.finished.update(enumerate(records, 1))
    games = [
        {"game": number, "rules": record.rules.name, "names": [*map(plain, record.names)]}
        for number, record in shelf.finished.items()
    ]
    return {"games": games}


def _solve_hands(hands: list[str]) -> dict[str, Any]:
    from ...study.solve import Problem, as_object, endgame_of, solve

    endgame = endgame_of(STANDARD, frozenset(), tuple(hands), 0, "", None)
    solved = solve(Solver(STANDARD), Problem(None, endgame), Limit(SOLVE_SECONDS))
    return {"hands": hands, "solution": as_object(solved)}


async def _analyse(text: str, shelf: Shelf, limit: Limit, prepare: Prepare) -> dict[str, Any]:
    from ...study.analyse.__main__ import query_of
    from ...study.analyse.analyse import AnalysisError, analyse, analyse_any
    from ...study.analyse.query import Defaults
    from ...study.view.thoughts import thought_of_analysis

    if text.startswith("{") and '"request"' not in text and '"requests"' in text:
        text = f'{{"request": {text}}}'
    view = query_of(text, Defaults()).view
    await prepare(view.rules.name, isinstance(view, View))
    try:
        if not isinstance(view, View):
            return {"analysis": analyse_any(view, limit).as_json()}
        analysis = analyse(view, limit, top=ALL_MOVES)
    except AnalysisError as error:
        raise InputError(str(error)) from None
    best = analysis.moves[0].move
    shelf.finished[1] = _record(view, best.cards)
    shelf.thoughts[len(view.plays)] = thought_of_analysis(analysis, best.cards)
    return {"analysis": analysis.as_json(), "ply": len(view.plays) + 1}


def _record(view: View, cards: int) -> GameRecord:
    """Makes the record of what a seat knows, with the move that was found at the end."""
    played = sum(move.cards for move in view.plays[view.seat :: SEATS])
    dealt = view.hand + played - (0 if view.seat else view.bottom)
    position = (view.landlord_position + view.seat) % SEATS
    hands = [dealt if seat == position else None for seat in range(SEATS)]
    return GameRecord(
        rules=view.rules,
        hands=(hands[0], hands[1], hands[2]),
        bottom=view.bottom or None,
        bids=view.bids,
        landlord_position=view.landlord_position,
        moves=tuple(RecordedMove(laid) for laid in (*(move.cards for move in view.plays), cards)),
    )
