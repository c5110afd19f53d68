"""Messages: the list of their Chinese, values that stand as they are, and commands that speak one language."""

import ast
import copy
import pickle
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import tools.command
from ddzbot.game import SEAT_NAMES
from ddzbot.players.registry import player_names
from ddzbot.rules import KIND_NAMES
from ddzbot.search.endgame_position import FAULTS
from tests.records.some_records import EXAMPLE
from tests.support import ROOT, command_line
from tools.arena.check.__main__ import main as check
from tools.arena.check.reached import Reached
from tools.arena.check.steps import STEPS
from tools.shared.chinese_help import folded_lines, keys_of_help
from tools.shared.errors import InputError
from tools.shared.language import (
    chinese,
    is_chinese,
    kind_word,
    padded,
    page_words,
    seat_word,
    sentences,
    tr,
    translate,
    translated,
)
from tools.shared.message import English, Message, clauses, english, joined, prose
from tools.shared.paths import call_of
from tools.shared.words import messages
from tools.study.analyse.query import KNOWN
from tools.study.review.causes import WORDS as CAUSES
from tools.study.review.model import MARKS, WHY
from tools.tables.table.levels import NAMES as LEVELS

CHINESE = {"LC_ALL": "zh_CN.UTF-8"}
VALUE = re.compile(r"\{(\w+)(?:!r)?\}")
VIEW = "botzone 0 56689TTJJJQQKAAB 5JJ -@0 3334,3444,999T,-,-,55667788,-,-,K"
LETTERS = re.compile("[\u4e00-\u9fff]")
FAULTS_OF_FILES = ("does not exist", "is a file", "is a directory", "is not readable", "is not writable")
OF_CLICK = {
    "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
    "{value!r} is not {choice}.",
    "{value!r} is not one of {choices}.",
    *(f"{{name}} {{filename!r}} {fault}." for fault in FAULTS_OF_FILES),
    "Option {name!r} does not take a value.",
    "Option {name!r} requires an argument.",
    "Option {name!r} requires {nargs} arguments.",
    "Got unexpected extra argument ({args})",
    "Got unexpected extra arguments ({args})",
}
"""Keys of click's own messages."""
LEFT_OUT = {
    "{cards}: the hand {hand} does not hold these cards": {"hand"},
    "{cards}: these cards are not a move (rules {rules})": {"rules"},
    "{cards}: a {kind} is not a legal move (rules {rules})": {"rules"},
    "{cards}: a {kind} takes {number} kicker a quad (rules {rules})": {"rules"},
    "{cards}: a {kind} takes {number} kickers a quad (rules {rules})": {"rules"},
    "{cards}: the kickers of a {kind} {which} (rules {rules})": {"rules"},
    "{value!r} is not a valid {number_type}.": {"number_type"},
    "it is no whole zip file ({why})": {"why"},
    **{f"{{name}} {{filename!r}} {fault}.": {"name"} for fault in FAULTS_OF_FILES},
}
"""Values that only English names, as the pages have no room for them, or that click or Python has in English."""


