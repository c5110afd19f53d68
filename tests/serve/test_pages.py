"""The files of the live pages: every word that they use is there, and every file is served."""

import re

from tests.platforms import PLATFORMS
from tests.support import ROOT
from tools.shared.words import words
from tools.tables.serve.markup import PAGES, STATIC

SCRIPTS = ("live.js", "panels.js", "start.js", "endgame.js")
PREFIXES = "|".join(
    (
        "do|hint|said|your|you|key|links|copy|copied|seat|kind|role",
        "landlord|peasants|moves|watching|points|waiting|stake|review|endgame|raise",
    )
)


def used_words() -> set[str]:
    scripts = "\n".join((PAGES / name).read_text(encoding="utf-8") for name in SCRIPTS)
    templates = "\n".join(file.read_text(encoding="utf-8") for file in PAGES.glob("*.html"))
    used = set(re.findall(r'Words\.text\("(\w+)"', scripts)) | set(re.findall(rf'"((?:{PREFIXES})_\w+)"', scripts))
    used |= set(re.findall(r'data-word(?:-label)?="(\w+)"', templates)) | {f"rules_{name}" for name in PLATFORMS}
    # Prefixes of words that are put together, and the ids of buttons.
    return {word for word in used if not word.endswith("_")} - {"kind_pass_you"}


def test_every_word_of_the_pages_is_known_and_none_is_left_over() -> None:
    used, own = used_words(), words("serve")
    assert len(used) > 70
    assert used <= words("pages", "serve").keys()
    text = "\n".join(file.read_text(encoding="utf-8") for file in PAGES.iterdir())
    made_up = re.compile(r"(rules|place|key|level|said_.+_you|said_no_bid_you)")
    assert [word for word in own if f'"{word}"' not in text and not made_up.match(word)] == []


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
