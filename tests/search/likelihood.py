"""How likely the play of hidden seats was, by the definition that docs/design/champion.md gives, in plain Python."""

from collections.abc import Callable, Sequence
from math import exp, log
from statistics import fmean

from ddzbot.kernel.fast_records import MoveValue
from ddzbot.view import View


def log_likelihood(
    values: Callable[[View], Sequence[MoveValue]], view: View, world: tuple[int, int], temperature: float
) -> float:
    """
    Multiplies the shares that the hidden seats' moves have, where there was a choice; 2 % are any move.

    Each seat plays at one temperature of three, as likely the one as the others. The result is a logarithm.
    """
    held = {(view.seat + 1) % 3: world[0], (view.seat + 2) % 3: world[1]}
    products = {seat: [1.0, 1.0, 1.0] for seat in held}
    for index in reversed(range(len(view.plays))):
        seat, made = index % 3, view.plays[index]
        if seat == view.seat:
            continue
        held[seat] += made.cards
        worths = values(view._replace(seat=seat, hand=held[seat], plays=view.plays[:index]))
        if len(worths) == 1:
            continue
        for style, degree in enumerate((temperature, 2 * temperature, 4 * temperature)):
            shares = {worth.move.cards: exp(worth.win / degree) for worth in worths}
            products[seat][style] *= 0.98 * shares[made.cards] / sum(shares.values()) + 0.02 / len(shares)
    return sum(log(fmean(each)) for each in products.values())
