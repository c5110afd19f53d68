"""The page without a server in a headless Chromium, from a plain file server: whole games, pastes, and no network."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import ClassVar
from zipfile import ZipFile

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver

from ddzbot.rules import RULE_SETS
from tests.browser import open_browser, resize
from tests.support import ROOT
from tests.web.page import Files, Page, Site
from tools.shared.language import page_words
from tools.tables.table.levels import LEVELS, Level
from tools.tables.web.build import POLICY, publish
from tools.tables.web.pyodide import pyodide

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900)]

PACKAGES = ("click", "jinja2", "markupsafe", "rich")
VIEW = "botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88"


PATH = 'sys.path.insert(0, "/app")'
NOTE = """
class Note:
    def find_spec(self, name, path=None, target=None):
        if name in NAMES:
            import js
            js.leftOut(name)
sys.meta_path.append(Note())
"""
LEFT_OUT = """
function leftOut(name) {
  const asked = new XMLHttpRequest();
  asked.open("GET", "left-out/" + name, false);
  asked.send();
}
"""
"""Asks the host for what Python would have found where nothing is left out, since Python looks for it in vain."""


class Host(Files):
    """Files under the policy of the guide, in what is said to be a Chinese charset, and what is not there."""

    missing: ClassVar[set[str]] = set()

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        kind = super().guess_type(path)
        return f"{kind}; charset=gb2312" if Path(path).suffix in {".html", ".js", ".css"} else kind

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        self.missing.add(self.path)
        super().send_error(code, message, explain)


def names(files: Iterable[str]) -> set[str]:
    """Names the modules of some files."""
    modules = {file.partition(".")[0].replace("/", ".") for file in files if file.endswith((".py", ".pyc"))}
    return {module.removesuffix(".__init__") for module in modules}


def left_out(packed: Path) -> set[str]:
    """Names the modules of Python and of packages that are not in an archive."""
    files = [str(file) for package in PACKAGES for file in distribution(package).files or ()]
    return names([*ZipFile(pyodide() / packed.name).namelist(), *files]) - names(ZipFile(packed).namelist())


@pytest.fixture(scope="module")
def folder(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    host = tmp_path_factory.mktemp("host")
    altered = shutil.copytree(files, tmp_path_factory.mktemp("altered") / "files")
    note = NOTE.replace("NAMES", repr(left_out(altered / "pyodide/python_stdlib.zip")))
    before, after = (altered / "worker.js").read_text("utf-8").split(PATH)
    (altered / "worker.js").write_text(before + PATH + note + after + LEFT_OUT, "utf-8")
    publish(altered, host / "any" / "folder")
    return host


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = open_browser(tmp_path_factory.mktemp("chromium"), "browser", "performance")
    resize(browser, (1280, 860))
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    site = Site(folder, Host)
    yield site
    site.close()


@pytest.fixture
def page(chromium: WebDriver, site: Site) -> Iterator[Page]:
    yield Page(chromium, f"{site.origin}/any/folder/")
    assert chromium.get_log("browser") == []
    assert hosts(chromium) == {site.origin}
    assert Host.missing == set()


def hosts(browser: WebDriver) -> set[str]:
    """Lists where requests of the page went since the last time."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    return {"/".join(url.split("/")[:3]) for url in sent if url.startswith("http")}


