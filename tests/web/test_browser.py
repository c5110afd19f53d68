"""The page without a server in a headless Chromium, from a plain file server: whole games, a reload, and no network."""

import functools
import http.server
import json
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from ddzbot.rules import RULE_SETS
from tests.browser import open_browser, resize
from tests.support import require
from tools.shared.compiling import BuildError
from tools.tables.web.build import build_web

pytestmark = pytest.mark.timeout(900)

SECONDS = 120
"""On a machine that has forty times as much else to do; the page needs five."""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Site:
    """The folder under a path of a host, as somebody may publish it."""

    def __init__(self, folder: Path) -> None:
        handler = functools.partial(Files, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        made = build_web()
    except BuildError as error:
        require(None, error.message)
        raise
    host = tmp_path_factory.mktemp("host")
    shutil.copytree(made, host / "any" / "folder")
    return host


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = open_browser(tmp_path_factory.mktemp("chromium"), "browser", "performance")
    resize(browser, (1280, 860))
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    site = Site(folder)
    yield site
    site.close()


@pytest.fixture
def page(chromium: WebDriver, site: Site) -> Iterator["Page"]:
    yield Page(chromium, f"{site.origin}/any/folder/")
    assert chromium.get_log("browser") == []
    assert hosts(chromium) == {site.origin}


def hosts(browser: WebDriver) -> set[str]:
    """Lists where requests of the page went since the last time."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    return {"/".join(url.split("/")[:3]) for url in sent if url.startswith("http")}


class Page:
    """The page as a person uses it."""

    def __init__(self, browser: WebDriver, address: str) -> None:
        self.browser, self.address = browser, address

    def make(self, rules: str, seconds: str = "0.2") -> None:
        self.browser.get(self.address)
        Select(self.find("rules")).select_by_value(rules)
        Select(self.find("seconds")).select_by_value(seconds)
        self.browser.find_element(By.CSS_SELECTOR, "#make button").click()
        self.wait(lambda: self.my_turn)

    def wait(self, condition: Callable[[], object]) -> None:
        WebDriverWait(self.browser, SECONDS, poll_frequency=0.05).until(lambda _: condition(), self.written("problem"))

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


@pytest.mark.parametrize("rules", list(RULE_SETS))
def test_a_whole_game_by_clicks(page: Page, rules: str) -> None:
    page.make(rules)
    while not page.over:
        page.move()
    assert page.written("problem") == ""


def test_a_reload_goes_on_and_stop_ends_a_thought(page: Page) -> None:
    for _ in range(6):  # there are deals whose best move needs no search
        page.make("botzone", "10")
        page.click("#hint-ask:enabled")
        page.wait(lambda: re.search("Best so far|playouts", page.written("hint")))
        if "Best so far" in page.written("hint"):
            break
    page.click("#hurry")
    page.wait(lambda: "playouts" in page.written("hint"))
    effort = re.search(r"playouts in ([\d.]+) s", page.written("hint"))
    assert effort and float(effort[1]) < 9
    page.click("tr:first-child .idea")
    page.click("#play:enabled")
    while page.moves < 3 or not page.my_turn:
        page.do("document.getElementById('hurry')?.click()")
        time.sleep(0.2)
    page.browser.refresh()
    page.wait(lambda: page.my_turn)
    assert page.moves == 3


def test_it_plays_without_network_after_the_first_load(folder: Path, tmp_path: Path) -> None:
    site = Site(folder)
    browser = open_browser(tmp_path, "browser")
    try:
        page = Page(browser, f"{site.origin}/any/folder/")
        page.make("botzone")
        page.wait(lambda: page.do("return navigator.serviceWorker.controller !== null"))
        site.close()
        page.make("botzone", "1")
        page.click("#hint-ask:enabled")
        page.wait(lambda: "playouts" in page.written("hint"))
        effort = str(page.do("return document.querySelector('#hint p:last-child').textContent"))
        assert not effort.startswith("0 "), "the limit that was chosen does not reach the worker"
        page.move()
        browser.refresh()
        page.wait(lambda: page.my_turn)
        assert page.moves
    finally:
        browser.quit()
