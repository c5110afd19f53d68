"""Which sets of a field are wanted: the first of every pair, all of them, and more until the order is clear."""

import pytest

from tools.arena.matches.everybody import Everybody, Field
from tools.arena.matches.runner import Progress
from tools.arena.stats.ratings import ratings
from tools.arena.stats.row import FaultRow, GameRow, Row
from tools.shared.contestants import Contestant
from tools.shared.message import Message

NAMES = ("broken", "good", "same", "second")
PLAN = Field("mini", tuple(Contestant(name, None) for name in NAMES), 4, 1, neighbours=16)
STRENGTH = {"good": 2, "same": 1, "second": 1, "broken": 0}
DIED = Message("it died")


def played(pair: tuple[str, ...], index: int) -> Row:
    """The stronger one wins both games, equal ones win one each; the broken one faults in a game of each first set."""
    a, b = (STRENGTH[name] for name in pair)
    games = (GameRow("ABB", 0, a >= b), GameRow("BAA", 0, a <= b))
    return Row(index, games, faults=(FaultRow(0, "AB"[pair.index("broken")], "RE", DIED),) if 0 in (a, b) else ())


def test_a_field_plays_in_rounds_until_the_order_is_clear() -> None:
    progress = Progress(PLAN)
    rounds: list[dict[tuple[str, ...], int]] = []
    while left := list(progress.left()):
        rounds.append({})
        for pairing, index in left:
            pair = PLAN.pairs[pairing]
            rounds[-1][pair] = rounds[-1].get(pair, 0) + 1
            progress.add(pairing, played(pair, index))
    first, every, *more = rounds
    assert first == dict.fromkeys(PLAN.pairs, 1)
    # A program that breaks has lost its first sets, and costs the others no more time.
    assert every == {("good", "same"): 3, ("good", "second"): 3, ("same", "second"): 3}
    # Equal players play up to the bound; one that wins every set of eight is better for certain.
    assert [one.get(("same", "second")) for one in more] == [4, 8]
    assert sum(sets for one in more for pair, sets in one.items() if "good" in pair) <= 4
    assert progress.finished and not progress.every_pair
    again = Progress(PLAN, [list(reversed(rows)) for rows in progress.rows])
    assert again.finished


THREE = Field("mini", tuple(Contestant(name, None) for name in ("a", "b", "c")), 8, 1, neighbours=16)


def with_faults(number: int, *faults: tuple[int, str]) -> Row:
    """A set of two games; *faults* are the number of the game and the letter of the program at fault."""
    games = (GameRow("ABB", 0, True), GameRow("BAA", 0, False))
    return Row(number, games, faults=tuple(FaultRow(game, by, "RE", DIED) for game, by in faults))


@pytest.mark.parametrize(
    ("rows", "out"),
    [
        # The pairs are a b, a c and b c. Each program plays four first games.
        ([[with_faults(0, (0, "A"), (1, "A"))], [with_faults(0, (0, "A"), (1, "A"))], [with_faults(0)]], {0}),
        ([[with_faults(0, (0, "A"))], [with_faults(0, (1, "A"))], [with_faults(0)]], {0}),
        ([[with_faults(0, (0, "A"))], [with_faults(0)], [with_faults(0)]], set()),
        ([[with_faults(0)], [with_faults(0, (0, "B"))], [with_faults(0, (1, "B"))]], {2}),
        ([[with_faults(0, (0, "A"), (1, "B"))], [with_faults(0)], [with_faults(0)]], set()),
        ([[with_faults(0), with_faults(1, (0, "A"), (1, "A"))], [with_faults(0)], [with_faults(0)]], set()),
    ],
)
def test_only_the_program_at_fault_in_half_of_its_first_games_is_out(rows: list[list[Row]], out: set[int]) -> None:
    assert THREE.broken(rows) == out


def test_no_program_is_out_of_a_match_that_is_no_class() -> None:
    faulty = [[with_faults(0, (0, "A"), (1, "A"))]] * 3
    scores: list[dict[int, float]] = [{0: 0.0}] * 3
    round_robin = Everybody(THREE.rules, THREE.contestants, THREE.sets, 1)
    assert (THREE.sets_to_play(faulty, scores), round_robin.sets_to_play(faulty, scores)) == ([1, 1, 1], [8, 8, 8])


def test_two_neighbours_play_more_until_one_is_better_with_97_5_percent() -> None:
    seen: set[float] = set()
    # The third program loses to both, so that the first two are neighbours.
    for won in range(9):
        for tied in range(9 - won):
            results = [1.0] * won + [0.5] * tied + [0.0] * (8 - won - tied)
            scores = [dict(enumerate(results)), dict.fromkeys(range(8), 1.0), dict.fromkeys(range(8), 1.0)]
            ranking = ratings(3, THREE.tables, scores)
            los = ranking[0].los
            assert los is not None and {one.contestant for one in ranking[:2]} == {0, 1}
            assert THREE.sets_to_play([[], [], []], scores)[0] == (8 if los >= 0.975 else 16)
            seen.add(los)
    # Some orders are nearly clear, and some are barely clear.
    assert any(0.96 < los < 0.975 for los in seen) and any(0.975 <= los < 0.98 for los in seen)
