"""The list of what commands say in Chinese, and how a sentence is found in it."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support import ROOT, command_line
from tools.arena.check.__main__ import main as check
from tools.look.show import main as show
from tools.shared.language import is_chinese, padded, page_words, sentences, told

CHINESE = {"LC_ALL": "zh_CN.UTF-8"}
VALUE = re.compile(r"\{\w+\}")


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ({"LC_ALL": "zh_CN.UTF-8", "LANG": "C"}, True),
        ({"LC_ALL": "C", "LC_MESSAGES": "zh_TW", "LANG": "zh_CN"}, False),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "en_US"}, True),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN.UTF-8"}, True),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": ""}, False),
    ],
)
def test_the_locale_chooses(locale: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert is_chinese() is expected
    assert (told("You lose.") == "你输了。") is expected


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("  the landlord wins ", "  地主胜 "),
        ("four_two_pair", "四带两对"),
        ("4 points", "4 分"),
        ("moves, ranked by points", "出法，按得分排序。"),
        ("ranked by points; 64 playouts", "按得分排序。64 次模拟"),
        ("led only 单张; never won as 地主", "只先出过单张；没有获胜：地主"),
        (
            "FightTheLandlord, lead, turn 1: player 0 (landlord) took longer than 6.0 s (TLE); let it use less memory",
            "FightTheLandlord, lead，第 1 回合：玩家 0（地主）用时超过 6.0 秒（TLE）；请减少内存",
        ),
        ("nobody says this", "nobody says this"),
        ("", ""),
    ],
)
def test_a_sentence_is_found_with_its_values(english: str, said: str) -> None:
    assert told(english) == said


@pytest.mark.usefixtures("chinese")
def test_a_word_of_two_meanings_says_which() -> None:
    assert (told("pass"), told("pass", "step"), told("lead", "step")) == ("不出", "通过", "lead")


def test_both_languages_have_the_same_values_and_nothing_stands_twice() -> None:
    found = list(sentences())
    assert len(dict(found)) == len(found)
    for english, said in found:
        values = VALUE.findall(english)
        assert sorted(values) == sorted(VALUE.findall(said)), english
        assert said, english
    text = (ROOT / "tools" / "shared" / "chinese.txt").read_text("utf-8")
    pages = {(english.lower(), said) for english, said in page_words().values()}
    listed = [line.partition(" => ") for line in text.splitlines() if " => " in line]
    assert [english for english, _, said in listed if (english.lower(), said) in pages] == []


def test_two_columns_are_a_chinese_character() -> None:
    assert (padded("地主", 6), padded("up", 6)) == ("地主  ", "up    ")


def test_errors_are_chinese_too(tmp_path: Path) -> None:
    file = tmp_path / "none.ddzn"
    done = CliRunner().invoke(show, [str(file)], env=CHINESE)
    assert done.exit_code == 2
    assert f"{file}：无法读取：没有这个文件或目录" in done.stderr


@pytest.mark.whole
def test_the_check_has_chinese_verdicts() -> None:
    bot = ROOT / "tools" / "arena" / "new" / "bot.py"
    words = [
        command_line("python", bot),
        *("--game", "FightTheLandlord2", "--keep-running", command_line("python", bot, "--keep-running")),
    ]
    done = CliRunner().invoke(check, [*words, "--rounds", "1", "--time", "60"], env=CHINESE)
    assert done.exit_code == 0, done.output
    assert len(done.stdout.splitlines()) == 14
    assert done.stdout.count("  通过 ") == 14
    english = {*re.findall(r"[A-Za-z_-]{2,}", re.sub(r"^.{18}", "", done.stdout, flags=re.M))}
    assert english <= {"JSON", "null", "debug", "data", "MiB", "FightTheLandlord"}, done.stdout
