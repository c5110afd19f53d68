"""
Whole games that are arranged: hands with rows, planes and bombs, each role for the bot, and two tempers of companions.

A quiet companion passes and leads its lowest card, so that the bot lives to its last card. An eager one leads moves of
every kind, answers as often as not, and in the end whenever it can. The bot's role, its hand and the temper go round
with the number of the game, so that 30 games have them all together. An auction is arranged as far as the bot's own
bids allow it.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ddzbot.cards import CARD_IDS
from ddzbot.game import SEATS
from ddzbot.protocol.botzone import rebuild
from ddzbot.rules import PASS_KIND, Move
from ddzbot.view import BidView, View

from ...judge.game import Bot
from ...judge.process_answer import Answer
from ...judge.process_limits import Limits
from ...shared.language import seat_word
from ...shared.message import Message
from .scenes import FTL1

THEMES = {
    Message("planes"): ((3, 5), (2, 1)),
    Message("bombs"): ((4, 1), (4, 1), (3, 1), (2, 1)),
    Message("rows"): ((1, 7), (1, 5)),
    Message("rows of pairs"): ((2, 4), (3, 1)),
    Message("many bombs"): ((4, 4),),
}
"""What a hand begins with, as copies and length of rows; the rest is dealt."""
ROCKET_THEMES = ("bombs", "rows")
"""The bot holds the rocket, too."""
HURRY = 6
"""When a player has so few cards left, eager companions stop passing."""

DEALT, BOTTOM, TWO = 17, 3, 12


class Arranged(NamedTuple):
    """A game to play, with the bot's chair still empty."""

    name: str
    initdata: dict[str, Any]
    player: int
    """Where the bot sits."""
    companions: list[Bot]


def arrange(game: str, number: int, asked: Mapping[int, int] | None = None) -> Arranged:
    """
    Arranges a game; *asked* counts how often the bot had to beat each kind of moves: the rarest are led.

    The same number gives the same deal, and with the same *asked* the same companions.
    """
    dice = random.Random(f"{game}/{number}")
    role, theme, eager = number % SEATS, [*THEMES][number % len(THEMES)], number % 2 == 1
    # A landlord of another seat bids 3 before the bot is asked, which may have the hand for it.
    player = role if game == FTL1 or role == 2 else number // SEATS % (SEATS - role) + role
    landlord = (player - role) % SEATS
    bids = [3 if position == landlord != player else 0 for position in range(SEATS)]
    initdata = deal(game, dice, theme, player)
    companions: list[Bot] = [_Companion(bid, eager, dice, asked or {}) for bid in bids]
    template = "arranged game {number} ({theme}, {seat}, quiet companions)"
    if eager:
        template = "arranged game {number} ({theme}, {seat}, eager companions)"
    title = Message(template, number=number + 1, theme=theme, seat=seat_word(role))
    return Arranged(title, initdata, player, companions)


def deal(game: str, dice: random.Random, theme: Message, player: int) -> dict[str, Any]:
    """Deals the theme to all players as far as the cards go, to the bot first, and then the rest; gets the initdata."""
    deck = [*range(CARD_IDS)]
    dice.shuffle(deck)
    hands: list[list[int]] = [[] for _ in range(SEATS)]
    if theme in ROCKET_THEMES:
        hands[player] += _take(deck, [52, 53])
    for position in (player, *({*range(SEATS)} - {player})):
        for copies, length in THEMES[theme]:
            hands[position] += _row(dice, deck, copies, length, DEALT - len(hands[position]))
    for hand in hands:
        hand.extend(_take(deck, deck[: DEALT - len(hand)]))
        dice.shuffle(hand)
    if game == FTL1:
        hands[0] = deck + hands[0]
    return {"allocation": hands, "publiccard": deck}


def _row(dice: random.Random, deck: list[int], copies: int, length: int, room: int) -> list[int]:
    """Takes a row out of the deck, a shorter one if it has none so long, nothing if there is no room."""
    rows = []
    for low in range(TWO + 1 if length == 1 else TWO - length + 1):
        ranks = [[card for card in deck if card // 4 == rank][:copies] for rank in range(low, low + length)]
        if all(len(cards) == copies for cards in ranks):
            rows.append([card for cards in ranks for card in cards])
    if rows and copies * length <= room:
        return _take(deck, dice.choice(rows))
    return _row(dice, deck, copies, length - 1, room) if length > 1 else []


def _take(deck: list[int], cards: Sequence[int]) -> list[int]:
    taken = [*cards]
    for card in taken:
        deck.remove(card)
    return taken


def quiet(script: Sequence[Any]) -> Bot:
    """Gets a companion that says first what its script says, and then passes and leads its lowest card."""
    return _Companion(0, False, random.Random(0), {}, script)


class _Companion:
    """A player that is there for the bot's sake; a :class:`tools.judge.game.Bot`."""

    mode = "in-process"
    limits = Limits()
    command = ["companion"]  # noqa: RUF012

    def __init__(
        self,
        bid: int,
        eager: bool,
        dice: random.Random,
        asked: Mapping[int, int],
        script: Sequence[Any] = (),
    ) -> None:
        self.name = "companion"
        self._script = script
        self._bid = bid
        self._eager = eager
        self._dice = dice
        self._asked = asked

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """Answers the last request."""
        if len(requests) <= len(self._script):
            return Answer("OK", self._script[len(requests) - 1])
        turn = rebuild(requests, responses)
        if isinstance(turn.view, BidView):
            return Answer("OK", self._bid if self._bid in turn.view.legal_bids else 0)
        return Answer("OK", turn.ids(self._move(turn.view).cards))

    def _move(self, view: View) -> Move:
        """Passes or leads its lowest card; an eager one plays a move of a kind by lot, and the pass is a kind."""
        moves = view.legal_moves()
        if not self._eager:
            return min(moves, key=lambda move: (move.size, move.rank))
        kinds = {move.kind for move in moves}
        if min(view.cards_left(seat) for seat in range(SEATS)) <= HURRY and len(kinds) > 1:
            kinds.discard(PASS_KIND)  # so that the bot follows with its last cards, too
        rarest = min(self._asked.get(kind, 0) for kind in kinds)
        kind = self._dice.choice(sorted(kind for kind in kinds if self._asked.get(kind, 0) == rarest))
        return self._dice.choice([move for move in moves if move.kind == kind])
