"""Firefox and WebKitGTK without a screen of this machine, each as far as :class:`tests.web.page.Page` asks for."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from itertools import count
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.remote.webdriver import WebDriver
from websocket import create_connection

from tests.support import require, started
from tests.web.page import SECONDS

_LISTENS = "WebDriver BiDi listening on "
_MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"


class Firefox:
    """A Firefox that is spoken to by WebDriver BiDi itself: geckodriver, which Debian has none of, is not needed."""

    def __init__(self, socket: str) -> None:
        self._socket, self._ids = create_connection(f"{socket}/session", SECONDS, suppress_origin=True), count(1)
        self._ask("session.new", {"capabilities": {}})
        self._context = self._ask("browsingContext.getTree", {})["contexts"][0]["context"]

    def _ask(self, method: str, parameters: dict[str, object]) -> dict[str, Any]:
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        replies = map(json.loads, iter(self._socket.recv, None))
        reply = next(reply for reply in replies if reply.get("id") == number)
        assert reply["type"] == "success", reply
        return dict(reply["result"])

    def get(self, address: str) -> None:
        """Loads a page."""
        self._ask("browsingContext.navigate", {"context": self._context, "url": address, "wait": "complete"})

    def execute_script(self, script: str) -> object:
        """Runs a function's body in the page; returns what it returns, by way of JSON."""
        expression = f"JSON.stringify((() => {{ {script} }})() ?? null)"
        asked = {"expression": expression, "target": {"context": self._context}, "awaitPromise": False}
        reply = self._ask("script.evaluate", asked)
        assert reply["type"] == "success", reply
        return json.loads(reply["result"]["value"])

    def close(self) -> None:
        """Ends the browser."""
        self._ask("browser.close", {})
        self._socket.close()


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Runs Firefox ESR with an empty profile."""
    program = require(shutil.which("firefox-esr"), "Firefox: apt-get install firefox-esr")
    words = [program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(profile)]
    with started(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        socket = next(line.strip().partition(_LISTENS)[2] for line in process.stderr or () if _LISTENS in line)
        browser = Firefox(socket)
        yield browser
        browser.close()


@contextmanager
def webkit() -> Iterator[WebDriver]:
    """Runs the small browser of WebKitGTK on a screen that nobody sees."""
    driver = require(shutil.which("WebKitWebDriver"), "WebKitGTK: apt-get install webkit2gtk-driver")
    screen = require(shutil.which("Xvfb"), "a screen for WebKitGTK: apt-get install xvfb")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(require(next(iter(glob(_MINI_BROWSERS)), ""), "MiniBrowser of WebKitGTK 4.1"))
    options.add_argument("--automation")
    reads, writes = os.pipe()
    with started([screen, "-displayfd", str(writes), "-nolisten", "tcp"], pass_fds=[writes], stderr=subprocess.DEVNULL):
        os.close(writes)
        with open(reads, encoding="ascii") as display:
            environment = {**os.environ, "DISPLAY": f":{display.readline().strip()}", "GDK_BACKEND": "x11"}
        browser = webdriver.WebKitGTK(options, webdriver.WebKitGTKService(driver, env=environment))
        try:
            yield browser
        finally:
            browser.quit()