@pytest.fixture
def chinese_locale(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert (tr("You lose.") == "你输了。") is expected
    assert (translate(Message("You lose.")) == "你输了。") is expected


def test_windows_chooses_where_no_variable_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.shared.language._of_windows", lambda: "zh_CN")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert is_chinese()
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert not is_chinese()


# Values.

WORDS = [
    *dict(sentences()),
    *dict(sentences()).values(),
    *page_words(),
    *(word for both in page_words().values() for word in both),
]
ODD = ["", "{a}", "{", "}}", "{0}", "{name.__class__}", "%s", "$&", "\\1", "\\g<0>", "小明", " pass ", "__proto__"]
"""What formatting might take for its own."""
WITH_VALUES = [key for key, _ in sentences() if VALUE.search(key) and "!r" not in key]


@pytest.mark.usefixtures("chinese_locale")
def test_values_stand_in_a_message_as_they_are() -> None:
    """Every message takes each odd value, itself, and its share of all words of ours."""
    assert len(WITH_VALUES) > 200
    share = len(WORDS) // len(WITH_VALUES) + 1
    for place, key in enumerate(WITH_VALUES):
        for value in {*ODD, key, *WORDS[place * share : (place + 1) * share]}:
            # Between marks that no word has, a value that was changed cannot hide.
            marked = f"\x01{value}\x02"
            names = VALUE.findall(key)
            said = tr(key, **dict.fromkeys(names, marked))
            assert said.count(marked) == sum(name not in LEFT_OUT.get(key, ()) for name in names), (key, value)
            assert tr(key, **dict.fromkeys(names, value)) == said.replace(marked, value), (key, value)


@pytest.mark.usefixtures("chinese_locale")
def test_values_of_click_stand_in_its_messages_with_their_quotes() -> None:
    for key in OF_CLICK:
        if "!r" in key:
            names = dict.fromkeys(VALUE.findall(key), "pass {a}")
            said = tr(key, **names)
            assert LETTERS.search(said)
            assert said.count("'pass {a}'") == key.count("!r"), key


@pytest.mark.usefixtures("chinese_locale")
@given(st.text(), st.text())
def test_any_name_stands_as_it_is(a: str, b: str) -> None:
    assert tr("{a} against {b}", a=a, b=b) == f"{a} 对 {b}"
    assert translate(Message("{file}: it cannot be written: {why}", file=a, why=b)) == f"{a}：无法写入：{b}"


@pytest.mark.usefixtures("chinese_locale")
def test_a_value_is_translated_only_if_it_is_a_message() -> None:
    assert tr("{name} out", name="landlord") == "landlord出完"
    assert tr("{name} out", name=seat_word(0)) == "地主出完"
    assert translate("pass") == "pass"
    assert translate(kind_word(0)) == "不出"


@pytest.mark.usefixtures("chinese_locale")
@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Message("moves, {ranked}", ranked=Message("ranked by points")), "打法，按得分排序。"),
        (joined(["pass", Message("pass"), "33"]), "pass，不出，33"),
        (clauses([Message("a win as {seats}", seats=seat_word(0)), "x"]), "获胜（地主）；x"),
        (joined([]), ""),
        (Message("pass", "step"), "通过"),
        (Message("unknown", "cards"), "未知"),
        (kind_word(len(KIND_NAMES) - 1), "不成牌型"),
        (Message("no such message"), "no such message"),
        # What is not Chinese in a message makes the whole of it English.
        (Message("{file}: {problem}", file="move", problem=English("too bad")), "move: too bad"),
        (Message("{file}: {problem}", file="move", problem=Message("no such message")), "move: no such message"),
        (Message("{file}: {problem}", file="move", problem=prose(ValueError("too bad"))), "move: too bad"),
        (joined([Message("pass"), English("too bad")]), "pass, too bad"),
    ],
)
def test_a_message_is_said_as_a_whole(message: str, said: str) -> None:
    assert translate(message) == said


def test_a_message_is_its_english_and_stays_a_message_through_errors_copies_and_processes() -> None:
    message = Message("{file}: {problem}", file="{a}", problem=Message("there is no game in it"))
    assert message == "{a}: there is no game in it"
    error = InputError(str(ValueError(InputError(message))))
    for one in (error.message, copy.deepcopy(message), pickle.loads(pickle.dumps(message))):
        assert isinstance(one, Message)
        assert one == message
        assert chinese(one) == "{a}：其中没有对局"
    assert chinese(pickle.loads(pickle.dumps(Message("pass", "step")))) == "通过"
    assert isinstance(pickle.loads(pickle.dumps(English("x"))), English)


@pytest.mark.usefixtures("chinese_locale")
def test_what_is_kept_in_files_is_the_english_text_alone() -> None:
    kept = english(Message("{name} out", name=seat_word(0)))
    assert (kept, type(kept)) == ("landlord out", str)
    missing = joined(Reached().missing())
    assert english(missing).isascii()
    assert english_in(translate(missing)) == set()


