"""All auctions that there can be."""

from collections.abc import Iterator

from ddzbot.game import HIGHEST_BID, auction, is_legal_bid


def endings(heard: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yields every auction that there can be."""
    if auction(heard) is not None:
        yield heard
        return
    for bid in range(HIGHEST_BID + 1):
        if is_legal_bid(heard, bid):
            yield from endings((*heard, bid))
