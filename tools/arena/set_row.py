"""The row of one duplicate set, from its finished games."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from .estimates import RatioSums
from .stats import ContestantSums, SetRow, SetStats, SideSums

DUPLICATE_GAMES = 2
BIDDING_GAMES = 6

_SEATINGS = ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB")
_LARGEST_SCORE = 1e9


class PlayedGame(NamedTuple):
    """One finished game, e.g. ``PlayedGame("ABB", True, (2.0, -1.0, -1.0))``: A was the landlord and won."""

    contestants: str
    """Who sat at seat 0 (landlord), 1 (landlord_down) and 2 (landlord_up): three letters, A or B."""
    landlord_won: bool
    scores: tuple[float, float, float]
    """Points by seat."""


def set_row(index: int, games: Sequence[PlayedGame]) -> SetRow:
    """Makes the row of one duplicate set from its games, in any order.

    Without bidding these are two games on one deal, ABB and BAA by seat. With bidding they are the six
    seatings of one deal, as seen from the landlord. An example, A winning twice at 2 : -1 : -1, has WP 1 and
    ADP 3::

        set_row(0, [PlayedGame("ABB", True, (2, -1, -1)), PlayedGame("BAA", False, (-2, 1, 1))])

    :raises ValueError: when the games do not make a set, or a score is not a number.
    """
    for game in games:
        _check(game)
    alone = sorted(game.contestants.count("A") for game in games)
    by_seat = {game.contestants for game in games}
    if len(games) == DUPLICATE_GAMES and by_seat == {"ABB", "BAA"}:
        differences = [_side_points(game) * _sign(game) for game in games]
        points = sum(differences, Fraction(0)) / DUPLICATE_GAMES
        outcome = sum(_sign(game) == (1 if game.landlord_won else -1) for game in games)
    elif len(games) == BIDDING_GAMES and alone == [1, 1, 1, 2, 2, 2]:
        points = _seat_mean(games, "A") - _seat_mean(games, "B")
        outcome = 1 + (points > 0) - (points < 0)
    else:
        seated = " ".join(game.contestants for game in games) or "no game"
        raise ValueError(f"{seated} do not make a set: it takes ABB BAA, or six games with three of one A")
    histogram = (int(outcome == 0), int(outcome == 1), int(outcome == 2))
    stats = SetStats(len(games), histogram, RatioSums.one(1, points), _contestant(games, "A"), _contestant(games, "B"))
    return SetRow(index, stats)


def _check(game: PlayedGame) -> None:
    if game.contestants not in _SEATINGS:
        raise ValueError(f"contestants {game.contestants!r} must be one of {' '.join(_SEATINGS)}")
    if len(game.scores) != 3:
        raise ValueError(f"scores {game.scores} of {game.contestants} must be three, one for each seat")
    for score in game.scores:
        if not abs(score) <= _LARGEST_SCORE:
            raise ValueError(f"score {score} in {game.contestants} must be a number up to 1e9")


def _sign(game: PlayedGame) -> int:
    return 1 if game.contestants[0] == "A" else -1


def _side_points(game: PlayedGame) -> Fraction:
    """Landlord's score minus the mean score of the peasants."""
    landlord, down, up = (Fraction(score) for score in game.scores)
    return landlord - (down + up) / 2


def _seat_mean(games: Sequence[PlayedGame], name: str) -> Fraction:
    """Mean score of all seats of a contestant."""
    own = [
        Fraction(score)
        for game in games
        for who, score in zip(game.contestants, game.scores, strict=True)
        if who == name
    ]
    return sum(own, Fraction(0)) / len(own)


def _contestant(games: Sequence[PlayedGame], name: str) -> ContestantSums:
    landlord = [game for game in games if game.contestants[0] == name]
    peasants = [game for game in games if name in game.contestants[1:]]
    return ContestantSums(
        SideSums(
            RatioSums.one(len(landlord), sum(game.landlord_won for game in landlord)),
            RatioSums.one(len(landlord), sum(map(_side_points, landlord), Fraction(0))),
        ),
        SideSums(
            RatioSums.one(len(peasants), sum(not game.landlord_won for game in peasants)),
            RatioSums.one(len(peasants), sum((_peasant_points(g, name) for g in peasants), Fraction(0))),
        ),
        RatioSums.one(len(games), len(landlord)),
    )


def _peasant_points(game: PlayedGame, name: str) -> Fraction:
    own = [Fraction(game.scores[seat]) for seat in (1, 2) if game.contestants[seat] == name]
    return sum(own, Fraction(0)) / len(own) - Fraction(game.scores[0])
