"""Each hand-in of a class is judged alone: a fault of one is reported, and costs the others nothing."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.arena.hostile import GOOD, HONEST, HOSTILE, SPILL, encrypted, hand_in, makefile, nested, spoiled, zipped
from tests.support import ROOT, require
from tools.arena.field import entries
from tools.arena.field.build import build_program, files_made
from tools.arena.field.entries import Field, field_of
from tools.arena.field.handed_in import HandedInError, copy_program
from tools.arena.files.results_file import read
from tools.judge.process_memory import high_water_mib
from tools.programs.sandbox import why_open
from tools.shared.language import chinese
from tools.shared.message import Message

MIB = 1 << 20
DAMAGED = "it is no whole zip file ("
TOO_MUCH = "it has more than 64 MiB or 2000 files"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "ddzbot" / "field"


@pytest.fixture(autouse=True)
def gone(tmp_path: Path) -> Iterator[None]:
    """Python 3.12 and older cannot remove folders that are so deep, and pytest fails where they stay."""
    yield
    subprocess.run(["rm", "-rf", str(tmp_path / "class")], check=True)


@pytest.fixture
def field(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "anna.py").write_text(GOOD)
    return folder


def judged(field: Path, again: tuple[str, ...] = ()) -> Field:
    return field_of(field, (), "mini", 1, has_chinese, again=again)


def has_chinese(sentence: str) -> None:
    """Every sentence on the screen has its Chinese, unless the system's own English stands in it."""
    assert isinstance(sentence, Message), sentence
    of_system = ("File name too long", "Too many levels of symbolic links", "Value too large")
    assert chinese(sentence) or any(reason in sentence for reason in of_system), sentence


def problems(field: Path) -> dict[str, str]:
    """Gets why each hand-in does not play that lies beside a good one, which does."""
    judgement = judged(field)
    assert [one.spec for one in judgement.contestants] == ["anna"]
    refused = {one.name: one.problem for one in judgement.entries if one.name != "anna"}
    assert all(said and said.isprintable() and len(said) < 400 for said in refused.values())
    return refused


def problem(field: Path) -> str:
    """Gets why the one hand-in does not play that lies beside a good one."""
    (said,) = problems(field).values()
    return said


def link_of_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        link = zipfile.ZipInfo("main.py")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        packed.writestr(link, "/etc/passwd")


def listed(path: Path) -> None:
    """A zip with a list of 30,000 files, all of which are empty."""
    with zipfile.ZipFile(path, "w") as packed:
        for number in range(30_000):
            packed.writestr(f"{number}.py", b"")


def lying(path: Path) -> None:
    """A zip that declares 60 MiB as 10 bytes."""
    content = bytearray(zipped(path, {"main.py": b"0" * (60 * MIB)}).read_bytes())
    for at in (content.index(b"PK\x03\x04") + 22, content.index(b"PK\x01\x02") + 24):
        content[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(content)


ZIPS: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: spoiled(path, zipfile.ZIP_DEFLATED), DAMAGED),
    (lambda path: spoiled(path, zipfile.ZIP_BZIP2), "it is packed in a way that few programs read"),
    (spoiled, "it is packed in a way that few programs read"),
    (encrypted, "it is encrypted: hand it in without a password"),
    (lambda path: path.write_bytes(zipped(path, {"main.py": GOOD.encode()}).read_bytes()[:-30]), DAMAGED),
    (lambda path: zipped(path, {"main.py": b"0" * (65 * MIB)}), TOO_MUCH),
    (lambda path: zipped(path, {f"{number}.py": b"" for number in range(2001)}), TOO_MUCH),
    (listed, TOO_MUCH),
    (lying, DAMAGED),
    (lambda path: zipped(path, {"/etc/main.py": b""}), "its file '/etc/main.py' lies outside of it"),
    (lambda path: zipped(path, {"a/../../main.py": b""}), "its file 'a/../../main.py' lies outside of it"),
    (lambda path: zipped(path, {"d/" * 40 + "main.py": b""}), "it has folders in folders, more than 32 deep"),
    (lambda path: zipped(path, {"x" * 300 + ".py": b""}), f"its file '{'x' * 100}' cannot be made: File name too"),
    (lambda path: zipped(path, {"a": b"", "a/b.py": b""}), "its file 'a/b.py' cannot be made: a file and a folder"),
    (lambda path: zipped(path, {"a\n\x1b[2J.py": b"", "b.py": b""}), "which of a\\x0a\\x1b[2J.py, b.py begins?"),
    (link_of_zip, "there is neither a Makefile nor a source nor a program that may be run"),
]


@pytest.mark.whole
def test_a_zip_that_cannot_be_taken_is_refused_alone(field: Path) -> None:
    for number, (make, _) in enumerate(ZIPS):
        make(field / f"odd{number}.zip")
    refused = problems(field)
    assert refused.keys() == {f"odd{number}" for number in range(len(ZIPS))}
    for number, (_, why) in enumerate(ZIPS):
        assert refused[f"odd{number}"].startswith(why), number


