"""How long a bot took to answer does not tell whether it had a choice."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from ddzbot.engine import FORCED
from ddzbot.search.limit import Limit
from tests.serve.bad_bots import Slow
from tests.serve.house import serving
from tools.tables.serve.autoplay import Autoplay
from tools.tables.serve.plan import SPARE, Pace, ServerConfig
from tools.tables.serve.room import Room

SLOW = f"{Slow.__module__}:{Slow.__name__}"


@pytest.mark.parametrize(
    ("limit", "before", "after"),
    [
        (Limit(seconds=1.0), SPARE, SPARE),
        (Limit(seconds=0.2), 0.8, 0.8),
        (Limit(seconds=5.0, playouts=10), 0.8, SPARE * 0.9),
        (Limit(playouts=10), 0.8, SPARE * 0.9),
    ],
)
def test_the_pace_is_the_longest_that_a_bot_may_take_or_has_taken(limit: Limit, before: float, after: float) -> None:
    pace = Pace(0.8, limit)
    assert pace.seconds == before
    for seconds in (0.1, 0.5):
        pace.took(seconds)
        assert pace.seconds == before
    for seconds in (0.9, 0.001) if after != before else ():
        pace.took(seconds)
        assert pace.seconds == after
    pace.took(2.0)
    assert pace.seconds == SPARE * 2


def test_a_table_begins_with_the_pace_of_its_limit() -> None:
    # Before any free answer a forced one would otherwise be shown at the least pace.
    nobody: Any = None
    for limit in (Limit(seconds=5.0), Limit(seconds=5.0, playouts=10)):
        config = ServerConfig(nobody, limit, limit, 0.8, nobody)._replace(thinkers=SimpleNamespace(turns=None))
        assert Autoplay(nobody, config).pace.seconds == Pace(0.8, limit).seconds
    assert Autoplay(nobody, config._replace(limit=Limit(seconds=5.0))).pace.seconds == SPARE * 5


# The second limit gives no reason about seconds: there the first free answer is what the others are as long as.
@pytest.mark.parametrize("limit", [Limit(seconds=Slow.SECONDS), Limit(playouts=1)])
async def test_a_forced_answer_is_shown_after_the_time_of_a_free_one(
    limit: Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, float]] = []
    happened, act = Room.happened, Autoplay._act
    began = 0.0

    def note_begin(bots: Autoplay, clock: object) -> float:
        nonlocal began
        began = act(bots, clock)  # type: ignore[arg-type]
        return began

    def note_end(room: Room) -> None:
        player = (room._table.record().moves[-1].note.debug or {})["player"]
        shown.append((str(player), asyncio.get_running_loop().time() - began))
        happened(room)

    monkeypatch.setattr(Autoplay, "_act", note_begin)
    monkeypatch.setattr(Room, "happened", note_end)
    async with serving(bots=(SLOW,), limit=limit, processes=1) as server:
        made = await server.make("mini", (SLOW, SLOW, SLOW))
        watcher = await server.join(made["table"], watch=True)
        while [player for player, _ in shown].count(FORCED) < 2:
            assert (await watcher.hear("state"))["phase"] == "playing"
    assert shown[0][0] != FORCED
    assert min(seconds for _, seconds in shown) >= Slow.SECONDS