# The list, and the code.


def test_both_languages_have_the_same_values_and_nothing_stands_twice() -> None:
    found = list(sentences())
    assert len(dict(found)) == len(found)
    for key, said in found:
        values = sorted(one for one in VALUE.findall(key) if one not in LEFT_OUT.get(key, ()))
        assert values == sorted(VALUE.findall(said)), key
        for text in (key, said):
            assert all(name is None or name.isidentifier() for _, name, _, _ in string.Formatter().parse(text)), text
        assert said, key
    pages = {(key.lower(), said) for key, said in page_words().values()}
    assert [key for key, said in messages().items() if (key.lower(), said) in pages] == []


SAYS = {"Message", "tr", "styled"}
OWN = {f"tools/shared/{name}.py" for name in ("click_errors", "language", "message")}
"""They make messages of keys that they are handed, and of the names of seats, kinds and mistakes."""
SPEAKING = (
    *("run", "play", "show", "view", "review", "check", "match", "class", "report", "judge", "new", "solve"),
    "analyse",
)
"""The commands that speak Chinese, in all that they print."""


def commands() -> dict[str, click.Command]:
    """All commands by name."""
    context = click.Context(tools.command.main)
    found = {name: tools.command.main.get_command(context, name) for name in tools.command.main.list_commands(context)}
    return {name: command for name, command in found.items() if command}


def keys_of(argument: ast.expr, names: dict[str, list[str]]) -> list[str] | None:
    """The texts that an argument may be; None for one that is not written there."""
    match argument:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.IfExp(body=body, orelse=other):
            both = [keys_of(body, names), keys_of(other, names)]
            return None if None in both else [key for keys in both for key in keys or ()]
        case ast.Name(id=name):
            return names.get(name)
    return None


def name_of(called: ast.expr) -> str:
    """The name that a call ends in; empty where it ends in none."""
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def messages_in(tree: ast.AST) -> Iterator[tuple[list[str] | None, ast.Call]]:
    """Every message that a module makes: its keys, and the call."""
    names: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if keys := keys_of(value, {}):
                names.setdefault(name, []).extend(keys)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in SAYS:
            keys, contexts = keys_of(node.args[0], names), [""]
            if len(node.args) > 1:
                contexts = [f"{context}: " for context in keys_of(node.args[1], {}) or ()]
            yield [context + key for context in contexts for key in keys or ()] or None, node


@cache
def modules() -> dict[str, ast.Module]:
    """The modules of tools by their path."""
    paths = sorted((ROOT / "tools").rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


@cache
def all_messages() -> list[tuple[str, list[str] | None, ast.Call]]:
    """Every message of tools: the module, its keys, and the call."""
    return [
        (name, keys, call)
        for name, tree in modules().items()
        for keys, call in messages_in(tree)
        if keys or name not in OWN
    ]


def test_every_key_of_the_code_stands_in_the_list_and_every_key_of_the_list_in_the_code() -> None:
    found = all_messages()
    assert [(name, call.lineno) for name, keys, call in found if keys is None] == []
    used = {key for _, keys, _ in found for key in keys or ()}
    of_help = {key for name in SPEAKING for key in keys_of_help(commands()[name])} | {"Show this message and exit."}
    listed = tools.command.groups()
    of_help |= {*keys_of_help(tools.command.main), *listed}
    of_help |= {tools.command.sentence_of(module) for modules in listed.values() for module in modules.values()}
    words = {*SEAT_NAMES, *KIND_NAMES, *FAULTS, *WHY.values(), *CAUSES.values(), *(mark for mark, _ in MARKS)}
    assert used | of_help | words | OF_CLICK == {*dict(sentences())}


def test_every_message_of_the_code_gets_the_values_of_its_key() -> None:
    for name, keys, call in all_messages():
        given = {one.arg for one in call.keywords}
        # A local name may have several keys, and **values only show when they are there.
        if isinstance(call.args[0], ast.Constant | ast.IfExp) and None not in given:
            for key in keys or ():
                assert {*VALUE.findall(key)} == given, (name, call.lineno)


def test_what_the_static_tests_would_miss() -> None:
    source = "k = 'a {b}'\ntr(k, b=1)\ntr(f'{x}')\nMessage('c' if x else 'd', 'step')\nstyled(some())\nx.Message('e')\n"
    found = [keys for keys, _ in messages_in(ast.parse(source))]
    assert found == [["a {b}"], None, ["step: c", "step: d"], None, ["e"]]


def words_beside(tree: ast.AST) -> Iterator[str]:
    """English words that a module puts beside a message that it has said already."""
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=parts):
                pass
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                parts = [left, right]
            case _:
                continue
        calls = (node for part in parts for node in ast.walk(part) if isinstance(node, ast.Call))
        if any(isinstance(call.func, ast.Name) and call.func.id in {"tr", "translate", "styled"} for call in calls):
            texts = (part.value for part in parts if isinstance(part, ast.Constant))
            yield from (text for text in texts if re.search("[A-Za-z]{2}", str(text)))


