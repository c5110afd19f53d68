"""Which sets of a field are wanted: the first of every pair, all of them, and more until the order is clear."""

from tools.arena.plan import Plan
from tools.arena.row import FaultRow, GameRow, Row
from tools.arena.runner import Progress
from tools.shared.contestants import Contestant

NAMES = ("broken", "good", "same", "twin")
PLAN = Plan("field", "mini", tuple(Contestant(name, None) for name in NAMES), 4, 1, neighbours=16)
STRENGTH = {"good": 2, "same": 1, "twin": 1, "broken": 0}


def played(pair: tuple[str, ...], index: int) -> Row:
    """The stronger one wins both games, twins one each; the broken one is at fault in one game of each first set."""
    a, b = (STRENGTH[name] for name in pair)
    games = (GameRow("ABB", 0, a >= b), GameRow("BAA", 0, a <= b))
    return Row(index, games, faults=(FaultRow(0, "AB"[pair.index("broken")], "RE", "it died"),) if 0 in (a, b) else ())


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
    # Who breaks has lost its first sets, and costs nobody's time any more.
    assert every == {("good", "same"): 3, ("good", "twin"): 3, ("same", "twin"): 3}
    # Twins go on to the bound; one who wins every set of eight is better for certain.
    assert [one.get(("same", "twin")) for one in more] == [4, 8]
    assert sum(sets for one in more for pair, sets in one.items() if "good" in pair) <= 4
    assert progress.finished and not progress.every_pair
    again = Progress(PLAN, [list(reversed(rows)) for rows in progress.rows])
    assert again.finished
