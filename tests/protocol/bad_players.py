"""Players that fail on purpose, named on the command line as ``tests.protocol.bad_players:CLASS``."""

import ctypes
import fractions
import os
import sys
import threading

from ddzbot.players.base import CannotPlay, Decision, Player
from ddzbot.rules import PASS
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

released = threading.Event()
"""Set by a test that is over: a thread that still hangs would slow down all tests after it."""


class Raising(Player):
    """Raises, in play and in the auction."""

    name = "raising"

    def choose(self, view: View, limit: Limit) -> Decision:
        raise RuntimeError("a bug")

    def bid(self, view: BidView) -> int:
        raise RuntimeError("a bug")


class Recursing(Player):
    """Runs out of stack."""

    name = "recursing"

    def choose(self, view: View, limit: Limit) -> Decision:
        return self.choose(view, limit)


class Illegal(Player):
    """Passes on a lead, and bids 7."""

    name = "illegal"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(PASS._replace(cards=5 << 56), {})

    def bid(self, view: BidView) -> int:
        return 7


class Hanging(Player):
    """Does not return until it is released, and never sleeps."""

    name = "hanging"

    def choose(self, view: View, limit: Limit) -> Decision:
        while not released.is_set():
            pass
        raise AssertionError

    def bid(self, view: BidView) -> int:
        while not released.is_set():
            pass
        raise AssertionError


class HangingWithAMove(Player):
    """Finds the last legal move at once, and then never returns."""

    name = "hanging_with_a_move"

    def choose(self, view: View, limit: Limit) -> Decision:
        self.best_so_far = view.legal_moves()[-1]
        released.wait(1000)
        raise AssertionError


class Slow(Player):
    """Takes some time for its first legal move."""

    name = "slow"

    def choose(self, view: View, limit: Limit) -> Decision:
        released.wait(0.2)
        return Decision(view.legal_moves()[0], {})


class Chatty(Player):
    """Writes to both standard streams in every way there is, and then plays its first legal move."""

    name = "chatty"

    def choose(self, view: View, limit: Limit) -> Decision:
        for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
            print("noise", file=stream, flush=True)
            os.write(descriptor, b"noise")
        ctypes.CDLL(None).puts(b"noise")
        ctypes.CDLL(None).fflush(None)
        return Decision(view.legal_moves()[0], {"long": "x" * 5000, "short": 1})


class Lacking(Player):
    """Cannot play, for a reason that is too long for the judge; without its search it says it in few words."""

    name = "lacking"

    def choose(self, view: View, limit: Limit) -> Decision:
        raise CannotPlay(f"no network: {'folder/' * 1000}: there is no file")

    def bid(self, view: BidView) -> int:
        raise CannotPlay("no network")

    def without_search(self) -> Player:
        return Raising(self.seed)


class Exiting(Player):
    """Tries to end the process."""

    name = "exiting"

    def choose(self, view: View, limit: Limit) -> Decision:
        sys.exit(3)


class Unspeakable(Player):
    """Plays its first legal move, and says what JSON cannot."""

    name = "unspeakable"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(view.legal_moves()[0], {"view": object(), "text": "\ud800", "none": float("nan")})


class HangingWithNonsense(Player):
    """Leaves behind what is not a move, and never returns."""

    name = "hanging_with_nonsense"

    def choose(self, view: View, limit: Limit) -> Decision:
        self.best_so_far = "34567"  # type: ignore[assignment]
        released.wait(1000)
        raise AssertionError


class FractionBidder(Player):
    """Bids a number that JSON does not know."""

    name = "fraction_bidder"

    def bid(self, view: BidView) -> int:
        return fractions.Fraction(3)  # type: ignore[return-value]


class Telling(Player):
    """Plays its first legal move, and says which limit it was given."""

    name = "telling"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(view.legal_moves()[0], {"seconds": limit.seconds})


class NotANumber(Player):
    """Plays its first legal move, and says a number that JSON does not have."""

    name = "not_a_number"

    def choose(self, view: View, limit: Limit) -> Decision:
        return Decision(view.legal_moves()[0], {"number": float("inf")})
