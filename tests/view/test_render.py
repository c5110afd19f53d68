"""The page as a file: nothing can break out of its data, and nothing in it asks the network."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.rules import KIND_NAMES
from tests.records.some_records import EXAMPLE
from tests.view.pages import data_of, elements_of
from tools.records.record import Note
from tools.records.text_reader import parse_record
from tools.records.thoughts import REMARKS
from tools.shared.json_text import parse_json
from tools.shared.words import words
from tools.study.view.game_data import game_data
from tools.study.view.render import FOLDER, embed, page
from tools.study.view.render import REPLAY_SCRIPTS as SCRIPTS
from tools.study.view.render import REPLAY_STYLES as STYLES

OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]></SCRIPT ><img src=x onerror=alert(1)>",
    "&lt;b&gt; \u2028 \u2029 ' \" \\ {{ 7 * 7 }}",
    "rule\u202e\u2066 niw \x9b\x07\x7f",
]


def replay(games: list[object]) -> str:
    return page("replay.html", STYLES, SCRIPTS, ["replay"], {"games": games})


PLAIN = replay([game_data(parse_record(EXAMPLE))])


@given(st.recursive(st.text() | st.sampled_from(HOSTILE), lambda texts: st.lists(texts, max_size=3)))
def test_embedded_data_has_no_letter_of_markup_and_comes_back(value: object) -> None:
    text = embed(value)
    assert not set(text) & set("<>&\u2028\u2029")
    assert parse_json(text) == seen(value)


def seen(value: object) -> object:
    """What a reader of the page sees: an escape in place of each character that would be obeyed, and not shown."""
    escapes = {"\b": r"\b", "\f": r"\f", "\r": r"\r"}
    if isinstance(value, str):
        return OBEYED.sub(lambda found: escapes.get(found[0], f"\\u{ord(found[0]):04x}"), value)
    return [*map(seen, value)] if isinstance(value, list) else value


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_and_comments_stay_texts(text: str) -> None:
    record = parse_record(EXAMPLE)
    moves = (record.moves[0]._replace(note=Note(comment=text, debug={"player": text})), *record.moves[1:])
    game = game_data(replace(record, names=(text, text, text), moves=moves, tags={"Event": text}))
    html = replay([game])
    assert [element.tag for element in elements_of(html)] == [element.tag for element in elements_of(PLAIN)]
    (shown,) = data_of(html)["games"]
    assert (shown["tags"]["Event"], shown["moves"][0]["comment"]) == (seen(text), seen(text))


def test_the_policy_allows_the_one_style_and_the_one_script_by_their_hashes() -> None:
    elements = elements_of(PLAIN)
    (policy,) = [element.attributes["content"] for element in elements if "http-equiv" in element.attributes]
    rules = dict(rule.split(" ", 1) for rule in (policy or "").split("; "))
    assert rules["default-src"] == rules["connect-src"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        (text,) = [found.text for found in elements if found.tag == tag and not found.attributes]
        assert rules[rule] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_loads_nothing() -> None:
    loaded = [
        (element.tag, name, value)
        for element in elements_of(PLAIN)
        for name, value in element.attributes.items()
        if name in ("src", "href", "srcset", "action", "poster", "data")
    ]
    assert loaded == [("link", "href", "data:,")]
    assert set(re.findall(r"\w+://[^\s\"'`]+", PLAIN)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(|\bfetch\b|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import\(", PLAIN)


def test_scripts_never_make_markup_of_text() -> None:
    for name in (*SCRIPTS, "words.js", "cards.js"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text)
        assert "</" not in text


def test_data_that_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        embed({"win": float("nan")})


# The colours.

BLOCKS = re.findall(r":root \{(.*?)\}", (FOLDER / "cards.css").read_text(encoding="utf-8"), re.DOTALL)
LIGHT, DARK = (dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in BLOCKS)


def luminance(colour: str) -> float:
    """Gets the relative luminance of WCAG 2."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *[(text, ground) for text in ("ink", "soft") for ground in ("page", "panel", "felt")],
        ("accent-ink", "accent"),
        ("accent", "panel"),
        ("accent", "felt"),
        ("fault", "panel"),
        ("fault", "page"),
        ("warn", "panel"),
        ("card-ink", "card"),
        ("card-red", "card"),
        ("ink", "accent-tint"),
    ],
)
@pytest.mark.parametrize("scheme", [LIGHT, {**LIGHT, **DARK}], ids=["light", "dark"])
def test_text_has_the_contrast_that_wcag_asks_for(scheme: dict[str, str], text: str, ground: str) -> None:
    lower, higher = sorted((luminance(scheme[text]), luminance(scheme[ground])))
    assert (higher + 0.05) / (lower + 0.05) >= 4.5


# The words.


def test_every_word_that_is_asked_for_is_known() -> None:
    scripts = "".join((FOLDER / name).read_text(encoding="utf-8") for name in (*SCRIPTS, "cards.js"))
    asked = set(re.findall(r'Words\.text\("([\w ]+)"[,)]', scripts))
    asked |= set(re.findall(r'data-word(?:-label)?="(\w+)"', PLAIN))
    asked |= {f"kind_{kind}" for kind in KIND_NAMES} | {f"remark_{remark}" for remark in (*REMARKS, "forced")}
    asked |= {f"mark_{mark}" for mark in ("inaccuracy", "mistake", "blunder", "proved")}
    asked |= {f"review_better_{how}" for how in ("proved", "likely", "network")}
    asked |= set(re.findall(r'word: "(\w+)"', scripts)) | set(re.findall(r'"(key_\w+)"', scripts))
    assert len(asked) > 60
    assert asked <= words("pages", "replay").keys()
