"""
Measures the page without a server in a headless Chromium: bytes, seconds, playouts a second, memory.

    python -m tools.lab.bench.page --times 3

The host is on this machine and sends what a usual one does: gzip for text and WebAssembly, to be kept for ten minutes.
"""

import asyncio
import functools
import gzip
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from statistics import median

import click
import psutil
from selenium import webdriver
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

from ddzbot.search.limit import Limit

from ...shared.compiling import kernel_at_start
from ...shared.default_rules import DEFAULT_RULES
from ...shared.interrupts import Command
from ...shared.json_text import json_text, parse_json
from ...shared.terminal import say
from ...tables.web.build import build_web, publish
from ...tables.web.pasted import Shelf, look_at

MB = 1e6
VIEW = "botzone 0 33455677899TTJQQKKA2 7QA -@0 ."
"""A first lead: the longest thoughts of a game."""
WISH = {"rules": DEFAULT_RULES, "places": ["champion", "person", "champion"]}
SECONDS = 2
PATIENCE = 120
"""Seconds for anything that the page does."""
_FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--lang=en-US")
_WINDOW = {"width": 1280, "height": 860, "deviceScaleFactor": 1, "mobile": False}

PACKED = {".html", ".css", ".js", ".json", ".wasm"}
HEAP = b"""
const answered = onmessage;
onmessage = async (event) => {
  if (event.data.ask !== "heap") { answered(event); return; }
  postMessage({ number: -1, heap: (await started)._module.HEAP8.length });
};
"""
"""JavaScript that adds the memory of the worker to its messages."""

WATCH = """
const marks = window.marks = {};
window.Worker = class extends Worker {
  constructor(...words) {
    super(...words);
    marks.worker = this;
    this.addEventListener("message", ({ data }) => { if (data.heap) marks.heap = data.heap; });
  }
};
const look = () => {
  const said = document.getElementById("said");
  if (said?.textContent && !said.classList.contains("said--notice")) marks.ready ??= performance.now();
  if (document.querySelector("#moves td:not(.number)")) marks.moved ??= performance.now();
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Notes when the page shows the table and its first move, since it was asked for; and its worker."""


WHEN_KEPT = """
const [done] = arguments;
navigator.serviceWorker.ready.then(() => done());
"""
ACT = """
const last = (selector) => [...document.querySelectorAll(selector)].at(-1);
if (/You (win|lose)/.test(document.getElementById("said")?.textContent)) return true;
const idea = document.querySelector(".idea");
const bid = last("[id^=bid-]:enabled");
if (bid || !idea) { (bid ?? last("#hint-ask:enabled"))?.click(); return false; }
idea.click();
last(idea.dataset.cards ? "#play:enabled" : "#pass:enabled")?.click();
return false;
"""
"""Bids as much as there is, or plays what the hint thinks best; tells whether the game is over."""

ASK = """
const [text, seconds, done] = arguments;
marks.worker.addEventListener("message", ({ data }) => { if (data.number === -1) done(data.answer ?? data.failed); });
marks.worker.postMessage({ ask: "look", words: [text], number: -1, flag: "", seconds });
"""


class Host(SimpleHTTPRequestHandler):
    """A host of static files, and how many bytes it sent."""

    sent = 0

    def log_message(self, *_: object) -> None:
        """Prints nothing."""

    def send_head(self) -> BytesIO:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        content = body(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")
        if path.suffix in PACKED:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        Host.sent += len(content)
        return BytesIO(content)


@cache
def body(path: Path) -> bytes:
    """Gets what is sent for a file."""
    content = path.read_bytes()
    return gzip.compress(content, 6) if path.suffix in PACKED else content


def with_heap(place: Path) -> Path:
    """Makes the page in a folder of *place*; its worker also tells its memory."""
    (version,) = build_web().glob("v-*")
    files = shutil.copytree(version, place / "files")
    (files / "worker.js").write_bytes((files / "worker.js").read_bytes() + HEAP)
    publish(files, place / "web")
    return place / "web"


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serves a folder; yields the address of its first page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Host, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def opened(profile: Path) -> WebDriver:
    """
    Starts Chromium without a screen.

    :raises click.ClickException: if there is no Chromium, or no chromedriver.
    """
    options, driver = webdriver.ChromeOptions(), shutil.which("chromedriver")
    options.binary_location = shutil.which("chromium") or ""
    if not (options.binary_location and driver):
        raise click.ClickException("chromium and chromedriver must be on the PATH (Debian: chromium chromium-driver)")
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options, webdriver.ChromeService(driver))
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", _WINDOW)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    return browser


