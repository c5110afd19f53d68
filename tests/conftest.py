"""What holds for every test: the same examples in each run, and no test left out without being counted."""

import asyncio
import gc
import inspect
import os
import re
import signal
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

import ddzbot.kernel as kernel_choice
from ddzbot import rules
from ddzbot.kernel.binding import Kernel
from tests.support import NOT_TESTED, OF_OTHERS, cost_of, kernel_path, require

CATEGORY = "not tested"
_WHOLE_FILE = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.whole\b", re.MULTILINE)

# Derandomized, so that a run can be repeated; no deadline, because test machines are noisy; no more examples than
# find the faults of tests/injected.
# What Hypothesis would set by itself on a CI server is set here: a test runs the same everywhere.
hypothesis.settings.register_profile(
    "ddzbot",
    derandomize=True,
    deadline=None,
    max_examples=20,
    database=None,
    print_blob=False,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ddzbot")

# Bad bots are tested as they are; the tests of the sandbox put them into it.
os.environ["DDZ_SANDBOX"] = "0"

# Commands speak English here, whatever the locale.
os.environ["LC_ALL"] = "C.UTF-8"

# What is collected stays until the end: to look through it for garbage again and again costs a sixth of the collection.
gc.disable()

# A shell has its background jobs ignore Ctrl-C, and so would the programs that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def rules_are_asked_anew() -> None:
    """Whoever answered in the test before, the kernel answers here, if there is one: tests/rules has the reference."""
    rules.answer_by(kernel_choice.lister())


@pytest.fixture
def usual_handlers() -> Iterator[None]:
    """Takes back the handlers that a command leaves behind when a signal has come: its process would end."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def signals_mean_what_they_meant() -> Iterator[None]:
    """A handler that a command leaves behind changes what later tests see, and ignored signals their programs, too."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(signum) for signum in numbers]
    yield
    after = [signal.getsignal(signum) for signum in numbers]
    for signum, handler in zip(numbers, before, strict=True):
        signal.signal(signum, handler)
    assert after == before


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Lets ``-m "not whole"`` import no file that is whole: it may need a package that `make test` does not install."""
    if config.option.markexpr != "not whole" or collection_path.suffix != ".py":
        return None
    return True if _WHOLE_FILE.search(collection_path.read_text("utf-8")) else None


def pytest_collection_finish() -> None:
    """Keeps Python from looking through all tests again whenever it looks for garbage."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine, in a loop of its own, for ten minutes at most: that only ends what hangs."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {key: pyfuncitem.funcargs[key] for key in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), 600))
    return True


Report = pytest.TestReport | pytest.CollectReport


def _reason(report: Report) -> str:
    """Why the test was left out; pytest puts its own word in front of the text."""
    return str(report.longrepr[2]).removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""


def _refuse_skip(report: Report) -> None:
    """Turns every way to leave a test out, but for require, into a failure."""
    if report.skipped and not hasattr(report, "wasxfail") and not _reason(report).startswith((NOT_TESTED, OF_OTHERS)):
        report.longrepr = f"skipped ({_reason(report)}): only tests.support.require may leave a test out"
        report.outcome = "failed"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Looks at single tests, and at what they ask for."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Looks at whole files, which importorskip leaves out."""
    report = yield
    _refuse_skip(report)
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Gives NOT TESTED a category of its own, so that the last line of a run counts it."""
    if report.skipped and _reason(report).startswith(NOT_TESTED):
        return CATEGORY, "N", "NOT TESTED"
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what the run cost, and what it left out."""
    # os.times counts children that have ended: by now those are the workers of xdist, with all that they started.
    sentence, above = cost_of(sum(os.times()[:4]), terminalreporter.config.option.markexpr == "not whole")
    terminalreporter.line(sentence, red=above, bold=above)
    _list_not_tested(terminalreporter)


def _list_not_tested(terminalreporter: pytest.TerminalReporter) -> None:
    tests = defaultdict(list)
    for report in terminalreporter.getreports(CATEGORY):
        tests[_reason(report)].append(report.nodeid)
    if not tests:
        return
    terminalreporter.section("not tested")
    for reason, names in sorted(tests.items()):
        terminalreporter.line(f"{reason} ({len(names)})", yellow=True)
        for test in sorted(names):
            terminalreporter.line("    " + test)
    terminalreporter.line(f"NOT TESTED, in all: {sum(map(len, tests.values()))}", yellow=True)


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    """The kernel under test: the one that DDZ_KERNEL names, else a fresh build."""
    return Kernel(require(kernel_path(), "a C compiler"))


@pytest.fixture
def with_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is found, by programs too."""
    path = require(kernel_path(), "a C compiler")
    monkeypatch.setenv("DDZ_KERNEL", path)
    monkeypatch.setattr(kernel_choice, "_choice", kernel_choice.choose({"DDZ_KERNEL": path}))


@pytest.fixture
def without_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """No kernel is found, by no program either."""
    monkeypatch.setenv("DDZ_NO_KERNEL", "1")
    monkeypatch.setattr(kernel_choice, "_choice", kernel_choice.choose({"DDZ_NO_KERNEL": "1"}))
    rules.answer_by(rules.REFERENCE)
