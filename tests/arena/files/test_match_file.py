"""What a match keeps when it is killed, when the disk is full, when another wants its file, when programs change."""

import errno
import os
import resource
import signal
import subprocess
import threading
import time
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from tests.arena.players import POISONED
from tests.arena.some_files import (
    PROVENANCE,
    begun,
    keep,
    lines_in,
    lineup_of,
    played,
    put,
    results_in,
    rows_in,
    saving_often,
    sets_in,
    some_of,
    timeless,
)
from tests.support import ROOT, eventually, started
from tools.arena.files.identity import Identity, Lineup
from tools.arena.files.match_files import MatchFiles, MixedError
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.matches.plan import Match
from tools.arena.matches.sets import PlayedSet
from tools.arena.stats.row import Row
from tools.shared.storage import autosave
from tools.shared.storage.autosave import Autosave
from tools.shared.storage.journal import Journal

PLAN = Match.of("mini", ("random", "rule"), 12, 3)


def command(file: Path, sets: int, *more: str, before: str = "pass", seconds: float = 0.1) -> list[str]:
    words = f"random rule --rules mini --seed 3 --quiet --sets {sets} --results".split()
    return [*saving_often(before, seconds), *words, str(file), *more]


def in_background(words: list[str]) -> AbstractContextManager["subprocess.Popen[str]"]:
    return started(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def killed(words: list[str], file: Path, sets: int) -> list[Row]:
    """Kills a match that has so many sets in its file, and gets those that are there then."""
    with in_background(words) as process:
        assert eventually(lambda: sets_in(file) >= sets)
        process.kill()
        process.wait()
    return rows_in(file)[0]


def ended(file: Path, sets: int, jobs: str = "1", *more: str, players: str = "random rule") -> Result:
    """Plays a match, or resumes it, from this process."""
    words = f"{players} --rules mini --seed 3 --quiet --sets {sets} --jobs {jobs} --results".split()
    return CliRunner().invoke(match, [*words, str(file), *more])


def workers_of(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    children = psutil.Process(process.pid).children()
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


@pytest.mark.whole
def test_a_match_whose_workers_were_killed_ends_as_if_nobody_had(tmp_path: Path) -> None:
    file, sets = tmp_path / "r.json", 60
    with in_background(command(file, sets, "--jobs", "2")) as process:
        assert eventually(lambda: sets_in(file) >= 5)
        for worker in workers_of(process):
            worker.kill()
        output = process.communicate()[0]
    assert process.returncode == 0, output
    assert "Traceback" not in output
    assert timeless(rows_in(file)) == timeless(played(replace(PLAN, sets=sets)).rows)


@pytest.mark.whole
def test_a_set_that_ends_every_worker_is_named_and_the_others_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    done = ended(file, 10, "2", players="tests.arena.players:Poison random")
    assert done.exit_code == 1
    stopped = f"Stopped: set {POISONED} of tests.arena.players:Poison against random ends every worker that plays it, "
    assert (
        f"{stopped}the last one killed by SIGKILL; the worker's own output may have the reason. The same" in done.output
    )
    assert {row.set for row in rows_in(file)[0]} >= {*range(POISONED)}


def test_a_block_that_was_written_in_part_is_dropped_and_played_again(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    keep(file, played(PLAN))
    content = file.read_bytes()
    file.write_bytes(content[: content.rindex(b'{"line":"block"') + 100])
    done = ended(file, 12, "1", "--mix")
    assert done.exit_code == 0
    assert f"Results file {file}: the last 100 bytes are half a line and are dropped." in done.stderr
    assert timeless(rows_in(file)) == timeless(played(PLAN).rows)
    assert read(file).played == [10, 2]


def test_a_block_is_on_the_disk_before_the_match_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, on_disk = tmp_path / "r.json", list[int]()
    sync = os.fsync

    def synced(handle: int) -> None:
        sync(handle)
        on_disk.append(os.fstat(handle).st_size)

    monkeypatch.setattr("os.fsync", synced)
    file = begun(PLAN, path)
    for row in played(PLAN).rows[0]:
        before = on_disk[-1]
        file.append([(0, PlayedSet(row))])
        assert before < on_disk[-1] == path.stat().st_size
    file.close()


def test_a_second_match_on_the_same_file_is_refused_while_the_first_one_has_it_open(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    with closing(begun(PLAN, file)):
        second = ended(file, 12)
        assert second.exit_code == 2
        refused = " ".join(second.stderr.replace("│", " ").split())
        assert f"results file {file}: another match is writing it; name another file" in refused
    assert can_open(file)


def test_a_worker_that_outlives_its_match_holds_no_lock(tmp_path: Path) -> None:
    file = Journal(tmp_path / "r.json")
    child = os.fork()
    if child == 0:
        time.sleep(600)
        os._exit(0)
    try:
        file.close()
        assert eventually(lambda: can_open(tmp_path / "r.json"))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def can_open(path: Path) -> bool:
    try:
        Journal(path).close()
    except ValueError:
        return False
    return True


class FullDisk:
    """Lets a file grow to so many bytes, and then fails with an error until there is more room, or so many times."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: int, room: int, most_tries: int = 10**9) -> None:
        self.error, self.room = error, room
        self.tries, self._most = 0, most_tries
        self._write = os.write
        monkeypatch.setattr("os.write", self.write)

    def write(self, handle: int, data: bytes) -> int:
        free = self.room - os.lseek(handle, 0, os.SEEK_CUR)
        if self.tries >= self._most:
            return self._write(handle, data)
        if free > 0:
            # A disk takes what fits first.
            return self._write(handle, data[:free])
        self.tries += 1
        raise OSError(self.error, os.strerror(self.error))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(autosave, "LONGEST_PAUSE", 0.05)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (errno.ENOSPC, "Paused: the disk of results file {} is full (No space left on device); free some space, "),
        (errno.EDQUOT, "Paused: the quota for results file {} is full (Disk quota exceeded); free some space, "),
        (errno.EFBIG, "Paused: results file {} is full (File too large); raise the limit on the size of files, "),
        (errno.EIO, "Paused: results file {} cannot be written (Input/output error); fix that, "),
    ],
)
def test_a_full_disk_pauses_a_match_until_there_is_room(
    error: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    path, printed = tmp_path / "r.json", list[str]()
    file = begun(PLAN, path)
    disk = FullDisk(monkeypatch, error, room=3000, most_tries=4)
    saver = Autosave(file, printed.append, lambda: False, seconds=0)
    for row in played(PLAN).rows[0]:
        saver.add(0, PlayedSet(row))
    saver.close()
    assert disk.tries == 4
    assert printed == [
        message.format(path) + "the match resumes by itself.",
        f"Results file {path} is written again; the match continues.",
    ]
    assert rows_in(path) == played(PLAN).rows


def test_ctrl_c_ends_a_pause_and_keeps_what_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    path, printed, stop = tmp_path / "r.json", list[str](), threading.Event()
    file = begun(PLAN, path)
    disk = FullDisk(monkeypatch, errno.ENOSPC, room=0)
    saver = Autosave(file, printed.append, stop.is_set, seconds=10**6)
    for row in played(PLAN).rows[0]:
        saver.add(0, PlayedSet(row))
    threading.Timer(0.3, stop.set).start()
    saver.flush()
    disk.room = 3000
    saver.close()
    kept = sets_in(path)
    assert 1 <= kept <= 11
    assert rows_in(path)[0] == played(PLAN).rows[0][:kept]
    assert read(path).torn == 0
    lost = 12 - kept
    assert printed[1:] == [
        f"Results file {path} is not complete (No space left on device); "
        f"of what was played last {lost} could not be kept."
    ]


@pytest.mark.whole
def test_a_match_at_the_limit_of_file_sizes_pauses_and_goes_on(tmp_path: Path) -> None:
    """A real limit of the system, raised from outside while the match waits; each set is written by itself."""
    file = tmp_path / "r.json"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, resource.RLIM_INFINITY))"
    with in_background(command(file, 60, "--jobs", "1", before=limit, seconds=0)) as process:
        assert process.stdout is not None
        printed = process.stdout.readline()
        assert printed == (
            f"Paused: results file {file} is full (File too large); raise the limit on the size of files, "
            "the match resumes by itself.\n"
        )
        assert 0 < sets_in(file) < 60
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        psutil.Process(process.pid).rlimit(psutil.RLIMIT_FSIZE, unlimited)
        rest = process.communicate()[0]
        assert process.returncode == 0, rest
    assert rest.startswith(f"Results file {file} is written again; the match continues.\n")
    assert results_in(file).finished and sets_in(file) == 60


@pytest.mark.whole
def test_ctrl_c_at_the_limit_of_file_sizes_ends_a_match_cleanly(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))"
    with in_background(command(file, 3000, "--jobs", "1", before=limit, seconds=0)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Paused: ")
        process.send_signal(signal.SIGINT)
        rest = process.communicate()[0]
        assert process.returncode == 130, rest
    assert "Traceback" not in rest
    assert f"Results file {file} is not complete (File too large)" in rest
    assert sets_in(file) > 5


def changed(**changes: Any) -> Lineup:
    """Lineup plays, where rule is another one."""
    return lineup_of(PLAN, rule=structs.replace(Identity({"net": "1"}, "as rule does"), **changes))


@pytest.mark.parametrize(
    ("now", "change"),
    [
        (changed(), ""),
        (changed()._replace(provenance=structs.replace(PROVENANCE, commit="1", cpu="b", python="3.13.0", jobs=64)), ""),
        (changed(moves=""), ""),
        (changed(moves="y"), "rule: it makes other moves than before;"),
        (changed(files={"net": "2"}), "rule: net was 1 and is 2;"),
        (changed(files={}), "rule: net was 1 and is not there;"),
    ],
)
def test_another_program_resumes_only_with_mix(now: Lineup, change: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    keep(path, some_of(PLAN, 6), changed())
    before = path.read_bytes()
    if change:
        with pytest.raises(MixedError, match="another program would continue it: ") as refused:
            keep(path, played(PLAN), now)
        assert change in str(refused.value) and str(path) in str(refused.value)
        assert path.read_bytes() == before
    keep(path, played(PLAN), now, mix=True)
    found = read(path)
    assert [part.identities["rule"] for part in found.parts] == [changed().players["rule"], now.players["rule"]]
    assert found.played == [6, 6] and rows_in(path) == played(PLAN).rows


def test_a_file_that_does_not_say_who_played_goes_on_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    keep(path, some_of(PLAN, 6))
    head, part, *blocks = lines_in(path)
    put(path, [head, {name: part[name] for name in ("line", "contestants", "sets")}, *blocks])
    with pytest.raises(MixedError, match="random: the file does not identify it; rule: the file does not identify it"):
        keep(path, played(PLAN))
    keep(path, played(PLAN), mix=True)
    assert [part.provenance for part in read(path).parts] == [None, PROVENANCE]


def test_a_compressed_file_is_no_file_to_go_on_with(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(b"\x1f\x8b")
    with pytest.raises(ValueError, match="it is compressed; unpack it to resume from it"):
        MatchFiles(PLAN, path)


@pytest.mark.parametrize("size", [0, 1, 30, 300])
def test_a_file_that_was_killed_in_its_first_lines_begins_anew(size: int, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    keep(path, played(PLAN))
    whole = path.read_bytes()
    # A machine that dies may leave zero bytes of what it had not written yet.
    for rest in (b"", bytes(len(whole) // 2 - size), bytes(len(whole) // 2 - size) + b"\n"):
        path.write_bytes(whole[:size] + rest)
        keep(path, played(PLAN))
        assert path.read_bytes() == whole
