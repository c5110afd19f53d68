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

from ...arena.fallbacks import first_lead, would_fall_back
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
    looked_at = networks()
    without = (DEFAULT_PLAYER, NONE)
    untrained = {rules for net in looked_at if (net.player, net.state) == without for rules in net.rules}
    return [
        Finding("program", f"ddzbot {__version__}, code {commit()}", {"version": __version__, "commit": commit()}),
        _kernel(),
        _rules(),
        *map(_of_network, looked_at),
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
    sentence = f"{VERSION} {fact['build']}, code {fact['code']}, {fact['path']}"
    if not passed_over:
        return Finding("kernel", sentence, fact)
    named = os.environ.get("DDZ_KERNEL")
    advice = "Unset DDZ_KERNEL, or name a kernel with it." if named else _kernel_advice()
    return Finding("kernel", f"{sentence}; not used: {passed_over}", {**fact, "passed_over": passed_over}, advice)


def _rules() -> Finding:
    lister_name = lister().name
    sentences = {
        "kernel": "the kernel lists moves",
        "reference": "Python lists moves, ten times as slowly as the kernel",
    }
    return Finding("rules", sentences[lister_name], {"lister": lister_name})


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
        sentence = f"{network.player}: {network.file} is whole, sha256 {network.sha256[:12]} ({where})"
        return Finding("network", sentence, fact)
    if network.state == NONE:
        return Finding("network", f"{network.player}: none ({where}): {network.reason}; others play there", fact)
    sentence = f"{network.player}: {network.file or 'no network'} is {network.state} ({where}): {network.reason}"
    if not network.file:
        sentence = f"{network.player}: no network ({where}): {network.reason}"
    return Finding("network", sentence, fact, _network_advice(network))


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
    by_extra = extras()
    mine = [extra for extra in by_extra if extra in OF_ALL_TOOLS] if INSTALLED else [*by_extra]
    versions: dict[str, str | None] = {}
    missing: list[Finding] = []
    for extra in mine:
        names = packages(by_extra[extra])
        versions.update((package, _version(package)) for package in names)
        lacks = [package for package in names if versions[package] is None]
        if lacks:
            way = way_to(extra)
            advice = f"{way[0].upper() if INSTALLED else way[0]}{way[1:]}."
            lacking = f"{', '.join(lacks)} (extra {extra})"
            missing.append(Finding("without", lacking, {"extra": extra, "packages": lacks}, advice))
    of_tools = packages(needed("tools")) if mine else []
    listed = ", ".join(f"{package} {versions[package]}" for package in of_tools if versions[package])
    yield Finding("packages", listed or "none", versions)
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
    command = _compiler_words()
    if not command:
        advice = "" if INSTALLED else "Install gcc or clang; or make kernel installs zig, if it needs it."
        return Finding("compiler", "none", None, advice)
    compiler = "zig" if has_zig() and command[0] == sys.executable else shlex.join(command)
    first_line = _first_line_of(command)
    return Finding("compiler", first_line or compiler, {"name": compiler, "version": first_line})


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
        sentence = (
            f"none, and no memory limit of the system: {reason}; programs of others run with your permissions, "
            "and the judge ends one that it sees above its memory limit"
        )
        return Finding(
            "sandbox", sentence, {"open": reason}, "What a program of a stranger may do here: docs/guide/match.md."
        )
    less = "" if call_filter() else "; calls of the kernel are not known here, so it closes less"
    return Finding("sandbox", f"programs of others run in bubblewrap{less}", {"open": "", "filter": not less})


def _machine() -> Finding:
    fact: dict[str, Any] = {"processor": cpu(), "cores": cores(), "memory": None, "free": None}
    sentence = f"{fact['cores']} cores of {fact['processor']}"
    try:
        import psutil
    except ImportError:
        return Finding("machine", sentence, fact)
    memory = psutil.virtual_memory()
    fact.update(memory=memory.total, free=memory.available)
    return Finding(
        "machine", f"{sentence}, {memory.total / 2**30:.1f} GB memory, {memory.available / 2**30:.1f} free", fact
    )


def _decision(untrained: set[str]) -> Finding:
    """
    Asks the default player for the first lead of a fixed deal, and which player chooses under other rule sets.

    A missing network is reported for rule sets that have one, not for the *untrained* ones.
    """
    others = {rules: fallback._asdict() for rules in RULE_SETS if (fallback := would_fall_back(rules, DEFAULT_PLAYER))}
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
    sentence = (
        f"{decision.player} leads {decision.move} in {milliseconds} ms, {fact['playouts']} playouts, under {rules}"
    )
    for unplayed, chosen in fact["untrained"].items():
        sentence += f"; {chosen['chose']} chooses under {unplayed}, for which no network was trained"
    if not instead:
        return Finding("decision", sentence, fact)
    because = "; ".join(dict.fromkeys(chosen["because"] for chosen in instead.values()))
    sentence += f"; it is not {DEFAULT_PLAYER} that chooses under {', '.join(instead)}: {because}"
    return Finding(
        "decision", sentence, fact, f"Fix kernel and networks as described above; then {DEFAULT_PLAYER} chooses."
    )
