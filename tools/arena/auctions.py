"""What a match tells of its auctions: how often each contestant was landlord, at which stake, and what that paid."""

from collections.abc import Sequence
from typing import Any

from ddzbot.game import HIGHEST_BID, final_bid

from .plan import LETTERS
from .sets import Row

STAKES = range(1, HIGHEST_BID + 1)


def auctions_of(rows: Sequence[Row]) -> dict[str, Any]:
    """
    Sums up the auctions of some sets: the games, those in which nobody bid, and for each contestant under its letter

    * ``landlord``: the games in which it was the landlord at stake 1, 2 and 3;
    * ``points``: what it was paid in these on average, for each of the stake; None without such a game;
    * ``bids``: how often it bid 0, 1, 2 and 3.

    Empty for games without an auction.
    """
    games = [game for row in rows for game in row["games"] if game["bids"]]
    if not games:
        return {}
    return {
        "games": len(games),
        "unbid": sum(not any(game["bids"]) for game in games),
        **{letter: _of_contestant(letter, games) for letter in LETTERS},
    }


def _of_contestant(letter: str, games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    paid: dict[int, list[float]] = {stake: [] for stake in STAKES}
    bids = [0] * (HIGHEST_BID + 1)
    for game in games:
        for by, bid in zip(game["seating"], game["bids"], strict=False):  # a bid of 3 ends the auction
            bids[bid] += by == letter
        if game["seating"][game["landlord"]] == letter:
            stake = final_bid(game["bids"])
            paid[stake].append(game["scores"][0] / stake)
    return {
        "landlord": [len(paid[stake]) for stake in STAKES],
        "points": [sum(paid[stake]) / len(paid[stake]) if paid[stake] else None for stake in STAKES],
        "bids": bids,
    }


def lines_of_auctions(found: dict[str, Any], names: dict[str, str]) -> list[str]:
    """Says it in a line for each contestant, and one for the games in which nobody bid; *names* are by letter."""
    if not found:
        return []
    games = found["games"]
    lines = []
    for letter in LETTERS:
        one = found[letter]
        times = [
            f"{100 * count / games:.1f} % at {stake}" + (f" ({points:+.2f} points each)" if count else "")
            for stake, count, points in zip(STAKES, one["landlord"], one["points"], strict=True)
        ]
        made = ", ".join(
            f"{bid}: {100 * count / (sum(one['bids']) or 1):.1f} %" for bid, count in enumerate(one["bids"])
        )
        whole = 100 * sum(one["landlord"]) / games
        lines.append(f"{names[letter]}: landlord in {whole:.1f} % of the games, {', '.join(times)}; bids {made}")
    return [*lines, f"nobody bid in {100 * found['unbid'] / games:.1f} % of {games:,} games"]
