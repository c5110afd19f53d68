"""What a move lost: against the champion's first move, with an error, and proved where a solver proves it."""

import functools
from dataclasses import replace

import pytest

from ddzbot.game import shuffled, start
from ddzbot.players.base import CannotPlay
from ddzbot.rules import BOTZONE2, MINI, RuleSet, rule_set
from ddzbot.search.limit import Limit
from ddzbot.view import View
from tests.support import ROOT, kernel_path, require
from tools.records.files import read_records
from tools.records.record import GameRecord, RecordedMove, record_of
from tools.study.analyse.analyse import analyse
from tools.study.review import decisions as module
from tools.study.review.decisions import decisions, review_of
from tools.study.review.model import DECISIVE, MARKS, SURE, Review, decisive, mark_of

DEMO = ROOT / "tests" / "data" / "rule-demo-1.ddzn"


def demo() -> GameRecord:
    require(kernel_path(), "a C compiler")
    (record,) = read_records(DEMO)
    return record


@functools.cache
def reviewed() -> tuple[Review, ...]:
    record = demo()
    found = [review_of(record, 1, ply, Limit(playouts=400)) for ply in decisions(record)]
    return tuple(one.review for one in found if one is not None)


@pytest.mark.whole
def test_a_blunder_that_a_proof_finds_is_told_apart() -> None:
    (proved,) = (one for one in reviewed() if one.proved)
    assert (proved.ply, proved.seat, str(proved.made), proved.mark, proved.error) == (15, 0, "55", "blunder", 0.0)
    assert str(proved.best) in ("T", "JJQQKKAA")
    assert proved.why == "other_kind" and proved.name == "rule"


def test_every_answer_is_judged_by_the_numbers_of_the_review_and_a_puzzle_has_one_right() -> None:
    record = demo()
    found = {ply: review_of(record, 1, ply, Limit(playouts=2000)) for ply in (3, 15)}
    for ply, one in found.items():
        assert one is not None
        assert {answer.move for answer in one.answers} == set(record.game(ply).legal_moves())
        made = next(answer for answer in one.answers if answer.move.cards == one.review.made.cards)
        assert made.loss == one.review.loss and one.answers[0].loss == 0.0
    puzzle, mistake = found[3], found[15]
    assert puzzle is not None and puzzle.is_puzzle and [one.mark for one in puzzle.answers].count("") == 1
    assert mistake is not None and mistake.review.proved
    assert not puzzle._replace(answers=puzzle.answers[:1]).is_puzzle
    near = puzzle.answers[1]._replace(error=puzzle.answers[1].loss / 2.9)
    assert not puzzle._replace(answers=[puzzle.answers[0], near]).is_puzzle


def test_losses_are_none_for_the_best_move_and_marks_follow_them() -> None:
    for one in reviewed():
        assert not one.points and one.win_loss == one.loss
        assert one.points_loss is not None and (one.made != one.best or one.points_loss == 0.0)
        assert one.made != one.best or (one.loss, one.mark, one.error) == (0.0, "", 0.0)
        if one.mark and not one.proved:
            assert one.error is not None and one.loss > SURE * one.error
            assert one.loss >= dict(MARKS)[one.mark]
        assert bool(one.why) == bool(one.mark)


def test_without_the_champion_its_fallback_plays_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> object:
        raise CannotPlay("there is no network")

    record, limit = demo(), Limit(playouts=50)
    ply = decisions(record)[0]
    first = review_of(record, 1, ply, limit)
    assert first is not None and module.reviewer_of(first) == ""
    monkeypatch.setattr("tools.study.analyse.analyse.evaluate", missing)
    found = review_of(record, 1, ply, limit)
    assert found is not None and module.reviewer_of(found) == "mctshs"
    assert found.review.error is None or found.review.error > 0


def test_only_moves_with_a_choice_are_decisions() -> None:
    record = demo()
    choices = [ply.number for ply in record.plies() if len(ply.before.legal_moves()) > 1]
    assert decisions(record) == choices != list(range(len(record.moves)))


def test_the_best_move_is_the_first_of_the_analysis() -> None:
    record = demo()
    ply = decisions(record)[4]
    found = review_of(record, 1, ply, Limit(playouts=100), seed=3)
    assert found is not None
    assert found.review.best == analyse(record.view(ply), Limit(playouts=100), seed=3).moves[0].move


