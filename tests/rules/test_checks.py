"""The checks accept right programs, and of each faulty one name the rule that it breaks."""

import time
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from ddzbot.cards import FULL_DECK, contains, parse_hand
from ddzbot.rules import KIND_NAMES, RULE_SETS, STANDARD, beats, classify, rule_set
from ddzbot.testing import check_beats, check_classify, check_game, check_moves
from ddzbot.testing.checks import find
from ddzbot.testing.corpus import cases_of, game_of
from ddzbot.testing.deciding import PAGE
from ddzbot.testing.game_steps import STEPS, expected
from ddzbot.testing.questions import QUESTIONS
from ddzbot.testing.search import Limits, search
from tests.rules import definition
from tests.rules.faulty import FAULTS, Fault, moves_by
from tests.rules.peer_faults import PEER_FAULTS, PeerFault
from tests.rules.peers import douzero_moves, rlcard_moves
from tests.support import ROOT, require

HEADINGS = [
    line[3:].lower().replace(" ", "-") for line in (ROOT / PAGE).read_text("utf-8").splitlines() if line[:3] == "## "
]
ALL = {**QUESTIONS, STEPS.name: STEPS}


def faults() -> Iterator[Any]:
    """Yields one fault of each question for every commit, and the others for the rest."""
    seen = set()
    for fault in FAULTS:
        yield pytest.param(fault, id=fault.what, marks=[pytest.mark.whole] if fault.question in seen else [])
        seen.add(fault.question)


@pytest.mark.whole
@pytest.mark.parametrize("fault", list(faults()))
def test_a_fault_is_found_in_ten_seconds_and_its_rule_named(fault: Fault) -> None:
    begin = time.process_time()
    report = find(ALL[fault.question], fault.answer, fault.rules, Limits(fault.tries, 60))
    named = {one.kind: one.sentence(rule_set(fault.rules)) for one in report.differences}
    assert fault.named in named, named
    assert time.process_time() - begin < 10
    for sentence in named.values():
        assert "yours " in sentence and f"(rules {fault.rules}, " in sentence
        page, _, anchor = sentence.rstrip(")").rpartition(": ")[2].partition("#")
        assert page == PAGE and anchor in HEADINGS


peer_faults = pytest.mark.parametrize("fault", PEER_FAULTS, ids=[fault.what for fault in PEER_FAULTS])


@peer_faults
def test_a_fault_of_another_project_is_one_by_the_definition(fault: PeerFault) -> None:
    right = definition.legal("standard", fault.hand, fault.to_beat or None)
    theirs = set(fault.answer({"hand": fault.hand, "to_beat": fault.to_beat}))
    assert contains(FULL_DECK, parse_hand(fault.hand + fault.to_beat))
    assert (theirs - right, right - theirs) == ({*fault.more}, {*fault.less})


@pytest.mark.whole
@pytest.mark.parametrize("name", ["rlcard", "douzero"])
def test_these_projects_have_their_faults(name: str) -> None:
    project, moves = {"rlcard": ("RLCard", rlcard_moves), "douzero": ("DouZero", douzero_moves)}[name]
    require(find_spec(name), f"{name} (extra test-all)")
    own = [fault for fault in PEER_FAULTS if project in fault.projects]
    assert len(own) > 3
    for fault in own:
        theirs = set(moves({"hand": fault.hand, "to_beat": fault.to_beat}))
        assert {*fault.more} <= theirs and not {*fault.less} & theirs, fault.what


@peer_faults
def test_a_fault_of_another_project_is_found(fault: PeerFault) -> None:
    for cases in (cases_of("moves", STANDARD), QUESTIONS["moves"].random(STANDARD, 1)):
        report = search(STANDARD, QUESTIONS["moves"], fault.answer, cases, Limits(3000, 60, first_only=True))
        assert [one.more for one in report.differences] == [bool(fault.more)]


def test_each_fault_is_another_one() -> None:
    assert len({fault.what for fault in FAULTS}) == len(FAULTS) >= 25


@pytest.mark.parametrize("name", RULE_SETS)
def test_right_programs_pass(name: str) -> None:
    rules = rule_set(name)
    moves = moves_by(rules)
    check_moves(lambda hand, to_beat: moves({"hand": hand, "to_beat": to_beat}), name, tries=100)
    check_classify(
        lambda cards: [KIND_NAMES[move.kind] for move in classify(rules, parse_hand(cards))], name, tries=200
    )
    check_beats(lambda cards, to_beat: beats(rules, parse_hand(cards), parse_hand(to_beat)), name, tries=200)
    check_game(
        lambda hands, bottom, bids, moves: expected(
            game_of(rules, {"hands": hands, "bottom": bottom, "bids": bids, "moves": moves})
        ),
        name,
        tries=40,
    )


def test_a_failing_check_is_one_sentence() -> None:
    moves = moves_by(rule_set("standard"))
    with pytest.raises(AssertionError) as failed:
        check_moves(lambda hand, to_beat: moves({"hand": hand, "to_beat": to_beat}))
    assert str(failed.value) == (
        "hand 33344455 leads: yours has 33344455, the rules have not; the kickers of a plane_solo must be of different"
        f" ranks outside its body (rules botzone, kickers of a plane_solo (pair): {PAGE}#kickers)"
    )


@pytest.mark.parametrize(("answer", "said"), [(None, "None"), (["3x"], "'3x'"), ([3], "3")])
def test_an_answer_that_is_none_is_a_difference(answer: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=f"yours says {said}; .* is wanted"):
        check_moves(lambda hand, to_beat: answer)
    with pytest.raises(AssertionError, match="true or false is wanted"):
        check_beats(lambda cards, to_beat: answer)
    with pytest.raises(AssertionError, match="an object with landlord, turn, to_beat, scores is wanted"):
        check_game(lambda hands, bottom, bids, moves: answer)


def test_the_same_seed_finds_the_same() -> None:
    def found(seed: int) -> list[str]:
        report = find(QUESTIONS["moves"], moves_by(rule_set("botzone2")), "botzone", Limits(150, 60), seed)
        return [one.sentence(rule_set("botzone")) for one in report.differences]

    assert found(1) == found(1)
