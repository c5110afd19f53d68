"""
How the C kernel is compiled into build/, by the compiler that is there, or by zig where it is installed.

Nothing is installed here: :mod:`tools.release.build_kernel` does that, and is the command. pip runs this module too, in
an environment that has setuptools and no other package: it imports the standard library and what needs no more.
"""

import hashlib
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from ddzbot.kernel import choose
from ddzbot.kernel.checksum import checksum_fault, with_checksum
from ddzbot.kernel.library import FILE_NAME

from .paths import ROOT, make_call_of
from .plain import plain
from .targets import JUDGE, TARGETS

SOURCES = ROOT / "ddzbot" / "kernel" / "src"
BUILD = ROOT / "build"

FLAGS = ["-std=c11", "-fvisibility=hidden", "-ffp-contract=off"]
if sys.platform != "win32":  # all code is so there, and clang refuses to be told
    FLAGS += ["-fPIC"]
ON_I386 = ["-malign-double"]
"""On 32-bit x86 alone numbers of 64 bits are aligned to 4 bytes, and the records would have other layouts."""
if sys.maxsize < 1 << 32 and platform.machine() in ("i386", "i586", "i686", "x86_64"):
    FLAGS += ON_I386
FAST = ["-O3"]
STRICT = ["-Wall", "-Wextra", "-Werror"]
"""For the tests alone: each compiler warns of something else, and none may deny a user the kernel for it."""
SANITIZED = [
    *STRICT,
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
FOR_JUDGE = ["-march=x86-64", "-mtune=generic", "-s"]
"""What the compiler of this machine is asked for beside, so that it makes what zig does for a judge."""
_OLDEST_LIBC = (2, 17)
_ELF_X86_64 = re.compile(rb"\x7fELF\x02\x01.{12}\x3e\0", re.DOTALL)
_NEEDED = re.compile(rb"(?<=\0)(GLIBC_[\w.]+|[\w.+-]+\.so[\w.]*)(?=\0)")
"""In a library the names of the others that it needs, and of the versions of theirs that it was linked with."""

WASM = ["-target", "wasm32-wasi", "-mcpu=generic+simd128"]
"""What Python in a browser takes a shared library of; nothing of WASI's is used but its headers."""
WASM_NAME = "ddz_kernel.so"
WASM_LINKER = [*ZIG[:-1], "wasm-ld", "-shared", "--experimental-pic", "--no-entry", "--export-dynamic", "--strip-debug"]
_WASM_SECTION = bytes((0, 76, 11))
"""Nothing may follow the last section there: this makes the checksum a section, named by its mark."""

WITHOUT_KERNEL = "Without a kernel champion does not search: its network plays alone, and wins fewer games."
"""What that costs; docs/lab/results.md has how much."""


class BuildError(Exception):
    """Raised when there is no compiler or it fails; the message is what the user reads."""

    @property
    def message(self) -> str:
        """The sentence, and below it what a program said."""
        return str(self)


class PlaceError(BuildError):
    """Raised where the library cannot be written, with any compiler."""


def find_compiler(environment: Mapping[str, str]) -> list[str]:
    """
    Gets the command of the C compiler: ``$CC``, which may have options, or the first of cc, gcc, clang and zig.

    :raises BuildError: if there is none.
    """
    if named := shlex.split(environment.get("CC", "")):
        if shutil.which(named[0]):
            # A path from here on; the compiler runs in another folder.
            return [os.path.abspath(named[0]) if os.sep in named[0] else named[0], *named[1:]]
        raise BuildError(f"CC={environment['CC']}: there is no {named[0]}; name another compiler, or unset CC")
    for compiler in ("cc", "gcc", "clang"):
        if shutil.which(compiler):
            return [compiler]
    if has_zig():
        return ZIG_AT_HOME
    raise BuildError("There is no C compiler: install gcc or clang, or name one in CC. Without it the bot uses Python.")


def has_zig() -> bool:
    """Tests whether the package with zig is installed for this Python."""
    return importlib.util.find_spec("ziglang") is not None


def source_hash(flags: list[str]) -> str:
    """Hashes the sources and *flags* to 12 hex digits; a library has this inside, and so knows if it is current."""
    digest = hashlib.sha256(" ".join(flags).encode())
    for path in sorted(SOURCES.rglob("*.[ch]")):
        digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def library_path(variant: str = "") -> Path:
    """Names the library of a variant: the usual one, ``sanitized``, ``wasm``, or one of :data:`.targets.TARGETS`."""
    file_name = TARGETS[variant].library if variant in TARGETS else WASM_NAME if variant == "wasm" else FILE_NAME
    return BUILD / variant / file_name


def build(sanitize: bool = False) -> Path:
    """
    Compiles the kernel unless its library is current, and returns where it is.

    :raises BuildError: if there is no compiler, or it fails.
    """
    flags = [*FLAGS, *(SANITIZED if sanitize else FAST)]
    return built(find_compiler(os.environ), flags, library_path("sanitized" if sanitize else ""))


def build_release(by_zig: bool | None = None) -> Path:
    """
    Compiles the kernel for upload, for any x86-64 Linux with glibc 2.17 or newer; returns where it is.

    zig can aim at that, and does where it is installed, or with *by_zig*. The library of another compiler is checked:
    the kernel needs so little of the C library that it mostly runs there, too.

    :raises BuildError: if there is no compiler, it fails, or what it makes asks for something newer.
    """
    if has_zig() if by_zig is None else by_zig:
        return _built_by_zig(JUDGE)
    compiler = find_compiler(os.environ)
    library = built(compiler, [*FLAGS, *FAST, *FOR_JUDGE], library_path(JUDGE))
    if not runs_on_any_linux(library.read_bytes()):
        library.unlink()
        raise BuildError(
            f"{shlex.join(compiler)} compiles a kernel for systems like this one alone: "
            f"{make_call_of('install', 'zig')} installs zig, which does it for any x86-64 Linux"
        )
    return library


def build_for(name: str) -> Path:
    """
    Compiles the kernel with zig for one of :data:`.targets.TARGETS`, whatever system this is; returns where it is.

    :raises BuildError: if zig is not installed, or it fails.
    """
    if not has_zig():
        raise BuildError(f"No compiler here makes a kernel for {name}: {make_call_of('install', 'zig')} installs zig")
    return _built_by_zig(name)


def _built_by_zig(name: str) -> Path:
    target, library = TARGETS[name], library_path(name)
    # Else a library for macOS calls itself by the path where it was linked.
    own_name = [f"-Wl,-install_name,@rpath/{target.library}"] if target.library.endswith(".dylib") else []
    return built([*ZIG, "-target", target.zig], [*FLAGS, *FAST, "-s", *own_name], library)


def runs_on_any_linux(library: bytes) -> bool:
    """Tests whether a shared library is for x86-64, and needs nothing but glibc, of 2.17 or older."""
    if not _ELF_X86_64.match(library):
        return False
    names = {needed.decode("ascii") for needed in _NEEDED.findall(library)}
    versions = [needed.removeprefix("GLIBC_").split(".") for needed in names if needed.startswith("GLIBC_")]
    others = {needed for needed in names if not needed.startswith("GLIBC_")}
    return others <= {"libc.so.6"} and all(
        all(map(str.isdecimal, version)) and tuple(map(int, version))[:2] <= _OLDEST_LIBC for version in versions
    )


def build_wasm(by_zig: bool | None = None) -> Path:
    """
    Compiles the kernel for Python in a browser with zig, if that is installed or with *by_zig*; returns where it is.

    :raises BuildError: if zig is not installed, or it fails.
    """
    if not (has_zig() if by_zig is None else by_zig):
        raise BuildError(f"No compiler here makes WebAssembly: {make_call_of('install', 'zig')} installs zig for it")
    return built([*ZIG, *WASM], [*FLAGS, *FAST], library_path("wasm"))


def kernel_at_start() -> None:
    """
    Compiles the kernel for a command that plays, if none loads and a compiler is there; installs nothing.

    Where there can be none, one line on stderr has the reason and what that costs; the command continues. Nothing is
    done or printed with ``DDZ_NO_KERNEL=1``. Call it before anything asks for the kernel: a process looks for it once.
    """
    if os.environ.get("DDZ_NO_KERNEL") == "1" or choose(os.environ).kernel:
        return
    try:
        build()
        choice = choose(os.environ)
        reason = "" if choice.kernel else f"The kernel does not load ({choice.description.partition(': ')[2]})."
    except (BuildError, OSError) as error:
        reason = _first_sentence(str(error))
    if reason:
        _tell(f"{reason} {WITHOUT_KERNEL}")


def _tell(line: str) -> None:
    sys.stderr.write(f"{plain(line)}\n")


def _first_sentence(error: str) -> str:
    """Shortens the output of a compiler to its failure, and where to read the rest."""
    failure, _, output = error.partition(":\n")
    if output:
        return f"{failure}; {make_call_of('kernel')} prints why."
    return f"{error.partition(' Without')[0].rstrip('.')}."


def built(compiler: list[str], flags: list[str], library: Path) -> Path:
    """
    Compiles the kernel into *library* unless that is current, and returns it.

    :raises BuildError: if the compiler fails, with its output.
    """
    # The interpreter that runs zig is no part of what is made.
    current_hash = source_hash([*compiler[1 if _is_zig(compiler) else 0 :], *flags])
    if library.exists() and _is_current(library.read_bytes(), current_hash):
        return library
    if not SOURCES.is_dir():
        raise BuildError("This installation has no sources of a kernel: install it where a C compiler is.")
    compiler_name = "zig" if _is_zig(compiler) else shlex.join(compiler)
    _tell(f"Compiling the kernel, {len(_sources())} files of C, with {compiler_name} ...")
    # Another process may build or load the same file: it appears whole, or not at all.
    unfinished = library.with_suffix(f".{os.getpid()}")
    try:
        section = _WASM_SECTION if _is_for_wasm(compiler) else b""
        content = _compiled(compiler, [*flags, "-I", ".", f'-DDDZ_SOURCE_HASH="{current_hash}"'])
    except BuildError as error:
        raise BuildError(f"{compiler_name} cannot compile the kernel:\n{error.message}") from None
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(with_checksum(content + section))
        os.replace(unfinished, library)
    except OSError as error:
        raise PlaceError(f"{library.relative_to(BUILD.parent)}: it cannot be written: {error.strerror}") from None
    return library


def _is_current(content: bytes, wanted: str) -> bool:
    return wanted.encode() in content and not checksum_fault(content)


def _is_zig(compiler: Sequence[str]) -> bool:
    return "ziglang" in compiler


def _is_for_wasm(compiler: Sequence[str]) -> bool:
    return WASM[1] in compiler


def _sources() -> list[str]:
    """Lists the files of C below their folder, in which compilers run: zig cannot take every path that it may have."""
    return sorted(str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.c"))


def _compiled(compiler: Sequence[str], flags: Sequence[str]) -> bytes:
    """Compiles on all cores; with zig on one, since it costs more to start it for each file than two cores save."""
    sources = _sources()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        library = str(Path(folder, FILE_NAME))
        # zig would keep 45 MB in the home folder, for the next time that these sources change.
        cache = {"ZIG_GLOBAL_CACHE_DIR": folder} if _is_zig(compiler) else {}
        if _is_zig(compiler) and not _is_for_wasm(compiler):
            _run([*compiler, *flags, "-shared", *sources, "-o", library], cache)
            return Path(library).read_bytes()
        objects = [str(Path(folder, f"{index}.o")) for index in range(len(sources))]
        made = zip(sources, objects, strict=True)
        commands = [[*compiler, *flags, "-c", source, "-o", object_file] for source, object_file in made]
        list(pool.map(partial(_run, environment=cache), commands))
        # clang complains about flags of compiling when it links; and zig's own linking adds a start of a program.
        linking = [flag for flag in flags if flag.startswith("-fsanitize") or flag == "-s"]
        linker = WASM_LINKER if _is_for_wasm(compiler) else [*compiler, *linking, "-shared"]
        _run([*linker, *objects, "-o", library], cache)
        return Path(library).read_bytes()


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    settings = {**(environment or {}), **os.environ}
    done = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, env=settings)
    if done.returncode != 0:
        raise BuildError(done.stderr)
