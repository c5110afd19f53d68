"""Looks at this machine: every part that decides how well the default player plays here, and what to do about it."""

import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from ddzbot import __version__
from ddzbot.engine import Engine
from ddzbot.files import ROOT, exists
from ddzbot.kernel import current_choice, lister
from ddzbot.kernel.library import VERSION, places
from ddzbot.net.current import weights_folder
from ddzbot.players.registry import DEFAULT_PLAYER
from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import View

from ...arena.fallbacks import fallback_of, first_lead
from ...programs.sandbox import why_open
from ...programs.sandbox_filter import call_filter
from ...shared.compiling import BuildError, find_compiler, has_zig
from ...shared.install import OF_ALL_TOOLS, extras, needed, packages, way_to
from ...shared.machine import code_path, commit, cores, cpu
from ...shared.paths import INSTALLED
from .networks import NONE, Network, networks

_SEED = 1
_COMPILER_SECONDS = 10


class Finding(NamedTuple):
    """One part of this machine."""

    part: str
    text: str
    """One line for people."""
    fact: Any
    """The same for programs, as JSON."""
    advice: str = ""
    """A sentence on what to do; empty where nothing is missing."""


def examined() -> list[Finding]:
    """Looks at everything. A few playouts are made under each rule set, and one whole decision under the first."""
    found = networks()
    untrained = {rules for one in found if one.player == DEFAULT_PLAYER and one.state == NONE for rules in one.rules}
    return [
        Finding("program", f"ddzbot {__version__}, code {commit()}", {"version": __version__, "commit": commit()}),
        _kernel(),
        _rules(),
        *map(_of_network, found),
        _python(),
        *_packages(),
        _compiler(),
        _sandbox(),
        _machine(),
        _decision(untrained),
    ]


def plays_in_full(findings: list[Finding]) -> bool:
    """Tests whether the default player itself chooses, with its kernel, under every rule set that has a network."""
    facts = {finding.part: finding.fact for finding in findings}
    return facts["kernel"]["path"] is not None and not facts["decision"]["instead"]


def _kernel() -> Finding:
    kernel, description, passed_over = current_choice()
    if kernel is None:
        return Finding(
            "kernel", description, {"path": None, "reason": description.partition(": ")[2]}, _kernel_advice()
        )
    fact = {
        "path": kernel.library.path,
        "version": VERSION,
        "build": kernel.library.build,
        "code": code_path(kernel),
    }
    text = f"{VERSION} {fact['build']}, code {fact['code']}, {fact['path']}"
    if not passed_over:
        return Finding("kernel", text, fact)
    named = os.environ.get("DDZ_KERNEL")
    advice = "Unset DDZ_KERNEL, or name a kernel with it." if named else _kernel_advice()
    return Finding("kernel", f"{text}; not used: {passed_over}", {**fact, "passed_over": passed_over}, advice)


def _rules() -> Finding:
    name = lister().name
    text = {"kernel": "the kernel lists moves", "reference": "Python lists moves, ten times as slowly as the kernel"}
    return Finding("rules", text[name], {"lister": name})


def _kernel_advice() -> str:
    if os.environ.get("DDZ_NO_KERNEL") == "1":
        return "Unset DDZ_NO_KERNEL, which forbids the kernel."
    if INSTALLED:
        return "Install ddzbot again: from a wheel for this system, or from a checkout where a C compiler is."
    if any(map(exists, places(os.environ))):
        return "The one that is there does not load: make kernel compiles another."
    return f"make kernel {'compiles it' if _compiler_words() else 'installs zig, a compiler, and compiles it'}."


def _of_network(network: Network) -> Finding:
    where = ", ".join(network.rules)
    fact = network._asdict()
    if network.state == "whole":
        text = f"{network.player}: {network.file} is whole, sha256 {network.sha256[:12]} ({where})"
        return Finding("network", text, fact)
    if network.state == NONE:
        return Finding("network", f"{network.player}: none ({where}): {network.reason}; others play there", fact)
    text = f"{network.player}: {network.file or 'no network'} is {network.state} ({where}): {network.reason}"
    if not network.file:
        text = f"{network.player}: no network ({where}): {network.reason}"
    return Finding("network", text, fact, _network_advice(network))


def _network_advice(network: Network) -> str:
    if os.environ.get("DDZ_WEIGHTS"):
        return f"Unset DDZ_WEIGHTS, or put the networks and their manifest.json into {weights_folder()}."
    if not exists(os.path.join(ROOT, ".git")):
        return f"{'Install' if INSTALLED else 'Unpack'} the release again: its networks are not what they were."
    return f"Bring it back: git checkout -- weights{'/' + network.file if network.file else ''}."


