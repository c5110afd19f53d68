"""
RHCP: the fast player against the literal one on random positions, then each rule of its description by itself.

``DDZ_RHCP_POSITIONS=20000`` in the environment asks for that many random positions instead of a few.
"""

import os
import random
from collections.abc import Iterator

import pytest

from ddzbot.cards import FULL_DECK, UNIT, Hand, contains, count, counts, hand_text, parse_hand, size
from ddzbot.game import Deal, shuffled, start
from ddzbot.players import rhcp_value
from ddzbot.players.base import Decision
from ddzbot.players.registry import make_player
from ddzbot.players.rhcp_follow import follow
from ddzbot.players.rhcp_value import GROUPS, group_points, hand_value, lead
from ddzbot.rules import FOUR_TWO_SOLO, KIND_NAMES, ROCKET, RULE_SETS, STANDARD, RuleSet, beats, classify, read_move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.platforms import PLATFORMS
from tests.players.rhcp_literal import Rhcp, counts_of, recognise

POSITIONS = int(os.environ.get("DDZ_RHCP_POSITIONS", "120"))
LITERAL_NAMES = (
    "single, pair, triple, triple+1, triple+2, straight, pair chain, triple chain, "
    "airplane+singles, airplane+pairs, four+2, four+2 pairs, bomb, rocket"
)
NAMES = dict(zip(KIND_NAMES[1:15], LITERAL_NAMES.split(", "), strict=True))
"""What the literal player calls each of the 14 kinds."""
UNRECOGNISED = ("33334444", "33344455", "33344435", "3334445556667777", "3333444456", "33334", "34")
BY_KIND = {name: [group.cards for group in GROUPS.values() if KIND_NAMES[group.kind] == name] for name in NAMES}


# Random positions.


def some_cards(draw: random.Random, pool: Hand, number: int) -> Hand:
    """Draws cards from *pool*; every other time from few of its ranks, so that triples and bombs are common."""
    ranks = range(15) if draw.random() < 0.5 else draw.sample(range(15), 7)
    cards = [UNIT[rank] for rank in ranks for _ in range(count(pool, rank))]
    return sum(draw.sample(cards, min(number, len(cards))))