@pytest.mark.whole
def test_no_module_puts_english_words_beside_a_message() -> None:
    assert [*words_beside(ast.parse("f'the {tr(1)}'\n'an ' + tr(2)\nf'-- {tr(3)}'"))] == ["the ", "an "]
    beside = {path: [*words_beside(tree)] for path, tree in modules().items()}
    assert {path: words for path, words in beside.items() if words} == {}


def test_two_columns_are_a_chinese_character() -> None:
    assert (padded("地主", 6), padded("up", 6)) == ("地主  ", "up    ")


# Commands.

SAME_IN_BOTH = {
    *("WP", "ADP", "Elo", "LOS", "LLR", "SPRT", "JSON", "UTF", "zip", "MiB", "null", "debug"),
    *("data", "OPTIONS", "CONTESTANTS", "FOLDER", "RECORD", "PLAYERS", "icga", "FILE", "BOT", "POSITION"),
    *("standard", "botzone", "botzone2", "mini", "FightTheLandlord", "FightTheLandlord2", "champion", "rule"),
    *("OK", "TLE", "MLE", "OLE", "NJ", "RE", "INVALID", "COMPARE", "LESS", "MISMATCH", "CARDTYPE"),
    *("python", "tools", "play", "show", "match", "judge", "check"),
    *("analyse", "solve", "seed", "ddzn", "jsonl", "save"),
}
"""Names, and what is typed."""
CARDS = re.compile("[3-9TJQKA2LBX]+")


def invoked(*words: str, typed: str | None = None, chinese: bool = True) -> tuple[int, str, str]:
    """The exit status of a command, what it prints, and what it prints of errors."""
    done = CliRunner().invoke(tools.command.main, list(words), input=typed, env=CHINESE if chinese else {"LC_ALL": "C"})
    return done.exit_code, done.stdout, done.stderr


