"""Makes a program of sources, in the sandbox: a compiler or a Makefile touches no file of this machine."""

import codecs
import os
import re
import shlex
import sys
import tempfile
import time
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from ddzbot.protocol.last_resort import shortened

from ...judge.process_exchange import End, Exchange, LiveBot, Rules
from ...judge.process_group import ProcessGroup
from ...judge.process_memory import MemoryMeter
from ...shared.bounds import LONGEST_REASON
from ...shared.commands import COMPILED, MAINS, MAKEFILES
from ...shared.message import Message
from ...shared.plain import plain_name
from ...shared.shell import ON_WINDOWS
from .handed_in import MOST_BYTES, MOST_FILES, UPLOAD, File, HandedInError, within, write

SCRIPT = ".py"
SECONDS = 300.0
"""On a machine that much else runs on."""
_MIB = 1024
_FLAGS = "-O2 -w -I. -I/usr/include/jsoncpp"
_JSON = ("jsoncpp/json.h", "json/json.h")
"""The library that the site has for C++; there its header is called as the first of these."""
_INSIDE = Path(__file__).with_name("inside.py")
_HEAD = re.compile(rb"(\d{1,4}) ([01]) (\d{1,9})\n")
_HEADS = 1 << 20
"""Bytes of the lines and names between files."""


def build_program(folder: Path) -> Path:
    """
    Compiles what lies in *folder*, and gets the program, which lies there too.

    :raises HandedInError: for what is no program, or does not compile, with the compiler's first error.
    :raises OSError: for what cannot be read or written.
    """
    files = sorted(file.name for file in folder.iterdir() if file.is_file())
    if any(makefile in files for makefile in MAKEFILES):
        before = {*files}
        _compile(folder, "make")
        after = [file.name for file in folder.iterdir() if _runs(file)]
        made = [file for file in after if file not in before]
        return folder / _one(
            made if "bot" not in after else ["bot"], Message("its Makefile made no program called bot")
        )
    if UPLOAD in files:
        return folder / UPLOAD
    compiled = [file for file in files if file.lower().endswith(COMPILED)]
    if compiled:
        _compile(folder, _compiler(folder, compiled))
        return folder / "bot"
    scripts = [file for file in files if file.lower().endswith(SCRIPT)]
    if scripts:
        mains = {script.lower(): script for script in scripts}
        main = next((mains[candidate] for candidate in MAINS if candidate in mains), "")
        problem = Message("which of {names} begins? Call it main.py", names=", ".join(scripts))
        return folder / (main or _one(scripts, problem))
    programs = [file for file in files if _runs(folder / file)]
    return folder / _one(programs, Message("there is neither a Makefile nor a source nor a program that may be run"))


def _runs(file: Path) -> bool:
    return file.is_file() and bool(file.stat().st_mode & 0o100)


def _one(names: Sequence[str], problem: Message) -> str:
    if len(names) != 1:
        raise HandedInError(problem)
    return names[0]


def _compiler(folder: Path, sources: Iterable[str]) -> str:
    """Gets the command line for sources of C++ or C."""
    sources = [*sources]
    code = "\n".join((folder / source).read_text("utf-8", "replace") for source in sources)
    # The language is named, for gcc does not know .Cpp or .CC, which are such sources here.
    compiler = "gcc -x c" if all(source.endswith(".c") for source in sources) else "g++ -std=c++17 -x c++"
    command = f"{compiler} {_FLAGS} {shlex.join(f'./{source}' for source in sources)} -o bot"
    if any(header in code for header in _JSON):
        if not (folder / "jsoncpp").exists():
            (folder / "jsoncpp").mkdir(mode=0o755)
            (folder / _JSON[0]).write_text(f"#include <{_JSON[1]}>\n", "utf-8")
        command += " -ljsoncpp"
    return f"{command} -lpthread -lm"


def _compile(folder: Path, command: str) -> None:
    """Runs a command on a copy of a folder, and takes what it made into the folder."""
    if ON_WINDOWS:
        problem = "it must be compiled, which Windows does not do here: hand in the program itself"
        raise HandedInError(Message(problem))
    with ExitStack() as stack:
        # Outside the sandbox the files lie here, and inside in its own /tmp.
        work = f"{stack.enter_context(tempfile.TemporaryDirectory(dir='/tmp', ignore_cleanup_errors=True))}/made"
        arguments = [sys.executable, "-I", "-c", _INSIDE.read_text("utf-8"), command, work]
        group = ProcessGroup(arguments, folder, None, _MIB)
        stack.callback(group.close)
        live = LiveBot(group, MemoryMeter(group.pid, group.in_sandbox))
        exchange = Exchange(live, Rules(time.monotonic() + SECONDS, _MIB, MOST_BYTES + _HEADS, marker=False))
        end = exchange.run(b"")
        group.kill()
        exchange.drain_stderr()
        if end is End.TIME:
            raise HandedInError(Message("it was not compiled within {seconds} s", seconds=f"{SECONDS:g}"))
        if end is End.MEMORY:
            raise HandedInError(Message("to compile it takes more than {mib} MiB", mib=_MIB))
        if end is End.OUTPUT:
            raise HandedInError(Message("to compile it makes more than {mib} MiB", mib=MOST_BYTES >> 20))
        if group.exit_code:
            error = _first_error(exchange.stderr.decode("utf-8", "replace"))
            raise HandedInError(encoding_of(folder) or Message("it does not compile: {error}", error=error))
        for file in files_made(exchange.output):
            write(file, folder)


def encoding_of(folder: Path) -> str:
    """Gets the first source below *folder* that no compiler or Python reads, as the end of a sentence; else nothing."""
    for file in sorted(folder.rglob("*")):
        if file.suffix.lower() in (SCRIPT, *COMPILED) and file.is_file() and not _is_text(file):
            return Message("its source {file} is not UTF-8: save it as UTF-8", file=repr(plain_name(file.name)))
    return ""


def _is_text(source: Path) -> bool:
    """Tests a script by the encoding that it names; other sources may have any bytes, but for two of a letter."""
    if source.suffix.lower() != SCRIPT:
        return not source.read_bytes().startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        with tokenize.open(source) as file:
            return "\0" not in file.read()
    except (SyntaxError, ValueError):
        return False


def _first_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for word in ("error:", "not found", "rror") for line in lines if word in line]
    likely = errors or lines[-1:]
    error = shortened(likely[0], LONGEST_REASON) if likely else Message("the compiler prints nothing")
    if any(_JSON[1] in line for line in errors):
        return Message("{error}; jsoncpp is the package libjsoncpp-dev", error=error)
    return error


def files_made(printed: bytes | bytearray) -> Iterator[File]:
    """
    Reads what :mod:`.inside` prints, and whatever else a program that is compiled has printed there.

    :raises HandedInError: for anything else.
    """
    position = count = 0
    with memoryview(printed) as view:
        while position < len(view):
            head = _HEAD.match(view, position)
            name_size, runs, content_size = map(int, head.groups()) if head else (0, 0, 0)
            begin = head.end() if head else 0
            position, count = begin + name_size + content_size, count + 1
            if head is None or position > len(view) or count > MOST_FILES:
                raise HandedInError(Message("what its compiling handed over cannot be read"))
            called = os.fsdecode(bytes(view[begin : begin + name_size]))
            yield File(within(called), bool(runs), bytes(view[begin + name_size : position]))
