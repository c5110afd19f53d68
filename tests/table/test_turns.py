"""The order of callers when more ask than can be served; a caller that stops waiting holds nothing."""

import asyncio
import threading

import pytest

from tools.tables.table.turns import Turns


class Asker:
    """A caller that asks for turns."""

    def __init__(self, urgency: int) -> None:
        self.urgency = urgency


async def test_the_most_urgent_come_first_and_the_others_by_turns() -> None:
    began: list[str] = []
    free = threading.Event()
    turns, askers = Turns(1), {"a": Asker(1), "b": Asker(1), "p": Asker(0)}
    first = asyncio.create_task(turns.run(lambda: free.wait(250)))
    await asyncio.sleep(0)
    waiting = [
        asyncio.create_task(turns.run(lambda name=name: began.append(name), askers[name[0]]))
        for name in ("a1", "a2", "a3", "b1", "b2", "p1", "p2")
    ]
    await asyncio.sleep(0)
    free.set()
    await asyncio.gather(first, *waiting)
    assert began == ["p1", "p2", "a1", "b1", "a2", "b2", "a3"]


async def test_urgency_counts_as_it_is_when_a_place_is_free() -> None:
    began: list[str] = []
    free = threading.Event()
    turns, one, other = Turns(1), Asker(0), Asker(1)
    first = asyncio.create_task(turns.run(lambda: free.wait(250)))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(turns.run(lambda: began.append("one"), one))]
    waiting.append(asyncio.create_task(turns.run(lambda: began.append("other"), other)))
    await asyncio.sleep(0)
    one.urgency = 2
    free.set()
    await asyncio.gather(first, *waiting)
    assert began == ["other", "one"]


async def test_a_waiting_turn_holds_no_thread_and_a_cancelled_one_never_begins() -> None:
    began: list[int] = []
    free = threading.Event()
    turns = Turns(2)
    running = [asyncio.create_task(turns.run(lambda: free.wait(250))) for _ in range(2)]
    await asyncio.sleep(0)
    threads = threading.active_count()
    waiting = [asyncio.create_task(turns.run(lambda n=n: began.append(n))) for n in range(50)]
    await asyncio.sleep(0)
    assert threading.active_count() == threads
    for task in waiting[1:]:
        task.cancel()
    free.set()
    await asyncio.gather(*running, *waiting, return_exceptions=True)
    assert [task.cancelled() for task in waiting] == [False, *[True] * 49]
    assert began == [0]


async def test_work_that_nobody_waits_for_any_more_keeps_its_place_until_it_ends() -> None:
    free = threading.Event()
    turns = Turns(1)
    abandoned = asyncio.create_task(turns.run(lambda: free.wait(250)))
    await asyncio.sleep(0.01)
    abandoned.cancel()
    after = asyncio.create_task(turns.run(lambda: free.is_set()))
    await asyncio.sleep(0.02)
    assert abandoned.cancelled() and not after.done()
    free.set()
    assert await after is True


@pytest.mark.parametrize("failing", ["work", "thread", "called and cancelled"])
async def test_a_place_is_given_back_whatever_fails(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    turns = Turns(1)
    if failing == "work":
        with pytest.raises(ZeroDivisionError):
            await turns.run(lambda: 1 // 0)
    elif failing == "thread":
        with monkeypatch.context() as patch, pytest.raises(RuntimeError):
            patch.setattr(threading.Thread, "start", no_thread)
            await turns.run(lambda: 1)
    else:
        task = asyncio.create_task(turns.run(lambda: 1))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await turns.run(lambda: 2) == 2
