"""Says in which part of the game a move is made: one of :data:`.model.PHASES`."""

from ddzbot.cards import size
from ddzbot.view import View

FIRST_LEADS = 3
"""The opening lasts until the fourth lead of the game."""
LAST_CARDS = 8
"""With so many cards the mover is in its ending."""


def phase_of(view: View) -> str:
    """Names the part of the game for the player to move."""
    if size(view.hand) <= LAST_CARDS:
        return "ending"
    return "opening" if _leads(view) <= FIRST_LEADS else "middle"


def _leads(view: View) -> int:
    """Counts the leads of the game, the next move too if it is one."""
    passed = [True, True, *(move.is_pass for move in view.plays)]
    followers = [*view.plays, None] if view.to_beat is None else view.plays
    return sum(earlier and latest for earlier, latest, _ in zip(passed, passed[1:], followers, strict=False))
