"""A short check: a process answers in every scene and turn."""

import pytest

from tools.arena.check import steps, tour
from tools.arena.check.late import after_auctions, late_positions
from tools.arena.check.scenes import BIDS, FOLLOWS
from tools.arena.field.entries import _judge_safely, _Judged, _Task


def make_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves the check few games, and one of some scenes that differ in the cards alone."""
    monkeypatch.setattr(tour, "GAMES_A_ROUND", 1)
    monkeypatch.setattr(tour, "KEPT_GAMES_A_ROUND", 1)
    monkeypatch.setattr(steps, "FOLLOWS", FOLLOWS[::7])
    monkeypatch.setattr(steps, "BIDS", BIDS[::4])
    monkeypatch.setattr(steps, "after_auctions", lambda: after_auctions()[::6])
    monkeypatch.setattr(steps, "late_positions", lambda games: late_positions(games)[::6])


def judge_shortly(task: _Task) -> _Judged:
    """Judges a hand-in of a class by a short check, in a process of its own."""
    with pytest.MonkeyPatch.context() as patched:
        make_short(patched)
        return _judge_safely(task)
