"""Makes a program of sources, in the sandbox: nothing that is compiled touches a file of this machine."""

import io
import shlex
import tarfile
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

from ...judge.process_exchange import End, Exchange, LiveBot, Rules
from ...judge.process_group import ProcessGroup
from ...judge.process_memory import MemoryMeter
from ...shared.bounds import LONGEST_REASON
from ...shared.commands import COMPILED, MAINS, MAKEFILES
from .handed_in import MOST_BYTES, UPLOAD, HandedInError

__all__ = ["built"]

SECONDS = 300.0
"""On a machine that much else runs on."""
_MIB = 1024
_FLAGS = "-O2 -w -I. -I/usr/include/jsoncpp"
_JSON = ("jsoncpp/json.h", "json/json.h")
"""The library that the site has for C++; there its header is called as the first of these."""
_SCRIPT = 'mkdir -p "$2" && cp -R "$1"/. "$2" && cd "$2" && { %s ; } >&2 && tar -cf - .'


def built(folder: Path) -> Path:
    """
    Compiles what lies in *folder*, and gets the program.

    :raises HandedInError: for what is no program, or does not compile, with the compiler's first error.
    """
    top = _top(folder)
    files = sorted(file.name for file in top.iterdir() if file.is_file())
    if any(name in files for name in MAKEFILES):
        before = {*files}
        _compile(top, "make")
        after = [file.name for file in top.iterdir() if _runs(file)]
        made = [name for name in after if name not in before]
        return top / _one(made if "bot" not in after else ["bot"], "its Makefile made no program called bot")
    if UPLOAD in files:
        return top / UPLOAD
    compiled = [name for name in files if name.endswith(COMPILED)]
    if compiled:
        _compile(top, _compiler(top, compiled))
        return top / "bot"
    scripts = [name for name in files if name.endswith(".py")]
    if scripts:
        main = next((name for name in MAINS if name in scripts), "")
        which = main or _one(scripts, f"which of {', '.join(scripts)} begins? Call it main.py")
        return top / which
    programs = [name for name in files if _runs(top / name)]
    return top / _one(programs, "there is neither a Makefile nor a source nor a program that may be run")


def _top(folder: Path) -> Path:
    """Goes down where there is nothing but a folder, as zips have it."""
    inner = [*folder.iterdir()]
    return _top(inner[0]) if len(inner) == 1 and inner[0].is_dir() else folder


def _runs(file: Path) -> bool:
    return file.is_file() and bool(file.stat().st_mode & 0o100)


def _one(names: Sequence[str], problem: str) -> str:
    if len(names) != 1:
        raise HandedInError(problem)
    return names[0]


def _compiler(folder: Path, sources: Iterable[str]) -> str:
    """Gets the command line for sources of C++ or C."""
    sources = [*sources]
    text = "\n".join((folder / name).read_text("utf-8", "replace") for name in sources)
    compiler = "gcc" if all(name.endswith(".c") for name in sources) else "g++ -std=c++17"
    words = f"{compiler} {_FLAGS} {shlex.join(f'./{name}' for name in sources)} -o bot"
    if any(header in text for header in _JSON):
        if not (folder / "jsoncpp").exists():
            (folder / "jsoncpp").mkdir(mode=0o755)
            (folder / _JSON[0]).write_text(f"#include <{_JSON[1]}>\n", "utf-8")
        words += " -ljsoncpp"
    return f"{words} -lpthread -lm"


def _compile(folder: Path, command: str) -> None:
    """Runs a command on a copy of a folder, and takes what it made into the folder."""
    with ExitStack() as stack:
        # Outside the sandbox the files lie here, and inside in its own /tmp.
        work = f"{stack.enter_context(tempfile.TemporaryDirectory(dir='/tmp'))}/made"
        group = ProcessGroup(["sh", "-c", _SCRIPT % command, "sh", str(folder), work], folder, None, _MIB)
        stack.callback(group.close)
        live = LiveBot(group, MemoryMeter(group.pid, group.in_sandbox))
        exchange = Exchange(live, Rules(time.monotonic() + SECONDS, _MIB, 2 * MOST_BYTES, marker=False))
        end = exchange.run(b"")
        group.kill()
        exchange.drain_stderr()
        if end is End.TIME:
            raise HandedInError(f"it was not compiled within {SECONDS:g} s")
        if end in (End.MEMORY, End.OUTPUT):
            raise HandedInError(f"to compile it takes more than {_MIB} MiB")
        if group.exit_code:
            raise HandedInError(f"it does not compile: {_first_error(exchange.stderr.decode('utf-8', 'replace'))}")
        _take(bytes(exchange.output), folder)


def _first_error(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for word in ("error:", "not found", "rror") for line in lines if word in line]
    hint = "; jsoncpp is the package libjsoncpp-dev" if any(_JSON[1] in line for line in errors) else ""
    return (errors or lines[-1:] or ["the compiler says nothing"])[0][:LONGEST_REASON] + hint


def _take(packed: bytes, folder: Path) -> None:
    """Unpacks files, and nothing else, into a folder that holds no links."""
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                target = folder / member.name
                content = archive.extractfile(member) if member.isfile() else None
                if content and target.resolve().is_relative_to(folder.resolve()):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(content.read())
                    target.chmod(0o755 if member.mode & 0o100 else 0o644)
    except (tarfile.TarError, OSError) as error:
        raise HandedInError(f"what was compiled cannot be read ({error})") from None
