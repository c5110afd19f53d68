"""Reviews at a table: beside everything else, one at a time, ended with the table, shown as a page."""

import asyncio
import random
from typing import Any

import pytest

from ddzbot.search.limit import Limit
from tests.serve.house import Client, Server, over, play_on, serving
from tests.support import kernel_path, require
from tests.view.pages import data_of
from tools.records.files import records_of
from tools.shared.work.answering import HangError, NoAnswerError
from tools.study.review.decisions import decisions
from tools.tables.serve import reviews as module
from tools.tables.serve.questions import ReviewQuestion
from tools.tables.serve.reviews import ReviewQueue
from tools.tables.table.thinking import USUAL_PATIENCE, Thinkers
from tools.tables.table.turns import Turns

ENDLESS = Limit(seconds=60)


@pytest.fixture(autouse=True)
def kernel() -> None:
    require(kernel_path(), "a C compiler")


async def finished(server: Server, rules: str = "mini") -> tuple[str, Client]:
    """Plays a game to its end; the name of its table, and its players."""
    made = await server.make(rules)
    client = await server.join(made["table"], made["seats"][0]["token"])
    await play_on(client, random.Random("review"), over)
    return made["table"], client


async def reviewed(client: Client, game: int = 1) -> list[Any]:
    """Asks for a review, and hears of it until it is ready."""
    await client.say("review", game=game)
    heard = [await client.hear("review")]
    while not (heard[-1]["ready"] or heard[-1]["problem"]):
        heard.append(await client.hear("review"))
    return heard


async def record_of(server: Server, table: str, game: int = 1) -> Any:
    _, text = await server.get(f"/tables/{table}/games/{game}/record.ddzn")
    return records_of(text, "text")[0]


async def test_a_finished_game_is_reviewed_with_progress_and_has_a_page() -> None:
    async with serving() as server:
        table, client = await finished(server)
        assert (await server.get(f"/tables/{table}/games/1/review"))[0] == 404
        heard = await reviewed(client)
        plies = decisions(await record_of(server, table))
        assert [(one["done"], one["of"]) for one in heard[1:-1]] == [(done, len(plies)) for done in range(len(plies))]
        assert heard[-1] == {"type": "review", "game": 1, "done": 0, "of": 0, "ready": True, "problem": None}
        status, page = await server.get(f"/tables/{table}/games/1/review")
        assert status == 200
        data = data_of(page)
        assert data["review"]["limit"] == {"seconds": None, "playouts": 20}
        assert [ply for ply, move in enumerate(data["games"][0]["moves"]) if "review" in move] == plies
        late = await server.open(table)
        await late.say("join", token="", watch=True)
        assert (await late.hear("review"))["ready"]


async def test_only_a_finished_game_is_reviewed_and_only_for_its_players() -> None:
    async with serving() as server:
        made, client = await server.seated("mini")
        await client.say("review", game=1)
        assert "no finished game 1" in await client.refusal()
        await play_on(client, random.Random("review"), over)
        watcher = await server.join(made["table"], watch=True)
        await watcher.say("review", game=1)
        assert await watcher.refusal() == "watchers cannot have a game reviewed"
        assert (await reviewed(client))[-1]["ready"]


async def test_a_table_has_one_review_at_a_time_and_says_again_what_is_ready() -> None:
    async with serving() as server:
        table, client = await finished(server)
        await client.say("review", game=1)
        await client.say("review", game=1)
        assert await client.refusal() == "a review is on its way at this table"
        await client.hear("review", lambda message: message["ready"])
        await client.say("review", game=1)
        assert (await client.hear("review"))["ready"]
        assert (await server.get(f"/tables/{table}/games/1/review"))[0] == 200


async def test_the_next_game_is_played_while_the_last_one_is_reviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = asyncio.Event()
    review = ReviewQueue.review

    async def held(review_queue: ReviewQueue, record: str, ply: int) -> Any:
        await waiting.wait()
        return await review(review_queue, record, ply)

    monkeypatch.setattr(ReviewQueue, "review", held)
    async with serving() as server:
        table, client = await finished(server)
        await client.say("review", game=1)
        await client.say("again", game=1)
        await client.hear("state", lambda state: state["game"] == 2)
        await play_on(client, random.Random("next"), over)
        assert (await server.get(f"/tables/{table}/games/1/review"))[0] == 404
        waiting.set()
        assert (await client.hear("review", lambda message: message["ready"]))["game"] == 1
        assert (await server.get(f"/tables/{table}/games/1/review"))[0] == 200


