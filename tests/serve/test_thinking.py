"""Bots in processes of their own: the same decisions as here, and processes that die or hang are replaced."""

import asyncio
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.rules import BOTZONE, BOTZONE2
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tools.serve import thinking
from tools.serve.questions import Question
from tools.serve.thinking import MOST_HANGS, HangError, RemotePlayer, Thinkers, ThinkingError
from tools.serve.turns import in_thread

LIMIT = Limit(playouts=20)
VIEW = View.of(start(shuffled(BOTZONE, "thinking")), 0)
BID_VIEW = BidView(BOTZONE2, shuffled(BOTZONE2, "thinking").hands[0], ())


def processes() -> set[int]:
    return {child.pid for child in psutil.Process().children() if "tools.serve.worker" in child.cmdline()}


@pytest.fixture(scope="module")
def thinkers() -> Iterator[Thinkers]:
    with Thinkers(1, grace=20) as made:
        yield made


@pytest.mark.parametrize("spec", ["rule", "random", "rhcp"])
def test_a_bot_decides_as_it_does_in_this_process(thinkers: Thinkers, spec: str) -> None:
    player = RemotePlayer(spec, 7, thinkers)
    engine = Engine(spec, 7)
    assert player.choose(VIEW, LIMIT).move == engine.choose(VIEW, LIMIT).move
    assert player.bid(BID_VIEW) == engine.bid(BID_VIEW).bid


def test_the_seed_counts_although_the_process_stays(thinkers: Thinkers) -> None:
    moves = [RemotePlayer("random", seed, thinkers).choose(VIEW, LIMIT).move for seed in (1, 2, 3, 1)]
    assert moves == [Engine("random", seed).choose(VIEW, LIMIT).move for seed in (1, 2, 3, 1)]
    assert len(set(moves)) > 1


def test_a_process_that_dies_is_replaced(thinkers: Thinkers) -> None:
    with pytest.raises(ThinkingError, match="the process ended"):
        RemotePlayer("tests.serve.bad_bots:Dies", 1, thinkers).choose(VIEW, LIMIT)
    assert thinkers.ask(Question("rule", 1, VIEW, LIMIT)).move in VIEW.legal_moves()


def test_a_process_that_hangs_is_replaced_and_prints_into_no_answer() -> None:
    with Thinkers(1, patience=0.1, grace=60) as thinkers:
        assert thinkers.ask(Question("tests.serve.bad_bots:Hangs", 1, BID_VIEW, Limit())) == 0
        before = processes()
        thinkers._grace = 0.2
        with pytest.raises(ThinkingError, match=r"no answer within 0\.3 s"):
            thinkers.ask(Question("tests.serve.bad_bots:Hangs", 1, VIEW, Limit(seconds=0.1)))
        thinkers._grace = 60
        assert thinkers.ask(Question("rule", 1, BID_VIEW, Limit())) in BID_VIEW.legal_bids
        assert len(processes() - before) == 1


@pytest.mark.parametrize("name", ["Hangs", "HoldsTheInterpreter", "HalfAnswer"])
@pytest.mark.parametrize("limit", [Limit(seconds=0.1), Limit(playouts=10)], ids=["seconds", "playouts"])
def test_whatever_a_process_hangs_in_it_is_ended_in_time(name: str, limit: Limit) -> None:
    with Thinkers(1, patience=0.1, grace=60) as thinkers:
        assert thinkers.ask(Question("rule", 1, BID_VIEW, Limit())) in BID_VIEW.legal_bids
        (old,) = processes_of(thinkers)
        thinkers._grace = 0.5
        began = time.monotonic()
        with pytest.raises(HangError, match=r"^no answer within 0\.6 s: its process was ended$"):
            thinkers.ask(Question(f"tests.serve.bad_bots:{name}", 1, VIEW, limit))
        assert time.monotonic() - began < 5
        assert not psutil.pid_exists(old)
        thinkers._grace = 60
        assert thinkers.ask(Question("rule", 1, VIEW, LIMIT)).move in VIEW.legal_moves()


def test_a_bid_has_no_more_time_than_the_grace() -> None:
    with Thinkers(1, patience=600, grace=0.5) as thinkers:
        began = time.monotonic()
        with pytest.raises(HangError, match=r"no answer within 0\.5 s"):
            thinkers.ask(Question("tests.serve.bad_bots:HoldsTheInterpreter", 1, BID_VIEW, Limit()))
        assert time.monotonic() - began < 5


def test_a_bot_that_hangs_again_and_again_is_not_asked_any_more_in_its_game() -> None:
    bad = "tests.serve.bad_bots:Hangs"
    with Thinkers(1, patience=0.1, grace=0.4) as thinkers:
        player = RemotePlayer(bad, 1, thinkers)
        for _ in range(MOST_HANGS):
            with pytest.raises(HangError):
                player.choose(VIEW, LIMIT)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(ThinkingError, match="not asked again in this game"):
            patch.delattr(Thinkers, "ask")
            player.choose(VIEW, LIMIT)
        with pytest.raises(HangError):
            RemotePlayer(bad, 1, thinkers).choose(VIEW, LIMIT)


def test_a_process_that_has_answered_very_often_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOST_ANSWERS", 2)
    with Thinkers(1) as thinkers:
        seen = []
        for _ in range(4):
            assert thinkers.ask(Question("rule", 1, VIEW, LIMIT)).move in VIEW.legal_moves()
            seen.append(processes_of(thinkers))
        assert [len(pids) for pids in seen] == [1, 0, 1, 0] and seen[0] != seen[2]
        assert not psutil.pid_exists(seen[0][0])


def processes_of(thinkers: Thinkers) -> list[int]:
    return [one._running.pid for one in thinkers._all if one._running is not None]


def test_an_analysis_that_fails_is_one_sentence(thinkers: Thinkers) -> None:
    waiting = VIEW._replace(seat=1, hand=0)
    with pytest.raises(ThinkingError, match=r"^AnalysisError: "):
        thinkers.ask(Question("", 0, waiting, LIMIT))


def test_closing_ends_a_thought_that_is_under_way() -> None:
    before = processes()
    thinkers = Thinkers(2)
    failures: list[str] = []

    def ask() -> None:
        try:
            thinkers.ask(Question("tests.serve.bad_bots:Hangs", 1, VIEW, Limit(seconds=600)))
        except ThinkingError as error:
            failures.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    while len(processes() - before) < 1:
        time.sleep(0.01)
    thinkers.close()
    asking.join(60)
    assert not asking.is_alive() and len(failures) == 1
    assert processes() == before
    with pytest.raises(ThinkingError, match="the server is stopping"):
        thinkers.ask(Question("rule", 1, VIEW, LIMIT))


def test_a_thread_hands_back_results_and_errors_while_the_loop_goes_on() -> None:
    async def test() -> None:
        free = threading.Event()
        waiting = asyncio.create_task(in_thread(lambda: free.wait(20)))
        await asyncio.sleep(0.02)
        free.set()
        assert await waiting is True
        with pytest.raises(ZeroDivisionError):
            await in_thread(lambda: 1 // 0)

    asyncio.run(test())
