"""A match on a cluster, even with lost workers, has the results of one machine."""

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner, Result
from distributed import Client

from tests.arena.players import POISONED, leaves_off, squares_but_of_3
from tests.arena.some_files import keep, rows_in, saving_often, sets_in, timeless
from tests.cluster.dask_processes import Dask, until
from tests.support import ROOT, command_line, require, started
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.matches.everybody import Everybody
from tools.arena.matches.on_cluster import play_left
from tools.arena.matches.plan import Match, Plan
from tools.arena.matches.runner import Progress, run
from tools.arena.matches.sets import PlayedSet, SetPlayer
from tools.arena.playing import _Bar
from tools.arena.reports.results import results_of
from tools.arena.stats.row import Row
from tools.cluster import connect
from tools.cluster.dispatch import open_cluster
from tools.cluster.errors import ClusterError
from tools.cluster.needs import Needs
from tools.cluster.run import Job
from tools.records.files import read_records
from tools.shared.work.workers import Workers
from tools.training import making
from tools.training.mcm.command import make as generator

pytestmark = pytest.mark.whole

PLAN = Match.of("mini", ("random", "rule"), 80, 3)
QUICK = ["--rules", "mini", "--simulations", "60", "--visits", "5", "--shard", "4", "--count", "40", "--quiet"]
Rows = list[list[Row]]


def file_of(progress: Progress) -> Any:
    return timeless(results_of(progress).rows)


def here(plan: Plan, rows: Rows | None = None, sets: int = 10**6) -> Progress:
    """Plays a match on one machine, or about so many sets of it."""
    progress = Progress(plan, rows)
    run(progress, 1, lambda *_: None, lambda: len(progress.rows[0]) >= sets)
    return progress


def there(
    dask: Dask,
    plan: Plan,
    rows: Rows | None = None,
    sets: int = 10**6,
    after: Callable[[int], None] = lambda sets: None,
    stopped: Callable[[Progress], bool] = lambda progress: False,
    say: Callable[[str], None] = lambda sentence: None,
) -> Progress:
    """The same on a cluster; *after* is called with the number of sets after each."""
    progress = Progress(plan, rows)
    play_left(
        Workers(1, dask.address),
        progress,
        lambda pairing, row: after(len(progress.rows[pairing])),
        lambda: len(progress.rows[0]) >= sets or stopped(progress),
        report=say,
    )
    return progress


