"""Features fast-2: hand-made examples group by group, and the kernel against Python. They are frozen."""

import hashlib
from collections.abc import Sequence

import pytest

from ddzbot.cards import RANKS, parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import features as kernel_features
from ddzbot.kernel.fast_records import MOST_ACTIVE
from ddzbot.kernel.library import KernelError
from ddzbot.net.fast_features import FEATURES, GROUPS, features, is_on_top
from ddzbot.rules import BOTZONE, KIND_NAMES, PASS, RULE_SETS, parse_move
from ddzbot.view import View
from tests.net.positions import random_views

NAMES = sorted(RULE_SETS)
BOTTOM = "56B"
SOLOS = "5 * own lone cards after the move + those that no unseen card beats"
PAIRS = "4 * own ranks of two cards + those that no unseen pair beats"
TRIOS = "12 * own ranks of three + 3 * those that no unseen trio beats + own bombs and rockets"


def view_after(texts: Sequence[str], hand: str, stake: int = 1) -> View:
    """The view of the player to move after these moves; its hand need not have the right number of cards."""
    plays = tuple(parse_move(BOTZONE, text) for text in texts)
    return View(BOTZONE, len(plays) % 3, parse_hand(hand), parse_hand(BOTTOM), (), stake, 0, plays)


def shown(view: View, text: str) -> dict[str, list[int]]:
    """The features of a move by the meaning of their group, counted from where the group begins."""
    found: dict[str, list[int]] = {}
    for feature in features(view, parse_move(BOTZONE, text)):
        group = next(group for group in reversed(GROUPS) if group.first <= feature)
        found.setdefault(group.meaning, []).append(feature - group.first)
    return found


def slots(*cards: str) -> list[int]:
    """The numbers of cards: ``slots("3", "4", "44")`` are 0 and 4 and 5, ``44`` being the second 4."""
    return [4 * RANKS.index(card[0]) + len(card) - 1 for card in cards]


def test_groups_lie_side_by_side_and_leave_a_few_numbers_free() -> None:
    covered = [number for group in GROUPS for number in range(group.first, group.first + group.size)]
    assert covered == list(range(891))
    assert FEATURES == 896


def test_a_lead_on_the_first_move() -> None:
    found = shown(view_after([], "3344B"), "33")
    assert found.pop("unseen cards")[:3] == slots("3", "33", "4")
    assert found == {
        "own hand after the move": slots("4", "44", "B"),
        "the move's cards": slots("3", "33"),
        "bottom cards that the landlord still holds": slots("5", "6", "B"),
        "kind of the move": [KIND_NAMES.index("pair")],
        "kind of what must be beaten, the pass on a lead": [KIND_NAMES.index("pass")],
        "the player of the move to beat: none, next, previous": [0],
        "own cards after the move": [3],
        "next's cards": [17],
        "previous' cards": [17],
        "fewest moves of the own hand after the move, at most 15": [2],
        "the stake, 1 to 3": [0],
        "lowest enemy solo, then pair, that next passed on; then previous; 15 each: none": [15, 31, 47, 63],
        "the unseen cards have a bomb or the rocket": [0],
        SOLOS: [5 * 1 + 1],
        PAIRS: [4 * 1 + 0],
        TRIOS: [0],
    }


def test_an_answer_to_the_previous_seat() -> None:
    found = shown(view_after(["33", "55"], "77"), "77")
    assert found["the player of the move to beat: none, next, previous"] == [2]
    assert found["kind of what must be beaten, the pass on a lead"] == [KIND_NAMES.index("pair")]
    assert found["cards that next has played"] == found["next's last move; nothing after a pass"] == slots("3", "33")
    assert found["cards that previous has played"] == found["previous' last move"] == slots("5", "55")
    assert found["cards that next has played as leads"] == slots("3", "33")
    assert "cards that previous has played as leads" not in found
    assert (found["next's cards"], found["previous' cards"]) == ([18], [15])


DECLINED = "lowest enemy solo, then pair, that next passed on; then previous; 15 each: none"


@pytest.mark.parametrize(
    ("texts", "declined"),
    [
        # Seat 0 moves, 1 is next and 2 previous: solos of next, its pairs, solos of previous, its pairs.
        (["7", "pass", "9"], [4, 31, 47, 63]),
        (["7", "pass", "pass"], [4, 31, 36, 63]),
        (["77", "pass", "pass"], [15, 20, 47, 52]),
        (["9", "pass", "pass", "7", "pass", "pass", "8", "pass", "pass"], [4, 31, 36, 63]),
        (["777", "pass", "pass"], [15, 31, 47, 63]),
        # Peasants are no enemies of each other.
        (["3", "7", "pass"], [15, 31, 47, 63]),
    ],
)
def test_the_lowest_enemy_solo_and_pair_that_was_passed_on(texts: list[str], declined: list[int]) -> None:
    assert shown(view_after(texts, "K"), "K")[DECLINED] == declined


def test_a_pass_of_the_landlord_is_shown_to_its_neighbour() -> None:
    # Seat 1 moves; previous is the landlord, which passed on the 9 of seat 2.
    assert shown(view_after(["3", "pass", "9", "pass"], "K"), "K")[DECLINED] == [0 + 15, 31, 32 + 6, 63]