def test_no_file_is_for_all_users_of_the_machine_to_write(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 20 and [path.name for path in files if path.stat().st_mode & 0o022] == []


@pytest.mark.parametrize(
    ("rules", "level"), [*zip(RULE_SETS, LEVELS, strict=True)], ids=lambda one: getattr(one, "name", one)
)
def test_a_whole_game_by_clicks_under_all_rules_and_against_each_level(page: Page, rules: str, level: Level) -> None:
    page.make(rules, bot=level.name)
    assert page_words()[f"level_{level.name}"][0] in page.written("table")
    while not page.over:
        page.move()
    assert page.written("problem") == ""


def test_a_reload_or_a_file_goes_on_and_stop_ends_a_thought(page: Page, tmp_path: Path) -> None:
    for _ in range(6):  # in some deals the best move needs no search
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
    page.browser.get(page.address)
    kept = tmp_path / page.find("save").get_dom_attribute("download")
    text = "const done = arguments[0]; fetch(document.getElementById('save').href).then((one) => one.text()).then(done)"
    kept.write_text(page.browser.execute_async_script(text), "utf-8")
    page.do("localStorage.removeItem(Kept.key('table'))")
    page.find("file").send_keys(str(ROOT / "README.md"))
    page.wait(lambda: "no game at all" in page.written("problem"))
    page.find("file").send_keys(str(kept))
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
    assert not page.written("problem"), page.written("problem")
    assert "Winning moves: 4" in page.written("found").replace("\u2009", "")
    page.click("#found a")
    page.wait(lambda: "lead" in page.written("said"))
    page.click("#hint-ask:enabled")
    assert page.written("hint") == "To win, play 4."
    look(page, "nothing of all this")
    assert "this is no game, position or endgame" in page.written("problem")


SIGNATURE = """
importScripts("worker.js");
onmessage = async ({ data: { kind, part, wanted } }) => {
  try {
    const python = await begin(wanted);
    const packed = await (await fetch("signature.zip")).arrayBuffer();
    python.unpackArchive(packed, "zip", { extractDir: "/app" });
    postMessage(python.runPython(`
      import os
      os.environ["DDZ_NO_KERNEL"] = "${Number(kind.startsWith("python"))}"
      from tools.lab.signed import KINDS, decisions, digest
      players, count = KINDS["${kind}"]
      digest(list(decisions(players, count // ${part})))
    `));
  } catch (error) { postMessage(String(error)); }
};
"""
ASK = """
const listed = JSON.parse(document.getElementById("files").textContent);
const work = new Worker(Copy.folder + "signature.js");
work.onmessage = ({ data }) => { if (typeof data === "string") document.title = data; };
const wanted = { folder: Copy.folder, listed, cache: Copy.cache };
work.postMessage({ kind: arguments[0], part: arguments[1], wanted });
"""


HERE = """
import sys
sys.modules["numpy"] = None
from tools.lab.signed import KINDS, decisions, digest
players, count = KINDS[sys.argv[1]]
print(digest(list(decisions(players, count // int(sys.argv[2])))))
"""


@pytest.mark.parametrize(("kind", "part"), [("kernel without numpy", 20), ("python without numpy", 5)])
def test_it_decides_as_this_machine_does(page: Page, folder: Path, kind: str, part: int) -> None:
    """Every player under every rule set makes a part of the decisions that `make signature` hashes."""
    (place,) = (folder / "any" / "folder").glob("v-*")
    (place / "signature.js").write_text(SIGNATURE, "utf-8")
    with ZipFile(place / "signature.zip", "w") as archive:
        for path in (*(ROOT / "tools/lab").glob("*.py"), *(ROOT / "weights").iterdir()):
            archive.write(path, path.relative_to(ROOT))
    page.browser.get(page.address)
    page.browser.execute_script(ASK, kind, part)
    page.wait(lambda: page.browser.title != "ddzbot", 800)
    environment = {**os.environ, "DDZ_NO_KERNEL": str(int(kind.startswith("python")))}
    command = [sys.executable, "-c", HERE, kind, str(part)]
    wanted = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT)
    assert f"{page.browser.title}\n" == wanted.stdout, wanted.stderr


KEPT = """
const [damage, done] = arguments;
(async () => {
  const cache = await caches.open(Copy.cache);
  const kept = await cache.match(Copy.folder + "snapshot");
  if (!kept) { done(0); return; }
  const memory = new Uint8Array(await kept.arrayBuffer());
  const whole = memory.length;
  if (damage === "flipped") memory[whole >> 1] ^= 1;
  const damaged = damage === "half" ? memory.subarray(0, whole >> 1) : memory;
  if (damage) await cache.put(Copy.folder + "snapshot", new Response(damaged, { headers: kept.headers }));
  done(whole);
})();
"""
"""Counts the bytes of Python that are kept, and may damage them."""


def test_python_goes_on_from_what_a_visit_kept_unless_that_is_damaged(page: Page) -> None:
    tables = set()
    for damage in ("", "half", "flipped", ""):
        page.make("botzone")
        tables.add(page.do("return localStorage.getItem(Kept.key('table'))"))
        page.wait(lambda: page.browser.execute_async_script(KEPT, "") > 2e7)
        page.browser.execute_async_script(KEPT, damage)
    assert len(tables) == 4


def test_a_browser_that_is_too_old_is_told_so(page: Page) -> None:
    script = "WebAssembly.validate = () => false"
    made = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        for name in ("", "look.html", "endgame.html#3"):
            page.browser.get(page.address + name)
            assert "lacks WebAssembly SIMD" in page.browser.find_element(By.CSS_SELECTOR, "main > .problem").text
    finally:
        page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


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
