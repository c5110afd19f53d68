"""The auctions of a match: how often each contestant was landlord, at which stake, and what that paid."""

from collections.abc import Sequence
from typing import NamedTuple

from ddzbot.game import HIGHEST_BID, final_bid

from ...shared.message import Message, joined
from ..stats.row import GameRow, Row

STAKES = range(1, HIGHEST_BID + 1)


class Bidder(NamedTuple):
    """A contestant's part in the auctions."""

    landlord: list[int]
    """The games in which it was the landlord at stake 1, 2 and 3."""
    points: list[float | None]
    """What it was paid in these on average, for each of the stake; None without such a game."""
    bids: list[int]
    """How often it bid 0, 1, 2 and 3."""


class Auctions(NamedTuple):
    """The auctions of some sets."""

    games: int
    passed_out: int
    """Games in which all passed."""
    bidders: dict[str, Bidder]
    """By letter."""


def auctions_of(rows: Sequence[Row]) -> Auctions | None:
    """Sums up the auctions of some sets of two; None for games without an auction."""
    games = [game for row in rows for game in row.games if game.bids]
    if not games:
        return None
    passed_out = sum(not any(game.bids) for game in games)
    return Auctions(len(games), passed_out, {letter: _of_contestant(letter, games) for letter in "AB"})


def _of_contestant(letter: str, games: Sequence[GameRow]) -> Bidder:
    paid: dict[int, list[float]] = {stake: [] for stake in STAKES}
    bids = [0] * (HIGHEST_BID + 1)
    for game in games:
        for by, bid in zip(game.seating, game.bids, strict=False):  # a bid of 3 ends the auction
            bids[bid] += by == letter
        if game.seating[game.landlord] == letter:
            stake = final_bid(game.bids)
            paid[stake].append(game.scores[0] / stake)
    points = [sum(paid[stake]) / len(paid[stake]) if paid[stake] else None for stake in STAKES]
    return Bidder([len(paid[stake]) for stake in STAKES], points, bids)


def lines_of_auctions(auctions: Auctions | None, names: dict[str, str]) -> list[str]:
    """Writes a line for each contestant, and one for the games in which all passed; *names* are by letter."""
    if not auctions:
        return []
    lines = []
    for letter, bidder in auctions.bidders.items():
        stakes = zip(STAKES, bidder.landlord, bidder.points, strict=True)
        times = [_at_stake(stake, 100 * count / auctions.games, points) for stake, count, points in stakes]
        made = joined(
            Message("{bid}: {share} %", bid=bid, share=f"{100 * count / (sum(bidder.bids) or 1):.1f}")
            for bid, count in enumerate(bidder.bids)
        )
        lines.append(
            Message(
                "{name}: landlord in {share} % of the games, {stakes}; bids {bids}",
                name=names[letter],
                share=f"{100 * sum(bidder.landlord) / auctions.games:.1f}",
                stakes=joined(times),
                bids=made,
            )
        )
    share = f"{100 * auctions.passed_out / auctions.games:.1f}"
    return [*lines, Message("no bids in {share} % of {games} games", share=share, games=f"{auctions.games:,}")]


def _at_stake(stake: int, share: float, points: float | None) -> Message:
    part = Message("{share} % at {stake}", share=f"{share:.1f}", stake=stake)
    return part if points is None else Message("{at} ({points} points each)", at=part, points=f"{points:+.2f}")
