"""Every choice that a rule set knows, with a number of its own: what a space of actions needs."""

from operator import itemgetter
from typing import Any, Callable, Iterable, List, Sequence

from ddzbot.cards import Hand, hand_text, parse_hand
from ddzbot.env.layout import BID_KIND, Choice
from ddzbot.env.packages import np
from ddzbot.game import HIGHEST_BID
from ddzbot.kernel import native
from ddzbot.rules import PASS, RuleSet, legal_moves

_CARDS: Callable[[Any], Hand] = itemgetter(0)
"""Gets the cards of a move."""


class Actions:
    """
    The choices of a rule set by their numbers: the pass, each set of cards that is a move, and behind them the bids of
    0 to 3 where there is an auction.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        native()  # games are played by the kernel from the first move on, if there is one
        moves = (move for move in legal_moves(rules, rules.deck) if move.size <= rules.largest_hand)
        self._cards: List[Hand] = [0, *sorted(move.cards for move in moves)]
        self._numbers = {cards: number for number, cards in enumerate(self._cards)}
        self._sorted = np.array(self._cards, dtype="u8")
        self.bids = len(self._cards)
        """The number of the bid of 0."""
        self.count = self.bids + (HIGHEST_BID + 1 if rules.bidding else 0)
        """The number of actions."""

    def number(self, choice: Choice) -> int:
        """Gets the number of a choice."""
        return self.numbers_of([choice])[0]

    def numbers_of(self, choices: Sequence[Choice]) -> List[int]:
        """Gets the numbers of some choices, all of them moves or all of them bids."""
        if choices and isinstance(choices[0], int):
            return [self.bids + bid for bid in choices]  # type: ignore[operator]
        return [*map(self._numbers.__getitem__, map(_CARDS, choices))]

    def text(self, number: int) -> str:
        """Writes the choice of a number: ``pass``, the cards, or for example ``bid 2``."""
        if number >= self.bids:
            return f"bid {number - self.bids}"
        return hand_text(self._cards[number]) or str(PASS)

    def of_text(self, text: str) -> int:
        """
        Gets the number of a choice that is written as :meth:`text` does, its cards in any order.

        :raises ValueError: for a text that is no choice under the rule set.
        """
        bids = [f"bid {bid}" for bid in range(self.count - self.bids)]
        if text in bids:
            return self.bids + bids.index(text)
        if text == str(PASS):
            return 0
        number = self._numbers.get(parse_hand(text))
        if not number:
            raise ValueError(f"{text!r:.60} is no action (rules {self.rules.name})")
        return number

    def mask(self, numbers: Iterable[int]) -> Any:
        """Gets an array of :attr:`count` bytes: 1 for each of the *numbers*."""
        # To set a byte of an array takes three times as long.
        found = bytearray(self.count)
        for number in numbers:
            found[number] = 1
        return np.ndarray(self.count, np.int8, found)

    def numbers(self, choices: Any) -> Any:
        """Gets the numbers of many choices, which are rows as :class:`ddzbot.env.Tables` has them."""
        shifts = np.arange(0, 60, 4, dtype="u8")
        cards = np.bitwise_or.reduce(choices[:, :15].astype("u8") << shifts, axis=1)
        bids = choices[:, 15].astype(np.int64) - BID_KIND
        return np.where(bids >= 0, self.bids + bids, np.searchsorted(self._sorted, cards))
