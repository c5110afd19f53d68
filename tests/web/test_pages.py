"""The words of the page without a server: each is known, and none is left over."""

import re

import tools.tables.web.pack
from tests.support import ROOT
from tools.shared.words import FILE, words
from tools.tables.web.build import PAGES


def test_every_word_is_known_and_none_is_left_over() -> None:
    own, shared = words("web"), words("pages", "serve")
    texts = "\n".join(file.read_text("utf-8") for file in PAGES.iterdir())
    used = set(re.findall(r'(?:Words\.text\(|word: |data-word(?:-label)?=)"(\w+)"', texts)) - {"side_"}
    assert len(used) > 15 and used <= own.keys() | shared.keys()
    assert [key for key in own if not (key in shared or key.startswith("side_") or f'"{key}"' in texts)] == []


def test_the_page_has_the_file_of_all_messages() -> None:
    files = tools.tables.web.pack.read_files()
    assert FILE in files
    assert all(path.is_file() and path.is_relative_to(ROOT) for path in files)
