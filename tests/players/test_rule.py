"""The rule player: one small test for each rule of behaviour, then what holds in every game."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot.cards import RANK_COUNT, UNIT, Hand, contains, count, parse_hand, size
from ddzbot.game import SEATS, shuffled, start
from ddzbot.players.registry import make_player
from ddzbot.rules import BOTZONE, PASS, RULE_SETS, UNKNOWN, Move, RuleSet, explain, parse_move
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.support import ROOT

LANDLORD, DOWN, UP = range(SEATS)


def view_of(seat: int, hands: tuple[str, str, str], table: tuple[int, str] | None = None) -> View:
    """
    Builds the view of *seat* when the *hands* (by seat) are left, and *table* (seat, move) is to be beaten.

    Every other card was laid in the first round; passes lead up to the turn of *seat*.
    """
    held = [parse_hand(hand) for hand in hands]
    before = list(held)
    if table:
        before[table[0]] += parse_hand(table[1])
    plays = [Move(cards, UNKNOWN, -1, 0) for cards in gone(before)]
    while len(plays) < 6 or len(plays) % SEATS != (table[0] if table else seat):
        plays.append(PASS)
    if table:
        plays.append(parse_move(BOTZONE, table[1]))
    while len(plays) % SEATS != seat:
        plays.append(PASS)
    view = View(
        rules=BOTZONE, seat=seat, hand=held[seat], bottom=0, bids=(), stake=1, landlord_position=0, plays=tuple(plays)
    )
    assert sum(view.cards_left(other) for other in range(SEATS)) == sum(map(size, held)), "more cards than the deck has"
    assert contains(BOTZONE.deck, sum(before)) and view.contradiction() is None
    return view


def gone(before: list[Hand]) -> list[Hand]:
    rest = BOTZONE.deck - sum(before)
    cards = [UNIT[rank] for rank in range(RANK_COUNT) for _ in range(count(rest, rank))]
    laid = []
    for seat, hand in enumerate(before):
        number = BOTZONE.seat_cards(seat) - size(hand)
        laid.append(sum(cards[:number]))
        cards = cards[number:]
    return laid


def choice(view: View) -> tuple[str, str]:
    decision = make_player("rule").choose(view, Limit())
    assert explain(view.rules, view.hand, decision.move.cards, view.to_beat) is None
    return str(decision.move), decision.debug["rule"]


def lead(seat: int, *hands: str) -> str:
    return choice(view_of(seat, (hands[0], hands[1], hands[2])))[0]


def answer(seat: int, table: tuple[int, str], *hands: str) -> str:
    return choice(view_of(seat, (hands[0], hands[1], hands[2]), table))[0]


# Finishing.


@pytest.mark.parametrize("hand", ["3", "34567", "3334", "444456", "LB", "5555"])
def test_leads_the_move_that_empties_the_hand(hand: str) -> None:
    assert choice(view_of(LANDLORD, (hand, "789TJQ", "KKAA22"))) == (hand, "finish")


def test_answers_with_the_move_that_empties_the_hand() -> None:
    assert choice(view_of(LANDLORD, ("44", "789TJQ", "KKAA22"), (UP, "33"))) == ("44", "finish")


def test_leads_the_sure_tricks_before_the_last_move() -> None:
    assert choice(view_of(LANDLORD, ("322", "TTJQKA", "99JQKA"))) == ("22", "sure")


def test_a_trick_is_not_sure_while_an_enemy_may_hold_a_bomb() -> None:
    assert choice(view_of(LANDLORD, ("322", "TTTTKA", "99JQKA")))[1] == "lead"


def test_a_trick_of_more_cards_than_an_enemy_holds_is_sure() -> None:
    assert choice(view_of(LANDLORD, ("334567", "99TT", "JJQK"))) == ("34567", "sure")


def test_answers_with_a_sure_trick_that_leaves_one_move() -> None:
    assert choice(view_of(LANDLORD, ("2456789", "TTJQK", "99JQK"), (UP, "A"))) == ("2", "sure")


def test_an_answer_is_not_sure_while_an_enemy_may_hold_a_bomb() -> None:
    assert choice(view_of(LANDLORD, ("2456789", "TTJQK", "TTJQK"), (UP, "A")))[1] == "follow"


def test_leads_the_stronger_of_the_last_two_moves() -> None:
    assert lead(LANDLORD, "4AA", "567822B", "9TTJQKL") == "AA"


# Leading.


def test_leads_low_cards_first() -> None:
    assert lead(LANDLORD, "3468JKA2B", "4455667789TJQ", "5678899TTJQ2L") in {"3", "4"}


def test_leads_a_chain_before_a_solo() -> None:
    assert lead(LANDLORD, "45678JK2", "3399TTQQKKA2L", "3447799TJQA2B") == "45678"


def test_takes_low_kickers_along() -> None:
    assert lead(LANDLORD, "3777KA2B", "4455669TJQK2", "5689TTJQQKAL") == "3777"


def test_does_not_give_a_joker_away_as_a_kicker() -> None:
    assert "B" not in lead(LANDLORD, "777KKAAB", "4455669TJQ2", "5689TTJQQ2L")


def test_does_not_break_a_pair_for_a_kicker() -> None:
    assert lead(LANDLORD, "66788899", "334455TTJJQQ2", "4479JQKKAA2LB") != "6888"


def test_keeps_a_bomb_while_it_has_other_leads() -> None:
    assert lead(LANDLORD, "35799JJKKKK", "446688TTQQA2", "45678TJQA22LB") not in {"KKKK", "3KKKK5"}


def test_keeps_the_rocket_whole() -> None:
    assert lead(LANDLORD, "357899QKLB", "4466TTJJAA22", "45678TJQQKA22") not in {"L", "B", "LB"}


# Following.


def test_answers_with_a_card_that_breaks_nothing() -> None:
    assert answer(LANDLORD, (UP, "4"), "56789KKAA2J", "334466TTQQA2", "557788TJQ2LB") in {"J", "2"}


def test_answers_a_trio_with_the_kicker_that_breaks_nothing() -> None:
    assert answer(LANDLORD, (UP, "4666"), "3999JJQQA2", "445577TTKKL", "557788TJKA2B") == "3999"


def test_finds_the_best_kicker_among_many() -> None:
    assert answer(LANDLORD, (UP, "4666"), "35999TTJJQQKKAA2L", "4557788TQ", "3378JKA2B") == "3999"


def test_keeps_a_bomb_early() -> None:
    hands = ("3579JJJJQKA2", "445566788TQKKA", "4566778TTQKA2B")
    assert answer(LANDLORD, (UP, "3"), *hands) not in {"JJJJ", "J"}


def test_bombs_to_win() -> None:
    assert answer(LANDLORD, (UP, "22"), "35555", "66778899TJQ", "4JQQKKAA") == "5555"


def test_bombs_to_stop_a_loss() -> None:
    assert answer(LANDLORD, (UP, "22"), "7899TTTTJQK", "66778899JQA", "4") == "TTTT"


def test_keeps_the_rocket_whole_when_it_follows_early() -> None:
    assert answer(LANDLORD, (UP, "5"), "3588TTLB", "34577JK2", "57899J22") == "pass"


def test_passes_when_there_is_no_answer() -> None:
    assert choice(view_of(LANDLORD, ("345", "66778899", "JJQQKK2"), (UP, "2"))) == ("pass", "forced")


# The partner.


def test_does_not_overtake_the_partners_ace() -> None:
    assert answer(UP, (DOWN, "A"), "344688K2", "5679QK22", "4469TQA2") == "pass"


def test_does_not_overtake_what_the_landlord_let_pass() -> None:
    assert answer(DOWN, (UP, "K"), "4567789TJQ", "3345778QQA2", "66889TTJ") == "pass"


def test_never_bombs_the_partner() -> None:
    assert answer(UP, (DOWN, "K"), "5B", "TJKAAA", "345QQQQK") == "pass"


def test_overtakes_the_partner_to_finish() -> None:
    assert answer(DOWN, (UP, "K"), "4567789TJQ", "A", "66889TTJ") == "A"


def test_feeds_the_next_seat_when_it_is_the_partner_with_one_card() -> None:
    assert choice(view_of(DOWN, ("4567789TJQ", "3455KKAA2", "6"))) == ("3", "feed")


def test_keeps_pairs_together_when_the_partner_is_not_next() -> None:
    assert choice(view_of(UP, ("456778", "6", "3399JJKA2")))[1] != "feed"


# An enemy with few cards.


def test_blocks_a_landlord_with_one_card_by_leading_anything_but_solos() -> None:
    assert lead(UP, "Q", "4567789TJ", "3588KA") == "88"


def test_blocks_a_landlord_with_one_card_by_leading_the_highest_solo() -> None:
    assert lead(UP, "Q", "4567789K", "358QA") == "A"


def test_puts_a_card_before_the_landlord_that_its_last_one_cannot_beat() -> None:
    assert answer(UP, (DOWN, "4"), "Q", "567789TJ", "368TKA2") in {"K", "A", "2"}


def test_gives_low_solos_away_as_kickers_against_a_landlord_with_one_card() -> None:
    assert lead(UP, "9", "579QKK", "35TJJJA") == "3JJJ"


def test_plays_high_when_one_of_two_enemies_has_one_card() -> None:
    assert answer(LANDLORD, (UP, "3"), "799TA22B", "Q", "34455689TQ") == "A"


def test_breaks_a_chain_to_stop_an_enemy_with_one_card() -> None:
    assert answer(LANDLORD, (DOWN, "6"), "88TJQKA", "K", "5567Q9") != "pass"


# In every game.


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), rule_seats=st.sets(st.integers(0, 2), min_size=1))
def test_every_move_is_legal_and_every_game_ends(rules: RuleSet, seed: int, rule_seats: set[int]) -> None:
    players = [make_player("rule" if seat in rule_seats else "random", seed) for seat in range(SEATS)]
    game = start(shuffled(rules, f"test/rule/{seed}"))
    while not game.finished:
        game = game.play(players[game.seat].choose(View.of(game, game.seat), Limit()).move)
        assert len(game.plays) <= SEATS * size(rules.deck)


@pytest.mark.parametrize("laid", ["33334444", "3344", "33344435", "LB33"])
def test_answers_moves_of_no_known_kind_legally_even_if_the_cards_cannot_be(laid: str) -> None:
    # The own hand may hold the same cards: a view rebuilt from messages can contradict itself.
    game = start(shuffled(BOTZONE, "test/rule/unknown"))
    strange = Move(parse_hand(laid), UNKNOWN, -1, 0)
    move = make_player("rule").choose(View.of(game, 1)._replace(plays=(strange,)), Limit()).move
    assert explain(BOTZONE, game.hands[1], move.cards, strange) is None


def choices(seed: int) -> list[str]:
    """Lays out one game and asks on a twin view each time."""
    game = start(shuffled(BOTZONE, "test/rule/twice"))
    while not game.finished:
        game = game.play(make_player("rule", seed).choose(View.of(game, game.seat), Limit()).move)
    return [str(move) for move in game.plays]


def test_the_same_view_gives_the_same_move_whatever_the_seed() -> None:
    assert choices(1) == choices(1) == choices(2)


def test_two_processes_choose_the_same() -> None:
    program = "from tests.players.test_rule import choices; print(choices(3))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert runs == {f"{choices(3)}\n"}
