"""Whole games that the two platform judges ran and scored; see tests/data/botzone/README.md."""

import gzip
import json
from typing import Any

import pytest

from ddzbot.cards import hand_of_ids
from ddzbot.game import SEATS, Deal, Game, auction, fits, start
from ddzbot.rules import read_move, rule_set
from tests.support import ROOT

GAMES = ROOT / "tests" / "data" / "botzone" / "scored_games.jsonl.gz"
RULES = {"FightTheLandlord": rule_set("botzone"), "FightTheLandlord2": rule_set("botzone2")}


def records(game: str) -> list[dict[str, Any]]:
    with gzip.open(GAMES, "rt", encoding="ascii") as lines:
        return [record for record in map(json.loads, lines) if record["game"] == game]


def deal_of(record: dict[str, Any]) -> Deal:
    """Reads the dealt cards; the first game's judge gives the landlord the bottom before the deal is written down."""
    bottom = hand_of_ids(record["initdata"]["publiccard"])
    first, second, third = (hand_of_ids(ids) for ids in record["initdata"]["allocation"])
    if record["game"] == "FightTheLandlord":
        first -= bottom
    return Deal(RULES[record["game"]], (first, second, third), bottom)


def replay(record: dict[str, Any]) -> Game:
    """Plays every recorded move; :meth:`Game.play` refuses an illegal one."""
    bids = record["bids"]
    over = auction(bids) if bids else (0, 1)
    assert over, f"the auction {bids} is not over"
    game = start(deal_of(record), bids, over[0])
    for ids in record["moves"]:
        move = read_move(game.rules, hand_of_ids(ids))
        assert move in game.legal_moves()
        game = game.play(move)
    return game


@pytest.mark.parametrize("game_name", RULES)
def test_every_recorded_game_is_legal_and_scored_as_the_judge_scored_it_to_the_last_digit(game_name: str) -> None:
    found = records(game_name)
    assert len(found) == 40
    for record in found:
        assert fits(deal_of(record))
        game = replay(record)
        by_position = [game.scores()[(position - game.landlord_position) % SEATS] for position in range(SEATS)]
        assert by_position == record["scores"]
