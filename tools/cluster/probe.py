"""
A worker's program and files: hashes of its sources, its kernel, its weights, and of other files that are named.

This module travels to the workers by value, because theirs may be another, and that is what it is to find out. So it
imports nothing of the project before it has looked.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from typing import Any

MISSING = "missing"
STALE = "changed"
"""In the place of a hash: the file is another than when this process first looked, and it may have read the old one."""

_TOOLS = __name__.partition(".")[0]
PACKAGES = ("ddzbot", _TOOLS)
"""The packages whose sources must be the same."""


def fingerprint(
    modules: Iterable[str], files: Iterable[str], programs: Iterable[str], torch: bool = False, dask_worker: Any = None
) -> dict[str, str]:
    """
    Names everything that results depend on, with a short text that is the same where the thing is.

    *modules* are the user's own players, *files* must have the same content, *programs* must be there. A file of
    the tools is named from above them, e.g. ``tools/programs/weights/zero.npz``, because they lie anywhere.
    *dask_worker* is filled in by dask: what that worker found first is remembered in it.
    With *torch* that must compute alike.
    """
    prints = dict(_sources(PACKAGES, modules))
    if MISSING not in prints.values():
        prints.update(_kernel_and_weights())
    prints.update((thing, _hash(_place(thing))) for thing in files)
    if torch:
        prints["torch"] = _torch()
    if dask_worker is not None:
        seen = dask_worker.__dict__.setdefault("_ddzbot_found", {})
        for thing, mark in prints.items():
            if seen.setdefault(thing, mark) != mark:
                prints[thing] = STALE
    prints.update((thing, "there" if shutil.which(thing) else MISSING) for thing in programs)
    return prints


def _sources(packages: Iterable[str], modules: Iterable[str]) -> Iterator[tuple[str, str]]:
    for package in packages:
        spec = _spec(package)
        folders = list(spec.submodule_search_locations or ()) if spec else []
        if not folders:
            yield package, MISSING
        for folder in folders:
            for path in _python_files(folder):
                relative = os.path.join(package.replace(".", os.sep), os.path.relpath(path, folder))
                yield relative, _hash(path)
    for module in modules:
        origin = getattr(_spec(module), "origin", None)
        yield module, _hash(origin) if origin else MISSING


def _spec(name: str) -> Any:
    try:
        return importlib.util.find_spec(name)
    except ImportError:
        return None


def _python_files(folder: str) -> Iterator[str]:
    for where, _, names in os.walk(folder):
        yield from (os.path.join(where, file) for file in sorted(names) if file.endswith(".py"))


def _kernel_and_weights() -> Iterator[tuple[str, str]]:
    from ddzbot.kernel import native
    from ddzbot.net.current import weights_folder

    kernel = native()
    yield "kernel", kernel.library.build if kernel else "none"
    folder = weights_folder()
    for file in ["manifest.json", *_current(os.path.join(folder, "manifest.json"))]:
        yield os.path.join("weights", file), _hash(os.path.join(folder, file))
    try:
        yield "numpy", importlib.metadata.version("numpy")
    except importlib.metadata.PackageNotFoundError:
        yield "numpy", MISSING


def _torch() -> str:
    try:
        import torch
    except ImportError:
        return MISSING
    return f"{torch.__version__} with {torch.backends.cpu.get_cpu_capability()}"


def _current(manifest: str) -> list[str]:
    """Lists the weights files that play, by a manifest that need not be there or be a good one."""
    try:
        with open(manifest, encoding="utf-8") as file:
            current = json.load(file)["current"]
        return sorted({str(network) for by_rules in current.values() for network in by_rules.values()})
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return []


def _place(name: str) -> str:
    package, _, below = name.partition("/")
    folders = getattr(_spec(package), "submodule_search_locations", None) if package == _TOOLS else None
    return os.path.join(folders[0], below) if folders else name


def _hash(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:12]
    except OSError:
        return MISSING
