"""Two networks against each other in duplicate sets, without any search."""

from pathlib import Path

from ddzbot.rules import rule_set

from ...arena.plan import Plan
from ...arena.runner import Progress, run
from ...shared.bars import progress_bar
from ...shared.seeds import GATE

PLAYER = "champion:search=none,weights="


def duel(
    candidate: Path,
    reference: Path,
    rules: str,
    sets: int,
    seed: int,
    jobs: int,
    bounds: tuple[float, float] | None = None,
) -> Progress:
    """Plays *sets* on ``gate/`` deals, or fewer if a sequential test of *bounds*, in points, ends it."""
    test = (*bounds, 0.05, 0.05) if bounds else None
    contestants = (f"{PLAYER}{candidate}", f"{PLAYER}{reference}")
    plan = Plan(rules, contestants, sets, seed, GATE, "", False, test)
    plan.check()
    match = Progress(plan, [[]])
    with progress_bar() as progress:
        bar = progress.add_task(f"{candidate.name} against {reference.name}", total=sets)
        run(match, jobs, lambda _pairing, _row: progress.advance(bar))
    return match


def told(match: Progress) -> str:
    """Says how a duel ended, e.g. ``54.2 % (52.9 to 55.5) in 2,000 sets``; with bidding in points a seat."""
    if rule_set(match.plan.rules).bidding:
        points = match.stats[0].adp()
        return f"{points.value:+.2f} points ({points.low:.2f} to {points.high:.2f}) in {match.stats[0].sets:,} sets"
    wp = match.stats[0].wp()
    return f"{100 * wp.value:.1f} % ({100 * wp.low:.1f} to {100 * wp.high:.1f}) in {match.stats[0].sets:,} sets"
