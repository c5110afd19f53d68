"""Main moves: 309 of them by the rules, and with kickers every legal move and no other."""

import random
from itertools import combinations

import pytest

from ddzbot.cards import parse_hand
from ddzbot.game import shuffled, start
from ddzbot.net.rocket_moves import (
    KICKERS,
    OUTPUTS,
    all_main_moves,
    by_output,
    completed,
    going_out,
    kicker_output,
    kickers_of,
    leads,
    output_of,
    playable,
)
from ddzbot.rules import (
    BOTZONE,
    ICGA,
    KIND_NAMES,
    RULE_SETS,
    STANDARD,
    Move,
    RuleSet,
    classify,
    parse_move,
)
from ddzbot.view import View
from tests.net.oracles import kicker_of

MOST_COMPLETIONS = 3000
"""Positions with more legal moves are left to the others: each takes a second."""


def counted(rules: RuleSet) -> dict[str, int]:
    """Counts the bodies of each kind that some hand of the landlord can play, by trying every set of ranks."""
    found: dict[str, int] = {}
    for shape in rules.legal:
        for length in range(shape.min_length, shape.max_length + 1):
            if length * shape.cards_per_rank <= rules.largest_hand:
                ranks = shape.top_rank - length + 2
                found[KIND_NAMES[shape.kind]] = found.get(KIND_NAMES[shape.kind], 0) + ranks
    return found


def test_there_are_308_main_moves_and_the_pass() -> None:
    expected = {
        "solo": 15,
        "pair": 13,
        "trio": 13,
        "trio_solo": 13,
        "trio_pair": 13,
        "bomb": 13,
        "four_two_solo": 13,
        "four_two_pair": 13,
        "solo_chain": 36,
        "pair_chain": 52,
        "plane": 45,
        "plane_solo": 38,
        "plane_pair": 30,
    }
    assert counted(STANDARD) == expected
    assert sum(expected.values()) + 1 == 308  # with the rocket
    assert len(OUTPUTS) == len(set(OUTPUTS)) == 309
    ours = [KIND_NAMES[kind] for kind, _, _ in OUTPUTS]
    assert {name: ours.count(name) for name in ours} == {**expected, "pass": 1, "rocket": 1}


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_every_main_move_of_a_rule_set_has_an_output(rules: RuleSet) -> None:
    for main in all_main_moves(rules):
        kind, rank, length = OUTPUTS[main.output]
        assert (main.rank, main.length) == (rank, length)
        assert KIND_NAMES[main.kind].replace("shuttle", "plane") == KIND_NAMES[kind]


def completions(view: View) -> list[Move]:
    """Plays every legal main move with every set of kickers."""
    mains = playable(view.rules, leads(view.rules, view.hand), view.to_beat)
    return [
        completed(view.rules, main, list(kickers), view.to_beat)
        for main in mains
        for kickers in combinations(main.choice(view.hand), main.kickers)
    ]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_main_moves_and_kickers_make_every_legal_move_and_no_other(rules: RuleSet) -> None:
    for number in range(4):
        game, chance = start(shuffled(rules, f"rocket/{number}")), random.Random(number)
        while not game.finished:
            view = View.of(game, game.seat)
            legal = view.legal_moves()
            if len(legal) <= MOST_COMPLETIONS:
                assert set(completions(view)) == set(legal)
            game = game.play(chance.choice(legal))


@pytest.mark.parametrize(
    ("rules", "hand", "played"),
    [
        (STANDARD, "3334445556666", None),
        (STANDARD, "444555666777", "333444555666"),
        (STANDARD, "444555666778", "333444555777"),
        (ICGA, "5556667778889", "333444555666"),
        (BOTZONE, "4444555566", "33334444"),
        (BOTZONE, "444555", "333444"),
        (ICGA, "55556677", "33334444"),
        (BOTZONE, "LB34", "3333"),
    ],
)
def test_cards_with_several_readings_are_completed_too(rules: RuleSet, hand: str, played: str | None) -> None:
    plays = () if played is None else (parse_move(rules, played),)
    view = View(rules, len(plays), parse_hand(hand), 0, (), 1, 0, plays)
    assert set(completions(view)) == set(view.legal_moves())


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_a_move_is_its_main_move_with_its_kickers(rules: RuleSet) -> None:
    game, chance = start(shuffled(rules, "rocket/round")), random.Random(7)
    while not game.finished:
        view = View.of(game, game.seat)
        mains = by_output(playable(rules, leads(rules, view.hand), view.to_beat))
        legal = view.legal_moves()
        for move in chance.sample(legal, min(20, len(legal))):
            main = mains[output_of(move)]
            if main.kind == move.kind:
                kickers = kickers_of(move, main)
                assert len(kickers) == main.kickers and all(kicker in main.choice(view.hand) for kicker in kickers)
                assert completed(rules, main, kickers, view.to_beat) == move
        game = game.play(chance.choice(legal))


def test_a_shuttle_has_the_output_of_the_plane_and_comes_before_it() -> None:
    (shuttle,) = classify(BOTZONE, parse_hand("33334444"))
    assert output_of(shuttle) == output_of(parse_move(BOTZONE, "333444"))
    main = by_output(leads(BOTZONE, parse_hand("33334444")))[output_of(shuttle)]
    assert KIND_NAMES[main.kind] == "shuttle"
    follow = playable(BOTZONE, leads(BOTZONE, parse_hand("44445555")), parse_move(BOTZONE, "333444"))
    assert KIND_NAMES[by_output(follow)[output_of(parse_move(BOTZONE, "444555"))].kind] == "plane"


def test_kickers_have_28_outputs() -> None:
    kickers = [kicker_of(output) for output in range(KICKERS)]
    assert KICKERS == 28 and len(set(kickers)) == 28
    assert [kicker_output(kicker) for kicker in kickers] == list(range(28))
    assert kicker_of(14) == parse_hand("B") and kicker_of(15) == parse_hand("33") and kicker_of(27) == parse_hand("22")


@pytest.mark.parametrize(("hand", "out"), [("33344455", False), ("33344456", True), ("3334455", False), ("LB", True)])
def test_a_main_move_that_plays_the_whole_hand_is_found(hand: str, out: bool) -> None:
    cards = parse_hand(hand)
    main = going_out(leads(BOTZONE, cards), cards)
    assert (main is not None) == out
    if main:
        assert completed(BOTZONE, main, main.choice(cards), None).cards == cards