def many(folder: Path) -> None:
    folder.mkdir()
    for number in range(10_001):
        (folder / str(number)).symlink_to("nowhere")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


FILES: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: nested(path, 1100), "it has folders in folders, more than 32 deep"),
    (many, TOO_MUCH),
    (huge, TOO_MUCH),
    (lambda path: os.mkfifo(path), "it is neither a file nor a folder"),
    (bound, "it is neither a file nor a folder"),
    (lambda path: path.symlink_to("/dev/zero"), "it is neither a file nor a folder"),
    (lambda path: path.symlink_to("nowhere"), "it cannot be read, or not kept: No such file or directory"),
    (lambda path: path.symlink_to(path), "it cannot be read, or not kept: Too many levels of symbolic links"),
    (lambda path: path.mkdir(), "there is neither a Makefile nor a source nor a program that may be run"),
]


@pytest.mark.whole
def test_whatever_lies_there_is_named_with_its_reason(field: Path) -> None:
    for number, (make, _) in enumerate(FILES):
        make(field / os.fsdecode(b"\xce%d.py" % number))
    refused = {name.removesuffix(".py"): why for name, why in problems(field).items()}
    assert refused.keys() == {f"\\xce{number}" for number in range(len(FILES))}
    for number, (_, why) in enumerate(FILES):
        assert refused[f"\\xce{number}"].startswith(why), number


@pytest.mark.whole
@pytest.mark.parametrize("inside", ["", "\udcce\udcd2/", "more/"])
def test_a_name_that_is_no_text_plays_like_any_other(field: Path, inside: str) -> None:
    path = field / os.fsdecode(b"\xce\xd2\n\xb5\xc4" if inside else b"\xce\xd2\n.py")
    if inside:
        (path / inside).mkdir(parents=True)
        path = path / inside / os.fsdecode(b"\xb5\xc4.py")
    path.write_text(f"{GOOD}\n# another\n")
    name = "\\xce\\xd2\\x0a\\xb5\\xc4" if inside else "\\xce\\xd2\\x0a"
    _, one = sorted(judged(field).contestants, key=lambda one: one.spec == name)
    assert one.spec == name
    assert one.command[-1].isprintable() and Path(one.command[-1]).read_text() == f"{GOOD}\n# another\n"


