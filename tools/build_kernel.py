"""Compiles the C kernel into build/: ``python -m tools.build_kernel [--sanitize|--release]``."""

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from ddzbot.kernel.library import FILE_NAME
from ddzbot.kernel.seal import broken_seal, sealed

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "ddzbot" / "kernel" / "src"
BUILD = ROOT / "build"

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-ffp-contract=off", "-fPIC", "-shared"]
FAST = ["-O3"]
SANITIZED = [
    "-O1",
    "-g",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]
"""Any fault ends the process, so that no test can pass over it."""


RELEASE_TARGET = "x86_64-linux-gnu.2.17"
"""Older than the C library of any judge that is known."""


class BuildError(click.ClickException):
    """Raised when there is no compiler or it fails; the message is what the user reads."""


def find_compiler(environment: Mapping[str, str]) -> list[str]:
    """
    Gets the command of the C compiler: ``$CC``, which may have options, or the first of cc, gcc and clang.

    :raises BuildError: if there is none.
    """
    if named := shlex.split(environment.get("CC", "")):
        if shutil.which(named[0]):
            return named
        raise BuildError(f"CC={environment['CC']}: there is no {named[0]}; name another compiler, or unset CC")
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    raise BuildError("There is no C compiler: install gcc or clang, or name one in CC. Without it the bot uses Python.")


def source_hash(flags: list[str]) -> str:
    """Hashes the sources and *flags* to 12 hex digits; a library has this inside, and so knows if it is current."""
    digest = hashlib.sha256(" ".join(flags).encode())
    for path in sorted(SOURCES.glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
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
    return _built(find_compiler(os.environ), flags, library_path("sanitized" if sanitize else ""))


def build_release() -> Path:
    """
    Compiles the kernel for upload with zig, whose C compiler aims at any glibc; returns where it is.

    :raises BuildError: if zig is not installed, or it fails.
    """
    if importlib.util.find_spec("ziglang") is None:
        raise BuildError("There is no zig: .venv/bin/pip install -r requirements/release.txt, or bundle another kernel")
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", RELEASE_TARGET]
    return _built(compiler, [*FLAGS, *FAST, "-s"], library_path("release"))


def _built(compiler: list[str], flags: list[str], library: Path) -> Path:
    # The interpreter that runs zig is no part of what is made.
    wanted = source_hash([*compiler[1 if "ziglang" in compiler else 0 :], *flags])
    if library.exists() and _is_current(library.read_bytes(), wanted):
        return library
    library.parent.mkdir(parents=True, exist_ok=True)
    # Another process may build or load the same file: it appears whole, or not at all.
    unfinished = library.with_suffix(f".{os.getpid()}")
    sources = map(str, sorted(SOURCES.glob("*.c")))
    command = [*compiler, *flags, f'-DDDZ_SOURCE_HASH="{wanted}"', *sources, "-o", str(unfinished)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        unfinished.unlink(missing_ok=True)
        raise BuildError(f"{shlex.join(compiler)} cannot compile the kernel:\n{done.stderr}")
    unfinished.write_bytes(sealed(unfinished.read_bytes()))
    os.replace(unfinished, library)
    return library


def _is_current(content: bytes, wanted: str) -> bool:
    return wanted.encode() in content and not broken_seal(content)


@click.command()
@click.option("--sanitize", is_flag=True, help="Build the variant that stops at every memory fault or overflow.")
@click.option("--release", is_flag=True, help="Build the variant to upload, for any x86-64 Linux.")
def main(sanitize: bool, release: bool) -> None:
    """Compile the C kernel into build/; nothing is done if it is current."""
    library = build_release() if release else build(sanitize)
    click.echo(f"{library.relative_to(ROOT)}: {library.stat().st_size} bytes")


if __name__ == "__main__":
    main()
