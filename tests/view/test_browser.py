"""The page in a headless Chromium: what it shows, what it hides, and that it asks the network for nothing."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

from ddzbot.cards import hand_text, parse_hand
from tests.browser import open_browser, press, resize
from tests.records.some_records import EXAMPLE
from tests.records.test_from_icga import OPENING
from tests.view.pages import THESIS, log_file, view
from tools.arena.files.results_file import Entry
from tools.arena.matches import everybody
from tools.arena.matches.runner import Progress
from tools.arena.reports.page import write_page
from tools.arena.reports.results import results_of
from tools.arena.stats.row import FaultRow, GameRow, Row
from tools.records.files import read_records, write_records
from tools.records.record import GameRecord, Note, Result
from tools.records.text_reader import parse_record
from tools.shared.language import seat_word
from tools.shared.message import Message
from tools.shared.paths import call_of

pytestmark = pytest.mark.whole

DESKTOP = (1280, 860)
NARROWEST_PHONE = (360, 740)

SIDES = ("own", "right", "left")

Opener = Callable[..., WebDriver]


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = open_browser(tmp_path_factory.mktemp("chromium"), "browser", "performance")
    # The tab that the browser opens first sends requests of its own.
    browser.get("about:blank")
    yield browser
    browser.quit()


@pytest.fixture
def opened(chromium: WebDriver) -> Iterator[Opener]:
    """Opens a page at a size; in the end it must have said nothing on the console and sent no request."""

    def opener(page: Path, size: tuple[int, int] = DESKTOP, place: str = "") -> WebDriver:
        resize(chromium, size)
        chromium.get("about:blank")
        chromium.get(page.as_uri() + place)
        return chromium

    for kind in ("browser", "performance"):
        chromium.get_log(kind)
    yield opener
    assert chromium.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in chromium.get_log("performance")]
    urls = {found["params"]["request"]["url"] for found in messages if found["method"] == "Network.requestWillBeSent"}
    assert urls
    assert {url.partition(":")[0] for url in urls} <= {"file", "data", "about"}
    chromium.execute_script("localStorage.clear()")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return log_file(tmp_path_factory.mktemp("log"), "ftl2_game1_randombids")


@pytest.fixture(scope="module")
def record(log: Path) -> GameRecord:
    return read_records(log)[0]


@pytest.fixture(scope="module")
def page(log: Path) -> Path:
    """A whole game of the platform, with suits."""
    assert view(log).exit_code == 0
    return log.with_suffix(".html")


def made(folder: Path, *records: GameRecord) -> Path:
    write_records(folder / "games.jsonl", records)
    numbers = [word for number in range(len(records)) for word in ("--number", number + 1)]
    assert view(folder / "games.jsonl", *numbers).exit_code == 0
    return folder / "games.html"


def with_thoughts() -> GameRecord:
    """The example, in which every move has a thought that names its own cards."""
    whole = parse_record(EXAMPLE)
    moves = []
    for number, move in enumerate(whole.moves):
        told = {"player": "mctshs", "playouts": 100, "moves": {hand_text(move.cards) or "pass": [90, number / 50]}}
        moves.append(move._replace(note=Note(0.1, None, told, f"remark {number}")))
    return replace(whole, moves=tuple(moves))


def shown(browser: WebDriver, selector: str) -> list[str]:
    """Lists the cards that lie open within an element of the page."""
    script = "return [...document.querySelectorAll(arguments[0] + ' [data-card]')].map((card) => card.dataset.card)"
    return list(browser.execute_script(script, selector))


def texts(browser: WebDriver) -> str:
    """Gets everything that can be read or heard in the page."""
    script = """
        const named = [...document.querySelectorAll("[aria-label], [title]")];
        const labels = named.map((one) => one.getAttribute("aria-label") + " " + one.title);
        return [document.body.innerText, ...labels].join(" | ");
    """
    return str(browser.execute_script(script))


def ranks(cards: list[str]) -> int:
    return parse_hand("".join(card[0] for card in cards))


def at_each_step(browser: WebDriver, steps: int, expression: str) -> list[Any]:
    """Presses the right arrow so often, and gets what an expression of JavaScript is before and after each."""
    script = """
        const found = [eval(arguments[1])];
        for (let step = 0; step < arguments[0]; step++) {
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          found.push(eval(arguments[1]));
        }
        return found;
    """
    return list(browser.execute_script(script.replace("eval(arguments[1])", expression), steps))


def counter(browser: WebDriver) -> str:
    return browser.find_element(By.ID, "counter").text


def test_the_arrow_keys_step_to_the_hands_of_the_record(opened: Opener, page: Path, record: GameRecord) -> None:
    browser, ply = opened(page), 7
    press(browser, *[Keys.ARROW_RIGHT] * (ply + 1), Keys.ARROW_LEFT)
    game = record.game(ply)
    assert counter(browser) == f"{ply} / {len(record.moves)}"
    assert tuple(ranks(shown(browser, f".place--{side}")) for side in SIDES) == game.hands
    assert shown(browser, ".bottom") and ranks(shown(browser, ".bottom")) == game.bottom
    mover = SIDES[(ply - 1) % 3]
    assert ranks(shown(browser, f".played--{mover}")) == record.moves[ply - 1].cards


def test_home_end_and_up_and_down(opened: Opener, page: Path, record: GameRecord) -> None:
    browser = opened(page)
    total = len(record.moves)
    for key, ply in [(Keys.END, total), (Keys.ARROW_UP, total - 3), (Keys.HOME, 0), (Keys.ARROW_DOWN, 3)]:
        press(browser, key)
        assert counter(browser) == f"{ply} / {total}"


def test_the_end_tells_the_result_and_the_scores(opened: Opener, tmp_path: Path) -> None:
    browser = opened(made(tmp_path, parse_record(EXAMPLE)))
    press(browser, Keys.END)
    assert browser.find_element(By.ID, "said").text == "cat: Solo 5 — The landlord wins"
    scores = {side: browser.find_element(By.CSS_SELECTOR, f".place--{side} .chip--score").text for side in SIDES}
    assert scores == {"own": "+6", "right": "\u22123", "left": "\u22123"}


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_in_the_view_of_a_seat_no_hidden_card_is_in_the_page(
    opened: Opener, page: Path, record: GameRecord, seat: int
) -> None:
    browser = opened(page)
    press(browser, Keys.END, "0")
    everything = [card for side in SIDES for card in shown(browser, f".place--{side}")]
    press(browser, Keys.HOME, str(seat + 1))
    for ply in range(0, len(record.moves), 5):
        game = record.game(ply)
        assert ranks(shown(browser, ".place--own")) == game.hands[seat]
        assert shown(browser, ".place--left") == shown(browser, ".place--right") == []
        played = [card for side in SIDES for card in shown(browser, f".played--{side}")]
        public = [*shown(browser, ".place--own"), *shown(browser, ".bottom"), *played]
        assert Counter(shown(browser, "body")) == Counter(public)
        said = texts(browser)
        for card in set(everything) - set(public):
            assert spoken(card) not in said
        press(browser, *[Keys.ARROW_RIGHT] * 5)


def spoken(card: str) -> str:
    suits = {"h": "hearts", "d": "diamonds", "s": "spades", "c": "clubs"}
    if card in "LB":
        return {"L": "little joker", "B": "big joker"}[card]
    return f"{card[0].replace('T', '10')} of {suits[card[1]]}"


def test_the_thoughts_of_other_seats_are_hidden_from_a_seat(opened: Opener, tmp_path: Path) -> None:
    browser = opened(made(tmp_path, with_thoughts()))
    press(browser, *[Keys.ARROW_RIGHT] * 5)
    assert "wins 8.0 %" in texts(browser) and "remark 4" in texts(browser)
    dots = len(browser.find_elements(By.CSS_SELECTOR, "#chart circle"))
    press(browser, "1")
    assert "wins 8.0 %" not in texts(browser) and "remark 4" not in texts(browser)
    assert "hidden in this view" in texts(browser)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#chart circle")) == 9 < dots == 25
    press(browser, "2")
    assert "wins 8.0 %" in texts(browser)
    browser.find_element(By.ID, "language").click()
    assert "胜率 8.0%" in texts(browser)


def test_a_page_of_one_seat_opens_in_its_view_with_its_curve_alone(opened: Opener, tmp_path: Path) -> None:
    write_records(tmp_path / "games.jsonl", [with_thoughts()])
    assert view(tmp_path / "games.jsonl", "--seat", "landlord_up").exit_code == 0
    browser = opened(tmp_path / "games.html")
    assert ranks(shown(browser, ".place--own")) == parse_hand("3456678999TTJJQAB")
    assert browser.find_element(By.CSS_SELECTOR, "#views [aria-pressed=true]").text == "Up"
    assert [key.text for key in browser.find_elements(By.CSS_SELECTOR, ".key") if key.is_displayed()] == ["Up"]
    press(browser, "1")
    assert browser.find_element(By.CSS_SELECTOR, "#views [aria-pressed=true]").text == "Up"


def test_a_seat_hears_only_the_bids_before_its_own(opened: Opener, tmp_path: Path) -> None:
    browser = opened(made(tmp_path, parse_record(EXAMPLE)))
    assert bids(browser) == ["Bid 3", "No bid", "Bid 1"]
    press(browser, "2")
    assert "Bid 1" not in bids(browser) and "No bid" in bids(browser)


def bids(browser: WebDriver) -> list[str]:
    found = [browser.find_elements(By.CSS_SELECTOR, f".place--{side} .chip") for side in SIDES]
    return [chip.text for chips in found for chip in chips if "id" in chip.text]


def test_the_language_switches_and_is_kept(opened: Opener, page: Path) -> None:
    browser = opened(page)
    assert "Landlord" in texts(browser)
    browser.find_element(By.ID, "language").click()
    chinese = texts(browser)
    assert "地主" in chinese and "Landlord" not in chinese and "Moves" not in chinese
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "zh-CN"
    browser.refresh()
    assert "地主" in texts(browser)
    browser.find_element(By.TAG_NAME, "body").send_keys("l")
    assert "Landlord" in texts(browser) and "地主" not in texts(browser)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_narrowest_phone_needs_no_sideways_scrolling(opened: Opener, tmp_path: Path, language: str) -> None:
    name = "a_player_with_a_name_that_is_very_long_"
    game = replace(with_thoughts(), names=(name, name, name))
    browser = opened(made(tmp_path, game, game), NARROWEST_PHONE)
    if language == "zh":
        press(browser, "l")
    for view_key in "0123":
        press(browser, Keys.HOME, view_key)
        widths = at_each_step(browser, 25, "[document.documentElement.scrollWidth, innerWidth]")
        assert widths == [[NARROWEST_PHONE[0]] * 2] * 26
        assert counter(browser) == "25 / 25"


def test_on_a_phone_on_its_side_the_own_hand_and_the_buttons_stay_on_the_screen(opened: Opener, page: Path) -> None:
    browser = opened(page)
    expression = """(() => {
        const [hand, next] = [document.querySelector(".place--own .hand"), document.getElementById("next")];
        const [cards, button] = [hand.getBoundingClientRect(), next.getBoundingClientRect()];
        const seen = hand.contains(document.elementFromPoint(cards.left + 4, cards.bottom - 4));
        return [cards.top >= 0, cards.bottom <= innerHeight, button.bottom <= innerHeight, seen, scrollY];
    })()"""
    for size in ((844, 390), (740, 360), (568, 320)):
        resize(browser, size)
        for view_key in "03":
            press(browser, Keys.HOME, view_key)
            steps = at_each_step(browser, 12, expression)
            assert [step for step in steps if step != [True, True, True, True, 0]] == []
        assert browser.execute_script("return document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("suits", [True, False], ids=["suits", "no suits"])
def test_every_card_of_a_full_hand_shows_its_rank(opened: Opener, page: Path, tmp_path: Path, suits: bool) -> None:
    browser = opened(page if suits else made(tmp_path, parse_record(EXAMPLE)))
    script = """
        return [...document.querySelectorAll(`.place--${arguments[0]} .card`)].map((card) => {
          const rank = document.createRange();
          rank.selectNodeContents(card.querySelector("b") ?? card.querySelector(".card-joker"));
          return [card.getBoundingClientRect().left, rank.getBoundingClientRect().right];
        });
    """
    for width, _language in product((360, 390, 721, 901, 1241), ("en", "zh")):
        resize(browser, (width, 740))
        for side, count in zip(SIDES, (20, 17, 17), strict=True):
            edges = browser.execute_script(script, side)
            assert len(edges) == count
            assert max(right - left for (_, right), (left, _) in pairwise(edges)) <= 2.5
        press(browser, "l")


def test_the_address_says_where_one_is_and_opens_there(opened: Opener, page: Path, record: GameRecord) -> None:
    browser = opened(page, place="#ply=5&view=landlord_up")
    assert counter(browser).startswith("5 /")
    assert ranks(shown(browser, ".place--own")) == record.game(5).hands[2]
    press(browser, Keys.ARROW_RIGHT, "0")
    assert browser.current_url.endswith("#game=1&ply=6&view=open")
    browser.refresh()
    assert counter(browser).startswith("6 /")


def test_an_address_of_nonsense_opens_the_game(opened: Opener, page: Path) -> None:
    for place in ("#ply=9999&game=7&view=missing", "#ply=-3", "#%00=<script>", "#ply=1e400"):
        browser = opened(page, place=place)
        assert len(shown(browser, ".table")) >= 3
        assert "missing" not in browser.current_url


def test_clicks_on_moves_curve_and_buttons_jump(opened: Opener, tmp_path: Path) -> None:
    browser = opened(made(tmp_path, with_thoughts()))
    browser.find_element(By.CSS_SELECTOR, "#moves [data-ply='7']").click()
    assert counter(browser) == "7 / 25"
    for button, ply in [("next", 8), ("back", 7), ("last", 25), ("first", 0)]:
        browser.find_element(By.ID, button).click()
        assert counter(browser) == f"{ply} / 25"
    browser.find_element(By.CSS_SELECTOR, "#chart svg").click()
    assert 11 <= int(counter(browser).split()[0]) <= 16
    browser.execute_script(
        "const slider = document.getElementById('slider'); slider.value = 4; slider.dispatchEvent(new Event('input'))"
    )
    assert counter(browser) == "4 / 25"
    assert browser.find_element(By.CSS_SELECTOR, "#moves [aria-current]").get_attribute("data-ply") == "4"


def test_the_list_of_moves_scrolls_to_the_move_and_the_page_does_not(opened: Opener, page: Path) -> None:
    browser = opened(page)
    script = """
        const list = document.getElementById("moves").getBoundingClientRect();
        const move = document.querySelector("#moves [aria-current]").getBoundingClientRect();
        return [list.top <= move.top && move.bottom <= list.bottom, scrollY];
    """
    for key in (Keys.END, Keys.ARROW_UP, Keys.ARROW_LEFT):
        press(browser, key)
        assert browser.execute_script(script) == [True, 0]


def test_autoplay_runs_to_the_end_and_stops(opened: Opener, page: Path, record: GameRecord) -> None:
    browser = opened(page)
    browser.execute_script("ReplayPage.AUTOPLAY_MS = 5")
    press(browser, " ")
    total = len(record.moves)
    WebDriverWait(browser, 10, 0.05).until(lambda found: counter(found) == f"{total} / {total}")
    play = browser.find_element(By.ID, "play")
    assert "playing" not in str(play.get_attribute("class")) and play.get_attribute("aria-label") == "Play"
    browser.execute_script("ReplayPage.AUTOPLAY_MS = 60000")
    press(browser, " ")
    assert counter(browser) == f"0 / {total}" and play.get_attribute("aria-label") == "Pause"
    press(browser, " ")
    assert play.get_attribute("aria-label") == "Play"


def test_the_page_says_its_keys_shows_the_focus_and_how_to_get_estimates(opened: Opener, page: Path, log: Path) -> None:
    browser = opened(page)
    press(browser, "?")
    assert "one move back or on" in browser.find_element(By.ID, "help").text
    press(browser, Keys.ESCAPE)
    assert not browser.find_element(By.ID, "help").is_displayed()
    for _ in range(4):
        press(browser, Keys.TAB)
        assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert not browser.find_element(By.ID, "curve").is_displayed()
    assert call_of("view", str(log), "--limit", "2000p") in browser.find_element(By.ID, "thought").text
    press(browser, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert call_of("analyse", str(log), "--move", "2") in browser.find_element(By.ID, "thought").text


def test_several_games_have_a_menu(opened: Opener, tmp_path: Path) -> None:
    second = replace(parse_record(EXAMPLE), names=("dan", "eve", "flo"))
    browser = opened(made(tmp_path, parse_record(EXAMPLE), second), place="#game=2")
    assert browser.find_element(By.ID, "title").text == "flo against dan and eve"
    browser.find_element(By.CSS_SELECTOR, "#games option").click()
    assert browser.find_element(By.ID, "title").text == "cat against ann and bob"


def test_hostile_texts_are_shown_and_not_run(opened: Opener, tmp_path: Path) -> None:
    text = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
    whole = parse_record(EXAMPLE)
    moves = (whole.moves[0]._replace(note=Note(comment=text)), *whole.moves[1:])
    browser = opened(made(tmp_path, replace(whole, names=(text, "ann", "bob"), moves=moves, tags={"Event": text})))
    press(browser, Keys.ARROW_RIGHT)
    assert text in browser.find_element(By.ID, "said").text
    assert text in browser.find_element(By.ID, "subtitle").text
    assert browser.execute_script("return window.hacked ?? null") is None


NAMES = (
    ("win", "constructor", "__proto__"),
    ("{name}", "{down}", "$&"),
    ("kind_pass", "Landlord", "toString"),
    ("{landlord}", "$1 $$ $`", "\\1"),
)


@pytest.mark.parametrize("names", NAMES, ids=" ".join)
def test_names_stand_in_both_languages_as_they_are(opened: Opener, tmp_path: Path, names: tuple[str, str, str]) -> None:
    browser = opened(made(tmp_path, replace(parse_record(EXAMPLE), names=names, tags={"Event": names[0]})))
    seats = names[2], names[0], names[1]
    for language, title in (("en", "{} against {} and {}"), ("zh", "{} 对 {}、{}")):
        browser.execute_script("Words.speak(arguments[0])", language)
        press(browser, "l", "l", Keys.HOME, Keys.ARROW_RIGHT)
        assert browser.find_element(By.ID, "title").text == title.format(*seats)
        assert [name for name in names if name not in texts(browser)] == []
        assert browser.find_element(By.ID, "subtitle").text.startswith(f"{names[0]} · ")


def test_what_is_no_word_and_no_value_stands_as_it_is(opened: Opener, page: Path) -> None:
    browser = opened(page)
    for key in ("constructor", "__proto__", "toString", "no such word"):
        assert browser.execute_script("return [Words.has(arguments[0]), Words.text(arguments[0])]", key) == [False, key]
    said = "Words.add({ a_test: ['{constructor} {name}', ''] }); return Words.text('a_test', { name: '{constructor}' })"
    assert browser.execute_script(said) == "{constructor} {constructor}"


def unusual(folder: Path) -> dict[str, tuple[Any, ...]]:
    """Records that lack something, as arguments of the command."""
    auction = replace(parse_record(EXAMPLE), landlord_position=None, moves=(), bids=(0, 1), result=Result())
    write_records(folder / "auction.jsonl", [auction])
    (folder / "hidden.icga").write_text(OPENING, encoding="utf-8")
    return {
        "auction": (folder / "auction.jsonl",),
        "hidden hands": (folder / "hidden.icga",),
        "illegal move": (THESIS, "--number", 35),
        "contradictions": (THESIS, "--number", 40),
        "fault": (log_file(folder, "errors/ftl1_p1_type_mismatch"),),
    }


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("auction", "The auction is not over"),
        ("hidden hands", "Hidden hand of seat C"),
        ("illegal move", "Unfinished"),
        ("contradictions", "Illegal move"),
        ("fault", "fault"),
    ],
)
def test_unusual_records_are_shown(opened: Opener, tmp_path: Path, kind: str, text: str) -> None:
    out = tmp_path / "page.html"
    assert view(*unusual(tmp_path)[kind], "--out", out).exit_code == 0
    browser = opened(out)
    said = [texts(browser), *at_each_step(browser, 90, "document.getElementById('said').innerText"), texts(browser)]
    assert text in " | ".join(said)
    assert shown(browser, "body")


def test_the_page_of_a_match_says_faults_and_checks_in_both_languages(opened: Opener, tmp_path: Path) -> None:
    player = Message("player {number} ({seat})", number=1, seat=seat_word(1))
    what = Message("{how}: {words}", how=Message("ended with exit code {code}", code=1), words="no idea")
    sentence = Message("{player} {what} ({verdict})", player=player, what=what, verdict="RE")
    games = (GameRow("ABB", 0, True, (2, -1, -1)), GameRow("BAA", 0, True, (2, -1, -1)))
    row = Row(0, games, faults=(FaultRow(1, "A", "RE", sentence),))
    results = results_of(Progress(everybody.Field.of("mini", ("rule", "random"), 1, 1), [[row]]))
    entries = (
        Entry(
            "rule", "", check=(Message("{step}: {sentence}", step="lead", sentence=Message("there is no response")),)
        ),
        Entry("late", "", Message("it changed while it was read")),
    )
    write_page(tmp_path / "p.html", results, None, entries, None, [])
    browser = opened(tmp_path / "p.html")
    text = texts(browser)
    assert sentence in text and "lead: there is no response" in text and "it changed while it was read" in text
    browser.find_element(By.ID, "match-language").click()
    text = texts(browser)
    assert "玩家 1（地主下家）以退出码 1 结束：no idea（RE）" in text and "没有应答" in text
    assert "it changed while it was read" not in text