def squares(dask: Dask, function: Any, numbers: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    with open_cluster(dask.address, Needs(), lambda sentence: None) as cluster:
        job = Job(function, iter(numbers), lambda number: f"number {number}", 4, found.__setitem__)
        cluster.play(job, lambda: False, lambda text: None)
    return found


def words(result: Result) -> str:
    return " ".join(result.output.split())


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    assert process.wait(20) == -signal.SIGKILL


@pytest.mark.parametrize("plan", [PLAN, Everybody.of("mini", ("random", "rule", "rhcp"), 5, 3)], ids=["two", "three"])
def test_a_cluster_plays_what_one_machine_plays(two_workers: Dask, plan: Plan) -> None:
    played = there(two_workers, plan)
    assert played.finished
    assert file_of(played) == file_of(here(plan))


def test_the_command_plays_on_a_cluster_and_keeps_the_games_too(two_workers: Dask, tmp_path: Path) -> None:
    file, results = tmp_path / "games.ddzn.gz", tmp_path / "r.json"
    plan = replace(PLAN, sets=20)
    said = "--rules mini --sets 20 --seed 3 --quiet"
    options = [*said.split(), "--results", str(results), "--save-games", str(file)]
    done = CliRunner().invoke(match, ["random", "rule", *options, "--cluster", two_workers.address])
    assert done.exit_code == 0, done.output
    assert timeless(rows_in(results)) == file_of(here(plan))
    games = {record.tags["Number"]: [move.cards for move in record.moves] for record in read_records(file)}
    assert len(games) == 40
    assert games["7.1"] == [move.cards for move in SetPlayer(plan).record(0, 7, 1).moves]


def test_killed_workers_lose_nothing_even_if_the_last_one_goes_before_another_comes(two_workers: Dask) -> None:
    first, second = two_workers.good_workers(2)

    def after(sets: int) -> None:
        if sets == 20:
            kill(first)
        if sets == 50:
            kill(second)
            two_workers.worker()

    assert file_of(there(two_workers, PLAN, after=after)) == file_of(here(PLAN))
    assert first.returncode == second.returncode == -signal.SIGKILL


def test_a_match_goes_from_here_to_a_cluster_and_back(two_workers: Dask, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    players: list[Callable[..., Progress]] = [here, partial(there, two_workers), here]
    for player, sets in zip(players, (10, 25, 10**6), strict=True):
        played = player(PLAN, rows=rows_in(path) if path.exists() else None, sets=sets)
        assert (len(played.rows[0]) == PLAN.sets) == (sets == 10**6)
        keep(path, played)
    assert timeless(rows_in(path)) == file_of(here(PLAN))


def test_a_sequential_test_stops_at_the_same_set(two_workers: Dask) -> None:
    plan = replace(Match.of("mini", ("rule", "random"), 5000, 3), sprt=(0, 20, 0.05, 0.05))
    played = there(two_workers, plan)
    assert played.decided
    assert len(played.rows[0]) < 500
    assert file_of(played) == file_of(here(plan))


def test_programs_play_on_a_cluster_and_are_ended(two_workers: Dask, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text((ROOT / "tests" / "bots" / "obedient_keep_running.py").read_text())
    plan = Match.of("botzone", ("rule", command_line(sys.executable, bot)), 2, 1)
    assert file_of(there(two_workers, plan)) == file_of(here(plan))
    commands = [" ".join(one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"])]
    assert not [command for command in commands if str(bot) in command]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_shards_are_the_same_bytes_though_a_worker_is_killed(
    two_workers: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim, _ = two_workers.good_workers(2)
    put = making.put

    def put_and_kill(path: Path, content: bytes) -> None:
        put(path, content)
        if victim.poll() is None:
            kill(victim)

    monkeypatch.setattr(making, "put", put_and_kill)
    for folder, where in (("here", ["--jobs", "1"]), ("there", ["--cluster", two_workers.address])):
        done = CliRunner().invoke(generator, [str(tmp_path / folder), *QUICK, *where])
        assert done.exit_code == 0, done.output
    assert victim.returncode == -signal.SIGKILL
    assert len(files_in(tmp_path / "here")) == 10
    assert files_in(tmp_path / "here") == files_in(tmp_path / "there")


def test_ctrl_c_stops_saves_and_leaves_the_workers_idle(two_workers: Dask, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    python, *program = saving_often()
    command = [python, "-W", "error", *program, "random", "rule", "--rules", "mini"]
    options = ["--sets", "100000", "--cluster", two_workers.address, "--quiet", "--results", str(file)]
    with (
        started(
            [*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process,
        Client(two_workers.address, set_as_default=False) as client,
    ):
        until(lambda: any(client.processing().values()) and sets_in(file) > 0, process)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 130
        until(lambda: not any(client.processing().values()))
    assert said == "Stopped by an interrupt; run the same command again to resume.\n"
    assert 0 < sets_in(file) < read(file).plan.sets


@pytest.mark.parametrize("who_counts", ["dask", "we"])
def test_a_set_that_kills_its_workers_is_named(
    who_counts: str, distributed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """dask counts deaths as long as there are other workers; a worker that comes back is another, and we count."""
    monkeypatch.setattr("tools.cluster.run.LOSSES", 1 if who_counts == "we" else 10**6)
    plan = Match.of("mini", ("tests.arena.players:Poison", "random"), 100, 3)
    with Dask(tmp_path, failures=0 if who_counts == "dask" else 10**6) as dask:
        dask.worker(nanny=True)
        dask.wait_for(1)
        with pytest.raises(ClusterError, match=f"^set {POISONED} of .* ends every worker that plays it, the last one"):
            there(dask, plan)


def test_a_unit_that_fails_names_the_worker_and_keeps_the_rest(two_workers: Dask) -> None:
    with pytest.raises(ClusterError, match=r"^number 3 failed on worker tcp://\S+: ArithmeticError: 3 is odd$"):
        squares(two_workers, squares_but_of_3, [1, 2, 3, 4])


def test_what_a_worker_leaves_of_a_unit_is_played_again(two_workers: Dask) -> None:
    assert squares(two_workers, leaves_off, [*range(50)]) == {number: number * number for number in range(50)}


def test_a_lost_scheduler_makes_one_message_and_a_file_that_resumes(
    own: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    own.workers(ROOT)
    file, done, sets = tmp_path / "r.json", _Bar.done, 0

    def done_and_kill(self: _Bar, pairing: int, row: PlayedSet) -> None:
        nonlocal sets
        sets += 1
        done(self, pairing, row)
        if sets == 20:
            kill(own.scheduler)

    monkeypatch.setattr(_Bar, "done", done_and_kill)
    options = ["--rules", "mini", "--sets", "5000", "--seed", "3", "--quiet", "--results", str(file)]
    ended = CliRunner().invoke(match, ["random", "rule", *options, "--cluster", own.address])
    assert ended.exit_code == 1
    lost = f"Stopped: cluster {own.address}: the connection to the scheduler is lost ("
    assert [line for line in capfd.readouterr().err.splitlines() if not line.startswith(lost)] == []
    assert lost in words(ended)
    rows = rows_in(file)[0]
    assert len(rows) == sets >= 20
    assert timeless([rows[:10]]) == timeless(here(replace(PLAN, sets=10)).rows)


def test_an_address_without_a_scheduler_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_CONNECT_SECONDS", 0.3)
    done = CliRunner().invoke(match, ["random", "rule", "--quiet", "--cluster", "tcp://127.0.0.1:1"])
    assert done.exit_code == 1
    assert "cluster tcp://127.0.0.1:1: no scheduler answers there" in words(done)


@pytest.mark.parametrize("address", ["nonsense", "10.0.0.7", "tcp://10.0.0.7:port", "carrier-pigeon://10.0.0.7:8786"])
def test_what_is_no_address_is_refused_at_once(capfd: pytest.CaptureFixture[str], address: str) -> None:
    done = CliRunner().invoke(match, ["random", "rule", "--quiet", "--cluster", address])
    gc.collect()  # a client that is half made would now try to close
    assert done.exit_code == 1
    assert f"Stopped: cluster {address}: an address is like tcp://10.0.0.7:8786" in words(done)
    assert "Traceback" not in capfd.readouterr().err


def test_a_cluster_with_certificates_plays(distributed: None, tmp_path: Path) -> None:
    openssl = require(shutil.which("openssl"), "openssl")
    certificate, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost"]
    request = [openssl, "req", "-x509", "-nodes", *made, "-keyout", key, "-out", certificate]
    subprocess.run(request, check=True, stderr=subprocess.DEVNULL)
    files = ["--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key]
    with Dask(tmp_path, *files) as dask:
        assert dask.address.startswith("tls://")
        dask.worker()
        options = ["--rules", "mini", "--sets", "10", "--quiet", "--cluster", dask.address]
        named = {"CA_FILE": certificate, "CLIENT__CERT": certificate, "CLIENT__KEY": key}
        environment = {**os.environ, **{f"DASK_DISTRIBUTED__COMM__TLS__{name}": file for name, file in named.items()}}
        command = [sys.executable, "-m", "tools", "match", "random", "rule", *options]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "sets 10" in done.stdout


@pytest.fixture
def other_code(tmp_path: Path) -> Path:
    """A checkout in which one player is another."""
    checkout = tmp_path / "checkout"
    for part in ("ddzbot", "tools", "weights"):
        shutil.copytree(ROOT / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
    player = checkout / "ddzbot" / "players" / "random_player.py"
    drawn = "choice(view.legal_moves())"
    assert drawn in player.read_text()
    player.write_text(player.read_text().replace(drawn, "choice(view.legal_moves()[:2])"))
    return checkout


def test_workers_of_other_code_are_refused_whenever_they_come(own: Dask, other_code: Path) -> None:
    (other,) = own.workers(other_code)
    file = os.path.join("ddzbot", "players", "random_player.py")
    sentence = rf"worker tcp://\S+ is refused: {file} differs"
    with pytest.raises(ClusterError, match=f"^{sentence}$"):
        there(own, PLAN)
    kill(other)
    own.workers(ROOT)
    said: list[str] = []
    sets_then: list[int] = []

    def stopped(progress: Progress) -> bool:
        sets = len(progress.rows[0])
        if said and not sets_then:
            sets_then.append(sets)
        return bool(sets_then) and sets >= sets_then[0] + 20

    own.worker(other_code)  # it takes a second or two to get ready
    played = there(own, replace(PLAN, sets=100000), stopped=stopped, say=said.append)
    assert len(said) == 1 and re.fullmatch(sentence, said[0])
    player = SetPlayer(PLAN)
    late = played.rows[0][-20:]
    assert timeless([late]) == timeless([[player.row(0, row.set) for row in late]])


def test_a_worker_without_the_program_is_refused(
    two_workers: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(ROOT / "tests" / "bots" / "obedient_keep_running.py", tmp_path / "mybot")
    (tmp_path / "mybot").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ClusterError, match=r"^worker tcp://\S+ is refused: ./mybot is missing there; worker tcp"):
        there(two_workers, Match.of("botzone", ("rule", "./mybot --keep"), 1, 1))
