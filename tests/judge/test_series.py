"""Series in the championship's line protocol: engines that break the rules, and the command."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.judge.icga_platform import IcgaFaultError, Platform
from tools.judge.series import main
from tools.records.files import read_records


def engine(**answers: str):  # type: ignore[no-untyped-def]
    """An engine that says OK, bids 3 and leads its first card, unless *answers* by the first word say otherwise."""
    hand: list[str] = []
    own = ""

    def answer(line: str) -> str:
        nonlocal own
        word, _, rest = line.partition(" ")
        if word in ("DEAL", "LEFTOVER") and own in ("", rest[0]):
            own = rest[0]
            hand.extend(rest[1:].split(","))
        if word in answers:
            return answers[word]
        if rest == "WHAT":
            return f"BID {own}3" if word == "BID" else f"PLAY {own}{hand.pop()}"
        return "NAME test" if word == "DOUDIZHUVER" else f"OK {word}"

    return answer


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ({"DOUDIZHUVER": "HELLO"}, "engine A answers 'HELLO': no NAME"),
        ({"DEAL": "YES"}, "engine A answers 'YES': not OK to 'DEAL A"),
        ({"BID": "BID A4"}, "engine A answers 'BID A4': no bid after"),
        ({"BID": "BID B3"}, "engine A answers 'BID B3': no bid after"),
        ({"PLAY": "PLAY A-1"}, "engine A answers 'PLAY A-1': landlord plays"),
        ({"PLAY": "PLAY Ax"}, "engine A answers 'PLAY Ax': no list of cards"),
        ({"PLAY": "PLAY A99"}, "engine A answers 'PLAY A99': cards that it does not hold"),
        ({"PLAY": "MOVE"}, "engine A answers 'MOVE': no move"),
    ],
)
def test_an_answer_that_breaks_the_rules_is_named(answers: dict[str, str], fault: str) -> None:
    platform = Platform([engine(**answers), engine(), engine()])
    with pytest.raises(IcgaFaultError) as found:
        platform.open()
        platform.play(0, 1, "faults")
    assert str(found.value).startswith(fault)


def test_the_command_plays_a_series_and_records_it(tmp_path: Path) -> None:
    file = tmp_path / "series.jsonl"
    done = CliRunner().invoke(main, ["rule", "random", "rule", "--deals", "3", "--record", str(file)])
    assert done.exit_code == 0, done.output
    assert "ddzbot" in done.output
    records = read_records(file)
    assert [record.rules.name for record in records] == ["icga"] * 3
    assert [record.names for record in records] == [
        ("rule", "random", "rule"),
        ("random", "rule", "rule"),
        ("rule", "rule", "random"),
    ]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no/such/series.ddzn", "it cannot be written: No such file or directory"),
        ("series.txt", "the suffix '.txt' says no format"),
        ("series.icga", "format 'icga' cannot be written"),
    ],
)
def test_a_record_that_cannot_be_written_is_refused_before_the_first_deal(
    name: str, reason: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(main, ["python -c pass", "rule", "rule", "--record", str(tmp_path / name)])
    assert done.exit_code == 2 and reason in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("bot", "fault"),
    [("python -c pass", "engine A has ended"), ("python -c 'input(); print(1)'", "engine A answers '1': no NAME")],
)
def test_an_engine_that_cannot_go_on_ends_the_series(bot: str, fault: str) -> None:
    done = CliRunner().invoke(main, [bot, "random", "random", "--deals", "1"])
    assert done.exit_code == 1
    assert f"deal 1: {fault}" in done.output


def test_an_unknown_player_is_refused() -> None:
    done = CliRunner().invoke(main, ["nobody", "random", "random"])
    assert (done.exit_code, "nobody" in done.output) == (2, True)
