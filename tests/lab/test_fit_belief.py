"""The fitting command, and the arithmetic under it, on recorded games in tests/data."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.optimize import check_grad

from ddzbot.belief import fitted
from ddzbot.belief.models import MODELS, uniform
from ddzbot.belief.worlds import Worlds
from ddzbot.cards import RANK_COUNT
from tests.support import ROOT
from tools.lab.fit_belief import command as fit_belief
from tools.lab.fit_belief.constants import source_text
from tools.lab.fit_belief.examples import Example, example_arrays, examples_of, is_for_fitting, with_all_hands
from tools.lab.fit_belief.likelihood import SHAPES, LogFactors, Problem, fit, total_and_marginals, unpacked
from tools.lab.fit_belief.scores import score, without_bottom
from tools.records.files import read_records, write_records
from tools.records.record import GameRecord

pytestmark = pytest.mark.whole

FACTORS = sum(groups * (clues - (place > 0)) * 4 for place, (groups, clues, _) in enumerate(SHAPES))
"""How many are fitted: those of 1 to 4 cards, and none for a rank that was not skipped."""

FILE = ROOT / "tests" / "data" / "records" / "thesis_games.jsonl.gz"


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    return with_all_hands(read_records(FILE))


@pytest.fixture(scope="module")
def examples(records: list[GameRecord]) -> list[Example]:
    return list(examples_of(records, 4))


def test_the_split_depends_on_the_deal_alone(records: list[GameRecord]) -> None:
    parts = [is_for_fitting(record) for record in records]
    assert parts == [is_for_fitting(record) for record in with_all_hands(read_records(FILE))]
    assert 0.5 < sum(parts) / len(parts) < 0.9


@pytest.mark.parametrize("model", MODELS)
def test_the_fast_marginals_are_the_exact_probabilities(examples: list[Example], model: str) -> None:
    chosen = examples[::25]
    worlds = [Worlds(example.view, model) for example in chosen]
    weights = np.moveaxis(np.array([each.table for each in worlds], dtype=np.float64), 0, -1)
    totals, marginals = total_and_marginals(weights, example_arrays(chosen).first_cards)
    for place, each in enumerate(worlds):
        assert totals[place] == pytest.approx(each.total)
        for rank in range(RANK_COUNT):
            exact = [each.probability(each.certain.seats[0], rank, cards) for cards in range(5)]
            assert marginals[rank, :, place] == pytest.approx(exact)


def test_the_gradient_is_that_of_the_loss(examples: list[Example]) -> None:
    problem = Problem(example_arrays(examples[::8]))
    rng = np.random.default_rng(1)
    point = rng.normal(size=FACTORS) / 3
    error = check_grad(lambda at: problem.loss(at)[0], lambda at: problem.loss(at)[1], point)
    assert error < 1e-5


def test_fitting_makes_the_recorded_hands_likelier(examples: list[Example]) -> None:
    data = example_arrays(examples)
    problem = Problem(data)
    start = np.zeros(FACTORS)
    factors = fit(data, 10)
    assert isinstance(factors, LogFactors)
    assert problem.loss_of(factors) < problem.loss(start)[0] - 0.5
    assert all((table[:, :, 0] == 0).all() for table in unpacked(start + 1))


def test_a_viewer_who_forgets_the_bottom_scores_worse(examples: list[Example]) -> None:
    chosen = [example for example in examples if example.view.seat and example.bottom_known]
    remembered, forgotten = score(chosen, uniform), score(chosen, uniform, without_bottom)
    assert forgotten.log_loss > remembered.log_loss
    assert forgotten.brier > remembered.brier
    assert forgotten.world_loss > remembered.world_loss


def test_the_shipped_numbers_beat_uniform(examples: list[Example]) -> None:
    informed, plain = score(examples, MODELS["fitted"]), score(examples, MODELS["uniform"])
    gain, margin = informed.gain_over(plain)
    assert gain > margin > 0
    assert informed.brier < plain.brier
    assert informed.world_loss < plain.world_loss


def test_the_written_constants_are_read_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "numbers.py"
    path.write_text(source_text(fitted.NUMBERS, ["Source: a test."]))
    assert runpy.run_path(str(path))["NUMBERS"] == fitted.NUMBERS


def test_the_command_prints_the_scores_and_writes_the_constants(tmp_path: Path) -> None:
    output = tmp_path / "fitted.py"
    done = CliRunner().invoke(fit_belief.main, [str(FILE), "--steps", "5", "--out", str(output)])
    assert done.exit_code == 0, done.output
    for words in ("landlord: ", "peasants, bottom known: ", "uniform, bottom ignored", "fitted", "The bomb rule"):
        assert words in done.output
    assert "Command: ``python -m tools lab fit-belief thesis_games.jsonl.gz``." in output.read_text()
    assert runpy.run_path(str(output))["NUMBERS"] != fitted.NUMBERS


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    write_records(path, with_all_hands(read_records(FILE))[:1])
    done = CliRunner().invoke(fit_belief.main, [str(path)])
    sentence = f"Error: {path}: 1 games with all hands known are too few for two parts"
    assert (done.exit_code, done.output.splitlines()) == (1, [sentence])
