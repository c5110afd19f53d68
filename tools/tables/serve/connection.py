"""One websocket: what it is sent, in order and without making others wait, and what it asks for."""

import asyncio
import contextlib
from typing import Any

from aiohttp import WSMessage, WSMsgType, web

from ...shared.json_text import json_text
from .acts import act, give_hint, welcome
from .room import Room
from .sentences import RefusedError
from .wire import MOST_BYTES, Hint, Join, read_request

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
        """The end is in line: no more messages go or come."""
        self._last_state = ""
        self._hints: set[asyncio.Task[None]] = set()

    def send(self, message: dict[str, Any]) -> None:
        """Puts a message in line; a state that was shown last is not shown again."""
        if self.closing:
            return
        encoded = json_text(message)
        if message["type"] == "state":
            if encoded == self._last_state:
                return
            self._last_state = encoded
        if self._waiting.qsize() >= MOST_WAITING:
            self.close()
        else:
            self._waiting.put_nowait(encoded)

    def close(self) -> None:
        """Ends the connection after what is in line."""
        self.closing = True
        self.drop_hints()
        self._waiting.put_nowait(None)

    def ask_hint(self, room: Room, request: Hint) -> None:
        """Asks for a hint, and sends it when it is there."""
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


async def serve_socket(request: web.Request, room: Room) -> web.WebSocketResponse:
    """Serves one connection to *room* until it ends."""
    socket = web.WebSocketResponse(max_msg_size=MOST_BYTES, heartbeat=HEARTBEAT, compress=False)
    await socket.prepare(request)
    connection = Connection(socket)
    try:
        join = await _first(socket)
        if join is None:
            return socket
        token = room.join(connection, join.token, join.watch)
    except RefusedError as error:
        with contextlib.suppress(ConnectionError):
            await socket.send_str(json_text(error.message(fatal=not error.passing)))
        await socket.close(code=TRY_AGAIN_LATER if error.passing else POLICY_VIOLATION)
        return socket
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


async def _first(socket: web.WebSocketResponse) -> Join | None:
    """
    Waits for the join; None if the connection ends first.

    :raises RefusedError: for any other message, and when none comes.
    """
    try:
        # The limit of receive() would begin anew with each ping.
        message = await asyncio.wait_for(socket.receive(), JOIN_SECONDS)
    except asyncio.TimeoutError:
        seconds = f"{JOIN_SECONDS:g}"
        raise RefusedError(f"no viewer joined within {seconds} s", f"{seconds} 秒内没有加入", passing=True) from None
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
