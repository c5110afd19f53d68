"""The hand-ins of a class: names are texts, no outside file is read or written, and a broken program is named."""

import csv
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.arena.hostile import GOOD, zipped
from tests.arena.some_files import in_this_process, put
from tests.support import ROOT
from tests.view.pages import data_in
from tools.arena import class_of_programs, report
from tools.arena.check.bench import Bench
from tools.arena.field import build, entries, forecast
from tools.arena.field.build import build_program, encoding_of
from tools.arena.field.entries import Checked, Field, check_program, field_of
from tools.arena.field.forecast import Rounds
from tools.arena.field.handed_in import HandedInError, copy_program, digest_of, handed_in
from tools.arena.files.results_file import Entry, Head, Part, line_of, read
from tools.arena.matches import everybody
from tools.arena.matches.runner import Progress
from tools.arena.reports.page import write_page
from tools.arena.reports.results import results_of
from tools.shared.contestants import parse_contestant
from tools.shared.language import chinese, translate
from tools.shared.message import Message


def test_a_name_is_a_line_of_text_and_no_two_are_the_same(tmp_path: Path) -> None:
    for name in (
        "anna.py",
        "anna.zip",
        "rule.py",
        "<b>bob<b>.py",
        "\x1b[2Jred.py",
        "x" * 60 + ".c",
        "README.md",
        ".git",
    ):
        (tmp_path / name).write_text("")
    found = [one.name for one in handed_in(tmp_path, frozenset({"rule"}))]
    assert found == ["\\x1b[2Jred", "<b>bob<b>", "anna.py", "anna.zip", "rule.py", "x" * 39 + "…"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="there is no program in it"):
        handed_in(tmp_path / "empty")


