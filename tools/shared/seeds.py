"""Names for deals and seeds for players, all derived from one root number.

A deal is dealt from the sha256 of a text such as ``report/1/000123``. The first word is its namespace: what a
network was trained on (``train``) or picked by (``gate``) is never what its strength is reported on
(``report``). Every such text can be read back: no two different (namespace, root, index) share one.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

TRAIN = "train"
GATE = "gate"
REPORT = "report"

_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_TEXT = re.compile(r"([^/]*)/([0-9]+)/([0-9]+)")


@dataclass(frozen=True, slots=True)
class DealSeed:
    """One deal among all that ever are dealt, e.g. ``DealSeed("report", 1, 123)`` for ``report/1/000123``."""

    namespace: str
    """What the deal is for: ``train``, ``gate``, ``report`` or another word."""
    root: int
    """The number that the whole experiment was started with."""
    index: int
    """Place in the seed order, from 0."""

    def __str__(self) -> str:
        return f"{self.namespace}/{self.root}/{self.index:06d}"


def deal_seed(root: int, namespace: str, index: int) -> str:
    """
    Names a deal: ``deal_seed(1, "report", 123)`` is ``"report/1/000123"``.

    Texts of one root and namespace below index 1,000,000 also sort in seed order.

    :raises ValueError: when a number is negative or the namespace is not a lower-case word.
    """
    if not _WORD.fullmatch(namespace):
        raise ValueError(f"namespace {namespace!r} must be a lower-case word, such as 'report'")
    for field, part in (("root", root), ("index", index)):
        if part < 0:
            raise ValueError(f"{field} {part} of a deal must not be negative")
    return str(DealSeed(namespace, root, index))


def parse_deal_seed(text: str) -> DealSeed:
    """
    Reads a name that :func:`deal_seed` wrote; ``"report/1/000123"`` gives ``DealSeed("report", 1, 123)``.

    :raises ValueError: for every other text, ``report/1/123`` and ``report/01/000123`` among them.
    """
    match = _TEXT.fullmatch(text)
    if match:
        namespace, root, index = match[1], int(match[2]), int(match[3])
        if _WORD.fullmatch(namespace) and deal_seed(root, namespace, index) == text:
            return DealSeed(namespace, root, index)
    raise ValueError(f"deal seed {text!r} must look like 'report/1/000123'")


def player_seed(deal: str, game: int, seat: int) -> int:
    """
    Draws the seed of one player: 63 bits of the sha256 of deal, game in the set and seat.

    The seat may be a place at the table or an auction position, as long as one match keeps to one of them.
    Players in different games or seats draw unrelated numbers; ``player_seed("report/1/000123", 0, 2)`` never
    changes.

    :raises ValueError: when the game is negative or the seat is not 0, 1 or 2.
    """
    if game < 0:
        raise ValueError(f"game {game} of a set must not be negative")
    if seat not in (0, 1, 2):
        raise ValueError(f"seat {seat} must be 0, 1 or 2")
    digest = sha256(f"{deal}/{game}/{seat}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
