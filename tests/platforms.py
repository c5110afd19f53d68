"""The rule sets that this project has networks, a corpus and pages for: tests of such facts ask for these by name."""

from ddzbot.rules import rule_set

PLATFORMS = {name: rule_set(name) for name in ("botzone", "botzone2", "mini", "standard", "icga")}
"""A property of every rule set is asked of RULE_SETS instead, which one more entry makes longer."""
