"""What is said in two languages: each stands once, both languages have the same values, and none can end a script."""

import json
import re

from tools.shared.words import FILE, messages, words, words_script

SECTIONS = ("pages", "replay", "match", "serve", "web")


def test_nothing_stands_twice() -> None:
    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    sections = json.loads(FILE.read_text("utf-8"), object_pairs_hook=table)
    assert sections.keys() == {*SECTIONS, "skeletons", "messages"}
    assert len(messages()) == sum(map(len, sections["messages"].values()))


def test_both_languages_have_the_same_values() -> None:
    for section in SECTIONS:
        for key, both in words(section).items():
            english, chinese = (sorted(re.findall(r"\{(\w+)\}", text)) for text in both)
            assert english == chinese and all(both), key


def test_a_page_gets_its_own_words_over_those_of_all() -> None:
    assert words("pages", "serve", "web")["start_subtitle"] == words("web")["start_subtitle"]
    script = words_script(*SECTIONS)
    assert script.startswith('Words.add({"suit_h": ["hearts", "红桃"],') and "<" not in script