def test_the_numbers_alone_are_those_of_the_whole_analysis() -> None:
    record, limit = demo(), Limit(playouts=50)
    whole, bare = (review_of(record, 1, 4, limit, 3, numbers_only) for numbers_only in (False, True))
    assert whole is not None and bare is not None
    assert (bare.review, bare.answers, bare.is_puzzle) == (whole.review, whole.answers, whole.is_puzzle)
    assert all(len(move.line) > 1 for move in whole.analysis.moves) and len(whole.analysis.hidden) == 2
    lines = {move.line for move in bare.analysis.moves}
    assert (lines, bare.analysis.hidden) == ({()}, {}), "neither is made where nobody looks at it"


def test_unknown_hands_and_what_follows_an_illegal_move_are_left_out() -> None:
    record = demo()
    hidden = replace(record, hands=(record.hands[0], None, record.hands[2]), bottom=record.bottom)
    assert {ply % 3 for ply in decisions(hidden)} == {0, 2}
    broken = replace(record, moves=(*record.moves[:4], RecordedMove(record.moves[0].cards), *record.moves[5:]))
    assert max(decisions(broken)) <= 3


def first_move(name: str, cards: str) -> GameRecord:
    """A game in which the landlord led these cards."""
    rules = rule_set(name)
    game = start(shuffled(rules, "review"), (3,) if rules.bidding else ())
    move = next(move for move in game.legal_moves() if str(move) == cards)
    return record_of(game.play(move))


def lowest_ranked(name: str) -> str:
    """The legal lead that the network thinks least of, which the search of all moves does not play out."""
    rules = rule_set(name)
    view = View.of(start(shuffled(rules, "review"), (3,) if rules.bidding else ()), 0)
    return str(analyse(view, Limit(playouts=100), top=1000).moves[-1].move)


@pytest.mark.parametrize("rules", [MINI, BOTZONE2], ids=lambda one: str(one.name))
def test_a_loss_is_the_gap_between_two_numbers_of_the_analysis(rules: RuleSet) -> None:
    require(kernel_path(), "a C compiler")
    record, limit = first_move(rules.name, lowest_ranked(rules.name)), Limit(playouts=200)
    (ply,) = decisions(record)
    found = review_of(record, 1, ply, limit)
    assert found is not None
    moves = analyse(record.view(ply), limit, top=1000, made=found.review.made).moves
    mine = next(known for known in moves if known.move == found.review.made)
    best, made = ((one.score if rules.bidding else one.win) for one in (moves[0], mine))
    assert best is not None and made is not None
    assert (found.review.loss, found.review.points) == (best - made, rules.bidding)
    assert found.review.loss > 0 and found.review.error and mine.visits


@pytest.mark.parametrize(
    ("loss", "error", "proved", "mark"),
    [
        (0.3, 0.0, False, "blunder"),
        (0.15, 0.05, False, "mistake"),
        (0.15, 0.08, False, ""),
        (0.06, 0.01, False, "inaccuracy"),
        (0.04, 0.0, False, ""),
        (0.01, 0.0, True, "blunder"),
    ],
)
def test_marks(loss: float, error: float, proved: bool, mark: str) -> None:
    assert mark_of(loss, error, proved) == mark


@pytest.mark.parametrize(("seat", "swing"), [(0, 12.0), (1, 6.0), (2, 6.0)])
def test_where_points_decide_marks_are_shares_of_what_the_seat_can_win_or_lose(seat: int, swing: float) -> None:
    assert module.swing_of(BOTZONE2, seat, 3) == swing


def test_three_moments_decide_and_what_is_proved_comes_first() -> None:
    template = reviewed()[0]._replace(proved=False)
    marks = [("", 0.9), ("blunder", 0.3), ("mistake", 0.15), ("inaccuracy", 0.06), ("blunder", 0.5)]
    made = [template._replace(mark=mark, loss=loss, ply=ply) for ply, (mark, loss) in enumerate(marks)]
    made[3] = made[3]._replace(proved=True)
    assert [one.ply for one in decisive(made)] == [3, 4, 1]
    assert DECISIVE == 3
