"""Draws in the terminal what a bot thought about its move: one line, and one more for its fallback."""

from collections.abc import Callable, Mapping
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from ddzbot.cards import Hand, hand_text, parse_hand
from ddzbot.engine import FORCED, NO_PLAYER
from ddzbot.players.base import GOES_OUT, ONE_CANDIDATE
from ddzbot.search.certain import Proved

from ..shared.language import tr, translate
from ..shared.message import English, Message
from ..shared.plain import plain
from ..shared.terminal import FAULT, QUIET
from .fallbacks import failures_of
from .record import Note
from .thoughts import VISITS, WORLDS, Thought, thought_of_note

LEGEND = (
    Message("Below a move: the best ones, and how often the mover's side wins with each, or"),
    Message("the points that it expects where they decide; by whom, how many playouts, time."),
)
NO_CHOICE = Message("no choice")
"""The remark for the only legal move."""

LEAST_VISITS = 0.1
"""A move with a smaller part of the visits of the best was given up early; its share is little more than chance."""

INDENT = 6
WIDTH = 80
GAP = 2
CHOSEN = "bold"

_REMARKS = {
    Proved.CERTAIN.value: Message("wins for certain, whatever the others hold"),
    Proved.ALL_WORLDS.value: Message("wins wherever the hidden cards are, if all is played well"),
    GOES_OUT: Message("goes out"),
    ONE_CANDIDATE: Message("no other move is worth a thought"),
}
_AMONG = {
    Proved.CERTAIN.value: Message("the choice was among moves that win for certain"),
    Proved.ALL_WORLDS.value: Message("the choice was among moves that win wherever the hidden cards are"),
}


def has_no_choice(debug: Any) -> bool:
    """Tells whether a bot says that its move was the only legal one."""
    return isinstance(debug, Mapping) and debug.get("player") == FORCED


def thought_lines(debug: Any, cards: Hand, seconds: float) -> list[Text]:
    """
    Makes the lines below the move *cards* of a bot that took *seconds* and sent *debug*; none without debug output.

    For example::

        55999 76 %  88999 74 %                     champion  3,068 playouts  0.7 s
    """
    if not isinstance(debug, Mapping) or has_no_choice(debug):
        return []
    return _thought(debug, cards, seconds)


def fallback_lines(debug: Any) -> list[Text]:
    """Names what failed and the fallback, so that its choice is not taken for the bot's."""
    if not isinstance(debug, Mapping):
        return []
    sentences: list[str] = [
        Message("{name} failed: {why}", name=player, why=English(why)) for player, why in failures_of(debug) if player
    ]
    player = debug.get("player")
    if sentences:
        plays = Message("{name} plays in its place", name=player)
        sentences.append(Message("the smallest card is played, or nothing") if player == NO_PLAYER else plays)
    if "error" in debug:
        sentences.append(str(debug["error"]))
    return [Text(f"{' ' * INDENT}! {plain(translate(sentence))}", FAULT) for sentence in sentences]


def _thought(debug: Mapping[str, Any], cards: Hand, seconds: float) -> list[Text]:
    player = debug.get("player")
    if not isinstance(player, str):
        return []
    thought = thought_of_note(Note(seconds, None, dict(debug)), cards, chances=False) or {"moves": [], "playouts": None}
    about = [plain(player), *_effort(thought), tr("{seconds} s", seconds=f"{seconds:.1f}")]
    right = "  ".join(about)
    left = _said(thought, debug, WIDTH - INDENT - GAP - cell_len(right))
    gap = max(GAP, WIDTH - INDENT - left.cell_len - cell_len(right))
    why = []
    if thought.get("only") and thought["moves"] and not thought["moves"][0]["played"]:
        why = [Text(f"{' ' * INDENT}{translate(_AMONG[thought['only']])}", QUIET)]
    return [Text.assemble(" " * INDENT, left, " " * gap, (right, QUIET)), *why]


def _effort(thought: Thought) -> list[str]:
    if thought["playouts"]:
        return [tr("{count} playouts", count=f"{thought['playouts']:,}")]
    return [tr("network alone")] if thought["moves"] else []


def _said(thought: Thought, debug: Mapping[str, Any], width: int) -> Text:
    """Gets the moves that have room in *width*, or what was said in place of them."""
    if not thought["moves"]:
        return Text(translate(_REMARKS.get(str(debug.get("search"))) or _rule(debug)), CHOSEN)
    line = Text()
    for move in filter(_is_sound(thought), thought["moves"]):
        cards = hand_text(parse_hand(move["cards"])) or tr("pass")
        cell = Text(f"{cards} {_worth(move)}", CHOSEN if move["played"] else "")
        room = line.cell_len + GAP * bool(line) + cell.cell_len
        if line and room > width:
            break
        line = Text("  ").join([line, cell]) if line else cell
    return line


def _is_sound(thought: Thought) -> Callable[[Thought], bool]:
    def visits(move: Mapping[str, Any]) -> int:
        return move.get(WORLDS) or move.get(VISITS) or 0

    most = max(map(visits, thought["moves"]))
    return lambda move: move["played"] or visits(move) >= LEAST_VISITS * most


def _rule(debug: Mapping[str, Any]) -> str:
    rule = debug.get("rule")
    return Message("by the rule {rule}", rule=repr(rule)) if isinstance(rule, str) else ""


def _worth(move: Mapping[str, Any]) -> str:
    """Writes what a move is worth: a share of games, or a number on the player's own scale."""
    worth = move.get("score", move.get("value"))
    return tr("{share} %", share=f"{100 * move['win']:.0f}") if worth is None else f"{worth:+.2f}"
