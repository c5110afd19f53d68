"""Bots in processes of their own: the same decisions as here, in time, and threads beside an event loop."""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.rules import BOTZONE, BOTZONE2
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tools.shared.work.answering import HangError, NoAnswerError
from tools.tables.serve.questions import HintQuestion
from tools.tables.table.thinking import MOST_HANGS, BotQuestion, RemotePlayer, Thinkers
from tools.tables.table.turns import in_thread

LIMIT = Limit(playouts=20)
VIEW = View.of(start(shuffled(BOTZONE, "thinking")), 0)
BID_VIEW = BidView(BOTZONE2, shuffled(BOTZONE2, "thinking").hands[0], ())


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


def test_a_bid_has_no_more_time_than_the_grace() -> None:
    with Thinkers(1, patience=600, grace=0.5) as thinkers:
        began = time.monotonic()
        with pytest.raises(HangError, match=r"no answer within 0\.5 s"):
            thinkers.ask(BotQuestion("tests.serve.bad_bots:HoldsTheInterpreter", 1, BID_VIEW, Limit()))
        assert time.monotonic() - began < 250


def test_a_bot_that_hangs_again_and_again_is_not_asked_any_more_in_its_game() -> None:
    bad = "tests.serve.bad_bots:Hangs"
    with Thinkers(1, patience=0.1, grace=0.4) as thinkers:
        player = RemotePlayer(bad, 1, thinkers)
        for _ in range(MOST_HANGS):
            with pytest.raises(HangError):
                player.choose(VIEW, LIMIT)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(NoAnswerError, match="not asked again in this game"):
            patch.delattr(Thinkers, "ask")
            player.choose(VIEW, LIMIT)
        with pytest.raises(HangError):
            RemotePlayer(bad, 1, thinkers).choose(VIEW, LIMIT)


def test_an_analysis_that_fails_is_one_sentence(thinkers: Thinkers) -> None:
    waiting = VIEW._replace(seat=1, hand=0)
    with pytest.raises(NoAnswerError, match=r"^AnalysisError: "):
        thinkers.ask(HintQuestion(waiting, LIMIT))


async def test_a_thread_hands_back_results_and_errors_while_the_loop_goes_on() -> None:
    free = threading.Event()
    waiting = asyncio.create_task(in_thread(lambda: free.wait(250)))
    await asyncio.sleep(0.02)
    free.set()
    assert await waiting is True
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 // 0)
