"""The words of the pages: each stands once and has the same values in both languages, and none can end a script."""

import json
import re

from tools.shared.words import FILE, words, words_script


def test_no_key_stands_twice_in_a_section() -> None:
    def section(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    sections = json.loads(FILE.read_text("utf-8"), object_pairs_hook=section)
    assert {name: len(words(name)) for name in sections} == {name: len(section) for name, section in sections.items()}


def test_both_languages_have_the_same_values() -> None:
    for section in json.loads(FILE.read_text("utf-8")):
        for key, both in words(section).items():
            english, chinese = (sorted(re.findall(r"\{(\w+)\}", text)) for text in both)
            assert english == chinese and all(both), key


def test_a_page_gets_its_own_words_over_those_of_all() -> None:
    assert words("pages", "serve", "web")["start_subtitle"] == words("web")["start_subtitle"]
    script = words_script("pages", "replay", "match", "serve", "web")
    assert script.startswith('Words.add({"suit_h": ["hearts", "红桃"],') and "<" not in script
