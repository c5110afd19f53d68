"""What intervals are made of, to the digits of scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special
from scipy.stats import binomtest

from tools.shared.intervals import NORMAL_95, normal_cdf, student_95, wilson


def test_the_normal_quantile_is_exact_and_nobody_asked_can_be_anything() -> None:
    assert special.ndtri(0.975) == NORMAL_95
    assert wilson(0.5, 0) == (0.0, 1.0)


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_it_is_the_interval_of_scipy(lost: int, won: int) -> None:
    if lost + won:
        expected = binomtest(won, lost + won).proportion_ci(method="wilson")
        assert wilson(won / (lost + won), lost + won) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(st.floats(1, 1e9) | st.floats(1, 60) | st.floats(990, 1010))
def test_the_quantile_of_student_is_that_of_scipy(freedom: float) -> None:
    assert student_95(freedom) == pytest.approx(special.stdtrit(freedom, 0.975), rel=1e-11)


@given(st.floats(-38, 38))
def test_the_normal_distribution_is_that_of_scipy_far_out_too(number: float) -> None:
    assert normal_cdf(number) == pytest.approx(special.ndtr(number), rel=1e-12, abs=0)
