"""
The choices of combinational Q-learning: some divisions of the hand into moves, and the moves of each.

The paper (You et al. 2019) finds divisions by exact cover and draws up to a hundred of them. There are thousands of
bad ones among them; here each legal move brings the shortest division of which it is a part, so that no legal move is
missed by chance, and the shortest of these are offered.
"""

from typing import Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ddzbot.cards import Hand
from ddzbot.kernel import native
from ddzbot.less_split import fewest_after
from ddzbot.rules import PASS, Move, RuleSet, legal_moves

MOST_DIVISIONS = 24
MOST_MOVES = 64
"""Different moves in all divisions, the pass too."""
_CACHE = 1 << 16


class Offer(NamedTuple):
    """The divisions of a hand that can be chosen, and their moves."""

    moves: Tuple[Move, ...]
    """Each move once; on a follow the first is the pass, which belongs to no division."""
    divisions: Tuple[Tuple[int, ...], ...]
    """By division, the places of its moves, which together are the hand; a place may come twice."""
    playable: Tuple[bool, ...]
    """By move, whether it is legal now."""

    def choices(self, division: int) -> List[int]:
        """Lists the places of the moves that can be made once this division is chosen; never none."""
        own = sorted({index for index in self.divisions[division] if self.playable[index]})
        return [0, *own] if self.moves[0].is_pass else own


def offer(rules: RuleSet, hand: Hand, to_beat: Optional[Move], legal: Sequence[Move]) -> Offer:
    """
    Makes the offer for a *hand* whose legal moves are *legal*.

    For example, leading ``34567`` it has the chain alone, and the five solos.
    """
    played = [move for move in legal if not move.is_pass]
    rests = fewest_after(rules, hand, [move.cards for move in played])
    chosen = Assembled(to_beat is not None)
    if to_beat is not None:
        chosen.add(shortest_division(rules, hand))  # a player that passes keeps that one
    for index in _in_order(played, rests):
        if chosen.is_full or not chosen.add((played[index], *shortest_division(rules, hand - played[index].cards))):
            break
    return chosen.offer({move.cards for move in played})


def _in_order(moves: Sequence[Move], rests: Sequence[int]) -> List[int]:
    """Orders moves by the length of their divisions; of those that differ in their kickers one after the other."""
    seen: Dict[Tuple[int, int, int], int] = {}
    keys = []
    for index, move in enumerate(moves):
        body = (move.kind, move.rank, move.length)
        seen[body] = seen.get(body, -1) + 1
        keys.append((rests[index], seen[body], index))
    return [index for _, _, index in sorted(keys)]


class Assembled:
    """The divisions found so far, each once; on a follow there is a pass."""

    def __init__(self, follows: bool) -> None:
        self._moves: List[Move] = [PASS] if follows else []
        self._places: Dict[Hand, int] = {0: 0} if follows else {}
        self._divisions: Dict[Tuple[int, ...], None] = {}

    @property
    def is_full(self) -> bool:
        """Checks if there are as many as an offer has."""
        return len(self._divisions) == MOST_DIVISIONS

    def add(self, division: Sequence[Move]) -> bool:
        """Adds one, which may be there already; False if its moves find no room."""
        fresh = {move.cards: move for move in division if move.cards not in self._places}
        if len(self._moves) + len(fresh) > MOST_MOVES:
            return False
        for cards, move in fresh.items():
            self._places[cards] = len(self._moves)
            self._moves.append(move)
        self._divisions[tuple(sorted(self._places[move.cards] for move in division))] = None
        return True

    def offer(self, legal: Set[Hand]) -> Offer:
        """Makes the offer of them; *legal* are the cards of the legal moves."""
        playable = tuple(move.is_pass or move.cards in legal for move in self._moves)
        return Offer(tuple(self._moves), tuple(self._divisions), playable)


def shortest_division(rules: RuleSet, hand: Hand) -> Tuple[Move, ...]:
    """
    Divides *hand* into the fewest legal leads, always in the same way; the empty hand into none.

    For example ``33345`` becomes ``333`` with a kicker, and a solo.
    """
    if not hand:
        return ()
    # By identity: to hash a rule set takes longer than to look up a hand. The entry keeps the object alive.
    _, divided = _shortest_divisions.setdefault(id(rules), (rules, {}))
    division = divided.get(hand)
    if division is None:
        if len(divided) >= _CACHE:
            divided.clear()  # another thread may do so at any time
        lead = _first_of_shortest(rules, hand)
        division = divided[hand] = (lead, *shortest_division(rules, hand - lead.cards))
    return division


_shortest_divisions: Dict[int, Tuple[RuleSet, Dict[Hand, Tuple[Move, ...]]]] = {}


def _first_of_shortest(rules: RuleSet, hand: Hand) -> Move:
    """Chooses of the moves with the lowest rank that begin a shortest division one with the most cards."""
    lowest = hand & -hand
    lowest = 15 << (4 * ((lowest.bit_length() - 1) // 4))
    leads = [move for move in _leads(rules, hand) if move.cards & lowest]
    if len(leads) == 1:
        return leads[0]
    leads.sort(key=_size, reverse=True)
    rests = fewest_after(rules, hand, [move.cards for move in leads])
    return leads[rests.index(min(rests))]


def _size(move: Move) -> int:
    return move.size


def forget() -> None:
    """Forgets all divisions, which are found again as they were."""
    _shortest_divisions.clear()


def _leads(rules: RuleSet, hand: Hand) -> List[Move]:
    kernel = native()
    return kernel.legal_moves(rules, hand) if kernel is not None else legal_moves(rules, hand)
