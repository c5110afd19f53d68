"""The files of the live pages: every word that they use is there in both languages, and every file is served."""

import re

from tests.platforms import PLATFORMS
from tests.support import ROOT
from tools.tables.serve.markup import PAGES, SHARED, STATIC

WORD_FILES = (SHARED / "words.js", PAGES / "serve-words.js")
SCRIPTS = ("live.js", "panels.js", "start.js", "endgame.js")
PREFIXES = "|".join(
    (
        "do|hint|said|your|you|key|links|copy|copied|seat|kind|role",
        "landlord|peasants|moves|watching|points|waiting|stake|review|endgame|raise",
    )
)


def words() -> dict[str, tuple[str, str]]:
    pattern = r'^ +(\w+): \["((?:[^"\\]|\\.)+)", "((?:[^"\\]|\\.)+)"\],$'
    texts = [file.read_text(encoding="utf-8") for file in WORD_FILES]
    return {key: (en, zh) for text in texts for key, en, zh in re.findall(pattern, text, re.MULTILINE)}


def used_words() -> set[str]:
    scripts = "\n".join((PAGES / name).read_text(encoding="utf-8") for name in SCRIPTS)
    templates = "\n".join(file.read_text(encoding="utf-8") for file in PAGES.glob("*.html"))
    used = set(re.findall(r'Words\.text\("(\w+)"', scripts)) | set(re.findall(rf'"((?:{PREFIXES})_\w+)"', scripts))
    used |= set(re.findall(r'data-word(?:-label)?="(\w+)"', templates)) | {f"rules_{name}" for name in PLATFORMS}
    # Prefixes of words that are put together, and the ids of buttons.
    return {word for word in used if not word.endswith("_")} - {"kind_pass_you"}


def test_every_word_of_the_pages_is_known_in_both_languages_and_none_is_left_over() -> None:
    known, used = words(), used_words()
    assert len(used) > 70
    assert sorted(used - set(known)) == []
    lines = [re.findall(r"^ +\w+: \[", file.read_text(encoding="utf-8"), re.MULTILINE) for file in WORD_FILES]
    assert len(words()) == sum(map(len, lines))
    for key, (en, zh) in words().items():
        assert set(re.findall(r"\{(\w+)\}", en)) == set(re.findall(r"\{(\w+)\}", zh)), key
    text = "\n".join(file.read_text(encoding="utf-8") for file in PAGES.iterdir() if file.name != "serve-words.js")
    own = re.findall(r"^ +(\w+): \[", WORD_FILES[1].read_text(encoding="utf-8"), re.MULTILINE)
    made_up = re.compile(r"(rules|place|key|level|said_.+_you|said_no_bid_you)")
    assert [word for word in own if not re.search(rf'"{word}"', text) and not made_up.match(word)] == []


def test_every_file_that_a_page_names_is_served_and_pages_have_no_script_and_no_style_inside() -> None:
    pages = list((ROOT / "tools/tables/serve/pages").glob("*.html"))
    assert len(pages) > 1
    for file in pages:
        text = file.read_text(encoding="utf-8")
        named = re.findall(r'(?:src|href)="\{\{ static \}\}([^"{]+)"', text)
        assert named, file.name
        for name in named:
            folder, kind = STATIC[name]
            assert (folder / name).is_file() and kind == ("text/css" if name.endswith("css") else "text/javascript")
        assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son\w+=", text), file.name