@pytest.mark.whole
async def test_a_review_ends_with_its_table_and_others_go_on() -> None:
    async with serving(review_limit=ENDLESS, processes=1) as server:
        table, client = await finished(server)
        other, beside = await finished(server)
        await client.say("review", game=1)
        await client.hear("review")
        room = server.rooms.get(table)
        assert room is not None
        running = room.reviews._running
        assert running is not None
        room.close("the table has ended", "牌桌已结束")
        with pytest.raises(asyncio.CancelledError):
            await running
        # A bot's process is not the one that reviews: the other table plays its next game at once.
        await beside.say("again", game=1)
        await beside.hear("state", lambda state: state["game"] == 2)
        await play_on(beside, random.Random("beside"), over)
        assert server.rooms.get(other) is not None


async def test_tables_take_turns() -> None:
    asked: list[str] = []

    class Noting:
        """Thinkers that answer at once, and note the turns of the callers."""

        turns = Turns(1)

        def ask(self, question: ReviewQuestion) -> None:
            asked.append(question.record)

    async def all_of(review_queue: ReviewQueue, name: str) -> None:
        for ply in range(3):
            await review_queue.review(name, ply)

    review_queue = ReviewQueue(Noting(), Limit(playouts=1))  # type: ignore[arg-type]
    await asyncio.gather(all_of(review_queue, "one"), all_of(review_queue, "two"))
    assert asked == ["one", "two"] * 3


@pytest.mark.parametrize(("failing", "ready"), [(1, True), (2, False)])
async def test_a_decision_without_an_answer_is_left_out_and_two_end_the_review(
    monkeypatch: pytest.MonkeyPatch, failing: int, ready: bool
) -> None:
    review, left = ReviewQueue.review, [failing]

    async def broken(review_queue: ReviewQueue, record: str, ply: int) -> Any:
        if left[0]:
            left[0] -= 1
            raise HangError("no answer within 1 s: its process was ended")
        return await review(review_queue, record, ply)

    monkeypatch.setattr(ReviewQueue, "review", broken)
    async with serving() as server:
        table, client = await finished(server)
        last = (await reviewed(client))[-1]
        assert last["ready"] == ready
        assert (await server.get(f"/tables/{table}/games/1/review"))[0] == (200 if ready else 404)
        if ready:
            return
        assert last["problem"]["en"] == "the review failed: no answer within 1 s: its process was ended"
        assert (await reviewed(client))[-1]["ready"]  # a second request gets it, too


async def test_a_broken_review_does_not_end_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(review_queue: ReviewQueue, record: str, ply: int) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(ReviewQueue, "review", broken)
    async with serving() as server:
        _, client = await finished(server)
        assert (await reviewed(client))[-1]["problem"]["en"] == "the review failed"
        await client.say("again", game=1)
        assert (await client.hear("state"))["game"] == 2


async def test_a_table_keeps_so_many_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_REVIEWS", 1)
    async with serving() as server:
        table, client = await finished(server)
        assert (await reviewed(client))[-1]["ready"]
        await client.say("again", game=1)
        await client.hear("state", lambda state: state["game"] == 2)
        await play_on(client, random.Random("second"), over)
        assert (await reviewed(client, 2))[-1]["ready"]
        assert [(await server.get(f"/tables/{table}/games/{game}/review"))[0] for game in (1, 2)] == [404, 200]


def test_a_review_has_its_limit_and_what_fails_in_it_is_one_sentence() -> None:
    with Thinkers(1, grace=20, niceness=15) as thinkers:
        assert thinkers.seconds(ReviewQuestion("", 0, Limit(seconds=2))) == 2
        assert thinkers.seconds(ReviewQuestion("", 0, Limit(playouts=2))) == USUAL_PATIENCE
        with pytest.raises(NoAnswerError, match=r"^\w+Error: "):
            thinkers.ask(ReviewQuestion("nonsense", 0, Limit(playouts=2)))
