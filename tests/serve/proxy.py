"""A proxy that puts a server into a path of its own, as nginx does with ``location /ddz/ { proxy_pass ...; }``."""

import contextlib
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

FOLDER = "/ddz/"
_KEEPS = re.compile(rb"^connection:.*\r\n", re.IGNORECASE | re.MULTILINE)
_LINE = re.compile(rb"([A-Z]+) (\S+) ")


@contextmanager
def behind_a_path(address: str) -> Iterator[tuple[str, list[str]]]:
    """
    Runs the proxy of a server, ``http://HOST:PORT/``.

    Gets the address of the server's start page there, and the paths outside that were asked for in vain.
    """
    host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
    strays: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            with contextlib.suppress(OSError):  # it is closed
                while True:
                    client, _ = listening.accept()
                    threading.Thread(target=_serve, args=(client, (host, int(port)), strays), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{FOLDER}", strays
        listening.shutdown(socket.SHUT_RDWR)


def _serve(client: socket.socket, server: tuple[str, int], strays: list[str]) -> None:
    """Hands on one request, and what comes after it if that is a websocket."""
    with contextlib.suppress(OSError), client:
        head = _head(client)
        line = _LINE.match(head)
        if line is None:
            return  # a connection that the browser opened in case it needs it
        path = line[2].decode()
        if not path.startswith(FOLDER):
            strays.append(path)
            client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        head = head.replace(line[2], path.removeprefix(FOLDER.rstrip("/")).encode(), 1)
        if b"upgrade: websocket" not in head.lower():  # the next request comes in a connection of its own
            head = _KEEPS.sub(b"", head).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        with socket.create_connection(server) as upstream:
            upstream.sendall(head)
            threading.Thread(target=_pump, args=(client, upstream), daemon=True).start()
            _pump(upstream, client)


def _head(client: socket.socket) -> bytes:
    """Reads a request to the end of its headers, and what has come of its body."""
    data = b""
    while b"\r\n\r\n" not in data and (received := client.recv(1 << 16)):
        data += received
    return data


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
