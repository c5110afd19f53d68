"""The state that RLCard shows its agents, made from the view of one seat."""

from typing import Any

from ddzbot.cards import Hand, counts, hand_text, parse_hand
from ddzbot.game import SEATS
from ddzbot.rules import Move
from ddzbot.view import View

PASS = "pass"
_JOKERS, _BACK = str.maketrans("LB", "BR"), str.maketrans("BR", "LB")


def text_of(cards: Hand) -> str:
    """Writes cards as RLCard does: weakest first, and ``B`` and ``R`` are the black and the red joker."""
    return hand_text(cards).translate(_JOKERS)


def action_of(move: Move) -> str:
    """Writes a move as RLCard does."""
    return PASS if move.is_pass else text_of(move.cards)


def cards_of(action: str) -> Hand:
    """
    Reads an action of RLCard.

    :raises CardsError: for what is no text of cards.
    """
    return 0 if action == PASS else parse_hand(action.translate(_BACK))


def raw_state(view: View, actions: list[str]) -> dict[str, Any]:
    """Makes the dictionary that agents get as ``raw_obs``, with *actions* as the legal ones."""
    return {
        "seen_cards": _bottom_left(view),
        "landlord": 0,
        "trace": [(ply % SEATS, action_of(move)) for ply, move in enumerate(view.plays)],
        "played_cards": [text_of(view.played(seat)) for seat in range(SEATS)],
        "self": view.seat,
        "current_hand": text_of(view.hand),
        "others_hand": text_of(view.unseen),
        "num_cards_left": [view.cards_left(seat) for seat in range(SEATS)],
        "actions": actions,
    }


def _bottom_left(view: View) -> str:
    """Gets the bottom without every rank that the landlord has played since, which is how RLCard crosses it out."""
    played = counts(view.played(0))
    return text_of(sum(held << 4 * rank for rank, held in enumerate(counts(view.bottom)) if not played[rank]))


def encode(environment: Any, state: dict[str, Any]) -> Any:
    """Adds what trained agents see, by RLCard's own encoder."""
    environment.game.state = state
    environment.action_recorder = list(state["trace"])
    return environment._extract_state(state)
