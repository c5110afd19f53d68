"""What is tested here is the readable reference. tests/kernel compares the kernel with it."""

import pytest

from ddzbot import rules


@pytest.fixture(autouse=True)
def the_reference_answers(rules_are_asked_anew: None) -> None:
    rules.answer_by(rules.REFERENCE)
