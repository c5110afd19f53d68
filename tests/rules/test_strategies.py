"""The strategies for Hypothesis: what they promise to generate, and how small their counterexamples are."""

import random
import sys
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

import ddzbot.testing.strategies
from ddzbot import api
from ddzbot.cards import Hand, contains, hand_text, parse_hand, size
from ddzbot.game import auction, fits
from ddzbot.rules import (
    BOMB,
    KIND_NAMES,
    ROCKET,
    RULE_SETS,
    SHUTTLE_SOLO,
    Move,
    RuleSet,
    classify,
    legal_moves,
    parse_move,
    rule_set,
)
from ddzbot.testing.strategies import bids, deals, follows, games, hands, moves, views

BOTZONE = rule_set("botzone")

FIRST = ("botzone2", "mini")
"""A rule set of 54 cards with an auction, and one of 30 without; the others are of the rest."""
every_rule_set = pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, id=name, marks=[] if name in FIRST else pytest.mark.whole)
        for name, rules in RULE_SETS.items()
    ],
)
Thing = TypeVar("Thing")
MoveTexts = Callable[[str, str], list[str]]


def code_of_the_docstring() -> str:
    """The indented block of the module's docstring."""
    after = str(ddzbot.testing.strategies.__doc__).split("::\n\n", 1)[1]
    lines = [line for line in after.splitlines() if line.startswith("    ") or not line]
    return textwrap.dedent("\n".join(lines))


def run_the_example(monkeypatch: pytest.MonkeyPatch, my_moves: MoveTexts, examples: int = 1000) -> None:
    """Runs the example of the docstring against a faulty move generator, up to the first failure."""
    module = ModuleType("my_program")
    module.__dict__["my_moves"] = my_moves
    monkeypatch.setitem(sys.modules, "my_program", module)
    names: dict[str, Callable[[], None]] = {}
    exec(code_of_the_docstring(), names)
    fast = settings(phases=[Phase.generate], database=None, max_examples=examples)
    fast(names["test_my_moves_are_the_legal_ones"])()


def right_moves(hand: str, to_beat: str) -> list[str]:
    return [str(move) for move in legal_moves(BOTZONE, parse_hand(hand), parse_move(BOTZONE, to_beat))]


@pytest.mark.whole
def test_the_example_accepts_a_right_move_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sorted(right_moves("4456", "3")) == ["4", "5", "6", "pass"]
    run_the_example(monkeypatch, right_moves, examples=100)


@pytest.mark.parametrize("fault", ["LB", "4444", "pass", "repeated kickers"])
def test_the_example_finds_a_generator_with_a_fault(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    def wrong_moves(hand: str, to_beat: str) -> list[str]:
        rules = rule_set("standard") if fault == "repeated kickers" else BOTZONE
        found = map(str, legal_moves(rules, parse_hand(hand), parse_move(BOTZONE, to_beat)))
        return [text for text in found if text != fault]

    with pytest.raises(AssertionError):
        run_the_example(monkeypatch, wrong_moves)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("strategy", "condition", "printed"),
    [
        (hands(BOTZONE), lambda hand: size(hand) > 1, "parse_hand('"),
        (follows(BOTZONE), lambda position: size(position[0]) > 1, "(parse_hand('"),
        (moves(BOTZONE), lambda move: move.size > 4, "Move.from_text("),
        (games(BOTZONE), lambda game: len(game.plays) > 0, "Game.from_text(rule_set('botzone'), ("),
        (views(BOTZONE), lambda view: len(view.plays) > 2, "View.from_text(rule_set('botzone'), "),
    ],
    ids=["hand", "follow", "move", "game", "view"],
)
def test_a_counterexample_is_short_and_can_be_typed_back(
    strategy: st.SearchStrategy[Thing], condition: Callable[[Thing], bool], printed: str
) -> None:
    @settings(database=None, phases=[Phase.generate, Phase.shrink], max_examples=300)
    @given(strategy)
    def fails(example: Thing) -> None:
        assert not condition(example)

    with pytest.raises(AssertionError) as raised:
        fails()
    said = "\n".join(raised.value.__notes__)
    assert printed in said and len(said) < 250, said
    text = said.split("example=", 1)[1].rsplit(",\n", 1)[0]
    assert condition(eval(text, {name: getattr(api, name) for name in api.__all__}))


@every_rule_set
@given(data=st.data())
def test_hands_have_the_sizes_asked_for_and_fit_into_the_deck(rules: RuleSet, data: st.DataObject) -> None:
    least = data.draw(st.integers(0, rules.largest_hand))
    most = data.draw(st.integers(least, rules.largest_hand))
    hand = data.draw(hands(rules, least, most))
    assert least <= size(hand) <= most
    assert contains(rules.deck, hand)


