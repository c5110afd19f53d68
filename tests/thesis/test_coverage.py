"""LessSplit's coverage of recorded moves, on the 40 games of tests/data/records and on small ones counted by hand."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ddzbot import kernel
from ddzbot.cards import parse_hand
from ddzbot.less_split import candidates
from ddzbot.rules import STANDARD
from ddzbot.split import fewest_moves
from tests.support import ROOT, kernel_path, require
from tools.records.files import read_records, write_records
from tools.thesis.coverage import MARGINS, PUBLISHED_COUNTS, PUBLISHED_PERCENT, cover, main, margin_of, ten_kinds

FILE = ROOT / "tests" / "data" / "records" / "thesis_games.jsonl.gz"
ROW = {
    "agents": {"landlord": "ann", "peasant_next": "bob", "peasant_prev": "cat"},
    "hands": {"landlord": "3334444556789TJQKA2B", "peasant_next": "55666777888999TTJ", "peasant_prev": None},
    "bottom": None,
    # cat's hand is unknown, and bob's 8 does not beat the joker.
    "moves": ["6", "9", "L", "", "8", "", "A", "", "", "3334"],
}


def ask(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), env={"COLUMNS": "80"})


def written(folder: Path, *rows: object) -> Path:
    path = folder / "games.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def cells(line: str) -> list[str]:
    return line.split()


@pytest.mark.parametrize(
    ("hand", "move", "margin"),
    [
        ("34567", "34567", 0),
        ("34567", "3", 4),
        ("3334", "333", 1),
        ("3334", "33", 2),
        ("33445566", "33", 1),
        ("LB", "L", 1),
        ("3", "3", 0),
    ],
)
def test_the_margin_is_what_the_move_costs(hand: str, move: str, margin: int) -> None:
    assert margin_of(STANDARD, parse_hand(hand), parse_hand(move), fewest_moves) == margin


@pytest.mark.parametrize(
    ("hand", "move", "margin", "of_ten"),
    [("33344456", "33344456", 0, None), ("33344456", "3335", 1, 0), ("333345", "333345", 0, None), ("LB", "LB", 0, 0)],
)
def test_with_ten_kinds_there_are_no_planes_with_kickers_and_no_four_with_two(
    hand: str, move: str, margin: int, of_ten: int | None
) -> None:
    cards = parse_hand(hand), parse_hand(move)
    assert margin_of(STANDARD, *cards, fewest_moves) == margin
    assert margin_of(ten_kinds(STANDARD), *cards, fewest_moves) == of_ten


@pytest.mark.parametrize("environment", ["kernel", "twin"])
def test_a_margin_covers_exactly_the_candidates_of_less_split(
    environment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = {"DDZ_NO_KERNEL": "1"} if environment == "twin" else {"DDZ_KERNEL": require(kernel_path(), "a C compiler")}
    monkeypatch.setattr(kernel, "_choice", kernel.choose(there))
    records = read_records(FILE)
    expected: Counter[tuple[str, str, int]] = Counter()
    for record in records:
        for ply in record.plies():
            if ply.move.is_pass or ply.problem or ply.seat in record.unknown_seats:
                continue
            action = "leads" if ply.before.to_beat is None else "follows"
            for player in ("all", record.names[ply.seat]):
                for each in ("all", action):
                    expected[player, each, -1] += 1
                    for k in MARGINS:
                        kept = candidates(record.rules, ply.before.hands[ply.seat], ply.before.to_beat, k)
                        expected[player, each, k] += ply.move.cards in {move.cards for move in kept}
    found = cover(records)
    assert {key[:2] for key in expected} == found.keys()
    for (player, action), covered in found.items():
        inside = [sums.amount for sums in covered.inside]
        assert [covered.moves, *inside] == [expected[player, action, k] for k in (-1, *MARGINS)]
    # Sums of the parts, and something that each margin leaves out.
    assert found["all", "all"].moves == found["all", "leads"].moves + found["all", "follows"].moves
    assert 0 < found["all", "all"].inside[0].amount < found["all", "all"].inside[3].amount < found["all", "all"].moves


def test_passes_illegal_moves_and_unknown_hands_do_not_count(tmp_path: Path) -> None:
    found = cover(read_records(written(tmp_path, ROW)))
    assert {key: covered.moves for key, covered in found.items()} == {
        ("all", "all"): 4,
        ("all", "leads"): 2,
        ("all", "follows"): 2,
        ("ann", "all"): 3,
        ("ann", "leads"): 2,
        ("ann", "follows"): 1,
        ("bob", "all"): 1,
        ("bob", "follows"): 1,
    }


def test_the_command_prints_ours_beside_the_published_row(tmp_path: Path) -> None:
    done = ask(FILE)
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    published = next(line for line in lines if line.startswith("published"))
    assert cells(published)[1:] == ["people", "21,130", "85.55", "95.62", "98.94", "99.33"]
    everybody = next(line for line in lines if line.startswith("all"))
    covered = cover(read_records(FILE))["all", "all"]
    assert cells(everybody)[:3] == ["all", "all", f"{covered.moves:,}"]
    assert cells(everybody)[3::2] == [f"{100 * float(sums.ratio):.2f}" for sums in covered.inside]
    assert "40 games" in done.output and "18,289" in done.output
    # No name, number or interval was cut.
    assert "…" not in done.output and max(map(len, lines)) <= 80


def test_the_printed_percentages_are_those_of_the_counts_but_for_the_first() -> None:
    of_counts = [round(100 * count / 21130, 2) for count in PUBLISHED_COUNTS]
    assert of_counts[0] == 86.55
    assert of_counts[1:] == pytest.approx(PUBLISHED_PERCENT[1:], abs=0.011)


def test_records_of_this_program_give_the_same_as_the_rows_that_they_came_from(tmp_path: Path) -> None:
    text = tmp_path / "games.ddzn"
    write_records(text, read_records(FILE))
    ours, rows = ask(text, FILE), ask(FILE)
    twice = {key: 2 * covered.moves for key, covered in cover(read_records(FILE)).items()}
    both = cover([*read_records(FILE), *read_records(text)])
    assert {key: covered.moves for key, covered in both.items()} == twice
    assert ours.exit_code == rows.exit_code == 0 and "80 games" in ours.output


def test_ten_kinds_divide_as_the_thesis_does() -> None:
    done = ask(FILE, "--ten-kinds")
    assert done.exit_code == 0 and "the ten kinds of move" in " ".join(done.output.split())
    covered = cover(read_records(FILE), of_ten_kinds=True)["all", "all"]
    everybody = next(line for line in done.output.splitlines() if line.startswith("all"))
    assert cells(everybody)[3::2] == [f"{100 * float(sums.ratio):.2f}" for sums in covered.inside]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "it cannot be read"),
        ("{", "line 1"),
        ("", "there is no game in it"),
        (json.dumps({**ROW, "moves": []}), "no legal move of a known hand"),
    ],
)
def test_bad_input_gets_one_sentence_that_names_the_file(tmp_path: Path, content: str | None, sentence: str) -> None:
    path = tmp_path / "games.jsonl"
    if content is not None:
        path.write_text(content)
    done = ask(path)
    said = " ".join(done.output.split())
    assert done.exit_code == 2 and sentence in said and "games.jsonl" in said and "Traceback" not in said
