"""
How good each move is where there is no network: by the champion's fallbacks.

With the kernel that is the tree search of the player ``mctshs``, and without it playouts by rules.
"""

from collections.abc import Sequence
from math import sqrt

from ddzbot.belief.worlds import Worlds
from ddzbot.evaluation import Criterion, Estimate, Estimates, Method, Source
from ddzbot.kernel import native
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.rng import Generator
from ddzbot.kernel.searching import Arm
from ddzbot.less_split import candidates
from ddzbot.players.mctshs import SETTINGS, USUAL_PLAYOUTS, MctshsPlayer
from ddzbot.rules import Move
from ddzbot.search.certain import always_winning, certain_win, nodes_within, solver_share
from ddzbot.search.deadline import Deadline
from ddzbot.search.slices import SearchResult
from ddzbot.search.tree import TreeSearch
from ddzbot.split import fewest_moves
from ddzbot.view import View

from .lines import Follower, play_on, score_of, wins

PRIOR_VISITS = 4
"""How many visits the opinion before the search counts as, so that one lucky playout is not 100 %."""
ALONE_PLAYOUTS = 2000
"""Playouts at most for a move that has no rival."""
ALONE_SLICE = 200
"""So many of them between two looks at the clock."""
RULE_PLAYOUTS = 240
"""Playouts by rules at most, some two seconds."""
RULE_ARMS = 8
"""Moves that playouts by rules compare at most: those that leave the fewest moves."""


def without_network(
    view: View, worlds: Worlds, follower: Follower, deadline: Deadline, seed: int, only: Sequence[Move] = ()
) -> Estimates:
    """
    Estimates the moves of *view* until *deadline* without a network; those of *only* by rules, if any are named.

    The same view, seed and playouts give the same estimates.
    """
    kernel = native()
    if kernel is None or only:
        return _by_rules(view, worlds, follower, deadline, seed, only)
    return _by_search(kernel, view, worlds, deadline, seed)


def _played(move: Move, wins_seen: float, visits: int, before: float, score: float | None = None) -> Estimate:
    win = (wins_seen + PRIOR_VISITS * before) / (visits + PRIOR_VISITS)
    return Estimate(move, win, visits, score, error=sqrt(win * (1 - win) / visits) if visits else None)


# Tree search.


def _by_search(kernel: Kernel, view: View, worlds: Worlds, deadline: Deadline, seed: int) -> Estimates:
    """Searches as the player ``mctshs`` does; what wins for certain, or in every world with open hands, comes first."""
    proof = certain_win(kernel, view, nodes_within(deadline))
    everywhere = [] if proof.move is not None else always_winning(view, worlds.certain, solver_share(deadline))
    result = _run_search(kernel, view, worlds, deadline, seed)
    middle = sum(arm.wins for arm in result.moves) / sum(arm.visits for arm in result.moves)
    moves = {arm.move.cards: _played(arm.move, arm.wins, arm.visits, middle) for arm in result.moves}
    if proof.move is not None:
        estimate = moves.get(proof.move.cards, Estimate(proof.move, 1.0))
        moves[proof.move.cards] = estimate._replace(win=1.0)
    for move in everywhere:
        moves.setdefault(move.cards, Estimate(move, middle))
    winners = {move.cards for move in (everywhere if proof.move is None else [proof.move])}
    ranked = sorted(
        moves.values(),
        key=lambda estimate: (estimate.move.cards in winners, estimate.visits, estimate.win),
        reverse=True,
    )
    source = Source(Method.MCTSHS, Criterion.WIN, certain=proof.move, open_wins=tuple(everywhere))
    return Estimates(ranked, result.playouts, source)


def _by_all_visits(arm: Arm) -> float:
    """Ranks as the player does, but lets the search continue where its choice cannot change any more."""
    return arm.visits + arm.mean / 2


def _run_search(kernel: Kernel, view: View, worlds: Worlds, deadline: Deadline, seed: int) -> SearchResult:
    tree_seed = MctshsPlayer(seed).random_for(view).getrandbits(64)
    options = SETTINGS["default"].options
    if deadline.is_endless:
        deadline = deadline.with_playouts(USUAL_PLAYOUTS)
    search = TreeSearch(kernel, view, options, tree_seed, _by_all_visits, worlds=worlds.in_kernel(kernel))
    granted = deadline.granted(ALONE_PLAYOUTS)
    search.run(deadline)
    # A move without a rival ends the search at once, as nothing is to be chosen; here its chances still matter.
    while search.arms == 1 and search.playouts < granted and not deadline.is_over():
        search.advance(min(ALONE_SLICE, granted - search.playouts))
    return search.result()


# Playouts by rules.


def _by_rules(
    view: View, worlds: Worlds, follower: Follower, deadline: Deadline, seed: int, only: Sequence[Move]
) -> Estimates:
    """Plays the most promising moves out in turn, all in the same worlds."""
    arms = (
        only
        or sorted(
            candidates(view.rules, view.hand, view.to_beat, 1),
            key=lambda move: (fewest_moves(view.rules, view.hand - move.cards), -move.size),
        )[:RULE_ARMS]
    )
    rounds = max(1, deadline.granted(RULE_PLAYOUTS) // len(arms))
    generator = Generator(MctshsPlayer(seed).random_for(view).getrandbits(64))
    won, points, played = [0] * len(arms), [0.0] * len(arms), 0
    for world in worlds.samples(generator, rounds):
        if played and deadline.is_over():
            break
        played += 1
        for index, move in enumerate(arms):
            game = play_on(view, world, move, follower)
            won[index] += wins(view, game)
            points[index] += score_of(view, game)
    middle = sum(won) / (played * len(arms))
    moves = [_played(move, won[index], played, middle, points[index] / played) for index, move in enumerate(arms)]
    moves.sort(key=lambda estimate: estimate.win, reverse=True)
    return Estimates(moves, played * len(arms), Source(Method.RULES, Criterion.WIN))