def test_links_are_not_followed_and_every_byte_counts(tmp_path: Path) -> None:
    own, secret = tmp_path / "own", tmp_path / "secret"
    own.mkdir()
    secret.write_text("a seed")
    (own / "main.py").write_text(GOOD)
    (own / "link").symlink_to(secret)
    (own / "above").symlink_to(tmp_path)
    before = digest_of(own)
    copy_program(own, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").rglob("*")] == ["main.py"]
    (own / "main.py").write_text(GOOD + "\n")
    assert digest_of(own) != before


@pytest.mark.whole
def test_a_zip_is_unpacked_within_its_folder_or_run_as_the_site_does(tmp_path: Path) -> None:
    copy_program(zipped(tmp_path / "site.zip", {"__main__.py": GOOD}), tmp_path / "site")
    assert build_program(tmp_path / "site").name == "upload.zip"
    copy_program(zipped(tmp_path / "deep.zip", {"bot/main.py": GOOD, "bot/more.py": ""}), tmp_path / "deep")
    assert build_program(tmp_path / "deep" / "bot") == tmp_path / "deep" / "bot" / "main.py"
    with pytest.raises(HandedInError, match="lies outside of it"):
        copy_program(zipped(tmp_path / "up.zip", {"../bad": "x"}), tmp_path / "up")
    with pytest.raises(HandedInError, match="more than 64 MiB"):
        copy_program(zipped(tmp_path / "bomb.zip", {"zeros": "0" * (65 << 20)}), tmp_path / "bomb")


def test_a_zip_whose_names_cannot_be_files_says_what_is_wrong_with_them(tmp_path: Path) -> None:
    for number, files in enumerate(({"a": "x", "a/b.py": "y"}, {"a/b.py": "y", "a": "x"}, {"a": "", "a/b/c": ""})):
        name = [*files][-1]
        words = f"its file {name!r} cannot be made: a file and a folder of it have the same name"
        with pytest.raises(HandedInError, match=f"^{words}$"):
            copy_program(zipped(tmp_path / f"{number}.zip", files), tmp_path / str(number))
    # Python would run the first one, and not find its module.
    for files, name in (({"__main__.py": GOOD, "lib\\more.py": ""}, "lib"), ({"bot\\main.py": GOOD}, "bot")):
        with pytest.raises(HandedInError, match=rf"^its names have \\ in place of /, as {name}\\m[a-z]+\.py: pack it"):
            copy_program(zipped(tmp_path / "strange.zip", files), tmp_path / name)


def test_a_suffix_may_be_written_in_any_case(tmp_path: Path) -> None:
    for number, (name, text, made) in enumerate(
        (
            ("MAIN.PY", GOOD, "MAIN.PY"),
            ("BIG.CPP", '#include <cstdio>\nint main() { std::puts("x"); }\n', "bot"),
            ("Odd.Cc", "int main() { return static_cast<int>(0); }\n", "bot"),
            ("plain.c", "int main(void) { int class = 0; return class; }\n", "bot"),
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / name).write_text(text)
        assert build_program(folder) == folder / made
    (tmp_path / "0" / "OTHER.PY").write_text("")
    assert build_program(tmp_path / "0").name == "MAIN.PY"


@pytest.mark.parametrize(
    ("name", "content", "refused"),
    [
        ("main.py", "# 你好\n".encode("gbk"), True),
        ("main.py", "# coding: gbk\n# 你好\n".encode("gbk"), False),
        ("main.py", b"# coding: nonsense\n", True),
        ("main.py", "print(1)\n".encode("utf-16"), True),
        ("main.py", "print(1)\n".encode("utf-16-le"), True),
        ("main.py", "# 你好\n".encode("utf-8-sig"), False),
        ("BOT.PY", b"# \xff\n", True),
        ("more/lib.py", b"# \xff\n", True),
        ("bot.cpp", "int main() {}\n".encode("utf-16"), True),
        ("bot.cpp", "// 你好\n".encode("gbk"), False),
        ("data.txt", b"\xff", False),
    ],
)
def test_a_source_that_is_not_read_is_named(name: str, content: bytes, refused: bool, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    words = f"its source {Path(name).name!r} is not UTF-8: save it as UTF-8"
    assert encoding_of(tmp_path) == (words if refused else "")


def test_a_source_that_the_compiler_does_not_read_is_saved_otherwise_and_not_mended(tmp_path: Path) -> None:
    (tmp_path / "bot.cpp").write_bytes("int main() {}\n".encode("utf-16"))
    with pytest.raises(HandedInError, match=r"^its source 'bot\.cpp' is not UTF-8: save it as UTF-8$"):
        build_program(tmp_path)


def test_a_makefile_makes_the_program_and_what_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:\n\tcp base bot && chmod +x bot\n")
    (tmp_path / "base").write_text("#!/bin/sh\n")
    assert build_program(tmp_path) == tmp_path / "bot"
    (tmp_path / "Makefile").write_text("all:\n\t@echo 'x.c:3: error: no such thing' >&2; false\n")
    with pytest.raises(HandedInError, match=r"^it does not compile: x\.c:3: error: no such thing$"):
        build_program(tmp_path)
    (tmp_path / "Makefile").write_text("all:\n\t@echo 'x.cpp:1: error: json/json.h: not found' >&2; false\n")
    with pytest.raises(HandedInError, match=r"jsoncpp is the package libjsoncpp-dev$"):
        build_program(tmp_path)


def test_on_windows_what_must_be_compiled_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "ON_WINDOWS", True)
    (tmp_path / "bot.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(HandedInError, match=r"^it must be compiled, which Windows does not do here"):
        build_program(tmp_path)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (("a.py", "b.py"), "which of a.py, b.py begins"),
        (("data",), "neither a Makefile nor a source"),
    ],
)
def test_a_folder_that_is_no_program_says_why(tmp_path: Path, files: tuple[str, ...], problem: str) -> None:
    for name in files:
        (tmp_path / name).write_text("")
    with pytest.raises(HandedInError, match=problem):
        build_program(tmp_path)


def test_no_program_is_taken_for_a_person(tmp_path: Path) -> None:
    for name in ("person.py", "rule.py"):
        (tmp_path / name).write_text(GOOD)
    assert [one.name for one in handed_in(tmp_path)] == ["person.py", "rule"]


@pytest.mark.whole
def test_programs_are_made_once_and_start_where_they_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    field = tmp_path / "field"
    field.mkdir()
    (field / "anna.py").write_text(GOOD.replace("sys.stdin.readline()", "sys.stdin.read()"))
    (field / "broken.zip").write_text("no zip")
    said: list[str] = []
    found = field_of(field, (), "mini", 1, said.append)
    assert said == [
        "broken does not play: it is no whole zip file (File is not a zip file)",
        "1 of 2 does not play; the next start judges it again.",
    ]
    (anna,) = found.contestants
    command = anna.command
    assert anna.spec == "anna" and command[0] == sys.executable and Path(command[1]).parent == Path(anna.home)
    made = os.stat(command[1]).st_mtime_ns
    assert field_of(field, (), "mini", 1, said.append) == found
    assert os.stat(command[1]).st_mtime_ns == made


def test_a_program_that_does_not_play_is_told_before_all_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    field = tmp_path / "field"
    field.mkdir()
    (field / "a.zip").write_text("no zip")
    for name in ("b.py", "c.py"):
        (field / name).write_text(f"{GOOD}# {name}\n")
    last = tmp_path / "state" / "ddzbot" / "field" / digest_of(field / "c.py")
    known: list[tuple[str, bool]] = []

    def forecast(programs: int, fresh: int) -> list[str]:
        return [f"{programs} programs, {fresh} fresh"]

    def play() -> list[tuple[str, bool]]:
        known.clear()
        field_of(field, (), "botzone", 1, lambda line: known.append((line, last.exists())), forecast=forecast)
        return known[:2]

    checks: list[str] = []

    def seen(words: Sequence[str], game: str) -> Checked:
        checks.append(game)
        return Checked("", [], ["--fast"], 0.25)

    monkeypatch.setattr(entries, "run_in_pool", in_turn)
    monkeypatch.setattr(entries, "check_program", seen)
    refused = "a does not play: it is no whole zip file (File is not a zip file)"
    assert play() == [("3 programs, 3 fresh", False), (refused, False)]
    # What was checked before is not fresh, and plays as it was found to.
    assert play() == [("3 programs, 1 fresh", True), (refused, True)]
    found = field_of(field, (), "botzone", 1, lambda line: None)
    assert [one.command[-1] for one in found.contestants] == ["--fast"] * 2 and found.seconds == {"b": 0.25, "c": 0.25}
    assert checks == ["FightTheLandlord"] * 2


def in_turn(_jobs: int, function: Any, tasks: list[Any], done: Any, **_options: Any) -> None:
    for task in tasks:
        done(task, function(task))


@pytest.mark.parametrize(
    ("bot", "options"),
    [
        ("arena/new/bot.py", []),
        ("../bot.py", ["--keep-running"]),
        ("obedient_one_shot.py", []),
        ("obedient_keep_running.py", []),
    ],
)
@pytest.mark.parametrize("fails", [False, True])
def test_a_program_that_can_be_kept_running_is(
    bot: str, options: list[str], fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failed(bench: Bench, steps: str = "") -> dict[str, str]:
        kept = bench.keep_command is not None and bench.keep_command != bench.command
        return {"keep-running": "it does not"} if fails and kept else {}

    monkeypatch.setattr(entries, "_failures", failed)
    path = ROOT / "tools" / bot if "/" in bot else ROOT / "tests" / "bots" / bot
    found = check_program([sys.executable, str(path)], "FightTheLandlord")
    assert (found.options, found.notes, found.problem) == ([] if fails else options, [], "")


def test_a_class_says_what_it_does_and_how_long_that_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "_turn", lambda: 0.1)
    rounds = Rounds(4, 32, 2, 2)
    first, second = forecast.before_the_check(10, 6, 2, rounds)
    assert first == (
        "10 programs: 6 to compile and check, and then 66 pairs x 4 sets of 2 games, neighbours in Elo up to 32 sets."
    )
    # 6 checks of 200 turns, and 45 pairs of 8 games of 27 turns of 0.1 s, 20 more with half of them of ours.
    assert "takes 0.10 s here" in second
    assert "about 60 seconds for the check and about 10 minutes for the sets of every pair, with --jobs 2;" in second
    assert forecast.before_the_games({"a": 0.1, "b": 0.3}, 0, rounds) == (
        "By the turns of the check the sets of every pair take about 22 seconds with --jobs 2."
    )
    times = [forecast.duration(seconds) for seconds in (0, 89, 90, 569, 571, 5399, 5400, 360_000)]
    assert times == [
        *("a few seconds", "about 89 seconds", "about 1.5 minutes", "about 9.5 minutes", "about 10 minutes"),
        *("about 90 minutes", "about 1.5 hours", "about 100 hours"),
    ]


def play_field(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    programs: dict[str, str],
    *ours: str,
    called: str = "class",
    rules: str = "mini",
) -> Result:
    """Plays a field of so many programs, for which players of ours sit in; a program with a problem plays not."""
    entries = tuple(Entry(name, "", problem) for name, problem in programs.items())
    playing_ones = tuple(parse_contestant(one.name) for one in entries if not one.problem)
    monkeypatch.setattr(class_of_programs, "field_of", lambda *arguments: Field(entries, playing_ones, {}))
    monkeypatch.chdir(folder)
    (folder / called).mkdir(exist_ok=True)
    words = [called, *ours, "--rules", rules, "--sets", "2-4", "--jobs", "1", "--quiet"]
    with in_this_process():
        return CliRunner().invoke(class_of_programs.main, words, env={"COLUMNS": "150"})


def test_a_field_of_two_is_a_match_of_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = play_field(tmp_path, monkeypatch, {"random": "", "rule": "", "broken": "no"})
    assert done.exit_code == 0, done.output
    assert "random against rule" in done.output and "sets 4 " in done.output
    assert "broken: does not play" in done.stdout
    assert read(tmp_path / "class.json").plan.kind == "field" and (tmp_path / "class.html").exists()
    more = play_field(tmp_path, monkeypatch, {"random": "", "rhcp": "", "rule": ""})
    assert more.exit_code == 0, more.output


@pytest.mark.parametrize(
    ("programs", "said"),
    [
        ({"rule": ""}, "class class: 1 of its 1 programs plays; name a player of ours to meet: "),
        ({"rule": "", "x": "no"}, "class class: 1 of its 2 programs plays; name a player of ours to meet: "),
        ({"x": "no", "y": "no"}, "class class: none of its programs plays; name a player of ours to meet: "),
    ],
)
def test_a_field_of_one_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: dict[str, str], said: str
) -> None:
    done = play_field(tmp_path, monkeypatch, programs)
    assert done.exit_code == 2 and said in done.output and "class class rule" in done.output
    assert "Usage" not in done.output
    assert play_field(tmp_path, monkeypatch, {"rule": ""}, "random").exit_code == 0


