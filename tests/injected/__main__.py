"""
Tests the tests: puts each fault of the list into a copy of the project, one at a time, and says which test sees it.

``python -m tests.injected`` tries all of them with what ``make test`` runs. The test that fails with a fault must fail
once more, and pass without it. A fault that raises an error of its own, such as NameError, is broken, and counts as not
seen (``noting/sitecustomize.py``).
"""

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import click
from rich.markup import escape
from rich.table import Table

from tests.injected.list import Fault, faults
from tools.shared.bars import progress_bar
from tools.shared.terminal import Console

ROOT = Path(__file__).parents[2]
_KERNEL = Path("build/ddz_kernel.so")
_BUILD = ("-m", "tools.make", "kernel", "--install")
# Our own test would see every fault: it wants the text that each takes away.
_PYTEST = ("-m", "pytest", "-q", "-x", "--no-header", "-p", "tests.injected.endless", "--ignore=tests/injected")
# Where the cache says which test failed, by the name that pytest takes back.
_FAILED = Path("v/cache/lastfailed")
ENDLESS = re.compile(r'File "\S*/(tests/\S+\.py)", line \d+ in (test_\w+)')
"""A fault may leave a search without an end; that is seen, too, and its test is the lowest frame of ours."""
_WHICH_DOES_NOT_END = ", which does not end"
_PASSED, _NO_TESTS = 0, 5
_NOTING = ROOT / "tests" / "injected" / "noting"


class Verdict(NamedTuple):
    """What came of a fault."""

    test: str
    """The first test that fails with it; empty if none does."""
    broken: str = ""
    """Why it does not count that the test fails, if it does not: for example the error of the fault's own."""

    def __str__(self) -> str:
        if self.broken:
            return f"BROKEN: {self.broken}" + (f" (in {self.test})" if self.test else "")
        return self.test or "NO TEST"

    @property
    def is_seen(self) -> bool:
        """Tells whether a test sees the fault, which has none of its own."""
        return bool(self.test) and not self.broken


@click.command()
@click.option("--only", default="", help="Only faults with this in their description.")
@click.option("--everything", is_flag=True, help="Try all tests, not those of make test alone.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, help="Faults that are tried at the same time.")
def main(only: str, everything: bool, jobs: int) -> None:
    """Put each fault into a copy of the project, and say which test sees it."""
    chosen = [fault for fault in faults() if only in fault.what]
    seen = Table("fault", "seen by", "seconds")
    verdicts = []
    copies: queue.SimpleQueue[Path] = queue.SimpleQueue()
    with tempfile.TemporaryDirectory() as folder, progress_bar(console=Console(stderr=True)) as progress:
        for index in range(min(jobs, len(chosen))):
            copies.put(_copied(Path(folder) / str(index) / "project"))
        with ThreadPoolExecutor(jobs) as pool:
            waiting = [pool.submit(_tried, copies, fault, everything) for fault in chosen]
            try:
                for done in progress.track(as_completed(waiting), total=len(chosen), description="faults"):
                    fault, verdict, seconds = done.result()
                    verdicts.append(verdict)
                    progress.console.print(f"{fault.what}: {verdict}", soft_wrap=True, markup=False)
                    seen.add_row(fault.what, escape(str(verdict)), f"{seconds:.0f}")
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    Console().print(seen)
    caught = sum(verdict.is_seen for verdict in verdicts)
    Console().print(f"{caught} of {len(chosen)} faults were seen")
    sys.exit(0 if caught == len(chosen) else 1)


def _tried(copies: "queue.SimpleQueue[Path]", fault: Fault, everything: bool) -> tuple[Fault, Verdict, float]:
    copy = copies.get()
    began = time.monotonic()
    try:
        return fault, _verdict(copy, fault, everything), time.monotonic() - began
    finally:
        copies.put(copy)


def _copied(target: Path) -> Path:
    """Copies what git knows, and a kernel."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for file in filter(None, names.split("\0")):
        if (ROOT / file).is_file():
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, target / file)
    _run(target, *_BUILD).check_returncode()
    return target


def _run(folder: Path, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    # Without compiled modules each process would compile them all.
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, env=usual | variables)


def _pytest(copy: Path, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return _run(copy, *_PYTEST, "-o", f"cache_dir={_cache(copy)}", *words, **variables)


def _cache(copy: Path) -> Path:
    return copy.parent / "cache"


def _verdict(copy: Path, fault: Fault, everything: bool) -> Verdict:
    """Puts the fault in, and takes it out again."""
    path, good = copy / fault.file, (copy / fault.file).read_bytes()
    kernel = (copy / _KERNEL).read_bytes()
    lines = fault.lines(copy)
    path.write_text(fault.changed(copy), encoding="utf-8")
    try:
        if fault.is_in_kernel and _run(copy, *_BUILD).returncode:
            return Verdict("", "it does not compile")
        if fault.is_python and _run(copy, "-m", "py_compile", fault.file).returncode:
            return Verdict("", "it is no Python")
        seen = _first_failure(copy, fault.first, everything or fault.whole)
        if not (seen.test or seen.broken or fault.whole):
            seen = _first_failure(copy, ("tests",), everything)
        if "::" in seen.test and not seen.test.endswith(_WHICH_DOES_NOT_END):
            seen = seen._replace(broken=_why_broken(copy, fault, lines, seen.test))
    finally:
        path.write_bytes(good)
        (copy / _KERNEL).write_bytes(kernel)
    test = seen.test.removesuffix(_WHICH_DOES_NOT_END)
    if seen.is_seen and _pytest(copy, test).returncode != _PASSED:
        return seen._replace(broken="the test fails without the fault, too")
    return seen


def _first_failure(copy: Path, tests: tuple[str, ...], everything: bool) -> Verdict:
    shutil.rmtree(_cache(copy), ignore_errors=True)
    done = _pytest(copy, *([] if everything else ["-m", "not whole"]), *tests)
    if done.returncode in (_PASSED, _NO_TESTS):
        return Verdict("")
    if endless := ENDLESS.search(done.stderr):
        return Verdict("::".join(endless.groups()) + _WHICH_DOES_NOT_END)
    failed = _cache(copy) / _FAILED
    names = list(json.loads(failed.read_text("utf-8"))) if failed.exists() else []
    if not names:
        said = " / ".join((done.stdout + done.stderr).strip().splitlines()[-2:])
        return Verdict("", f"pytest ended with {done.returncode} and named no test: {said}")
    return Verdict(names[0])


def _why_broken(copy: Path, fault: Fault, lines: tuple[int, int], test: str) -> str:
    """
    Runs the test that failed once more, and gets why its failure does not count, if it does not.

    The fault's own lines may raise an error, or the test fails now and then.
    """
    notes = copy.parent / "notes"
    notes.unlink(missing_ok=True)
    watched = json.dumps([str(copy / fault.file), *lines, str(notes)])
    variables = {"DDZ_FAULT": watched, "PYTHONPATH": str(_NOTING)} if fault.is_python else {}
    done = _pytest(copy, test, **variables)
    if notes.exists():
        return notes.read_text(encoding="utf-8").splitlines()[0]
    return "the second time the test passes" if done.returncode == _PASSED else ""


if __name__ == "__main__":
    main()
