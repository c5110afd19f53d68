"""A rule set to test by: one of the package by its name, or one of your own, as an object or in a Python file."""

import os
import runpy
from typing import Any, Dict, List, Union

from ddzbot.cards import size
from ddzbot.game import SEATS
from ddzbot.rules import RULE_SETS, RulesError, RuleSet, rule_set

Rules = Union[str, "os.PathLike[str]", RuleSet]
"""Type alias: the name of a rule set, a Python file that defines one, or one of your own."""


def rules_of(given: Rules) -> RuleSet:
    """
    Gets a rule set: ``rules_of("standard")``, ``rules_of("house.py")`` or ``rules_of(HOUSE)``.

    A file is run, and must leave one rule set that the package does not have.

    :raises RulesError: for an unknown name, a file that does not define a rule set, or one that no game can be played
        by.
    """
    if isinstance(given, RuleSet):
        return _checked(given, "rules " + repr(given.name))
    path = os.fspath(given)
    if not path.endswith(".py"):
        return rule_set(path)
    try:
        names = runpy.run_path(path)
    except Exception as error:  # whatever the file does
        raise RulesError(f"rules file {path}: it cannot be run ({type(error).__name__}: {error})") from None
    own = _own(names)
    if len(own) != 1:
        names_of_own = ", ".join(rules.name for rules in own) or "none"
        raise RulesError(f"rules file {path}: it must define one RuleSet of its own, not {names_of_own}")
    return _checked(own[0], f"rules file {path}")


def _own(names: Dict[str, Any]) -> List[RuleSet]:
    """Lists the rule sets among the names of a file that the package does not have, each once."""
    own: List[RuleSet] = []
    for entry in names.values():
        if isinstance(entry, RuleSet) and entry not in own and RULE_SETS.get(entry.name) != entry:
            own.append(entry)
    return own


def _checked(rules: RuleSet, where: str) -> RuleSet:
    registered = RULE_SETS.get(rules.name)
    if registered is not None and registered != rules:
        raise RulesError(f"{where}: the package has rules {rules.name}, which are others: choose another name")
    if SEATS * rules.dealt + rules.bottom_size != size(rules.deck):
        cards = f"{SEATS} x {rules.dealt} cards and {rules.bottom_size} do not make a deck of {size(rules.deck)}"
        raise RulesError(f"{where}: {cards}")
    return rules
