"""
Files of deals, which other programs may write as well: a line of text for each.

The first line is ``ddzbot-deals/1`` and the rule set. A deal is four texts with blanks between them: the three hands in
the order of the auction, the landlord's first where there is none, and the bottom. After ``#`` comes a comment,
and empty lines count for nothing. For example ::

    ddzbot-deals/1 mini
    99TTJQKA2 9TTJJQQK2 9JQKKAA2L A2B  # report/1/000004
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ddzbot.cards import CardsError, Hand, hand_text, parse_hand
from ddzbot.game import Deal, fits
from ddzbot.rules import RuleSet, rule_set

from ...shared.bounds import UnreadableError, utf8_text, whole_file

FORMAT = "ddzbot-deals/1"
_DIGITS = 16
_MOST_BYTES = 1 << 25
"""Some 300,000 deals."""


class DealsFile(NamedTuple):
    """A file of deals, or a results file's note of one."""

    file: str
    """Its name, as it was given."""
    sha256: str
    """The first 16 hexadecimal digits of the hash of its bytes, unpacked."""
    hands: tuple[tuple[Hand, Hand, Hand, Hand], ...] = ()
    """Three hands and the bottom of each deal; none where only the file is named."""

    def deal(self, rules: RuleSet, index: int) -> Deal:
        """
        Gets a deal by its place in the file, from 0.

        :raises IndexError: if there are fewer.
        """
        first, second, third, bottom = self.hands[index]
        return Deal(rules, (first, second, third), bottom)


def deals_text(rules: RuleSet, deals: Iterable[tuple[Deal, str]], remark: str = "") -> str:
    """Writes deals, each with a remark such as its name; *remark* goes under the first line."""
    lines = [f"{FORMAT} {rules.name}", *([f"# {remark}"] if remark else [])]
    for deal, label in deals:
        lines.append(" ".join([*map(hand_text, (*deal.hands, deal.bottom)), *([f" # {label}"] if label else [])]))
    return "".join(f"{row}\n" for row in lines)


def read_deals(path: Path, rules: str) -> DealsFile:
    """
    Reads a file of deals for the rule set of this name.

    :raises ValueError: if it cannot be read, is for other rules, has none, or a line is not a deal; with one sentence
        that names the file and the line.
    """
    try:
        content = whole_file(path, _MOST_BYTES)
        lines = utf8_text(content).splitlines()
    except UnreadableError as error:
        raise ValueError(f"deals file {path}: {error}") from None
    head, *following = lines or [""]
    if head.split() != [FORMAT, rules]:
        raise ValueError(f"deals file {path}: its first line is {head!r:.60}, not '{FORMAT} {rules}'")
    deals = []
    for number, line in enumerate(following, 2):
        hands = line.partition("#")[0].split()
        if hands:
            try:
                deals.append(_hands(rule_set(rules), hands))
            except ValueError as error:
                raise ValueError(f"deals file {path}, line {number}: {error}") from None
    if not deals:
        raise ValueError(f"deals file {path}: there is no deal in it")
    return DealsFile(str(path), hashlib.sha256(content).hexdigest()[:_DIGITS], tuple(deals))


def _hands(rules: RuleSet, words: list[str]) -> tuple[Hand, Hand, Hand, Hand]:
    if len(words) != 4:
        raise ValueError(f"a deal is three hands and the bottom, not {len(words)} texts")
    try:
        first, second, third, bottom = map(parse_hand, words)
    except CardsError as error:
        raise ValueError(str(error)) from None
    if not fits(Deal(rules, (first, second, third), bottom)):
        sizes = f"three hands of {rules.dealt} cards and a bottom of {rules.bottom_size}"
        raise ValueError(f"this is not the deck of rules {rules.name} in {sizes}")
    return first, second, third, bottom
