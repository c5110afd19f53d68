"""One estimate: the same numbers wherever they are shown, refined by more playouts, with errors that are true."""

import asyncio
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from ddzbot import api
from ddzbot.cards import hand_text, parse_hand
from ddzbot.evaluation import evaluate
from ddzbot.game import shuffled, start
from ddzbot.players.champion import ChampionPlayer
from ddzbot.rules import BOTZONE2
from ddzbot.search.limit import Limit
from tests.analyse.errors import beside, positions, within
from tests.search.positions import endgame
from tests.support import ROOT
from tools.records.files import read_records
from tools.records.notation import parse_view, view_text
from tools.records.record import GameRecord, Note, record_of
from tools.records.terminal_thoughts import thought_lines
from tools.records.thoughts import WORLDS, thought_of_note
from tools.shared.words import words
from tools.study.analyse.__main__ import main as analyse_command
from tools.study.analyse.model import percent
from tools.study.review.decisions import review_of
from tools.study.view.__main__ import _analyses
from tools.tables.play.hints import hint_lines
from tools.tables.serve.questions import HintQuestion
from tools.tables.web.pasted import Shelf, look_at

pytestmark = pytest.mark.usefixtures("with_kernel", "with_network")

LIMIT = Limit(playouts=300)
LEAD = "botzone 0 344568889TTQQQQKAA2B 8TQ -@0 ."
"""Where a move once lost six points of chance by more playouts, since two others changed places."""
POINTS = "botzone2 0 KKAAA22L JAA 3@0 3456789T,-,-,9JJJ,-,-"
"""Where the move that wins most often is not the one that is paid most."""


def game_of_points() -> GameRecord:
    game = start(shuffled(BOTZONE2, "one estimate"), (3,))
    for _ in range(5):
        game = game.play(game.legal_moves()[0])
    return record_of(game)


def some_games() -> list[tuple[GameRecord, int]]:
    """A decision under either rules, with its record up to it: the second time its cards are the worst ones."""
    (demo,) = read_records(ROOT / "tests" / "data" / "rule-demo-1.ddzn")
    found = [(demo, 4), (game_of_points(), 3)]
    return [(replace(record, moves=record.moves[: ply + 1]), ply) for record, ply in found]


def numbers(moves: list[dict[str, Any]], points: bool) -> dict[str, float]:
    return {one["move"]: one["score" if points else "win"] for one in moves}


@pytest.mark.whole
@pytest.mark.parametrize("which", [0, 1], ids=["chance", "points"])
def test_every_surface_says_the_same_number_of_the_same_move(which: int) -> None:
    record, ply = some_games()[which]
    view, points = record.view(ply), bool(which)
    found = api.analyse(view, LIMIT).moves
    wanted = {str(one.move): round((one.score or 0.0) if points else one.win, 4) for one in found}
    command = ["--limit", "300p", "--top", "50", view_text(view)]
    printed = json.loads(CliRunner().invoke(analyse_command, command).stdout)["moves"]

    async def prepare(rules: str, for_person: bool) -> None:
        """Has nothing to load here."""

    shelf: Any = Shelf(reviews=None)  # type: ignore[arg-type]
    pasted = asyncio.run(look_at(view_text(view), shelf, LIMIT, prepare))["analysis"]["moves"]
    hinted = HintQuestion(view, LIMIT).answer()["moves"]
    reviewed = review_of(record, 1, ply, LIMIT)
    assert reviewed is not None
    for moves in (printed, pasted, hinted, reviewed.analysis.as_json()["moves"]):
        told = numbers(moves, points)
        assert told == {move: wanted[move] for move in told} and len(told) >= 3
    best, mine = found[0], next(one for one in found if one.move == reviewed.review.made)
    assert reviewed.review.loss == ((best.score or 0) - (mine.score or 0) if points else best.win - mine.win)
    thought = _analyses({1: record}, LIMIT)[1][ply]
    shown = {one["cards"]: one["score" if points else "win"] for one in thought["moves"]}
    assert all(shown.get(hand_text(one.move.cards), wanted[str(one.move)]) == wanted[str(one.move)] for one in found)
    lines = hint_lines(view, LIMIT)
    for line, one in zip(lines, found[:3], strict=False):
        assert f"wins {percent(one.win)}" in line and (f"{one.score:+.2f} points" in line) == points


