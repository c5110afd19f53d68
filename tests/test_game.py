"""Deals, the auction, the course of a game, and what each seat is paid."""

import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.cards import hand_text, parse_hand
from ddzbot.game import (
    Deal,
    Game,
    IllegalMoveError,
    auction,
    final_bid,
    fits,
    is_anti_spring,
    is_legal_bid,
    is_spring,
    scores,
    shuffled,
    start,
)
from ddzbot.rules import RULE_SETS, Move, RuleSet, parse_move, rule_set
from tests.support import EVERY_PYTHON, ROOT, find_python, require

BOTZONE, BOTZONE2 = rule_set("botzone"), rule_set("botzone2")

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)


def moves(rules: RuleSet, line: str) -> list[Move]:
    """Reads moves in turn order, ``-`` for a pass; for example ``3 4 - 5``."""
    return [parse_move(rules, "pass" if text == "-" else text) for text in line.split()]


def paid(rules_name: str, line: str, winner: int, stake: int = 1) -> tuple[float, float, float]:
    rules = rule_set(rules_name)
    return scores(rules, moves(rules, line), winner, stake)


# Deals.

PINNED = {
    "botzone": "4456889JJJQQKAAA2 33445567899TQKK2B 335667789TTTJK22L 7QA",
    "botzone2": "4456889JJJQQKAAA2 33445567899TQKK2B 335667789TTTJK22L 7QA",
    "mini": "99TQK222B TTJQQKAA2 99TJJJQKA KAL",
    "standard": "4456889JJJQQKAAA2 33445567899TQKK2B 335667789TTTJK22L 7QA",
    "icga": "4456889JJJQQKAAA2 33445567899TQKK2B 335667789TTTJK22L 7QA",
}


def deal_line(deal: Deal) -> str:
    return " ".join(hand_text(hand) for hand in (*deal.hands, deal.bottom))


DEAL_PROGRAM = """
import sys
from ddzbot.cards import hand_text
from ddzbot.game import shuffled
from ddzbot.rules import rule_set
for name in sys.argv[1:]:
    deal = shuffled(rule_set(name), "pin/1/000001")
    print(name, *[hand_text(hand) for hand in (*deal.hands, deal.bottom)])
"""


@pytest.mark.parametrize("name", PINNED)
def test_a_seed_always_deals_the_same_cards(name: str) -> None:
    assert deal_line(shuffled(rule_set(name), "pin/1/000001")) == PINNED[name]


