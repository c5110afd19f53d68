"""Damaged input of every kind is refused in a sentence, or taken whole. A longer run: ``make fuzz MINUTES=5``."""

import os
import random

import pytest

from tests.fuzz.mutation import mutated
from tests.fuzz.targets import TARGETS
from tests.support import ROOT

MUTATIONS = int(os.environ.get("DDZ_MUTATIONS", "20"))
CRASHES = ROOT / "tests" / "data" / "crashes"
KEPT = sorted(path for path in CRASHES.glob("*/*") if path.parent.name in TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_good_input_is_taken(name: str) -> None:
    seeds = TARGETS[name].seeds()
    assert seeds
    for seed in seeds[:: max(1, len(seeds) // 10)]:
        TARGETS[name].check(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_input_is_refused_in_a_sentence_or_taken_whole(name: str) -> None:
    target, dice = TARGETS[name], random.Random(f"mutations/{name}")
    seeds = target.seeds()
    for _ in range(MUTATIONS):
        target.check(mutated(dice.choice(seeds), dice.choice(seeds), dice))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_not_found_again(path: "os.PathLike[str]") -> None:
    found = ROOT / path
    TARGETS[found.parent.name].check(found.read_bytes())


def test_every_kept_crash_has_a_reader() -> None:
    assert len(KEPT) >= 8
    assert {path.parent.name for path in CRASHES.glob("*/*")} <= {*TARGETS, "kernel"}
