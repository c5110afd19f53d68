"""The site, built once as `make site` does: whole, without raw markup, in two languages, searchable offline."""

import html
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

import ddzbot.api
from tests.browser import open_browser, resize
from tests.support import ROOT, made_once, require
from tools.release.site.pages import CHINESE, page_of

pytestmark = pytest.mark.whole

PACKAGES = ("sphinx", "furo", "myst_parser")
SOURCES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.rst")]
IN_CHINESE = [path for path in SOURCES if CHINESE in path.name]

RAW = re.compile(
    r":(?:func|class|meth|mod|data|attr|exc|raises|param|returns?|type)\b[^<\n]{0,40}(?:`|:)|Alias for field"
)
"""What a docstring would show if its markup were not read."""


def page_named(source: Path) -> str:
    return page_of(source.relative_to(ROOT).with_suffix("").as_posix()) + ".html"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require(all(map(find_spec, PACKAGES)), "Sphinx with Furo and MyST (extra site)")
    return made_once(tmp_path_factory, "site", make)


def make(folder: Path) -> None:
    """Makes the site as the Makefile does."""
    (words,) = re.findall(r"-m sphinx (.*) -d ", (ROOT / "Makefile").read_text("utf-8"))
    folders = ["-d", f"{folder}-cache", "-c", "docs/site", ".", str(folder)]
    command = [sys.executable, "-m", "sphinx", *words.split(), *folders]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "-W" in words, done.stdout + done.stderr


def test_every_page_is_in_it(site: Path) -> None:
    assert len(SOURCES) > 50
    assert [name for name in map(page_named, SOURCES) if not (site / name).is_file()] == []


def test_no_markup_is_left_raw(site: Path) -> None:
    pages = sorted((site / "reference" / "modules").glob("*.html"))
    assert len(pages) == 10
    texts = {page.name: re.sub(r"<[^>]+>", "", page.read_text("utf-8")) for page in pages}
    assert {name: found.group() for name, text in texts.items() if (found := RAW.search(html.unescape(text)))} == {}
    assert "Raises" in texts["api.html"] and "ViewError" in texts["api.html"]


@pytest.mark.parametrize(
    "text", [":func:`hands`", ":raises ViewError: if", "Alias for field number 0", ":class:`~a.B`"]
)
def test_raw_markup_is_found(text: str) -> None:
    assert RAW.search(text)


def test_every_name_of_the_interface_is_explained(site: Path) -> None:
    page = (site / "reference" / "modules" / "api.html").read_text("utf-8")
    named = set(re.findall(r"(?:id|href)=\"[^\"#]*#?ddzbot\.[\w.]*?(\w+)\"", page))
    assert set(ddzbot.api.__all__) - named == set()


@pytest.mark.parametrize("source", IN_CHINESE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_in_chinese_and_the_english_one_lead_to_each_other(site: Path, source: Path) -> None:
    chinese, english = (site / page_named(source)), (site / page_named(source).replace(CHINESE, ""))
    for page, other, language in ((chinese, english, "zh-CN"), (english, chinese, "en")):
        text = page.read_text("utf-8")
        assert f'lang="{language}"' in text.partition("<head>")[0]
        assert f'href="{other.name}"' in text.partition("<article")[2]


def test_a_name_that_a_docstring_uses_leads_to_where_it_is_explained(site: Path) -> None:
    # ddzbot.game imports Move and its modules only for their names.
    assert 'href="rules.html#ddzbot.moves.Move"' in (site / "reference/modules/game.html").read_text("utf-8")


def test_the_index_of_the_search_names_pages_that_are_there(site: Path) -> None:
    index = json.loads((site / "searchindex.js").read_text("utf-8").removeprefix("Search.setIndex(").rstrip(")"))
    assert [name for name in index["docnames"] if not (site / f"{name}.html").is_file()] == []
    assert {"底牌", "叫分", "kicker"} <= index["terms"].keys()


@pytest.fixture(scope="module")
def chromium(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = open_browser(tmp_path_factory.mktemp("chromium"), "performance")
    browser.get("about:blank")
    browser.get_log("performance")
    yield browser
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = {found["params"]["request"]["url"] for found in messages if found["method"] == "Network.requestWillBeSent"}
    browser.quit()
    assert urls and {url.partition(":")[0] for url in urls} <= {"file", "data", "about"}


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("地主下家", "design/glossary.html"),
        ("上传文件", "guide/submit.zh.html"),
        ("kickers", "reference/rules.html"),
        ("legal_moves", "rules.html"),
    ],
)
def test_a_search_finds_english_and_chinese(site: Path, chromium: WebDriver, words: str, page: str) -> None:
    chromium.get(f"{(site / 'search.html').as_uri()}?q={words}")
    links = WebDriverWait(chromium, 20).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, ".search li a"))
    WebDriverWait(chromium, 20).until(
        lambda browser: "found" in browser.find_element(By.CLASS_NAME, "search-summary").text
    )
    links = chromium.find_elements(By.CSS_SELECTOR, ".search li a")
    assert [link for link in links if page in (link.get_attribute("href") or "")]


def open_dark(browser: WebDriver, address: str) -> None:
    """Opens a page in the dark colours, as a reader may choose them."""
    browser.get(address)
    browser.execute_script("localStorage.setItem('theme', 'dark')")
    browser.get(address)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_is_no_wider_than_its_window(site: Path, chromium: WebDriver, width: int) -> None:
    resize(chromium, (width, 800))
    for name in ("index", "index.zh", "guide/submit.zh", "lab/results", "reference/modules/rules"):
        open_dark(chromium, (site / f"{name}.html").as_uri())
        wide = chromium.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], name
