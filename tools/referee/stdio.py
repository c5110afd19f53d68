"""
Acts as the platform's judge program: one line in, one line out.

The platform starts its judge anew for each turn, with the log of the whole match in one line of JSON. Its even entries
are what the judge said and its odd ones what the bots answered; the match is played again from the answers alone.
"""

import json
from typing import Any

from ..shared.json_text import parse_json
from .games import make_referee
from .referee import Output, RefereeError


def judge(game: str, message: Any, seed: str) -> Output:
    """
    Says what comes after the log in *message*, an object with ``log`` and perhaps ``initdata``.

    For example, ``{"log": [], "initdata": ""}`` is a new match, dealt from *seed*.

    :raises RefereeError: for a message on which the platform's judge crashes
    """
    log = message.get("log") if isinstance(message, dict) else None
    if not isinstance(log, list):
        raise RefereeError("the input must be a JSON object with a list named log")
    if len(log) % 2:
        raise RefereeError(
            f"log: {len(log)} entries are not a whole number of turns: the bots' last answers are missing"
        )
    initdata = message.get("initdata", {})
    if log and not _makes_the_deal_again(game, initdata):
        raise RefereeError("the log is not empty, so the initdata of its first output is needed to know the deal")
    referee = make_referee(game, initdata, seed)
    output = referee.first()
    for turn, answers in enumerate(log[1::2]):
        if not isinstance(answers, dict):
            raise RefereeError(f"log: entry {2 * turn + 1} {answers!r:.60} is not an object with the bots' answers")
        _check_verdicts(2 * turn + 1, answers)
        if output.command == "finish":
            raise RefereeError(f"log: the match was over before entry {2 * turn + 1}")
        output = referee.answer(answers)
    return output


def judge_line(game: str, line: str, seed: str) -> str:
    """
    Reads the platform's line and gets the judge's; see :func:`judge`.

    :raises RefereeError: also if the line is not JSON
    """
    try:
        message = parse_json(line)
    except ValueError as error:
        raise RefereeError(f"the input line is not JSON: {error}") from None
    # With the blanks that the platform's program prints.
    return json.dumps(judge(game, message, seed).as_json())


def _check_verdicts(place: int, answers: dict[str, Any]) -> None:
    """The platform, and no bot, writes the verdicts: another one than a word is not a log of a match."""
    for player, reply in answers.items():
        if isinstance(reply, dict) and not isinstance(reply.get("verdict", ""), str):
            verdict = f"verdict {reply['verdict']!r:.40} of player {player:.40}"
            raise RefereeError(f"log: entry {place}: {verdict} is not a word")


def _makes_the_deal_again(game: str, initdata: Any) -> bool:
    if isinstance(initdata, str):
        try:
            initdata = parse_json(initdata)
        except ValueError:
            return False
    if not isinstance(initdata, dict):
        return False
    return "allocation" in initdata or (game == "FightTheLandlord2" and initdata.get("seed") is not None)
