"""Turns what was fitted into the constants of ddzbot/belief/fitted.py."""

from collections.abc import Iterable, Sequence

import numpy as np

from ddzbot.belief.clues import SKIPS, WAYS
from ddzbot.belief.models import NINE_TO_KING, silent_seat
from ddzbot.belief.numbers import GROUP_NAMES, GROUPS, UNIT, Factors, Numbers
from ddzbot.cards import TWO, count

from .examples import Example, Floats
from .likelihood import LogFactors

__all__ = ["BombCases", "bomb_cases", "numbers_of", "source_text"]


class BombCases:
    """How often the bomb rule applied to each rank, and how often the silent seat did hold more than one."""

    def __init__(self) -> None:
        self.seen = [0] * (TWO + 1)
        self.right = [0] * (TWO + 1)

    def share(self, ranks: Iterable[int]) -> tuple[float, int]:
        """Gets how often the rule was right for some *ranks*, and in how many cases; a half without any."""
        chosen = list(ranks)
        seen = sum(self.seen[rank] for rank in chosen)
        return (sum(self.right[rank] for rank in chosen) / seen if seen else 0.5), seen

    def of_group(self, group: int) -> tuple[float, int]:
        """Gets the same for a group of ranks."""
        return self.share(rank for rank in range(TWO + 1) if GROUPS[rank] == group)


def bomb_cases(examples: Iterable[Example]) -> BombCases:
    """Counts the cases in which the facts leave open whether the silent seat holds more than one."""
    cases = BombCases()
    for example in examples:
        certain, view = example.certain, example.view
        laid = view.played(certain.seats[0]), view.played(certain.seats[1])
        for rank in range(TWO + 1):
            silent = silent_seat(certain.unseen, laid, rank)
            if silent is not None and count(certain.least[silent], rank) <= 1 < count(certain.most[silent], rank):
                held = count(example.held, rank)
                cases.seen[rank] += 1
                cases.right[rank] += (count(certain.unseen, rank) - held if silent else held) > 1
    return cases


def numbers_of(cases: BombCases, factors: LogFactors) -> Numbers:
    """Rounds what was fitted to the whole numbers that the bot computes with."""
    groups = range(len(GROUP_NAMES) - 1)
    return Numbers(
        mini_percent=_percent(cases.share(NINE_TO_KING)[0]),
        group_percent=tuple(_percent(cases.of_group(group)[0]) for group in groups),
        ways=_rounded(factors.ways),
        solos=_rounded(factors.solos),
        pairs=_rounded(factors.pairs),
    )


def _percent(share: float) -> int:
    return min(99, max(1, round(100 * share)))


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
    lines.append(f"    group_percent={numbers.group_percent},")
    for name, factors, clues in (
        ("ways", numbers.ways, WAYS),
        ("solos", numbers.solos, SKIPS),
        ("pairs", numbers.pairs, SKIPS),
    ):
        lines.append(f"    {name}=(")
        for group, table in zip(GROUP_NAMES, factors, strict=True):
            lines.append(f"        (  # {group}")
            lines += [f"            {row},  # {clue}" for row, clue in zip(table, clues, strict=True)]
            lines.append("        ),")
        lines.append("    ),")
    return "\n".join([*lines, ")", ""])
