"""Locks of files, between processes and whatever happens to the file meanwhile."""

import errno
import fcntl
import os
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import ROOT
from tools.shared.storage.growing_file import GrowingFile, JournalError
from tools.shared.storage.journal import Journal
from tools.shared.storage.lock import Lock, TakenError, lock_of
from tools.shared.storage.whole_file import put

HOLD = """
import sys, pathlib
from tools.shared.storage.lock import Lock
lock = Lock(pathlib.Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_one_at_a_time_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with Lock(path), pytest.raises(TakenError, match="another program is writing it"):
        Lock(path)
    with Lock(path):
        assert path.exists()
    assert not path.exists()


def test_a_lock_that_cannot_be_made_says_why() -> None:
    with pytest.raises(FileNotFoundError):
        Lock(Path("/proc/a.lock"))


def test_a_process_that_waits_gets_the_file_that_was_put_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    put(path, b"1")
    counted = 60

    def count() -> None:
        for _ in range(counted // 3):
            with Lock(lock_of(path), patience=30.0):
                put(path, str(int(path.read_bytes()) + 1).encode())

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(250)
    assert int(path.read_bytes()) == 1 + counted
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_stands_for_its_file(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "a.txt")
    assert lock_of(link) == lock_of(tmp_path / "a.txt") == Path(os.path.realpath(tmp_path)) / ".a.txt.lock"


@pytest.mark.parametrize("holder", [GrowingFile, Journal])
def test_a_file_that_another_process_writes_is_refused(tmp_path: Path, holder: type[GrowingFile]) -> None:
    path = tmp_path / "a.json"
    path.touch()
    with closing(holder(path)), pytest.raises(JournalError, match="another match is writing it"):
        GrowingFile(path)
    with closing(GrowingFile(path)), pytest.raises(TakenError):
        Lock(lock_of(path))
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    words = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(TakenError):
            Lock(path)
        holder.kill()
        holder.wait()
        Lock(path).close()


@pytest.mark.parametrize("kind", [Lock, GrowingFile, Journal])
def test_a_forked_process_does_not_keep_the_lock_of_its_parent(tmp_path: Path, kind: type[Lock | GrowingFile]) -> None:
    held = kind(tmp_path / "a.lock")
    forked, end = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.close(end[1])
        os.write(forked[1], b"!")
        os.read(end[0], 1)
        os._exit(0)
    assert os.read(forked[0], 1) == b"!"
    held.close()
    kind(tmp_path / "a.lock").close()
    os.close(end[1])
    os.waitpid(child, 0)
    for handle in (*forked, end[0]):
        os.close(handle)


def test_a_drive_without_locks_lets_everybody_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    with Lock(tmp_path / "a.lock"):
        Lock(tmp_path / "a.lock").close()
