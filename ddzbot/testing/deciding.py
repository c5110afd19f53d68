"""
The rule that decides whether cards may be played: its name, the features of the cards, a message, its
heading.
"""

from typing import Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

from ddzbot import illegal_moves
from ddzbot.cards import ACE, LITTLE_JOKER, RANK_COUNT, ROCKET_CARDS, TWO, UNIT, Hand, contains, count
from ddzbot.rules import (
    BOMB,
    DISTINCT,
    KIND_NAMES,
    LOOSEST,
    ROCKET,
    Move,
    RuleSet,
    Shape,
    classify,
    explain,
    reading_beats,
)

PAGE = "docs/reference/rules.md"
PLAYED, KICKERS, BEATS = "what-may-be-played", "kickers", "what-beats-what"
"""The headings of the page that decide about moves."""

_SHAPES: Dict[str, str] = {
    "solo": "any one card",
    "pair": "two cards of a rank",
    "trio": "three cards of a rank",
    "trio_solo": "a trio and one card of another rank",
    "trio_pair": "a trio and a pair",
    "solo_chain": "5 to 12 ranks in a row within 3 to A",
    "pair_chain": "3 or more pairs in a row within 3 to A",
    "plane": "2 or more trios in a row within 3 to A",
    "plane_solo": "a plane and one card for each trio",
    "plane_pair": "a plane and one pair for each trio",
    "four_two_solo": "four of a rank and two cards",
    "four_two_pair": "four of a rank and two pairs",
    "bomb": "four cards of a rank",
    "rocket": "both jokers",
    "shuttle": "2 or more quads in a row within 3 to A",
    "shuttle_solo": "a shuttle and cards",
    "shuttle_pair": "a shuttle and pairs",
}

_ROCKET_SHAPE = Shape(ROCKET, 1, 1, 1, 0, 0, DISTINCT)
_LOOSE = {shape.kind: shape for shape in LOOSEST}

_KICKERS_SAID = {
    "jokers": "any rank can be a solo kicker, even both jokers at once",
    "body": "kickers of the body's rank are allowed here",
    "pair": "kickers may share a rank here",
    "joker": "any rank can be a solo kicker, a joker too",
    "two": "any rank can be a kicker, a 2 too",
}


class Deciding(NamedTuple):
    """The rule that decides about some cards."""

    rule: str
    """A few words; differences of one kind share them, and :attr:`features`."""
    features: FrozenSet[str]
    """The features of the cards; a difference with fewer of them is a simpler one."""
    heading: str
    """The anchor of the rule on :data:`PAGE`."""
    sentence: str


def why_not(rules: RuleSet, hand: Hand, cards: Hand, to_beat: Optional[Move]) -> Optional[Deciding]:
    """Gets the rule by which *cards* may not be played from *hand*, or None if they may."""
    refusal = explain(rules, hand, cards, to_beat)
    if refusal is None:
        return None
    rule, features, heading = refusal.kind, set(), PLAYED  # type: str, Set[str], str
    sentence = str(refusal).partition(": ")[2] or str(refusal)
    sentence = sentence.replace(f" (rules {rules.name})", "")
    if refusal.code == illegal_moves.PASS_ON_A_LEAD:
        rule, heading = "a pass on a lead", BEATS
    elif refusal.code == illegal_moves.NOT_HELD:
        rule = "cards that the hand lacks"
    elif refusal.code == illegal_moves.NUMBER_OF_KICKERS:
        rule = f"number of kickers of a {refusal.kind}"
    elif refusal.code == illegal_moves.KICKERS:
        rule, heading, features = f"kickers of a {refusal.kind}", KICKERS, _loose_features(cards, refusal.kind)
    elif refusal.code == illegal_moves.NO_MOVE:
        rule, sentence, heading = _no_move(cards)
    elif refusal.code != illegal_moves.NO_SUCH_KIND:
        rule, heading = f"{refusal.kind} on {_table(refusal, to_beat)}", BEATS
    return Deciding(rule, frozenset(features), heading, sentence)


def _table(refusal: illegal_moves.Refusal, to_beat: Optional[Move]) -> str:
    if refusal.code == illegal_moves.OTHER_LENGTH:
        return "another length"
    if refusal.code == illegal_moves.OTHER_KIND:
        return "a bomb" if to_beat and to_beat.kind in (BOMB, ROCKET) else "another kind"
    return "one as high or higher"


