"""
How the C kernel is compiled into build/, by the compiler that is there, or by zig where it is installed.

Nothing is installed here: :mod:`tools.release.build_kernel` does that, and is the command.
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import click

from ddzbot.kernel import choose
from ddzbot.kernel.library import FILE_NAME
from ddzbot.kernel.seal import broken_seal, sealed

from .place import ROOT, make_call_of
from .terminal import say

SOURCES = ROOT / "ddzbot" / "kernel" / "src"
BUILD = ROOT / "build"

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-ffp-contract=off", "-fPIC"]
FAST = ["-O3"]
SANITIZED = [
    "-O1",
    "-g",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]
"""Any fault ends the process, so that no test can pass over it."""

ZIG = [sys.executable, "-m", "ziglang", "cc"]
ZIG_AT_HOME = [*ZIG, "-mcpu=baseline", "-s"]
"""Without these options zig compiles for this very processor, and adds what debuggers want, four fifths of the file."""
RELEASE_TARGET = "x86_64-linux-gnu.2.17"
"""Older than the C library of any judge that is known."""

WASM = ["-target", "wasm32-wasi", "-mcpu=generic+simd128"]
"""What Python in a browser takes a shared library of; nothing of WASI's is used but its headers."""
WASM_LINKER = [*ZIG[:-1], "wasm-ld", "-shared", "--experimental-pic", "--no-entry", "--export-dynamic", "--strip-debug"]
_WASM_SECTION = bytes((0, 76, 11))
"""Nothing may follow the last section there: this makes the seal one, named by its mark, with the hash in it."""

WITHOUT_KERNEL = "Without a kernel champion does not search: its network plays alone, and wins fewer games."
"""What that costs; docs/lab/results.md has how much."""


class BuildError(click.ClickException):
    """Raised when there is no compiler or it fails; the message is what the user reads."""


def find_compiler(environment: Mapping[str, str]) -> list[str]:
    """
    Gets the command of the C compiler: ``$CC``, which may have options, or the first of cc, gcc, clang and zig.

    :raises BuildError: if there is none.
    """
    if named := shlex.split(environment.get("CC", "")):
        if shutil.which(named[0]):
            return named
        raise BuildError(f"CC={environment['CC']}: there is no {named[0]}; name another compiler, or unset CC")
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    if has_zig():
        return ZIG_AT_HOME
    raise BuildError("There is no C compiler: install gcc or clang, or name one in CC. Without it the bot uses Python.")


def has_zig() -> bool:
    """Tells whether the package with zig is installed for this Python."""
    return importlib.util.find_spec("ziglang") is not None


def source_hash(flags: list[str]) -> str:
    """Hashes the sources and *flags* to 12 hex digits; a library has this inside, and so knows if it is current."""
    digest = hashlib.sha256(" ".join(flags).encode())
    for path in sorted(SOURCES.rglob("*.[ch]")):
        digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def library_path(variant: str = "") -> Path:
    """Names the library of a variant: the usual one, ``sanitized`` or ``release``."""
    return BUILD / variant / FILE_NAME


def build(sanitize: bool = False) -> Path:
    """
    Compiles the kernel unless its library is current, and returns where it is.

    :raises BuildError: if there is no compiler, or it fails.
    """
    flags = [*FLAGS, *(SANITIZED if sanitize else FAST)]
    return built(find_compiler(os.environ), flags, library_path("sanitized" if sanitize else ""))


def build_release() -> Path:
    """
    Compiles the kernel for upload with zig, whose C compiler aims at any glibc; returns where it is.

    :raises BuildError: if zig is not installed, or it fails.
    """
    if not has_zig():
        raise BuildError(f"There is no zig: {make_call_of('install', 'release')}, or bundle another kernel")
    return built([*ZIG, "-target", RELEASE_TARGET], [*FLAGS, *FAST, "-s"], library_path("release"))


def build_wasm() -> Path:
    """
    Compiles the kernel for Python in a browser with zig; returns where it is.

    :raises BuildError: if zig is not installed, or it fails.
    """
    if not has_zig():
        raise BuildError(f"There is no zig: {make_call_of('install', 'release')}")
    return built([*ZIG, *WASM], [*FLAGS, *FAST], library_path("wasm"))