@pytest.mark.whole
def test_more_playouts_refine_a_number_and_never_let_it_jump() -> None:
    view = parse_view(LEAD)
    few, *more = (evaluate(view, Limit(playouts=playouts), 0).estimates for playouts in (2000, 8000))
    for later in more:
        known = {one.move: one for one in later.moves}
        for one in few.moves:
            if one.visits:
                assert one.error is not None and abs(one.win - known[one.move].win) <= 3 * one.error
                assert (known[one.move].error or 1.0) < one.error
    # No move is given up: all that take part have met the same worlds.
    assert {one.visits for one in more[-1].moves if one.visits} == {more[-1].moves[0].visits}


@pytest.mark.whole
def test_the_errors_are_true() -> None:
    found = [one for view in positions(16) for one in beside(view, 1000, 12000)]
    assert len(found) > 80
    assert within(found, 1) >= 0.6 and within(found, 2) >= 0.9
    assert max(one.away for one in found if not one.points) < 0.08


def test_few_equal_playouts_are_no_certainty() -> None:
    found = evaluate(parse_view(POINTS), Limit(playouts=200), 0).estimates.moves
    assert all(one.error and one.error > 0.02 for one in found if one.visits)


# What ranks.


@pytest.mark.parametrize(("text", "ranks"), [(LEAD, "ranked by the chance to win"), (POINTS, "ranked by points")])
def test_what_ranks_is_said_where_the_list_is(text: str, ranks: str) -> None:
    shown = CliRunner().invoke(analyse_command, ["--human", "--limit", "300p", text]).stdout
    assert f"moves, {ranks}\n   move" in shown and " worlds " in shown
    assert hint_lines(parse_view(text), LIMIT)[-1].startswith(f"      {ranks}; ")
    assert f"{ranks.capitalize()}." in dict(words("pages").values())


def test_a_proof_comes_first_and_that_is_said() -> None:
    view = endgame(("33LB", "66779", "88TTJ"), 0)
    assert hint_lines(view, LIMIT)[-1].startswith("      what is proved comes first")


def test_points_rank_though_another_move_wins_more_often() -> None:
    found = api.analyse(parse_view(POINTS), Limit(playouts=2000)).moves
    played = [one for one in found if one.visits]
    assert [one.score for one in played] == sorted((one.score or 0.0 for one in played), reverse=True)
    assert max(one.win for one in played) > played[0].win + 0.01
    first, second = hint_lines(parse_view(POINTS), Limit(playouts=2000))[:2]
    assert [float(re.findall(r"([+-][\d.]+) points", line)[0]) for line in (first, second)] == [
        round(one.score or 0.0, 2) for one in played[:2]
    ]


# What a bot says of its own move.


def test_worlds_are_not_called_playouts() -> None:
    thought = _analyses({1: some_games()[0][0]}, LIMIT)[1][4]
    assert thought["playouts"] >= 300 and all("visits" not in one for one in thought["moves"])
    assert sum(one[WORLDS] for one in thought["moves"]) > 0


@pytest.mark.whole
def test_the_move_that_is_played_leads_the_bots_own_list() -> None:
    played = 0
    for seed, view in enumerate(positions(12)):
        decision = ChampionPlayer(seed).choose(view, Limit(playouts=400))
        thought = thought_of_note(Note(debug={"player": "champion", **decision.debug}), decision.move.cards, False)
        assert thought is not None
        if "values" in decision.debug:
            first = thought["moves"][0]
            assert first["played"] or thought["only"] == "wins in all worlds"
            assert thought["decides"] == ("points" if view.rules.bidding else "win")
            assert WORLDS in first and "visits" not in first
            (line,) = thought_lines({"player": "champion", **decision.debug}, decision.move.cards, 0.1)
            number = f"{first['score']:+.2f}" if view.rules.bidding else f"{100 * first['win']:.0f} %"
            assert number in line.plain
            played += 1
    assert played > 6


def test_a_choice_among_moves_that_are_proved_is_said_to_be_one() -> None:
    debug = {"player": "champion", "only": "wins in all worlds", "playouts": 80}
    debug |= {"moves": {"Q": [0.8, 40, 0.9], "3": [0.7, 40, 0.8]}, "values": {"Q": 0.86, "3": 0.76}}
    thought = thought_of_note(Note(debug=debug), parse_hand("3"), False)
    assert thought is not None and thought["only"] == "wins in all worlds"
    assert [(one["cards"], one["win"], one["played"]) for one in thought["moves"]] == [
        ("Q", 0.86, False),
        ("3", 0.76, True),
    ]
    line, why = thought_lines(debug, parse_hand("3"), 0.1)
    assert line.plain.strip().startswith("Q 86 %  3 76 %")
    assert why.plain.strip() == "the choice was among moves that win wherever the hidden cards are"
    assert len(thought_lines(debug, parse_hand("Q"), 0.1)) == 1
