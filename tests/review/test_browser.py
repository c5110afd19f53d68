"""The page of a reviewed game in a headless Chromium: marks, moments, curve, sums, keys, languages, sizes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from tests.browser import open_browser, press, resize
from tests.review.some_reviews import MISTAKES, written

pytestmark = pytest.mark.whole

DESKTOP, PHONE, PHONE_ON_ITS_SIDE = (1280, 860), (360, 740), (844, 390)

Opener = Callable[..., WebDriver]


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = open_browser(tmp_path_factory.mktemp("chromium"), "browser")
    yield browser
    browser.quit()


@pytest.fixture
def opened(chromium: WebDriver, tmp_path: Path) -> Iterator[Opener]:
    def opener(size: tuple[int, int] = DESKTOP, place: str = "", games: int = 1) -> WebDriver:
        resize(chromium, size)
        chromium.get("about:blank")
        chromium.get(written(tmp_path, games).as_uri() + place)
        return chromium

    yield opener
    assert chromium.get_log("browser") == []
    chromium.execute_script("localStorage.clear()")


def found(browser: WebDriver, selector: str) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, selector)


def counter(browser: WebDriver) -> int:
    return int(browser.find_element(By.ID, "counter").text.split()[0])


def test_the_list_of_moves_has_the_mistakes_and_proved_ones_look_otherwise(opened: Opener) -> None:
    browser = opened()
    marks = {
        int(str(mark.find_element(By.XPATH, "..").get_attribute("data-ply"))) - 1: mark
        for mark in found(browser, "#moves .mark")
    }
    assert {ply: (mark.text, mark.accessible_name) for ply, mark in marks.items()} == {
        4: ("?", "mistake"),
        11: ("?!", "inaccuracy"),
        15: ("??", "blunder, proved"),
        20: ("??", "blunder"),
    }
    grounds = {ply: mark.value_of_css_property("background-color") for ply, mark in marks.items()}
    assert grounds[15] not in {grounds[ply] for ply in (4, 11, 20)}


def test_a_row_of_the_list_has_the_number_that_moments_call_its_first_move(opened: Opener) -> None:
    rows = found(opened(), "#moves tr:has(td)")
    numbers = [row.find_element(By.CSS_SELECTOR, "td.number").text for row in rows]
    firsts = [row.find_element(By.CSS_SELECTOR, "[data-ply]").get_attribute("data-ply") for row in rows]
    assert numbers == firsts and numbers[:3] == ["1", "4", "7"]


def test_a_moment_goes_to_its_move_and_says_what_was_better_and_why(opened: Opener) -> None:
    browser = opened()
    moments = found(browser, ".moment")
    headings = [moment.find_element(By.TAG_NAME, "b").text.split(",")[0] for moment in moments]
    assert headings == ["Move 16", "Move 21", "Move 5"]
    assert "wins for certain" in moments[0].text and "Another rank was better." in moments[0].text
    assert "by the search: 40.0 % ± 2.0 % lost" in moments[1].text and "A bomb was given away." in moments[1].text
    moments[1].click()
    assert counter(browser) == 21
    thought = browser.find_element(By.ID, "thought").text
    assert "Blunder. Pass was better" in thought


def test_the_keyboard_reaches_the_moments_and_the_mistakes(opened: Opener) -> None:
    browser = opened()
    seen = []
    for _ in range(len(MISTAKES) + 1):
        press(browser, "m")
        seen.append(counter(browser) - 1)
    assert seen == [*sorted(MISTAKES), min(MISTAKES)]
    browser.execute_script("document.querySelector('.moment').focus()")
    press(browser, Keys.ENTER)
    assert counter(browser) == 16
    assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_the_curve_marks_the_mistakes_and_a_click_goes_there(opened: Opener) -> None:
    browser = opened()
    titles = [title.get_attribute("textContent") for title in found(browser, "#chart path title")]
    marks = sorted(str(title).rpartition(": ")[2] for title in titles)
    assert marks == ["blunder", "blunder, proved", "inaccuracy", "mistake"]
    browser.execute_script("""
        const mark = document.querySelector("#chart .chart-mark--proved").getBoundingClientRect();
        const at = { bubbles: true, clientX: mark.left + mark.width / 2, clientY: mark.top };
        document.querySelector("#chart svg").dispatchEvent(new MouseEvent("click", at));
    """)
    assert counter(browser) == 16


def test_the_page_states_the_thresholds_and_adds_up_by_player(opened: Opener) -> None:
    text = opened().find_element(By.ID, "review").text
    assert "?! inaccuracy: a loss of 5 % or more; ? mistake: 10 %; ?? blunder: 20 %, or proved." in text
    assert "within 2 standard errors" in text and "700 playouts a decision" in text
    assert text.splitlines()[0] == "By player"
    (row,) = found(opened(games=2), "#review tr + tr")
    cells = [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
    assert cells == ["rule", "42", "4.2 % ± 1.6 %", "2", "2", "4", "2"]


def test_a_seat_sees_only_its_own_mistakes(opened: Opener) -> None:
    browser = opened(place="#ply=16")
    press(browser, "2")
    assert len(found(browser, "#moves .mark")) == len(found(browser, ".moment")) == 1
    assert "??" not in browser.find_element(By.TAG_NAME, "main").text.replace("?? blunder", "").replace("?? Proved", "")
    press(browser, "0")
    assert len(found(browser, "#moves .mark")) == 4


def test_one_learns_from_the_mistakes_and_the_review_judges(opened: Opener) -> None:
    browser = opened()

    def lesson() -> list[str]:
        return browser.find_element(By.ID, "lesson").text.splitlines()[:2]

    assert [act.text for act in found(browser, "#moments .act")] == ["Learn from the mistakes (4)", "Puzzles (1)"]
    found(browser, "#learn-mistakes")[0].click()
    assert lesson()[0] == "1 of 4, Peasant down to move. 2\u20092 was a mistake here: find a better move."
    assert len(found(browser, "#moves button")) == 4 and not found(browser, ".mark, .moment")[0].is_displayed()
    assert len(found(browser, ".hand--choosable")) == 1 and not browser.find_element(By.ID, "thought").is_displayed()
    press(browser, "2", "2", Keys.ENTER)
    assert lesson()[1] == "2\u20092: mistake, 12.0 % ± 2.0 % lost. Try again."
    press(browser, "3", Keys.ENTER)
    assert lesson()[1] == "3 cannot be played here."
    press(browser, "p")
    assert lesson()[1] == "Right: Pass is the best."
    assert "Mistake. Pass was better" in browser.find_element(By.ID, "thought").text
    press(browser, Keys.ENTER)
    browser.find_element(By.ID, "language").click()
    assert lesson()[0].startswith("第 2 题，共 4 题，轮到地主")
    for name in ("lesson-pass", "lesson-next", "lesson-tell", "lesson-next", "lesson-pass", "lesson-next"):
        browser.find_element(By.ID, name).click()
    assert lesson()[0] == "全部完成：4 题中首次答对 2 题。"
    press(browser, Keys.ESCAPE)
    browser.find_element(By.ID, "learn-puzzles").click()
    assert lesson()[0] == "第 1 题，共 1 题，轮到地主。 请找出明显最好的一手。"
    assert counter_of(browser) == 15
    resize(browser, PHONE)
    assert browser.execute_script("return document.documentElement.scrollWidth") == PHONE[0]


def counter_of(browser: WebDriver) -> int:
    return int(browser.execute_script("return document.getElementById('counter').textContent.split(' ')[0]"))


def test_everything_is_there_in_chinese(opened: Opener) -> None:
    browser = opened(place="#ply=16")
    press(browser, "l")
    text = browser.find_element(By.TAG_NAME, "main").text
    assert "决定胜负的几手" in text and "必胜" in text and "换个点数更好" in text
    for word in ("better", "blunder", "lost", "proved", "player"):
        assert word not in text.lower().replace("rule", "")
    assert "。" in text and "。 " not in text


@pytest.mark.parametrize("size", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on its side"])
def test_on_a_phone_nothing_is_wider_than_the_screen(opened: Opener, size: tuple[int, int]) -> None:
    browser = opened(size, "#ply=16")
    assert browser.execute_script("return document.documentElement.scrollWidth") == size[0]
    for moment in found(browser, ".moment"):
        assert moment.size["height"] >= 44


def test_a_moment_far_below_brings_the_table_back_into_sight(opened: Opener) -> None:
    browser = opened(PHONE)
    browser.execute_script("document.querySelector('.moment').scrollIntoView()")
    found(browser, ".moment")[0].click()
    assert browser.execute_script("return document.getElementById('table').getBoundingClientRect().bottom > 200")
