"""
The annotations of a player's move, in one form for terminal and page; an analysis has the same form.

Notes are whatever a player said, on scales of its own. Of the players of this project it is known what their numbers
mean; of others only what cannot mean anything else is taken.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ddzbot.cards import RANKS, CardsError, Hand, hand_text, parse_hand
from ddzbot.engine import FORCED
from ddzbot.evaluation import Criterion
from ddzbot.players.base import GOES_OUT, ONE_CANDIDATE
from ddzbot.search.certain import Proved

from .fallbacks import failures_of
from .record import GameRecord, Note

SHOWN_MOVES = 6
"""Moves of one thought that go into the page at most, beside the one that was played."""

PASS_TEXT = "pass"

WORLDS, VISITS = "worlds", "visits"
"""The effort for a move: the worlds that it was played out in, or its playouts in a tree search."""

CERTAIN = (Proved.CERTAIN.value, Proved.ALL_WORLDS.value)
"""The remarks of this project's searches for a move that wins in any case."""

REMARKS = (*CERTAIN, GOES_OUT, ONE_CANDIDATE)

TELL_CHANCES = ("champion",)
"""Players whose network estimates the chance of winning; those of others have scales of their own, such as -1 to 1."""

Thought = dict[str, Any]
"""Type alias: the JSON object of one thought, see the documentation of the functions."""


def values_are_chances(record: GameRecord) -> bool:
    """Tells whether the values of a record can be chances of winning: every one lies between 0 and 1."""
    values = [move.note.value for move in record.moves if move.note.value is not None]
    return bool(values) and all(0 <= chance <= 1 for chance in values)


def thought_of_note(note: Note, cards: Hand, chances: bool) -> Thought | None:
    """
    Makes the thought of a move *cards* out of what the player noted; None where it noted nothing about its choice.

    With *chances* the value of the note is the chance that the mover's side wins.
    """
    debug = note.debug or {}
    player = debug.get("player") if isinstance(debug.get("player"), str) else None
    moves = _told_moves(debug, player, cards)
    remark = _remark(debug, player)
    decides = _decides(debug)
    win = next((move["win"] for move in moves if move.get("played")), None)
    if win is None and remark in CERTAIN:
        win = 1.0
    if win is None and chances:
        win = note.value
    failures = [failure._asdict() for failure in failures_of(debug)]
    if win is None and note.value is None and not moves and remark is None and not failures:
        return None
    return {
        "source": "notes",
        "player": player,
        "remark": remark,
        "only": debug.get("only") if debug.get("only") in CERTAIN else None,
        "decides": decides and decides.value,
        "failures": failures,
        "win": win,
        "value": None if chances else note.value,
        "playouts": _whole(debug.get("playouts")),
        "seconds": note.seconds,
        "moves": moves,
    }


def _told_moves(debug: dict[str, Any], player: str | None, cards: Hand) -> list[dict[str, Any]]:
    listed, values = debug.get("moves", debug.get("candidates")), debug.get("values")
    decides, moves = _decides(debug), []
    for cards_text, numbers in listed.items() if isinstance(listed, dict) else ():
        try:
            played = told_cards(cards_text)
        except CardsError:
            continue
        meaning = _meaning(numbers, player)
        if decides is not None and isinstance(values, dict) and _is_number(value := values.get(cards_text)):
            # The share of playouts alone did not decide: the network's evaluation is in the value.
            meaning = {**meaning, "score" if decides is Criterion.POINTS else "win": value}
            meaning[WORLDS] = meaning.pop(VISITS, 0)
        if meaning:
            moves.append({"cards": played_text(played), **meaning, "played": played == cards})
    by = {Criterion.POINTS: "score", Criterion.WIN: "win", None: "value"}[decides]
    if all(move.get(by) is not None for move in moves):
        moves.sort(key=lambda move: -move[by])
    return shown_moves(moves)


def _decides(debug: Mapping[str, Any]) -> Criterion | None:
    """Gets what ranked the moves of a player that tells their values; None where it tells none."""
    if not isinstance(debug.get("values"), dict):
        return None
    return Criterion.POINTS if debug.get("objective") == "adp" or debug.get("aims") == "score" else Criterion.WIN


def _meaning(numbers: Any, player: str | None) -> dict[str, Any]:
    """
    Names the numbers that a player reported for a move.

    They are ``[visits, share won]``, ``[network, visits, share won]`` or ``[network]``; logs of other programs have
    objects with a ``value``.
    """
    if isinstance(numbers, dict):
        value = numbers.get("value")
        return {"win": None, "value": value} if _is_number(value) else {}
    if not isinstance(numbers, list) or not 1 <= len(numbers) <= 3 or not all(map(_is_number, numbers)):
        return {}
    network = numbers[0] if len(numbers) != 2 else None
    chance = network if player and player.partition(":")[0] in TELL_CHANCES else None
    if len(numbers) == 1:
        return {"win": _share(chance)} if _share(chance) is not None else {"win": None, "value": network}
    visits = _whole(numbers[-2])
    # Where only one move competes it is not played out, and its share of no games is no estimate.
    win = _share(chance) if visits == 0 else _share(numbers[-1])
    return {} if win is None else {"win": win, VISITS: visits, "network": _share(chance)}


def shown_moves(moves: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Gets the first moves, and the one that was played wherever it stands; ``place`` counts from 1."""
    placed = [{"place": rank, **move} for rank, move in enumerate(moves, 1)]
    return [move for move in placed if move["place"] <= SHOWN_MOVES or move["played"]]


def _remark(debug: dict[str, Any], player: str | None) -> str | None:
    if player == FORCED:
        return FORCED
    search = debug.get("search")
    return search if search in REMARKS else None


def told_cards(text: str) -> Hand:
    """
    Gets the cards of a move as players and analyses name it: ``3334``, or ``pass``.

    :raises CardsError: for any other text.
    """
    return parse_hand("" if text == PASS_TEXT else text)


def body_first(cards: Iterable[str]) -> list[str]:
    """Orders the cards of a move as people play them: the ranks there are most of first, each low to high."""
    played = list(cards)
    many = Counter(card[0] for card in played)
    return sorted(played, key=lambda card: (-many[card[0]], RANKS.index(card[0])))


def played_text(cards: Hand) -> str:
    """Writes cards as people play them; empty for the pass. For example, ``3334`` for a trio with a solo."""
    return "".join(body_first(hand_text(cards)))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _share(value: Any) -> float | None:
    return value if _is_number(value) and 0 <= value <= 1 else None


def _whole(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
