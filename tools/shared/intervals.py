"""What the 95 % intervals of every command are made of, in plain Python: scipy would be three times all else."""

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


def student_95(freedom: float) -> float:
    """
    Gets what :data:`NORMAL_95` is for the mean of a sample, whose spread is not known either: Student's quantile.

    *freedom* is the number of values less one, and need not be whole: 12.706 for 1, 1.984 for 100.
    """
    if freedom > _NEARLY_NORMAL:
        return _expanded(freedom)
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    quantile, step = NORMAL_95, 1.0
    while step > 1e-13 * quantile:  # Newton's method from below, where it never goes too far
        square = quantile * quantile
        density = scale * (1 + square / freedom) ** (-(freedom + 1) / 2)
        step = (_student_tail(freedom, quantile, density) - _TAIL) / density
        quantile += step
    return quantile


def normal_cdf(number: float) -> float:
    """Gets how likely a normal number is below *number*, which is in standard deviations: 0.975 for NORMAL_95."""
    return math.erfc(-number / math.sqrt(2)) / 2


_TAIL = 0.025
_NEARLY_NORMAL = 1000.0
"""Above so many degrees of freedom the expansion is exact to 14 digits."""


def _expanded(freedom: float) -> float:
    """Gets Student's quantile from the normal one (Abramowitz and Stegun, 26.7.5)."""
    z = NORMAL_95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))


def _student_tail(freedom: float, number: float, density: float) -> float:
    """
    Gets how likely a Student number is above *number*, which is positive; *density* is that at it.

    The incomplete beta function is a continued fraction (Numerical Recipes, 6.4), by Lentz's method.
    """
    a, b = freedom / 2, 0.5
    share = freedom / (freedom + number * number)
    if swapped := share > (a + 1) / (a + b + 2):
        a, b, share = b, a, 1 - share
    ahead, behind = 1.0, 1 / (1 - (a + b) * share / (a + 1))
    fraction = behind
    for m in range(1, 1000):
        even = m * (b - m) * share / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * share / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            behind, ahead = 1 / (1 + part * behind), 1 + part / ahead
            change = ahead * behind
            fraction *= change
        if abs(change - 1) < 1e-15:
            break
    # share ** a * (1 - share) ** b / beta(a, b) is the density times the number, whichever way round.
    half = density * number * fraction / (2 * a)
    return 0.5 - half if swapped else half