def english_in(text: str, *names: str) -> set[str]:
    """The English words of a text that stand in no name; options and cards are none."""
    found, ours = (re.findall(r"[A-Za-z]{2,}", re.sub(r"--[\w-]+", "", one)) for one in (text, " ".join(names)))
    return {word for word in found if not CARDS.fullmatch(word)} - SAME_IN_BOTH - {*ours}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("words", "shown", "not_shown"),
    [
        (
            ("match", "win=random", "none=rule", "--rules", "mini", "--sets", "2", "--jobs", "1", "--quiet"),
            ["win 对 none", "win：每组", "none：每组"],
            ["胜率 对", "对 无"],
        ),
        (
            ("judge", "--game", "MiniFightTheLandlord", "--show", "win=random", "pass=rule", "none=rule"),
            ["玩家 0：win", "玩家 1：pass", "玩家 2：none"],
            ["玩家 0：胜率", "玩家 1：不出", "玩家 2：无"],
        ),
        (("show", "win"), ["错误：win：无法读取：没有这个文件或目录"], ["胜率"]),
    ],
    ids=["match", "judge", "show"],
)
def test_contestants_and_files_keep_their_names(
    words: tuple[str, ...], shown: list[str], not_shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, printed, errors = invoked(*words)
    assert [text for text in shown if text not in printed + errors] == []
    assert [text for text in not_shown if text in printed + errors] == []


REFUSED = [
    ("show", "move"),
    ("show", "."),
    ("show", "none.txt"),
    ("show", "game.ddzn", "--number", "9"),
    ("show", "--nosuch"),
    ("show", "--gam"),
    ("show",),
    ("show", "game.ddzn", "--number", "x"),
    ("show", "empty.jsonl"),
    ("show", "bad.jsonl"),
    ("analyse", "game.ddzn", "--move", "999"),
    ("analyse", "--human", " "),
    ("analyse", "--human", "{"),
    ("analyse", "--human", "nonsense"),
    ("analyse", "--human", '{"rules": "pass"}'),
    ("analyse", "--human", VIEW.removesuffix(",K")),
    ("analyse", VIEW, "--only", "3"),
    ("analyse", "botzone2 bid 3455678TJJQKAAA2L 01", "--only", "3"),
    ("analyse", "standard 33/4/5 ? -@0 - 0 -/-/-"),
    ("analyse", '{"view": "pass", "hand": "3"}'),
    ("analyse", '{"hand": "3", "seat": 0}'),
    ("analyse", '{"hand": "3", "seat": 0, "rules": "botzone", "bottom": "33"}'),
    ("analyse", '{"hand": "3", "seat": 0, "rules": "botzone", "stake": 3}'),
    ("analyse", '{"hand": "3x", "seat": 0, "rules": "botzone"}'),
    ("analyse", '{"terminate": 4}'),
    ("analyse", "--only", "3"),
    ("analyse", "--move", "3"),
    ("analyse", "--limit", "x"),
    ("analyse", "--limit", "3601s"),
    ("match", "win", "none"),
    ("match", "rule", "random", "--limit", "5"),
    ("match", "rule", "random", "--rules", "pass"),
    ("match", "rule"),
    ("match", "rule", "random", "--seed", "@pass"),
    ("match", "rule", "random", "--results", "game.ddzn"),
    ("match", "rule", "random", "--results", "."),
    ("judge", "rule", "rule"),
    ("judge", "rule", "rule", "nosuchprogram"),
    ("judge", "rule", "rule", "rule", "--initdata", "{"),
    ("judge", "rule", "rule", "rule", "--save-games", "none/pass.jsonl"),
    ("play", "--bot", "win"),
    ("play", "--bot", "rule", "--bot", "rule", "--bot", "rule"),
    ("play", "--number", "3"),
    ("play", "--resume", "game.ddzn"),
    ("play", "--resume", "game.ddzn", "--seat", "landlord"),
    ("play", "--resume", "bad.jsonl"),
    ("play", "--learn", "game.ddzn", "--number", "9"),
    ("play", "--endgame", "999"),
    ("play", "--endgame", "345 33333"),
    ("play", "--endgame", "4667788QK2"),
    ("play", "--save-games", "pass.txt"),
    ("play", "--save-games", "none/pass.ddzn"),
    ("play", "--seat", "landlord", "--rules", "botzone2"),
    ("check",),
    ("check", "./nothing"),
    ("check", "rule", "--only", "pass"),
    ("check", "rule", "--turn", "pass"),
    ("check", "rule", "--turn", "bad.jsonl"),
    ("solve", "4667788QK2"),
    ("solve", "3", "4", "--endgames", "bad.jsonl"),
    ("solve", "3X", "4"),
    ("solve", "3", "4", "--to-beat", "56"),
    ("solve", "standard 3/4 ? -@0 - 0 -/-/-"),
    ("solve", "standard 3/4/5 ? -@0 - 0 -/-/-", "--to-beat", "3"),
    ("games", "game.ddzn", "--number", "9", "--replay", "rule"),
    ("view", "move"),
    ("review", "move"),
    ("report", "move"),
    ("class", "empty", "rule"),
    ("class", "move"),
    ("class", "programs"),
    ("class", "programs", "--replay-pairs", "pass"),
    ("records", "move"),
    ("new", "game.ddzn"),
    ("nosuch",),
]


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_an_error_message_is_chinese_or_english_as_a_whole(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.ddzn").write_text(EXAMPLE, "utf-8")
    Path("empty.jsonl").touch()
    Path("bad.jsonl").write_text("{}\n", "utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    Path("empty").mkdir()
    Path("programs").mkdir()
    Path("programs", "3.zip").touch()
    status, _, said = invoked(*words)
    _, _, in_english = invoked(*words, chinese=False)
    assert status not in (0, 1)
    assert said
    assert not LETTERS.search(in_english.replace(call_of(), ""))  # the folder of Python may be called 斗地主
    if words[0] not in SPEAKING:
        assert said == in_english
    elif LETTERS.search(said):
        names = (*player_names(), *LEVELS, "MODULE CLASS", *(step.name for step in STEPS))
        fields = KNOWN if words[0] == "analyse" else ()
        assert english_in(said, *words, "main", *names, *fields, call_of()) == set()
    else:
        assert said == in_english


def test_what_is_refused_most_is_chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.ddzn").write_text(EXAMPLE, "utf-8")
    Path("bad.jsonl").write_text("{}\n", "utf-8")
    for words, said in (
        (("show",), "错误：缺少参数 FILE。"),
        (("show", "--nosuch"), "错误：没有选项 --nosuch。"),
        (("show", "game.ddzn", "--number", "9"), "错误：没有第 9 局：文件有 1 局"),
        (("play", "--save-games", "none/pass.ddzn"), "错误：none/pass.ddzn：无法写入：没有这个文件或目录"),
        (("play", "--bot", "win"), "错误：参赛者：没有选手 'win'；可选 a3c, champion, "),
        (("check", "./nothing"), "错误：程序 './nothing' 不存在，或不可执行，也不是选手；选手有 a3c, champion, "),
        (("match", "rule", "random", "--limit", "5"), "错误：限制 '5' 应写成 0.2s、5000p 或 0.2s,5000p"),
        (("match", "rule"), "错误：比赛要两个参赛者，不是 1 个"),
        (("show", "game.ddzn", "--number", "x"), "错误：--number 的值无效：'x' 不是有效的数。"),
        (("solve", "4667788QK2"), "错误：残局要有两手或三手牌，不是 1 手"),
        (("solve", "3", "4", "--to-beat", "5", "--played-by", "0"), "错误：5：地主不能压自己出的牌"),
        (("solve", "3", "4", "--to-move", "1", "--to-beat", "5", "--played-by", "1"), "错误：5：农民不能压自己出的牌"),
        (("solve", "333", "334"), "错误：各家手里共有 5 张 3；规则 botzone 的一副牌只有 4 张"),
        (("solve", "standard 3/4 ? -@0 - 0 -/-/-"), "3/4'：要有三份，用 / 隔开"),
        (("solve", "standard 3/4/5 ? -@0 - 7 -/-/-"), "座位 '7' 不是 0、1 或 2"),
        (("solve",), "错误：请给出两手或三手牌，或用 --endgames 给出文件"),
        (("solve", "--endgames", "bad.jsonl"), "错误：bad.jsonl:1：既没有 hands，也没有 landlord 和 peasant"),
        (("play", "--rules", "win"), "错误：--rules 的值无效：'win' 不在可选的值之中："),
    ):
        status, _, errors = invoked(*words)
        assert status == 2
        assert said in errors


def test_usage_stands_over_a_chinese_error_in_chinese() -> None:
    _, _, said = invoked("show", "--thoughtss")
    usage, hint, blank, error = said.splitlines()
    assert re.fullmatch(r"用法：.* show \[OPTIONS\] FILE", usage)
    assert re.fullmatch(r"用 .* show --help 查看帮助。", hint)
    assert (blank, error) == ("", "错误：没有选项 --thoughtss；是不是 --thoughts？")


KEPT = f"{command_line('python', ROOT / 'bot.py')} --keep-running --player"
"""A program of ours that is started once a game."""
SCREENS = [
    ("match", "rule", "random", "--rules", "mini", "--sets", "2", "--jobs", "1", "--quiet"),
    ("match", "rule", "random", "--rules", "botzone2", "--sets", "2", "--jobs", "1", "--quiet"),
    ("match", "rule", "random", "x=rule", "--rules", "mini", "--sets", "2", "--jobs", "1", "--quiet"),
    ("match", "rule", "random", "--sets", "2", "--sprt", "0", "5", "--rules", "mini", "--jobs", "1", "--quiet"),
    ("class", "programs", "rule", "random", "--rules", "mini", "--sets", "2", "--jobs", "1", "--quiet"),
    ("judge", *["BOT random"] * 3, "--game", "FightTheLandlord", "--seed", "demo/1", "--show"),
    ("judge", *["BOT random"] * 3, "--game", "FightTheLandlord2", "--seed", "demo/1", "--show"),
    ("judge", *["BOT rule"] * 3, "--game", "FightTheLandlord2", "--seed", "demo/1", "--show", "--thoughts"),
    ("show", "game.ddzn"),
    ("show", "game.ddzn", "--seat", "landlord_up"),
    ("view", "game.ddzn", "--out", "v.html", "--limit", "20p"),
    ("review", "game.ddzn", "--limit", "30p", "--quiet", "--page", "r.html"),
    ("new", "mybot"),
    ("play", "--rules", "mini", "--seed", "3", "--bot", "rule", "--limit", "50p"),
    ("play", "--rules", "botzone2", "--seed", "3", "--bot", "rule", "--limit", "50p"),
    ("play", "--endgame", "1"),
    ("play", "--endgame"),
    ("analyse", "--human", VIEW, "--limit", "50p"),
    ("analyse", "--human", "botzone2 bid 3455678TJJQKAAA2L 01", "--limit", "50p"),
    ("analyse", "game.ddzn", "--move", "2", "--limit", "50p"),
    ("solve", "4667788QK2", "334455QK2"),
    ("solve", "standard 34/5/6 ? -@0 6:2 0 -/-/6"),
    ("solve", "45577TTKK2", "8AA"),
]
TYPED = "help\nhint\nmoves\nmoves pass\ntable\nhistory\n9999\nxx\nsave\nback\nback 1\n0\n\ntable\n3\nhint\nquit\n"


@pytest.mark.whole
@pytest.mark.parametrize("words", SCREENS, ids=" ".join)
def test_a_screen_speaks_one_language(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.ddzn").write_text(EXAMPLE, "utf-8")
    if "class" in words:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        Path("programs").mkdir()
        Path("programs", "3.zip").touch()
    words = tuple(word.replace("BOT", KEPT) for word in words)
    status, printed, errors = invoked(*words, typed=TYPED)
    assert status == 0, printed + errors
    record = EXAMPLE if "game.ddzn" in words else ""
    names = (
        *words,
        TYPED,
        record,
        call_of("play"),
        "landlord_down or T undo game.ddzn report exact numpy jobs fast ddzw serve",
        "class.html bot.py test_bot.py README.md python3 results.json games.ddzn.gz Python",
    )
    # Networks and the rules of a player have names of their own.
    said = re.sub("fast-[0-9a-f]+|按规则 '[^']*'", "", printed + errors)
    assert english_in(said, *names) == set()
    assert LETTERS.search(printed)


def test_help_is_chinese_for_the_commands_that_speak_it_and_english_for_all_others() -> None:
    for name, command in commands().items():
        if name in ("train", "lab"):  # they need torch
            continue
        status, said, _ = invoked(name, "--help")
        assert status == 0
        if name not in SPEAKING:
            assert not LETTERS.search(said), name
            continue
        texts = {key: value for key, value in sentences() if key in keys_of_help(command)}
        flat = re.sub(r"\s", "", said)
        for key in keys_of_help(command):
            assert re.sub(r"\s", "", texts[key]) in flat, (name, key)
        assert "用法：" in said
        assert "选项：" in said


@pytest.mark.whole
@pytest.mark.parametrize("chinese_locale", [False, True])
def test_the_list_begins_with_five_commands_and_folds_the_laboratory(chinese_locale: bool) -> None:
    env = CHINESE if chinese_locale else {"LC_ALL": "C"}
    first, whole = (CliRunner().invoke(tools.command.main, words, env=env).output for words in ([], ["--all"]))
    few, every = (re.findall(r"^  ([a-z]+)  ", listed, re.M) for listed in (first, whole))
    assert few[:5] == ["play", "check", "match", "review", "new"]
    assert every == [*few, "experiments", "lab"] == [*commands()]
    titles = [line[:-1] for line in whole.splitlines() if line.endswith("：" if chinese_locale else ":")][1:]
    assert titles == [translated(title) if chinese_locale else title for title in tools.command.groups()]


@pytest.mark.parametrize("width", [20, 33, 60, 140])
def test_chinese_is_folded_by_its_width_and_beside_no_punctuation(width: int) -> None:
    text = "参赛者是选手（rhcp，或带选项 NAME:KEY=VALUE,...），可带自己的限制（champion@2s）；或命令行。"
    lines = folded_lines(text, width)
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", text)
    assert all(cell_len(line) <= width + 2 for line in lines)
    assert not [line for line in lines if line[0] in "，。；）" or line[-1] == "（"]


def test_other_commands_are_english_in_every_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.ddzn").write_text(EXAMPLE, "utf-8")
    for words in (
        ("seats", "rule", "random", "x=rule", "--rules", "mini", "--sets", "2", "--jobs", "1", "--quiet"),
        ("analyse", VIEW, "--limit", "50p"),
        ("games", "game.ddzn"),
        ("records", "check", "game.ddzn"),
        ("solve", "4667788QK2", "334455QK2", "--json"),
        ("rules", "classify", "3334"),
        ("report", "none.json"),
    ):
        _, printed, errors = invoked(*words)
        assert printed + errors
        assert not LETTERS.search(printed + errors), words


@pytest.mark.whole
def test_the_check_has_chinese_verdicts() -> None:
    bot = ROOT / "tools" / "arena" / "new" / "bot.py"
    words = [
        command_line("python", bot),
        *("--game", "FightTheLandlord2", "--keep-running", command_line("python", bot, "--keep-running")),
    ]
    done = CliRunner().invoke(check, [*words, "--rounds", "1", "--turn-time", "60"], env=CHINESE)
    assert done.exit_code == 0, done.output
    assert len(done.stdout.splitlines()) == len(STEPS) + 1
    assert done.stdout.count("  通过 ") == len(STEPS)
    left = {*re.findall(r"[A-Za-z_-]{2,}", re.sub(r"^[ \d]\d .{15}", "", done.stdout, flags=re.M))}
    assert left <= {"JSON", "null", "debug", "data", "MiB", "FightTheLandlord"}, done.stdout


@pytest.mark.whole
def test_a_failure_of_the_check_is_said_in_one_language() -> None:
    bot = ROOT / "tests" / "bots" / "never_pass.py"
    done = CliRunner().invoke(check, [command_line("python", bot)], env=CHINESE)
    assert done.exit_code == 1, done.output
    assert "不通过" in done.stdout
    assert "先要通过第 4 步（follow）" in done.stdout
    assert english_in(re.sub(r"^[ \d]\d .{15}", "", done.stdout, flags=re.M), "follow", "forced-pass") == set()
