"""The words of the page without a server: each is known in both languages, and none is left over."""

import re

import tools.tables.web.pack
from tests.support import ROOT
from tools.shared.language import WORDS
from tools.tables.serve.markup import PAGES, SHARED
from tools.tables.web.build import PAGES as OWN

WORD = re.compile(r'^ +(\w+): \["((?:[^"\\]|\\.)+)", "((?:[^"\\]|\\.)+)"\],$', re.MULTILINE)


def test_every_word_is_known_in_both_languages_and_none_is_left_over() -> None:
    assert OWN.is_relative_to(ROOT)
    words = {key: (en, zh) for key, en, zh in WORD.findall((OWN / "web-words.js").read_text("utf-8"))}
    shared = {
        key
        for file in (SHARED / "words.js", PAGES / "serve-words.js")
        for key, *_ in WORD.findall(file.read_text("utf-8"))
    }
    texts = "\n".join(file.read_text("utf-8") for file in OWN.iterdir() if file.name != "web-words.js")
    used = set(re.findall(r'(?:Words\.text\(|word: |data-word(?:-label)?=)"(\w+)"', texts)) - {"side_"}
    assert len(used) > 15 and sorted(used - set(words) - shared) == []
    for key, (en, zh) in words.items():
        assert set(re.findall(r"\{(\w+)\}", en)) == set(re.findall(r"\{(\w+)\}", zh)), key
        assert key in shared or key.startswith("side_") or f'"{key}"' in texts, key


def test_the_page_has_the_files_of_all_messages() -> None:
    files = tools.tables.web.pack.read_files()
    assert {*WORDS} <= {*files}
    assert all(path.is_file() and path.is_relative_to(ROOT) for path in files)
