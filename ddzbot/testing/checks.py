"""Checks for your own tests: each raises AssertionError with a message about the smallest difference."""

from itertools import chain
from typing import Any, Callable, Dict, Iterable, List, Union

from ddzbot.testing.corpus import cases_of
from ddzbot.testing.game_steps import STEPS
from ddzbot.testing.own_rules import Rules, rules_of
from ddzbot.testing.questions import BEAT, CLASSIFY, MOVES, Question
from ddzbot.testing.search import Ask, Limits, Report, search

Kind = Union[bool, None, str, Iterable[str]]


def check_moves(
    my_moves: Callable[[str, str], Iterable[str]],
    rules: Rules = "botzone",
    tries: int = 1500,
    seconds: float = 10.0,
    seed: int = 0,
) -> None:
    """
    Checks a move generator: ``my_moves("4456", "3")`` lists ``["pass", "4", "5", "6"]`` in any order.

    The second text is ``""`` on a lead. The corpus of the rule set comes first, then random hands from *seed*.

    :raises AssertionError: with the smallest hand on which the rules say something else, and why.
    """
    _check(MOVES, lambda one: my_moves(one["hand"], one["to_beat"]), rules, Limits(tries, seconds, True), seed)


def check_classify(
    my_classify: Callable[[str], Kind],
    rules: Rules = "botzone",
    tries: int = 3000,
    seconds: float = 10.0,
    seed: int = 0,
) -> None:
    """
    Checks a classifier: ``my_classify("3334")`` is true or false, or names the kind as :data:`ddzbot.rules.KIND_NAMES`
    does; where cards have several readings one of them is enough.

    :raises AssertionError: as :func:`check_moves`.
    """
    _check(CLASSIFY, lambda one: my_classify(one["cards"]), rules, Limits(tries, seconds, True), seed)


def check_beats(
    my_beats: Callable[[str, str], bool],
    rules: Rules = "botzone",
    tries: int = 3000,
    seconds: float = 10.0,
    seed: int = 0,
) -> None:
    """
    Checks a comparison: ``my_beats("44", "33")`` is true; the first may be no move at all, the second is one.

    :raises AssertionError: as :func:`check_moves`.
    """
    _check(BEAT, lambda one: my_beats(one["cards"], one["to_beat"]), rules, Limits(tries, seconds, True), seed)


def check_game(
    my_step: Callable[[List[str], str, List[int], List[str]], Dict[str, Any]],
    rules: Rules = "botzone",
    tries: int = 500,
    seconds: float = 10.0,
    seed: int = 0,
) -> None:
    """
    Checks a game: ``my_step(hands, bottom, bids, moves)`` returns the state after these moves from that deal.

    Hands are by position, as dealt. The answer may have ``landlord`` and ``turn`` (positions; no turn is None),
    ``to_beat`` (text; ``""`` on a lead) and ``scores`` (by position; None before the end); the rest is not checked.

    :raises AssertionError: as :func:`check_moves`.
    """
    _check(
        STEPS,
        lambda one: my_step(one["hands"], one["bottom"], one["bids"], one["moves"]),
        rules,
        Limits(tries, seconds, True),
        seed,
    )


def _check(question: Question, ask: Ask, rules: Rules, limits: Limits, seed: int) -> None:
    rules = rules_of(rules)
    for difference in find(question, ask, rules, limits, seed).differences:
        raise AssertionError(difference.sentence(rules))


def find(question: Question, ask: Ask, rules: Rules, limits: Limits, seed: int = 0) -> Report:
    """Searches for differences, first in the corpus, then in random cases from *seed*."""
    rules = rules_of(rules)
    return search(rules, question, ask, chain(cases_of(question.name, rules), question.random(rules, seed)), limits)
