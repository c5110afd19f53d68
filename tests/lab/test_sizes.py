"""Time and memory by size: the page, what is kept, and what a run measures."""

import itertools
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support import ROOT
from tools.lab.bench import sizes
from tools.lab.bench.sizes import CHECK, MATCH, MATCH_REPORT, Row, main, read, write

KEPT = ROOT / "results" / "sizes"


def test_the_page_has_the_kept_rows_and_no_time_grows_faster_than_the_size() -> None:
    rows = [*read(KEPT).values()]
    assert "\n".join(sizes.table(rows)) in (ROOT / "docs" / "lab" / "speed.md").read_text("utf-8")
    for smaller, larger in itertools.pairwise(rows):
        if smaller.what == larger.what:
            assert larger.seconds / smaller.seconds < 1.15 * larger.size / smaller.size


def test_only_missing_rows_are_measured_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []

    def measure(key: tuple[str, int], words: list[str], file: Path) -> Row:
        measured.append(" ".join(words[:2]))
        return Row(*key, 1.5, 30, 0.25)

    write(tmp_path, [row for row in read(KEPT).values() if row.size != 500])
    monkeypatch.setattr(sizes, "measure", measure)
    picture = tmp_path / "sizes.png"
    result = CliRunner().invoke(main, [str(tmp_path), "--picture", str(picture)])
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == sizes.table(read(tmp_path).values())
    assert measured == ["match random", "report " + measured[1].split()[1]]
    assert read(tmp_path)[MATCH, 500] == Row(MATCH, 500, 1.5, 30, 0.25)
    assert read(tmp_path).keys() == read(KEPT).keys()
    assert [*read(tmp_path)] == [*read(KEPT)]
    assert picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.whole
def test_a_row_has_the_time_and_memory_of_its_command() -> None:
    match, report = sizes.match_rows(((MATCH, 1), (MATCH_REPORT, 1)), ["random", "rule"], 1)
    assert 0.1 < match.seconds < 60 and 15 < match.mib < 500 and match.file_mb < 0.1
    assert report.file_mb == match.file_mb


def test_a_command_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(sizes.click.ClickException, match="exit code 2: tools records check nowhere"):
        sizes.measure((CHECK, 1), ["records", "check", "nowhere"], tmp_path)
