"""Series in the championship's line protocol: engines that break the rules, and the command."""

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support import ROOT, eventually
from tools.arena.report import main as report
from tools.arena.series import main
from tools.judge.icga_platform import ILLEGAL, IcgaFaultError, Platform, PlayedDeal
from tools.records.files import read_records

SERIES = ["--quiet", "--sets"]


class Scripted:
    """An engine that says OK, bids 3 and leads its first card, unless *answers* by the first word say otherwise."""

    def __init__(self, **answers: str) -> None:
        self.answers = answers
        self.heard: list[str] = []
        self.hand: list[str] = []
        self.own = ""

    def end(self) -> None:
        self.heard.append("(ended)")

    def ask(self, line: str) -> str:
        self.heard.append(line)
        word, _, rest = line.partition(" ")
        if word == "INFO":
            self.hand, self.own = [], ""
        if word in ("DEAL", "LEFTOVER") and self.own in ("", rest[0]):
            self.own = rest[0]
            self.hand.extend(rest[1:].split(","))
        if word in self.answers and (rest == "WHAT" or word not in ("BID", "PLAY")):
            return self.answers[word]
        if rest == "WHAT":
            return f"BID {self.own}3" if word == "BID" else f"PLAY {self.own}{self.hand.pop()}"
        return "NAME test" if word == "DOUDIZHUVER" else f"OK {word}"


def engines(first: str = "") -> list[str]:
    """Three quick engines in processes, the first of which has options."""
    engine = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(ROOT / 'tests/judge/line_engine.py'))}"
    return [f"{engine} {first}", engine, engine]


def played(*at_the_table: Scripted) -> PlayedDeal:
    platform = Platform(at_the_table)
    platform.open()
    return platform.play(0, 1, "faults")


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ({"DEAL": "YES"}, "engine A answers 'YES': not OK to 'DEAL A"),
        ({"BID": "BID A4"}, "engine A answers 'BID A4': no bid after"),
        ({"BID": "BID A\u00b2"}, "engine A answers 'BID A\u00b2': no bid after"),
        ({"PLAY": "PLAY A-1"}, "engine A answers 'PLAY A-1': landlord plays"),
        ({"PLAY": "PLAY Ax"}, "engine A answers 'PLAY Ax': no list of cards"),
        ({"PLAY": "PLAY A\u0663"}, "engine A answers 'PLAY A\u0663': no list of cards"),
        ({"PLAY": "PLAY A" + 5000 * "9"}, "engine A answers 'PLAY A999"),
        ({"PLAY": "PLAY A99"}, "engine A answers 'PLAY A99': cards that it does not hold"),
        ({"PLAY": "MOVE"}, "engine A answers 'MOVE': no move"),
    ],
)
def test_an_answer_that_breaks_the_rules_is_named(answers: dict[str, str], fault: str) -> None:
    [found] = played(Scripted(**answers), Scripted(), Scripted()).faults
    assert str(found).startswith(fault) and len(str(found)) < 150
    assert (found.place, found.verdict) == (0, ILLEGAL)


def test_an_engine_without_a_name_begins_no_series() -> None:
    with pytest.raises(IcgaFaultError, match="engine B answers 'HELLO': no NAME"):
        Platform([Scripted(), Scripted(DOUDIZHUVER="HELLO"), Scripted()]).open()


def test_an_engine_at_fault_loses_the_deal_alone_and_begins_anew() -> None:
    good, bad = Scripted(), Scripted(PLAY="MOVE")
    platform = Platform([good, bad, Scripted()])
    platform.open()
    one = platform.play(0, 3, "anew")
    assert [fault.place for fault in one.faults] == [1]
    assert (one.landlord, one.bids, one.game is None) == (0, (3,), False)
    # Stake 3, and a spring as it stands: no peasant has played a card.
    assert list(one.points) == [6, -12, 6]
    assert good.heard[-1] == "ERROR B" and bad.heard[-1] == "(ended)"
    bad.answers = {}
    del bad.heard[:]
    assert platform.play(1, 3, "anew").bids == (3,)
    assert bad.heard[0] == "DOUDIZHUVER 1.0" and good.heard.count("DOUDIZHUVER 1.0") == 1


def test_a_fault_in_the_auction_is_paid_at_the_stake_so_far() -> None:
    one = played(Scripted(BID="BID A2"), Scripted(BID="BID B2"), Scripted())
    assert (one.bids, one.game, one.landlord, one.points) == ((2,), None, None, (4, -8, 4))


