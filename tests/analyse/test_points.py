"""
Points that are shown are those of the rule set: a network that learned other payments has none to tell.

Every estimate depends on its training: under every rule set a lost position shows what can be paid there, or nothing.
"""

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ddzbot import api
from ddzbot.bidding import bid_by_hand
from ddzbot.engine import Engine
from ddzbot.evaluation import Criterion, evaluate, network_alone
from ddzbot.game import auction, scores, shuffled, start
from ddzbot.kernel import native
from ddzbot.net import fast_net
from ddzbot.players.champion import ChampionPlayer
from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.platforms import PLATFORMS
from tests.support import ROOT
from tools.records.notation import view_text
from tools.records.record import GameRecord, Note, record_of
from tools.records.thoughts import thought_of_note
from tools.study.analyse.__main__ import main as analyse_command
from tools.study.analyse.analyse import analyse
from tools.study.review.decisions import review_of
from tools.study.view.thoughts import thought_of_analysis
from tools.tables.play.hints import hint_lines
from tools.tables.serve.questions import HintQuestion

pytestmark = pytest.mark.usefixtures("with_kernel", "with_network")

LIMIT = Limit(playouts=200)
LOST = 0.06
"""The network gives the best move of a lost position no more."""
DOUBLED = 4
"""Bombs that are still to come make the stake no more than so many times as great in the mean."""
SLACK = 0.1
"""A chance to win may count playouts, and points the network alone: they differ by no more."""
TRICKS = 0.3
"""No player is paid more for the tricks that are still to come."""


@cache
def lost(name: str) -> tuple[GameRecord, int]:
    """Finds a game, and the number of a move in it of a player that is lost, though cards are still hidden."""
    rules, engine = RULE_SETS[name], Engine("rule")
    for number in range(200):
        deal, bids = shuffled(rules, f"lost/{number}"), ()
        while rules.bidding and auction(bids) is None:
            bids = (*bids, bid_by_hand(BidView(rules, deal.hands[len(bids)], bids)))
        over = auction(bids) if rules.bidding else (0, 1)
        assert over is not None
        game = start(deal, bids, over[0])
        while not game.finished:
            view = View.of(game, game.seat)
            choices = len(view.legal_moves())
            if choices > 1 and len(game.plays) > 9 and network_alone(view, 0).moves[0].win <= LOST:
                return record_of(game.play(view.legal_moves()[-1])), len(game.plays)
            game = game.play(engine.choose(view, Limit()).move)
    raise AssertionError(f"no lost position under {name}")


def range_of(view: View, win: float) -> tuple[float, float]:
    """Gets the bounds of an expectation in points at a chance to win of *win*."""
    seat, stake = view.seat, view.stake
    own, other = (0, 1) if seat == 0 else (1, 0)
    ends = []
    for winner in (own, other):
        # Bombs and springs only double, and tricks only add.
        least = scores(view.rules, view.plays, winner, stake)[seat]
        doubled = DOUBLED * least if view.rules.scoring.bombs_double else least
        ends.append(sorted((least, doubled)))
    (won_least, won_most), (lost_least, lost_most) = ends
    few, many = max(0.0, win - SLACK), min(1.0, win + SLACK)
    few = 0.0 if not view.rules.scoring.bombs_double else few  # what is paid in any case
    return few * won_least + (1 - few) * lost_least, many * won_most + (1 - many) * lost_most + TRICKS


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_lost_position_shows_what_its_rules_can_pay_or_nothing(name: str) -> None:
    record, ply = lost(name)
    view = record.view(ply)
    loaded = fast_net.LOADER.load(native(), name)
    told = RULE_SETS[loaded.trained_on].scoring == view.rules.scoring
    assert told == (name != "standard")
    alone, searched = network_alone(view, 0).moves, evaluate(view, LIMIT, 0).estimates.moves
    command = ["--limit", "200p", "--top", "50", view_text(view)]
    printed = json.loads(CliRunner().invoke(analyse_command, command).stdout)
    analysis = analyse(view, LIMIT, top=50)
    shown: list[dict[str, Any]] = [
        *(one._asdict() for one in (*alone, *searched, *api.analyse(view, LIMIT).moves)),
        *printed["moves"],
        {"win": printed["win"], "score": printed["score"]},
        *HintQuestion(view, LIMIT).answer()["moves"],
        *thought_of_analysis(analysis, view.legal_moves()[0].cards)["moves"],
    ]
    for one in shown:
        least, most = range_of(view, one["win"])
        assert (one["score"] is not None) == told and (one["score"] is None or least <= one["score"] <= most), one
    assert any(" points" in line for line in hint_lines(view, LIMIT)) == view.rules.bidding
    reviewed = review_of(record, 1, ply, LIMIT)
    assert reviewed is not None and (reviewed.review.points_loss is not None) == told


@pytest.mark.parametrize("name", ["standard", "botzone2"])
def test_a_player_that_plays_for_points_tells_only_those_of_its_rules(name: str) -> None:
    record, ply = lost(name)
    player = ChampionPlayer(0, objective="adp", solver="none")
    decision = player.choose(record.view(ply), LIMIT)
    thought = thought_of_note(Note(debug={"player": "champion", **decision.debug}), decision.move.cards, False)
    assert thought is not None and len(thought["moves"]) > 0
    assert any("score" in one for one in thought["moves"]) == (name == "botzone2")


@pytest.fixture
def of_other_rules(with_network: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The networks of botzone play under all rules."""
    folder = ROOT / "weights"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    names = manifest["current"]["fast-2"]
    manifest["current"] = {"fast-2": dict.fromkeys(names, names["botzone"])}
    shutil.copy(folder / names["botzone"], tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    fast_net.LOADER.forget()


@pytest.mark.usefixtures("of_other_rules")
@pytest.mark.parametrize("name", PLATFORMS)
def test_a_network_of_other_rules_ranks_by_chances_alone(name: str) -> None:
    game = start(shuffled(RULE_SETS[name], "other"), (3,) if RULE_SETS[name].bidding else ())
    view = View.of(game, 0)
    found = evaluate(view, LIMIT, 0).estimates
    assert found.source.decides is Criterion.WIN
    assert all((one.score is None) == (name not in ("botzone", "mini")) for one in found.moves)
    wins = [one.win for one in found.moves if one.visits]
    assert wins == sorted(wins, reverse=True)
    assert " points" not in "".join(hint_lines(view, LIMIT))