@pytest.mark.parametrize(("least", "most"), [(-1, 5), (5, 4), (0, 55)])
def test_hands_of_impossible_sizes_are_refused_by_a_sentence(least: int, most: int) -> None:
    with pytest.raises(InvalidArgument, match=f"hands of {least} to {most} cards: the deck of botzone has none"):
        hands(BOTZONE, least, most)


@every_rule_set
@pytest.mark.parametrize("recognised", [False, True])
@given(data=st.data())
def test_moves_are_readings_of_their_cards(rules: RuleSet, recognised: bool, data: st.DataObject) -> None:
    move = data.draw(moves(rules, recognised))
    assert move in classify(rules, move.cards, recognised)
    assert move.size <= rules.largest_hand
    assert contains(rules.deck, move.cards)


@every_rule_set
@pytest.mark.parametrize("recognised", [False, True])
def test_moves_of_every_kind_come_up(rules: RuleSet, recognised: bool) -> None:
    shapes = rules.recognised if recognised else rules.legal
    seen = set()

    @settings(max_examples=150, database=None)
    @given(moves(rules, recognised))
    def collect(move: Move) -> None:
        seen.add(move.kind)

    collect()
    possible = {shape.kind for shape in shapes if shape.min_length * shape.cards_per_rank <= rules.largest_hand}
    assert {KIND_NAMES[kind] for kind in seen} == {KIND_NAMES[kind] for kind in possible | {ROCKET}}


@every_rule_set
@given(data=st.data())
def test_follows_are_a_hand_beside_a_move_from_one_deck(rules: RuleSet, data: st.DataObject) -> None:
    most = data.draw(st.integers(1, rules.largest_hand))
    hand, to_beat = data.draw(follows(rules, max_size=most))
    assert 1 <= size(hand) <= most
    assert contains(rules.deck, to_beat.cards) and contains(rules.deck - to_beat.cards, hand)
    assert to_beat in classify(rules, to_beat.cards, recognised=True)


@pytest.mark.whole
@every_rule_set
def test_most_follows_have_an_answer_and_some_have_none(rules: RuleSet) -> None:
    answers = []

    @settings(max_examples=100, database=None)
    @given(follows(rules))
    def collect(position: tuple[Hand, Move]) -> None:
        answers.append(len(legal_moves(rules, *position)) > 1)

    collect()
    assert 0.5 < sum(answers) / len(answers) < 1


@every_rule_set
@settings(max_examples=6)
@given(data=st.data())
def test_games_stop_where_they_are_asked_to_after_the_auction_of_their_rules(
    rules: RuleSet, data: st.DataObject
) -> None:
    assert data.draw(games(rules, finished=True)).finished
    game = data.draw(games(rules, finished=False))
    assert not game.finished
    assert auction(game.bids) is not None if rules.bidding else (game.bids, game.landlord_position) == ((), 0)
    view = data.draw(views(rules))
    assert view.seat == len(view.plays) % 3
    assert view.hand and view.contradiction() is None


@given(bids(), bids(over=True), bids(over=False))
def test_bids_are_over_or_not_as_asked(
    any_bids: tuple[int, ...], over: tuple[int, ...], open_: tuple[int, ...]
) -> None:
    assert auction(over) is not None
    assert auction(open_) is None
    assert len(any_bids) <= 3


def smallest(strategy: st.SearchStrategy[Thing], condition: Callable[[Thing], bool], seed: int = 0) -> Thing:
    quiet = settings(database=None, max_examples=1000, suppress_health_check=list(HealthCheck), deadline=None)
    # Without a seed of its own it takes one from the code of the condition, which each interpreter writes otherwise.
    return find(strategy, condition, settings=quiet, random=random.Random(seed))


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(3))
def test_counterexamples_shrink_whatever_was_drawn_first(seed: int) -> None:
    bomb = smallest(hands(BOTZONE), lambda hand: any(move.kind == BOMB for move in legal_moves(BOTZONE, hand)), seed)
    assert hand_text(bomb) == "3333"
    assert str(smallest(moves(BOTZONE), lambda move: move.kind == SHUTTLE_SOLO, seed)) == "3333444456"
    hand, to_beat = smallest(follows(BOTZONE), lambda position: len(legal_moves(BOTZONE, *position)) > 1, seed)
    assert (hand_text(hand), str(to_beat)) == ("4", "3")


@pytest.mark.whole
def test_counterexamples_shrink_to_few_low_cards() -> None:
    mini = rule_set("mini")
    assert hand_text(smallest(hands(BOTZONE, 17, 17), lambda hand: True)) == "33334444555566667"
    assert list(map(hand_text, smallest(deals(mini), fits).hands)) == ["9999TTTTJ", "JJJQQQQKK", "KKAAAA222"]
    assert [str(move) for move in smallest(games(mini), lambda game: len(game.plays) > 0).plays] == ["9"]