@pytest.mark.parametrize(("lost", "points"), [((0,), (-4, 2, 2)), ((0, 2), (-2, 4, -2)), ((0, 1, 2), (0, 0, 0))])
def test_engines_that_cannot_begin_anew_lose_together(lost: tuple[int, ...], points: tuple[int, ...]) -> None:
    engines = [Scripted(), Scripted(), Scripted()]
    platform = Platform(engines)
    platform.open()
    for place in lost:
        engines[place].answers = {"INFO": "NO", "ERROR": "NO", "DOUDIZHUVER": "NO"}
    assert platform.play(0, 9, "down").points == (-4, 2, 2)
    one = platform.play(1, 9, "down")
    assert (tuple(fault.place for fault in one.faults), one.points) == (lost, points)


def test_an_engine_that_fails_after_the_last_card_has_played_the_deal() -> None:
    one = played(Scripted(GAMEOVER="BYE"), Scripted(PLAY="PLAY B-1"), Scripted(PLAY="PLAY C-1"))
    assert one.game is not None and one.game.finished
    assert list(one.points) == [12, -6, -6]
    assert [str(fault) for fault in one.faults] == ["engine A answers 'BYE': not OK to 'GAMEOVER A'"]


@pytest.mark.whole
def test_the_command_plays_a_series_and_records_it(tmp_path: Path) -> None:
    file = tmp_path / "series.jsonl"
    kept = tmp_path / "series.json"
    words = ["rule", "random", "rule", "--save-games", str(file), "--results", str(kept), *SERIES]
    for deals in "12":  # the same command resumes
        done = CliRunner().invoke(main, [*words, deals])
        assert done.exit_code == 0, done.output
    assert "points a deal" in done.stdout
    assert CliRunner().invoke(report, [str(kept)]).stdout.startswith(done.stdout)
    records = read_records(file)
    assert [record.rules.name for record in records] == ["icga"] * 2
    assert [record.names for record in records] == [
        ("rule", "random", "rule"),
        ("random", "rule", "rule"),
    ]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("python -c pass", "engine A has ended (RE)"),
        ("{}/broken --fast", "engine A could not be started: '{}/broken': No such file or directory (RE)"),
    ],
)
def test_an_engine_that_cannot_begin_ends_the_series_before_the_first_deal(
    bot: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "broken").write_text("#!/no/such/interpreter\n")
    (tmp_path / "broken").chmod(0o755)
    bot, fault = bot.format(tmp_path), fault.format(tmp_path)
    done = CliRunner().invoke(main, [bot, "random", "random", *SERIES, "1"])
    assert done.exit_code == 1
    assert f"deal 1: {fault}" in done.output


FAULTS = {
    "ends": ("RE", "ended with exit code 3: no more (RE)"),
    "kills its group": ("RE", "was killed by SIGKILL (RE)"),
    "is silent": ("TLE", "took longer than 2.0 s (TLE)"),
    "grows": ("MLE", "MiB of memory, allowed are 100 (MLE)"),
    "never ends its line": ("OLE", "printed more than 65536 bytes in one turn (OLE)"),
}
AT_ONCE = ("ends",)
"""That of every commit; tests/judge/test_process.py has each fault of a program for every commit."""


@pytest.mark.parametrize(
    "fault", [pytest.param(fault, marks=[] if fault in AT_ONCE else pytest.mark.whole) for fault in FAULTS]
)
def test_a_fault_of_an_engine_costs_it_one_deal_of_the_series(fault: str, tmp_path: Path) -> None:
    verdict, sentence = FAULTS[fault]
    file = tmp_path / "series.ddzn"
    seconds = "2s" if fault == "is silent" else "60s"
    options = [*SERIES, "3", "--save-games", str(file), "--limit", seconds, "--memory", "100"]
    done = CliRunner().invoke(main, [*engines(f"--deal=2 --fault={fault!r}"), *options])
    assert done.exit_code == 1, done.output
    told = [line for line in done.stderr.splitlines() if ", game 1.0: engine A " in line]
    assert len(told) == 1 and told[0].endswith(sentence)
    records = read_records(file)
    assert ["fault" in record.result.termination for record in records] == [False, True, False]
    # Of the second deal place C is position 1, and A position 2.
    assert records[1].result.termination == f"fault: {verdict} by position 2"
    assert records[1].tags["Faults"].endswith(sentence)
    assert records[1].result.scores == (2, 2, -4)


@pytest.mark.whole
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)])
def test_what_was_played_before_a_signal_is_kept(number: signal.Signals, code: int, tmp_path: Path) -> None:
    file = tmp_path / "series.jsonl"
    command = [sys.executable, "-m", "tools.arena.series", *engines("--deal=3 --fault='is silent'"), *SERIES, "9"]
    with subprocess.Popen(
        [*command, "--limit", "600s", "--save-games", str(file)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as series:
        assert eventually(lambda: file.exists() and len(file.read_text().splitlines()) >= 2)
        series.send_signal(number)
        out, err = series.communicate()
    assert series.returncode == code
    assert len(read_records(file)) == 2
    if code == 130:
        assert "Stopped by an interrupt" in err and "unfinished: 2 of 9 sets" in out
        assert "points a deal" in out
