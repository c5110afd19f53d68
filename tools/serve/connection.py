"""One websocket: what it is told, in order and without making anybody wait, and what it asks for."""

import asyncio
import contextlib
import json
from typing import Any

from aiohttp import WSMsgType, web

from tools.serve.room import Room
from tools.serve.sentences import RefusedError
from tools.serve.wire import MOST_BYTES, Again, Bid, Hint, Join, Play, Request, read_request

__all__ = ["MOST_VIEWERS", "serve_socket"]

MOST_VIEWERS = 60
"""Connections to one table."""
MOST_WAITING = 100
"""Messages that a slow connection may lag behind; then it is closed, and may come again."""
PATIENCE = 20
"""Messages that make no sense; then the connection is closed."""
HEARTBEAT = 20.0
JOIN_SECONDS = 10.0

POLICY_VIOLATION = 1008
TRY_AGAIN_LATER = 1013


class Connection:
    """A viewer of a room; see :class:`tools.serve.room.Viewer`."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.chair: int | None = None
        self._socket = socket
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._last_state = ""

    def send(self, message: dict[str, Any]) -> None:
        """Puts a message in line; a state that was shown last is not shown again."""
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
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
        self._waiting.put_nowait(None)

    async def write(self) -> None:
        """Sends what is in line until the end."""
        with contextlib.suppress(ConnectionError):
            while (text := await self._waiting.get()) is not None:
                await self._socket.send_str(text)
        await self._socket.close()


async def serve_socket(request: web.Request, room: Room) -> web.WebSocketResponse:
    """Serves one connection to *room* until it ends."""
    socket = web.WebSocketResponse(max_msg_size=MOST_BYTES, heartbeat=HEARTBEAT, compress=False)
    await socket.prepare(request)
    connection = Connection(socket)
    writing = asyncio.create_task(connection.write())
    try:
        if len(room.viewers) >= MOST_VIEWERS:
            await socket.close(code=TRY_AGAIN_LATER, message=b"the table is full")
        elif await _join(socket, room, connection):
            await _listen(socket, room, connection)
    finally:
        room.leave(connection)
        writing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writing
    return socket


async def _join(socket: web.WebSocketResponse, room: Room, connection: Connection) -> bool:
    """Waits for the first message, and lets the connection in if it says who it is."""
    try:
        message = await socket.receive(timeout=JOIN_SECONDS)
        if message.type is not WSMsgType.TEXT:
            return False
        join = read_request(message.data)
        if not isinstance(join, Join):
            raise RefusedError("the first message must be join", "第一条消息必须是 join")
        if join.token:
            connection.chair = room.sit(join.token)
        elif not join.watch:
            connection.chair = room.sit_anywhere()
    except asyncio.TimeoutError:
        return False
    except RefusedError as error:
        await socket.send_str(json.dumps(_refusal(error, fatal=True), ensure_ascii=False))
        await socket.close(code=POLICY_VIOLATION)
        return False
    token = "" if connection.chair is None else room.chairs[connection.chair].token
    connection.send({"type": "welcome", "token": token, "chair": connection.chair})
    room.enter(connection)
    return True


async def _listen(socket: web.WebSocketResponse, room: Room, connection: Connection) -> None:
    """Does what the connection asks for, until it ends or makes no sense for too long."""
    hints: set[asyncio.Task[None]] = set()
    nonsense = 0
    async for message in socket:
        try:
            if message.type is not WSMsgType.TEXT:
                raise RefusedError("messages are texts", "消息必须是文本")
            request = read_request(message.data)
        except RefusedError as error:
            connection.send(_refusal(error))
            nonsense += 1
            if nonsense >= PATIENCE:
                connection.close()
                break
            continue
        if isinstance(request, Hint):
            task = asyncio.create_task(_hint(room, connection, request))
            hints.add(task)
            task.add_done_callback(hints.discard)
        else:
            _act(room, connection, request)


def _act(room: Room, connection: Connection, request: Request) -> None:
    try:
        if isinstance(request, Play):
            room.play(connection.chair, request.at, request.cards)
        elif isinstance(request, Bid):
            room.bid(connection.chair, request.at, request.bid)
        elif isinstance(request, Again):
            room.again(connection.chair, request.game)
        else:
            raise RefusedError("who is here has joined already", "你已经入座")
    except RefusedError as error:
        connection.send(_refusal(error))


async def _hint(room: Room, connection: Connection, request: Hint) -> None:
    try:
        connection.send(await room.hint(connection.chair, request.at))
    except RefusedError as error:
        connection.send(_refusal(error))


def _refusal(error: RefusedError, fatal: bool = False) -> dict[str, Any]:
    return {"type": "refused", "sentence": error.sentence._asdict(), "fatal": fatal}
