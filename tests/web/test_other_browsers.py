"""The page without a server in two more browsers: a whole game by hints, with no word of a problem."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.others import Firefox, firefox, webkit
from tests.web.page import Page, Site
from tools.tables.web.build import publish

pytestmark = [pytest.mark.whole, pytest.mark.systems, pytest.mark.timeout(900)]


class PageInFirefox(Page):
    """What a person chooses is set by scripts there."""

    browser: Firefox  # type: ignore[assignment]

    def choose(self, name: str, value: str) -> None:
        assert value in str(self.do(f"return [...document.getElementById('{name}').options].map(each => each.value)"))
        self.do(
            f"const list = document.getElementById('{name}'); list.value = '{value}';"
            "list.dispatchEvent(new Event('change', {bubbles: true}))"
        )


@pytest.fixture(scope="module")
def address(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    publish(files, folder / "any" / "folder")
    site = Site(folder)
    yield f"{site.origin}/any/folder/"
    site.close()


def play(page: Page) -> None:
    """Plays a game of mini to its end."""
    page.make("mini")
    while not page.over:
        page.move()
    assert page.moves > 2
    assert page.written("problem") == ""


def test_a_whole_game_in_firefox(address: str, tmp_path: Path) -> None:
    with firefox(tmp_path) as browser:
        play(PageInFirefox(browser, address))  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning:selenium")
def test_a_whole_game_in_webkit(address: str) -> None:
    with webkit() as browser:
        play(Page(browser, address))
