"""What holds for every hand, every move and every game, under every rule set."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot.cards import contains, parse_hand, size
from ddzbot.game import fits
from ddzbot.rules import (
    PASS,
    RULE_SETS,
    RuleSet,
    beats,
    classify,
    explain,
    legal_moves,
    parse_move,
    read_move,
    reading_beats,
)
from tools.shared.strategies import deals, follows, games, hands, moves

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
some = settings(max_examples=50)


@every_rule_set
@some
@given(data=st.data())
def test_every_lead_is_in_the_hand_and_is_what_it_claims_to_be(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules, 1))
    for move in legal_moves(rules, hand):
        assert contains(hand, move.cards)
        assert move in classify(rules, move.cards)


@every_rule_set
@some
@given(data=st.data())
def test_every_answer_but_the_pass_beats_the_move(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    first, *answers = legal_moves(rules, hand, to_beat)
    assert first == PASS
    assert all(beats(rules, move.cards, to_beat.cards) and contains(hand, move.cards) for move in answers)


@every_rule_set
@some
@given(data=st.data())
def test_every_answer_names_a_reading_that_wins(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    others = classify(rules, to_beat.cards, recognised=True)
    for move in legal_moves(rules, hand, to_beat)[1:]:
        assert any(reading_beats(move, other) for other in others)


@every_rule_set
@some
@given(data=st.data())
def test_no_set_of_cards_is_offered_twice(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    for found in (legal_moves(rules, hand), legal_moves(rules, hand, to_beat)):
        assert len({move.cards for move in found}) == len(found)


@every_rule_set
@some
@given(data=st.data())
def test_every_answer_is_also_a_lead(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    leads = {move.cards for move in legal_moves(rules, hand)}
    assert {move.cards for move in legal_moves(rules, hand, to_beat)[1:]} <= leads


@every_rule_set
@some
@given(data=st.data())
def test_what_is_legal_is_recognised(rules: RuleSet, data: st.DataObject) -> None:
    cards = data.draw(st.one_of(moves(rules).map(lambda move: move.cards), hands(rules, 1, 8)))
    assert set(classify(rules, cards)) <= set(classify(rules, cards, recognised=True))


@every_rule_set
@some
@given(data=st.data())
def test_beating_is_one_way(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    for move in legal_moves(rules, hand, to_beat)[1:]:
        several_readings = len(classify(rules, move.cards)) > 1
        assert several_readings or not beats(rules, to_beat.cards, move.cards)


@every_rule_set
@some
@given(data=st.data())
def test_the_text_of_a_move_reads_as_that_move(rules: RuleSet, data: st.DataObject) -> None:
    move = data.draw(moves(rules, recognised=True))
    assert move in classify(rules, move.cards, recognised=True)
    assert parse_move(rules, str(move)) == read_move(rules, move.cards)
    assert parse_hand(str(move)) == move.cards
    assert move.size == size(move.cards) == len(str(move))


@every_rule_set
@some
@given(data=st.data())
def test_explain_is_silent_exactly_when_the_move_is_legal(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    leading = data.draw(st.booleans())
    cards = data.draw(st.one_of(st.just(0), hands(rules, 0, 8), moves(rules).map(lambda move: move.cards)))
    table = None if leading else to_beat
    legal = cards in {move.cards for move in legal_moves(rules, hand, table)}
    assert (explain(rules, hand, cards, table) is None) == legal


@every_rule_set
@some
@given(data=st.data())
def test_an_explanation_is_one_line_that_names_the_cards(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    cards = data.draw(moves(rules, recognised=True))
    reason = explain(rules, hand, cards.cards, to_beat)
    assert reason is None or (str(reason).startswith(f"{cards}: ") and "\n" not in str(reason))


@every_rule_set
@settings(max_examples=20)
@given(data=st.data())
def test_no_card_is_lost_in_a_game(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    assert sum(game.hands) + sum(move.cards for move in game.plays) == rules.deck


@every_rule_set
@settings(max_examples=15)
@given(data=st.data())
def test_every_game_ends_with_one_empty_hand(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules, finished=True))
    assert [seat for seat in range(3) if not game.hands[seat]] == [game.winner]
    assert len(game.scores()) == 3


@every_rule_set
@settings(max_examples=15)
@given(data=st.data())
def test_after_a_lead_at_most_two_seats_pass_in_a_row(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    passes = "".join("." if move.is_pass else "x" for move in game.plays)
    assert "..." not in passes
    assert not passes.startswith(".")


@every_rule_set
@settings(max_examples=20)
@given(data=st.data())
def test_a_deal_gives_out_the_whole_deck(rules: RuleSet, data: st.DataObject) -> None:
    assert fits(data.draw(deals(rules)))


@pytest.mark.parametrize("name", ["botzone2", "icga"])
@settings(max_examples=20)
@given(data=st.data())
def test_games_with_stakes_and_an_auction_are_zero_sum(name: str, data: st.DataObject) -> None:
    landlord, down, up = data.draw(games(RULE_SETS[name], finished=True)).scores()
    assert landlord + down + up == 0
    assert down == up != 0


@pytest.mark.parametrize("name", ["botzone", "mini"])
@settings(max_examples=20)
@given(data=st.data())
def test_games_for_points_pay_both_peasants_the_same(name: str, data: st.DataObject) -> None:
    game = data.draw(games(RULE_SETS[name], finished=True))
    landlord, down, up = game.scores()
    assert down == up
    assert (landlord > down) == (game.winner == 0)
