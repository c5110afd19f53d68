"""Who sees the hands of all in a match: the results name them."""

from ddzbot.players.registry import player_class

from .plan import Plan
from .table import sees_hands


def seers(plan: Plan) -> tuple[str, ...]:
    """Names the contestants that see all hands at some table of a match; where a program sits, nobody does."""
    tables = [[plan.contestants[number] for number in table] for table in plan.tables]
    seated = [one for table in tables if not any(each.is_program for each in table) for one in table]
    return tuple(sorted({one.spec for one in seated if one.player and sees_hands(player_class(one.player.name))}))
