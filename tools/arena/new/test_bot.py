"""Tests the bot in this folder, in any language: python3 test_bot.py"""

import json
import os
import subprocess
import sys
import unittest
from typing import Any, List, Sequence

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "bot")
if not any(map(os.path.exists, (PROGRAM, PROGRAM + ".exe", PROGRAM + ".py"))):
    sys.exit(f"There is no program {PROGRAM} yet: build it with the first command of README.md.")
COMMAND = [sys.executable, PROGRAM + ".py"] if os.path.exists(PROGRAM + ".py") else [PROGRAM]

PEASANT, LANDLORD = [*range(17)], [*range(20)]


def ask(*lines: Any) -> List[Any]:
    """Sends lines to the bot, and returns its responses."""
    requests = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(COMMAND, input=requests.encode(), stdout=subprocess.PIPE, check=True)
    return [json.loads(line)["response"] for line in done.stdout.decode().splitlines() if line.startswith("{")]


def first(own: Sequence[int], *history: Sequence[int], **more: int) -> Any:
    """Returns the first line that the bot reads in a game."""
    return {"requests": [dict(own=own, history=list(history), publiccard=[51, 52, 53], **more)], "responses": []}


class Moves(unittest.TestCase):
    """What the bot plays."""

    def test_it_passes_over_the_rocket(self) -> None:
        self.assertEqual(ask(first(PEASANT, [], [52, 53])), [[]])

    def test_it_beats_a_single_card_of_the_landlord_with_a_higher_one_that_it_holds(self) -> None:
        own = [4, 8, 12, 16, 21, 25, 29, 33, 34, 37, 38, 41, 42, 45, 46, 49, 50]
        (played,) = ask(first(own, [], [0]))
        self.assertEqual(len(played), 1)
        self.assertIn(played[0], own)

    def test_it_plays_its_last_cards_in_one_move(self) -> None:
        message = first(LANDLORD, [], [])
        message["requests"].append({"history": [[], []]})
        message["responses"].append(LANDLORD[:16])
        self.assertEqual([sorted(played) for played in ask(message)], [LANDLORD[16:]])

    def test_the_landlord_of_an_auction_holds_the_bottom_too(self) -> None:
        message = first(PEASANT, [], [], pos=2, landlord=2, finalbid=1)
        message["requests"].append({"history": [[], []]})
        message["responses"].append(PEASANT)
        message["requests"].append({"history": [[], []]})
        message["responses"].append([51])
        self.assertEqual([sorted(played) for played in ask(message)], [[52, 53]])


class Bids(unittest.TestCase):
    """What the bot bids."""

    def test_a_bid_is_0_or_higher_than_all_earlier_ones(self) -> None:
        for own in PEASANT, [*range(37, 54)]:
            for earlier in [], [1], [2], [0, 2], [1, 2]:
                (bid,) = ask({"requests": [{"own": own, "bid": earlier}], "responses": []})
                self.assertTrue(bid == 0 or max(earlier, default=0) < bid <= 3, (own, earlier, bid))


class Modes(unittest.TestCase):
    """How it is run."""

    def test_a_process_that_is_kept_answers_as_fresh_ones_do(self) -> None:
        message = first([*LANDLORD[1:18], 48, 50, 52], [], [])
        later = {"history": [[], []]}  # type: Any
        answers = ask(message, later, later)
        self.assertEqual(len(answers), 3)
        for turn in 1, 2:
            whole = {"requests": message["requests"] + turn * [later], "responses": answers[:turn]}
            self.assertEqual(ask(whole), [answers[turn]])


if __name__ == "__main__":
    unittest.main()
