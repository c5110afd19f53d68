"""Scores: of made-up predictors whose quality is known, and of the champion on a small bench."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tools.lab.decisions.choices import error_of, noise_of, regret_of, regrets, squared_error
from tools.lab.decisions.decision import Decision, ValuedMove, line_of, read_unit
from tools.lab.decisions.estimate import mean_over, root_of
from tools.lab.decisions.mixture import fit, fitted_chances
from tools.lab.decisions.outcomes import Cases, best_guess, calibration_error, predictions, qualities, tenths
from tools.lab.decisions.recipe import HEAD, read_recipe, unit_path
from tools.lab.decisions.report import report_of
from tools.lab.decisions.score import main
from tools.lab.decisions.scored import Answer, answer_of, parse_scored

from .conftest import asked

CHANCE = np.random.default_rng(7)


def move_of(name: str, one: float, two: float) -> ValuedMove:
    return ValuedMove(name, 0.0, 0.0, (one, two), (one, two), (0.0, 0.0), 0.0)


def with_values(decision: Decision, values: list[tuple[float, float]]) -> Decision:
    moves = tuple(move_of(str(place), *pair) for place, pair in enumerate(values))
    return decision._replace(moves=moves)


def answer(decision: Decision, worth: list[float]) -> Answer:
    choice = str(int(np.argmax(worth)))
    named = {str(place): value for place, value in enumerate(worth)}
    return Answer(choice, decision.valued(choice), named, None, None, 1.0)


@pytest.fixture(scope="module")
def some(bench: Path) -> Decision:
    return read_unit(unit_path(bench, 0))[0]


def test_a_perfect_player_has_no_error_and_no_regret(some: Decision) -> None:
    truths = CHANCE.random((40, 4))
    decisions = [with_values(some, [(value, value) for value in truth]) for truth in truths]
    answers = [answer(one, list(truth)) for one, truth in zip(decisions, truths, strict=True)]
    games = list(range(40))
    assert error_of(decisions, answers, games).value == pytest.approx(0, abs=1e-9)
    assert regrets(decisions, answers) == pytest.approx(np.zeros(40))
    # What all moves are worth too much changes no difference.
    higher = [one._replace(worth={move: 0.3 + value for move, value in one.worth.items()}) for one in answers]
    assert error_of(decisions, higher, games).value == pytest.approx(0, abs=1e-7)
    worst = [answer(one, list(-truth)) for one, truth in zip(decisions, truths, strict=True)]
    assert regrets(decisions, worst) == pytest.approx(truths.max(axis=1) - truths.min(axis=1))


def test_noise_of_the_precise_values_adds_no_error(some: Decision) -> None:
    truths = CHANCE.random((4000, 3))
    noisy = truths[:, None, :] + CHANCE.normal(0, 0.2, (4000, 2, 3))
    wrong = CHANCE.normal(0, 0.05, (4000, 3))
    squares = np.array([squared_error(*rows) for rows in zip(truths + wrong, noisy[:, 0], noisy[:, 1], strict=True)])
    # A difference of two errors of 0.05 has a variance of twice 0.0025; noise of 0.2 would have added 0.08.
    found = mean_over(squares, np.arange(4000))
    assert abs(found.value - 2 * 0.05**2) < 3 * found.error
    assert found.error < 0.001


def test_noise_of_the_precise_values_flatters_no_best_move() -> None:
    # All moves are worth the same, so no choice has a regret, however the noise falls.
    pairs = CHANCE.normal(0.5, 0.1, (4000, 5, 2))
    found = np.array(
        [
            regret_of(moves, moves[0])
            for moves in ([move_of(str(place), *pair) for place, pair in enumerate(rows)] for rows in pairs)
        ]
    )
    assert abs(found.mean()) < 3 * found.std() / 4000**0.5


def test_the_bench_knows_how_wrong_its_own_differences_are(some: Decision) -> None:
    pairs = CHANCE.normal(0, 0.1, (2000, 3, 2))
    found = noise_of([with_values(some, [(one, two) for one, two in rows]) for rows in pairs], range(2000))
    # Each value is the mean of two halves, and a difference is one of two values.
    assert found.value == pytest.approx(0.1, abs=0.005)
    assert found.low < found.value < found.high


def test_choices_that_the_bench_does_not_know_are_counted(some: Decision) -> None:
    decision = with_values(some, [(0.5, 0.5), (0.2, 0.2)])
    good, lost = answer(decision, [1, 0]), answer(decision, [1, 0])._replace(chosen=None, choice="x")
    report = report_of([decision, decision], {"one": [good, lost], "two": [good, good]})
    first, second = report.choices
    assert (first.unknown, second.unknown) == (1, 0)
    assert first.regret.cases == 1
    assert second.regret_less is not None
    assert second.regret_less.cases == 1


def cases_of(won: np.ndarray, seat: int = 0) -> Cases:
    count = len(won)
    return Cases(np.full(count, seat), np.arange(count) % 30, np.arange(count), won.astype(float))


def test_a_perfect_predictor_is_calibrated() -> None:
    chances = CHANCE.random(20000) * 0.8 + 0.1
    cases = cases_of(CHANCE.random(20000) < chances)
    whole = qualities({"truth": chances}, cases)[0]
    assert abs(whole.above.value) < 3 * whole.above.error
    entropy = -(chances * np.log(chances) + (1 - chances) * np.log(1 - chances)).mean()
    assert whole.log_loss.value == pytest.approx(entropy, abs=3 * whole.log_loss.error)
    assert whole.brier.value == pytest.approx((chances * (1 - chances)).mean(), abs=3 * whole.brier.error)
    parts = tenths(chances, cases)
    assert len(parts) == 10
    assert all(abs(part.predicted - part.won.value) < 4 * part.won.error for part in parts)
    assert calibration_error(parts) < 0.02
    assert calibration_error(tenths(np.sqrt(chances), cases)) > 0.1


def test_the_mixture_finds_what_is_too_hopeful_in_other_games() -> None:
    network, search = CHANCE.normal(0, 1.5, 12000), CHANCE.normal(0, 1.5, 12000)
    truth = 1 / (1 + np.exp(0.7 - 0.3 * network - 0.8 * search))
    cases = cases_of(CHANCE.random(12000) < truth)
    of_network, of_search = (1 / (1 + np.exp(-logit)) for logit in (network, search))
    weights = fit(of_network, of_search, cases.won, cases.game)
    assert weights[:3] == pytest.approx((-0.7, 0.3, 0.8), abs=0.1)
    assert max(weights.errors) < 0.05
    found = predictions(of_network, of_search, cases)
    losses = {one.predictor: one.log_loss.value for one in qualities(found, cases)[:4]}
    assert losses["fitted"] < losses["average"] - 0.02
    assert losses["average"] < losses["network"]


def test_the_mixture_of_a_game_does_not_know_how_it_ended() -> None:
    chances = np.full(400, 0.5)
    won = CHANCE.random(400) < 0.5
    cells, games = np.zeros(400, np.int64), np.arange(400)
    before = fitted_chances(chances, chances, won.astype(float), games, cells, cells)
    won[0] = not won[0]
    after = fitted_chances(chances, chances, won.astype(float), games, cells, cells)
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_errors_are_over_games() -> None:
    values = CHANCE.random(300)
    alone = mean_over(values, np.arange(300))
    thrice = mean_over(np.repeat(values, 3), np.repeat(np.arange(300), 3))
    assert alone.error == pytest.approx(values.std(ddof=1) / 300**0.5)
    assert thrice.error == pytest.approx(alone.error)
    assert root_of(alone._replace(value=-0.01)).value == 0


def test_the_champion_is_scored(bench: Path, tmp_path: Path) -> None:
    file, picture = tmp_path / "scores.json", tmp_path / "scores.png"
    players = ("champion:search=none", "champion@40p", "rule")
    result = asked(main, bench, *players, "--jobs", 1, "--quiet", "--bands", "--json", file, "--picture", picture)
    assert result.exit_code == 0, result.output
    found = json.loads(file.read_text())
    assert [one["name"] for one in found["choices"]] == ["champion:search=none", "champion@40p", "rule@400p"]
    assert [one["name"] for one in found["outcomes"]] == [
        "the bench's own playouts",
        "champion:search=none",
        "champion@40p",
    ]
    assert found["choices"][2]["error"]["value"] is None
    assert found["recipe"]["seed"] == 1
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert "Log loss of champion@40p, more than that of the average" in result.output
    assert found["choices"][1]["loss_less"]["cases"] > 0
    assert found["choices"][2]["loss_less"]["cases"] == 0


def test_the_network_is_that_of_the_bench(bench: Path, some: Decision) -> None:
    scored = answer_of(parse_scored("champion:search=none", ""), some, read_recipe(bench), 0)
    assert scored.choice == some.moves[0].move
    assert scored.worth == pytest.approx({one.move: one.chance for one in some.moves}, abs=1e-5)
    assert scored.search is None


def test_values_of_a_long_search_come_near_the_precise_ones(bench: Path, some: Decision) -> None:
    scored = answer_of(parse_scored("champion:sure=0,prior=0", "2000p"), some, read_recipe(bench), 0)
    worth = np.array([scored.worth[one.move] for one in some.moves])
    precise = np.array([one.value for one in some.moves])
    assert np.abs((worth - worth[0]) - (precise - precise[0])).max() < 0.35
    assert scored.search == pytest.approx(scored.worth[some.played])


def test_a_choice_that_did_not_compete_is_valued_when_it_is_made(bench: Path, some: Decision) -> None:
    best, *others = some.moves
    without = some._replace(moves=tuple(others))
    scored = answer_of(parse_scored("champion:search=none", ""), without, read_recipe(bench), 0)
    assert scored.chosen is not None
    # How far it is behind the others has another error if others compete.
    assert scored.chosen == best._replace(errors=scored.chosen.errors)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "line 1: this is not a decision"),
        ("[]", "line 1: this is not a decision"),
        ("{}", "line 1: this is not a decision: KeyError: 'view'"),
        (b"\xff", "it cannot be read: line 1"),
        ({"played": "3KK"}, "'3KK' is not a legal move"),
        ({"winner": 3}, "hands or winner cannot be"),
        ({"moves": []}, "fewer than two moves are no choice"),
        ({"worlds": [1]}, "line 1: this is not a decision"),
        ({"view": "botzone bid 34 -"}, "line 1: this is not a decision"),
    ],
)
def test_a_bad_file_is_one_sentence(
    bench: Path, some: Decision, tmp_path: Path, line: str | bytes | dict[str, object], sentence: str
) -> None:
    (tmp_path / HEAD).write_bytes((bench / HEAD).read_bytes())
    if isinstance(line, dict):
        line = json.dumps({**json.loads(line_of(some)), **line})
    content = line if isinstance(line, bytes) else line.encode()
    unit_path(tmp_path, 0).write_bytes(gzip.compress(content + b"\n"))
    result = asked(main, tmp_path, "--quiet")
    assert result.exit_code == 2
    assert sentence in result.output
    assert result.output.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nobody",), "player 'nobody' is unknown"),
        (("champion@soon",), "limit 'soon' must be like"),
        (("python bot.py",), "is a program"),
    ],
)
def test_bad_players_are_refused(bench: Path, arguments: tuple[str, ...], sentence: str) -> None:
    result = asked(main, bench, *arguments)
    assert result.exit_code == 2
    assert sentence in result.output


def test_a_folder_without_decisions_is_refused(bench: Path, tmp_path: Path) -> None:
    assert "cannot be read" in asked(main, tmp_path).output
    (tmp_path / HEAD).write_bytes((bench / HEAD).read_bytes())
    assert "has no decisions" in asked(main, tmp_path).output


def test_the_best_guess_is_halfway_in_logits_or_what_there_is() -> None:
    found = best_guess(np.array([0.2, 0.7, np.nan, np.nan]), np.array([0.8, np.nan, 0.4, np.nan]))
    assert found[:3] == pytest.approx([0.5, 0.7, 0.4])
    assert np.isnan(found[3])
