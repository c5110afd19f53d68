"""The page without a server, on a plain file server and as a person uses it."""

import functools
import http.server
import threading
from collections.abc import Callable
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

SECONDS = 120
"""On a machine that has forty times as much else to do; the page needs five."""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # a busy machine is late to take what a browser asks for at once


class Site:
    """The folder under a path of a host, as a site may publish it."""

    def __init__(self, folder: Path, files: type[Files] = Files) -> None:
        handler = functools.partial(files, directory=str(folder))
        self._server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Page:
    """The page as a person uses it."""

    def __init__(self, browser: WebDriver, address: str) -> None:
        self.browser, self.address = browser, address

    def make(self, rules: str, seconds: str = "0.2", bot: str = "") -> None:
        self.browser.get(self.address)
        self.choose("rules", rules)
        self.choose("seconds", seconds)
        for choice in self.browser.find_elements(By.CSS_SELECTOR, ".player")[1:] if bot else ():
            Select(choice).select_by_value(bot)
        self.click("#make button")
        self.wait(lambda: self.my_turn)

    def choose(self, name: str, value: str) -> None:
        Select(self.find(name)).select_by_value(value)

    def wait(self, condition: Callable[[], object], seconds: float = SECONDS) -> None:
        WebDriverWait(self.browser, seconds, poll_frequency=0.05).until(lambda _: condition(), self.written("problem"))

    def find(self, name: str) -> WebElement:
        return self.browser.find_element(By.ID, name)

    def do(self, script: str) -> object:
        return self.browser.execute_script(script)

    def written(self, name: str) -> str:
        return str(self.do(f"return document.getElementById('{name}')?.textContent ?? ''"))

    def click(self, selector: str) -> None:
        """Clicks the last one of what may be drawn anew at any time."""
        script = f"const all = [...document.querySelectorAll('{selector}')]; all.at(-1)?.click(); return all.length"
        self.wait(lambda: self.do(script))

    @property
    def over(self) -> bool:
        return "You win" in self.written("said") or "You lose" in self.written("said")

    @property
    def my_turn(self) -> bool:
        return "our turn" in self.written("said") or self.over

    @property
    def moves(self) -> int:
        return int(str(self.do("return document.querySelectorAll('#moves td:not(.number)').length")))

    def move(self) -> None:
        """Bids as much as there is, or plays what the hint thinks best."""
        before = self.written("said") + self.written("moves")
        if self.do("return document.getElementById('bid-0') !== null"):
            self.click("[id^=bid-]:enabled")
        else:
            self.click("#hint-ask:enabled")
            self.wait(lambda: self.do("return document.querySelector('.idea') !== null"))
            cards = self.do("const best = document.querySelector('.idea'); best.click(); return best.dataset.cards")
            self.click("#play:enabled" if cards else "#pass:enabled")
        self.wait(lambda: self.written("said") + self.written("moves") != before and self.my_turn)
