"""
Installs what extras of pyproject.toml name, in the pinned releases: ``python -m tools.make install EXTRA...``.

Make calls it when nothing is installed yet, so it needs the standard library and pip alone. pip draws its own progress;
of its standard error only errors are shown, when it is done.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from .paths import make_call_of
from .shell import joined_words

_ROOT = Path(__file__).resolve().parents[2]
PROJECT = _ROOT / "pyproject.toml"
"""What each extra needs; where pip installed the package, its metadata has it instead."""

PINS = _ROOT / "constraints.txt"
"""One release of each package, with what comes with them: ``make pins`` writes it."""

OF_ALL_TOOLS = ("base", "serve", "tools")
"""The extras that ``make tools`` installs."""

INTERRUPTED = 130

_OPTIONS = "--disable-pip-version-check --no-input --no-compile -c"
_PIP = (sys.executable, "-m", "pip", "install", *_OPTIONS.split(), str(PINS))
_RETRIES = "2"
"""After a connection that failed; with pip's own 5 it takes 8 seconds, not 2, to find out that a machine is offline."""
_NAME = re.compile(r"[\w.-]+")
_OTHER_EXTRAS = re.compile(r"ddzbot\[(.+)\]")
_EXTRA = re.compile(r"""extra == ["']([\w-]+)["']""")
_BROUGHT_BY = {"distutils": "setuptools"}
_OF_THE_DISK = "OSError: [Errno"
"""pip's errors where it cannot write, and not where it cannot load."""
_WRITE = f"Can you write to {sys.prefix}, and is there room?"
_CONNECT = """Is this machine offline?
Then connect it and run make again, or name a folder of wheels to install from:
    PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER make ..."""
_NO_ERRORS = ("WARNING:", "DEPRECATION:")


class InstallError(Exception):
    """Raised when pip fails; the message is the output of pip."""


def extras() -> dict[str, list[str]]:
    """Lists by extra what it names itself, such as ``rich>=13`` or ``ddzbot[base]``; nothing without a package."""
    if PROJECT.is_file():
        requirements: dict[str, list[str]] = _toml(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
        return requirements
    requirements = {}
    try:
        lines = requires("ddzbot") or []
    except PackageNotFoundError:
        lines = []
    for requirement in lines:
        named, _, condition = requirement.partition(";")
        for extra in _EXTRA.findall(condition):
            requirements.setdefault(extra, []).append(named.strip())
    return requirements


def _toml(text: str) -> dict[str, dict[str, dict[str, list[str]]]]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:  # pip brings what Python 3.10 lacks
        tomllib = import_module("pip._vendor.tomli")
    table: dict[str, dict[str, dict[str, list[str]]]] = tomllib.loads(text)
    return table


def needed(*names: str) -> list[str]:
    """
    Lists what the extras *names* need, and those that they include, each package once: ``rich>=13`` and so on.

    :raises KeyError: for an extra that there is not.
    """
    return list(dict.fromkeys(_needed(extras(), names)))


def _needed(known: dict[str, list[str]], names: Sequence[str]) -> Iterator[str]:
    for requirement in (requirement for extra in names for requirement in known[extra]):
        others = _OTHER_EXTRAS.match(requirement)
        if others:
            yield from _needed(known, others[1].split(","))
        else:
            yield requirement


def packages(requirements: Sequence[str]) -> list[str]:
    """Lists the packages that are named, without those of other extras: ``rich`` for ``rich>=13``."""
    return [_NAME.findall(requirement)[0] for requirement in requirements if not _OTHER_EXTRAS.match(requirement)]


def install(names: Sequence[str]) -> None:
    """
    Installs what the extras *names* need, with pip's progress on standard output.

    :raises InstallError: if pip fails.
    :raises KeyError: for an extra that there is not.
    """
    requirements = needed(*names)
    sys.stdout.write(f"Installing {', '.join(packages(requirements))} ({_called(names)}).\n")
    sys.stdout.flush()
    environment = {"PIP_RETRIES": _RETRIES, **os.environ}
    done = subprocess.run(
        [*_PIP, *requirements], env=environment, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
    )
    errors = "".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith(_NO_ERRORS))
    if done.returncode != 0:
        raise InstallError(errors.rstrip())
    sys.stderr.write(errors)


def _called(names: Sequence[str]) -> str:
    return f"extra{'s' * (len(names) > 1)} {' and '.join(names)}"


def how_to_get(module: str) -> str | None:
    """Describes how to get a package that this Python lacks, by what it imports; None for one that is in no extra."""
    package = _BROUGHT_BY.get(module, module)
    for extra, lines in extras().items():
        if package in packages(lines):
            return f"This Python ({sys.executable}) has no {package}{_again(package) or f': {way_to(extra)}.'}"
    return None


def _again(package: str) -> str:
    """Writes the command that runs now for the Python of make, if that has the package."""
    made = _ROOT / ".venv"
    if Path(sys.prefix).resolve() == made.resolve() or not any(made.glob(f"lib/python*/site-packages/{package}*")):
        return ""
    return f"; that of .venv has: {joined_words([os.path.relpath(made / 'bin/python'), *sys.orig_argv[1:]])}"


def way_to(extra: str) -> str:
    """Describes how an extra is installed, in a checkout or where pip installed the package."""
    if not PROJECT.is_file():
        return f"install ddzbot with its extra {extra}, as in {joined_words(['pip', 'install', f'FILE.whl[{extra}]'])}"
    if extra in OF_ALL_TOOLS:
        return "make tools installs it for .venv/bin/python"
    return f"{make_call_of('install', extra)} installs it"


def main(names: Sequence[str]) -> int:
    """Installs what the extras *names* need, and gets the exit status."""
    try:
        install(names)
    except InstallError as error:
        advice = _WRITE if _OF_THE_DISK in str(error) else _CONNECT
        sys.stderr.write(f"{error}\npip could not install what the {_called(names)} names. {advice}\n")
        return 1
    except KeyError as error:
        sys.stderr.write(f"pyproject.toml has no extra {error.args[0]}; it has {', '.join(extras())}.\n")
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