def random_leads(number: int, largest: int) -> Iterator[Hand]:
    draw = random.Random("rhcp/leads")
    for index in range(number):
        # Every third hand has a plane: long ones are too rare otherwise.
        kind = ("plane", "plane_solo", "plane_pair")[index // 3 % 3]
        core = some_group(draw, kind) if index % 3 == 0 else 0
        core = core if size(core) < largest else 0
        yield core + some_cards(draw, FULL_DECK - core, draw.randint(1, largest - size(core)))


def random_follows(number: int, largest: int) -> Iterator[tuple[str, Hand, Hand]]:
    """Yields (name of the kind, hand, cards to beat): each of the 14 kinds, and none of them, equally often."""
    draw = random.Random("rhcp/follows")
    for index in range(number):
        name = [*NAMES, "none"][index % 15]
        played = parse_hand(draw.choice(UNRECOGNISED)) if name == "none" else some_group(draw, name)
        answers = [cards for cards in BY_KIND.get(name, []) if is_answer(cards, played, largest)]
        core = draw.choice(answers) if answers and draw.random() < 0.7 else 0
        rest = some_cards(draw, FULL_DECK - played - core, draw.randint(0 if core else 1, largest - size(core)))
        if core + rest:
            yield name, core + rest, played


def some_group(draw: random.Random, name: str) -> Hand:
    """Draws a group of a kind; the lower of two, so that answers exist."""
    return min(draw.choices(BY_KIND[name], k=2), key=lambda cards: GROUPS[cards].rank)


def is_answer(cards: Hand, played: Hand, largest: int) -> bool:
    mine, other = GROUPS[cards], GROUPS[played]
    higher = mine.length == other.length and mine.rank > other.rank
    return higher and size(cards) <= largest and contains(FULL_DECK - played, cards)


def differences(literal: Rhcp, leads: list[Hand], follows: list[tuple[str, Hand, Hand]]) -> list[str]:
    """Says where the player and the literal one choose differently."""
    found = [f"lead {hand_text(hand)}" for hand in leads if counts(lead(hand)) != counts_of(literal.lead(counts(hand)))]
    for _, hand, played in follows:
        if counts(follow(hand, played)) != counts_of(literal.follow(counts(hand), counts(played))):
            found.append(f"{hand_text(hand)} on {hand_text(played)}")
    return found


def kind_name(cards: Hand) -> str:
    return KIND_NAMES[GROUPS[cards].kind] if cards else "pass"


# The fast player against the literal one.


def test_every_choice_is_that_of_the_literal_program() -> None:
    leads = list(random_leads(POSITIONS // 3, 20))
    follows = list(random_follows(POSITIONS * 2 // 3, 20))
    assert differences(Rhcp(), leads, follows) == []


def test_every_choice_is_that_of_the_literal_program_without_a_memo() -> None:
    leads = list(random_leads(POSITIONS // 100, 12))
    follows = list(random_follows(POSITIONS // 100, 12))
    assert differences(Rhcp(remember=False), leads, follows) == []


def test_the_random_positions_meet_answers_and_passes_on_every_kind_and_bombs() -> None:
    met = {(name, kind_name(follow(hand, played))) for name, hand, played in random_follows(1000, 20)}
    answerable = set(NAMES) - {"rocket"}
    assert met >= {(name, name) for name in answerable} | {(name, "pass") for name in [*NAMES, "none"]}
    assert {"bomb", "rocket"} <= {chosen for name, chosen in met if name not in ("bomb", "rocket")}


def test_groups_are_those_of_the_literal_program() -> None:
    for group in GROUPS.values():
        expected = recognise(counts(group.cards))
        assert expected
        main = group.rank + group.length - 1 + 3 + (group.kind == ROCKET)
        found = (NAMES[KIND_NAMES[group.kind]], main, group.size, group_points(group))
        assert found == tuple(expected)


def test_no_other_cards_are_a_group() -> None:
    draw = random.Random("rhcp/groups")
    sets = [some_cards(draw, FULL_DECK, draw.randint(1, 12)) for _ in range(5000)]
    assert [hand_text(cards) for cards in sets if (cards in GROUPS) != bool(recognise(counts(cards)))] == []


def test_a_full_memo_changes_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = list(random_leads(60, 16))
    expected = [lead(hand) for hand in hands]
    monkeypatch.setattr(rhcp_value, "CACHE_LIMIT", 1000)
    monkeypatch.setattr(rhcp_value, "_SCORES", {})
    assert [lead(hand) for hand in hands] == expected
    assert len(rhcp_value._SCORES) <= 1000


# The rules of the description, one by one.


def led(hand: str) -> str:
    return hand_text(lead(parse_hand(hand)))


def answer(hand: str, played: str) -> str:
    return hand_text(follow(parse_hand(hand), parse_hand(played))) or "pass"


# fmt: off
POINTS = {
    "3": -7, "2": 5, "L": 6, "B": 7, "44": -6, "444": -6, "4445": -6, "444B": -6, "44455": -6, "34567": -2,
    "TJQKA": 5, "334455": -4, "333444": 1, "44455567": 1, "QQQKKKAAA345": 6, "3334445566": 1, "444456": 0,
    "555566": 1, "55556677": 1, "3333": 7, "2222": 19, "LB": 20,
}
LEADS = {
    # a whole hand that is a group, but for four with two
    "34567": "34567", "333444": "333444", "33344456": "33344456", "4444": "4444", "LB": "LB", "444456": "5",
    # the rocket where one round is left without it
    "33LB": "LB", "3355LB": "33",
    # an exact triple with kickers, although a straight would be better; a pair, a card of a bomb or of the rocket
    "34567888": "3888", "333445": "33344", "3334444": "33344", "3334444LB": "333L",
    # planes of two to four with kickers
    "34445556TJ": "34445556", "333444555666789T2": "333444555666789T", "3334445557788992": "333444555778899",
    # the smallest rank that is no bomb is part of the lead; a straight may break a bomb
    "33334": "4", "3333456": "4", "344445678TJQKA2": "345678",
    # the only joker before a bomb, and the smallest bomb last
    "4444L": "L", "44445555": "4444", "44445555LB": "4444",
}
ANSWERS = {
    # the last of equals wins, and of equal kickers the highest
    ("45556", "3"): "6", ("557778889TTJJQQKA", "33344468"): "7778889K", ("888999JJQQQKKKAA2", "3334445T"): "888999JA",
    ("67778899TJJQQQKKKB", "33344488TT"): "77JJQQQKKK",
    # a pass costs one round: the hand scores -2, and an answer may leave -9 and no less
    ("8222", "333"): "222", ("7222", "333"): "pass", ("34567", "3"): "pass", ("579", "3"): "5",
    # the rocket on anything when one round is left without it
    **dict.fromkeys([("9LB", played) for played in ("3", "33344455", "33334444", "555567")], "LB"),
    **dict.fromkeys([("888899992222", played) for played in (*UNRECOGNISED, "LB")], "pass"),
    # a bomb is answered by the smallest larger bomb, else the rocket
    ("3456777788889LB", "5555"): "7777", ("345677789LB", "5555"): "LB", ("345677789L", "5555"): "pass",
    # a whole hand that is a bomb or the rocket answers all but a straight
    ("LB", "33"): "LB", ("LB", "34567"): "pass",
    # a plane with pairs breaks a bomb, one with solos does not
    ("66667778899", "3334445522"): "6667778899",
    # a bomb is played when it leaves points above zero, and each one sets the mark for the next
    ("7777AA22", "KKKQQ"): "7777", ("777733456", "KKKQQ"): "pass", ("555566663489", "222"): "5555",
    ("55556666AA", "222"): "6666",
    # the rocket above 20 points only
    ("AA22LB", "3334"): "LB", ("3399LB", "4445"): "pass",
    # four with two pairs is bombed above 14 points even with an answer, and always without one
    ("5555778822226", "44443399"): "5555", ("6666778822225", "44443399"): "66667788", ("555567", "66663344"): "5555",
}
VALUES = {
    "": (0, 0), "3": (-7, 1), "3355": (-12, 2), "444456": (-1, 3), "44445555LB": (37, 3), "8222": (5, 1),
    "AA22LB": (29, 3), "3399LB": (12, 3),
}
# fmt: on


def test_groups_and_hands_have_these_values() -> None:
    assert {cards: group_points(GROUPS[parse_hand(cards)]) for cards in POINTS} == POINTS
    assert {hand: hand_value(parse_hand(hand)) for hand in VALUES} == VALUES


def test_leads_and_answers_are_those_of_the_description() -> None:
    assert {hand: parse_hand(led(hand)) for hand in LEADS} == {hand: parse_hand(cards) for hand, cards in LEADS.items()}
    assert {(hand, played): answer(hand, played) for hand, played in ANSWERS} == ANSWERS
    assert answer("66667779TQ", "33344456") != "66677769"


# What the player makes of it: moves, bids, legality.


def view_of(rules: RuleSet, hand: Hand, played: Hand = 0) -> View:
    """A view with that hand: of the landlord who leads, or of the next seat after the landlord played something."""
    if not played:
        return View.of(start(Deal(rules, (hand, 0, 0), 0)), 0)
    return View.of(start(Deal(rules, (played, hand, 0), 0)).played(read_move(rules, played)), 1)


def choice(rules: RuleSet, hand: str, played: str = "") -> Decision:
    return make_player("rhcp").choose(view_of(rules, parse_hand(hand), parse_hand(played)), Limit())


def is_four_with_a_pair(cards: Hand) -> bool:
    return GROUPS[cards].kind == FOUR_TWO_SOLO and 2 in counts(cards)


@pytest.mark.parametrize("name", RULE_SETS)
def test_four_with_a_pair_is_played_under_standard_only(name: str) -> None:
    decision = choice(RULE_SETS[name], "TTTTKK", "9999JQ")
    assert (str(decision.move), decision.debug) == (("TTTTKK", {}) if name == "standard" else ("pass", {"refused": 1}))


@pytest.mark.parametrize("name", RULE_SETS)
def test_four_with_a_pair_is_answered_where_it_is_recognised(name: str) -> None:
    decision = choice(RULE_SETS[name], "TTTTJQK", "9999AA")
    recognised = name in ("standard", "icga")
    assert (str(decision.move), decision.debug) == (("TTTTJQ", {}) if recognised else ("pass", {"refused": 1}))


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_other_group_is_legal_under_every_rule_set(name: str) -> None:
    rules = RULE_SETS[name]
    groups = [group for group in list(GROUPS.values())[::7] if contains(rules.deck, group.cards)]
    refused = {group.cards for group in groups if group not in classify(rules, group.cards)}
    assert refused == {group.cards for group in groups if is_four_with_a_pair(group.cards) and rules is not STANDARD}


@pytest.mark.parametrize("name", PLATFORMS)
def test_answers_beat_what_the_rule_set_recognises_but_for_four_with_a_pair(name: str) -> None:
    rules = RULE_SETS[name]
    follows = [(follow(hand, played), played) for _, hand, played in random_follows(240, 17)]
    known = [(cards, played) for cards, played in follows if cards and classify(rules, played, recognised=True)]
    refused = [cards for cards, played in known if not beats(rules, cards, played)]
    assert len(known) > 100
    assert [hand_text(cards) for cards in refused if rules is STANDARD or not is_four_with_a_pair(cards)] == []


@pytest.mark.parametrize("name", RULE_SETS)
def test_choices_are_legal_moves_in_random_games(name: str) -> None:
    rhcp, other = make_player("rhcp"), make_player("random")
    draw = random.Random(f"rhcp/{name}")
    for index in range(3):
        game = start(shuffled(RULE_SETS[name], f"rhcp/{index}"))
        while not game.finished:
            view = View.of(game, game.seat)
            move = rhcp.choose(view, Limit()).move
            assert move in view.legal_moves()
            game = game.played(move if draw.random() < 0.5 else other.choose(view, Limit()).move)


def test_bids_are_1_below_15_points_2_below_20_and_else_3() -> None:
    deals = [shuffled(RULE_SETS["botzone2"], f"rhcp/{index}") for index in range(20)]
    hands = [hand for deal in deals for hand in deal.hands]
    bids = [make_player("rhcp").bid(BidView(RULE_SETS["botzone2"], hand, ())) for hand in hands]
    literal = Rhcp()
    points = [literal.value(counts(hand)).points for hand in hands]
    assert bids == [1 if own < 15 else 2 if own < 20 else 3 for own in points]
    assert set(bids) == {1, 2, 3}


@pytest.mark.parametrize(("bids", "expected"), [((), 2), ((1,), 2), ((2,), 0), ((1, 2), 0)])
def test_a_bid_that_is_not_above_the_earlier_ones_becomes_0(bids: tuple[int, ...], expected: int) -> None:
    hand = parse_hand("345667789TJJQKA2L")
    assert make_player("rhcp").bid(BidView(RULE_SETS["botzone2"], hand, bids)) == expected
