"""The reasons why cards may not be played: a code with its values, and the English message of each code."""

from typing import Callable, Dict, NamedTuple

from ddzbot.readable import described

(
    PASS_ON_A_LEAD,
    NOT_HELD,
    NO_MOVE,
    NO_SUCH_KIND,
    NUMBER_OF_KICKERS,
    KICKERS,
    OTHER_KIND,
    OTHER_LENGTH,
    TOO_LOW,
) = (
    "pass_on_a_lead",
    "not_held",
    "no_move",
    "no_such_kind",
    "number_of_kickers",
    "kickers",
    "other_kind",
    "other_length",
    "too_low",
)


@described(
    code="Which reason it is, a constant of this module.",
    rules="The name of the rule set.",
    cards="The cards that were to be played.",
    hand="The hand that lacks them.",
    kind="The kind that the cards would be.",
    number="The kickers of each four cards, or the cards that the answer must have.",
    kicker_rule="The kickers that this kind takes: different ranks, any outside its body, or any cards.",
    beaten="The move to beat.",
    beaten_kind="The kind of the move to beat.",
)
class Refusal(NamedTuple):
    """
    The reason why cards may not be played; ``str()`` makes an English message that names the cards.

    Which of the later fields are filled depends on the code; :data:`ENGLISH` uses them all.
    """

    code: str
    rules: str
    cards: str
    hand: str = ""
    kind: str = ""
    number: int = 0
    kicker_rule: int = 0
    beaten: str = ""
    beaten_kind: str = ""

    def __str__(self) -> str:
        return ENGLISH[self.code](self)


_KICKER_RULES = (
    "must be of different ranks outside its body",
    "must be outside its body",
    "may be any cards",
)

ENGLISH: Dict[str, Callable[[Refusal], str]] = {
    PASS_ON_A_LEAD: lambda one: "a lead cannot be a pass",
    NOT_HELD: lambda one: f"{one.cards}: the hand {one.hand} does not hold these cards",
    NO_MOVE: lambda one: f"{one.cards}: these cards are not a move (rules {one.rules})",
    NO_SUCH_KIND: lambda one: f"{one.cards}: a {one.kind} is not a legal move (rules {one.rules})",
    NUMBER_OF_KICKERS: lambda one: "{}: a {} takes {} kicker{} a quad (rules {})".format(
        one.cards, one.kind, one.number, "" if one.number == 1 else "s", one.rules
    ),
    KICKERS: lambda one: (
        f"{one.cards}: the kickers of a {one.kind} {_KICKER_RULES[one.kicker_rule]} (rules {one.rules})"
    ),
    OTHER_KIND: lambda one: f"{one.cards}: a {one.kind} cannot answer the {one.beaten_kind} {one.beaten}",
    OTHER_LENGTH: lambda one: f"{one.cards}: the answer to {one.beaten} must have {one.number} cards",
    TOO_LOW: lambda one: f"{one.cards}: it does not beat {one.beaten}",
}
"""The message of each code."""
