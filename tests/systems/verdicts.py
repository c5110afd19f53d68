"""What the judge says of the programs of :mod:`tests.systems.bad_bots`, on every system."""

import json

FRESH, KEPT = True, True
EXPECTED = [
    ["answers", "OK", FRESH, not KEPT],
    ["is kept", "OK", FRESH, KEPT],
    ["is kept", "OK", not FRESH, KEPT],
    ["is kept", "OK", not FRESH, KEPT],
    ["ends between turns", "OK", FRESH, KEPT],
    ["ends between turns", "OK", FRESH, KEPT],
    ["fails", "RE", FRESH, not KEPT],
    ["raises", "RE", FRESH, not KEPT],
    ["crashes", "RE", FRESH, not KEPT],
    ["sleeps", "TLE", FRESH, not KEPT],
    ["takes memory", "MLE", FRESH, not KEPT],
    ["has a greedy child", "MLE", FRESH, not KEPT],
    ["prints without end", "OLE", FRESH, not KEPT],
    ["prints no JSON", "NJ", FRESH, not KEPT],
    ["leaves a child", "OK", FRESH, not KEPT],
    ["reads nothing", "OK", FRESH, not KEPT],
]


def check(printed: str) -> None:
    """Insists on these verdicts, and that no process is left."""
    *turns, end = map(json.loads, printed.splitlines())
    assert [turn[:4] for turn in turns] == EXPECTED
    assert end == ["left over", 0]
