"""Benches of decisions: what is drawn, what its values are, what scores say of players whose quality is known."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ddzbot.game import SEATS, Game, shuffled, start
from ddzbot.kernel import native
from ddzbot.players.champion import ChampionPlayer
from ddzbot.rules import Move, rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.support import require
from tools.lab.__main__ import main
from tools.lab.decisions.choices import error_of, regret_of, regrets, squared_error
from tools.lab.decisions.decision import Decision, ValuedMove, read_unit
from tools.lab.decisions.drawing import decisions_of, game_at
from tools.lab.decisions.estimate import mean_over, root_of
from tools.lab.decisions.outcomes import Cases, best_guess, calibration_error, qualities
from tools.lab.decisions.precise import is_open, values_of
from tools.lab.decisions.recipe import HEAD, UNIT, Recipe, read_recipe, unit_path
from tools.lab.decisions.report import scores_of
from tools.lab.decisions.scored import ScoredChoice, answer_of, parse_scored
from tools.shared.errors import InputError

pytestmark = pytest.mark.whole

SMALL = ("--count", UNIT, "--limit", "8p", "--worlds", "24", "--jobs", "1", "--quiet")
CHANCE = np.random.default_rng(7)


def asked(command: str, *arguments: object) -> Result:
    words = ["decisions", command, *map(str, arguments)]
    return CliRunner().invoke(main, words, env={"COLUMNS": "150"})


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require(native(), "the kernel")
    folder = tmp_path_factory.mktemp("bench")
    result = asked("make", folder, *SMALL)
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture(scope="module")
def decisions(bench: Path) -> list[Decision]:
    return read_unit(unit_path(bench, 0))


@pytest.fixture(scope="module")
def some(decisions: list[Decision]) -> Decision:
    return decisions[0]


def test_the_same_command_makes_the_same_bytes_and_resumes(bench: Path, tmp_path: Path) -> None:
    def files(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    assert asked("make", tmp_path, *SMALL).exit_code == 0
    assert files(tmp_path) == files(bench)
    assert "Nothing was missing" in asked("make", tmp_path, *SMALL).output
    refused = asked("make", bench, *SMALL, "--seed", 2)
    assert refused.exit_code == 2
    assert "was begun with seed" in refused.output


def test_decisions_are_open_and_belong_to_their_games(decisions: list[Decision]) -> None:
    kernel = require(native(), "the kernel")
    assert len(decisions) == UNIT
    assert len({(one.deal, one.view.seat) for one in decisions}) == UNIT
    for one in decisions:
        assert one.view.contradiction() is None
        assert sum(one.hands) - one.hands[one.view.seat] == one.view.unseen
        assert one.valued(one.played)
        assert is_open(kernel, one.view)
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
                assert move.paid == move.won


def test_more_moves_change_no_value(bench: Path, some: Decision) -> None:
    recipe = read_recipe(bench)
    worst = ChampionPlayer(0, search="none").consider(some.view, Limit()).worths[:12][-1].move
    assert some.valued(str(worst)) is None
    more = values_of(recipe, some.deal, some.view, some.hands, str(worst))
    assert more is not None
    by_move = {move.move: move for move in more.moves}
    assert str(worst) in by_move
    assert all(by_move[known.move].won == known.won for known in some.moves)


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
    legal = view.legal_moves()
    last = next((move for move in legal if move.cards == view.hand), None)
    return last or (legal[0] if len(legal) == 1 else player.choose(view, Limit()).move)


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
    found = decisions_of(Recipe("botzone2", 1, "champion:search=none", "", 8, 1, ""), 0)
    assert found
    for one in found:
        assert len(one.view.bids) <= SEATS
        assert any(move.paid != move.won for move in one.moves)


def move_of(name: str, one: float, two: float) -> ValuedMove:
    return ValuedMove(name, 0.0, 0.0, (one, two), (one, two), (0.0, 0.0), 0.0)


def with_values(decision: Decision, values: list[float]) -> Decision:
    return decision._replace(moves=tuple(move_of(str(place), value, value) for place, value in enumerate(values)))


def answer(decision: Decision, worth: list[float]) -> ScoredChoice:
    choice = str(int(np.argmax(worth)))
    named = {str(place): value for place, value in enumerate(worth)}
    return ScoredChoice(choice, decision.valued(choice), named, None, None, 1.0)


def test_a_perfect_player_has_no_error_and_no_regret(some: Decision) -> None:
    truths = CHANCE.random((40, 4))
    known = [with_values(some, list(truth)) for truth in truths]
    answers = [answer(one, list(0.3 + truth)) for one, truth in zip(known, truths, strict=True)]
    # What all moves are worth too much changes no difference.
    assert error_of(known, answers, list(range(40))).value == pytest.approx(0, abs=1e-7)
    assert regrets(known, answers) == pytest.approx(np.zeros(40))
    worst = [answer(one, list(-truth)) for one, truth in zip(known, truths, strict=True)]
    assert regrets(known, worst) == pytest.approx(truths.max(axis=1) - truths.min(axis=1))


def test_noise_of_the_precise_values_adds_no_error_and_flatters_no_best_move() -> None:
    truths = CHANCE.random((4000, 3))
    noisy = truths[:, None, :] + CHANCE.normal(0, 0.2, (4000, 2, 3))
    wrong = CHANCE.normal(0, 0.05, (4000, 3))
    squares = np.array([squared_error(*rows) for rows in zip(truths + wrong, noisy[:, 0], noisy[:, 1], strict=True)])
    # A difference of two errors of 0.05 has a variance of twice 0.0025; noise of 0.2 would have added 0.08.
    found = mean_over(squares, np.arange(4000))
    assert abs(found.value - 2 * 0.05**2) < 3 * found.error
    # All moves are worth the same, so no choice has a regret, however the noise falls.
    pairs = CHANCE.normal(0.5, 0.1, (4000, 5, 2))
    regret = np.array([regret_of(rows, rows[0]) for rows in ([move_of("x", *pair) for pair in row] for row in pairs)])
    assert abs(regret.mean()) < 3 * regret.std() / 4000**0.5


def test_choices_that_the_bench_does_not_know_are_counted(some: Decision) -> None:
    decision = with_values(some, [0.5, 0.2])
    good, lost = answer(decision, [1, 0]), answer(decision, [1, 0])._replace(chosen=None, choice="x")
    first, second = scores_of([decision, decision], {"one": [good, lost], "two": [good, good]}).choices
    assert (first.unknown, second.unknown, first.regret.cases) == (1, 0, 1)
    assert second.regret_less is not None and second.regret_less.cases == 1


def test_a_perfect_predictor_is_calibrated() -> None:
    chances = CHANCE.random(20000) * 0.8 + 0.1
    won = (CHANCE.random(20000) < chances).astype(float)
    whole = qualities({"truth": chances}, Cases(np.zeros(20000, int), np.arange(20000) % 30, np.arange(20000), won))[0]
    assert abs(whole.above.value) < 3 * whole.above.error
    entropy = -(chances * np.log(chances) + (1 - chances) * np.log(1 - chances)).mean()
    assert whole.log_loss.value == pytest.approx(entropy, abs=3 * whole.log_loss.error)
    assert whole.brier.value == pytest.approx((chances * (1 - chances)).mean(), abs=3 * whole.brier.error)
    assert whole.calibration < 0.02 < 0.1 < calibration_error(np.sqrt(chances), won)


def test_errors_are_over_games() -> None:
    values = CHANCE.random(300)
    alone = mean_over(values, np.arange(300))
    thrice = mean_over(np.repeat(values, 3), np.repeat(np.arange(300), 3))
    assert alone.error == pytest.approx(values.std(ddof=1) / 300**0.5) == pytest.approx(thrice.error)
    assert root_of(alone._replace(value=-0.01)).value == 0


def test_the_best_guess_is_halfway_in_logits_or_what_there_is() -> None:
    found = best_guess(np.array([0.2, 0.7, np.nan, np.nan]), np.array([0.8, np.nan, 0.4, np.nan]))
    assert found[:3] == pytest.approx([0.5, 0.7, 0.4])
    assert np.isnan(found[3])


def test_players_are_scored(bench: Path) -> None:
    players = ("champion:search=none", "champion@40p", "rule")
    result = asked("score", bench, *players, "--jobs", 1, "--quiet", "--bands", "--first", 8)
    assert result.exit_code == 0, result.output
    for words in ("8 decisions of", "Winner after the move that was played, by the bench's own", "rule@400p", "9-17"):
        assert words in result.output


def test_the_network_is_that_of_the_bench(bench: Path, some: Decision) -> None:
    scored = answer_of(parse_scored("champion:search=none", ""), some, read_recipe(bench), 0)
    assert scored.choice == some.moves[0].move
    assert scored.worth == pytest.approx({one.move: one.chance for one in some.moves}, abs=1e-5)
    assert scored.search is None


def test_a_choice_that_did_not_compete_is_valued_when_it_is_made(bench: Path, some: Decision) -> None:
    best, *others = some.moves
    scored = answer_of(
        parse_scored("champion:search=none", ""), some._replace(moves=tuple(others)), read_recipe(bench), 0
    )
    assert scored.chosen is not None
    # How far it is behind the others has another error if others compete.
    assert scored.chosen == best._replace(errors=scored.chosen.errors)


def test_bad_input_is_one_sentence(bench: Path, tmp_path: Path) -> None:
    assert "it is not the recipe of a bench" in asked("score", tmp_path).output
    (tmp_path / HEAD).write_text("{}")
    with pytest.raises(InputError, match="it is not the recipe of a bench"):
        read_recipe(tmp_path)
    (tmp_path / HEAD).write_bytes((bench / HEAD).read_bytes())
    assert "has no decisions" in asked("score", tmp_path).output
    unit_path(tmp_path, 0).write_bytes(gzip.compress(b"{}\n"))
    assert "line 1: this is not a decision: KeyError: 'view'" in asked("score", tmp_path, "--quiet").output
    for command, words, sentence in (
        ("make", ("--limit", "0.1s"), "seconds give other games each time"),
        ("make", ("--player", "python bot.py"), "is a program"),
        ("score", ("nobody",), "player 'nobody' is unknown"),
        ("score", ("python bot.py",), "is a program"),
    ):
        refused = asked(command, tmp_path, *words)
        assert refused.exit_code == 2
        assert sentence in refused.output


def test_a_player_that_another_has_to_replace_makes_no_bench(tmp_path: Path) -> None:
    require(native(), "the kernel")
    with pytest.raises(InputError, match="did not choose"):
        decisions_of(Recipe("botzone", 1, f"champion:weights={tmp_path}/none.ddzw", "8p", 8, 1, ""), 0)
