"""The search for differences: asks case after case, shrinks what differs, and keeps one smallest case of each kind."""

import time
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, NamedTuple, Optional, Tuple

from ddzbot.rules import RuleSet
from ddzbot.testing.questions import Difference, Question

Ask = Callable[[Dict[str, Any]], Any]
"""Asks a program: takes what :attr:`Question.asked` makes, returns its answer."""

MOST_STEPS = 600
"""Questions that one difference is shrunk with."""

Found = Dict[Tuple[bool, str], Dict[FrozenSet[str], Difference]]


class Limits(NamedTuple):
    """When a search ends."""

    tries: int = 3000
    seconds: float = 10.0
    first_only: bool = False
    """At the first difference."""


class Report(NamedTuple):
    """The result of a search for differences."""

    tried: int
    """Cases, without those that a difference was shrunk with."""
    differences: List[Difference]
    """The smallest case of each kind, in the order of discovery."""
    after: List[float]
    """Seconds until each was found and shrunk."""
    seconds: float


def search(
    rules: RuleSet, question: Question, ask: Ask, cases: Iterable[Any], limits: Optional[Limits] = None
) -> Report:
    """Asks about *cases* until the limits or the cases end, and gathers the kinds of difference."""
    tries, seconds, first_only = limits or Limits()
    begin = time.monotonic()
    families: Found = {}
    differences: List[Difference] = []
    after: List[float] = []
    tried = 0
    for case in cases:
        if tried >= tries or time.monotonic() - begin >= seconds or (first_only and differences):
            break
        tried += 1
        for difference in _of_answer(rules, question, ask, case):
            if _is_known(families, difference):
                continue
            small = _shrunk(rules, question, ask, difference, begin + seconds)
            is_old = _is_known(families, small)
            families.setdefault(difference.family, {})[small.features] = small
            if not is_old:
                differences.append(small)
                after.append(time.monotonic() - begin)
            if first_only or time.monotonic() - begin >= seconds:
                break
    return Report(tried, differences, after, time.monotonic() - begin)


def _of_answer(rules: RuleSet, question: Question, ask: Ask, case: Any) -> List[Difference]:
    return list(question.differences(rules, case, ask(question.asked(rules, case))))


def _is_known(found: Found, difference: Difference) -> bool:
    """Checks if a difference has all that is peculiar about one of its kind that was found."""
    return any(features <= difference.features for features in found.get(difference.family, ()))


def _shrunk(rules: RuleSet, question: Question, ask: Ask, difference: Difference, end: float) -> Difference:
    """Takes smaller cases as long as they show a difference of the kind, or of a simpler one of its family."""
    steps = 0
    smallest = difference
    while steps < MOST_STEPS and time.monotonic() < end:
        for case in question.smaller(rules, smallest):
            steps += 1
            better = [
                smaller
                for smaller in _of_answer(rules, question, ask, case)
                if smaller.family == smallest.family and smaller.features <= smallest.features
            ]
            if better:
                smallest = min(better, key=lambda smaller: (len(smaller.features), smaller.sentence(rules)))
                break
            if steps >= MOST_STEPS or time.monotonic() >= end:
                break
        else:
            break
    return smallest
