"""Every kind of work that goes through the one door: what comes of it is the same here and on a cluster."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.arena.some_files import rows_in, timeless
from tests.cluster.dask_processes import Dask
from tests.review.some_reviews import DEMO
from tools.arena.files.results_file import read
from tools.command import main

pytestmark = pytest.mark.whole


def asked(words: str, *where: str, folder: Path) -> str:
    """Calls a command in a folder, and gets what it says but for that and for times."""
    done = CliRunner().invoke(main, [*(word.replace("FOLDER", str(folder)) for word in words.split()), *where])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(
    ("words", "files"),
    [
        ("train make auction FOLDER --count 1 --quiet", 1),
        ("train make rocket FOLDER --rules mini --simulations 0 --shard 4 --count 12 --quiet", 3),
        ("lab decisions make FOLDER --count 1 --limit 8p --worlds 24 --quiet", 2),
    ],
    ids=["auction", "rocket", "bench"],
)
def test_records_have_the_same_bytes(words: str, files: int, two_workers: Dask, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    asked(words, "--jobs", "1", folder=here)
    asked(words, "--cluster", two_workers.address, folder=there)
    found, same = ({path.name: path.read_bytes() for path in one.iterdir()} for one in (here, there))
    assert (len(found), found) == (files, same)
    if "decisions" in words:
        score = "lab decisions score FOLDER rule champion:search=none --quiet --first 8"
        lines = [
            # Behind the first words are times, which make the lines of the table longer too.
            [line.split()[:5] for line in asked(score, *where, folder=here).splitlines() if "─" not in line]
            for where in (("--jobs", "1"), ("--cluster", two_workers.address))
        ]
        assert lines[0] == lines[1]


def test_reviews_are_the_same(two_workers: Dask, tmp_path: Path) -> None:
    words = "review --limit 20p --json --quiet"
    places = ((), ("--cluster", two_workers.address))
    here, there = (asked(words, str(DEMO), *where, folder=tmp_path) for where in places)
    assert here == there != ""


def test_a_plan_hands_the_cluster_on(two_workers: Dask, tmp_path: Path) -> None:
    plan = '[[seats]]\nname = "{}"\ncontestants = ["rule", "random", "rule"]\ngames = 9\n'
    for name, where in (("here", ("--jobs", "1")), ("there", ("--cluster", two_workers.address))):
        (tmp_path / f"{name}.toml").write_text(plan.format(name))
        asked(f"experiments FOLDER/{name}.toml", *where, folder=tmp_path)
    here, there = (timeless(rows_in(tmp_path / f"{name}.json")) for name in ("here", "there"))
    assert here == there
    assert read(tmp_path / "there.json").parts[-1].provenance.where == f"cluster {two_workers.address}"