def test_bottom_cards_go_when_the_landlord_plays_their_rank() -> None:
    place = "bottom cards that the landlord still holds"
    assert shown(view_after(["5", "6"], "7"), "7")[place] == slots("6", "B")
    assert shown(view_after(["56789", "pass", "pass", "B", "pass"], "7"), "pass").get(place) is None


def test_bombs_and_rockets_are_counted_up_to_six() -> None:
    place = "at least 1, 2, ... 6 bombs and rockets were played"
    assert shown(view_after(["3333", "LB"], "7"), "pass")[place] == [0, 1]
    many = ["3333", "4444", "5555", "6666", "7777", "8888", "9999"]
    assert shown(view_after(many, "7"), "pass")[place] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("hand", "solos", "pairs", "trios"),
    [
        ("", 0, 0, 0),
        ("3B", 5 * 2 + 1, 0, 0),
        ("3LB", 5 * 3 + 2, 0, 1),  # the rocket is two cards that nothing beats, and a rocket
        ("3AA222", 5 * 1, 4 * 1 + 1, 12 * 1 + 3 * 1),
        ("33AA2222", 0, 4 * 2 + 1, 1),
        ("333344445555", 0, 0, 2),
        ("333444555666777", 0, 0, 12 * 4),
        ("33344455566AA2222LB", 5 * 2 + 2, 4 * 2 + 1, 12 * 3 + 2),
        ("3456789TJQKA2LB", 5 * 7 + 3, 0, 1),
        ("33445566778899", 0, 4 * 5, 0),
    ],
)
def test_sets_of_the_hand_and_those_that_nothing_unseen_beats(hand: str, solos: int, pairs: int, trios: int) -> None:
    found = shown(view_after(["3"], hand), "pass")
    assert (found[SOLOS], found[PAIRS], found[TRIOS]) == ([solos], [pairs], [trios])


def test_sets_are_at_most_so_many() -> None:
    found = shown(view_after(["3333", "4444", "5555", "6666", "7777", "8888", "9999"], "TJQKA2LB"), "pass")
    assert (found[SOLOS], found[PAIRS]) == ([5 * 7 + 3], [0])
    everything_else = ["".join(4 * rank) for rank in "3456789T"]
    found = shown(view_after(everything_else, "JJQQKKAA22LB"), "pass")
    assert (found[SOLOS], found[PAIRS], found[TRIOS]) == ([5 * 2 + 2], [4 * 5 + 1], [1])


@pytest.mark.parametrize("stake", [1, 2, 3])
def test_the_stake_is_shown(stake: int) -> None:
    assert shown(view_after([], "7", stake), "7")["the stake, 1 to 3"] == [stake - 1]


def test_a_bomb_among_the_unseen_cards_is_shown_until_it_is_played() -> None:
    place = "the unseen cards have a bomb or the rocket"
    quads = ["".join(4 * rank) for rank in "3456789TJQKA"]
    assert place in shown(view_after(quads[:12], "2"), "2")  # the rocket
    assert place in shown(view_after([*quads[:11], "LB"], "22"), "22")  # four aces
    assert place not in shown(view_after([*quads[:12], "L"], "2"), "2")


@pytest.mark.parametrize(
    ("text", "unseen", "on_top"),
    [
        ("A", "2", False),
        ("A", "AKQ", True),
        ("2", "L", False),
        ("L", "B", False),
        ("AA", "2LB", True),
        ("AA", "22", False),
        ("3334", "444", False),
        ("3334", "4", True),
        ("34567", "8456", True),
        ("34567", "45678", False),
        ("TJQKA", "2222LBAKQJT", True),
        ("334455", "445566", False),
        ("334455", "4455", True),
        ("33344456", "444555", False),
        ("333345", "4444", False),
        ("3333", "444LB", True),
        ("3333", "4444", False),
        ("LB", "", True),
        ("pass", "", False),
    ],
)
def test_a_move_is_on_top_when_no_unseen_body_of_its_kind_is_higher(text: str, unseen: str, on_top: bool) -> None:
    assert is_on_top(parse_move(BOTZONE, text), parse_hand(unseen)) is on_top


@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_shows_the_same_as_its_reference(kernel: Kernel, name: str) -> None:
    compared = 0
    for view in random_views(120, name):
        for move in view.legal_moves()[::5]:
            theirs = kernel_features(kernel, view, move.cards)
            assert sorted(theirs) == features(view, move)
            assert len(theirs) <= MOST_ACTIVE
            compared += 1
    assert compared > 150


def test_a_bid_of_three_is_the_same_for_the_kernel(kernel: Kernel) -> None:
    view = random_views(8, "botzone2")[7]._replace(stake=3)
    move = view.legal_moves()[0]
    assert sorted(kernel_features(kernel, view, move.cards)) == features(view, move)


def test_cards_that_are_no_legal_move_have_no_features(kernel: Kernel) -> None:
    with pytest.raises(KernelError, match="ddz_net_features: bad move"):
        kernel_features(kernel, random_views(1)[0], 0)


def test_the_features_are_frozen() -> None:
    digest = hashlib.sha256()
    for view in random_views(60):
        for move in [*view.legal_moves()[:3], *([PASS] if view.to_beat else [])]:
            digest.update(repr(features(view, move)).encode())
    assert digest.hexdigest()[:12] == "faa775a809ea"
