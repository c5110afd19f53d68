"""Benches: what is drawn, what its values are, and that they follow from the recipe alone."""

from pathlib import Path

import pytest

from ddzbot.engine import forced_move
from ddzbot.game import SEATS, Game, shuffled, start
from ddzbot.kernel import native
from ddzbot.players.champion import ChampionPlayer
from ddzbot.rules import Move, rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.support import require
from tools.lab.decisions.decision import Decision, read_unit
from tools.lab.decisions.drawing import decisions_of, game_at
from tools.lab.decisions.make import main
from tools.lab.decisions.precise import is_open, values_of
from tools.lab.decisions.recipe import HEAD, Recipe, read_recipe, unit_path
from tools.shared.errors import InputError

from .conftest import SMALL, UNIT, asked


@pytest.fixture(scope="module")
def decisions(bench: Path) -> list[Decision]:
    return [one for unit in range(2) for one in read_unit(unit_path(bench, unit))]


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_bench_that_was_stopped_goes_on_to_the_same_bytes(bench: Path, tmp_path: Path) -> None:
    first = asked(main, tmp_path, *SMALL, "--decisions", UNIT)
    assert first.exit_code == 0
    assert set(files_of(tmp_path)) == {HEAD, unit_path(tmp_path, 0).name}
    (tmp_path / "unit-000001.jsonl.gz.77.part").write_bytes(b"half")
    second = asked(main, tmp_path, *SMALL)
    assert second.exit_code == 0
    assert f"{UNIT} decisions in" in second.output
    assert files_of(tmp_path) == files_of(bench)
    assert "Nothing was made" in asked(main, tmp_path, *SMALL).output


def test_each_unit_has_deals_of_its_own(decisions: list[Decision]) -> None:
    assert len(decisions) == 2 * UNIT
    assert {one.deal.rsplit("/", 1)[0] for one in decisions} == {"decisions/1"}
    assert {one.deal[-6:] for one in decisions[:UNIT]} <= {"000000", "000001", "000002", "000003"}
    assert {one.deal[-6:] for one in decisions[UNIT:]} <= {"001000", "001001", "001002", "001003"}
    places = [(one.deal, one.view.seat) for one in decisions]
    assert len(set(places)) == len(places)


def test_decisions_are_open_and_belong_to_their_games(decisions: list[Decision]) -> None:
    kernel = require(native(), "the kernel")
    for one in decisions:
        assert one.view.contradiction() is None
        assert sum(one.hands) - one.hands[one.view.seat] == one.view.unseen
        assert one.valued(one.played)
        assert is_open(kernel, one.view)
        assert one.won == ((one.winner == 0) == (one.view.seat == 0))
        assert one.paid > 0 or one.winner != one.view.seat
        logits = [move.logit for move in one.moves]
        assert logits == sorted(logits, reverse=True)
        assert logits[0] - logits[-1] <= 1.00001


def test_every_move_is_played_out_equally_often(decisions: list[Decision]) -> None:
    for one in decisions:
        for half, worlds in enumerate(one.worlds):
            assert worlds >= 12
            for move in one.moves:
                wins = move.won[half] * worlds
                assert wins == pytest.approx(round(wins), abs=0.001)
                assert 0 <= wins <= worlds
                assert move.paid == move.won
    assert any(move.won[0] != move.won[1] for one in decisions for move in one.moves)


def test_more_moves_change_no_value(bench: Path, decisions: list[Decision]) -> None:
    recipe, one = read_recipe(bench), decisions[0]
    worst = ChampionPlayer(0, search="none").consider(one.view, Limit()).worths[:12][-1].move
    assert one.valued(str(worst)) is None
    more = values_of(recipe, one.deal, one.view, one.hands, str(worst))
    assert more is not None
    assert more.worlds == one.worlds
    by_move = {move.move: move for move in more.moves}
    assert str(worst) in by_move
    for known in one.moves:
        assert by_move[known.move].won == known.won
        assert by_move[known.move].open == known.open


def test_a_move_with_the_true_hands_is_played_out_by_the_network(decisions: list[Decision]) -> None:
    player = ChampionPlayer(0, search="none")
    for one in decisions[:4]:
        for known in one.moves[:2]:
            view = one.view
            game = Game(view.rules, one.hands, view.bottom, view.plays, (), view.landlord_position)
            game = game.play(next(move for move in game.legal_moves() if str(move) == known.move))
            while not game.finished:
                game = game.play(reply(player, View.of(game, game.seat)))
            assert known.open == float((game.winner == 0) == (view.seat == 0))


def reply(player: ChampionPlayer, view: View) -> Move:
    """The playout's move: the one that goes out, or the network's best."""
    last = next((move for move in view.legal_moves() if move.cards == view.hand), None)
    return last or forced_move(view) or player.choose(view, Limit()).move


def test_a_game_is_taken_back_to_any_move() -> None:
    game = start(shuffled(rule_set("botzone"), "taken back"))
    states = [game]
    while not game.finished:
        game = game.play(game.legal_moves()[0])
        states.append(game)
    for ply, state in enumerate(states):
        assert game_at(game, ply) == state


def test_with_an_auction_points_decide() -> None:
    require(native(), "the kernel")
    recipe = Recipe("botzone2", 1, "champion:search=none", "", 8, 1, "")
    decisions = decisions_of(recipe, 0)
    assert decisions
    for one in decisions:
        assert len(one.view.bids) <= SEATS
        assert any(move.paid != move.won for move in one.moves)
        values = [move.score for move in one.moves]
        assert values == sorted(values, reverse=True)


def test_another_recipe_is_refused_in_one_sentence(bench: Path) -> None:
    before = files_of(bench)
    for option, value in (("--seed", 2), ("--worlds", 30), ("--limit", "9p"), ("--drawn", 2), ("--rules", "standard")):
        result = asked(main, bench, *SMALL, option, value)
        assert result.exit_code == 2
        assert f"was begun with {option[2:]}" in result.output
    assert files_of(bench) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--limit", "0.1s"), "seconds give other games each time"),
        (("--player", "nobody"), "player 'nobody' is unknown"),
        (("--player", "python bot.py"), "is a program"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, arguments: tuple[str, str], sentence: str) -> None:
    require(native(), "the kernel")
    result = asked(main, tmp_path / "new", *SMALL, *arguments)
    assert result.exit_code == 2
    assert sentence in result.output
    assert not (tmp_path / "new").exists()


def test_a_player_that_another_has_to_replace_makes_no_bench(tmp_path: Path) -> None:
    require(native(), "the kernel")
    recipe = Recipe("botzone", 1, f"champion:weights={tmp_path}/none.ddzw", "8p", 8, 1, "")
    with pytest.raises(InputError, match="did not choose"):
        decisions_of(recipe, 0)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format":"ddzbot-decisions-1"}', "\xff"])
def test_a_bad_recipe_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / HEAD).write_text(text)
    with pytest.raises(InputError, match=HEAD):
        read_recipe(tmp_path)
