"""The deal: initdata in all its forms, and seeds."""

import json
from typing import Any

import pytest

from ddzbot.game import fits, shuffled
from ddzbot.rules import BOTZONE, MINI
from tests.judge.recorded import transcripts
from tests.judge.tables import SORTED, SORTED2, say
from tools.referee.deal import deal_with_auction, deal_without_auction, fresh_seed
from tools.referee.games import GAMES, make_referee
from tools.referee.referee import Referee, RefereeError

MINI_HANDS = [list(range(24, 36)), list(range(36, 45)), list(range(45, 54))]


def dealt(referee: Referee) -> Any:
    return referee.first().initdata


@pytest.mark.parametrize("name", ["ftl2_game1_randombids", "ftl2_game2_allpass", "ftl2_game3_keeprunning_bid3_by_p1"])
def test_a_seed_deals_as_the_platform_does_in_fightthelandlord2(name: str) -> None:
    recorded = transcripts()[name].initdata
    assert dealt(make_referee("FightTheLandlord2", {"seed": recorded["seed"]}, "other")) == recorded


def test_a_seed_in_initdata_is_carried_along_without_effect_in_fightthelandlord() -> None:
    first, again = (dealt(make_referee("FightTheLandlord", {"seed": seed}, "own")) for seed in ("1", "2"))
    assert (first["seed"], again["seed"]) == ("1", "2")
    assert first["allocation"] == again["allocation"]


@pytest.mark.parametrize("game", GAMES)
def test_the_referees_seed_decides_an_open_deal(game: str) -> None:
    one, same, other = (dealt(make_referee(game, "", seed)) for seed in ("1", "1", "2"))
    assert one == same
    assert one["allocation"] != other["allocation"]


@pytest.mark.parametrize("game", GAMES)
def test_the_initdata_of_the_first_output_makes_the_deal_again(game: str) -> None:
    initdata = dealt(make_referee(game, "", "1"))
    assert dealt(make_referee(game, initdata, "other")) == initdata


@pytest.mark.parametrize("rules", [BOTZONE, MINI], ids=lambda rules: str(rules.name))
def test_a_seed_deals_the_same_ranks_as_everywhere_in_the_project(rules: Any) -> None:
    for seed in ("1", "gate/7", ""):
        assert deal_without_auction("", seed, rules).deal == shuffled(rules, seed)


@pytest.mark.parametrize("seed", range(20))
def test_every_card_is_dealt_once(seed: int) -> None:
    assert fits(deal_with_auction("", str(seed)).deal)


def test_the_landlords_hand_begins_with_the_bottom() -> None:
    initdata = dealt(make_referee("FightTheLandlord", "", "1"))
    assert initdata["allocation"][0][:3] == initdata["publiccard"]
    assert dealt(make_referee("FightTheLandlord", {"allocation": SORTED["allocation"]}, "1"))["publiccard"] == [0, 1, 2]


@pytest.mark.parametrize(("game", "initdata"), [("FightTheLandlord", SORTED), ("FightTheLandlord2", SORTED2)])
def test_initdata_may_be_a_json_text(game: str, initdata: Any) -> None:
    assert dealt(make_referee(game, json.dumps(initdata), "other")) == initdata


@pytest.mark.parametrize("initdata", ["", "{}", "no json", "12345", 5, None, []], ids=repr)
def test_fightthelandlord2_ignores_what_is_no_object(initdata: Any) -> None:
    assert dealt(make_referee("FightTheLandlord2", initdata, "1"))["seed"] == "1"


def test_seeds_of_other_types_deal_in_fightthelandlord2() -> None:
    assert dealt(make_referee("FightTheLandlord2", {"seed": 12345}, "1")) != dealt(
        make_referee("FightTheLandlord2", {"seed": "12345"}, "1")
    )


def test_the_30_card_deal_is_played_by_the_mini_rules() -> None:
    referee = make_referee("FightTheLandlord", {"allocation": MINI_HANDS}, "1")
    assert referee.game is not None
    assert referee.game.rules is MINI
    assert say(referee, list(range(24, 32))).command == "request"
    assert say(make_referee("FightTheLandlord", {"allocation": MINI_HANDS}, "1"), [24, 25, 26, 32]).command == "request"


def test_kickers_on_a_shuttle_are_refused_in_the_mini_game() -> None:
    referee = make_referee("FightTheLandlord", {"allocation": MINI_HANDS}, "1")
    output = say(referee, [*range(24, 32), 32, 33])
    assert output.display["errorInfo"] == "BAD_FORMAT"


def test_the_mini_game_deals_30_cards() -> None:
    referee = make_referee("MiniFightTheLandlord", "", "1")
    allocation = dealt(referee)["allocation"]
    assert [len(hand) for hand in allocation] == [12, 9, 9]
    assert sorted(card for hand in allocation for card in hand) == list(range(24, 54))


def test_a_small_deal_of_other_cards_is_played_by_the_full_rules() -> None:
    referee = make_referee("FightTheLandlord", {"allocation": [[0, 4], [5], [6]]}, "1")
    assert referee.game is not None
    assert referee.game.rules is BOTZONE
    assert say(referee, [4], [], [], [0]).content == {"0": 2.02, "1": 0, "2": 0}


def test_a_deal_of_other_sizes_has_no_spring_in_fightthelandlord2() -> None:
    initdata = {"allocation": [[0], [4], [8]], "publiccard": []}
    assert say(make_referee("FightTheLandlord2", initdata, "1"), 3, [0]).content == {"0": 6, "1": -3, "2": -3}


@pytest.mark.parametrize(
    ("game", "initdata", "sentence"),
    [
        ("FightTheLandlord2", {"allocation": SORTED2["allocation"]}, "an allocation but no publiccard"),
        ("FightTheLandlord", {"publiccard": [0, 1, 2]}, "a publiccard but no allocation"),
        ("FightTheLandlord", {"allocation": [[1], [2]]}, "three hands"),
        ("FightTheLandlord", {"allocation": [[1], [2], []]}, "an empty hand"),
        ("FightTheLandlord", {"allocation": [[1], [2], "3"]}, "not a list of card ids"),
        ("FightTheLandlord", {"allocation": [[1], [2], [2]]}, "card id 2 occurs twice"),
        ("FightTheLandlord", {"allocation": [[1], [2], [True]]}, "card id True"),
        ("FightTheLandlord", {"allocation": [[1], [2], [3]], "publiccard": [4]}, "does not hold the publiccard"),
        ("FightTheLandlord2", {"allocation": [[1], [2], [3]], "publiccard": [3]}, "card id 3 occurs twice"),
        ("FightTheLandlord2", {"seed": ["1"]}, "neither text nor a number"),
        ("FightTheLandlord2", {"seed": "\ud800"}, r"the seed '\\ud800' has half of a surrogate pair"),
        ("FightTheLandlord3", "", "game 'FightTheLandlord3' is unknown"),
    ],
)
def test_what_makes_no_game_is_refused_in_one_sentence(game: str, initdata: Any, sentence: str) -> None:
    with pytest.raises(RefereeError, match=sentence) as caught:
        make_referee(game, initdata, "1")
    assert "\n" not in str(caught.value)


def test_fresh_seeds_differ() -> None:
    assert len({fresh_seed() for _ in range(10)}) > 1
