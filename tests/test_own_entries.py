"""By the pages, a user adds a rule set or a player with one entry, and all commands know it."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ddzbot.kernel.binding import Kernel
from tests.support import ROOT, command_line

PLAYED = """
from random import Random
from itertools import islice
from ddzbot.api import BidView, Limit, View, choose, explain, parse_hand, rule_set, shuffled, start
from ddzbot.kernel import native
from ddzbot.rules import classify, legal_moves
from ddzbot.testing import check_moves
from ddzbot.testing.cases import Cases

house, kernel = rule_set("house"), native()
assert kernel is not None
for case in islice(Cases(house, 1).hands(), 400):
    table = case.move_to_beat(house)
    assert kernel.legal_moves(house, case.hand, table) == legal_moves(house, case.hand, table), case
for case in islice(Cases(house, 2).sets(), 400):
    for recognised in (False, True):
        assert kernel.classify(house, case.hand, recognised) == classify(house, case.hand, recognised), case
cards = parse_hand("333345")
assert "four_two_solo" in str(explain(house, cards, cards)) and classify(house, cards, recognised=True)
check_moves(lambda hand, table: [str(move) for move in legal_moves(
    house, parse_hand(hand), classify(house, parse_hand(table), True)[0] if table else None)], "house", tries=200)
game, chance = start(shuffled(house, "own entries")), Random(1)
decision = choose(View.of(game, 0), Limit(playouts=200))
assert decision.player == "mctshs" and "house" in decision.failures[0].reason, decision
while not game.finished:
    game = game.play(chance.choice(game.legal_moves()))
assert sum(game.scores()) == 0
print("played")
"""
GENERATOR = """
import json, sys
from ddzbot.api import legal_moves, parse_hand, read_move, rule_set
rules = rule_set("house")
for line in sys.stdin:
    asked = json.loads(line)
    table = read_move(rules, parse_hand(asked["to_beat"])) if asked["to_beat"] else None
    print(json.dumps([str(move) for move in legal_moves(rules, parse_hand(asked["hand"]), table)]), flush=True)
