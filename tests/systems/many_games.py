"""
Has two processes of a pool judge a game each, as a match does: ``python -m tests.systems.many_games``.
"""

import json
import sys

from tools.judge.game import JudgeGame
from tools.judge.process import BotProcess
from tools.judge.process_limits import Limits
from tools.referee.games import make_referee
from tools.shared.work.pool import run_in_pool

BOT = [sys.executable, "bot.py", "--player", "rule", "--limit", "600s"]
PATIENT = Limits(600.0, 600.0, 600.0)


def scores(seed: str) -> list[float]:
    """Judges a game of three bots."""
    bots = [BotProcess(BOT, limits=PATIENT) for _ in range(3)]
    try:
        match = JudgeGame(make_referee("FightTheLandlord", "", seed), bots)
        for _ in match.turns():
            pass
    finally:
        for bot in bots:
            bot.close()
    assert not match.faults
    return match.scores


if __name__ == "__main__":
    found: dict[str, list[float]] = {}
    run_in_pool(2, scores, ["1", "2"], found.__setitem__)
    print(json.dumps(found, sort_keys=True))
