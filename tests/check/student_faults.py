"""Faults that students make, as small patches to the bots that ``tools new`` makes."""

import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.support import ROOT

TEMPLATES = ROOT / "tools" / "arena" / "new"


class Patch(NamedTuple):
    """What stands in place of a text that the source has once."""

    old: str
    new: str


class StudentFault(NamedTuple):
    """One fault in C++, and the steps of which one finds it, by game."""

    steps: str
    cpp: Patch
    auction: bool = False
    """It is in the auction, so that FightTheLandlord does not have it."""


CPP_HAND, CPP_BEST = "    Move best = PASS;\n", "    return best;\n"
PYTHON_HAND, PYTHON_BEST = "    hand = hand_of(table.cards)\n", "    return best\n\n\ndef main"


def when(steps: str, condition: str) -> StudentFault:
    """Makes a crash at the beginning of a choice."""
    return StudentFault(steps, Patch(CPP_HAND, f"{CPP_HAND}    if ({condition}) std::abort();\n"))


FAULTS = {
    "crashes on the landlord's first turn": when("start lead", "sum(hand) == 20"),
    "crashes on a bomb": when("follow", "table.move.kind == BOMB"),
    "crashes where it plays the rocket": StudentFault(
        "restart late games", Patch(CPP_BEST, f"    if (best.kind == ROCKET) std::abort();\n{CPP_BEST}")
    ),
    "crashes as the second peasant": when("follow", "table.seat == 2"),
    "plays one kicker with a plane": StudentFault(
        "auction games", Patch("move.kind[0] == 3 ? move.kind[1] :", "move.kind[0] == 3 ? 1 :")
    ),
    "passes on a lead to save its highest cards": StudentFault(
        "auction late games",
        Patch(CPP_BEST, CPP_BEST.replace("return best", "return best.rank > ACE ? PASS : best")),
    ),
    "plays cards twice": StudentFault(
        "restart late", Patch("if (turn >= responses.size())", "if (turn + 1 >= responses.size())")
    ),
    "plays suits that it does not hold": StudentFault(
        "lead", Patch("to_string(card)", "to_string(card >= 52 ? card : 4 * (card / 4) + wanted[rank_of(card)])")
    ),
    "answers a row with a longer one": StudentFault(
        "follow games",
        Patch(
            "if (move.kind == table.kind)",
            "if (move.kind == table.kind || (move.kind[0] == table.kind[0] && move.kind[2] == table.kind[2] &&\n"
            "        move.kind[1] > table.kind[1] && table.kind[1] > 1))",
        ),
    ),
    "never ends on a hand with many moves": StudentFault(
        "auction games",
        Patch(CPP_HAND, f"{CPP_HAND}    while (moves(hand).size() > 250) std::cout.flush();\n"),
    ),
    "prints debug text near the end": StudentFault(
        "late", Patch(CPP_HAND, f'{CPP_HAND}    if (sum(hand) <= 2) std::cout << "nearly won\\n";\n')
    ),
    "bids no more than others": StudentFault(
        "bid", Patch("return earlier.empty() ||", "return true || earlier.empty() ||"), auction=True
    ),
    "crashes as the last bidder": StudentFault(
        "bid",
        Patch("    const int wanted", "    if (earlier.size() == 2) std::abort();\n    const int wanted"),
        auction=True,
    ),
    "forgets what it played in a kept process": StudentFault(
        "restart late",
        Patch(
            "            requests.push_back(message);\n",
            "            requests.push_back(message), responses.pop_back();\n",
        ),
    ),
}
"""By what the bot does."""

IN_PYTHON = {
    "crashes as the second peasant": Patch(
        PYTHON_HAND, f"{PYTHON_HAND}    if table.seat == 2:\n        raise KeyError(len(hand))\n"
    ),
    "crashes where it plays the rocket": Patch(
        PYTHON_BEST, f"    if best.kind == ROCKET:\n        raise KeyError(ROCKET)\n{PYTHON_BEST}"
    ),
    "plays suits that it does not hold": Patch(
        "for card in table.cards if", "for card in (range(54) if rank < 13 else table.cards) if"
    ),
    "bids no more than others": Patch("return amount if amount > max(earlier, default=0) else 0", "return amount"),
}
"""Some in Python. The check asks both the same, and both bots answer the same (tests/new)."""


def program(folder: Path, language: str, patch: Patch | None = None) -> list[str]:
    """Makes a bot in a folder, with a fault or without; gets the words that start it."""
    file = {"python": "bot.py", "cpp": "bot.cpp"}[language]
    source = (TEMPLATES / file).read_text("utf-8")
    if patch:
        assert source.count(patch.old) == 1, f"{patch.old!r} is to be there once"
        source = source.replace(*patch)
    (folder / file).write_text(source, "utf-8")
    if language == "python":
        return ["python", str(folder / file)]
    # Of the processor time of hundreds of starts, optimizing saves more than it takes.
    subprocess.run(["g++", "-std=c++11", "-O1", "-o", str(folder / "bot"), str(folder / file)], check=True)
    return [str(folder / "bot")]
