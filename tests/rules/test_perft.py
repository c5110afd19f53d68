"""``rules perft``: its counts are those of playing every game out, and what cannot be counted is one sentence."""

import json
import random

import pytest
from click.testing import CliRunner, Result

from ddzbot.game import Game, shuffled, start
from ddzbot.rules import rule_set
from ddzbot.search.endgame_position import Endgame
from tools.records.notation import parse_position
from tools.study.perft import perft
from tools.study.rules import main

SMALL = "standard 4667788QK2/334455QK2/9 ? -@0 - 0 -/-/-"


def command(*words: str) -> Result:
    return CliRunner().invoke(main, ["perft", *words])


def played_out(game: Game, depth: int) -> int:
    """Counts by playing, without a table of what was seen: only a game that goes on has moves."""
    if depth == 0:
        return 1
    if game.finished:
        return 0
    return sum(played_out(game.play(move), depth - 1) for move in game.legal_moves())


@pytest.mark.parametrize("text", [SMALL, "mini 9TTQ/JKA/2L ? -@0 - 0 -/-/-", "mini 9TTQ/JJ/99 ? -@0 TT:0 1 TT/-/-"])
def test_the_counts_are_those_of_every_game_that_is_played_out(text: str) -> None:
    game = parse_position(text)
    for depth in range(1, 8):
        splits = perft(Endgame.of(game), depth)
        assert {split.move: split.games for split in splits} == {
            move: played_out(game.play(move), depth - 1) for move in game.legal_moves()
        }


@pytest.mark.parametrize("rules", ["botzone", "botzone2", "mini", "standard", "icga"])
def test_the_counts_of_whole_deals_are_those_of_the_rules(rules: str) -> None:
    chance = random.Random(rules)
    bids, landlord = ((1, 2, 3), 2) if rule_set(rules).bidding else ((), 0)
    game = start(shuffled(rule_set(rules), rules), bids, landlord)
    for _ in range(chance.randrange(8, 14)):
        game = game.play(chance.choice(game.legal_moves()))
    assert sum(split.games for split in perft(Endgame.of(game), 3)) == played_out(game, 3)


def test_a_game_that_is_over_counts_nothing_below_its_end() -> None:
    position = Endgame.from_text(rule_set("standard"), ("3", "45", "67"))
    assert [[(str(one.move), one.games) for one in perft(position, depth)] for depth in (1, 2)] == [
        [("3", 1)],
        [("3", 0)],
    ]


def test_the_split_is_printed_and_adds_up() -> None:
    text = command(SMALL, "--depth", "6")
    assert text.exit_code == 0, text.output
    *moves, total = [line.split() for line in text.output.splitlines()[1:]]
    assert total == ["all", "522"]
    assert sum(int(count) for _, count in moves) == 522
    found = json.loads(command(SMALL, "--depth", "6", "--json").output)
    assert (found["rules"], found["depth"], found["count"]) == ("standard", 6, 522)
    assert [[one["move"], str(one["count"])] for one in found["moves"]] == moves


def test_a_wrong_position_is_one_sentence_that_names_it() -> None:
    done = command("standard 33/44")
    assert (done.exit_code, "position 'standard 33/44': it must have 7 words, not 2" in done.output) == (2, True)
