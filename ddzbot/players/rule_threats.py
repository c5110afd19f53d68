"""
The threats of the unseen cards to the rule player's moves, and the price of each group of its hand.

No cards are dealt out and no history is read: each unseen card lies in another hand with a chance equal to the
share that the hand has of all unseen cards.
"""

from typing import Dict, List, NamedTuple, Sequence, Tuple

from ddzbot.cards import ACE, BIG_JOKER, LITTLE_JOKER, RANK_COUNT, TWO, count, counts
from ddzbot.rules import BOMB, ROCKET, Move
from ddzbot.split import Chain, Prices
from ddzbot.view import View


class Weights(NamedTuple):
    """
    The numbers behind the rule player's choices; the unit is the price of one turn.

    They were found in games of the player against variants of itself, on deals with seeds ``train/...``.
    """

    solo_scale: float = 6.0
    pair_scale: float = 3.0
    trio_scale: float = 1.0
    chain_scale: float = 1.0
    """The threat at which a group wins a lead as often as it loses one. See :meth:`Outlook.prices`."""
    bomb: float = -0.7
    rocket: float = -1.7
    """Bombs and the rocket are worth more than nothing: they win the lead whatever lies on the table."""
    four_two: float = 4.5
    """Dear, so that a bomb takes kickers along only to win."""
    danger: float = 2.0
    """The extra cost of a group when an enemy would go out by beating it."""
    hold_scale: float = 0.6
    """The threat at which every second move holds its trick at once: measured, 0.5 to 0.7 for solos to trios."""
    bomb_risk: float = 0.1
    """Tricks still count as sure when the expected number of enemy bombs is at most this."""
    own: float = 3.0
    own_least: float = 0.1
    """The own lead is worth ``own / (moves left) ** 2``, at least the second number."""
    enemy: float = 8.0
    """An enemy's lead costs ``enemy / (cards left) ** 2``."""
    partner: float = 3.0
    partner_least: float = 1.0
    """The partner's lead is worth ``partner / (cards left)``, at least the second number."""
    partner_acts: float = 0.8
    """The probability that the partner beats what it can beat."""
    chain_lead: float = 0.8
    """How much more a chain is liked as a lead: no other player leads one, so that it cannot wait for its turn."""
    rank_lead: float = 0.1
    """How much less each rank is liked as a lead: what is low can only be led."""
    peasant_solo: float = 0.3
    """How much less a peasant likes to lead a solo, which is what the landlord beats most easily."""


WEIGHTS = Weights()


class Threat:
    """The expected number of answers to a move in some hands."""

    def __init__(self, unseen: Sequence[int], sizes: Sequence[int]) -> None:
        self._sizes = sizes
        total = max(1, sum(unseen))
        self._chances: List[List[List[float]]] = []
        for cards in sizes:
            table = _chances(min(1.0, cards / total))
            self._chances.append([[table[group][held] for held in unseen] for group in range(5)])
        share = sum(sizes) / total
        self._above: List[List[float]] = [[], [share * sum(unseen[rank + 1 :]) for rank in range(RANK_COUNT)]]
        self._above += [self._groups_above(group) for group in (2, 3, 4)]
        self._chains: Dict[Tuple[int, int, int], float] = {}

    def __call__(self, group: int, rank: int, length: int = 1) -> float:
        """
        Gets the expected number of higher groups of the same form.

        For example, ``threat(1, 8)`` counts the cards above the jack, and ``threat(1, 0, 5)`` the chains above 34567.
        """
        if length == 1:
            return self._above[group][rank]
        key = (group, rank, length)
        if key not in self._chains:
            self._chains[key] = self._chains_above(group, rank, length)
        return self._chains[key]

    def bombs(self) -> float:
        """Gets the expected number of bombs, the rocket left out."""
        return self._above[4][0] + sum([chances[4][0] for chances in self._chances])

    def _groups_above(self, group: int) -> List[float]:
        above = [0.0] * RANK_COUNT
        for cards, chances in zip(self._sizes, self._chances):
            higher = 0.0
            if cards >= group:
                for rank in range(TWO - 1, -1, -1):
                    higher += chances[group][rank + 1]
                    above[rank] += higher
        return above

    def _chains_above(self, group: int, rank: int, length: int) -> float:
        expected = 0.0
        for cards, chances in zip(self._sizes, self._chances):
            if cards >= group * length:
                for start in range(rank + 1, ACE - length + 2):
                    chance = 1.0
                    for each in chances[group][start : start + length]:
                        chance *= each
                    expected += chance
        return expected


_CHOOSE = ((1,), (1, 1), (1, 2, 1), (1, 3, 3, 1), (1, 4, 6, 4, 1))