@pytest.mark.whole
def test_the_table_and_the_page_have_all_that_was_handed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = os.fsdecode(b"\xce\xd2")
    programs = {"random": "", "rhcp": "", "rule": "", "broken": "it does not compile: no"}
    done = play_field(tmp_path, monkeypatch, programs, called=name)
    assert done.exit_code == 0, done.output
    said = CliRunner().invoke(report.main, [str(tmp_path / f"{name}.json")], env={"COLUMNS": "150"}).stdout
    for shown in (done.stdout, said):
        (line,) = (line for line in shown.splitlines() if "broken" in line)
        assert [cell.strip() for cell in line.split("│")[1:4]] == ["-", "broken", "does not play"]
        assert shown.index("broken") > max(shown.index(f"│ {other}") for other in ("random", "rhcp", "rule"))
    table = tmp_path / "class.csv"
    CliRunner().invoke(report.main, [str(tmp_path / f"{name}.json"), "--csv", str(table)])
    *_, last = csv.DictReader(table.read_text("utf-8").splitlines())
    assert (last["name"], last["faults"], last["rank"]) == ("broken", "does not play: it does not compile: no", "")
    match_of_page = data_in(tmp_path / f"{name}.html")["match"]
    assert (match_of_page["title"], match_of_page["name"]) == ("", "\\xce\\xd2") and match_of_page["auction"] is False
    date.fromisoformat(match_of_page["date"])
    assert all(one["first sets"] == 4 <= one["sets"] for one in match_of_page["players"])


