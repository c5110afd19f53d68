"""python -m tools.serve.soak: what counts as growth, and a short run that is stopped and goes on."""

import json
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner, Result

from tools.serve import soak
from tools.serve.soak import Sample, growth, main, read_samples


def sample(minute: float, memory: float, run: int = 1) -> Sample:
    return Sample(run=run, minute=minute, server_mb=memory / 2, workers_mb=memory / 2, games=0, cores=0.1)


def test_growth_counts_after_the_warm_minutes_by_the_median_of_each_minute() -> None:
    warming = [sample(minute / 6, 50 + minute) for minute in range(18)]
    steady = [sample(3 + minute / 6, 70 + (30 if minute % 6 == 1 else 0)) for minute in range(30)]
    assert growth([*warming, *steady], 3) == 0
    grown = [sample(8 + minute / 6, 76) for minute in range(6)]
    shrunk = [sample(9 + minute / 6, 60) for minute in range(6)]
    assert growth([*warming, *steady, *grown, *shrunk], 3) == 6
    assert growth(warming, 3) is None


def test_growth_is_that_of_the_worst_server_alone() -> None:
    one = [sample(minute, 50 + minute, 1) for minute in range(4)]
    two = [sample(minute, 90 + 2 * minute, 2) for minute in range(4)]
    assert growth([*one, *two], 0) == 6
    assert growth([*one, *two], 2) == 2


def test_a_torn_line_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "soak.jsonl"
    assert read_samples(path) == []
    path.write_text(json.dumps(sample(1, 50)._asdict()) + '\n{"run": 1, "min', encoding="utf-8")
    assert read_samples(path) == [sample(1, 50)]


def called(folder: Path, *options: str) -> Result:
    files = ["--json", str(folder / "soak.jsonl"), "--png", str(folder / "soak.png"), "--svg", str(folder / "soak.svg")]
    quick = ["--tables", "2", "--bots", "rule,random,mctshs", "--limit", "5p", "--pace", "0.01", "--warm", "0"]
    return CliRunner().invoke(main, [*files, *quick, *options])


def test_a_short_run_samples_draws_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "EVERY_SECONDS", 1.0)
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    assert called(tmp_path, "--minutes", "0.1").exit_code == 0
    first = read_samples(tmp_path / "soak.jsonl")
    assert len(first) == 6 and {one.run for one in first} == {1}
    assert all(30 < one.server_mb < 300 and one.workers_mb > 10 for one in first[1:])
    assert first[-1].games > 2
    result = called(tmp_path, "--minutes", "0.15", "--most", "500")
    assert result.exit_code == 0 and result.output.startswith("9 samples")
    samples = read_samples(tmp_path / "soak.jsonl")
    assert samples[:6] == first and [one.run for one in samples[6:]] == [2, 2, 2]
    assert (tmp_path / "soak.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "soak.svg").read_text(encoding="utf-8")
    assert {child.pid for child in psutil.Process().children(recursive=True)} == before


def test_too_much_growth_fails(tmp_path: Path) -> None:
    lines = [json.dumps(sample(minute, 50 + 2 * minute)._asdict()) for minute in range(6)]
    (tmp_path / "soak.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = called(tmp_path, "--minutes", "1")
    assert result.exit_code == 1 and "grew by 10.0 MB at most; 5 MB are allowed" in result.output
    assert called(tmp_path, "--minutes", "1", "--most", "11").exit_code == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--bots", "rule,rule"], "--bots rule,rule: a table has three"),
        (["--bots", "rule,rule,nobody"], "place 'nobody' is unknown"),
        (["--limit", "soon"], "the server did not start"),
    ],
    ids=range(3),
)
def test_what_cannot_be_is_one_sentence(options: list[str], sentence: str, tmp_path: Path) -> None:
    result = called(tmp_path, *options)
    assert result.exit_code != 0 and sentence in result.output and "Traceback" not in result.output
