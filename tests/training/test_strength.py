"""The strength of a network in training: points that come in time, are played once, printed and drawn."""

from pathlib import Path

import pytest

from tests.training.test_loop import Tiny
from tools.arena.stats.estimates import Estimate
from tools.training import strength
from tools.training.loop import Marks, Training, run
from tools.training.points import MatchResult, Meeting, Points
from tools.training.strength import OPPONENTS, Strength

pytestmark = pytest.mark.whole


class Matches:
    """Replaces the arena, and notes which players it was asked for."""

    def __init__(self, fail: bool = False) -> None:
        self.met: list[str] = []
        self.fail = fail

    def __call__(self, player: str, _rules: str, meeting: Meeting, _stopped: object) -> MatchResult:
        if self.fail and meeting.against == OPPONENTS[1]:
            raise KeyboardInterrupt
        self.met.append(f"{player} {meeting.against}")
        return MatchResult(Estimate(0.6, 0.55, 0.65), 0.5, 0.7)


def run_to(goal: int, folder: Path, matches: Matches, monkeypatch: pytest.MonkeyPatch) -> Strength:
    training = Training(folder, Tiny())

    def write(_folder: Path) -> str:
        return f"after-{training.learner.done}"

    monkeypatch.setattr(strength, "met", matches)
    measured = Strength(folder, "mini", 7, write)
    run(training, Marks(goal), Marks(), 1e9, True, measured)
    return measured


def test_the_network_is_measured_as_it_learns_and_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength, "_SECONDS", 0.0)
    matches = Matches()
    assert run_to(4, tmp_path, matches, monkeypatch).text == "60 % against rhcp after 4 games"
    assert matches.met == [f"after-{games} {name}" for games in (2, 4) for name in OPPONENTS]
    assert "4 games, 0.0 CPU minutes: wins 60.0 % (55.0 to 65.0) against rule and 60" in capsys.readouterr().out
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    run_to(4, tmp_path, matches, monkeypatch)
    assert len(matches.met) == 4, "nothing is played twice"
    assert [*Points(tmp_path).of(Meeting("rhcp", 7, 1))] == [2, 4]


def test_what_is_measured_is_saved_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        run_to(4, tmp_path, Matches(fail=True), monkeypatch)
    assert Training(tmp_path, Tiny()).learner.done == 2
    matches = Matches()
    run_to(2, tmp_path, matches, monkeypatch)
    assert matches.met == [f"after-2 {OPPONENTS[1]}"], "the other one had been met"


def test_points_come_a_minute_apart_and_later_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength.time, "monotonic", lambda: 0.0)
    one = Strength(tmp_path, "mini", 7, str)
    monkeypatch.setattr(strength.time, "monotonic", lambda: 61.0)
    assert one.due(0.0) and one.due(2400.0) and not one.due(36_000.0)