def test_why_a_program_does_not_play_is_kept_as_a_message_and_shown_in_both_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(entries, "run_in_pool", in_turn)
    (tmp_path / "main.py").write_text("print('x')\n")
    said: list[str] = []
    (entry,) = field_of(tmp_path, (), "botzone", 1, said.append).entries
    assert entry.problem and "printed no JSON: 'x' (NJ); let it print one line" in entry.problem
    assert translate(said[0]).startswith("main 不能参赛：FightTheLandlord，先出牌：")
    why, note = entry.problem, Message("{step}: {sentence}", step="exit", sentence=Message("there is no response"))
    plan = everybody.Field.of("mini", ("rule", "random"), 1, 1)
    part = Part(("rule", "random"), 1, entries=(entry, Entry("rule", "", None, (note,))))
    put(tmp_path / "r.json", [line_of(Head.of(plan)), line_of(part)])
    programs = read(tmp_path / "r.json").parts[0].entries
    write_page(tmp_path / "p.html", results_of(Progress(plan, [[]])), None, programs, None, [])
    match = data_in(tmp_path / "p.html")["match"]
    assert match["out"] == [{"name": "main", "problem": [why, chinese(why)]}] and chinese(why).startswith("FightThe")
    assert [player["check"] for player in match["players"] if player["name"] == "rule"] == [[[note, chinese(note)]]]
