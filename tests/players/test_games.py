"""Whole games between the players that need nothing but Python: every move legal, no card lost, every game ends."""

import os
import random

import pytest

from ddzbot.game import SEATS, Game, auction, is_legal_bid, shuffled, start
from ddzbot.players.base import Player
from ddzbot.players.registry import make_player
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

GAMES = int(os.environ.get("DDZ_GAMES", "12"))
"""Games under each rule set; the release check plays 10,000."""

MOST_MOVES = 3 * 54
"""Each card is played once, and at most two passes follow a move."""


def played(rules: RuleSet, seed: str, players: list[Player]) -> Game:
    """Plays a game in which the rules judge every bid and every move."""
    deal = shuffled(rules, seed)
    bids: list[int] = []
    while rules.bidding and auction(bids) is None:
        position = len(bids)
        bid = players[position].bid(BidView(rules, deal.hands[position], tuple(bids)))
        assert is_legal_bid(bids, bid)
        bids.append(bid)
    landlord, _ = auction(bids) or (0, 1)
    game = start(deal, bids, landlord)
    while not game.finished:
        player = players[(landlord + game.seat) % SEATS]
        game = game.play(player.choose(View.of(game, game.seat), Limit()).move)
        assert sum(game.hands) + sum(move.cards for move in game.plays) == rules.deck
        assert len(game.plays) <= MOST_MOVES
    return game


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_random_and_rule_players_play_whole_games(rules: RuleSet) -> None:
    dice = random.Random(rules.name)
    players = {name: make_player(name, seed=1) for name in ("random", "rule")}
    winners = set()
    for number in range(GAMES):
        table = [players[dice.choice(("random", "rule"))] for _ in range(SEATS)]
        game = played(rules, f"games/{number}", table)
        winners.add(game.winner)
        assert len({*game.scores()}) == 2
    assert winners == {*range(SEATS)}
