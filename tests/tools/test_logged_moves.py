"""The command ``python -m tools.thesis.logged_moves``, on ten logged decisions; see tests/data/records/README.md."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ddzbot.cards import hand_text
from ddzbot.players.registry import make_player
from ddzbot.search.limit import Limit
from tests.support import ROOT
from tools.thesis.logged import RowError, move_name, rows_in, view_of
from tools.thesis.logged_moves import main, read_decisions

FILE = ROOT / "tests" / "data" / "records" / "thesis_decisions.jsonl.gz"
with gzip.open(FILE, "rt", encoding="utf-8") as lines:
    ROWS: list[dict[str, Any]] = [json.loads(line) for line in lines]


def ask(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": "120"})


def written(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_row_becomes_the_view_and_the_move() -> None:
    decisions, without = read_decisions(FILE)
    assert len(decisions) + without == len(ROWS)
    row = ROWS[0]
    assert decisions[0].view.seat == ("landlord", "peasant_next", "peasant_prev").index(row["seat"])
    assert hand_text(decisions[0].view.hand) == row["hand"]
    assert sorted(decisions[0].played) == sorted(row["played"] or "pass")


def test_the_share_is_what_counting_by_hand_gives(tmp_path: Path) -> None:
    views = [view for view in map(view_of, ROWS) if view is not None]
    player = make_player("rule")
    played = [str(player.choose(view, Limit()).move) for view in views]
    usable = [row for row in ROWS if view_of(row) is not None]
    # In every other row the log has what rule does; in the rest the pass on a lead, which nobody does.
    rows = [
        {**row, "played": move if number % 2 == 0 else "3333"}
        for number, (row, move) in enumerate(zip(usable, played, strict=True))
    ]
    decisions, _ = read_decisions(written(tmp_path, rows))
    same = sum(str(player.choose(one.view, Limit()).move) == one.played for one in decisions)
    assert 0 < same < len(decisions)
    done = ask(tmp_path / "rows.jsonl", "rule", "--positions", 100)
    assert done.exit_code == 0, done.output
    line = next(line for line in done.output.splitlines() if "rule" in line and "all" in line)
    assert [cell.strip() for cell in line.strip("│").split("│")][2:4] == [
        str(len(decisions)),
        f"{100 * same / len(decisions):.1f}",
    ]


def test_a_forced_decision_is_left_out(tmp_path: Path) -> None:
    forced = {
        "seat": "peasant_next",
        "hand": "34",
        "hands0": {"landlord": "2345678TTTJJJQQQKKKA"[::-1], "peasant_next": None, "peasant_prev": None},
        "history": [],
        "played": "",
    }
    with pytest.raises(RowError):
        read_decisions(written(tmp_path, [{"seat": "peasant_next"}]))
    decisions, without = read_decisions(written(tmp_path, [forced]))
    assert (decisions, without) == ([], 1)


@pytest.mark.parametrize(
    ("content", "players", "sentence"),
    [
        ("{", ["rule"], "line 1"),
        ("[]", ["rule"], "line 1: this is not a decision"),
        ("", ["rule"], "there is no decision with a choice"),
        ("", ["nobody"], "player 'nobody' is unknown"),
        ("", ["./bot --fast"], "is a program"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, content: str, players: list[str], sentence: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(content)
    done = ask(path, *players)
    assert done.exit_code == 2 and sentence in done.output


def test_moves_are_written_as_ours() -> None:
    assert [move_name(text) for text in ("", "pass", "43", "LB")] == ["pass", "pass", "34", "LB"]
    assert [number for number, _ in rows_in(FILE)] == [*range(1, len(ROWS) + 1)]