def kernel_at_start() -> None:
    """
    Compiles the kernel for a command that plays, if none loads and a compiler is there; installs nothing.

    Where there can be none, one line on stderr says why and what that costs; the command goes on. Nothing is done or
    said with ``DDZ_NO_KERNEL=1``. Call it before anything asks for the kernel, which is looked for once in a process.
    """
    if os.environ.get("DDZ_NO_KERNEL") == "1" or choose(os.environ).kernel:
        return
    try:
        build()
        found = choose(os.environ)
        reason = "" if found.kernel else f"The kernel does not load ({found.description.partition(': ')[2]})."
    except (BuildError, OSError) as error:
        reason = _first_sentence(str(error))
    if reason:
        say(f"{reason} {WITHOUT_KERNEL}", err=True)


def _first_sentence(said: str) -> str:
    """Shortens what a compiler says to that it fails, and where to read the rest."""
    first, _, rest = said.partition(":\n")
    if rest:
        return f"{first}; {make_call_of('kernel')} says why."
    return f"{said.partition(' Without')[0].rstrip('.')}."


def built(compiler: list[str], flags: list[str], library: Path) -> Path:
    """
    Compiles the kernel into *library* unless that is current, and returns it.

    :raises BuildError: if the compiler fails, with what it says.
    """
    # The interpreter that runs zig is no part of what is made.
    wanted = source_hash([*compiler[1 if _is_zig(compiler) else 0 :], *flags])
    if library.exists() and _is_current(library.read_bytes(), wanted):
        return library
    if not SOURCES.is_dir():
        raise BuildError("This installation has no sources of a kernel: install it where a C compiler is.")
    library.parent.mkdir(parents=True, exist_ok=True)
    sources = sorted(SOURCES.rglob("*.c"))
    name = "zig" if _is_zig(compiler) else shlex.join(compiler)
    say(f"Compiling the kernel, {len(sources)} files of C, with {name} ...", err=True)
    # Another process may build or load the same file: it appears whole, or not at all.
    unfinished = library.with_suffix(f".{os.getpid()}")
    try:
        _compile(compiler, [*flags, "-I", str(SOURCES), f'-DDDZ_SOURCE_HASH="{wanted}"'], sources, unfinished)
        section = _WASM_SECTION if _is_for_wasm(compiler) else b""
        unfinished.write_bytes(sealed(unfinished.read_bytes() + section))
        os.replace(unfinished, library)
    except BuildError as error:
        unfinished.unlink(missing_ok=True)
        raise BuildError(f"{name} cannot compile the kernel:\n{error.message}") from None
    return library


def _is_current(content: bytes, wanted: str) -> bool:
    return wanted.encode() in content and not broken_seal(content)


def _is_zig(compiler: Sequence[str]) -> bool:
    return "ziglang" in compiler


def _is_for_wasm(compiler: Sequence[str]) -> bool:
    return WASM[1] in compiler


def _compile(compiler: Sequence[str], flags: Sequence[str], sources: Sequence[Path], library: Path) -> None:
    """Compiles on all cores; with zig on one, since it costs more to start it for each file than two cores save."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        # zig would keep 45 MB in the home folder, for the next time that these sources change.
        cache = {"ZIG_GLOBAL_CACHE_DIR": folder} if _is_zig(compiler) else {}
        if _is_zig(compiler) and not _is_for_wasm(compiler):
            _run([*compiler, *flags, "-shared", *map(str, sources), "-o", str(library)], cache)
            return
        objects = [str(Path(folder, f"{number}.o")) for number in range(len(sources))]
        made = zip(sources, objects, strict=True)
        commands = [[*compiler, *flags, "-c", str(source), "-o", name] for source, name in made]
        list(pool.map(partial(_run, environment=cache), commands))
        # What only compiling needs makes clang complain here; and zig's own linking adds a start of a program.
        linking = [flag for flag in flags if flag.startswith("-fsanitize")]
        linker = WASM_LINKER if _is_for_wasm(compiler) else [*compiler, *linking, "-shared"]
        _run([*linker, *objects, "-o", str(library)], cache)


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env={**(environment or {}), **os.environ})
    if done.returncode != 0:
        raise BuildError(done.stderr)
