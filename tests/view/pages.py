"""Pages for tests: what is in one, read as a browser reads it, and the games that they are made of."""

import codecs
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from ddzbot.cards import Hand, parse_hand
from tests.records.some_records import DATA
from tests.records.test_from_judge import bare_log
from tools.study.view.__main__ import main

THESIS = DATA / "records" / "thesis_games.jsonl.gz"

Card = str


class Element(NamedTuple):
    """A start tag, and the text up to the next tag, be it its own end."""

    tag: str
    attributes: dict[str, str | None]
    text: str


class _Reader(HTMLParser):
    """Reads elements as HTML has them: the text of a script ends where a browser ends it."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs), ""))
        self._open = True

    def handle_endtag(self, tag: str) -> None:
        self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            element = self.elements[-1]
            self.elements[-1] = element._replace(text=element.text + data)


def elements_of(html: str) -> list[Element]:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.elements


def data_of(html: str) -> dict[str, Any]:
    """Gets the data of a page."""
    (block,) = [element for element in elements_of(html) if element.attributes.get("id") == "data"]
    return dict(json.loads(block.text))


def data_in(page: Path) -> dict[str, Any]:
    """Gets the data of a page's file, whose first bytes make browsers read UTF-8, whatever a host says."""
    content = page.read_bytes()
    assert content.startswith(codecs.BOM_UTF8)
    return data_of(content.decode("utf-8-sig"))


def view(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def log_file(folder: Path, name: str) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps(bare_log(name)) + "\n", encoding="utf-8")
    return path


def cards(text: str | None) -> list[Card]:
    assert text is not None
    return text.split()


def hand(text: str | None) -> Hand:
    """Drops the suits of cards of a page."""
    return parse_hand("".join(card[0] for card in cards(text)))


def hands_after(game: dict[str, Any], ply: int) -> list[str | None]:
    """Gets the three hands of a page's data as the page itself finds them: as the last move of each seat left them."""
    hands = list(game["hands"])
    for index, move in enumerate(game["moves"][:ply]):
        hands[index % 3] = move["left"]
    return hands
