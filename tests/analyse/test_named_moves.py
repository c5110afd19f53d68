"""Moves that a user names: some alone are analysed, and the move that was made is told about wherever it ranks."""

import json

import pytest
from click.testing import CliRunner, Result

from ddzbot.evaluation import Criterion, evaluate
from ddzbot.game import shuffled, start
from ddzbot.kernel.rollout import MOST_ARMS
from ddzbot.rules import PASS, RULE_SETS, Move
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.search.positions import endgame
from tests.support import ROOT, kernel_path, require
from tools.records.notation import parse_view, view_text
from tools.study.analyse.__main__ import main
from tools.study.analyse.analyse import analyse
from tools.study.analyse.named_moves import PART, named_moves
from tools.study.analyse.query import QueryError, parse_query

LINE = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"
LIMIT = Limit(playouts=800)


@pytest.fixture(autouse=True)
def needed(with_network: None) -> None:
    require(kernel_path(), "a C compiler")


def lead(name: str) -> View:
    """A lead from a whole hand, with more moves than a search plays out."""
    rules = RULE_SETS[name]
    view = View.of(start(shuffled(rules, "named"), (3,) if rules.bidding else ()), 0)
    assert len(view.legal_moves()) > MOST_ARMS
    return view


def run(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


def move_of(view: View, text: str) -> Move:
    (found,) = named_moves(view, [text])
    return found


@pytest.mark.parametrize("name", ["botzone", "botzone2"])
def test_only_the_named_moves_are_searched_and_all_playouts_are_theirs(name: str) -> None:
    view = lead(name)
    everything = analyse(view, LIMIT, top=1000)
    worst = [known.move for known in everything.moves[-2:]]
    assert all(known.visits == 0 for known in everything.moves[-2:])
    found = analyse(view, LIMIT, top=1000, only=worst)
    assert {known.move for known in found.moves} == {*worst} and [known.rank for known in found.moves] == [1, 2]
    assert all(known.visits > LIMIT.playouts // 4 and known.error for known in found.moves)  # type: ignore[operator]
    assert found.moves[1].gap_error and found.notes.source.certain is None


def test_the_order_does_not_matter_and_a_single_move_is_played_out_too() -> None:
    view = parse_view(LINE)
    assert isinstance(view, View)
    one, other = (evaluate(view, LIMIT, 3, named_moves(view, texts)) for texts in (["KK", "pass"], ["pass", "KK"]))
    assert one.estimates == other.estimates
    (alone,) = analyse(view, LIMIT, only=named_moves(view, ["KK"])).moves
    assert alone.move == move_of(view, "KK") and alone.visits > LIMIT.playouts // 4  # type: ignore[operator]


def test_a_move_that_goes_out_is_exact_and_does_not_hide_the_others() -> None:
    view = endgame(("345679TJ44", "3567KA", "89TJQK"), 0)
    texts = ["4", "3"]
    assert [known.visits > 0 for known in analyse(view, LIMIT, only=named_moves(view, texts)).moves] == [True, True]
    out = endgame(("44", "3567KA", "89TJQK"), 0)
    (one,) = analyse(out, LIMIT, only=named_moves(out, ["4"])).moves
    assert str(one.move) == "4" and one.win < 1
    (last,) = analyse(out, LIMIT, only=named_moves(out, ["44"])).moves
    assert (str(last.move), last.win) == ("44", 1.0)


def test_without_a_network_rules_play_the_named_moves_out(without_network: None) -> None:
    view = parse_view(LINE)
    assert isinstance(view, View)
    found = analyse(view, Limit(playouts=20), only=named_moves(view, ["KK", "pass"]))
    assert {known.move for known in found.moves} == {PASS, move_of(view, "KK")}
    assert all(known.visits for known in found.moves)


# What is refused.


@pytest.mark.parametrize(
    ("only", "said"),
    [
        (["77"], "only: move '77': 77: the hand 99TTQKKA does not hold these cards"),
        (["9"], "only: move '9': "),
        (["7x"], "only: move '7x': cards '7x': 'X' is not a rank"),
        ([""], "only: move '': it has no cards; a pass is written pass"),
        ([], "Expected `array` of length >= 1 - at `$.only`"),
        ("99", "Expected `array`, got `str` - at `$.only`"),
    ],
)
def test_a_move_that_is_none_here_is_one_sentence_with_the_field(only: object, said: str) -> None:
    with pytest.raises(QueryError) as refused:
        parse_query({"id": 1, "view": LINE, "only": only})
    assert str(refused.value).startswith(said) and refused.value.field == "only"


def test_bids_are_not_moves() -> None:
    with pytest.raises(QueryError, match="only names moves, and this is a turn of the auction"):
        parse_query({"id": 1, "view": "botzone2 bid 3455678TJJQKAAA2L 01", "only": ["pass"]})


def test_the_command_takes_them_and_says_what_is_wrong() -> None:
    done = run(LINE, "--only", "KK,pass", "--limit", "200p")
    assert done.exit_code == 0, done.output
    assert sorted(one["move"] for one in json.loads(done.output)["moves"]) == ["KK", "pass"]
    assert [one["rank"] for one in json.loads(done.output)["moves"]] == [1, 2]
    wrong = run(LINE, "--only", "KK", "--only", "33")
    assert wrong.exit_code == 2 and "only: move '33': 33: the hand 99TTQKKA does not hold" in wrong.output
    assert "--only goes with a POSITION" in run("--only", "KK").output


# The move that was made.


@pytest.mark.parametrize("name", ["botzone", "botzone2"])
def test_the_move_that_was_made_is_told_about_wherever_it_ranks(name: str) -> None:
    view = lead(name)
    everything = analyse(view, LIMIT, top=1000)
    made = everything.moves[-1].move
    found = analyse(view, LIMIT, top=3, made=made)
    *first, last = found.moves
    best = first[0]
    assert [one.rank for one in first] == [1, 2, 3] and first == [*everything.moves[:3]]
    assert last.move == made and MOST_ARMS < last.rank <= len(everything.moves)
    # Two moves share a part of the playouts of sixteen, and meet more worlds than each of these.
    assert last.visits > LIMIT.playouts // PART // 4 and last.error and last.gap_error  # type: ignore[operator]
    points = found.notes.source.decides is Criterion.POINTS
    assert (last.score or 0.0) <= (best.score or 0.0) if points else last.win <= best.win


@pytest.mark.whole
def test_a_move_that_was_played_out_stays_as_it_is() -> None:
    view = lead("botzone")
    plain = analyse(view, LIMIT, top=1000)
    for known in plain.moves[:2]:
        assert analyse(view, LIMIT, top=1000, made=known.move).moves == plain.moves


def test_the_command_marks_it() -> None:
    demo = ROOT / "tests" / "data" / "rule-demo-1.ddzn"
    done = run(str(demo), "--move", "16", "--limit", "100p", "--top", "1")
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines() if "%" in line and "->" in line]
    assert [row[1:3] for row in rows] == [["JJQQKKAA", "100"], ["55,", "played"]] and int(rows[1][0]) > 1
    assert ", played" not in run("--human", view_text(lead("botzone")), "--limit", "50p").output
