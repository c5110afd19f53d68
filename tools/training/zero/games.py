"""Games side by side, all at the same seat at the same time, so that one call of a network decides in all of them."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ddzbot.cards import RANK_COUNT, UNIT, count
from ddzbot.game import SEATS
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import MOVE
from ddzbot.kernel.training import MoveLister
from ddzbot.rules import BOMB, ROCKET, RuleSet

from ...programs.douzero_features import HISTORY, Cards, GameArrays, States, states_of

Places = NDArray[np.intp]

_MOVE = np.dtype([("cards", "<u8"), ("kind", "u1"), ("rest", f"V{MOVE.size - 9}")])
_LEAD = -1


class Menu(NamedTuple):
    """The legal moves of some games, one list after the other."""

    cards: Cards
    kinds: NDArray[np.uint8]
    starts: Places
    """[games + 1]: where the list of each game begins, and where the last one ends."""


class Samples(NamedTuple):
    """Decisions of one seat, what was done, and how the game ended for it."""

    states: States
    moves: Cards
    results: NDArray[np.float32]


class Chooser(Protocol):
    """The policy that decides."""

    def __call__(self, states: States, menu: Menu) -> Places:
        """Gets the place of the move that is made in the list of each state."""
        ...


class Lister:
    """Lists legal moves of many games by the kernel."""

    def __init__(self, kernel: Kernel, rules: RuleSet) -> None:
        self._list = MoveLister(kernel, rules)
        self._found = np.empty(1 << 16, _MOVE)

    def menu(self, hands: Cards, to_beat: Cards, kinds: NDArray[np.int16]) -> Menu:
        """
        Lists the moves of every game.

        :raises KernelError: for a hand that the kernel refuses.
        """
        starts = [0]
        for hand, cards, kind in zip(hands.tolist(), to_beat.tolist(), kinds.tolist(), strict=True):
            while (count := self._list(hand, cards, kind, *self._room(starts[-1]))) is None:
                self._found = np.concatenate([self._found, np.empty_like(self._found)])
            starts.append(starts[-1] + count)
        moves = self._found[: starts[-1]]
        return Menu(moves["cards"].copy(), moves["kind"].copy(), np.array(starts))

    def _room(self, used: int) -> tuple[int, int]:
        """Gets where the next list may be written, and for how many moves there is room."""
        return self._found.ctypes.data + MOVE.size * used, len(self._found) - used


def _without_forced(menu: Menu, choices: Places) -> Menu:
    is_choice = np.repeat(choices > 1, choices)
    return Menu(menu.cards[is_choice], menu.kinds[is_choice], np.cumsum([0, *choices[choices > 1]]))


class Ended(NamedTuple):
    """Games that are over, and the decisions in them that were any."""

    samples: list[Samples]
    """By seat."""
    landlord_wins: int
    plies: int
    decisions: int


def deals(rules: RuleSet, games: int, random: np.random.Generator) -> Cards:
    """Deals [games][3] hands, the landlord's with the bottom."""
    deck = np.array([UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(rules.deck, rank))], np.uint64)
    shuffled = random.permuted(np.tile(deck, (games, 1)), axis=1)
    ends = np.cumsum([0, *(rules.seat_cards(seat) for seat in range(SEATS))])
    return np.stack([shuffled[:, ends[seat] : ends[seat + 1]].sum(1) for seat in range(SEATS)], 1)


class Games:
    """Some games from the first lead to the end."""

    def __init__(self, rules: RuleSet, lister: Lister, hands: Cards) -> None:
        games = len(hands)
        self._lister = lister
        self._hands = hands.copy()
        self._to_beat = np.zeros(games, np.uint64)
        self._kinds = np.full(games, _LEAD, np.int16)
        self._passes = np.zeros(games, np.uint8)
        self._played = np.zeros((games, SEATS), np.uint64)
        self._last = np.zeros((games, SEATS), np.uint64)
        self._left = np.tile(np.array([rules.seat_cards(seat) for seat in range(SEATS)], np.uint8), (games, 1))
        self._history = np.zeros((games, HISTORY), np.uint64)
        self._running = np.arange(games)
        self._plies = 0
        self._made: list[list[tuple[Places, States, Cards]]] = [[] for _ in range(SEATS)]
        self.bombs = np.zeros(games, np.uint8)
        """Bombs and rockets played, by game."""
        self.winners = np.zeros(games, np.uint8)
        """The seat that went out, by game."""

    def play(self, chooser: Chooser) -> None:
        """Plays all games to the end."""
        while len(self._running):
            for seat in range(SEATS):
                self._ply(seat, chooser)

    def _ply(self, seat: int, chooser: Chooser) -> None:
        games = self._running
        if not len(games):
            return
        menu = self._lister.menu(self._hands[games, seat], self._to_beat[games], self._kinds[games])
        chosen = menu.starts[:-1].copy()
        choices = np.diff(menu.starts)
        free = np.flatnonzero(choices > 1)
        if len(free):
            states = states_of(self._table(games[free], seat), seat)
            chosen[free] += chooser(states, _without_forced(menu, choices))
            self._made[seat].append((games[free], states, menu.cards[chosen[free]]))
        self._play(seat, games, menu.cards[chosen], menu.kinds[chosen])

    def _table(self, at: Places, seat: int) -> GameArrays:
        hands = self._hands[at]
        return GameArrays(
            *(hands[:, seat], hands.sum(1) - hands[:, seat], self._to_beat[at], self._played[at], self._last[at]),
            *(self._left[at], self.bombs[at], self._history[at]),
        )

    def _play(self, seat: int, at: Places, cards: Cards, kinds: NDArray[np.uint8]) -> None:
        self._plies += len(at)
        self._hands[at, seat] -= cards
        self._played[at, seat] += cards
        self._last[at, seat] = cards
        self._left[at, seat] -= sizes(cards)
        self._history[at] = np.concatenate([self._history[at, 1:], cards[:, None]], 1)
        self.bombs[at] += (kinds == BOMB) | (kinds == ROCKET)
        passed = cards == 0
        self._passes[at] = np.where(passed, self._passes[at] + 1, 0)
        free = self._passes[at] == SEATS - 1
        self._to_beat[at] = np.where(free, 0, np.where(passed, self._to_beat[at], cards))
        self._kinds[at] = np.where(free, _LEAD, np.where(passed, self._kinds[at], kinds))
        self._passes[at[free]] = 0
        out = self._hands[at, seat] == 0
        self.winners[at[out]] = seat
        self._running = at[~out]

    def ended(self, results: NDArray[np.float32]) -> Ended:
        """Gathers what was decided; *results* is [games], how each ended for the landlord, negated for the peasants."""
        samples = [self._samples(seat, results * (-1 if seat else 1)) for seat in range(SEATS)]
        decisions = sum(len(seat.moves) for seat in samples)
        return Ended(samples, int((self.winners == 0).sum()), self._plies, decisions)

    def _samples(self, seat: int, results: NDArray[np.float32]) -> Samples:
        made = self._made[seat]
        columns = (np.concatenate([getattr(ply[1], field) for ply in made]) for field in States._fields[1:])
        games, moves = (np.concatenate([ply[column] for ply in made]) for column in (0, 2))
        return Samples(States(seat, *columns), moves, results[games])


def sizes(hands: Cards) -> NDArray[np.uint8]:
    """Counts the cards of each hand."""
    held = (hands[:, None] >> (4 * np.arange(RANK_COUNT)).astype(np.uint64)) & np.uint64(15)
    total: NDArray[np.uint8] = held.sum(1).astype(np.uint8)
    return total