def wait(browser: WebDriver, condition: Callable[[], object]) -> None:
    """
    Asks again until *condition* holds.

    :raises selenium.common.exceptions.TimeoutException: after :data:`PATIENCE`.
    """
    WebDriverWait(browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition())


def open_table(browser: WebDriver, address: str) -> None:
    """Makes a table and opens it."""
    browser.get(f"{address}table.html#wish={json_text(WISH)}")


def loaded(browser: WebDriver, address: str, when: str) -> Iterator[tuple[str, float]]:
    """Asks for a table, and tells how many seconds later it stood and a bot had moved, which may think for one."""
    open_table(browser, address)
    wait(browser, lambda: number(browser, "moved"))
    for mark in ("ready", "moved"):
        yield f"{when}, {mark}, s", number(browser, mark) / 1000


def number(browser: WebDriver, mark: str) -> float:
    """Gets what the page noted, in milliseconds or bytes; 0 as long as there is nothing."""
    return float(browser.execute_script(f"return marks.{mark} ?? 0"))


def game_with_review(browser: WebDriver, address: str) -> None:
    """Plays a game by the hints, and waits for its review."""
    browser.get(address)
    browser.execute_script("Kept.set('seconds', '0.2')")
    open_table(browser, address)
    wait(browser, lambda: browser.execute_script(ACT))
    browser.execute_script("document.getElementById('review').click()")
    wait(browser, lambda: browser.execute_script("return document.querySelector('#reviews a') !== null"))


def memory(browser: WebDriver) -> Iterator[tuple[str, float]]:
    """Tells the memory of Python in the page, of its scripts, and of the whole process, in MB."""
    browser.execute_script("marks.worker.postMessage({ ask: 'heap' })")
    wait(browser, lambda: number(browser, "heap"))
    yield "heap of Python, MB", number(browser, "heap") / MB
    yield "heap of scripts, MB", browser.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"] / MB
    yield "renderer, PSS, MB", renderer(browser) / MB
    browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    yield "the same without garbage, MB", renderer(browser) / MB


def renderer(browser: WebDriver) -> int:
    """Tells the bytes of the page's process; what it shares with others counts in parts."""
    processes = psutil.Process(browser.service.process.pid).children(recursive=True)
    return max(int(process.memory_full_info().pss) for process in processes if "--type=renderer" in process.cmdline())


def in_page(browser: WebDriver, address: str) -> float:
    """Tells the playouts a second of an analysis."""
    browser.get(f"{address}look.html")
    wait(browser, lambda: browser.execute_script("return document.getElementById('loading').hidden"))
    return rate(parse_json(browser.execute_async_script(ASK, VIEW, SECONDS)))


def native() -> float:
    """Gets the playouts a second of the same analysis outside the page."""

    async def prepare(*_: object) -> None:
        """All networks are here."""

    return rate(asyncio.run(look_at(VIEW, Shelf(None), Limit(seconds=SECONDS), prepare)))  # type: ignore[arg-type]


def rate(answer: dict[str, dict[str, float]]) -> float:
    """Gets the playouts a second of an analysis."""
    return answer["analysis"]["playouts"] / answer["analysis"]["seconds"]


def measured(folder: Path) -> Iterator[tuple[str, float]]:
    """Measures everything, with a new profile, in one browser and then in a second one."""
    Host.sent = 0
    with hosted(folder) as address, tempfile.TemporaryDirectory() as profile:
        with opened(Path(profile)) as browser:
            yield from loaded(browser, address, "first load")
            browser.execute_async_script(WHEN_KEPT)
            yield "bytes, MB", Host.sent / MB
        with opened(Path(profile)) as browser:
            yield from loaded(browser, address, "second load")
            game_with_review(browser, address)
            yield from memory(browser)
            yield "playouts a second", in_page(browser, address)
            yield "playouts a second, native", native()


@click.command(cls=Command)
@click.option("--times", type=click.IntRange(1), default=3, show_default=True, help="Measure so often.")
def main(times: int) -> None:
    """Print what each run found, and the medians."""
    kernel_at_start()
    with tempfile.TemporaryDirectory() as scratch:
        folder = with_heap(Path(scratch))
        for path in filter(Path.is_file, folder.rglob("*")):
            body(path)
        runs = [dict(measured(folder)) for _ in range(times)]
    for figure_name in runs[0]:
        figures = [run[figure_name] for run in runs]
        say(f"{figure_name:28} {median(figures):10.2f}   ({', '.join(f'{figure:.2f}' for figure in figures)})")


if __name__ == "__main__":
    main()
