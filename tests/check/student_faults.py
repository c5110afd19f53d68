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
    """One fault in both languages, and the steps of which one finds it, by game."""

    steps: str
    python: Patch
    cpp: Patch
    auction: bool = False
    """It is in the auction, so that FightTheLandlord does not have it."""


PYTHON_HAND, CPP_HAND = "    hand = hand_of(table.cards)\n", "    Move best = PASS;\n"
PYTHON_BEST, CPP_BEST = "    return best\n\n\ndef main", "    return best;\n"


def when(steps: str, python: str, cpp: str) -> StudentFault:
    """Makes a crash at the beginning of a choice."""
    return StudentFault(
        steps,
        Patch(PYTHON_HAND, f"{PYTHON_HAND}    if {python}:\n        raise KeyError(len(hand))\n"),
        Patch(CPP_HAND, f"{CPP_HAND}    if ({cpp}) std::abort();\n"),
    )


FAULTS = {
    "crashes on the landlord's first turn": when("start lead", "sum(hand) == 20", "sum(hand) == 20"),
    "crashes on a bomb": when("follow", "table.move.kind == BOMB", "table.move.kind == BOMB"),
    "crashes where it plays the rocket": StudentFault(
        "restart late games",
        Patch(PYTHON_BEST, f"    if best.kind == ROCKET:\n        raise KeyError(ROCKET)\n{PYTHON_BEST}"),
        Patch(CPP_BEST, f"    if (best.kind == ROCKET) std::abort();\n{CPP_BEST}"),
    ),
    "crashes as the second peasant": when("follow", "table.seat == 2", "table.seat == 2"),
    "plays one kicker with a plane": StudentFault(
        "auction games",
        Patch("{3: length, 4: 2}", "{3: 1, 4: 2}"),
        Patch("move.kind[0] == 3 ? move.kind[1] :", "move.kind[0] == 3 ? 1 :"),
    ),
    "passes on a lead to save its highest cards": StudentFault(
        "auction late games",
        Patch(PYTHON_BEST, PYTHON_BEST.replace("return best", "return PASS if best.rank > ACE else best")),
        Patch(CPP_BEST, CPP_BEST.replace("return best", "return best.rank > ACE ? PASS : best")),
    ),
    "plays cards twice": StudentFault(
        "restart late",
        Patch("responses[len(requests) - len(plays) :]", "responses[len(requests) - len(plays) : -1]"),
        Patch("if (turn >= responses.size())", "if (turn + 1 >= responses.size())"),
    ),
    "plays suits that it does not hold": StudentFault(
        "lead",
        Patch("for card in table.cards if", "for card in (range(54) if rank < 13 else table.cards) if"),
        Patch("to_string(card)", "to_string(card >= 52 ? card : 4 * (card / 4) + wanted[rank_of(card)])"),
    ),
    "answers a row with a longer one": StudentFault(
        "follow games",
        Patch(
            "move.kind == table.kind and",
            "(move.kind == table.kind or move.kind[::2] == table.kind[::2] and move.kind[1] > table.kind[1] > 1) and",
        ),
        Patch(
            "if (move.kind == table.kind)",
            "if (move.kind == table.kind || (move.kind[0] == table.kind[0] && move.kind[2] == table.kind[2] &&\n"
            "        move.kind[1] > table.kind[1] && table.kind[1] > 1))",
        ),
    ),
    "never ends on a hand with many moves": StudentFault(
        "auction games",
        Patch(PYTHON_HAND, f"{PYTHON_HAND}    while len([*moves(hand)]) > 250:\n        pass\n"),
        Patch(CPP_HAND, f"{CPP_HAND}    while (moves(hand).size() > 250) std::cout.flush();\n"),
    ),
    "prints debug text near the end": StudentFault(
        "late",
        Patch(PYTHON_HAND, f'{PYTHON_HAND}    if sum(hand) <= 2:\n        sys.stdout.write("nearly won\\n")\n'),
        Patch(CPP_HAND, f'{CPP_HAND}    if (sum(hand) <= 2) std::cout << "nearly won\\n";\n'),
    ),
    "bids no more than others": StudentFault(
        "bid",
        Patch("return amount if amount > max(earlier, default=0) else 0", "return amount"),
        Patch("return earlier.empty() ||", "return true || earlier.empty() ||"),
        auction=True,
    ),
    "crashes as the last bidder": StudentFault(
        "bid",
        Patch("    amount = ", "    if len(earlier) == 2:\n        raise KeyError(2)\n    amount = "),
        Patch("    const int wanted", "    if (earlier.size() == 2) std::abort();\n    const int wanted"),
        auction=True,
    ),
    "forgets what it played in a kept process": StudentFault(
        "restart late",
        Patch(
            "            requests.append(message)\n",
            "            requests.append(message)\n            responses.pop()\n",
        ),
        Patch(
            "            requests.push_back(message);\n",
            "            requests.push_back(message), responses.pop_back();\n",
        ),
    ),
}
"""By what the bot does."""


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
