"""The options that the players with a tree search share."""

from typing import Optional

from ddzbot.candidates import CANDIDATE_STRATEGIES
from ddzbot.kernel.searching import ALL_MOVES, LESS_SPLIT, SearchOptions
from ddzbot.players.options import number
from ddzbot.search.tree import MOST_TREES


def with_candidates(
    player: str, options: SearchOptions, candidates: Optional[str], k: Optional[object]
) -> SearchOptions:
    """
    Reads the options *candidates*, a name of :data:`ddzbot.candidates.CANDIDATE_STRATEGIES`, and *k*, the margin of
    ``less_split`` at the root; None changes nothing.

    :raises ValueError: for an unknown name, a margin that is out of range, or one for candidates that know none.
    """
    if candidates is not None and candidates not in CANDIDATE_STRATEGIES:
        names = " and ".join(CANDIDATE_STRATEGIES)
        raise ValueError(f"{player}: candidates={candidates} is unknown; there are {names}")
    pruning = options.pruning if candidates is None else CANDIDATE_STRATEGIES[candidates]
    margin = number(player, "k", k, ALL_MOVES)
    if margin is not None and pruning != LESS_SPLIT:
        raise ValueError(f"{player}: k={k} is a margin of candidates=less_split alone")
    return options._replace(pruning=pruning, root_margin=options.root_margin if margin is None else margin)


def number_of_trees(player: str, trees: object) -> int:
    """
    Reads the option *trees*, how many trees a search has.

    :raises ValueError: for a number that is out of range.
    """
    return number(player, "trees", trees, MOST_TREES, least=1) or 1