@pytest.mark.parametrize("version", EVERY_PYTHON)
def test_every_python_deals_the_same_cards(version: str) -> None:
    python = require(find_python(version), f"CPython {version}")
    done = subprocess.run([python, "-B", "-c", DEAL_PROGRAM, *PINNED], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines() == [f"{name} {line}" for name, line in PINNED.items()], done.stderr


@every_rule_set
@given(seed=st.text(max_size=8))
def test_a_shuffled_deal_fits_its_rule_set(rules: RuleSet, seed: str) -> None:
    assert fits(shuffled(rules, seed))


def test_different_seeds_deal_different_cards() -> None:
    assert len({shuffled(BOTZONE, str(seed)) for seed in range(100)}) == 100


def test_a_deal_of_wrong_cards_does_not_fit() -> None:
    deal = shuffled(BOTZONE, "x")
    first, second, third = deal.hands
    assert fits(deal)
    assert not fits(deal._replace(bottom=0))
    assert not fits(deal._replace(hands=(first, first, third)))
    assert not fits(deal._replace(hands=(first + second, 0, third)))


# The auction.


@pytest.mark.parametrize(
    ("bids", "result"),
    [
        ((), None),
        ((1,), None),
        ((0, 2), None),
        ((3,), (0, 3)),
        ((1, 3), (1, 3)),
        ((0, 1, 2), (2, 2)),
        ((1, 2, 0), (1, 2)),
        ((2, 0, 0), (0, 2)),
        ((0, 0, 0), (0, 1)),
    ],
)
def test_the_highest_bidder_is_landlord_and_a_three_ends_the_auction(
    bids: tuple[int, ...], result: tuple[int, int] | None
) -> None:
    assert auction(bids) == result


@pytest.mark.parametrize(
    ("bids", "legal"), [((), [0, 1, 2, 3]), ((1,), [0, 2, 3]), ((0,), [0, 1, 2, 3]), ((2,), [0, 3])]
)
def test_a_bid_is_zero_or_above_all_earlier_ones(bids: tuple[int, ...], legal: list[int]) -> None:
    assert [bid for bid in range(-1, 6) if is_legal_bid(bids, bid)] == legal


@pytest.mark.parametrize(("bids", "stake"), [((), 1), ((0, 0, 0), 1), ((0, 2, 0), 2), ((1, 3), 3)])
def test_the_stake_is_the_highest_bid_and_at_least_one(bids: tuple[int, ...], stake: int) -> None:
    assert final_bid(bids) == stake


@pytest.mark.parametrize("bids", [(9,), (-1,), (1.5,), ("1",), (2, 1), (1, 1), (3, 0), (0, 0, 0, 1), (0, None)])
def test_bids_that_no_auction_has_are_refused(bids: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=re.escape(f"bids {bids}: {bids[-1]!r} is not a bid there")):
        auction(bids)


@pytest.mark.parametrize(
    ("rules", "bids", "position", "sentence"),
    [
        (BOTZONE2, (), 7, "landlord_position must be 0, 1 or 2, not 7"),
        (BOTZONE2, (), -1, "landlord_position must be 0, 1 or 2, not -1"),
        (BOTZONE2, (0, 3), 0, "bids (0, 3): they do not make position 0 the landlord"),
        (BOTZONE2, (0, 1), 1, "bids (0, 1): they do not make position 1 the landlord"),
        (BOTZONE2, (9,), 0, "bids (9,): 9 is not a bid there"),
        (BOTZONE, (3,), 0, "bids (3,): there is no auction under rules botzone"),
    ],
)
def test_a_landlord_without_that_bid_is_refused(
    rules: RuleSet, bids: tuple[int, ...], position: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        start(shuffled(rules, "x"), bids, position)


@pytest.mark.parametrize("bids", [(), (0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 1)])
def test_seats_are_counted_from_the_landlord_who_takes_the_bottom(bids: tuple[int, ...]) -> None:
    deal = shuffled(BOTZONE2, "x")
    position = bids.index(max(bids)) if bids else 2
    game = start(deal, bids, position)
    assert game.hands[0] == deal.hands[position] + deal.bottom
    assert game.hands[1:] == (deal.hands[(position + 1) % 3], deal.hands[(position + 2) % 3])
    assert game.bottom == deal.bottom


# The course of a game.


def small_game(landlord: str, down: str, up: str, rules: RuleSet = BOTZONE) -> Game:
    """A game near its end. Its hands are not a deal, which neither playing nor scoring asks for."""
    return Game(rules, (parse_hand(landlord), parse_hand(down), parse_hand(up)), 0, (), (), 0)


def play(game: Game, line: str) -> Game:
    for move in moves(game.rules, line):
        game = game.play(move)
    return game


def test_the_landlord_leads_and_the_turn_goes_round() -> None:
    game = small_game("3345", "446", "557")
    assert [play(game, line).seat for line in ("", "33", "33 44", "33 44 -", "33 44 - -")] == [0, 1, 2, 0, 1]


def test_what_must_be_beaten_is_the_last_move_that_was_no_pass() -> None:
    game = small_game("3345", "446", "557")
    assert [str(play(game, line).to_beat) for line in ("33", "33 44", "33 44 -")] == ["33", "44", "44"]
    assert game.to_beat is None
    assert play(game, "33 44 - -").to_beat is None


def test_a_move_leaves_the_game_before_it_as_it_was() -> None:
    game = small_game("33", "4", "5")
    after = game.play(parse_move(BOTZONE, "3"))
    assert (hand_text(game.hands[0]), hand_text(after.hands[0])) == ("33", "3")
    assert (game.plays, len(after.plays)) == ((), 1)


def test_the_seat_that_is_out_has_won() -> None:
    assert play(small_game("3", "4", "5"), "3").winner == 0
    assert play(small_game("34", "44", "5"), "3 - 5").winner == 2
    assert play(small_game("34", "44", "5"), "3 -").winner is None


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("34", "landlord plays 34: these cards are not a move"),
        ("-", "landlord plays a lead cannot be a pass"),
        ("6", "landlord plays 6: the hand 3345 does not hold these cards"),
        ("33 6", "landlord_down plays 6: a solo cannot answer the pair 33"),
        ("5 4", "landlord_down plays 4: it does not beat 5"),
    ],
)
def test_an_illegal_move_is_refused_by_a_sentence_that_names_the_seat(line: str, sentence: str) -> None:
    game = small_game("3345", "446", "557")
    *legal, illegal = line.split()
    game = play(game, " ".join(legal))
    cards = 0 if illegal == "-" else parse_hand(illegal)
    with pytest.raises(IllegalMoveError) as error:
        game.play(Move(cards, 0, -1, 0))
    assert str(error.value).startswith(sentence)


