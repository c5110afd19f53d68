"""The questions to programs, the right answers, and the differences of a program's answer."""

from typing import Any, Callable, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

from ddzbot.cards import UNIT, CardsError, Hand, contains, hand_text, parse_hand
from ddzbot.rules import KIND_NAMES, PASS, RuleSet, classify, legal_moves
from ddzbot.testing.cases import Case, Cases, smaller, text_of
from ddzbot.testing.deciding import PAGE, PLAYED, Deciding, named, why, why_not

ANSWER = "the answer"
"""The rule of a difference that is about no rule of the game."""


class Difference(NamedTuple):
    """One difference between a program and the rules."""

    case: Any
    more: bool
    """The program has what the rules have not, rather than the other way round."""
    deciding: Deciding
    answers: str
    """The expected answer and the program's."""
    cards: Optional[Hand] = None
    """The cards that it is about."""

    @property
    def family(self) -> Tuple[bool, str]:
        """The key that differences of one kind share."""
        return self.more, self.deciding.rule

    @property
    def features(self) -> FrozenSet[str]:
        """The features of the difference."""
        return self.deciding.features

    @property
    def kind(self) -> str:
        """Names the kind: ``kickers of a plane_solo (pair)``."""
        return named(self.deciding)

    def sentence(self, rules: RuleSet) -> str:
        """Says in one sentence what each says of the case, and which rule decides."""
        page = f"{PAGE}#{self.deciding.heading}"
        return f"{self.answers}; {self.deciding.sentence} (rules {rules.name}, {self.kind}: {page})"


def malformed(case: Any, where: str, answer: object, wanted: str) -> Difference:
    """Makes the difference of an answer that is none."""
    deciding = Deciding(ANSWER, frozenset(), PLAYED, f"{wanted} is wanted")
    return Difference(case, True, deciding, f"{where}: yours says {answer!r:.100}")


class Question(NamedTuple):
    """One question: how cases come about and shrink, what goes to the program, and how its answer compares."""

    name: str
    random: Callable[[RuleSet, int], Iterator[Any]]
    asked: Callable[[RuleSet, Any], Dict[str, Any]]
    differences: Callable[[RuleSet, Any, Any], Iterator[Difference]]
    smaller: Callable[[RuleSet, Difference], Iterator[Any]]
    simplest: Callable[[RuleSet], Any]
    """A case that any program answers, right or wrong."""


def _asked_hand(rules: RuleSet, case: Case) -> Dict[str, Any]:
    return {"hand": hand_text(case.hand), "to_beat": hand_text(case.to_beat or 0)}


def _move_differences(rules: RuleSet, case: Case, answer: Any) -> Iterator[Difference]:
    to_beat = case.move_to_beat(rules)
    where = text_of(case)
    listed: List[Hand] = []
    if isinstance(answer, (str, dict)) or not isinstance(answer, Iterable):
        yield malformed(case, where, answer, "a list of moves")
        return
    for move_text in answer:
        try:
            listed.append(0 if move_text in ("pass", "") else parse_hand(move_text))
        except (CardsError, TypeError):
            yield malformed(case, where, move_text, "the text of cards, or pass,")
            return
    theirs: Set[Hand] = set()
    right = {move.cards for move in legal_moves(rules, case.hand, to_beat)}
    for cards in listed:
        if cards in theirs:
            deciding = Deciding("listed twice", frozenset(), PLAYED, "each set of cards is one move")
            yield Difference(case, True, deciding, f"{where}: yours has {_text(cards)} twice", cards)
        theirs.add(cards)
    for cards in sorted(theirs - right):
        decided = why_not(rules, case.hand, cards, to_beat)
        assert decided is not None, "the generator has whatever the rules allow"
        yield Difference(case, True, decided, f"{where}: yours has {_text(cards)}, the rules have not", cards)
    for cards in sorted(right - theirs):
        decided = why(rules, case.hand, cards, to_beat)
        yield Difference(case, False, decided, f"{where}: yours lacks {_text(cards)}, the rules have it", cards)


