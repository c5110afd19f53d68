"""The live table in a headless Chromium, served by the real command: a whole game by clicks, keys, reloads, phones."""

import json
import random
import re
import signal
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from ddzbot.cards import Hand, hand_text, parse_hand
from ddzbot.rules import PASS, Move, legal_moves, read_move, rule_set
from tests.browser import open_browser, resize
from tests.serve.proxy import behind_a_path
from tests.support import ROOT
from tools.records.text_reader import parse_record
from tools.shared.language import page_words
from tools.tables.serve.sentences import RefusedError
from tools.tables.table.levels import LEVELS, NAMES, Level

pytestmark = pytest.mark.whole

DESKTOP = (1280, 860)
WINDOW = (1200, 707)
"""A window on a small laptop."""
PHONE = (360, 740)
PHONE_ON_ITS_SIDE = (844, 390)
SECONDS = 20
LIMITS = "--seed 4 --open-seed --limit 20p --hint-limit 300p --review-limit 20p --pace 0"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = open_browser(tmp_path_factory.mktemp("chromium"), "browser")
    yield browser
    browser.quit()


def served(*options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-u", "-m", "tools", "serve", "--port", "0", "--bot", "rule"]
    return subprocess.Popen(
        [*command, *LIMITS.split(), *options], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def address_of(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found
    return found[0]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address behind a proxy with a path of its own; the servers that tests below start have none."""
    with served() as server:
        with behind_a_path(address_of(server)) as (address, strays):
            yield address
        assert strays == []
        server.send_signal(signal.SIGINT)
        assert server.wait(250) == 0


@pytest.fixture
def page(chromium: WebDriver, address: str) -> Iterator["Page"]:
    page = Page(chromium, address)
    page.resize(DESKTOP)
    chromium.get(address)
    chromium.execute_script("localStorage.clear()")
    chromium.get_log("browser")
    yield page
    assert chromium.get_log("browser") == []


class Page:
    """The page as a person uses it: what can be seen, clicked and typed."""

    def __init__(self, browser: WebDriver, address: str) -> None:
        self.browser, self.address = browser, address

    def resize(self, size: tuple[int, int]) -> None:
        resize(self.browser, size)

    def make(self, rules: str, persons: int = 1, bot: str = "rule") -> None:
        """Makes a table on the start page and waits until it is shown."""
        self.browser.get(self.address)
        Select(self.find("rules")).select_by_value(rules)
        for place, choice in enumerate(self.browser.find_elements(By.CSS_SELECTOR, ".player")):
            Select(choice).select_by_value("person" if place < persons else bot)
        self.browser.find_element(By.CSS_SELECTOR, "#make button").click()
        self.wait(lambda: self.all("#table .place"))

    def wait(self, condition: Callable[[], object]) -> None:
        WebDriverWait(self.browser, SECONDS, poll_frequency=0.02).until(lambda _: condition())

    def find(self, name: str) -> WebElement:
        return self.browser.find_element(By.ID, name)

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, name: str) -> str:
        return self.find(name).text

    def written(self, name: str) -> str:
        """Gets the text of an element that may be drawn anew at any time; empty without it."""
        return str(self.browser.execute_script("return document.getElementById(arguments[0])?.textContent ?? ''", name))

    def act(self, name: str) -> None:
        self.find(name).click()

    def click(self, selector: str) -> None:
        """Clicks the first of what may be drawn anew at any time."""
        self.browser.execute_script("document.querySelector(arguments[0]).click()", selector)

    def type(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def codes(self, selector: str) -> list[str]:
        """Gets the cards that elements show."""
        script = "return [...document.querySelectorAll(arguments[0])].map((card) => card.dataset.card)"
        return list(self.browser.execute_script(script, selector))

    def hand(self) -> Hand:
        return parse_hand("".join(self.codes(".place--own .card")))

    def raised(self) -> str:
        return hand_text(parse_hand("".join(self.codes('.place--own .card[aria-pressed="true"]'))))

    def played(self, side: str) -> Hand | None:
        """What lies before a place: cards, 0 for a pass, None for nothing; cards of an old trick do not count."""
        played = parse_hand("".join(self.codes(f".played--{side}:not(.played--faded) .card")))
        return played or (0 if self.all(f".played--{side}:not(.played--faded) .pass") else None)

    def to_beat(self, rules: str) -> Move | None:
        """
        Reads the table as a person does: the player before played it, or passed and the one before that played
        it.
        """
        for side in ("left", "right"):
            played = self.played(side)
            if played is None:
                return None
            if played:
                return read_move(rule_set(rules), played)
        return None

    def raise_cards(self, cards: Hand) -> None:
        """Clicks the cards; those that are up already must not be among them."""
        wanted = Counter(hand_text(cards))
        for card in self.all(".place--own button.card"):
            code = str(card.get_attribute("data-card"))
            if wanted[code]:
                wanted[code] -= 1
                # In the middle of an overlapped card lies the next one.
                ActionChains(self.browser).move_to_element_with_offset(
                    card, -card.size["width"] // 2 + 6, 0
                ).click().perform()
        assert not +wanted

    def my_turn(self) -> bool:
        return bool(self.all("#play:enabled, #bid-3:enabled"))

    def over(self) -> bool:
        return bool(self.all("#again"))

    def play_by_keys(self) -> None:
        """Plays a game under the rules mini to its end: leads the lowest card, and passes on every other turn."""
        while not self.over():
            self.wait(lambda: self.my_turn() or self.over())
            if not self.over():
                before = len(self.all("#moves td"))
                lowest = self.codes(".place--own .card")[-1]
                self.type("p") if self.to_beat("mini") else self.type(lowest, Keys.ENTER)
                self.wait(lambda before=before: len(self.all("#moves td")) > before or self.over())


@pytest.mark.parametrize("rules", ["botzone2", "mini"])
def test_a_whole_game_is_played_by_clicks(page: Page, rules: str) -> None:
    dice = random.Random(f"clicks/{rules}")
    page.make(rules)
    turns = 0
    while not page.over():
        page.wait(lambda: page.my_turn() or page.over())
        if page.over():
            break
        turns += 1
        moves_before = len(page.all("#moves td"))
        if page.all("#bid-3"):
            dice.choice(page.all("[id^=bid-]:enabled")).click()
            page.wait(lambda: not page.my_turn() or page.all("#play"))
            continue
        move = dice.choice(legal_moves(rule_set(rules), page.hand(), page.to_beat(rules)))
        if move == PASS:
            page.act("pass")
        else:
            page.raise_cards(move.cards)
            assert page.raised() == str(move)
            page.act("play")
        page.wait(lambda before=moves_before: len(page.all("#moves td")) > before or page.over())
        assert page.text("problem") == ""
    assert turns > 1
    check_end(page, rules)


def check_end(page: Page, rules: str) -> None:
    """The record of the game agrees with what the page shows at the end."""
    link = str(page.find("record").get_attribute("href"))
    with urllib.request.urlopen(link) as file:
        record = parse_record(file.read().decode("utf-8"))
    assert record.rules.name == rules and record.names[0] == "person" and not record.illegal_moves()
    seats = record.game().hands
    for side, position in (("own", 0), ("right", 1), ("left", 2)):
        shown = parse_hand("".join(page.codes(f".place--{side} .card")))
        assert shown == seats[(position - record.position_of(0)) % 3]
    scores = record.result.scores
    assert scores is not None
    own = scores[(0 - record.position_of(0)) % 3]
    won = (record.result.winner == "landlord") == (record.position_of(0) == 0)
    assert ("You win" if won else "You lose") in page.text("said")
    assert f"{abs(own):g} points" in page.text("said")
    assert ("won or lost" in page.text("said")) == (own > 0 and not won)
    page.browser.get(str(page.find("replay").get_attribute("href")))
    page.wait(lambda: page.all("#moves button"))
    assert len(page.all("#moves button")) >= len(record.moves)


@pytest.mark.parametrize("level", LEVELS, ids=NAMES)
def test_each_level_plays_a_game_and_is_named_and_rated_in_both_languages(page: Page, level: Level) -> None:
    page.browser.get(page.address)
    words, elo = page_words()[f"level_{level.name}"], f"{level.elo:+}".replace("-", "\u2212")
    for language, option in ((0, f"{words[0]} (Elo {elo})"), (1, f"{words[1]}（等级分 {elo}）")):
        assert {one.text for one in page.all(f'.player option[value="{level.name}"]')} == {option}
        page.act("language")
        assert words[language] in option
    page.make("mini", bot=level.name)
    page.wait(lambda: page.my_turn())
    heads = [page.find("table").find_element(By.CSS_SELECTOR, f".place--{side}").text for side in ("left", "right")]
    assert [head.startswith(words[0]) for head in heads] == [True, True]
    page.play_by_keys()
    with urllib.request.urlopen(str(page.find("record").get_attribute("href"))) as file:
        assert parse_record(file.read().decode("utf-8")).names == ("person", level.name, level.name)


def test_another_game_begins_with_other_cards_and_counts_the_points(page: Page) -> None:
    page.make("mini")
    page.play_by_keys()
    dealt = page.codes(".card")
    page.type("n")
    page.wait(lambda: page.text("title") == "Game 2")
    assert "your points so far" in page.text("subtitle")
    assert page.codes(".card") != dealt


def test_an_illegal_click_explains_itself_in_both_languages_and_changes_nothing(page: Page) -> None:
    page.make("standard")
    hand = page.hand()
    codes = page.codes(".place--own .card")
    lone = [code for code in codes if codes.count(code) == 1]
    assert len(lone) > 1
    page.act("play")
    assert page.text("problem") == "Raise the cards that you want to play first."
    assert not page.find("pass").is_enabled() and page.find("play").is_enabled()
    page.type("p")
    page.wait(lambda: page.text("problem").lower() == "a lead cannot be a pass")
    bad = parse_hand(lone[0] + lone[1])
    page.raise_cards(bad)
    assert page.text("problem") == ""
    page.act("play")
    page.wait(lambda: page.text("problem"))
    assert page.text("problem") == f"{hand_text(bad)}: these cards are not a move (rules standard)"
    page.act("language")
    assert page.text("problem") == f"{hand_text(bad)}：这些牌不成牌型"
    assert page.find("play").text == "出牌"
    assert page.hand() == hand and page.raised() == hand_text(bad) and page.my_turn()
    assert page.browser.execute_script("return document.documentElement.lang") == "zh-CN"
    page.act("language")
    page.act("clear")
    assert page.raised() == "" and page.text("problem") == ""


def test_keys_raise_play_and_clear(page: Page) -> None:
    page.make("standard")
    low = page.codes(".place--own .card")[-1]
    copies = page.codes(".place--own .card").count(low)
    for number in range(copies):
        page.type(low)
        assert page.raised() == low * (number + 1)
    page.type(low)
    assert page.raised() == ""
    page.type(low, Keys.ESCAPE)
    assert page.raised() == ""
    absent = next(rank for rank in "3456789TJQKA2LB" if rank not in page.codes(".place--own .card"))
    page.type(absent)
    assert page.text("problem").startswith("There is no ")
    page.type(low, Keys.ENTER)
    page.wait(lambda: page.all("#moves td"))
    page.wait(page.my_turn)
    assert page.hand() == parse_hand("".join(page.codes(".place--own .card")))
    assert page.all("#moves td:nth-child(2)")[0].text in (low, "10", "big joker", "little joker")
    dealt = [*page.codes(".place--own .card"), low]
    page.type(Keys.BACKSPACE)
    page.wait(lambda: page.text("moves") == "No move yet.")
    assert sorted(page.codes(".place--own .card")) == sorted(dealt) and not page.find("back").is_enabled()


def test_a_hint_shows_moves_and_a_click_on_one_raises_its_cards(page: Page) -> None:
    page.make("standard")
    page.act("hint-ask")
    page.wait(lambda: page.all("#hint .idea"))
    legal = {str(move) for move in legal_moves(rule_set("standard"), page.hand())}
    for idea in page.all("#hint .idea"):
        idea.click()
        assert page.raised() == idea.get_attribute("data-cards")
        assert page.raised() in legal
    assert re.fullmatch(r"\d+\.\d %", page.all("#hint .bar")[0].text)
    assert "Ranked by the chance to win. Choose a move" in page.find("hint").text
    page.act("language")
    assert "按胜率排序。点选一手" in page.find("hint").text
    page.act("language")
    page.act("play")
    page.wait(lambda: page.all("#moves td"))
    assert not page.find("hint").is_displayed()


@pytest.mark.parametrize("size", [WINDOW, PHONE_ON_ITS_SIDE], ids=["window", "phone on its side"])
def test_a_hint_is_seen_beside_the_own_hand_without_scrolling(page: Page, size: tuple[int, int]) -> None:
    page.resize(size)
    page.make("botzone2")
    page.act("bid-3")
    page.wait(lambda: page.all("#play") and page.my_turn())
    page.act("hint-ask")
    page.wait(lambda: page.all("#hint .idea"))
    # The driver may have scrolled to what it clicked.
    script = """
        scrollTo({top: 0, behavior: "instant"});
        const parts = [".place--own .hand", "#play", "#hint .idea"].map((one) => document.querySelector(one));
        const boxes = parts.map((part) => part.getBoundingClientRect());
        return [scrollY, ...boxes.map((box) => box.top >= 0 && box.bottom <= innerHeight)];
    """
    assert page.browser.execute_script(script) == [0, True, True, True]
    assert page.browser.execute_script("return document.documentElement.scrollWidth") == size[0]
    if size == WINDOW:
        assert all(idea.rect["y"] + idea.rect["height"] <= size[1] for idea in page.all("#hint .idea"))


def test_an_endgame_is_lost_by_a_slip_taken_back_and_won_by_hints(page: Page) -> None:
    page.browser.get(page.address)
    Select(page.find("puzzle")).select_by_value("16")
    page.all("#endgame button")[0].click()
    page.wait(page.my_turn)
    assert page.text("title") == "Endgame 16" and page.hand() == parse_hand("4667788QK2")
    page.act("play")
    assert page.text("problem") == "Raise the cards that you want to play first."
    page.type("6", "7", Keys.ENTER)
    page.wait(lambda: page.text("problem") == "67: these cards are not a move (rules standard)")
    assert page.raised() == "67"
    page.type(Keys.ESCAPE, "6", Keys.ENTER)
    page.wait(lambda: page.text("moves") == "You: 6\nexact: Q")
    page.act("hint-ask")
    assert page.text("hint") == "No move wins any more."
    while page.my_turn():
        before = page.text("moves")
        page.act("pass")
        page.wait(lambda before=before: page.text("moves") != before)
        page.wait(lambda: page.my_turn() or page.find("back").is_enabled())
    assert page.text("said") == "You lose. Move 1, 6, threw the win away: 4 would have won."
    page.act("language")
    assert page.text("said") == "你输了。第 1 手 6 错失胜局：出 4 必胜。"
    page.act("language")
    page.act("back")
    page.wait(page.my_turn)
    page.act("again")
    page.wait(lambda: page.text("moves") == "" and page.my_turn())
    for move in ("4", "K", "667788", "2", "Q"):
        page.act("hint-ask")
        # A chain is one of several moves that win.
        assert page.text("hint") == f"To win, play {move}." or len(move) > 1
        page.raise_cards(parse_hand(move))
        left = len(page.codes(".place--own .card"))
        page.act("play")
        page.wait(lambda left=left: len(page.codes(".place--own .card")) < left)
    assert page.text("said") == "You win."


def test_a_move_of_a_replay_leads_to_a_board_where_one_plays_for_all_and_goes_back(page: Page) -> None:
    page.make("mini", persons=0)
    page.wait(page.over)
    page.browser.get(str(page.find("replay").get_attribute("href")) + "#ply=5")
    page.wait(lambda: page.all("#thought a"))
    page.browser.get(str(page.all("#thought a")[0].get_attribute("href")))
    page.wait(lambda: page.all("#hint .idea"))
    assert page.text("title") == "Analysis board" and len(page.all("#moves button")) == 4
    assert len(page.all(".hand--choosable")) == len(page.all(".place--right .hand--choosable")) == 1
    page.click("#hint .idea")
    page.click("#play" if page.codes('[aria-pressed="true"].card') else "#pass")
    page.wait(lambda: page.all(".place--left .hand--choosable") and page.all("#hint .idea"))
    page.act("language")
    assert page.text("bots") == "机器人续打" and page.text("title") == "分析牌桌"
    page.act("language")
    page.click("#bots")
    page.wait(lambda: "win" in page.written("said"))
    page.click("#moves button")
    page.wait(lambda: len(page.all("#moves button")) == 1 and page.all("#hint .idea"))
    page.click(".place--own button.chip")
    page.wait(lambda: page.codes('.place--own .chip[aria-pressed="true"]'))
    page.resize(PHONE)
    assert page.browser.execute_script("return document.documentElement.scrollWidth") == PHONE[0]


@pytest.mark.parametrize("size", [PHONE, PHONE_ON_ITS_SIDE], ids=["phone", "phone on its side"])
def test_an_endgame_fits_a_phone(page: Page, size: tuple[int, int]) -> None:
    page.resize(size)
    page.browser.get(page.address + "endgames/22")
    page.wait(page.my_turn)
    script = """
        const parts = [...document.querySelectorAll(".place .hand, .act")].map((part) => part.getBoundingClientRect());
        const seen = parts.every((box) => box.top >= 0 && box.bottom <= innerHeight);
        return [parts.length, scrollY, document.documentElement.scrollWidth, seen];
    """
    assert page.browser.execute_script(script) == [7, 0, size[0], True]


def test_the_button_at_the_end_reviews_the_game_and_leads_to_its_page(page: Page) -> None:
    page.make("mini", persons=0)
    page.wait(page.over)
    assert page.text("review") == "Review" and not page.find("reviews").is_displayed()
    page.act("review")
    page.wait(lambda: page.written("review") == "See review")
    assert page.written("reviewed") == "The review of game 1 is ready."
    (link,) = page.all("#reviews a")
    assert link.text == "Game 1" and link.get_attribute("href") == page.find("review").get_attribute("href")
    page.act("language")
    assert page.text("review") == "查看复盘" and page.all("#reviews a")[0].text == "第 1 局"
    page.act("language")
    page.browser.refresh()
    page.wait(lambda: page.all("#reviews a"))
    assert page.text("review") == "See review"
    page.browser.get(str(page.find("review").get_attribute("href")))
    page.wait(lambda: page.all("#moments h2"))
    assert "?! inaccuracy" in page.text("review")
    assert page.all("#moves button") and page.text("moments").startswith("What decided the game")


def test_the_keyboard_asks_for_a_review_that_goes_on_beside_the_next_game(page: Page) -> None:
    page.make("mini", persons=0)
    page.wait(page.over)
    page.type("r")
    page.wait(lambda: page.written("review") != "Review")
    page.type("n")
    page.wait(lambda: page.text("title") == "Game 2")
    page.wait(lambda: page.all("#reviews a"))
    assert page.text("reviews").endswith("Game 1")
    page.wait(page.over)
    assert page.text("review") == "Review"


def test_after_a_reload_everything_is_as_before(page: Page) -> None:
    page.make("botzone2")
    page.act("bid-3")
    page.wait(lambda: page.all("#play") and page.my_turn())
    page.raise_cards(parse_hand(page.codes(".place--own .card")[-1]))
    page.act("play")
    page.wait(lambda: page.all("#moves td"))
    page.wait(page.my_turn)

    def seen() -> tuple[object, ...]:
        return page.hand(), page.text("moves"), page.text("said"), page.codes(".played .card"), page.browser.current_url

    before = seen()
    page.browser.refresh()
    page.wait(lambda: page.all("#table .place") and page.my_turn())
    assert seen() == before


def test_a_second_person_takes_the_free_seat_and_sees_no_other_cards(page: Page) -> None:
    page.make("standard", persons=2)
    first, browser = page.hand(), page.browser
    links = [str(field.get_attribute("value")) for field in page.all("#links .address")]
    assert len(links) == 2 and "#seat=" in links[0] and links[0].startswith(links[1])
    assert not page.my_turn() and page.text("said").endswith("Waiting for a player to take the free seat.")
    own_tab = browser.current_window_handle
    browser.switch_to.new_window("tab")
    page.resize(DESKTOP)
    browser.get(links[1])
    page.wait(lambda: page.all("#table .place"))
    assert "#seat=" in browser.current_url and browser.current_url != links[0]
    assert page.hand() != first
    assert page.codes(".place--left .card, .place--right .card") == [None, None]  # two hands face down
    browser.get("about:blank")  # or only the fragment would change, on which the page loads itself anew
    browser.get(links[1] + "#watch")
    page.wait(lambda: page.all("#table .place"))
    assert page.text("subtitle").endswith("you are watching") and not page.all(".act")
    assert set(page.codes(".place .card")) == {None}
    browser.get(links[0] + "x")
    page.wait(lambda: page.text("said"))
    page.wait(lambda: "link belongs to no seat" in page.text("said"))
    browser.close()
    browser.switch_to.window(own_tab)
    assert page.hand() == first


def test_a_link_seats_one_page_and_a_seat_in_two_places_says_so_in_both_languages(page: Page) -> None:
    page.make("standard", persons=2)
    (link, _), browser = [str(field.get_attribute("value")) for field in page.all("#links .address")], page.browser
    own_tab = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(link)
    page.wait(lambda: page.all("#table .place"))
    guest = browser.current_url
    assert "#seat=" in guest and guest != link and page.text("pages") == ""
    hand = page.hand()
    browser.refresh()
    page.wait(lambda: page.all("#table .place"))
    assert (browser.current_url, page.hand()) == (guest, hand)
    guest_tab = browser.current_window_handle
    browser.switch_to.window(own_tab)
    browser.switch_to.new_window("tab")
    browser.get(link)
    page.wait(lambda: "its seat has been taken" in page.text("said"))
    browser.get("about:blank")
    browser.get(guest)
    page.wait(lambda: page.text("pages") == "Your seat is open in 2 places: each of them sees your cards.")
    page.act("language")
    assert page.text("pages") == "你的座位同时在 2 处打开：每一处都能看到你的牌。"
    page.act("language")
    browser.close()
    browser.switch_to.window(guest_tab)
    page.wait(lambda: page.text("pages") == "")
    browser.close()
    browser.switch_to.window(own_tab)
    assert page.text("pages") == ""


@pytest.mark.parametrize("rules", ["botzone2", "standard"])
def test_on_a_phone_everything_fits_and_can_be_touched(page: Page, rules: str) -> None:
    page.resize(PHONE)
    page.make(rules)
    if rules == "botzone2":
        page.act("hint-ask")
        page.wait(lambda: page.all("#hint td"))
        page.act("bid-3")
        page.wait(lambda: page.all("#play") and page.my_turn())
    page.type("p")
    page.wait(lambda: page.text("problem"))
    page.act("hint-ask")
    page.wait(lambda: page.all("#hint .idea"))
    box = "const box = document.querySelector('#hint .idea').getBoundingClientRect();"
    page.wait(lambda: page.browser.execute_script(f"{box} return box.top >= 0 && box.bottom <= innerHeight"))
    width = page.browser.execute_script("return document.documentElement.scrollWidth")
    assert width <= PHONE[0]
    for button in page.all(".act"):
        assert button.size["height"] >= 44 and button.size["width"] >= 44
        assert button.rect["y"] >= 0
    lefts = sorted({card.rect["x"] for card in page.all(".place--own .card")})
    assert min(right - left for left, right in pairwise(lefts)) >= 12
    rights = [card.rect["x"] + card.rect["width"] for card in page.all(".place--own .card")]
    assert max(rights) <= PHONE[0] - 12


def test_on_a_phone_each_of_the_others_stays_at_its_side_with_its_cards_open(page: Page) -> None:
    page.resize(PHONE)
    page.make("mini", persons=0)
    page.wait(page.over)
    script = """
        const box = (part) => document.querySelector(part).getBoundingClientRect();
        const left = box(".place--left .place-head > :first-child");
        const right = box(".place--right .place-head > :last-child");
        return [left.left, innerWidth - right.right];
    """
    assert max(page.browser.execute_script(script)) < 30


REFUSING = """
    const [refusal, done] = arguments, opened = [];
    class Refusing {
      static OPEN = 1;
      constructor() {
        const heard = {};
        this.addEventListener = (kind, listener) => { heard[kind] = listener; };
        opened.push(performance.now());
        setTimeout(() => { heard.message({ data: refusal }); heard.close(); }, 0);
      }
    }
    [window.WebSocket, TableLink.SHORTEST_WAIT, TableLink.LONGEST_WAIT] = [Refusing, 40, 160];
    new TableLink({ message() {}, lost() {}, gone() {} }).open();
    setTimeout(() => done(opened.slice(1).map((time, index) => time - opened[index])), 900);
"""


def test_a_page_that_is_refused_for_now_tries_again_and_again_and_another_one_does_not(page: Page) -> None:
    page.make("mini")
    error = RefusedError("too many connections are waiting: try again", "连接太多，请重试", passing=True)
    pauses = page.browser.execute_async_script(REFUSING, json.dumps(error.message()))
    assert len(pauses) >= 4
    for pause, least in zip(pauses, [40, 80, 160, 160], strict=False):
        assert pause >= least
    page.browser.refresh()
    assert page.browser.execute_async_script(REFUSING, json.dumps(error.message(fatal=True))) == []


def test_after_the_server_was_killed_the_page_comes_back_by_itself(chromium: WebDriver, tmp_path: Path) -> None:
    with served("--tables", str(tmp_path)) as server:
        address = address_of(server)
        page = Page(chromium, address)
        page.resize(DESKTOP)
        page.make("standard")
        page.raise_cards(parse_hand(page.codes(".place--own .card")[-1]))
        page.act("play")
        page.wait(lambda: page.all("#moves td"))
        page.wait(page.my_turn)
        before = page.hand(), page.text("moves"), page.text("said"), page.codes(".played .card"), chromium.current_url
        server.kill()
        server.wait()
        page.wait(lambda: page.text("said") == "The connection is lost; trying again…")
    port = address.rstrip("/").rsplit(":", 1)[1]
    with served("--tables", str(tmp_path), "--port", port) as server:
        assert address_of(server) == address
        page.wait(lambda: page.text("said") == before[2])
        assert before == (
            *(page.hand(), page.text("moves"), page.text("said")),
            *(page.codes(".played .card"), chromium.current_url),
        )
        assert page.my_turn() and page.text("kept") == ""
        page.type("p")
        page.wait(lambda: page.text("moves") != before[1] or page.text("problem"))
        server.kill()
    chromium.get("about:blank")
    chromium.get_log("browser")


def test_a_table_that_cannot_be_kept_and_a_bot_that_failed_are_said(chromium: WebDriver, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    bad = "tests.serve.bad_bots:Raises"
    with served("--tables", str(tmp_path / "file" / "tables"), "--bot", bad) as server:
        page = Page(chromium, address_of(server))
        page.resize(DESKTOP)
        chromium.get(page.address)
        assert "would not survive a restart" in page.all(".sheet .problem")[0].text
        Select(page.find("rules")).select_by_value("standard")
        for choice in page.all(".player")[1:]:
            Select(choice).select_by_value(bad)
        page.all("#make button")[0].click()
        page.wait(lambda: page.all("#table .place"))
        assert page.text("kept").startswith("This table cannot be written to disk now")
        page.raise_cards(parse_hand(page.codes(".place--own .card")[-1]))
        page.act("play")
        page.wait(lambda: "gave no answer; mctshs played instead." in page.text("said"))
        assert "(mctshs)" in page.text("moves")
        server.kill()
    chromium.get("about:blank")
    chromium.get_log("browser")


def test_an_error_stands_in_the_card_that_it_belongs_to_and_the_board_has_an_example(page: Page) -> None:
    page.browser.get(page.address)
    problem = "return document.querySelector('#board #problem')?.textContent"
    page.find("board").submit()
    page.wait(lambda: page.browser.execute_script(problem) == "Type or paste a position first, or fill in the example.")
    page.find("position").send_keys("botzone 0 99TTQKKA 345 -@0 334455,-,-,8,9,A,2,-,-,6777,-,4JJJ,-,-,88\n")
    page.wait(lambda: "a board needs the hands of all three" in page.browser.execute_script(problem))
    page.browser.get(page.address + "#board=%E0%A4%A")
    page.browser.refresh()
    page.wait(lambda: "This link is damaged" in page.browser.execute_script(problem))
    page.act("example")
    page.find("board").submit()
    page.wait(lambda: page.text("title") == "Analysis board" and page.all("#moves td"))
    (refused,) = page.browser.get_log("browser")
    assert "400" in refused["message"]
