"""The list of faults fits the project: each can be put in, and names tests that are there; and their own errors."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.injected.__main__ import ENDLESS
from tests.injected.list import faults
from tests.support import ROOT

CODE = """
def tried(work):
    try:
        return work()
    except Exception:
        return None
tried(lambda: no_such_name)
tried(lambda: [][1])
tried(lambda: len(5))
tried(lambda: {}.no_such_attribute)
"""


def test_each_fault_can_be_put_in() -> None:
    for fault in faults():
        changed = fault.changed(ROOT)
        assert changed != (ROOT / fault.file).read_text(), fault.what
        assert all((ROOT / name).exists() for name in fault.first), fault.what
        first, last = fault.lines(ROOT)
        assert fault.new.rstrip("\n") in "\n".join(changed.split("\n")[first - 1 : last]), fault.what


def test_errors_of_a_fault_itself_are_noted_and_no_others(tmp_path: Path) -> None:
    module, notes = tmp_path / "module.py", tmp_path / "notes"
    module.write_text(CODE)
    watched = json.dumps([str(module), 8, 9, str(notes)])
    path = os.pathsep.join([str(ROOT / "tests" / "injected" / "noting"), str(tmp_path)])
    for code in ("import module", "import threading; threading.Thread(target=__import__, args=('module',)).start()"):
        env = {**os.environ, "PYTHONPATH": path, "DDZ_FAULT": watched}
        subprocess.run([sys.executable, "-B", "-c", code], env=env, check=True)
        assert notes.read_text().splitlines() == ["line 9: TypeError: object of type 'int' has no len()"]
        notes.unlink()


def test_a_test_without_an_end_is_named_by_the_lines_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(
        "def test_quick(): pass\ndef test_endless():\n    while True: pass\n"
    )
    code = (
        "import sys, pytest\nfrom tests.injected import endless\nendless.MOST_SECONDS = 0.2\npytest.main(sys.argv[1:])"
    )
    words = ["-p", "tests.injected.endless", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={tmp_path}"]
    command = [sys.executable, "-c", code, *words, str(tmp_path / "tests")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == -signal.SIGPROF
    endless = ENDLESS.search(done.stderr)
    assert endless and endless.groups() == ("tests/test_it.py", "test_endless")


def test_no_fault_is_there_twice() -> None:
    whats = [fault.what for fault in faults()]
    assert len(whats) == len(set(whats)) >= 50