def test_no_move_is_legal_after_the_end() -> None:
    over = play(small_game("3", "4", "5"), "3")
    with pytest.raises(IllegalMoveError, match="4: the game is over"):
        over.play(parse_move(BOTZONE, "4"))


def test_what_was_listed_for_one_game_is_not_played_in_another() -> None:
    listed, other = (start(shuffled(BOTZONE, f"test/3/{number}")) for number in range(2))
    strange = next(move for move in listed.legal_moves() if move not in other.legal_moves())
    assert strange in listed.legal_moves()
    with pytest.raises(IllegalMoveError, match="landlord plays"):
        other.play(strange)
    over = listed._replace(hands=(listed.hands[0], 0, listed.hands[2]))
    assert strange in listed.legal_moves()
    with pytest.raises(IllegalMoveError, match="the game is over"):
        over.play(strange)
    assert listed.play(strange).plays == (strange,)


def test_no_hand_but_that_of_the_mover_stays_behind_in_the_process() -> None:
    game = start(shuffled(BOTZONE, "test/3/7"))
    for _ in range(4):
        game = game.play(game.legal_moves()[-1])
    game.legal_moves()
    hidden = {game.hands[seat] for seat in range(3) if seat != game.seat}
    for name, module in [*sys.modules.items()]:
        if name.split(".")[0] == "ddzbot":
            for value in [*vars(module).values()]:
                parts = value if isinstance(value, (tuple, list, set, dict)) else [value]
                assert not any(isinstance(part, (Game, int)) and (part in hidden or part == game) for part in parts), (
                    name
                )


def test_a_running_game_has_no_scores() -> None:
    with pytest.raises(ValueError, match="the game is not over: no scores yet"):
        small_game("3", "4", "5").scores()


# Stakes: botzone2, icga, standard.


