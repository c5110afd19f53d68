"""Records for tests: random ones of any rule set, and small ones by hand."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ddzbot.rules import RuleSet
from ddzbot.testing.strategies import games, hands
from tests.support import ROOT
from tools.records.record import GameRecord, Note, RecordedMove, Result, record_of

DATA = ROOT / "tests" / "data"

EXAMPLE = """\
[Event "example"]
[Rules "botzone2"]
[Player0 "ann"]
[Player1 "bob"]
[Player2 "cat"]
[Winner "landlord"]
[Scores "6 -3 -3"]
[Termination "landlord out"]
bids    0 1 3
bottom  722
seats   landlord@2             landlord_down@0        landlord_up@1
hands   34556778TJJQKAAA222L   3344567889TQQKKK2      3456678999TTJJQAB
1       345678                 56789T                 6789TJ
2       -                      -                      J
3       L                      -                      -
4       7                      8                      T
5       J                      2                      -
6       -                      33KKK                  -
7       AA222                  -                      -
8       TJQKA                  -                      -
9       5*
note    7 landlord seconds=0.25 value=0.9 comment="nothing can beat it" debug={"player":"rule"}
"""
"""A whole game, in canonical text."""

_TEXTS = st.text(max_size=12)
_NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**20) | _NUMBERS | _TEXTS,
    lambda values: st.lists(values, max_size=2) | st.dictionaries(_TEXTS, values, max_size=2),
    max_leaves=4,
)
_NOTES = st.builds(
    Note,
    seconds=st.none() | st.floats(0, 1e4),
    value=st.none() | _NUMBERS,
    debug=st.none() | st.dictionaries(_TEXTS, _JSON, max_size=2),
    comment=_TEXTS,
)
_TAGS = st.dictionaries(st.from_regex(r"[A-Z][A-Za-z0-9_]{0,5}", fullmatch=True), _TEXTS, max_size=2)
_NAMES = st.tuples(_TEXTS, _TEXTS, _TEXTS)


@st.composite
def played_records(draw: DrawFn, rules: RuleSet) -> GameRecord:
    """Generates records of legal games, finished or not, with notes, names and tags."""
    game = draw(games(rules))
    plies = st.sampled_from(range(len(game.plays))) if game.plays else st.nothing()
    notes = draw(st.dictionaries(plies, _NOTES, max_size=3)) if game.plays else {}
    return record_of(game, draw(_NAMES), notes, draw(_TAGS))


@st.composite
def records(draw: DrawFn, rules: RuleSet) -> GameRecord:
    """Generates records that may be illegal, have unknown hands, bottoms and bids, or be of an auction alone."""
    record = draw(played_records(rules))
    changes: dict[str, Any] = {
        "moves": (*record.moves, *draw(st.lists(st.builds(RecordedMove, hands(rules, 0, 6), _NOTES), max_size=3))),
        "result": Result(
            draw(st.sampled_from(["landlord", "peasants", None])),
            draw(st.none() | st.tuples(_NUMBERS, _NUMBERS, _NUMBERS)),
            draw(_TEXTS),
        ),
    }
    dealt = list(record.hands)
    if draw(st.booleans()):
        landlord = record.position_of(0)
        dealt[landlord] = (dealt[landlord] or 0) + (record.bottom or 0)
        changes["bottom"] = None
    for position in draw(st.sets(st.sampled_from(range(3)))):
        dealt[position] = None
    changes["hands"] = tuple(dealt)
    return replace(record, **changes)


@st.composite
def auctions(draw: DrawFn, rules: RuleSet) -> GameRecord:
    """Generates records that end in the auction: there is no landlord, and no move."""
    record = draw(played_records(rules))
    heard = draw(st.integers(0, len(record.bids)))
    return replace(record, moves=(), landlord_position=None, bids=record.bids[:heard], result=Result())
