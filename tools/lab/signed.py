"""
Decisions of every player about positions from fixed seeds, and their hash, which is the same on every system.

This module needs no package, so that any Python of a system answers.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from random import Random

from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import View

_SEARCHES = (
    ("champion", 200),
    ("champion:objective=adp,oversample=1", 120),
    ("champion:oversample=0,solver=none", 120),
    ("mcm", 300),
    ("mcm:setting=thesis,search=tree", 300),
    ("mctshs", 400),
    ("mctshs:setting=thesis", 400),
    ("mctshs:setting=report", 200),
    ("mctshs:belief=mini,candidates=mini", 300),
)
_OTHERS = (
    ("champion:search=none", 1),
    ("mcm:search=none", 1),
    ("deeprocket", 1),
    ("cql", 1),
    ("rhcp", 1),
    ("rule", 1),
    ("random", 1),
)
_WITHOUT_KERNEL = (*_OTHERS, ("champion", 1))
WITHOUT_NUMPY = " without numpy"
KINDS = {
    kind + numpy: (players, count)
    for numpy in ("", WITHOUT_NUMPY)
    for kind, players, count in (("kernel", _SEARCHES + _OTHERS, 2000), ("python", _WITHOUT_KERNEL, 200))
}
"""By what must be there: players with their playouts, and how many decisions they make."""

_FIRST_NAMES = {
    "champion:objective=adp,oversample=1": "champion:aims=score,drawn=1",
    "champion:oversample=0,solver=none": "champion:drawn=0,solver=none",
}
"""What the hashed lines call two players, so that hashes of all commits can be compared."""
_STRAYS = 0.3
"""The share of moves drawn at random, so that positions differ from those of good play."""
_ANSWERS = ("playouts", "nodes", "moves", "search")
"""The keys of a decision's debug that belong to the answer; the others may change."""


def positions(rules: RuleSet, count: int) -> Iterator[View]:
    """Yields *count* views with a choice, from all parts of games that ``rule`` plays with stray moves."""
    game_number = 0
    while count > 0:
        random = Random(f"signature/{rules.name}/{game_number}")
        game = start(shuffled(rules, f"signature/{rules.name}/{game_number}"), _bids(rules), 0)
        engine = Engine("rule", game_number)
        game_number += 1
        while not game.finished and count > 0:
            view = View.of(game, game.seat)
            moves = view.legal_moves()
            if len(moves) > 1 and random.random() < 0.25:
                count -= 1
                yield view
            stray = random.random() < _STRAYS
            game = game.played(random.choice(moves) if stray else engine.choose(view, Limit()).move)


def _bids(rules: RuleSet) -> tuple[int, ...]:
    return (3,) if rules.bidding else ()


def decisions(players: tuple[tuple[str, int], ...], count: int) -> Iterator[str]:
    """Yields *count* decisions as lines of text: player, rule set, position, move, and what the search found."""
    each = -(-count // (len(players) * len(RULE_SETS)))
    for rules in RULE_SETS.values():
        views = list(positions(rules, each))
        for label, playouts in players:
            engine = Engine(label, 11)
            for index, view in enumerate(views):
                decision = engine.choose(view, Limit(playouts=playouts))
                answer = {key: decision.debug[key] for key in _ANSWERS if key in decision.debug}
                name, chooser = (_FIRST_NAMES.get(player, player) for player in (label, decision.player))
                yield f"{name} {rules.name} {index} {chooser} {decision.move} {json.dumps(answer)}"
                count -= 1
                if count == 0:
                    return


def digest(lines: Sequence[str]) -> str:
    """Hashes decisions to 16 hex digits."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
