"""Lines that a shell divides into words: what is written for it comes back, on Windows as its programs read it."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.shared import shell
from tools.shared.commands import program_words
from tools.shared.names import short_name
from tools.shared.paths import call_of

WORDS = st.lists(st.text(st.sampled_from("a\\\\\"' &%斗./:-"), min_size=0, max_size=8), max_size=5)


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "ON_WINDOWS", True)


@given(WORDS)
def test_words_come_back_as_they_were(words: list[str]) -> None:
    assert shell.split_words(shell.joined_words(words)) == words


@given(WORDS)
def test_words_come_back_on_windows_too(words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shell, "ON_WINDOWS", True)
        assert shell.split_words(shell.joined_words(words)) == words
        assert shell.split_words(subprocess.list2cmdline(words)) == words, "as Python itself writes them"


@pytest.mark.usefixtures("on_windows")
@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("match", "match"),
        ("C:\\bots\\my.exe", "C:\\bots\\my.exe"),
        ("C:\\my bots\\", '"C:\\my bots\\\\"'),
        ("a&b", '"a&b"'),
        ("100%", '"100%"'),
        ("it's", '"it\'s"'),
        ('say "x"', '"say \\"x\\""'),
        ("", '""'),
        ("斗地主", "斗地主"),
    ],
)
def test_a_word_is_quoted_for_cmd_where_it_has_to_be(word: str, written: str) -> None:
    assert shell.joined_words([word]) == written


@pytest.mark.usefixtures("on_windows")
def test_commands_on_windows_keep_their_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert program_words("C:\\bots\\my.exe --fast") == ["C:\\bots\\my.exe", "--fast"]
    assert program_words('"C:\\my bots\\my.exe" --fast') == ["C:\\my bots\\my.exe", "--fast"]
    with pytest.raises(ValueError, match="No closing quotation"):
        program_words('"C:\\bots')
    monkeypatch.setattr("sys.orig_argv", ["C:\\Program Files\\Python\\python.exe"])
    assert call_of("show", "a game.ddzn").endswith(' -m tools show "a game.ddzn"')
    monkeypatch.setattr("os.sep", "\\")
    assert short_name('python "C:\\my bots\\bot.py" --fast') == "bot.py"
    assert short_name("C:\\bots\\anna\\bot.exe", 1) == "anna/bot.exe"
