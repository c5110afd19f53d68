"""Bots that fail in their processes, and a slow one; a server is asked for them as MODULE:CLASS."""

import os
import re
import time

from ddzbot.players.base import Decision, Player
from ddzbot.players.rule import RulePlayer
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View


class Raises(Player):
    """Raises at every decision."""

    name = "raises"

    def choose(self, view: View, limit: Limit) -> Decision:
        raise RuntimeError("broken on purpose")

    def bid(self, view: BidView) -> int:
        raise SystemExit("broken on purpose")


class Dies(Player):
    """Takes its process down with it."""

    name = "dies"

    def choose(self, view: View, limit: Limit) -> Decision:
        os._exit(3)

    def bid(self, view: BidView) -> int:
        os._exit(3)


class Hangs(Player):
    """Never answers, and says so in the first place."""

    name = "hangs"

    def choose(self, view: View, limit: Limit) -> Decision:
        time.sleep(3600)
        raise AssertionError("no caller waits for this")

    def bid(self, view: BidView) -> int:
        print("this must not get into the answers", flush=True)
        return 0


class HoldsTheInterpreter(Player):
    """Calculates for hours in C, and lets no other thread of its process do anything meanwhile."""

    name = "holds"

    def choose(self, view: View, limit: Limit) -> Decision:
        re.fullmatch("(a|a)*b", "a" * 60)
        raise AssertionError("no caller waits for this")

    def bid(self, view: BidView) -> int:
        return 3 ** (3**30) % 4


class Slow(RulePlayer):
    """Thinks for so long wherever it has a choice, however easy that is."""

    name = "slow"
    SECONDS = 0.1

    def choose(self, view: View, limit: Limit) -> Decision:
        time.sleep(self.SECONDS)
        return super().choose(view, limit)