def _text(cards: Hand) -> str:
    return hand_text(cards) or str(PASS)


def _smaller_hands(rules: RuleSet, difference: Difference) -> Iterator[Case]:
    case = difference.case
    if difference.cards and difference.cards != case.hand:
        yield Case(difference.cards)
        yield Case(difference.cards, case.to_beat)
    yield from smaller(rules, case, with_leads=True)


def _asked_cards(rules: RuleSet, case: Case) -> Dict[str, Any]:
    return {"cards": hand_text(case.hand)}


def _kind_differences(rules: RuleSet, case: Case, answer: Any) -> Iterator[Difference]:
    where = f"cards {hand_text(case.hand)}"
    right = [KIND_NAMES[move.kind] for move in classify(rules, case.hand)]
    ours = " or ".join(right) or "no move"
    names = [answer] if isinstance(answer, str) else answer
    if isinstance(names, (list, tuple, set, frozenset)) and not all(kind in KIND_NAMES for kind in names):
        yield malformed(case, where, answer, f"true, false or names of kinds ({', '.join(KIND_NAMES[1:-1])})")
        return
    if bool(names) != bool(right):
        yours = "no move" if not names else "a move" if names is True else " or ".join(names)
        decided = why_not(rules, case.hand, case.hand, None) or why(rules, case.hand, case.hand, None)
        yield Difference(case, bool(names), decided, f"{where}: yours says {yours}, the rules {ours}", case.hand)
    elif names and names is not True and not set(names) <= set(right):
        decided = why(rules, case.hand, case.hand, None)._replace(rule=f"the name of a {right[0]}")
        yield Difference(case, True, decided, f"{where}: yours says {' or '.join(names)}, the rules {ours}", case.hand)


def _smaller_sets(rules: RuleSet, difference: Difference) -> Iterator[Case]:
    return smaller(rules, difference.case, with_leads=False)


def _asked_pair(rules: RuleSet, case: Case) -> Dict[str, Any]:
    return {"cards": hand_text(case.hand), "to_beat": hand_text(case.to_beat or 0)}


def _beat_differences(rules: RuleSet, case: Case, answer: Any) -> Iterator[Difference]:
    where = f"cards {hand_text(case.hand)} on {hand_text(case.to_beat or 0)}"
    if answer not in (True, False):
        yield malformed(case, where, answer, "true or false")
        return
    decided = why_not(rules, case.hand, case.hand, case.move_to_beat(rules))
    if answer == (decided is not None):
        deciding = decided or why(rules, case.hand, case.hand, case.move_to_beat(rules))
        yours, ours = ("yes", "no") if answer else ("no", "yes")
        yield Difference(case, bool(answer), deciding, f"{where}: yours says {yours}, the rules {ours}", case.hand)


def _lowest_card(rules: RuleSet) -> Case:
    return Case(next(card for card in UNIT if contains(rules.deck, card)))


def _lowest_cards(rules: RuleSet) -> Case:
    lowest, higher = [card for card in UNIT if contains(rules.deck, card)][:2]
    return Case(higher, lowest)


MOVES = Question(
    "moves",
    lambda rules, seed: Cases(rules, seed).hands(),
    _asked_hand,
    _move_differences,
    _smaller_hands,
    _lowest_card,
)
CLASSIFY = Question(
    "classify",
    lambda rules, seed: Cases(rules, seed).sets(),
    _asked_cards,
    _kind_differences,
    _smaller_sets,
    _lowest_card,
)
BEAT = Question(
    "beats",
    lambda rules, seed: Cases(rules, seed).pairs(),
    _asked_pair,
    _beat_differences,
    _smaller_sets,
    _lowest_cards,
)
QUESTIONS = {question.name: question for question in (MOVES, CLASSIFY, BEAT)}
"""The questions about cards, by name."""
