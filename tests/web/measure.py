"""
Measures the page without a server in a headless Chromium: bytes, seconds, playouts a second, memory.

    python -m tests.web.measure --times 3

The host is on this machine and sends what a usual one does: gzip for text and WebAssembly, to be kept for ten minutes.
"""

import asyncio
import gzip
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from io import BytesIO
from pathlib import Path
from statistics import median

import click
import psutil
from selenium.webdriver.remote.webdriver import WebDriver

from ddzbot.search.limit import Limit
from tests.browser import open_browser, resize
from tests.web.page import Files, Page, Site
from tools.shared.compiling import kernel_at_start
from tools.tables.web.build import build_web, publish
from tools.tables.web.pasted import Shelf, look_at

MB = 1e6
VIEW = "botzone 0 33455677899TTJQQKKA2 7QA -@0 ."
"""A first lead: the longest thoughts of a game."""
WISH = {"rules": "botzone", "places": ["champion", "person", "champion"]}
SECONDS = 2

PACKED = {".html", ".css", ".js", ".json", ".wasm"}
HEAP = b"""
const answered = onmessage;
onmessage = async (event) => {
  if (event.data.ask !== "heap") { answered(event); return; }
  postMessage({ number: -1, heap: (await started)._module.HEAP8.length });
};
"""
"""What the worker says about its memory, beside its own lines."""

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
ASK = """
const [text, seconds, done] = arguments;
marks.worker.addEventListener("message", ({ data }) => { if (data.number === -1) done(data.answer ?? data.failed); });
marks.worker.postMessage({ ask: "look", words: [text], number: -1, flag: "", seconds });
"""


class Host(Files):
    """A host of static files, and how many bytes it sent."""

    sent = 0

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


def opened(profile: Path) -> WebDriver:
    browser = open_browser(profile)
    resize(browser, (1280, 860))
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    return browser


def loaded(page: Page, when: str) -> Iterator[tuple[str, float]]:
    """Asks for a table, and tells how many seconds later it stood and a bot had moved, which may think for one."""
    page.browser.get(f"{page.address}table.html#wish={json.dumps(WISH)}")
    page.wait(lambda: page.do("return marks.moved"))
    for name in ("ready", "moved"):
        yield f"{when}, {name}, s", number(page, name) / 1000


def number(page: Page, mark: str) -> float:
    return float(str(page.do(f"return marks.{mark} ?? 0")))


def game_with_review(page: Page) -> None:
    page.make("botzone", "0.2")
    while not page.over:
        page.move()
    page.click("#review")
    page.wait(lambda: page.do("return document.querySelector('#reviews a')"))


def memory(page: Page) -> Iterator[tuple[str, float]]:
    """Tells the memory of Python in the page, of its scripts, and of the whole process, in MB."""
    page.do("marks.worker.postMessage({ ask: 'heap' })")
    page.wait(lambda: number(page, "heap"))
    yield "heap of Python, MB", number(page, "heap") / MB
    yield "heap of scripts, MB", page.browser.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"] / MB
    yield "renderer, PSS, MB", renderer(page) / MB
    page.browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    yield "the same without garbage, MB", renderer(page) / MB


def renderer(page: Page) -> int:
    """Tells the bytes of the page's process; what it shares with others counts in parts."""
    processes = psutil.Process(page.browser.service.process.pid).children(recursive=True)
    return max(one.memory_full_info().pss for one in processes if "--type=renderer" in one.cmdline())


def in_page(page: Page) -> float:
    """Tells the playouts a second of an analysis."""
    page.browser.get(page.address + "look.html")
    page.wait(lambda: page.do("return document.getElementById('loading').hidden"))
    answer = page.browser.execute_async_script(ASK, VIEW, SECONDS)
    return rate(json.loads(answer))


def native() -> float:
    async def prepare(*_: object) -> None:
        """All networks are here."""

    return rate(asyncio.run(look_at(VIEW, Shelf(None), Limit(seconds=SECONDS), prepare)))  # type: ignore[arg-type]


def rate(answer: dict[str, dict[str, float]]) -> float:
    return answer["analysis"]["playouts"] / answer["analysis"]["seconds"]


def measured(folder: Path) -> Iterator[tuple[str, float]]:
    """Measures everything, with a new profile, in one browser and then in a second one."""
    Host.sent = 0
    with closing(Site(folder, Host)) as site, tempfile.TemporaryDirectory() as profile:
        with opened(Path(profile)) as browser:
            yield from loaded(Page(browser, f"{site.origin}/"), "first load")
            browser.execute_async_script(WHEN_KEPT)
            yield "bytes, MB", Host.sent / MB
        with opened(Path(profile)) as browser:
            page = Page(browser, f"{site.origin}/")
            yield from loaded(page, "second load")
            game_with_review(page)
            yield from memory(page)
            yield "playouts a second", in_page(page)
            yield "playouts a second, native", native()


@click.command()
@click.option("--times", type=click.IntRange(1), default=3, show_default=True, help="Measure so often.")
def main(times: int) -> None:
    """Print what each run found, and the medians."""
    kernel_at_start()
    with tempfile.TemporaryDirectory() as place:
        folder = with_heap(Path(place))
        for path in filter(Path.is_file, folder.rglob("*")):
            body(path)
        runs = [dict(measured(folder)) for _ in range(times)]
    for name in runs[0]:
        found = [run[name] for run in runs]
        print(f"{name:28} {median(found):10.2f}   ({', '.join(f'{one:.2f}' for one in found)})")


if __name__ == "__main__":
    main()
