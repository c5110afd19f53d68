"""One websocket: what it is told, in order and without making anybody wait, and what it asks for."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from aiohttp import WSMessage, WSMsgType, web

from ...shared.json_text import json_text
from .acts import act, give_hint, welcome
from .guard import source_of
from .room import Room
from .sentences import RefusedError
from .wire import MOST_BYTES, Hint, Join, read_request

MOST_STRANGERS = 64
"""Open sockets of the server that have not joined a table yet."""
MOST_WAITING = 100
"""Messages that a slow connection may lag behind; then it is closed, and may come again."""
PATIENCE = 20
"""Messages that make no sense; then the connection is closed."""
HEARTBEAT = 20.0
JOIN_SECONDS = 10.0
"""A socket that has not joined by then is closed."""

POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013


class Connection:
    """A viewer of a room; see :class:`tools.tables.serve.room.Viewer`."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.chair: int | None = None
        self._socket = socket
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self.closing = False
        """The end is in line: nothing is said or heard any more."""
        self._last_state = ""
        self._hints: set[asyncio.Task[None]] = set()

    def send(self, message: dict[str, Any]) -> None:
        """Puts a message in line; a state that was shown last is not shown again."""
        if self.closing:
            return
        text = json_text(message)
        if message["type"] == "state":
            if text == self._last_state:
                return
            self._last_state = text
        if self._waiting.qsize() >= MOST_WAITING:
            self.close()
        else:
            self._waiting.put_nowait(text)

    def close(self) -> None:
        """Ends the connection after what is in line."""
        self.closing = True
        self.drop_hints()
        self._waiting.put_nowait(None)

    def ask_hint(self, room: Room, request: Hint) -> None:
        """Asks for a hint, and says it when it is there."""
        task = asyncio.create_task(give_hint(room, self, request))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    def drop_hints(self) -> None:
        """Waits for no hint any more."""
        for task in self._hints:
            task.cancel()

    async def write(self) -> None:
        """Sends what is in line until the end."""
        with contextlib.suppress(ConnectionError):
            while (text := await self._waiting.get()) is not None:
                await self._socket.send_str(text)
        await self._socket.close()


class Strangers:
    """
    The open sockets of a server that have not joined a table yet; there are at most :data:`MOST_STRANGERS`.

    With a further one the oldest is closed, of the network address that has most: a page joins at once, so that whoever
    only holds sockets keeps none out.
    """

    def __init__(self) -> None:
        self._asking: dict[asyncio.Task[Any], str] = {}

    def __len__(self) -> int:
        return len(self._asking)

    async def first_message(self, socket: web.WebSocketResponse, source: str) -> WSMessage:
        """
        Waits for what a socket says first; *source* is its network address.

        :raises RefusedError: if it says nothing for too long, or too many others came meanwhile.
        """
        receiving = asyncio.create_task(socket.receive())
        while len(self._asking) >= MOST_STRANGERS:
            ((most, _),) = Counter(self._asking.values()).most_common(1)
            oldest = next(task for task, other in self._asking.items() if other == most)
            del self._asking[oldest]
            oldest.cancel()
        self._asking[receiving] = source
        try:
            # The limit of receive() would begin anew with each ping.
            await asyncio.wait([receiving], timeout=JOIN_SECONDS)
        finally:
            self._asking.pop(receiving, None)
            receiving.cancel()
        if not receiving.done():
            seconds = f"{JOIN_SECONDS:g}"
            raise RefusedError(f"nobody joined within {seconds} s", f"{seconds} 秒内没有加入", passing=True)
        if receiving.cancelled():
            raise RefusedError("too many connections are waiting: try again", "连接太多，请重试", passing=True)
        return receiving.result()


async def serve_socket(
    request: web.Request, room: Room, strangers: Strangers, joined: Callable[[], None]
) -> web.WebSocketResponse:
    """Serves one connection to *room* until it ends; *joined* is called when it is at the table."""
    socket = web.WebSocketResponse(max_msg_size=MOST_BYTES, heartbeat=HEARTBEAT, compress=False)
    await socket.prepare(request)
    connection = Connection(socket)
    try:
        join = await _first(socket, strangers, source_of(request.remote))
        if join is None:
            return socket
        token = room.join(connection, join.token, join.watch)
    except RefusedError as error:
        with contextlib.suppress(ConnectionError):
            await socket.send_str(json_text(error.message(fatal=not error.passing)))
        await socket.close(code=TRY_AGAIN_LATER if error.passing else POLICY_VIOLATION)
        return socket
    joined()
    # From here on the room knows the connection: whatever comes, it leaves again.
    writing = asyncio.create_task(connection.write())
    try:
        welcome(room, connection, token)
        await _listen(socket, room, connection)
    finally:
        connection.drop_hints()
        room.leave(connection)
        writing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writing
    return socket


async def _first(socket: web.WebSocketResponse, strangers: Strangers, source: str) -> Join | None:
    """
    Waits for the join; None if the connection ends first.

    :raises RefusedError: for any other message, and when none comes.
    """
    message = await strangers.first_message(socket, source)
    if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
        return None
    join = read_request(_text(message))
    if not isinstance(join, Join):
        raise RefusedError("the first message must be join", "第一条消息必须是 join")
    return join


def _text(message: WSMessage) -> str:
    """
    Gets the text of a message.

    :raises RefusedError: if it is none.
    """
    if message.type is not WSMsgType.TEXT:
        raise RefusedError("messages are texts", "消息必须是文本")
    return str(message.data)


async def _listen(socket: web.WebSocketResponse, room: Room, connection: Connection) -> None:
    """Does what the connection asks for, until it ends or makes no sense for too long."""
    nonsense = 0
    async for message in socket:
        if connection.closing:
            continue  # until the end that is in line has been sent
        try:
            request = read_request(_text(message))
        except RefusedError as error:
            connection.send(error.message())
            nonsense += 1
            if nonsense >= PATIENCE:
                connection.close()
            continue
        if isinstance(request, Hint):
            connection.ask_hint(room, request)
        else:
            act(room, connection, request)