@pytest.mark.parametrize(
    ("name", "line", "winner", "stake", "points"),
    [
        # The landlord gets twice the stake, and a peasant loses it.
        *(("botzone2", "3 4 5 6", 0, stake, (2 * stake, -stake, -stake)) for stake in (1, 2, 3)),
        ("standard", "3 4 5 6", 0, 3, (2, -1, -1)),
        # Every bomb and rocket on the table doubles, of either side, but no shuttle and no four with kickers.
        ("botzone2", "3 4444 - - 5 - 6", 0, 1, (4, -2, -2)),
        ("botzone2", "3 4444 5555 LB - - 6", 0, 1, (16, -8, -8)),
        ("botzone2", "3 4 LB - - 5 6", 0, 1, (4, -2, -2)),
        ("botzone2", "33334444 - - 5 6 - 7", 0, 1, (2, -1, -1)),
        ("botzone2", "333345 - - 6 7 - 8", 0, 1, (2, -1, -1)),
        ("botzone2", "333344445678 - - 9 T - J", 0, 1, (2, -1, -1)),
        # A spring and an anti-spring double, but not under standard.
        ("botzone2", "3456789TJQKA", 0, 1, (4, -2, -2)),
        ("botzone2", "3 4 5 - - 6", 2, 2, (-8, 4, 4)),
        ("botzone2", "3333 - - LB - - 4", 0, 3, (48, -24, -24)),
        ("icga", "3 - - 4", 0, 2, (8, -4, -4)),
        ("standard", "3 - - 4444 - - 5", 0, 1, (4, -2, -2)),
    ],
)
def test_stakes_are_paid_so(name: str, line: str, winner: int, stake: int, points: tuple[float, float, float]) -> None:
    assert paid(name, line, winner, stake) == points


def test_a_spring_needs_peasants_without_a_card_and_an_anti_spring_a_landlord_with_one_move() -> None:
    springs = {line: is_spring(moves(BOTZONE2, line)) for line in ("3 - - 4", "3 4 - 5", "3 - 4 5")}
    assert [*springs.values()] == [True, False, False]
    assert is_anti_spring(moves(BOTZONE2, "3 4 5 - - 6"))
    assert not is_anti_spring(moves(BOTZONE2, "3 4 5 6 7 8"))


# Points: botzone and mini.


@pytest.mark.parametrize(
    ("move", "points"),
    [
        ("3", 1),
        ("33", 2),
        ("333", 4),
        ("3334", 4),
        ("33344", 4),
        ("34567", 6),
        ("3456789TJQKA", 6),
        ("334455", 6),
        ("333444", 8),
        ("33344456", 8),
        ("3334445566", 8),
        ("333345", 8),
        ("33334455", 8),
        ("3333", 10),
        ("33334444", 10),
        ("3333444456", 10),
        ("333344445566", 10),
        ("333344445555", 20),
        ("333344445555678", 20),
        ("LB", 16),
    ],
)
def test_each_move_is_paid_in_hundredths_by_its_kind(move: str, points: int) -> None:
    assert paid("botzone", move, winner=0) == (2 + points / 100, 0, 0)


@pytest.mark.parametrize(
    ("name", "line", "winner", "points"),
    [
        # Losers are paid too, and both peasants get the mean of their sums.
        ("botzone", "33 - - 3 4 5", 2, (0.03, 2.01, 2.01)),
        ("botzone", "3 4 - - 5555", 1, (0.01, 2.055, 2.055)),
        ("botzone", "3 - 4 5 - LB", 2, (0.02, 2.085, 2.085)),
        ("botzone", "3 4 LB - 5 - 6", 0, (2.02, 0.09, 0.09)),
        # Points know no doubling and no stake, and a pass is none.
        ("botzone", "3333 - - LB - - 4", 0, (2.27, 0, 0)),
        ("botzone", "3 - -", 0, (2.01, 0, 0)),
        ("mini", "9999TTTTJJJJ", 0, (2.2, 0, 0)),
    ],
)
def test_points_are_paid_so(name: str, line: str, winner: int, points: tuple[float, float, float]) -> None:
    assert paid(name, line, winner, stake=3) == pytest.approx(points)
    assert rule_set("mini").scoring == BOTZONE.scoring


def test_an_error_costs_the_whole_side_in_games_for_points() -> None:
    assert BOTZONE.scoring.landlord_fault == (-1, 2.5, 2.5)
    assert BOTZONE.scoring.peasant_fault == (2.5, -1, -1)
