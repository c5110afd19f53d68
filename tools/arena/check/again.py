"""A turn that was saved, met again: the same deal, the same answers before it, and the bot as it is now."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from ddzbot.game import SEATS

from ...judge.game import Bot, JudgeGame
from ...judge.process_answer import Answer
from ...referee.games import make_referee
from ...shared.bounds import utf8_text
from ...shared.json_text import parse_json
from ...shared.message import English, Message, prose
from .bench import Bench
from .scenes import Scripted
from .turn import Turn
from .watched import Terms, TurnNote, Watched


class Met(NamedTuple):
    """What the bot did."""

    turn: Turn
    problem: str
    """One sentence; empty if it answered legally."""


def meet(path: Path, bench: Bench) -> Met:
    """
    Lets a bot answer the turn that :func:`.turn.save` wrote.

    :raises ValueError: for a file that is none, or if the bot no longer comes to this turn
    :raises OSError: if the file cannot be read, or the program not started
    """
    saved = parse_json(utf8_text(path.read_bytes()))
    try:
        if saved["answers"] is None:
            request = saved["input"].encode("utf-8", "surrogateescape")
            raw = bench.raw(request) if saved["mode"] == "auto" else bench.last_line(request)
            return Met(raw.turn, raw.answer.problem)
        keep_command = saved["mode"] == "keep_running" and bench.keep_command
        return _in_match(saved, keep_command or bench.command, bench.terms)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            Message("it is not what --save-turn writes ({why})", why=English(f"{type(error).__name__}: {error}"))
        ) from None


def _in_match(saved: dict[str, Any], command: Sequence[str], terms: Terms) -> Met:
    scripts: list[list[Any]] = [[] for _ in range(SEATS)]
    for answers in saved["answers"]:
        for index, entry in answers.items():
            scripts[int(index)].append(entry.get("response"))
    player, turn_number = saved["player"], saved["turn"]
    notes: list[TurnNote] = []
    process = Watched(command, saved["mode"], terms, notes, "again", lambda turn: False)
    with closing(process):
        bots: list[Bot] = [Scripted(script) for script in scripts]
        process.game, process.player = saved["game"], player
        bots[player] = _Repeating(process, scripts[player], saved)
        match = process.match = JudgeGame(make_referee(saved["game"], saved["initdata"], ""), bots)
        for _ in match.turns():
            if len(match.answers[player]) == turn_number:
                break
    if not notes:
        raise ValueError(Message("it has no such turn"))
    faults = [fault.sentence for fault in match.faults if fault.player == player]
    return Met(notes[-1].turn, faults[0] if faults else "")


class _Repeating(Scripted):
    """A bot that repeats its answers before the saved turn; a kept process has to repeat them by itself."""

    def __init__(self, process: Watched, script: Sequence[Any], saved: dict[str, Any]) -> None:
        super().__init__(script)
        self._process = process
        self._saved = saved

    def turn(
        self, requests: Sequence[Any], responses: Sequence[Any], data: Any = None, globaldata: Any = None
    ) -> Answer:
        """Repeats a known answer; at the saved turn asks the process."""
        turn = len(requests)
        if turn == self._saved["turn"]:
            return self._process.turn(requests, responses, self._saved["data"], self._saved["globaldata"])
        recorded = super().turn(requests, responses)
        if self._saved["kept"]:
            answer = self._process.turn(requests, responses)
            if answer.response != recorded.response:
                difference = prose(answer.problem)
                if answer.ok:
                    difference = Message("{said} in place of {known}", said=answer.response, known=recorded.response)
                problem = "the bot comes no more to turn {turn}: in turn {number} {what}"
                raise ValueError(Message(problem, turn=self._saved["turn"], number=turn, what=difference))
        return recorded
