"""
Writes constraints.txt: of each package that an extra needs, and of what comes with it, the release that is installed.

An environment has one Python. The line of an older one, with ``python_version < ...``, is written by hand and kept.
"""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

import click
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from ..shared.install import PINS, extras, needed
from ..shared.interrupts import Command
from ..shared.kept.whole_file import put
from ..shared.terminal import say

HEAD = "# Written by `make pins`; only a line with python_version < ... is written by hand, and kept.\n"
_OLDEST = 10
"""The tools run on Python 3.10 and newer."""
_BY_HAND = re.compile(r'^([\w.-]+)==\S+; python_version < "3\.\d+"$', re.MULTILINE)


def with_what_comes(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Finds what *requirements* and their own ask for here, by normal name; without what is not installed."""
    found: dict[str, Distribution] = {}
    seen: set[str] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        one = waiting.pop()
        if str(one) in seen:
            continue
        seen.add(str(one))
        try:
            there = distribution(one.name)
        except PackageNotFoundError:
            continue
        found[canonicalize_name(one.name)] = there
        asked = [Requirement(line) for line in there.requires or []]
        waiting += [other for other in asked if _applies(other, one.extras)]
    return found


def _applies(requirement: Requirement, names: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": name}) for name in ("", *names))


def pins(installed: dict[str, Distribution], before: str) -> str:
    """Gets the text of the file for what is *installed*; *before* is the text that it replaces."""
    by_hand: dict[str, str] = {canonicalize_name(match[1]): match[0] for match in _BY_HAND.finditer(before)}
    return HEAD + "".join(f"{line}\n" for name in sorted(installed) for line in _lines(name, installed[name], by_hand))


def _lines(name: str, there: Distribution, by_hand: dict[str, str]) -> Iterator[str]:
    # A build for one kind of machine, such as 2.13.0+cpu, is a release like the others.
    pin = f"{name}=={Version(there.version).public}"
    runs_on = SpecifierSet(there.metadata["Requires-Python"] or "")
    oldest = next(minor for minor in range(_OLDEST, 99) if f"3.{minor}.99" in runs_on)
    marker = f'; python_version >= "3.{oldest}"' if oldest > _OLDEST else ""
    if name in by_hand:
        yield by_hand[name]
        marker = by_hand[name][by_hand[name].index(";") :].replace("<", ">=")
    yield pin + marker


@click.command(cls=Command)
def main() -> None:
    """Pin in constraints.txt what is installed of everything that the extras of pyproject.toml need."""
    text = pins(with_what_comes(needed(*extras())), PINS.read_text("utf-8"))
    put(PINS, text.encode())
    say(f"{PINS.name}: {text.count('==')} releases")