def _python() -> Finding:
    fact = {"version": platform.python_version(), "executable": sys.executable}
    return Finding("Python", f"{fact['version']} {fact['executable']}", fact)


def _packages() -> Iterator[Finding]:
    """Lists what the tools use, and then by extra what is not installed; if pip installed them, of the tools alone."""
    known = extras()
    mine = [name for name in known if name in OF_ALL_TOOLS] if INSTALLED else [*known]
    found: dict[str, str | None] = {}
    missing: list[Finding] = []
    for extra in mine:
        names = packages(known[extra])
        found.update((name, _version(name)) for name in names)
        lacks = [name for name in names if found[name] is None]
        if lacks:
            way = way_to(extra)
            advice = f"{way[0].upper() if INSTALLED else way[0]}{way[1:]}."
            text = f"{', '.join(lacks)} (extra {extra})"
            missing.append(Finding("without", text, {"extra": extra, "packages": lacks}, advice))
    shown = [f"{name} {found[name]}" for name in packages(needed("tools")) if found[name]] if mine else []
    yield Finding("packages", ", ".join(shown) or "none", found)
    yield from missing


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _compiler_words() -> list[str]:
    try:
        return find_compiler(os.environ)
    except BuildError:
        return []


def _compiler() -> Finding:
    words = _compiler_words()
    if not words:
        advice = "" if INSTALLED else "Install gcc or clang; or make kernel installs zig, if it needs it."
        return Finding("compiler", "none", None, advice)
    name = "zig" if has_zig() and words[0] == sys.executable else shlex.join(words)
    text = _first_line_of(words)
    return Finding("compiler", text or name, {"name": name, "version": text})


def _first_line_of(words: list[str]) -> str:
    """Gets the first line of a compiler's version."""
    try:
        done = subprocess.run([*words, "--version"], capture_output=True, text=True, timeout=_COMPILER_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return ""
    return (done.stdout.strip().splitlines() or [""])[0]


def _sandbox() -> Finding:
    reason = why_open()
    if reason:
        text = (
            f"none, and no memory limit of the system: {reason}; programs of others run with your permissions, "
            "and the judge ends one that it sees above its memory limit"
        )
        return Finding(
            "sandbox", text, {"open": reason}, "What a program of a stranger may do here: docs/guide/match.md."
        )
    less = "" if call_filter() else "; calls of the kernel are not known here, so it closes less"
    return Finding("sandbox", f"programs of others run in bubblewrap{less}", {"open": "", "filter": not less})


def _machine() -> Finding:
    fact: dict[str, Any] = {"processor": cpu(), "cores": cores(), "memory": None, "free": None}
    text = f"{fact['cores']} cores of {fact['processor']}"
    try:
        import psutil
    except ImportError:
        return Finding("machine", text, fact)
    memory = psutil.virtual_memory()
    fact.update(memory=memory.total, free=memory.available)
    return Finding(
        "machine", f"{text}, {memory.total / 2**30:.1f} GB memory, {memory.available / 2**30:.1f} free", fact
    )


def _decision(untrained: set[str]) -> Finding:
    """
    Asks the default player for the first lead of a fixed deal, and which player chooses under other rule sets.

    A missing network is reported for rule sets that have one, not for the *untrained* ones.
    """
    others = {rules: found._asdict() for rules in RULE_SETS if (found := fallback_of(rules, DEFAULT_PLAYER))}
    instead = {rules: fact for rules, fact in others.items() if rules not in untrained}
    rules = next(iter(RULE_SETS))
    began = time.perf_counter()
    decision = Engine(DEFAULT_PLAYER, _SEED).choose(View.of(first_lead(rules), 0), Limit())
    milliseconds = round(1000 * (time.perf_counter() - began), 1)
    fact = {
        "asked": DEFAULT_PLAYER,
        "chose": decision.player,
        "rules": rules,
        "move": str(decision.move),
        "playouts": decision.debug.get("playouts", 0),
        "milliseconds": milliseconds,
        "instead": instead,
        "untrained": {rules: fact for rules, fact in others.items() if rules in untrained},
    }
    text = f"{decision.player} leads {decision.move} in {milliseconds} ms, {fact['playouts']} playouts, under {rules}"
    for name, one in fact["untrained"].items():
        text += f"; {one['chose']} chooses under {name}, for which no network was trained"
    if not instead:
        return Finding("decision", text, fact)
    because = "; ".join(dict.fromkeys(one["because"] for one in instead.values()))
    text += f"; it is not {DEFAULT_PLAYER} that chooses under {', '.join(instead)}: {because}"
    return Finding(
        "decision", text, fact, f"Fix kernel and networks as described above; then {DEFAULT_PLAYER} chooses."
    )
