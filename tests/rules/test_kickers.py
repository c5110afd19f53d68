"""What may be laid under both Botzone rule sets, and which cards may go along as kickers."""

import pytest

from ddzbot.cards import parse_hand
from ddzbot.rules import KIND_NAMES, classify, rule_set

both_judges = pytest.mark.parametrize("rules_name", ["botzone", "botzone2"])


def kinds(rules_name: str, cards: str, recognised: bool = False) -> list[str]:
    return [KIND_NAMES[move.kind] for move in classify(rule_set(rules_name), parse_hand(cards), recognised)]


@both_judges
@pytest.mark.parametrize("cards", ["33344455", "3334445566677788", "333366"])
def test_a_pair_cannot_serve_as_two_solo_kickers(rules_name: str, cards: str) -> None:
    assert kinds(rules_name, cards) == []


@both_judges
@pytest.mark.parametrize("cards", ["33344445", "44455556", "33334445", "3333444555"])
def test_no_kicker_has_the_rank_of_the_body(rules_name: str, cards: str) -> None:
    assert kinds(rules_name, cards) == []


@both_judges
@pytest.mark.parametrize("cards", ["333444555777", "333444777", "3334442227", "333444222", "333444555666777JJJ"])
def test_a_trio_beside_the_plane_spoils_it(rules_name: str, cards: str) -> None:
    assert kinds(rules_name, cards) == []


@both_judges
@pytest.mark.parametrize("cards", ["3334446666", "33336666", "3333666677778888", "333444555JJJJ66"])
def test_a_bomb_cannot_serve_as_two_pair_kickers(rules_name: str, cards: str) -> None:
    assert "plane_pair" not in kinds(rules_name, cards)
    assert "four_two_pair" not in kinds(rules_name, cards)


@both_judges
@pytest.mark.parametrize("cards", ["333444556", "333444555667", "33344455566778", "3333556", "333344445567"])
def test_solo_and_pair_kickers_do_not_mix(rules_name: str, cards: str) -> None:
    assert kinds(rules_name, cards) == []


@both_judges
@pytest.mark.parametrize("cards", ["3334", "3332", "333B"])
def test_a_trio_takes_any_other_rank_as_solo_kicker(rules_name: str, cards: str) -> None:
    assert kinds(rules_name, cards) == ["trio_solo"]


@both_judges
def test_a_fourth_card_of_the_rank_is_a_bomb_and_no_kicker(rules_name: str) -> None:
    assert kinds(rules_name, "3333") == ["bomb"]


@both_judges
@pytest.mark.parametrize("cards", ["333LB", "33345"])
def test_the_two_kickers_of_a_trio_are_a_real_pair(rules_name: str, cards: str) -> None:
    assert kinds(rules_name, cards) == []
    assert kinds(rules_name, "33344") == ["trio_pair"]


@both_judges
@pytest.mark.parametrize(
    ("cards", "kind"),
    [("KKKAAA2L", "plane_solo"), ("333444LB", "plane_solo"), ("3333LB", "four_two_solo"), ("33334L", "four_two_solo")],
)
def test_twos_and_jokers_are_solo_kickers_even_both_jokers(rules_name: str, cards: str, kind: str) -> None:
    assert kinds(rules_name, cards) == [kind]


@both_judges
def test_a_pair_of_twos_is_a_pair_kicker(rules_name: str) -> None:
    assert kinds(rules_name, "3334445522") == ["plane_pair"]
    assert kinds(rules_name, "33335522") == ["four_two_pair"]


@both_judges
def test_two_jokers_are_the_rocket_and_never_a_pair(rules_name: str) -> None:
    assert kinds(rules_name, "LB") == ["rocket"]
    assert kinds(rules_name, "33344455LB") == []
    assert kinds(rules_name, "333355LB") == []


@both_judges
def test_four_trios_in_a_row_are_one_bare_plane(rules_name: str) -> None:
    assert kinds(rules_name, "333444555666") == ["plane"]


@both_judges
def test_two_quads_in_a_row_are_a_bare_shuttle_and_no_four_with_two(rules_name: str) -> None:
    assert kinds(rules_name, "33334444") == ["shuttle"]


@both_judges
@pytest.mark.parametrize("cards", ["AAA222", "KKAA22", "JQKA2", "QKA2L", "AAAA2222"])
def test_no_chain_contains_a_two(rules_name: str, cards: str) -> None:
    assert kinds(rules_name, cards) == []


@both_judges
@pytest.mark.parametrize(
    ("shortest", "kind", "too_short"),
    [("TJQKA", "solo_chain", "JQKA"), ("QQKKAA", "pair_chain", "KKAA"), ("KKKAAA", "plane", "AAA")],
)
def test_chains_have_a_least_length(rules_name: str, shortest: str, kind: str, too_short: str) -> None:
    assert kinds(rules_name, shortest) == [kind]
    assert kind not in kinds(rules_name, too_short)


@both_judges
def test_the_longest_solo_chain_is_three_to_ace(rules_name: str) -> None:
    assert kinds(rules_name, "3456789TJQKA") == ["solo_chain"]
    assert kinds(rules_name, "3456789TJQKA2") == []


@pytest.mark.parametrize(
    ("rules_name", "cards", "kind"),
    [
        ("botzone", "3333444456", "shuttle_solo"),
        ("botzone", "333344445566", "shuttle_pair"),
        ("botzone2", "333344445678", "shuttle_solo"),
        ("botzone2", "3333444455667788", "shuttle_pair"),
    ],
)
def test_shuttles_take_one_kicker_a_quad_in_the_first_game_and_two_in_the_second(
    rules_name: str, cards: str, kind: str
) -> None:
    other = "botzone2" if rules_name == "botzone" else "botzone"
    assert kinds(rules_name, cards) == [kind]
    assert kinds(other, cards) == []


@pytest.mark.parametrize("cards", ["33334444LB", "333344445L"])
def test_jokers_are_solo_kickers_of_a_shuttle(cards: str) -> None:
    assert kinds("botzone", cards) == ["shuttle_solo"]


@pytest.mark.parametrize("cards", ["3333444455", "33334444555566"])
def test_kickers_of_a_shuttle_have_different_ranks(cards: str) -> None:
    assert kinds("botzone", cards) == []
