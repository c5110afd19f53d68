"""How the page loads where the host, a link or what the browser has kept is bad: each time it says what to do."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.remote.webdriver import WebDriver

from ddzbot.net.current import read_manifest
from tests.browser import open_browser, resize
from tests.support import ROOT
from tests.web.faulty import Case, FaultyHost
from tests.web.page import Page, Site
from tools.tables.web.build import POLICY, publish

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900)]

WISH = "table.html#wish=" + '{"rules":"botzone","places":["person","rule","rule"]}'
SHOWN = """
const shown = (id) => document.getElementById(id)?.textContent ?? "";
const slow = document.querySelector("#loading:not([hidden]) .problem")?.textContent;
return [shown("guard"), slow, shown("problem"), document.querySelector(".said--notice")?.textContent]
  .filter((text) => text && !/as soon as/.test(text)).join(" ");
"""
"""What the page says is wrong."""
MOST_SECONDS = 30
"""Until a person is told: a third of it on a quiet machine, and this one may have much else to do."""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = open_browser(tmp_path_factory.mktemp("chromium"))
    resize(browser, (1280, 860))
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def folder(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host")
    publish(files, folder)
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    FaultyHost.silence.clear()
    site = Site(folder, FaultyHost)
    yield site
    FaultyHost.silence.set()
    site.close()


class Visitor(Page):
    """A user who visits the cases of a host."""

    def __init__(self, browser: WebDriver, site: Site) -> None:
        super().__init__(browser, f"{site.origin}/")
        self.origin = site.origin

    def case(self, case: Case) -> None:
        """Makes a case, and opens its path."""
        name = f"case-{len(FaultyHost.cases)}"
        FaultyHost.cases[name] = case
        self.address = f"{self.origin}/{name}/"

    def go(self, name: str) -> None:
        self.browser.get("about:blank")  # else a new fragment loads nothing
        self.browser.get(self.address + name)

    def told(self, *words: str) -> str:
        """Waits until the page says all that, and gets what it says."""
        with suppress(TimeoutException):
            self.wait(lambda: all(word in str(self.do(SHOWN)) for word in words))
        said = str(self.do(SHOWN))
        assert all(word in said for word in words), said
        return said


@pytest.fixture
def visitor(chromium: WebDriver, site: Site) -> Visitor:
    return Visitor(chromium, site)


def page_with(name: str) -> str:
    """Names the page that loads a file."""
    return {"start.js": "index.html", "endgame.js": "endgame.html#3", "look.js": "look.html"}.get(name, WISH)


def test_every_file_that_is_missing_is_named(visitor: Visitor, files: Path) -> None:
    names = {path.relative_to(files).as_posix() for path in files.rglob("*") if path.is_file()} - {"gone.js"}
    loaded = {name for name in names if not name.startswith("weights/")} | {network()}
    assert len(loaded) > 20
    for name in sorted(loaded):
        says_so(visitor, Case("missing", f"/{name}"))


@pytest.mark.parametrize("fault", ["cut", "short"])
def test_a_file_that_does_not_come_whole_is_named(visitor: Visitor, fault: str) -> None:
    for name in ("cards.css", "live.js", "worker.js", "pyodide/pyodide.asm.wasm", "app.bin", network()):
        says_so(visitor, Case(fault, f"/{name}"))


def network() -> str:
    """Names the network that a table of ``botzone`` loads."""
    return f"weights/{read_manifest(str(ROOT / 'weights'))['current']['fast-2']['botzone']}"


def says_so(visitor: Visitor, case: Case) -> None:
    """Sees that the page names the file of a case, and soon."""
    visitor.case(case)
    begun = time.monotonic()
    visitor.go(page_with(case.suffix[1:]))
    said = visitor.told(Path(case.suffix).name, "oad the page again")
    seconds = time.monotonic() - begun
    assert visitor.written("guard") or not visitor.do("return document.querySelector('#loading:not([hidden])')")
    print(f"{case.fault} {case.suffix}, {seconds:.1f} s: {said}")
    assert seconds < MOST_SECONDS, case


def test_a_page_that_is_cut_off_says_so_in_both_languages(visitor: Visitor) -> None:
    for name in ("index.html", "table.html", "endgame.html", "look.html"):
        visitor.case(Case("short", f"/{name}"))
        visitor.go(name)
        assert "请重新加载页面" in visitor.told(f"{name} is missing or damaged")


@pytest.mark.parametrize(("suffix", "kind"), [(".wasm", "application/octet-stream"), (".js", "text/plain")])
def test_a_host_may_call_files_what_it_likes(visitor: Visitor, suffix: str, kind: str) -> None:
    visitor.case(Case(kind, suffix))
    visitor.go(WISH)
    visitor.wait(lambda: visitor.my_turn)
    assert visitor.do(SHOWN) == ""


def test_where_a_browser_may_not_guess_types_the_page_names_what_is_called_wrongly(visitor: Visitor) -> None:
    visitor.case(Case("text/plain", ".js", strict=True))
    visitor.go(WISH)
    assert "the host sends it as something else" in visitor.told("words.js")


def test_it_shows_how_much_has_come_and_when_nothing_more_does(visitor: Visitor) -> None:
    visitor.case(Case("silent", ".wasm"))
    begun = time.monotonic()
    visitor.go(WISH)
    visitor.told("sent nothing for 8 s")
    assert time.monotonic() - begun < MOST_SECONDS
    said = visitor.do("return document.querySelector('#loading p').textContent")
    assert str(said).startswith("Loading the bot: ") and str(said).endswith(" MB"), said
    assert 0.3 < float(str(visitor.do("return document.querySelector('#loading progress').value"))) < 0.9
    visitor.click("#language")
    visitor.told("请检查网络")
    visitor.click("#language")
    visitor.told("Check the connection")


@pytest.mark.parametrize("charset", ["gb2312", "big5", "iso-8859-1"])
def test_the_bytes_say_how_text_is_written_whatever_the_host_says(visitor: Visitor, charset: str) -> None:
    visitor.case(Case(charset=charset))
    for name in ("index.html", "endgame.html#3", "look.html"):
        visitor.go(name)
        assert (visitor.written("language"), visitor.do("return document.characterSet")) == ("中文", "UTF-8")
        assert visitor.do("return [...document.styleSheets].every((sheet) => sheet.cssRules.length > 5)")
        assert visitor.do(SHOWN) == ""
    visitor.case(Case("missing", "/cards.css", charset=charset))
    visitor.go("")
    visitor.told("文件 cards.css 缺失")


FORBIDDEN = {
    "script-src 'self'": ("what the bot needs", "script-src-elem: blob"),
    "script-src 'self' 'unsafe-inline' blob:": ("what the bot needs", "script-src: wasm-eval"),
    "worker-src 'none'": ("what the bot needs", "worker-src: http"),
    "connect-src 'none'": ("what the bot needs", "connect-src: http"),
    "script-src 'unsafe-inline'": ("a part of this page", "script-src-elem: http", ".js)", "请网站管理者允许"),
}


@pytest.mark.parametrize("policy", FORBIDDEN)
def test_a_policy_that_forbids_something_is_named_with_what_is_enough(visitor: Visitor, policy: str) -> None:
    visitor.case(Case(policy=policy))
    visitor.go(WISH)
    said = visitor.told("The host's Content-Security-Policy forbids", f"must allow: {POLICY}", *FORBIDDEN[policy])
    assert "Load the page again" not in said and "newer browser" not in said, said


BLOCKED = (
    """document.dispatchEvent(new SecurityPolicyViolationEvent("securitypolicyviolation",
      { disposition: "enforce", effectiveDirective: "script-src-elem", blockedURI: "http://host/table.js" }));""",
    """document.querySelector("script[src]").dispatchEvent(new Event("error"));""",
)
"""What a busy browser tells of a blocked script once the last line of the page has run, in either order."""


@pytest.mark.parametrize("order", [1, -1])
def test_a_policy_is_named_though_its_browser_tells_of_it_late(visitor: Visitor, order: int) -> None:
    visitor.case(Case())
    visitor.go("look.html")
    visitor.do("\n".join(BLOCKED[::order]))
    said = visitor.told("forbids a part of this page (script-src-elem: http://host/table.js)", f"must allow: {POLICY}")
    assert "Load the page again" not in said, said


def test_the_guide_has_the_policy_that_is_enough() -> None:
    assert f"    Content-Security-Policy: {POLICY}\n" in (ROOT / "docs" / "guide" / "web.md").read_text("utf-8")


@pytest.mark.parametrize("behind", ["", "/"])
def test_a_host_may_show_pages_at_other_addresses_and_they_are_there_offline_too(visitor: Visitor, behind: str) -> None:
    case = Case(behind=behind)
    visitor.case(case)
    visitor.go("endgame.html#5")
    visitor.wait(lambda: visitor.do(WHOLE))
    assert visitor.written("title").endswith("5") and visitor.do(SHOWN) == ""
    case.away = True
    for name in ("endgame", "endgame/", "endgame.html"):
        visitor.go(f"{name}#7")
        visitor.wait(lambda: "lead" in visitor.written("said"))
        assert visitor.written("title").endswith("7") and visitor.do(SHOWN) == ""


LINKS = {
    "table.html#wish=%E0%A4%A": "This link is damaged",
    "table.html#wish=xx": "This link is damaged",
    "table.html#wish=null": "This link is damaged",
    "table.html#wish=": "This link is damaged",
    "table.html#wish={}": "needs rules and three places",
    'table.html#wish={"rules":"x","places":["person","rule","rule"]}': "rules 'x' are unknown",
    'table.html#wish={"start":7}': "record",
    "index.html#board=%E0%A4%A": "This link is damaged",
    "endgame.html#99": "there is no endgame '99'",
    "endgame.html#%E0%A4%A": "there is no endgame '%E0%A4%A'",
    "endgame.html#333333/4": "333333",
}


def test_a_damaged_link_is_called_so(visitor: Visitor) -> None:
    visitor.case(Case())
    for name, wanted in LINKS.items():
        visitor.go(name)
        said = visitor.told(wanted)
        assert "Traceback" not in said, said


WHOLE = "return navigator.serviceWorker.controller !== null"
CACHES = """
const done = arguments[0];
caches.keys().then((names) => done(names.filter((name) => name.startsWith(`ddzbot ${Copy.path} `)).length));
"""
STAYS = """
navigator.locks.request(arguments[0], { mode: "shared" }, () => new Promise((leave) => { globalThis.leave = leave; }));
"""
IS_AWAITED = """
const [name, done] = arguments;
navigator.locks.query().then(({ pending }) => done(pending.some((lock) => lock.name === name)));
"""
HAS = """
const done = arguments[0];
fetch(Copy.folder + "pyodide/pyodide.asm.wasm").then((answer) => done(answer.status), () => done(0));
"""


@pytest.mark.parametrize("age", ["max-age=600", ""])
def test_a_new_version_reaches_old_users_and_an_open_page_keeps_its_files(
    chromium: WebDriver, files: Path, tmp_path: Path, age: str
) -> None:
    folder = tmp_path / "host"
    publish(files, folder)
    for path in folder.rglob("*"):
        os.utime(path, (time.time() - 864000,) * 2)  # a browser takes such files for fresh for a day
    site = Site(folder, FaultyHost)
    visitor = Visitor(chromium, site)
    try:
        visitor.case(Case(age=age))
        visitor.make("botzone")
        visitor.wait(lambda: visitor.do(WHOLE))
        shutil.rmtree(folder)
        publish(newer(files, tmp_path), folder)
        visitor.go("")
        assert visitor.written("make").split()[0] == "Rules"
        visitor.wait(lambda: "newer version" in chromium.find_element("tag name", "body").text)
        assert chromium.execute_async_script(HAS) == 200
        version = str(visitor.do("return Copy.cache"))
        leave = stay(chromium, f"{site.origin}/nothing", version)
        chromium.refresh()
        assert visitor.written("make").split()[:3] == ["The", "new", "rules"]
        visitor.wait(lambda: chromium.execute_async_script(IS_AWAITED, version))
        assert chromium.execute_async_script(CACHES) == 2
        leave()
        visitor.wait(lambda: chromium.execute_async_script(CACHES) == 1)
        visitor.make("botzone")
        site.close()
        visitor.go("table.html")
        visitor.wait(lambda: visitor.my_turn)
    finally:
        FaultyHost.silence.set()
        site.close()


def stay(browser: WebDriver, address: str, version: str) -> Callable[[], None]:
    """Keeps a version in use, as a page does that the browser is late to close, until what it returns is called."""
    page = browser.current_window_handle
    browser.switch_to.new_window("tab")
    tab = browser.current_window_handle
    browser.get(address)
    browser.execute_script(STAYS, version)
    browser.switch_to.window(page)

    def leave() -> None:
        browser.switch_to.window(tab)
        browser.execute_script("leave();")
        browser.switch_to.window(page)

    return leave


def newer(files: Path, place: Path) -> Path:
    """Makes the files of another version, with other names of networks, too."""
    made = shutil.copytree(files, place / "newer")
    script = made / "words.js"
    script.write_text(script.read_text("utf-8").replace('"rules": ["Rules"', '"rules": ["The new rules"'), "utf-8")
    return made


UPDATED = """
const [done] = arguments;
navigator.serviceWorker.ready.then((one) => one.update()).then(() => done(), () => done());
"""
UPDATING = """
const [done] = arguments;
navigator.serviceWorker.ready.then((one) => done(Boolean(one.installing ?? one.waiting)));
"""


def test_a_version_that_is_not_whole_replaces_none(visitor: Visitor, chromium: WebDriver, folder: Path) -> None:
    """A host in the middle of a change has the new service worker and an old page."""
    visitor.case(Case())
    visitor.make("botzone")
    visitor.wait(lambda: visitor.do(WHOLE))
    page, service = folder / "look.html", folder / "service.js"
    texts = [path.read_text("utf-8") for path in (page, service)]
    page.write_text(texts[0].replace('"v-', '"v-0'), "utf-8")
    service.write_text(texts[1] + "\n", "utf-8")
    try:
        visitor.go("")
        chromium.execute_async_script(UPDATED)
        visitor.wait(lambda: not chromium.execute_async_script(UPDATING))
        assert visitor.do("return document.querySelector('[data-word=new_version]') === null")
        visitor.go("look.html")
        visitor.wait(lambda: visitor.do("return document.getElementById('loading').hidden"))
        assert visitor.do(SHOWN) == ""
    finally:
        page.write_text(texts[0], "utf-8")
        service.write_text(texts[1], "utf-8")


def kept(visitor: Visitor) -> str:
    """Gets the name of the game that a later visit would find."""
    return str(visitor.do("return KeptGame.read(Kept.get('table'))?.name ?? ''"))


DAMAGED = ("{", "null", '{"name":"../../etc/x","text":"x"}', '{"name":"aaaaaaaaaaaa","text":"{}"}')


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_kept_game_stops_nothing_else(visitor: Visitor, damage: str) -> None:
    visitor.case(Case())
    visitor.go("")
    visitor.browser.execute_script("localStorage.setItem(Kept.key('table'), arguments[0])", damage)
    visitor.go("table.html")
    assert "make a new table" in visitor.told("This game is damaged")
    visitor.go("")
    assert visitor.do("return document.getElementById('go-on').hidden") == (damage != DAMAGED[-1])
    visitor.find("file").send_keys(str(ROOT / "README.md"))
    visitor.told("no game at all")


def test_two_tabs_keep_their_games_and_say_so(visitor: Visitor) -> None:
    browser = visitor.browser
    visitor.case(Case())
    visitor.make("botzone")
    first, older = kept(visitor), browser.current_window_handle
    visitor.move()
    browser.switch_to.new_window("tab")
    newer = browser.current_window_handle
    try:
        visitor.make("mini")
        second = kept(visitor)
        browser.switch_to.window(older)
        visitor.wait(lambda: "Another tab has begun" in visitor.written("kept"))
        visitor.move()
        moves = visitor.moves
        assert first != second == kept(visitor)
        browser.refresh()
        visitor.wait(lambda: visitor.my_turn)
        assert visitor.moves == moves and "botzone" in visitor.written("subtitle")
        visitor.wait(lambda: "Another tab has begun" in visitor.written("kept"))
        visitor.browser.get(visitor.address)
        visitor.click("#go-on")
        visitor.wait(lambda: visitor.my_turn)
        assert "mini" in visitor.written("subtitle") and visitor.written("kept") == ""
        browser.switch_to.window(newer)
        visitor.wait(lambda: "Another tab has begun" in visitor.written("kept"))
    finally:
        browser.switch_to.window(newer)
        browser.close()
        browser.switch_to.window(older)


FILL = """
let size = 1 << 22;
for (let number = 0; size > 16; number++) {
  try { localStorage.setItem("filled" + number, "x".repeat(size)); } catch { size >>= 1; }
}
"""


def test_a_full_storage_is_said_and_the_game_stays_until_the_tab_is_closed(visitor: Visitor) -> None:
    visitor.case(Case())
    visitor.make("botzone")
    visitor.do(FILL)
    try:
        visitor.move()
        visitor.wait(lambda: "no room for this game" in visitor.written("kept"))
        moves = visitor.moves
        visitor.browser.refresh()
        visitor.wait(lambda: visitor.my_turn)
        assert visitor.moves == moves and "no room for this game" in visitor.written("kept")
        visitor.do(
            "for (const name of Object.keys(localStorage)) if (/^filled/.test(name)) localStorage.removeItem(name)"
        )
        visitor.move()
        visitor.wait(lambda: visitor.written("kept") == "")
    finally:
        visitor.do("localStorage.clear(); sessionStorage.clear()")


def test_two_copies_on_one_host_share_neither_games_nor_files(visitor: Visitor) -> None:
    visitor.case(Case())
    visitor.make("botzone")
    visitor.wait(lambda: visitor.do(WHOLE))
    one, address = kept(visitor), visitor.address
    visitor.case(Case())
    visitor.go("")
    assert kept(visitor) == ""
    visitor.make("botzone")
    visitor.wait(lambda: visitor.do(WHOLE))
    assert kept(visitor) != one
    FaultyHost.cases[address.split("/")[-2]].fault = "missing"
    visitor.address = address
    visitor.go("table.html")
    visitor.wait(lambda: visitor.my_turn)
    assert kept(visitor) == one
