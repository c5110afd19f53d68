"""
The pruning of the mini Dou Dizhu report, the second way to choose the moves that a search starts from.

LessSplit asks how many moves a division costs; this asks what a person would play. Bombs and the rocket stay whole. Of
the *free* solos, whose card is in no other combination or is left over by a longest chain, only the lowest is a
candidate, of the free pairs likewise. Chains, trios and planes are all candidates, which the search has to weigh; what
takes kickers is one candidate for each body, with kickers that are free and low.

Source: the report on an AI for mini Dou Dizhu by Hu Jianbo and Meng Zimo (in Chinese), in its part on splitting hands.
It leaves open how many kickers are chosen and what becomes of a rocket; both are our reading. The kernel's
``src/tree/mini_split.c`` lists the same moves.
"""

from functools import lru_cache
from typing import Dict, FrozenSet, List, Optional, Set, Tuple

from ddzbot.cards import RANK_COUNT, ROCKET_CARDS, UNIT, Hand, contains, count, counts, size
from ddzbot.kernel import native
from ddzbot.less_split import KERNEL_CARDS
from ddzbot.rules import BOMB, PAIR, ROCKET, SOLO, Move, RuleSet, Shape, legal_moves

_MASK = 15


def mini_candidates(rules: RuleSet, hand: Hand, to_beat: Optional[Move] = None) -> List[Move]:
    """
    Lists the legal moves that the report would search, in their order; a pass is always one.

    For example, leading ``99TJQKA`` these are the solo 9 and the chains; the pair would break them. A lead always has
    a candidate; where the report has none, it is any move that leaves the bombs whole, or else any move at all.
    """
    kernel = native()
    if kernel is not None and size(hand) <= KERNEL_CARDS:
        from ddzbot.kernel import searching

        return searching.candidates(kernel, rules, hand, to_beat, 0, searching.MINI_SPLIT)
    moves = legal_moves(rules, hand, to_beat)
    whole = [move for move in moves if not breaks_bomb(hand, move.cards)]
    loose = hand - _cards_of_bombs(hand)
    chosen = {move.cards for move in whole if not _is_chosen_among(rules, move)}
    for kind, group in ((SOLO, 1), (PAIR, 2)):
        free = _free_ranks(rules, loose, group)
        chosen.update(sorted(move.cards for move in whole if move.kind == kind and move.rank in free)[:1])
    chosen |= _with_best_kickers(rules, loose, [move for move in whole if _shape_of(rules, move.kind).kicker])
    return [move for move in whole if move.cards in chosen] or whole or moves


def breaks_bomb(hand: Hand, cards: Hand) -> bool:
    """
    Checks if *cards* take some, but not all, of a bomb or the rocket of *hand*.

    For example, ``444`` breaks a bomb of ``34444``, and ``4444`` does not.
    """
    return any(cards & _MASK * ranks not in (0, hand & _MASK * ranks) for ranks in _bombs(hand))


def _bombs(hand: Hand) -> List[Hand]:
    """Lists the ranks of each bomb, and of the rocket, as one card each."""
    bombs = [UNIT[rank] for rank in range(RANK_COUNT) if count(hand, rank) == 4]
    return [*bombs, ROCKET_CARDS] if contains(hand, ROCKET_CARDS) else bombs


def _cards_of_bombs(hand: Hand) -> Hand:
    return sum(hand & _MASK * ranks for ranks in _bombs(hand))


@lru_cache(maxsize=None)
def _shape_of(rules: RuleSet, kind: int) -> Shape:
    """Finds the shape of a kind; what has none, as the pass and the rocket, is one group without kickers."""
    bare = Shape(kind, 1, 1, 1, 0, 0, 0)
    return next((shape for shape in rules.legal if shape.kind == kind), bare)


def _is_chosen_among(rules: RuleSet, move: Move) -> bool:
    """Checks if only the best of the moves like this one are candidates."""
    return move.kind in (SOLO, PAIR) or _shape_of(rules, move.kind).kicker > 0


@lru_cache(maxsize=None)
def _without_kickers(rules: RuleSet) -> RuleSet:
    """Gets rules with the same combinations, without kickers and bombs."""
    plain = tuple(shape for shape in rules.legal if not shape.kicker and shape.kind not in (BOMB, ROCKET))
    return rules._replace(name=rules.name + " without kickers", legal=plain)


def _combinations(rules: RuleSet, hand: Hand) -> List[Move]:
    return legal_moves(_without_kickers(rules), hand) if hand else []


@lru_cache(maxsize=1 << 12)
def _free_ranks(rules: RuleSet, rest: Hand, group: int) -> FrozenSet[int]:
    """Collects the ranks of which a solo (*group* 1) or a pair (2) breaks nothing; *rest* has no bombs."""
    chains = [move.cards for move in _combinations(rules, rest) if move.length > 1]
    longest = [cards for cards in chains if not any(contains(longer, cards) for longer in chains if longer != cards)]
    ranks: Set[int] = set()
    for left in (rest, *(rest - cards for cards in longest)):
        ranks |= _alone(rules, left, group)
    return frozenset(ranks)


def _alone(rules: RuleSet, hand: Hand, group: int) -> Set[int]:
    """Collects the ranks with exactly *group* cards that are in no combination of more cards."""
    larger = [counts(move.cards) for move in _combinations(rules, hand) if move.size > group]
    held = counts(hand)
    return {rank for rank in range(RANK_COUNT) if held[rank] == group and not any(cards[rank] for cards in larger)}


def _with_best_kickers(rules: RuleSet, rest: Hand, moves: List[Move]) -> Set[Hand]:
    """Chooses one move for each body: the fewest ranks of kickers that are not free, then the lowest kickers."""
    best: Dict[Tuple[int, int, int], Tuple[int, Hand, Hand]] = {}
    for move in moves:
        shape = _shape_of(rules, move.kind)
        body = shape.body(move.rank, move.length)
        kickers = move.cards - body
        free = _free_ranks(rules, rest - body if contains(rest, body) else rest, shape.kicker)
        bound = sum(1 for rank in range(RANK_COUNT) if count(kickers, rank) and rank not in free)
        key = (move.kind, move.rank, move.length)
        best[key] = min(best.get(key, (RANK_COUNT + 1, 0, 0)), (bound, kickers, move.cards))
    return {cards for _, _, cards in best.values()}
