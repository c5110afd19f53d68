"""A rule set of your own, from a file or as an object, in the checks and in ``rules``."""

import copy
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ddzbot.cards import parse_hand
from ddzbot.rules import FOUR_TWO_PAIR, FOUR_TWO_SOLO, RULE_SETS, STANDARD, RulesError, RuleSet, legal_moves, parse_move
from ddzbot.testing import check_moves
from ddzbot.testing.own_rules import rules_of
from tests.support import ROOT, command_line
from tools.study.rules import main

FILE = """
from ddzbot.rules import FOUR_TWO_PAIR, FOUR_TWO_SOLO, STANDARD

HOUSE = STANDARD._replace(
    name="house",
    legal=tuple(shape for shape in STANDARD.legal if shape.kind not in (FOUR_TWO_SOLO, FOUR_TWO_PAIR)),
)
"""
HOUSE = STANDARD._replace(
    name="house", legal=tuple(shape for shape in STANDARD.legal if shape.kind not in (FOUR_TWO_SOLO, FOUR_TWO_PAIR))
)
"""What the file defines."""
PROGRAM = """
import json, sys
from ddzbot.cards import parse_hand
from ddzbot.rules import legal_moves, parse_move
from ddzbot.testing.own_rules import rules_of
rules = rules_of(sys.argv[1])
for asked in map(json.loads, sys.stdin):
    table = parse_move(rules, asked["to_beat"]) if asked["to_beat"] else None
    print(json.dumps([str(move) for move in legal_moves(rules, parse_hand(asked["hand"]), table)]), flush=True)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "house.py").write_text(FILE)
    return tmp_path / "house.py"


def moves(rules_name: str) -> Result:
    return CliRunner().invoke(main, ["legal", "33334567", "--rules", rules_name])


def my_moves(hand: str, to_beat: str) -> list[str]:
    table = parse_move(HOUSE, to_beat) if to_beat else None
    return [str(move) for move in legal_moves(HOUSE, parse_hand(hand), table)]


def test_a_file_an_object_and_a_name_are_rules(file: Path) -> None:
    assert rules_of(str(file)) == rules_of(file) == rules_of(HOUSE) == HOUSE
    assert rules_of("standard") is STANDARD


def test_a_file_that_names_it_twice_has_one(file: Path) -> None:
    file.write_text(FILE + "OURS = HOUSE\n")
    assert rules_of(file) == HOUSE


@pytest.mark.parametrize("as_file", [False, True])
def test_the_checks_go_by_a_house_rule(file: Path, as_file: bool) -> None:
    check_moves(my_moves, rules=file if as_file else HOUSE, tries=150)
    with pytest.raises(AssertionError, match=r"yours lacks 3333\w+, the rules have it.*rules standard"):
        check_moves(my_moves, rules="standard", tries=3000)


def test_the_commands_go_by_a_file(file: Path) -> None:
    assert "four_two_solo" in moves("standard").output
    done = moves(str(file))
    assert (done.exit_code, "four_two_solo" in done.output, "bomb" in done.output) == (0, False, True)


@pytest.mark.whole
def test_a_program_is_checked_by_a_file(file: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    program = command_line("env", f"PYTHONPATH={ROOT}", sys.executable, tmp_path / "program.py")
    words = ["check", "--rules", str(file), "--tries", "200", "--no-sandbox"]
    right = CliRunner().invoke(main, [*words, f"{program} {file}"])
    assert right.output.startswith("No difference in 200 cases, 0 of them of the corpus (moves, rules house"), right
    other = CliRunner().invoke(main, [*words, f"{program} standard", "--tries", "2000"])
    assert other.exit_code == 1
    assert "yours has 3333" in other.output or "four_two" in other.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it must define one RuleSet of its own, not none"),
        (FILE + "OTHER = HOUSE._replace(name='other')\n", "it must define one RuleSet of its own, not house, other"),
        ("import nowhere_at_all\n", "it cannot be run (ModuleNotFoundError: No module named 'nowhere_at_all')"),
        (FILE.replace('"house"', '"standard"'), "the package has rules standard, which are others: choose another"),
        (FILE.replace('"house"', '"house", dealt=16'), "3 x 16 cards and 3 do not make a deck of 54"),
    ],
)
def test_a_wrong_file_is_one_sentence_that_names_it(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(RulesError) as refused:
        rules_of(file)
    assert str(refused.value).startswith(f"rules file {file}: {said}")
    done = moves(str(file))
    assert done.exit_code == 2
    assert said.split(",")[0] in " ".join(done.output.split())


def test_a_missing_file_and_an_unknown_name_are_named(tmp_path: Path) -> None:
    missing = moves(str(tmp_path / "missing.py"))
    assert missing.exit_code == 2 and "missing.py: it cannot be run (FileNotFoundError" in missing.output
    unknown = moves("mahjong")
    assert unknown.exit_code == 2 and "'mahjong' is not one of 'botzone'" in unknown.output


def test_a_changed_object_with_a_name_of_the_package_is_refused() -> None:
    with pytest.raises(RulesError, match="the package has rules standard, which are others"):
        check_moves(my_moves, rules=HOUSE._replace(name="standard"))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda rules: pickle.loads(pickle.dumps(rules))])
def test_a_rule_set_that_has_a_name_is_one_object_in_a_process(copied: Callable[[RuleSet], RuleSet]) -> None:
    assert all(copied(rules) is rules for rules in RULE_SETS.values())
    changed = STANDARD._replace(dealt=16)
    for own in (HOUSE, changed):
        assert copied(own) == own and type(copied(own)) is RuleSet and own.name == copied(own).name
