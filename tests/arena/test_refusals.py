"""What each command that plays matches refuses before the first game, in one sentence: a table for each."""

import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tools.command import main

MATCH = [
    ("rule", "a match needs two contestants, not 1"),
    ("rule missing", "player 'missing' is unknown"),
    ("rule ./no_such_bot", "there is no program ./no_such_bot"),
    ("anna=rule anna=random", "contestants anna, anna: different ones need different names"),
    ("rule random rule", "contestants random, rule, rule: in a cross table each must be named once"),
    ("rule random rule --gauntlet", "contestants rule, random, rule: in a cross table each must be named once"),
    ("rule 'python3 bot.py' --rules standard", "programs play botzone, botzone2, mini, not standard"),
    ("rule random --rules chess", "'chess' is not one of"),
    ("rule random --limit 5", "limit '5' must be like"),
    ("rule random --sets 0", "'0' must be a number from 1"),
    ("rule random --sets 5-x", "'5-x' must be a number from 1, or two such as 200-500"),
    ("rule random --sets 5-9", "sets up to 9: only three or more that all meet have neighbours"),
    ("rule random rhcp --sets 7-6", "neighbours 6 must be at least the 7 sets of every pair"),
    ("rule random --sprt 3 0", "upper bound"),
    ("rule random rhcp --sprt 0 3", "a sequential test needs exactly two contestants, not 3"),
    ("rule random rhcp --gauntlet --sprt 0 3", "a sequential test needs exactly two contestants, not 3"),
    ("rule random --seed No/1", "namespace 'No' must be a lower-case word"),
    ("rule random --seed -1", "'-1' must be a number from 0, perhaps behind a word: 7 or gate/7"),
    ("rule random --replay-pairs rule", "--replay-pairs rule: it is for three or more that all meet"),
    ("rule random rhcp --replay-pairs rule", "--replay-pairs rule: name the --results that have them"),
    ("rule random rhcp --replay-pairs bob --results r.json", "--replay-pairs bob: it does not play; there are random,"),
    ("rule random --thoughts", "--thoughts are kept with the games, which --save-games FILE writes"),
    ("rule random --save-games g.txt", "games file g.txt: the suffix '.txt' says no format"),
    ("rule random --save-games g.icga", "games file g.icga: games are kept as .ddzn or .jsonl"),
    ("rule random --save-games no/g.ddzn", "games file no/g.ddzn: it cannot be written (File exists)"),
    *(
        (f"rule random --sets 12 --replay-game {number}", f"game {number!r}")
        for number in ("x", "1", "12.0", "0.2", "1.0.0", "-1.0")
    ),
    ("rule random --deals no", "deals file no"),
]
SEATS = [
    ("rule rule", "this match needs 3 contestants, not 2"),
    ("rule rule rule rule", "this match needs 3 contestants, not 4"),
    ("rule rule rule --rules botzone2", "rules botzone2: with bidding no contestant has a fixed seat"),
    ("rule rule rule --sets 5-9", "'5-9' must be a number from 1."),
    ("rule rule rule --replay-game 200.0", "game '200.0': there are 100 sets of 1 games"),
]
SERIES = [
    ("missing random random", "player 'missing' is unknown"),
    ("rule random", "this match needs 3 contestants, not 2"),
    ("rule random mcm@2s", "contestant 'mcm@2s': a limit of its own counts in matches alone"),
    ("rule random rule --limit 50p", "limit '50p': in a series an answer has 0.1s or more, and no playouts"),
    ("rule random rule --limit 0.01s", "limit '0.01s': in a series an answer has 0.1s or more, and no playouts"),
    ("'no-such-engine --fast' rule rule", "there is no program no-such-engine"),
    ("'python -c pass' rule rule --save-games g.txt", "games file g.txt: the suffix '.txt' says no format"),
    ("'python -c pass' rule rule --save-games g.icga", "games file g.icga: games are kept as .ddzn or .jsonl"),
]
CLASS = [
    ("none", "'none' does not exist"),
    ("empty", "there is no program in it"),
    ("empty --rules standard", "'standard' is not one of"),
    ("empty missing", "there is no program in it"),
]
DEALS = [
    ("d.txt --chance 60 40", "--chance 60 40: the lower one comes first"),
    ("d.txt --seed No/1", "namespace 'No' must be a lower-case word"),
    ("d.txt --count 0", "0 is not in the range"),
]
REPORT = [
    ("none.json", "results file none.json: it cannot be read (No such file or directory)"),
    ("no", "results file no: it is not a ddzbot-match/3 file"),
    ("no --limit 5", "limit '5' must be like"),
]
TABLES = {"match": MATCH, "seats": SEATS, "series": SERIES, "class": CLASS, "deals": DEALS, "report": REPORT}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(f"{command} {words}", sentence) for command, table in TABLES.items() for words, sentence in table],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("no").touch()
    Path("empty").mkdir()
    done = CliRunner().invoke(main, shlex.split(words))
    said = " ".join(done.stderr.split())
    assert done.exit_code == 2 and sentence in said, done.output
    assert {path.name for path in tmp_path.iterdir()} <= {"no", "empty", "r.json"}


@pytest.mark.parametrize("command", TABLES)
def test_a_command_has_at_most_twenty_options(command: str) -> None:
    found = main.get_command(click.Context(main), command)
    assert found is not None and sum(isinstance(one, click.Option) for one in found.params) <= 20
