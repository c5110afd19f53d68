"""One rule set is taken by every command that is told none."""

import re

from tests.support import ROOT
from tools.shared.default_rules import AUCTION_RULES, DEFAULT_RULES

OPTION = re.compile(r"click\.option\(\s*\"--rules\"(.*?)\n(?=@|def |    [a-z_]+ = )", re.DOTALL)
DEFAULT = re.compile(r"\bdefault=([^,)]+)")
OF_AUCTIONS = {"tools/training/auction/command.py", "tools/tables/serve/__main__.py"}

COMMANDS = {
    path.relative_to(ROOT).as_posix(): defaults
    for path in sorted((ROOT / "tools").rglob("*.py"))
    if (defaults := [found for option in OPTION.findall(path.read_text("utf-8")) for found in DEFAULT.findall(option)])
}


def test_the_rule_sets_are_those_of_the_documents() -> None:
    assert (DEFAULT_RULES, AUCTION_RULES) == ("botzone", "botzone2")
    assert len(COMMANDS) >= 11


def test_no_command_has_a_rule_set_of_its_own() -> None:
    for file, defaults in COMMANDS.items():
        expected = "AUCTION_RULES" if file in OF_AUCTIONS else "DEFAULT_RULES"
        assert set(defaults) == {expected}, file


def test_no_other_module_names_a_default() -> None:
    named = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "tools").rglob("*.py"))
        if re.search(
            r"rules(: str)? ?= ?\"(botzone2?|standard|mini|icga)\"|\"rules\": \"(botzone|standard)\"",
            path.read_text("utf-8"),
        )
    ]
    assert named == []
