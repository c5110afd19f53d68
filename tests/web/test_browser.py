"""The page without a server in a headless Chromium, from a plain file server: whole games, pastes, and no network."""

import functools
import gzip
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
from tests.support import ROOT, require
from tools.shared.compiling import BuildError
from tools.tables.web.build import build_web

pytestmark = pytest.mark.timeout(900)

SECONDS = 120
"""On a machine that has forty times as much else to do; the page needs five."""
VIEW = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"


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


def look(page: Page, text: str) -> None:
    page.browser.get(page.address + "look.html")
    page.browser.execute_script("document.getElementById('text').value = arguments[0]", text)
    page.click("#look .act--main")
    page.wait(
        lambda: page.do(
            "return !document.getElementById('found').hidden || document.getElementById('problem').textContent"
        )
    )


def opened(page: Page) -> str:
    """Gets what the page that was opened says, and closes it."""
    browser = page.browser
    page.wait(lambda: len(browser.window_handles) > 1)
    first, second = browser.window_handles
    browser.switch_to.window(second)
    page.wait(lambda: page.written("title"))
    text = browser.find_element(By.TAG_NAME, "body").text
    browser.close()
    browser.switch_to.window(first)
    return text


def test_a_pasted_record_is_replayed_and_reviewed(page: Page) -> None:
    look(page, (ROOT / "tests/data/rule-demo-1.ddzn").read_text("utf-8"))
    assert "botzone · rule, rule, rule" in page.written("found")
    page.click("#found a")
    assert "rule" in opened(page)
    page.click("#found button")
    page.click("#reviews a")
    assert "What decided the game" in opened(page)


def test_a_move_of_a_game_leads_to_a_board_that_a_reload_keeps(page: Page) -> None:
    browser = page.browser
    look(page, (ROOT / "tests/data/rule-demo-1.ddzn").read_text("utf-8"))
    page.click("#found a")
    page.wait(lambda: len(browser.window_handles) == 2)
    first, second = browser.window_handles
    browser.switch_to.window(second)
    page.wait(lambda: page.written("title"))
    page.do("location.hash = '#ply=16'")
    page.wait(lambda: page.do("return document.querySelector('#thought a') !== null"))
    address = page.do("return document.querySelector('#thought a').href")
    browser.close()
    browser.switch_to.window(first)
    browser.get(str(address))
    for _ in range(2):
        page.wait(lambda: page.do("return document.querySelector('#hint .idea') !== null"))
        assert page.written("title") == "Analysis board" and page.moves == 15
        browser.refresh()


def test_a_log_of_the_site_is_read(page: Page) -> None:
    with gzip.open(ROOT / "tests/data/botzone/transcripts.jsonl.gz", "rt", encoding="utf-8") as file:
        log = json.loads(next(file))["last_judge_stdin"]
    look(page, log if isinstance(log, str) else json.dumps(log))
    assert "Game 1 · botzone" in page.written("found")


def test_a_position_shows_moves_and_guessed_cards(page: Page) -> None:
    look(page, VIEW)
    assert "playouts" in page.written("hint")
    page.click("#found a")
    assert "Guess" in opened(page)


def test_an_endgame_is_solved_and_played(page: Page) -> None:
    look(page, "4667788QK2 334455QK2")
    assert "Winning moves: 4" in page.written("found").replace("\u2009", "")
    page.click("#found a")
    page.wait(lambda: "lead" in page.written("said"))
    page.click("#hint-ask:enabled")
    assert page.written("hint") == "To win, lay 4."
    look(page, "nothing of all this")
    assert "this is no game, position or endgame" in page.written("problem")


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
