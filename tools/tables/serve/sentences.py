"""
What the server says when it refuses something: one sentence, in English and in Chinese.

Why cards may not be laid is a code of :mod:`ddzbot.refusals`, which says it in English; :func:`in_chinese` says the
same in Chinese.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ddzbot import refusals
from ddzbot.refusals import Refusal

from ..table.table import TableError

__all__ = ["CHINESE", "KINDS", "RefusedError", "Sentence", "in_chinese", "refused"]


class Sentence(NamedTuple):
    """One sentence in both languages of the page."""

    en: str
    zh: str


class RefusedError(Exception):
    """Raised for what a connection may not do now; nothing has changed."""

    def __init__(self, en: str, zh: str, passing: bool = False) -> None:
        super().__init__(en)
        self.sentence = Sentence(en, zh)
        self.passing = passing
        """It may be allowed a little later."""

    def message(self, fatal: bool = False) -> dict[str, Any]:
        """Makes the message that says it; *fatal* if the connection ends with it, not to come again."""
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

_KICKER_RULES = ("点数必须互不相同，且不能与主牌相同", "不能与主牌点数相同", "可以是任意牌")

CHINESE: dict[str, Callable[[Refusal], str]] = {
    refusals.PASS_ON_A_LEAD: lambda one: "轮到你先出牌，不能不出",
    refusals.NOT_HELD: lambda one: f"{one.cards}：你手里没有这些牌",
    refusals.NO_MOVE: lambda one: f"{one.cards}：这些牌不成牌型",
    refusals.NO_SUCH_KIND: lambda one: f"{one.cards}：本规则没有{KINDS[one.kind]}",
    refusals.NUMBER_OF_KICKERS: lambda one: f"{one.cards}：{KINDS[one.kind]}中每四张要带{one.number}手牌",
    refusals.KICKERS: lambda one: f"{one.cards}：{KINDS[one.kind]}所带的牌{_KICKER_RULES[one.kicker_rule]}",
    refusals.OTHER_KIND: lambda one: f"{one.cards}：{KINDS[one.kind]}不能压{KINDS[one.beaten_kind]} {one.beaten}",
    refusals.OTHER_LENGTH: lambda one: f"{one.cards}：压 {one.beaten} 要出{one.number}张牌",
    refusals.TOO_LOW: lambda one: f"{one.cards}：压不过 {one.beaten}",
}
"""The sentence of each code, as :data:`ddzbot.refusals.ENGLISH` has it."""


def in_chinese(refusal: Refusal) -> str:
    """Says in Chinese why cards may not be laid."""
    return CHINESE[refusal.code](refusal)


def refused(error: TableError) -> RefusedError:
    """Makes the refusal of what a table does not allow; only what the rules refuse is said in Chinese."""
    return RefusedError(str(error), in_chinese(error.refusal) if error.refusal else str(error))
