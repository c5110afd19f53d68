"""
Tests the tests: puts each fault of the list into a copy of the project, one at a time, and says which test sees it.

``python -m tests.injected`` tries all of them with what ``make test`` runs, in about half an hour.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
from rich.table import Table

from tests.injected.list import Fault, faults
from tools.shared.bars import progress_bar
from tools.shared.terminal import Console

ROOT = Path(__file__).parents[2]
_KERNEL = Path("build/ddz_kernel.so")
_BUILD = ("-m", "tools.make", "kernel", "--install")
# Our own test would see every fault: it wants the text that each takes away.
_PYTEST = ("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--no-header", "--ignore=tests/injected")
# A fault may leave a search without an end; that is seen, too, and its test is the lowest frame of ours.
_LONGEST = ("-o", "faulthandler_timeout=300", "-o", "faulthandler_exit_on_timeout=true")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_ENDLESS = re.compile(r'File "\S*/(tests/\S+\.py)", line \d+ in (test_\w+)')
_NO_TESTS = 5


@click.command()
@click.option("--only", default="", help="Only faults with this in their description.")
@click.option("--everything", is_flag=True, help="Try all tests, not those of make test alone.")
def main(only: str, everything: bool) -> None:
    """Put each fault into a copy of the project, and say which test sees it."""
    wanted = [fault for fault in faults() if only in fault.what]
    seen = Table("fault", "seen by", "seconds")
    missed = 0
    with tempfile.TemporaryDirectory() as folder, progress_bar(console=Console(stderr=True)) as progress:
        copy = _copied(Path(folder) / "project")
        for fault in progress.track(wanted, description="faults"):
            began = time.monotonic()
            test = _seen_by(copy, fault, everything)
            missed += test is None
            progress.console.print(f"{fault.what}: {test or 'no test'}", soft_wrap=True)
            seen.add_row(fault.what, test or "no test", f"{time.monotonic() - began:.0f}")
    Console().print(seen)
    Console().print(f"{len(wanted) - missed} of {len(wanted)} faults were seen")
    sys.exit(1 if missed else 0)


def _copied(target: Path) -> Path:
    """Copies what git knows, and a kernel."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    _run(target, *_BUILD).check_returncode()
    return target


def _run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True)


def _seen_by(copy: Path, fault: Fault, everything: bool) -> str | None:
    """Gets the first test that fails with the fault, or None."""
    path, good = copy / fault.file, (copy / fault.file).read_bytes()
    kernel = (copy / _KERNEL).read_bytes()
    path.write_text(fault.changed(copy))
    try:
        if fault.is_in_kernel and _run(copy, *_BUILD).returncode:
            return "the compiler"
        return _first_failure(copy, fault.first, everything) or _first_failure(copy, ("tests",), everything)
    finally:
        path.write_bytes(good)
        (copy / _KERNEL).write_bytes(kernel)


def _first_failure(copy: Path, tests: tuple[str, ...], everything: bool) -> str | None:
    done = _run(copy, *_PYTEST, *_LONGEST, *([] if everything else ["-m", "not whole"]), *tests)
    if done.returncode in (0, _NO_TESTS):
        return None
    if failed := _FAILED.search(done.stdout):
        return failed.group(1)
    if endless := _ENDLESS.search(done.stderr):
        return f"{'::'.join(endless.groups())}, which does not end"
    return f"pytest, which ended with {done.returncode}"


if __name__ == "__main__":
    main()
