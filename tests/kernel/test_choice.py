"""Which kernel is found, and that neither import nor choice is seen from outside."""

import ctypes
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ddzbot import kernel as package
from ddzbot.game import shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.checksum import checksum_fault, with_checksum
from ddzbot.kernel.library import FILE_NAME, STATUS_NAMES, VERSION, Memory, places
from ddzbot.kernel.rng import Generator
from ddzbot.kernel.system import here, made_for, why_foreign
from ddzbot.rules import BOTZONE, KIND_NAMES, STANDARD
from tests.kernel.reference import Reference
from tests.support import ROOT, find_python, require
from tools.shared import compiling

HEADER = (compiling.SOURCES / "include" / "ddz_kernel.h").read_text("utf-8")
OTHER_KERNEL = "unsigned ddz_version(void) { return 999; }"

# Runs under any Python: plays with the kernel, if there is one, and prints what came out.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from ddzbot import game, kernel, rules
from ddzbot.kernel.rng import Generator
dealt = game.start(game.shuffled(rules.STANDARD, "any python"))
if kernel.native():
    print([tuple(move) for move in kernel.native().legal_moves(dealt.rules, dealt.hands[0])])
    print(tuple(kernel.native().playouts(dealt, 3, Generator(5))))
print(kernel.describe())
"""


def enumeration(first: str, last: str) -> list[str]:
    """Gets the names of an enumeration of the header, in order."""
    text = re.search(rf"\b{first},.*?\b{last}\b", HEADER, re.DOTALL)
    assert text
    return re.findall(r"DDZ_(\w+)", re.sub(r"/\*.*?\*/", "", text[0], flags=re.DOTALL))


def run(python: str, **environment: str) -> list[str]:
    """Runs PROGRAM and returns its lines; it must not write to stderr."""
    command = [python, "-c", PROGRAM, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_header_and_rules_number_the_kinds_alike() -> None:
    assert [name.lower() for name in enumeration("DDZ_PASS", "DDZ_UNKNOWN")] == list(KIND_NAMES)


def test_header_and_binding_number_the_statuses_alike() -> None:
    names = [name.lower().replace("_", " ") for name in enumeration("DDZ_OK", "DDZ_SHORT_BUFFER")]
    assert [name.replace("random", "random generator") for name in names] == list(STATUS_NAMES)


def test_header_and_binding_have_the_same_version() -> None:
    assert f"#define DDZ_VERSION {VERSION}u" in HEADER


def test_the_environment_can_forbid_the_kernel(kernel: Kernel) -> None:
    choice = package.choose({"DDZ_NO_KERNEL": "1", "DDZ_KERNEL": kernel.library.path})
    assert choice.kernel is None
    assert choice.description == "no kernel: DDZ_NO_KERNEL is set"


def test_memory_is_all_of_an_array_where_that_is_aligned() -> None:
    """The struct of PyPy writes to a whole array, and to no part of one."""
    memories = [Memory(size) for size in (0, 1, 8, 24, 3000)]
    assert [len(memory.bytes) for memory in memories] == [8, 8, 8, 24, 3000]
    for memory in memories:
        assert memory.address % 8 == 0 and memory.bytes.nbytes == ctypes.sizeof(memory.bytes.obj)  # type: ignore[arg-type]


def test_the_environment_can_name_a_kernel(kernel: Kernel) -> None:
    choice = package.choose({"DDZ_KERNEL": kernel.library.path})
    assert choice.kernel is not None
    assert choice.description == f"kernel {VERSION} {kernel.library.path}"


def test_a_kernel_is_looked_for_beside_the_module_and_then_in_build() -> None:
    beside, build = str(ROOT / "ddzbot" / "kernel" / FILE_NAME), str(ROOT / "build" / FILE_NAME)
    assert list(places({})) == [beside, build]
    assert list(places({"DDZ_KERNEL": "mine.so"})) == ["mine.so", beside, build]


def test_a_file_that_is_no_library_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tmp_path / "text.so"
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [str(text)])
    for content, fault in (
        (b"no library", "it has no checksum"),
        (with_checksum(b"no library"), "this is not a kernel"),
    ):
        text.write_bytes(content)
        choice = package.choose({})
        assert choice.kernel is None
        assert choice.description.startswith(f"no kernel: {text}: {fault}")


def test_a_reason_names_a_file_of_the_project_from_its_folder_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ddzbot.files.ROOT", str(tmp_path))
    path = tmp_path / "build" / "text.so"
    path.parent.mkdir()
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [str(path)])
    for content, fault in (
        (b"no library", "it has no checksum"),
        (with_checksum(b"no library"), "this is not a kernel: "),
    ):
        path.write_bytes(content)
        said = package.choose({}).description
        assert said.startswith(f"no kernel: {os.path.join('build', 'text.so')}: {fault}")
        assert str(tmp_path) not in said


@pytest.mark.parametrize(
    ("head", "system"),
    [
        (b"\x7fELF\2\1" + bytes(10) + b"\3\0\x3e\0", "Linux on x86-64"),
        (b"\x7fELF\2\1" + bytes(10) + b"\3\0\xb7\0", "Linux on arm64"),
        (b"\x7fELF\2\1" + bytes(10) + b"\3\0\xf3\0", ""),  # RISC-V, for which there is no kernel
        (b"\xcf\xfa\xed\xfe\7\0\0\1", "macOS on x86-64"),
        (b"\xcf\xfa\xed\xfe\x0c\0\0\1", "macOS on arm64"),
        (b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0\x64\x86", "Windows on x86-64"),
        (b"MZ" + bytes(58) + b"\x40\0\0\0PE\0\0\x64\xaa", "Windows on arm64"),
        (b"no library", ""),
        (b"MZ", ""),
        (b"", ""),
    ],
)
def test_a_library_says_which_system_it_is_for(head: bytes, system: str) -> None:
    assert made_for(head) == system
    assert why_foreign(head) == (f"it is for {system}, and this is {here()}" if system not in ("", here()) else "")


def test_a_kernel_for_another_processor_says_so(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = Path(kernel.library.path).read_bytes()
    system, processor = made_for(content).split(" on ")
    assert why_foreign(content) == "", "it is for this one"
    number, other = (b"\x3e", "x86-64") if processor == "arm64" else (b"\xb7", "arm64")
    path = tmp_path / FILE_NAME
    path.write_bytes(with_checksum(content[:18] + number + content[19 : -len(with_checksum(b""))]))
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [str(path)])
    said = package.choose({}).description
    assert said == f"no kernel: {path}: it is for {system} on {other}, and this is {system} on {processor}"


@pytest.mark.parametrize("how", ["flip", "cut"])
def test_a_damaged_kernel_is_never_loaded(kernel: Kernel, how: str) -> None:
    content = Path(kernel.library.path).read_bytes()
    chance = random.Random(7)
    assert checksum_fault(content) == ""
    for _ in range(300):
        place = chance.randrange(len(content))
        bit = 1 << chance.randrange(8)
        damaged = content[:place] + (bytes([content[place] ^ bit]) + content[place + 1 :] if how == "flip" else b"")
        assert checksum_fault(damaged) != ""
    assert checksum_fault(b"") != "" and checksum_fault(content + b"x") != ""


def test_a_damaged_kernel_is_passed_over_and_that_is_said(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = Path(kernel.library.path).read_bytes()
    damaged = tmp_path / "damaged.so"
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [str(damaged)])
    for place in range(64, len(content) - 75, len(content) // 8):
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 16]) + content[place + 1 :])
        assert package.choose({}).description == f"no kernel: {damaged}: it is damaged: its content has another hash"


@pytest.mark.parametrize(
    ("source", "fault"),
    [(OTHER_KERNEL, f"this kernel has version 999, not {VERSION}"), ("int x;", "this is not a kernel")],
)
def test_another_library_is_passed_over(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, fault: str
) -> None:
    library = tmp_path / "other.so"
    compiler = compiling.find_compiler(os.environ)
    command = [*compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(command, input=source, text=True, check=True)
    library.write_bytes(with_checksum(library.read_bytes()))
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [str(library), kernel.library.path])
    choice = package.choose({})
    assert choice.kernel is not None and fault in choice.passed_over
    assert choice.description == f"kernel {VERSION} {kernel.library.path} ({choice.passed_over})"
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [str(library)])
    assert fault in package.choose({}).description


@pytest.mark.parametrize(
    ("name", "fault"), [("nowhere.so", "DDZ_KERNEL={}: there is no such file"), ("text.so", "{}: it has no checksum")]
)
def test_a_named_file_that_is_no_kernel_is_passed_over_with_a_message(
    kernel: Kernel, name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.so").write_text("no library")
    wrong = str(tmp_path / name)
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [wrong, kernel.library.path])
    choice = package.choose({"DDZ_KERNEL": wrong})
    assert choice.kernel is not None and choice.passed_over.startswith(fault.format(wrong))
    assert choice.description == f"kernel {VERSION} {kernel.library.path} ({choice.passed_over})"
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [wrong])
    assert package.choose({"DDZ_KERNEL": wrong}).description == f"no kernel: {choice.passed_over}"


def test_a_folder_of_which_nothing_may_run_is_no_reason_to_go_without(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(sys.platform == "linux", "Linux")
    path, load = kernel.library.path, ctypes.PyDLL

    def load_elsewhere(name: str) -> ctypes.PyDLL:
        if name == path:
            raise OSError("failed to map segment from shared object: Operation not permitted")
        return load(name)

    monkeypatch.setattr(ctypes, "PyDLL", load_elsewhere)
    monkeypatch.setattr("ddzbot.kernel.library.places", lambda environment: [path])
    choice = package.choose({})
    assert choice.description == f"kernel {VERSION} {path}"
    assert choice.kernel is not None and choice.kernel.library.path.startswith("/proc/self/fd/")
    monkeypatch.setattr("ddzbot.files._in_memory", lambda content: None)
    assert "failed to map segment" in package.choose({}).description


def test_the_choice_of_a_process_is_made_once() -> None:
    assert package.current_choice() is package.current_choice()
    assert package.native() is package.current_choice().kernel
    assert package.describe() == package.current_choice().description


def test_the_import_alone_loads_no_ctypes() -> None:
    program = "import sys; before = set(sys.modules); import ddzbot.kernel; print('ctypes' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.parametrize("version", ["3.6", "3.13"])
def test_one_library_serves_every_python_and_agrees_with_the_reference(kernel: Kernel, version: str) -> None:
    python = require(find_python(version), f"CPython {version}")
    moves, totals, choice = run(python, DDZ_KERNEL=kernel.library.path)
    dealt = start(shuffled(STANDARD, "any python"))
    assert moves == str([tuple(move) for move in Reference().legal_moves(STANDARD, dealt.hands[0])])
    assert totals == str(tuple(Reference().playouts(dealt, 3, Generator(5))))
    assert choice == f"kernel {VERSION} {kernel.library.path}"
    assert run(python, DDZ_NO_KERNEL="1") == ["no kernel: DDZ_NO_KERNEL is set"]


def test_a_missing_kernel_is_no_word_on_stderr(tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("no library")
    assert run(sys.executable, DDZ_KERNEL=str(text))[-1].partition(" ")[0] in ("kernel", "no")


def test_a_generator_continues_where_the_kernel_left_it(kernel: Kernel) -> None:
    ours, theirs = Generator(1), Generator(1)
    drawn = [kernel.random_move(BOTZONE, 0x1111, None, ours).cards, ours.below(1000)]
    assert drawn == [Reference().random_move(BOTZONE, 0x1111, None, theirs).cards, theirs.below(1000)]