def test_what_vanishes_or_changes_while_it_is_read_is_refused_alone(
    field: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (field / "bob.py").write_text(GOOD)
    (task,) = (entries._Task(one, "", False) for one in entries.handed_in(field) if one.name == "bob")
    whole = entries.digest_of

    def changed(path: Path) -> str:
        digest = whole(path)
        path.write_text("another")
        return digest

    monkeypatch.setattr(entries, "digest_of", changed)
    assert entries._judge_safely(task).problem == "it changed while it was read"
    (field / "bob.py").unlink()
    assert entries._judge_safely(task).problem == "it cannot be read, or not kept: No such file or directory"


@pytest.mark.parametrize("error", [RuntimeError("\ud800\n"), MemoryError(), RecursionError("x" * 9000)])
def test_an_error_that_is_not_foreseen_is_the_problem_of_one(
    field: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> str:
        raise error

    monkeypatch.setattr(entries, "digest_of", fail)
    said = entries._judge_safely(entries._Task(entries.handed_in(field)[0], "", False)).problem
    assert said.startswith(f"it cannot be judged: {type(error).__name__}: ") and len(said) < 400
    assert said.isprintable()


def test_what_ends_every_process_that_reads_it_is_named(field: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (field / "eve.py").write_text("eve")

    def pool(jobs: int, function: Any, tasks: Any, done: Any, name: Any, lost: Any) -> None:
        for task in tasks:
            done(task, lost(task, "killed by SIGKILL") if task.entry.name == "eve" else function(task))

    monkeypatch.setattr(entries, "run_in_pool", pool)
    assert problem(field) == "it ends every process that reads it, the last one killed by SIGKILL"


@pytest.mark.parametrize(
    "printed",
    [
        b"\x1f\x8b\x08 gzip",
        b"3 1 5\nbo",
        b"3 1 99999999\nbot",
        b"3 2 1\nbotx",
        b"6 0 0\n../botx",
        b"4 0 0\n/bot",
        b"3 0 0\nb\0t",
        b"0 0 0\n",
        b"99999 0 0\n",
        b"1 0 0\nx" * 2001,
    ],
)
def test_what_a_makefile_prints_for_the_reader_is_refused(printed: bytes) -> None:
    with pytest.raises(HandedInError):
        [*files_made(printed)]


@pytest.mark.whole
def test_a_makefile_that_writes_where_the_program_is_handed_over_is_refused(tmp_path: Path) -> None:
    makefile(tmp_path / "spill", "spill.py", "python3 spill.py", SPILL)
    with pytest.raises(HandedInError, match="what its compiling handed over cannot be read"):
        build_program(tmp_path / "spill")
    makefile(tmp_path / "much", "x", "head -c 70000000 /dev/zero > bot; chmod +x bot", "")
    with pytest.raises(HandedInError, match="to compile it makes more than 64 MiB"):
        build_program(tmp_path / "much")


@pytest.mark.whole
def test_what_a_missing_compiler_refused_plays_when_there_is_one(
    field: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(shutil.which("gcc"), "gcc")
    (field / "carl.c").write_text("int main(void) { return 0; }\n")
    with monkeypatch.context() as poor:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "sh").symlink_to(shutil.which("sh") or "")
        poor.setenv("PATH", str(tmp_path / "bin"))
        assert "gcc: not found" in problem(field)
    assert [one.spec for one in judged(field).contestants] == ["anna", "carl"]


def test_what_the_check_refused_is_checked_again(field: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = entries._Task(entries.handed_in(field)[0], "FightTheLandlord", False)
    for problem_of_check in ("its first answer took 7 s", "", "it is not checked a third time"):
        monkeypatch.setattr(
            entries, "check_program", lambda *_, said=problem_of_check: entries.Checked(said, ["odd"], [], 0.0)
        )
        found = entries._judge_safely(task)
        assert found.problem == ("" if problem_of_check.startswith("it is") else problem_of_check)
        assert found.notes == ["odd"]


@pytest.mark.whole
def test_again_judges_what_is_kept_anew(field: Path, state: Path) -> None:
    (anna,) = judged(field).contestants
    (state / "0123.999999999").mkdir()
    before = os.stat(anna.command[-1]).st_ino, os.stat(anna.command[-1]).st_mtime_ns
    assert judged(field).contestants == (anna,)
    assert (os.stat(anna.command[-1]).st_ino, os.stat(anna.command[-1]).st_mtime_ns) == before
    assert judged(field, ("anna",)).contestants == (anna,)
    assert (os.stat(anna.command[-1]).st_ino, os.stat(anna.command[-1]).st_mtime_ns) != before
    assert [one.name for one in (state / anna.digest).iterdir() if one.is_dir()] == ["program"]
    assert [one.name for one in state.iterdir()] == [anna.digest], "what a killed process left is gone"
    with pytest.raises(ValueError, match="--replay-pairs bob: it does not play; there are anna"):
        judged(field, ("bob",))


def peak_of(pid: int) -> float:
    """
    Gets the most MiB that the process or one that it has started has had since its program was loaded.

    What the system reports of a process that has ended counts from the fork on, and so the memory of pytest.
    """
    with contextlib.suppress(psutil.Error):
        top = psutil.Process(pid)
        return max(high_water_mib(one.pid) for one in (top, *top.children(recursive=True)))
    return 0.0


def size_of(*folders: Path) -> int:
    found = 0
    for folder in folders:
        for above, _, names in os.walk(folder):
            for name in names:
                try:
                    found += os.lstat(os.path.join(above, name)).st_blocks * 512
                except OSError:
                    continue  # it has just been removed
    return found


@pytest.mark.whole
@pytest.mark.timeout(1800)
def test_nine_are_handed_in_and_the_three_that_play_play(tmp_path: Path, state: Path) -> None:
    require(not why_open(), "bubblewrap")
    field, out = tmp_path / "class", tmp_path / "out"
    field.mkdir()
    out.mkdir()
    hand_in(field)
    program = "import tools.arena.class_of_programs as t; t.main()"
    options = ["--rules", "mini", "--sets", "1-1", "--seed", "5", "--jobs", "2", "--quiet"]
    words = [sys.executable, "-c", program, str(field), *options]
    own = {name: value for name, value in os.environ.items() if name != "DDZ_SANDBOX"}
    env = {**own, "PYTHONPATH": str(ROOT), "COLUMNS": "150"}
    with (tmp_path / "said").open("w+") as said:
        started = subprocess.Popen(words, cwd=out, env=env, stdout=said, stderr=said)
        most, peak = 0, 0.0
        while started.poll() is None:
            most, peak = max(most, size_of(out, state)), max(peak, peak_of(started.pid))
            time.sleep(0.2)
        said.seek(0)
        text = said.read()
    print(text, f"peak {peak:.0f} MiB of memory, {most / MIB:.1f} MiB of the disk")
    assert started.returncode == 0, text
    found = read(out / "class.json")
    assert sorted(found.plan.names) == HONEST and all(map(len, found.rows_of(found.plan)))
    problems = {one.name: one.problem for one in found.parts[0].entries if one.problem}
    assert problems.keys() == HOSTILE.keys()
    assert all(problems[name] == why for name, why in HOSTILE.items() if why)
    assert all(f"{name} does not play: {why}" in text for name, why in problems.items())
    assert 20 < peak < 400, "MiB of the greatest process"
    assert most < 20 * MIB


def test_a_zip_that_lies_of_its_size_costs_no_memory(tmp_path: Path) -> None:
    lying(tmp_path / "odd.zip")
    tracemalloc.start()
    with pytest.raises(HandedInError, match="it is no whole zip file"):
        copy_program(tmp_path / "odd.zip", tmp_path / "copy")
    assert tracemalloc.get_traced_memory()[1] < 5 * MIB
    tracemalloc.stop()
