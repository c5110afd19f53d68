"""
The ways to choose the candidates of a search among the legal moves, by name.

========== =====================================================================================================
less_split those that a short division of the hand can begin with, within a margin (:mod:`ddzbot.less_split`)
mini       those of the mini Dou Dizhu report, which knows no margin (:mod:`ddzbot.mini_split`)
========== =====================================================================================================
"""

from typing import List, Optional

from ddzbot.cards import Hand
from ddzbot.kernel.searching import LESS_SPLIT, MINI_SPLIT
from ddzbot.less_split import candidates
from ddzbot.mini_split import mini_candidates
from ddzbot.rules import Move, RuleSet

CANDIDATE_STRATEGIES = {"less_split": LESS_SPLIT, "mini": MINI_SPLIT}
"""The numbers of the strategies, as the field ``pruning`` of a search's options has them."""


def candidates_by(pruning: int, rules: RuleSet, hand: Hand, to_beat: Optional[Move], margin: int) -> List[Move]:
    """
    Lists the candidates by the strategy of that number; only ``less_split`` asks for the *margin*.

    For example ``candidates_by(CANDIDATE_STRATEGIES["mini"], rules, hand, None, 0)`` are the leads of the report.
    """
    if pruning == MINI_SPLIT:
        return mini_candidates(rules, hand, to_beat)
    return candidates(rules, hand, to_beat, margin)
