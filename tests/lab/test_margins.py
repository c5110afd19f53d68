"""The candidates among recorded moves, counted against the lists of candidates."""

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.less_split import candidates
from ddzbot.rules import legal_moves
from tests.support import ROOT
from tools.lab import margins
from tools.records.files import read_records, write_records

FILE = ROOT / "tests" / "data" / "records" / "thesis_games.jsonl.gz"


def test_a_move_has_the_least_margin_of_which_it_is_a_candidate() -> None:
    found: Counter[int] = Counter()
    expected: Counter[int] = Counter()
    for record in read_records(FILE)[:6]:
        found.update(margin for _, margin in margins.margins_of(record))
        for ply in record.plies():
            hand, to_beat = ply.before.hands[ply.seat], ply.before.to_beat
            if not ply.move.is_pass and len(legal_moves(record.rules, hand, to_beat)) > 1:
                fits = (k for k in range(20) if ply.move in candidates(record.rules, hand, to_beat, k))
                expected[next(fits)] += 1
    assert found == expected
    assert found.total() > 60 and len(found) > 2


def test_moves_of_unknown_hands_are_not_counted() -> None:
    record = next(record for record in read_records(FILE) if record.unknown_seats)
    known = {record.names[record.position_of(seat)] for seat in range(3) if seat not in record.unknown_seats}
    assert {name for name, _ in margins.margins_of(record)} <= known


def test_the_command_prints_a_row_for_each_player_and_one_for_all(tmp_path: Path) -> None:
    done = CliRunner().invoke(margins.main, [str(FILE)], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    rows = {cells[0]: cells[1:] for line in done.output.splitlines() if len(cells := line.strip("│ ").split()) > 3}
    assert rows.keys() >= {"CQL", "MCM", "RHCP", "Random", "MCTSHS", "RB", "all"}
    names = rows.keys() - {"all", "┃"}
    assert sum(int(cells[1]) for name, cells in rows.items() if name in names) == int(rows["all"][1]) > 500
    path = tmp_path / "none.jsonl"
    write_records(path, [])
    assert CliRunner().invoke(margins.main, [str(path)]).exit_code != 0


@pytest.mark.parametrize(("counter", "row"), [({0: 3, 1: 1}, "75.00 ± 42.44"), ({0: 4}, "100.00 ± 0.00")])
def test_shares_add_up_with_the_margin(counter: dict[int, int], row: str) -> None:
    columns = [list(column.cells) for column in margins.table_of({"one": Counter(counter)}).columns]
    assert columns[:3] == [["one", "all"], ["4", "4"], [row, row]]
    assert columns[-1] == ["100.00 ± 0.00"] * 2
