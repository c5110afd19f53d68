"""
Single decisions to ask of a bot: a deal for each game, what the other players answer, and which answer is judged.

The deals are of the platform's sizes, and player 0 holds the rocket.
"""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from ddzbot.cards import CARD_IDS

from ...judge.process_answer import Answer
from ...judge.process_limits import Limits
from ...referee.games import make_referee
from ...referee.referee import Output
from ...shared.message import Message

FTL1, FTL2 = "FightTheLandlord", "FightTheLandlord2"
GAMES = (FTL1, FTL2)
ROCKET = [52, 53]


def _cards() -> list[int]:
    """Shuffles the deck, always the same, with the rocket on top."""
    others = [card for card in range(CARD_IDS) if card not in ROCKET]
    random.Random("compliance").shuffle(others)
    return ROCKET + others


_IDS = _cards()
DEALS: dict[str, dict[str, Any]] = {
    FTL1: {"allocation": [_IDS[:20], _IDS[20:37], _IDS[37:]], "publiccard": _IDS[:3]},
    FTL2: {"allocation": [_IDS[:17], _IDS[17:34], _IDS[34:51]], "publiccard": _IDS[51:]},
}
"""By game, the usual initdata of a scene."""

SOLO = [min(_IDS[:17])]


class Scene(NamedTuple):
    """A match that is played until the bot has given so many answers, those of its script included."""

    game: str
    name: str
    player: int
    """Where the bot sits."""
    scripts: tuple[Sequence[Any], Sequence[Any], Sequence[Any]]
    """By player, all answers of the others; the bot's own has its supposed answers before its turn."""
    answers: int = 1
    hand: tuple[int, ...] = ()
    """What the bot is dealt, where it is not that of the usual deal; others get the rest, player 0 the lowest."""
    deal: dict[str, Any] | None = None
    """The whole initdata, where it is neither of them."""

    @property
    def initdata(self) -> dict[str, Any]:
        """The deal."""
        if self.deal or not self.hand:
            return self.deal or DEALS[self.game]
        cards = sorted({*range(CARD_IDS)} - {*self.hand})
        hands, bottom = [cards[:17], cards[17:34]], cards[34:]
        hands.insert(self.player, [*self.hand])
        if self.game == FTL1:
            hands[0] = bottom + hands[0]
        return {"allocation": hands, "publiccard": bottom}


LEADS = (
    Scene(FTL1, Message("lead"), 0, ((), (), ())),
    # All others pass: player 0 is the landlord, whatever it bids.
    Scene(FTL2, Message("bid and lead"), 0, ((), (0,), (0,)), 2),
)
ROWS_HAND = (20, 21, 22, 24, 25, 26, 28, 29, 30, 32, 33, 36, 37, 40, 44, 48, 49)
BOMBS_HAND = (20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 32, 33, 36, 37, 40, 44, 48)
"""888999TTTJJQQKA22 and 88889999TTJJQQKA2: they answer every kind, and have longer rows than those that are led."""
KINDS: dict[Message, tuple[list[int], tuple[int, ...]]] = {
    Message("a solo"): (SOLO, ()),
    Message("a pair"): ([0, 1], ROWS_HAND),
    Message("a trio"): ([0, 1, 2], ROWS_HAND),
    Message("a trio with a solo"): ([0, 1, 2, 4], ROWS_HAND),
    Message("a trio with a pair"): ([0, 1, 2, 4, 5], ROWS_HAND),
    Message("a row"): ([0, 4, 8, 12, 16], ROWS_HAND),
    Message("a row of pairs"): ([0, 1, 4, 5, 8, 9], ROWS_HAND),
    Message("a plane"): ([0, 1, 2, 4, 5, 6], ROWS_HAND),
    Message("a plane with solos"): ([0, 1, 2, 4, 5, 6, 8, 12], ROWS_HAND),
    Message("a plane with pairs"): ([0, 1, 2, 4, 5, 6, 8, 9, 12, 13], ROWS_HAND),
    Message("four with solos"): ([0, 1, 2, 3, 4, 8], BOMBS_HAND),
    Message("four with pairs"): ([0, 1, 2, 3, 4, 5, 8, 9], BOMBS_HAND),
    Message("a bomb"): ([0, 1, 2, 3], BOMBS_HAND),
}
"""What the landlord leads, and the bot's hand."""


def _follow(game: str, kind: Message, player: int) -> Scene:
    """The landlord leads a kind to player 1, or to player 2 after a pass. A bid of 3 ends the auction before them."""
    cards, hand = KINDS[kind]
    lead = (cards,) if game == FTL1 else (3, cards)
    title = Message("follow {kind} after the landlord" if player == 1 else "follow {kind} after a pass", kind=kind)
    return Scene(game, title, player, (lead, () if player == 1 else ([],), ()), hand=hand)


FOLLOWS = tuple(
    _follow(game, kind, player)
    for game in GAMES
    for number, kind in enumerate(KINDS)
    for player in ((1, 2) if number == 0 else (1 + number % 2,))
)
PASSES = (
    Scene(FTL1, Message("follow after the rocket"), 1, ((ROCKET,), (), ())),
    Scene(FTL1, Message("follow after the rocket and a pass"), 2, ((ROCKET,), ([],), ())),
    Scene(FTL2, Message("follow after the rocket"), 1, ((3, ROCKET), (), ())),
    Scene(FTL2, Message("follow after the rocket and a pass"), 2, ((3, ROCKET), ([],), ())),
)


def _bid(earlier: tuple[int, ...], strong: bool) -> Scene:
    title = _name_of_bid(earlier)
    first, second, third, *_ = *((bid,) for bid in earlier), (), (), ()
    hand = tuple(range(37, CARD_IDS)) if strong else ()
    title = Message("{bid}, a strong hand", bid=title) if strong else title
    return Scene(FTL2, title, len(earlier), (first, second, third), hand=hand)


def _name_of_bid(earlier: tuple[int, ...]) -> Message:
    if not earlier:
        return Message("first bid")
    first, *others = earlier
    if not others:
        return Message("bid after {bid}", bid=first)
    return Message("bid after {bid} and {other}", bid=first, other=others[0])


BIDS = tuple(
    _bid(earlier, strong)
    for earlier in ((), (0,), (1,), (2,), (0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0))
    for strong in (False, True)
)
"""Every auction without a 3."""


class Scripted:
    """A player that answers as its script does, and never fails; a :class:`tools.judge.game.Bot`."""

    mode = "in-process"
    limits = Limits()

    def __init__(self, script: Sequence[Any]) -> None:
        self.name = "scripted"
        self.command = ["scripted"]
        self._script = script

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """Gives the next answer."""
        return Answer("OK", self._script[len(requests) - 1])


def opening_request(game: str) -> Any:
    """Gets the first request of *game*, to player 0."""
    output: Output = make_referee(game, DEALS[game], "").first()
    return output.content["0"]
