"""What the page of an endgame receives: the game after its moves, and after the reply."""

from collections.abc import Sequence
from typing import Any

from ddzbot.cards import CardsError, hand_text, parse_hand
from ddzbot.rules import KIND_NAMES, Move
from ddzbot.search.endgame_position import Endgame
from ddzbot.search.limit import Limit

from ..table.endgames import USUAL_LIMIT, EndgameTable
from ..table.table import TableError
from .sentences import RefusedError, refused


def endgame_after(endgame: Endgame, moves: str, limit: Limit = USUAL_LIMIT) -> dict[str, Any]:
    """
    Plays *endgame* as far as *moves* go, such as ``4,Q,pass``, and on until the person is to move.

    :raises RefusedError: for what is no move then.
    """
    try:
        table = EndgameTable(endgame, limit=limit)
        for cards in filter(None, moves.split(",")):
            table.play(parse_hand("" if cards == "pass" else cards))
        while table.winner is None and not table.persons_turn:
            table.reply()
    except TableError as error:
        raise refused(error) from None
    except CardsError as error:
        raise RefusedError(str(error), f"消息有误：{error}") from None
    over, slip = table.winner is not None, table.slip()
    return {
        "hands": [hand_text(hand) for hand in table.position.hands],
        "you": table.side,
        "plays": [(hand_text(move.cards), KIND_NAMES[move.kind]) for move in table.moves],
        "leads": table.position.to_beat is None,
        "winner": table.winner,
        "winning": [] if over else _cards(table.solution().winning),
        "slip": None if slip is None else {"number": slip.number, "winning": _cards(slip.winning)},
    }


def _cards(moves: Sequence[Move]) -> list[str]:
    return [hand_text(move.cards) for move in moves]