def _no_move(cards: Hand) -> Tuple[str, str, str]:
    """Gets the move that comes closest."""
    held = {rank: count(cards, rank) for rank in range(RANK_COUNT) if count(cards, rank)}
    ranks = sorted(held)
    copies = set(held.values())
    row = ranks == list(range(ranks[0], ranks[-1] + 1))
    if len(ranks) > 1 and row and len(copies) == 1 and ranks[-1] > ACE:
        return "a chain beyond the ace", "a chain lies within 3 to A, without 2 and jokers", PLAYED
    if len(ranks) > 1 and row and len(copies) == 1:
        return "a chain that is too short", "a chain takes 5 solos, 3 pairs or 2 trios at least", PLAYED
    trios = [rank for rank in ranks if held[rank] >= 3]
    if TWO in trios and len(trios) > 1:
        return "a chain beyond the ace", "a chain lies within 3 to A, without 2 and jokers", PLAYED
    if contains(cards, ROCKET_CARDS):
        return "jokers as a pair", "the jokers are never a pair", KICKERS
    if len(trios) > 1 and trios != list(range(trios[0], trios[-1] + 1)):
        return "a trio beside a plane", "a trio beside a plane must continue its chain", KICKERS
    if len(ranks) > 1 and len(copies) == 1 and len(trios) < 2:
        return "cards with a gap", "the ranks of a chain follow each other", PLAYED
    if trios:
        return "number of kickers", "this is no number of kickers for such a body", PLAYED
    return "no move", "these cards are not a move", PLAYED


def why(rules: RuleSet, hand: Hand, cards: Hand, to_beat: Optional[Move]) -> Deciding:
    """Gets the rule by which *cards* may be played from *hand*, which they may."""
    if not cards:
        return Deciding("the pass", frozenset(), BEATS, "a player who follows may pass")
    move = classify(rules, cards)[0]
    kind = KIND_NAMES[move.kind]
    sentence, heading = f"a {kind} is {_SHAPES[kind]}", PLAYED
    shape = next((shape for shape in rules.legal if shape.kind == move.kind), _ROCKET_SHAPE)
    features = _body_features(hand, move, shape.min_length)
    if shape.kicker:
        peculiar = _kicker_features(shape, move, cards)
        features |= peculiar
        for feature in sorted(peculiar & _KICKERS_SAID.keys(), key=[*_KICKERS_SAID].index):
            sentence, heading = _KICKERS_SAID[feature], KICKERS
            break
    if to_beat is not None:
        features.add("as an answer")
        sentence, heading = _why_it_beats(move, to_beat), BEATS
        if not reading_beats(move, to_beat):
            features.add("another reading")
            sentence, heading = "a set of several readings beats whatever any of them beats", KICKERS
        elif move.kind in (BOMB, ROCKET) and to_beat.kind != move.kind:
            features |= {"on another kind", *_fours(to_beat)}
    return Deciding(kind, frozenset(features), heading, sentence)


def _why_it_beats(move: Move, to_beat: Move) -> str:
    if move.kind == ROCKET:
        return "the rocket beats everything"
    if move.kind == BOMB and to_beat.kind != BOMB:
        return "a bomb beats everything but a higher bomb and the rocket"
    return "the same kind, number of cards and chain length with a higher body beats"


def _fours(to_beat: Move) -> List[str]:
    """Names what lies on the table and holds four of a rank, as it may be taken for a bomb."""
    kind = KIND_NAMES[to_beat.kind]
    return [f"on a {kind}"] if kind.startswith(("four", "shuttle", "bomb")) else []


def _body_features(hand: Hand, move: Move, shortest: int) -> Set[str]:
    features = {f"{length} ranks" for length in range(shortest + 1, move.length + 1)}
    if move.length > 1 and move.rank + move.length - 1 == ACE:
        features.add("up to the ace")
    left = [count(hand, rank) for rank in range(RANK_COUNT) if 0 < count(move.cards, rank) < count(hand, rank)]
    if left:
        features.add("a rank with cards left")
    if 4 in left:
        features.add("a bomb taken apart")
    return features


def _loose_features(cards: Hand, kind: str) -> Set[str]:
    """Gets what is peculiar about the kickers of cards that would be a *kind* with any kickers at all."""
    shape = _LOOSE[KIND_NAMES.index(kind)]
    readings: List[Set[str]] = []
    for length in range(shape.min_length, shape.max_length + 1):
        for rank in range(shape.top_rank - length + 2):
            body = shape.body(rank, length)
            if contains(cards, body):
                readings.append(_kicker_features(shape, Move(cards, shape.kind, rank, length), cards))
    return min(readings, key=len) if readings else set()


def _kicker_features(shape: Shape, move: Move, cards: Hand) -> Set[str]:
    body = shape.body(move.rank, move.length)
    kickers = cards - body
    features = set()
    for rank in range(RANK_COUNT):
        held = count(kickers, rank)
        if held and count(body, rank):
            features.add("body")
        elif held > shape.kicker:
            features |= {"pair", *(["trio"] if held >= 3 else []), *(["bomb"] if held == 4 else [])}
    if count(kickers, TWO):
        features.add("two")
    if contains(kickers, ROCKET_CARDS):
        features.add("jokers")
    if kickers >= UNIT[LITTLE_JOKER]:
        features.add("joker")
    return features


def named(deciding: Deciding) -> str:
    """Names a kind of difference: the rule, and in brackets what is peculiar."""
    ranks = [feature for feature in deciding.features if feature.endswith(" ranks")]
    longest = max(ranks, key=lambda text: int(text.split()[0]), default="")
    peculiar = sorted(feature for feature in deciding.features if feature not in ranks or feature == longest)
    return deciding.rule + (f" ({', '.join(peculiar)})" if peculiar else "")
