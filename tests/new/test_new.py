"""``tools new``: the folder that it makes, and the bots in it."""

import io
import random
import re
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.cards import RANK_COUNT, UNIT
from ddzbot.rules import BOTZONE2, SHUTTLE, SHUTTLE_PAIR, SHUTTLE_SOLO, legal_moves
from tests.check.student_faults import TEMPLATES, program
from tests.support import ROOT, find_python, require
from tools.arena.check.requests import examples
from tools.arena.check.scenes import GAMES
from tools.arena.new import bot
from tools.arena.new.__main__ import LANGUAGES, main
from tools.shared.words import comments


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_new_folder_has_program_test_and_readme_with_what_to_do_next(
    tmp_path: Path, language: str, game: str
) -> None:
    folder = tmp_path / "my bot"
    done = CliRunner().invoke(main, [str(folder), "--language", language, "--game", game])
    assert (done.exit_code, done.stderr) == (0, "")
    source = LANGUAGES[language].source
    assert {path.name for path in folder.iterdir()} == {source, "test_bot.py", "README.md"}
    assert (folder / source).read_bytes() == (TEMPLATES / source).read_bytes()
    readme = (folder / "README.md").read_text("utf-8")
    _said, *commands = done.stdout.splitlines()
    assert commands and all(command in readme for command in commands)
    assert f" --game {game}" in readme
    again = CliRunner().invoke(main, [str(folder)])
    assert (again.exit_code, again.stdout) == (2, "")
    assert "it cannot be made: File exists" in again.stderr


def test_the_readme_is_in_the_language_of_its_user(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [str(tmp_path / "mybot")], env={"LC_ALL": "zh_CN.UTF-8"})
    readme = (tmp_path / "mybot" / "README.md").read_text("utf-8")
    assert readme.startswith("# mybot：FightTheLandlord 的程序\n") and "Upload" not in readme
    assert all(command in readme for command in done.stdout.splitlines()[1:])


CHINESE = re.compile("[\u4e00-\u9fff]")
CPP_COMMENT = re.compile(r" *//[^\n]*")
"""No text of the skeleton holds two slashes."""


def python_parts(source: str) -> tuple[list[str], list[str]]:
    """Gets the tokens of the code, and the comments with the docstrings; a comment that is a type is code."""
    code, said = [], []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        prose = token.string.startswith('"""') or (token.type == tokenize.COMMENT and "type:" not in token.string)
        (said if prose else code).append(token.string)
    return code, said


def cpp_parts(source: str) -> tuple[list[str], list[str]]:
    """Gets the lines of the code, and the comments."""
    said = [comment for comment in CPP_COMMENT.findall(source) if comment != "//"]
    return [line.rstrip() for line in CPP_COMMENT.sub("", source).splitlines()], said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_has_its_comments_in_the_language_of_its_user_and_the_same_code(
    tmp_path: Path, language: str
) -> None:
    words = [str(tmp_path / "mybot"), "--language", language]
    assert CliRunner().invoke(main, words, env={"LC_ALL": "zh_CN.UTF-8"}).exit_code == 0
    no_program = "There is no program {PROGRAM} yet: build it with the first command of README.md."
    for file in (LANGUAGES[language].source, "test_bot.py"):
        parts = cpp_parts if file.endswith(".cpp") else python_parts
        code, said = parts((TEMPLATES / file).read_text("utf-8").replace(no_program, comments()[no_program]))
        chinese_code, chinese = parts((tmp_path / "mybot" / file).read_text("utf-8"))
        assert chinese_code == code
        assert len(chinese) == len(said) > 5
        for comment in chinese:
            assert CHINESE.search(comment) and not re.search("[a-z]{2,} [a-z]{2,}", comment), comment


def test_every_comment_of_the_list_stands_in_a_new_bot() -> None:
    sources = [(TEMPLATES / file).read_text("utf-8") for file in ("bot.py", "bot.cpp", "test_bot.py")]
    assert [english for english in comments() if not any(english in source for source in sources)] == []


def test_the_style_of_the_project_is_not_asked_of_a_new_bot_beside_it(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert CliRunner().invoke(main, [str(tmp_path / "mybot")]).exit_code == 0

    def faults() -> str:
        command = [sys.executable, "-m", "ruff", "check", "-q", "--output-format", "concise", "."]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout

    assert faults() == ""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "ours.py").write_text("import os\n")
    assert "ours.py:1:8: F401" in faults()


def test_its_test_says_if_there_is_no_program_yet(tmp_path: Path) -> None:
    shutil.copy(TEMPLATES / "test_bot.py", tmp_path)
    done = subprocess.run([sys.executable, str(tmp_path / "test_bot.py")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("There is no program ") and done.stderr.endswith("README.md.\n")


def hand(dice: random.Random) -> list[int]:
    """Draws cards, every other time whole ranks."""
    deck = [*range(54)]
    dice.shuffle(deck)
    if dice.random() < 0.5:
        deck = [card for rank in dice.sample(range(13), 13) for card in range(4 * rank, 4 * rank + dice.randint(1, 4))]
    return deck[: dice.randint(1, 20)]


def test_the_bot_lists_every_legal_lead_but_rows_of_bombs() -> None:
    dice = random.Random("leads")
    for _ in range(60):
        counts = bot.hand_of(hand(dice))
        cards = sum(UNIT[rank] * counts[rank] for rank in range(RANK_COUNT))
        legal = [
            move.cards
            for move in legal_moves(BOTZONE2, cards)
            if move.kind not in (SHUTTLE, SHUTTLE_SOLO, SHUTTLE_PAIR)
        ]
        listed = [sum(UNIT[rank] * move.cards[rank] for rank in range(RANK_COUNT)) for move in bot.moves(counts)]
        assert sorted(listed) == sorted(legal)


def answers(command: list[str], lines: list[bytes]) -> list[bytes]:
    """Gives lines to a program, and gets its answers without blanks."""
    done = subprocess.run(command, input=b"".join(lines), capture_output=True, check=True)
    return [line.replace(b" ", b"") for line in done.stdout.splitlines() if line.startswith(b"{")]


@pytest.mark.whole
def test_the_bot_answers_a_request_of_every_kind_alike_in_both_languages(tmp_path: Path) -> None:
    require(shutil.which("g++"), "g++")
    cpp, python = program(tmp_path, "cpp"), [sys.executable, *program(tmp_path, "python")[1:]]
    for example in examples(GAMES):
        expected = answers(python, example.lines)
        assert len(expected) == len(example.lines)
        assert answers(cpp, example.lines) == expected


@pytest.mark.whole
@pytest.mark.parametrize("locale", ["C", "zh_CN.UTF-8"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_passes_its_own_test(tmp_path: Path, language: str, locale: str) -> None:
    if language == "cpp":
        require(shutil.which("g++"), "g++")
    python = require(find_python("3.6"), "CPython 3.6") if language == "python" else sys.executable
    folder = tmp_path / "mybot"
    assert CliRunner().invoke(main, [str(folder), "--language", language], env={"LC_ALL": locale}).exit_code == 0
    source, build, *_ = LANGUAGES[language]
    if build:
        subprocess.run([word.format(program=folder / "bot", source=folder / source) for word in build], check=True)
    done = subprocess.run([python, str(folder / "test_bot.py")], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1:] == ["OK"], done.stderr
