"""What holds for every hand, every move and every game, under every rule set."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot.cards import contains, hand_text, parse_hand, size
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
from ddzbot.testing.strategies import deals, follows, games, hands, moves

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)


@every_rule_set
@given(data=st.data())
def test_leads_and_answers_are_in_the_hand_and_what_they_claim_to_be(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    leads, (first, *answers) = legal_moves(rules, hand), legal_moves(rules, hand, to_beat)
    others = classify(rules, to_beat.cards, recognised=True)
    assert first == PASS
    for found in (leads, answers):
        assert len({move.cards for move in found}) == len(found)
        for move in found:
            assert contains(hand, move.cards) and move in classify(rules, move.cards)
            assert set(classify(rules, move.cards)) <= set(classify(rules, move.cards, recognised=True))
    for move in answers:
        assert beats(rules, move.cards, to_beat.cards) and any(reading_beats(move, other) for other in others)
    assert {move.cards for move in answers} <= {move.cards for move in leads}


@every_rule_set
@given(data=st.data())
def test_beating_is_one_way(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    for move in legal_moves(rules, hand, to_beat)[1:]:
        several_readings = len(classify(rules, move.cards)) > 1
        assert several_readings or not beats(rules, to_beat.cards, move.cards)


@every_rule_set
@given(data=st.data())
def test_the_text_of_a_move_reads_as_that_move(rules: RuleSet, data: st.DataObject) -> None:
    move = data.draw(moves(rules, recognised=True))
    assert move in classify(rules, move.cards, recognised=True)
    assert parse_move(rules, str(move)) == read_move(rules, move.cards)
    assert parse_hand(str(move)) == move.cards
    assert move.size == size(move.cards) == len(str(move))


@every_rule_set
@given(data=st.data())
def test_what_is_not_legal_is_explained_in_one_line_that_names_the_cards(rules: RuleSet, data: st.DataObject) -> None:
    hand, to_beat = data.draw(follows(rules))
    leading = data.draw(st.booleans())
    cards = data.draw(
        st.one_of(st.just(0), hands(rules, 0, 8), moves(rules, recognised=True).map(lambda move: move.cards))
    )
    table = None if leading else to_beat
    reason = explain(rules, hand, cards, table)
    assert (reason is None) == (cards in {move.cards for move in legal_moves(rules, hand, table)})
    assert reason is None or not cards or (str(reason).startswith(f"{hand_text(cards)}: ") and "\n" not in str(reason))


@every_rule_set
@settings(max_examples=8)
@given(data=st.data())
def test_a_game_keeps_its_cards_and_ends_with_one_empty_hand(rules: RuleSet, data: st.DataObject) -> None:
    assert fits(data.draw(deals(rules)))
    game = data.draw(games(rules, finished=True))
    assert sum(game.hands) + sum(move.cards for move in game.plays) == rules.deck
    assert [seat for seat in range(3) if not game.hands[seat]] == [game.winner]
    assert len(game.scores()) == 3
    passes = "".join("." if move.is_pass else "x" for move in game.plays)
    assert "..." not in passes and not passes.startswith(".")


@pytest.mark.parametrize("name", ["botzone2", "icga"])
@settings(max_examples=8)
@given(data=st.data())
def test_games_with_stakes_and_an_auction_are_zero_sum(name: str, data: st.DataObject) -> None:
    landlord, down, up = data.draw(games(RULE_SETS[name], finished=True)).scores()
    assert landlord + down + up == 0
    assert down == up != 0


@pytest.mark.parametrize("name", ["botzone", "mini"])
@settings(max_examples=8)
@given(data=st.data())
def test_games_for_points_pay_both_peasants_the_same(name: str, data: st.DataObject) -> None:
    game = data.draw(games(RULE_SETS[name], finished=True))
    landlord, down, up = game.scores()
    assert down == up
    assert (landlord > down) == (game.winner == 0)
