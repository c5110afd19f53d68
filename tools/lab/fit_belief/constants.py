"""Turns what was fitted into the constants of ddzbot/belief/fitted.py."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ddzbot.belief.clues import SKIPS, WAYS
from ddzbot.belief.models import bomb_holder
from ddzbot.belief.numbers import GROUP_NAMES, UNIT, Factors, Numbers
from ddzbot.cards import RANK_COUNT, count

from .examples import Example, Floats
from .likelihood import LogFactors


class BombCases(NamedTuple):
    """The cases in which the bomb rule applied to a rank, and those in which its seat held more than one."""

    seen: int
    right: int


def bomb_cases(examples: Iterable[Example]) -> BombCases:
    """Counts the cases in which the facts leave open whether the silent seat holds more than one."""
    seen = right = 0
    for example in examples:
        certain, view = example.certain, example.view
        played = view.played(certain.seats[0]), view.played(certain.seats[1])
        for rank in range(RANK_COUNT):
            silent = bomb_holder(certain.unseen, played, rank)
            if silent is not None and count(certain.least[silent], rank) <= 1 < count(certain.most[silent], rank):
                held = count(example.held, rank)
                seen += 1
                right += (count(certain.unseen, rank) - held if silent else held) > 1
    return BombCases(seen, right)


def numbers_of(cases: BombCases, factors: LogFactors) -> Numbers:
    """Rounds what was fitted to the whole numbers that the bot computes with."""
    return Numbers(
        mini_percent=min(99, max(1, round(100 * cases.right / cases.seen))) if cases.seen else 50,
        ways=_rounded(factors.ways),
        solos=_rounded(factors.solos),
        pairs=_rounded(factors.pairs),
    )


def _rounded(logs: Floats) -> Factors:
    whole = np.maximum(1, np.rint(UNIT * np.exp(logs))).astype(int)
    return tuple(tuple(tuple(row) for row in table) for table in whole.tolist())


def source_text(numbers: Numbers, remarks: Sequence[str]) -> str:
    """Writes the module; *remarks* are lines of its docstring."""
    lines = [
        '"""',
        "Numbers that were fitted on recorded games. Made by tools/lab/fit_belief/command.py: do not edit.",
        "",
    ]
    lines += [*remarks, '"""', "", "from ddzbot.belief.numbers import Numbers", "", "NUMBERS = Numbers("]
    lines.append(f"    mini_percent={numbers.mini_percent},")
    for field, factors, clues in (
        ("ways", numbers.ways, WAYS),
        ("solos", numbers.solos, SKIPS),
        ("pairs", numbers.pairs, SKIPS),
    ):
        lines.append(f"    {field}=(")
        for group, table in zip(GROUP_NAMES, factors, strict=True):
            lines.append(f"        (  # {group}")
            lines += [f"            {row},  # {clue}" for row, clue in zip(table, clues, strict=True)]
            lines.append("        ),")
        lines.append("    ),")
    return "\n".join([*lines, ")", ""])
