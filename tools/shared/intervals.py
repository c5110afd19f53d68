"""The 95 % interval of a share, as every command prints it."""

import math

NORMAL_95 = 1.959963984540054
"""Within so many standard deviations of its mean a normal number lies in 95 of 100 cases."""


def wilson(share: float, answers: float) -> tuple[float, float]:
    """
    Gets Wilson's interval for a share of independent yes-or-no answers, all of (0, 1) without any.

    For example 0.8 of 10 lies in (0.490, 0.943).
    """
    if not answers:
        return 0.0, 1.0
    shrink = 1 + NORMAL_95 * NORMAL_95 / answers
    centre = (share + NORMAL_95 * NORMAL_95 / (2 * answers)) / shrink
    variance = share * (1 - share) / answers + NORMAL_95 * NORMAL_95 / (4 * answers * answers)
    half = NORMAL_95 / shrink * math.sqrt(variance)
    return 0.0 if share == 0 else max(0.0, centre - half), 1.0 if share == 1 else min(1.0, centre + half)
