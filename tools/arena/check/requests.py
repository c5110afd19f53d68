"""A message of every kind, as the judge sends it: both games, every role, to fresh processes and to kept ones."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ddzbot.game import SEAT_NAMES, SEATS

from ...judge.game import Bot, JudgeGame
from ...judge.process_answer import Answer
from ...referee.games import make_referee
from .scenes import FTL1, FTL2, Scripted
from .turn import as_line

_HANDS = [
    [4, 8, 9, 13, 18, 19, 21, 25, 28, 32, 33, 37, 40, 42, 46, 52, 53],
    [0, 5, 10, 14, 16, 20, 26, 27, 29, 34, 35, 38, 43, 44, 47, 49, 50],
    [1, 2, 6, 11, 12, 15, 17, 22, 23, 24, 30, 31, 36, 41, 45, 48, 51],
]
_BOTTOM = [3, 7, 39]
_DEALS = {
    game: {"allocation": [[*first, *_HANDS[0]], *_HANDS[1:]], "publiccard": _BOTTOM}
    for game, first in ((FTL1, _BOTTOM), (FTL2, []))
}
_MOVES: list[list[Any]] = [[[8, 9], [40, 42]], [[26, 27], []], [[], []]]
"""By player, whose number is its seat, how a game begins: with a pair."""


class Example(NamedTuple):
    """A message, or the lines of a kept process up to one."""

    game: str
    name: str
    requests: list[Any]
    responses: list[Any]
    kept: bool

    @property
    def lines(self) -> list[bytes]:
        """What the bot reads."""
        if not self.kept:
            return [as_line({"requests": self.requests, "responses": self.responses})]
        first, *later = self.requests
        return [as_line({"requests": [first], "responses": []}), *map(as_line, later)]


def examples(games: Sequence[str]) -> Iterator[Example]:
    """Yields a message of every kind in these games."""
    if FTL1 in games:
        yield from _plays(FTL1, ((), (), ()), "")
    if FTL2 in games:
        for bids, title in (((), "first bid"), ((1,), "bid after 1"), ((1, 2), "bid after 1 and 2")):
            yield _example(FTL2, (*((bid,) for bid in bids), (0,), (0,), (0,))[:SEATS], len(bids), 1, title)
        yield from _plays(FTL2, ((1,), (0,), (0,)), " that was asked for a bid")
        yield _example(FTL2, ((0,), (0,), (0,)), 0, 2, "landlord where all passed, turn 1")
        for player in (1, 2):
            title = f"{SEAT_NAMES[player]} that was not asked for a bid, turn 1"
            yield _example(FTL2, ((3,), (), ()), player, 1, title)


def _plays(game: str, bids: Sequence[Sequence[int]], which: str) -> Iterator[Example]:
    for player, seat in enumerate(SEAT_NAMES):
        turn = len(bids[player]) + 1
        yield _example(game, bids, player, turn, f"{seat}{which}, turn 1")
        yield _example(game, bids, player, turn + 1, f"{seat}{which}, turn 2, to a fresh process")
        yield _example(game, bids, player, turn + 1, f"{seat}{which}, turns 1 and 2, to a kept process", True)


def _example(
    game: str, bids: Sequence[Sequence[int]], player: int, turn: int, name: str, kept: bool = False
) -> Example:
    """Plays up to the turn of a player, and gets the requests that it has received by then."""
    script = [[*bid, *moves] for bid, moves in zip(bids, _MOVES, strict=True)]
    bots: list[Bot] = [_Listening(answers) for answers in script]
    match = JudgeGame(make_referee(game, _DEALS[game], ""), bots)
    for _ in match.turns():
        if len(match.answers[player]) == turn:
            break
    listener = bots[player]
    assert isinstance(listener, _Listening)
    return Example(game, name, listener.requests, script[player][: turn - 1], kept)


class _Listening(Scripted):
    """A scripted bot that keeps its requests."""

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """Gives the next answer."""
        self.requests = [*requests]
        return super().turn(requests, responses, data, globaldata)
