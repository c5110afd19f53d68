"""Public types print themselves so that they can be typed back, and a counterexample is short."""

import subprocess
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddzbot import api
from ddzbot.api import BidView, CardsError, Deal, Endgame, Game, Move, RulesError, RuleSet, View, parse_hand, rule_set
from ddzbot.game import is_legal_bid
from ddzbot.moves import PLANE_SOLO, UNKNOWN
from ddzbot.rules import RULE_SETS, Scoring, Shape, legal_moves, read_move
from ddzbot.testing.strategies import deals, follows, games, hands, moves, views
from tests.support import EVERY_PYTHON, ROOT, find_python, require

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
STANDARD, MINI = rule_set("standard"), rule_set("mini")


def typed_back(text: str) -> object:
    """Gets what the text makes after ``from ddzbot.api import *``; a rule set of one's own has two types more."""
    names = {name: getattr(api, name) for name in api.__all__}
    return eval(text, {**names, "Scoring": Scoring, "Shape": Shape})


@every_rule_set
@settings(max_examples=6)
@given(data=st.data())
def test_what_the_strategies_make_can_be_typed_back(rules: RuleSet, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    other = data.draw(games(rules, finished=False))
    kinds = data.draw(st.frozensets(st.integers(2, UNKNOWN - 1)))
    things = [
        *(rules, game, game.legal_moves(), View.of(game, 0), View.of(game, 1)),
        *(data.draw(views(rules)), data.draw(deals(rules)), data.draw(hands(rules)), data.draw(follows(rules))),
        *(data.draw(moves(rules)), data.draw(moves(rules, recognised=True)), read_move(rules, data.draw(hands(rules)))),
        *(Endgame.of(other), Endgame.of(other)._replace(banned=kinds)),
        BidView(rules, data.draw(hands(rules, rules.dealt, rules.dealt)), game.bids),
    ]
    for thing in things:
        assert typed_back(repr(thing)) == thing
    cards = 54 + 4  # of the deck, with words between hands
    assert len(repr(game)) < 140 + cards + 5 * len(game.plays) + 12 * sum(":" in repr(move) for move in game.plays)
    assert len(repr(things[3])) < 160 + cards + 5 * len(game.plays)


@every_rule_set
def test_every_lead_can_be_typed_back_and_is_short(rules: RuleSet) -> None:
    leads = legal_moves(rules, rules.deck)
    for move in Random(7).sample(leads, min(400, len(leads))):
        assert typed_back(repr(move)) == move
        assert len(repr(move)) < 60


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (api.PASS, "Move.from_text('pass')"),
        (Move.from_text("3334"), "Move.from_text('3334')"),
        (Move(parse_hand("333444555666"), PLANE_SOLO, 0, 3), "Move.from_text('333444555666:plane_solo')"),
        (Move(parse_hand("3333444555666777"), PLANE_SOLO, 1, 4), "Move.from_text('3333444555666777:plane_solo:4')"),
        (Move.from_text("3345:unknown"), "Move.from_text('3345')"),
        (MINI, "rule_set('mini')"),
        (MINI._replace(dealt=8), "rule_set('mini')._replace(dealt=8)"),
        (Game.from_text(MINI, ["99", "T", "J"], "QKA"), "Game.from_text(rule_set('mini'), ('99', 'T', 'J'), 'QKA')"),
        (
            View.from_text(STANDARD, 1, "345", "", "333444555666 pass 3", (None, 2), 2, 1),
            "View.from_text(rule_set('standard'), 1, '345', '', plays='333444555666 pass 3', bids=(None, 2), stake=2, "
            "landlord_position=1)",
        ),
        (BidView(MINI, parse_hand("99T"), (0,)), "BidView.from_text(rule_set('mini'), '99T', bids=(0,))"),
        (
            Endgame.from_text(MINI, ("9", "TT"), 1, "9", 0, ["bomb"]),
            "Endgame.from_text(rule_set('mini'), ('9', 'TT'), seat=1, to_beat='9', table_seat=0, banned=('bomb',))",
        ),
        (Deal.from_text(MINI, ["9", "T", "J"], "Q"), "Deal.from_text(rule_set('mini'), ('9', 'T', 'J'), 'Q')"),
    ],
    ids=lambda thing: str(thing)[:30] if isinstance(thing, str) else "",
)
def test_it_is_written_as_short_as_it_can_be(thing: object, text: str) -> None:
    assert repr(thing) == text
    assert typed_back(text) == thing


@pytest.mark.parametrize(
    "thing",
    [
        Move(1 << 70, 1, 0, 1),
        Move(parse_hand("34"), 99, 77, 5),
        Move(parse_hand("33"), UNKNOWN, 0, 1),
        Game(MINI, (5, 1 << 64, 0), 0, (), (), 0),
        View(MINI, 0, 0, 0, (), 1, 0, (Move(3, 18, 5, 7),)),
        Endgame(MINI, (1, 2), banned=frozenset({99})),
        MINI._replace(name="house", dealt=8),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_no_cards_are_is_written_with_its_fields(thing: object) -> None:
    assert "=" in repr(thing)
    assert typed_back(repr(thing)) == thing


@pytest.mark.parametrize("field", [None, "mini", [3], {}, 1.5, object()], ids=lambda field: type(field).__name__)
def test_fields_of_any_type_print(field: object) -> None:
    kinds: list[Any] = [Move, Deal, Game, View, BidView, Endgame, RuleSet]
    for kind in kinds:
        assert "=" in repr(kind(*[field] * len(kind._fields)))


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: Move.from_text("3X"), CardsError, "'X'"),
        (lambda: Move.from_text("34567:bomb"), RulesError, "'34567:bomb'"),
        (lambda: Move.from_text(""), RulesError, "''"),
        (lambda: Game.from_text("mini", ["9", "T", "J"], ""), TypeError, "rule_set"),  # type: ignore[arg-type]
        (lambda: BidView.from_text("mini", "9"), TypeError, "rule_set"),  # type: ignore[arg-type]
        (lambda: Endgame.from_text(MINI, ["9", "T"], banned=["nuke"]), ValueError, "nuke|tuple"),
        (lambda: View.from_text(MINI, 0, "9", "", "9 TX"), CardsError, "'X'"),
        (lambda: View.from_text(MINI, 0, "9", "", 5), TypeError, "str"),  # type: ignore[arg-type]
    ],
)
def test_a_text_that_is_none_is_refused(call, error, sentence) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=sentence):
        call()


@pytest.mark.parametrize("version", EVERY_PYTHON)
def test_it_is_so_on_every_python(version: str) -> None:
    python = require(find_python(version), f"CPython {version}")
    game = reduce(lambda game, _: game.played(game.legal_moves()[0]), range(9), some_game())
    written = repr((game, View.of(game, 1), Endgame.of(game), MINI))
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom ddzbot.api import *\nprint({written})"
    done = subprocess.run([python, "-S", "-c", program], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (written, "")


def some_game() -> Game:
    rules = rule_set("icga")
    assert is_legal_bid((0,), 2)
    return api.start(api.shuffled(rules, "typed back"), (0, 2, 0), 1)