"""


def block_of(page: str, beginning: str) -> str:
    """Gets the block of code of a page that begins so."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.S)
    return next(block for block in blocks if block.startswith(beginning))


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory, kernel: Kernel) -> Path:
    """A copy of the program with the rule set of the one page, and the player of the other."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("ddzbot", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so"))
    shutil.copy(ROOT / "bot.py", folder)
    (folder / "weights").symlink_to(ROOT / "weights")
    (folder / "build").mkdir()
    (folder / "build" / "ddz_kernel.so").symlink_to(kernel.library.path)
    rules = folder / "ddzbot" / "rule_sets.py"
    text, entry = rules.read_text("utf-8"), block_of("docs/reference/rules.md", "from ddzbot.rules import FOUR")
    _, _, entry = entry.partition("\n\n")  # rule_sets.py has the names of the import
    text = text.replace("RULE_SETS = {", f"{entry}\nRULE_SETS = {{").replace(
        "STANDARD, ICGA)}", "STANDARD, ICGA, HOUSE)}"
    )
    rules.write_text(text, "utf-8")
    page = (ROOT / "docs/guide/learner.md").read_text("utf-8")
    line = re.search(r'`("greedy": .*),`', page)
    assert line is not None
    registry = folder / "ddzbot" / "players" / "registry.py"
    registry.write_text(
        registry.read_text("utf-8").replace("_CLASSES = {\n", f"_CLASSES = {{\n    {line[1]},\n"), "utf-8"
    )
    (folder / "ddzbot" / "players" / "mine.py").write_text(block_of("docs/guide/learner.md", "# mine.py"), "utf-8")
    return folder


def python(folder: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_an_added_rule_set_plays_alike_in_python_and_kernel_and_has_a_fallback(checkout: Path) -> None:
    assert python(checkout, "-c", PLAYED) == "played\n"


@pytest.mark.whole
def test_an_added_rule_set_has_matches_records_and_pages(checkout: Path, tmp_path: Path) -> None:
    games, page = tmp_path / "games.jsonl", tmp_path / "page.html"
    plays = ["-m", "tools", "match", "rule", "random", "--rules", "house", "--sets", "2", "--jobs", "1", "--quiet"]
    assert "rules house" in python(checkout, *plays, "--save-games", str(games))
    assert "4 games" in python(checkout, "-m", "tools", "records", "check", str(games))
    python(checkout, "-m", "tools", "view", str(games), "--out", str(page))
    assert '"house"' in page.read_text("utf-8")
    asked = python(checkout, "-m", "tools", "match", "champion", "rule", "--rules", "house", "--sets", "1", code=2)
    assert "champion" in asked and "rules house" in asked and "mctshs" in asked


def test_an_added_rule_set_is_analysed_and_the_fallback_is_named(checkout: Path) -> None:
    position = "house 0 56689TTJJJQQKAAB 5JJ -@0 3334,3444,999T,-,-,55667788,-,-,K"
    said = " ".join(python(checkout, "-m", "tools", "analyse", "--human", position, "--limit", "500p").split())
    assert "mctshs, 500 playouts" in said and "not the champion" in said and "under house" in said


@pytest.mark.whole
def test_an_added_rule_set_has_its_rules_asked_and_a_program_checked(checkout: Path, tmp_path: Path) -> None:
    grown = python(checkout, "-m", "tools", "rules", "corpus", "--rules", "house", "--grow", "3").splitlines()
    assert [set(json.loads(line)) >= {"hand", "to_beat", "count"} for line in grown] == 3 * [True]
    refused = python(checkout, "-m", "tools", "rules", "classify", "333345", "--rules", "house", code=1)
    assert "four_two_solo" in refused and "house" in refused
    (checkout / "generator.py").write_text(GENERATOR)
    words = [
        "rules",
        "check",
        command_line(sys.executable, "generator.py"),
        "--rules",
        "house",
        "--tries",
        "100",
        "--json",
    ]
    assert json.loads(python(checkout, "-m", "tools", *words))["differences"] == []


@pytest.mark.whole
def test_the_doctor_names_it_and_does_not_say_that_anything_is_missing(checkout: Path) -> None:
    found = json.loads(python(checkout, "-m", "tools", "doctor", "--json"))
    assert found["plays_in_full"] and not {"kernel", "network", "decision"} & set(found["advice"])
    assert found["decision"]["untrained"]["house"]["chose"] == "mctshs"
    states = {(one["player"], one["state"]) for one in found["networks"] if "house" in one["rules"]}
    assert ("champion", "none") in states and {state for _, state in states} == {"none"}


@pytest.mark.whole
def test_an_added_player_plays_under_its_name(checkout: Path, tmp_path: Path) -> None:
    plays = ["-m", "tools", "match", "greedy", "random", "--rules", "house", "--sets", "2", "--jobs", "1", "--quiet"]
    assert "greedy: " in python(checkout, *plays)
    assert "as many cards as it may" in python(checkout, "-m", "tools", "match", "greedy:help")
    line = {"requests": [{"history": [[], []], "own": [0, 4, 8, 12, 16, 20], "publiccard": []}], "responses": []}
    done = subprocess.run(
        [sys.executable, "bot.py", "--player", "greedy"],
        input=json.dumps(line),
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert "response" in json.loads(done.stdout)
    bundle = ["-m", "tools", "bundle", "--player", "greedy", "--kernel", "none", "--out", str(tmp_path / "mine.zip")]
    assert "Player: greedy" in python(checkout, *bundle)


@pytest.mark.parametrize("options", ["", ":depth=3"])
def test_a_class_of_a_module_plays_as_the_guide_says(options: str, tmp_path: Path) -> None:
    code = block_of("docs/guide/learner.md", "# mine.py")
    if options:
        code = code.replace(
            "    def choose", "    def __init__(self, seed=0, depth=1):\n        pass\n\n    def choose"
        )
    (tmp_path / "mine.py").write_text(code)
    words = [sys.executable, "-m", "tools", "match", f"mine:Mine{options}", "rule", "--sets", "2", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and f"mine:Mine{options}: " in done.stdout, done.stdout + done.stderr
    assert "failures 0" in done.stdout
