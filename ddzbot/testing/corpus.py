"""
The corpus: positions with the number of their moves, and whole games with their verdicts, a file for each rule set.

A line is a JSON object. A position has ``hand``, ``to_beat`` (``""`` on a lead), ``count`` (of its moves, with the pass
of a follow), ``kinds`` (how many of each kind), ``sha256`` and perhaps ``trap``, what programs get wrong there. The
hash is of the moves as texts, cards from low to high, sorted by their characters and joined by commas: 16 digits.
A game has ``hands`` by position as dealt, ``bottom``, ``bids``, ``moves``, ``landlord``, ``scores`` by position, and
``verdict``, the judge or source that says so.
"""

import hashlib
import json
import os
from itertools import islice
from typing import Any, Dict, Iterable, Iterator, List, Set

from ddzbot.cards import hand_text, parse_hand
from ddzbot.game import Deal, Game, auction, start
from ddzbot.rules import KIND_NAMES, RULE_SETS, RuleSet, legal_moves, parse_move
from ddzbot.testing.cases import Case, Cases, parse_case
from ddzbot.testing.game_steps import prefixes

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "positions")
"""The folder of the files."""


def lines_of(rules: RuleSet) -> List[str]:
    """Reads the file of a rule set; one of your own has no lines."""
    if RULE_SETS.get(rules.name) != rules:
        return []
    path = os.path.join(FOLDER, rules.name + ".jsonl")
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as lines:
        return lines.read().splitlines()


def position_line(rules: RuleSet, case: Case, trap: str = "") -> str:
    """Makes the line of a position."""
    legal = legal_moves(rules, case.hand, case.move_to_beat(rules))
    kinds: Dict[str, int] = {}
    for move in legal:
        kinds[KIND_NAMES[move.kind]] = kinds.get(KIND_NAMES[move.kind], 0) + 1
    entry: Dict[str, Any] = {"hand": hand_text(case.hand), "to_beat": hand_text(case.to_beat or 0)}
    entry.update(count=len(legal), kinds=kinds, sha256=digest(map(str, legal)))
    return json.dumps({**entry, **({"trap": trap} if trap else {})})


def digest(texts: Iterable[str]) -> str:
    """Hashes moves as the files do."""
    return hashlib.sha256(",".join(sorted(texts)).encode("ascii")).hexdigest()[:16]


def grown(rules: RuleSet, number: int, seed: int) -> Iterator[str]:
    """Makes lines of random positions, each once."""
    seen: Set[Case] = set()
    for case in islice(Cases(rules, seed).hands(), 20 * number):
        if case not in seen and len(seen) < number:
            seen.add(case)
            yield position_line(rules, case)


def game_of(rules: RuleSet, entry: Dict[str, Any]) -> Game:
    """
    Plays the game of a line.

    :raises ValueError: for a deal, bids or moves that the rules refuse.
    """
    first, second, third = map(parse_hand, entry["hands"])
    over = auction(entry["bids"]) if rules.bidding else (0, 1)
    if over is None:
        raise ValueError(f"bids {entry['bids']}: the auction is not over")
    game = start(Deal(rules, (first, second, third), parse_hand(entry["bottom"])), entry["bids"], over[0])
    for move in entry["moves"]:
        game = game.play(parse_move(rules, move))
    return game


def cases_of(question: str, rules: RuleSet) -> Iterator[Any]:
    """Yields the cases of the corpus that a question is about."""
    for entry in map(json.loads, lines_of(rules)):
        if "hands" in entry:
            if question == "game":
                yield from prefixes(game_of(rules, entry))
            continue
        case = parse_case(entry["hand"], entry["to_beat"])
        if question == "moves" or (question == "beats" and case.to_beat):
            yield case
        elif question == "classify":
            yield Case(case.hand)
