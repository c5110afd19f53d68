"""
Installs pinned packages for the Python that runs it, and says what for: ``python -m tools.install FILE...``.

Make calls it when nothing is installed yet, so it needs the standard library alone. pip draws its own progress; of what
it says on standard error only errors are shown, when it is done.
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements"
"""The files of pins; where pip installed the package there are none, and :func:`extras` says what they said."""

OF_ALL_TOOLS = ("base.txt", "serve.txt", "play.txt", "tools.txt")
"""The files that ``make tools`` installs."""

INTERRUPTED = 130

_PIP = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input")
_RETRIES = "2"
"""After a connection that failed; with pip's own 5 it takes 8 seconds, not 2, to find out that a machine is offline."""
_PIN = re.compile(r"^([\w.-]+)==", re.MULTILINE)
_OF_EXTRA = re.compile(r"([\w.-]+)>=.*\bextra == [\"'](\w+)[\"']")
_NO_ERRORS = ("WARNING:", "DEPRECATION:")


class InstallError(Exception):
    """Raised when pip fails; the message is what pip said."""


def install(files: Sequence[Path]) -> None:
    """
    Installs what *files* pin, with pip's progress on standard output.

    :raises InstallError: if pip fails.
    """
    pins: list[str] = []
    for file in files:
        sys.stdout.write(announcement(file) + "\n")
        pins += _pins(file)
    sys.stdout.flush()
    # Not -r: for each package pip would name file and line, and wrap around.
    command = [*_PIP, *pins]
    environment = {"PIP_RETRIES": _RETRIES, **os.environ}
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    said = "".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith(_NO_ERRORS))
    if done.returncode != 0:
        raise InstallError(said.rstrip())
    sys.stderr.write(said)


def _pins(file: Path) -> list[str]:
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def announcement(file: Path) -> str:
    """
    Says what a file of pins installs, and what for, which is the first sentence of the file.

    For example ``Installing aiohttp. What tables in the browser need beside base.txt.``
    """
    text = file.read_text(encoding="utf-8")
    why = text.partition("\n")[0].removeprefix("#").strip().partition(". ")[0].rstrip(".")
    return f"Installing {', '.join(pinned(text))}. {why}."


def pinned(text: str) -> list[str]:
    """Lists the packages that the *text* of a file pins; one with a pin for each of several Pythons counts once."""
    return list(dict.fromkeys(_PIN.findall(text)))


def how_to_get(package: str) -> str | None:
    """Says in a sentence how to get a package that this Python lacks; None for one that no file pins."""
    if not REQUIREMENTS.is_dir():
        extra = next((extra for extra, names in extras().items() if package in names), None)
        return extra and f"This Python ({sys.executable}) has no {package}: {way_to_extra(extra)}."
    for file in sorted(REQUIREMENTS.glob("*.txt")):
        if package in pinned(file.read_text(encoding="utf-8")):
            return f"This Python ({sys.executable}) has no {package}: {way_to_file(file.name)}."
    return None


def extras() -> dict[str, list[str]]:
    """Lists by extra what the installed ddzbot names, ``tools`` first; nothing where it is not installed."""
    try:
        named = requires("ddzbot") or []
    except PackageNotFoundError:
        return {}
    found: dict[str, list[str]] = {"tools": []}
    for match in filter(None, map(_OF_EXTRA.match, named)):
        names = found.setdefault(match[2], [])
        if match[1] not in names:
            names.append(match[1])
    return found


def way_to_extra(extra: str) -> str:
    """Says how an extra of the installed package is installed."""
    return f"install ddzbot with its extra {extra}, as in pip install 'FILE.whl[{extra}]'"


def way_to_file(name: str) -> str:
    """Says how what a file of pins names is installed from a checkout."""
    if name in OF_ALL_TOOLS:
        return "make tools installs it for .venv/bin/python"
    return f"{sys.executable} -m tools.install requirements/{name} installs it"


def main(arguments: Sequence[str]) -> int:
    """Installs what the files in *arguments* pin, and gets the exit status."""
    try:
        install([Path(argument) for argument in arguments])
    except InstallError as error:
        sys.stderr.write(
            f"{error}\npip could not install what {' and '.join(arguments)} names. Is this machine offline?\n"
            "Then connect it and run make again, or name a folder of wheels to install from:\n"
            "    PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER make ...\n"
        )
        return 1
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
