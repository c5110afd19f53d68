"""
What the server says when it refuses something: one sentence, in English and in Chinese.

The sentences about cards come from :func:`ddzbot.rules.explain`, which knows English only; :func:`in_chinese` says
the same in Chinese.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["KINDS", "RefusedError", "Sentence", "about_cards", "in_chinese"]


class Sentence(NamedTuple):
    """One sentence in both languages of the page."""

    en: str
    zh: str


class RefusedError(Exception):
    """Raised for what a connection may not do now; nothing has changed."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.sentence = Sentence(en, zh)

    def message(self, fatal: bool = False) -> dict[str, Any]:
        """Makes the message that says it; *fatal* if the connection ends with it."""
        return {"type": "refused", "sentence": self.sentence._asdict(), "fatal": fatal}


KINDS = {
    "pass": "不出",
    "solo": "单张",
    "pair": "对子",
    "trio": "三张",
    "trio_solo": "三带一",
    "trio_pair": "三带二",
    "solo_chain": "顺子",
    "pair_chain": "连对",
    "plane": "飞机",
    "plane_solo": "飞机带单",
    "plane_pair": "飞机带对",
    "four_two_solo": "四带二",
    "four_two_pair": "四带两对",
    "bomb": "炸弹",
    "rocket": "王炸",
    "shuttle": "航天飞机",
    "shuttle_solo": "航天飞机带单",
    "shuttle_pair": "航天飞机带对",
    "unknown": "不成牌型",
}
"""The Chinese name of each kind of move, as the page has it in words.js."""

_KICKER_RULES = {
    "must be of different ranks outside its body": "点数必须互不相同，且不能与主牌相同",
    "must be outside its body": "不能与主牌点数相同",
    "may be any cards": "可以是任意牌",
}

_RULES = r" \(rules \w+\)"

_PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"a lead cannot be a pass", lambda _: "轮到你先出牌，不能不出"),
    (r"(\w+): the hand \w* does not hold these cards", lambda found: f"{found[1]}：你手里没有这些牌"),
    (rf"(\w+): these cards are no move{_RULES}", lambda found: f"{found[1]}：这些牌不成牌型"),
    (rf"(\w+): a (\w+) is no legal move{_RULES}", lambda found: f"{found[1]}：本规则没有{KINDS[found[2]]}"),
    (
        rf"(\w+): a (\w+) takes (\d) kickers? a quad{_RULES}",
        lambda found: f"{found[1]}：{KINDS[found[2]]}中每四张要带{found[3]}手牌",
    ),
    (
        rf"(\w+): the kickers of a (\w+) ([a-z ]+){_RULES}",
        lambda found: f"{found[1]}：{KINDS[found[2]]}所带的牌{_KICKER_RULES[found[3]]}",
    ),
    (
        r"(\w+): a (\w+) cannot answer the (\w+) (\w+)",
        lambda found: f"{found[1]}：{KINDS[found[2]]}不能压{KINDS[found[3]]} {found[4]}",
    ),
    (
        r"(\w+): the answer to (\w+) must have (\d+) cards",
        lambda found: f"{found[1]}：压 {found[2]} 要出{found[3]}张牌",
    ),
    (r"(\w+): it does not beat (\w+)", lambda found: f"{found[1]}：压不过 {found[2]}"),
)


def in_chinese(sentence: str) -> str:
    """Says in Chinese what :func:`ddzbot.rules.explain` said; a sentence that is none of those stays as it is."""
    for pattern, said in _PATTERNS:
        found = re.fullmatch(pattern, sentence)
        if found:
            return said(found)
    return sentence


def about_cards(sentence: str) -> RefusedError:
    """Makes the refusal of a move from what the rules say about it."""
    return RefusedError(sentence, in_chinese(sentence))