def _chances(share: float) -> List[List[float]]:
    """
    Gets the chance that a hand holds a group, by cards of the group and by unseen cards of its rank.

    The hand has *share* of the unseen cards, and each card is drawn for itself (a binomial law).
    """
    elsewhere = 1.0 - share
    return [
        [
            sum([_CHOOSE[held][own] * share**own * elsewhere ** (held - own) for own in range(group, held + 1)])
            for held in range(5)
        ]
        for group in range(5)
    ]


class Outlook:
    """The outlook of a view: the probability that a move holds its trick, and the price of every group."""

    def __init__(self, view: View, weights: Weights) -> None:
        self._view = view
        self._weights = weights
        # At most 4 of a rank, also in a view that was rebuilt from messages and contradicts itself.
        self._unseen = [min(held, 4) for held in counts(view.unseen)]
        self.enemy_cards = [view.cards_left(seat) for seat in ((1, 2) if view.seat == 0 else (0,))]
        self.threat = Threat(self._unseen, self.enemy_cards)
        most = max(self.enemy_cards)
        self._rocket_out = most >= 2 and self._unseen[LITTLE_JOKER] + self._unseen[BIG_JOKER] == 2
        bomb_chance = self.threat.bombs() if most >= 4 else 0.0
        if self._rocket_out:
            bomb_chance += sum([(cards / max(1, sum(self._unseen))) ** 2 for cards in self.enemy_cards])
        self._bomb_out = bomb_chance > weights.bomb_risk

    def hold(self, move: Move) -> float:
        """Estimates the chance that no enemy beats *move* now."""
        if move.kind in (BOMB, ROCKET) or move.rank < 0:
            return 1.0
        scale = self._weights.hold_scale
        return scale / (scale + self.threat(body_group(move), move.rank, move.length))

    def partner_beats(self, move: Move) -> float:
        """Estimates the chance that the partner beats *move* if its turn comes."""
        if move.kind in (BOMB, ROCKET) or move.rank < 0:
            return 0.0
        threat = Threat(self._unseen, [self._view.cards_left(3 - self._view.seat)])
        answers = threat(body_group(move), move.rank, move.length)
        return self._weights.partner_acts * answers / (answers + self._weights.hold_scale)

    def sure(self, move: Move) -> bool:
        """Checks that no enemy can hold an answer to *move*."""
        if move.kind == ROCKET:
            return True
        if move.kind == BOMB:
            return not self._rocket_out and not self.threat(4, move.rank)
        return not self._bomb_out and not self.threat(body_group(move), move.rank, move.length)

    def sure_prices(self) -> Prices:
        """Gets prices that count the moves that an enemy may beat: 1 for each, 0 for a sure trick."""
        threat, bomb = self.threat, self._bomb_out
        solo, pair, trio = [
            [float(bomb or threat(group, rank) > 0) for rank in range(RANK_COUNT)] for group in (1, 2, 3)
        ]
        quad = [float(self._rocket_out or threat(4, rank) > 0) for rank in range(RANK_COUNT)]

        def chain_price(chain: Chain) -> float:
            return float(bomb or threat(chain.group, chain.rank, chain.length) > 0)

        return Prices(solo, pair, trio, quad, [float(bomb)] * RANK_COUNT, 0.0, chain_price)

    def prices(self) -> Prices:
        """
        Gets what each group costs: 2 when it always loses the lead, 0 when it always wins it back.

        A group takes a turn; a beaten one also needs another lead, and an unbeaten one saves that lead.
        """
        weights = self._weights
        scales = (weights.solo_scale, weights.pair_scale, weights.trio_scale)
        solo, pair, trio = [
            [self._price(group + 1, rank, 1, scale) for rank in range(RANK_COUNT)] for group, scale in enumerate(scales)
        ]

        def chain_price(chain: Chain) -> float:
            return self._price(chain.group, chain.rank, chain.length, weights.chain_scale)

        # Of two bombs the lower is played first.
        quad = [weights.bomb - 0.02 * rank for rank in range(RANK_COUNT)]
        return Prices(solo, pair, trio, quad, [weights.four_two] * RANK_COUNT, weights.rocket, chain_price)

    def _price(self, group: int, rank: int, length: int, scale: float) -> float:
        loses = 1.0 - scale / (scale + self.threat(group, rank, length))
        return (2.0 + self._weights.danger * (group * length in self.enemy_cards)) * loses


def body_group(move: Move) -> int:
    """Gets how many cards *move* has of each rank of its body: 3 for ``3334`` and for ``777888``."""
    return count(move.cards, move.rank)
