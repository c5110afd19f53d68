"""What came of the matches so far: games won, points, by role, with an interval."""

from dataclasses import dataclass, field
from statistics import fmean

from ddzbot.game import SEAT_NAMES

from ...shared.intervals import wilson


@dataclass
class Tally:
    """The matches that ended while this client ran."""

    broken_off: int = 0
    results: list[tuple[str, bool, float]] = field(default_factory=list)
    """For each other match our role (a name of a seat, or empty), if we won, and our score."""
    resent: int = 0
    """Answers that were sent a second time, because the first may have been lost."""
    fallbacks: int = 0
    """Answers that a fallback gave."""

    @property
    def played(self) -> int:
        """Matches that were played to their end."""
        return len(self.results)

    def add(self, role: str, position: int, scores: tuple[float, ...]) -> bool | None:
        """Counts a match; returns if we won, or None if it was broken off."""
        if not scores:
            self.broken_off += 1
            return None
        own = scores[position]
        # The side that won is paid more than the mean of the table in both games, faults included.
        won = own > fmean(scores)
        self.results.append((role, won, own))
        return won

    def lines(self) -> list[str]:
        """Gets the sums in words, for all matches and by role, and a line of what went wrong, if anything did."""
        rows = [("all", self.results)]
        rows += [(role, [result for result in self.results if result[0] == role]) for role in SEAT_NAMES]
        counts = {
            "matches broken off": self.broken_off,
            "answers sent again": self.resent,
            "answers by a fallback": self.fallbacks,
        }
        wrong = ", ".join(f"{label} {count}" for label, count in counts.items() if count)
        return [_line(label, results) for label, results in rows if results] + ([wrong] if wrong else [])


def _line(name: str, results: list[tuple[str, bool, float]]) -> str:
    won = sum(result[1] for result in results)
    low, high = wilson(won / len(results), len(results))
    points = fmean(result[2] for result in results)
    share = f"WP {100 * won / len(results):.1f} ({100 * low:.0f} to {100 * high:.0f})"
    return f"{name}: {won} of {len(results)} won, {share}, {points:+.2f} points a match"
