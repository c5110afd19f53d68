"""Programs with one fault each that real ones have had, and what the checks have to say of them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ddzbot.cards import RANKS, ROCKET_CARDS, TWO, UNIT, Hand, contains, count, hand_text, parse_hand, size
from ddzbot.rules import (
    BOMB,
    BOTZONE,
    BOTZONE2,
    FOUR_TWO_PAIR,
    FOUR_TWO_SOLO,
    KIND_NAMES,
    PLANE_PAIR,
    PLANE_SOLO,
    REPEATED,
    ROCKET,
    STANDARD,
    Move,
    RuleSet,
    beats,
    classify,
    legal_moves,
    read_move,
    rule_set,
)
from ddzbot.testing.corpus import game_of
from ddzbot.testing.game_steps import expected

Answer = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Fault:
    """What is wrong, what the program answers, how the first difference is named, and what is asked and how often."""

    what: str
    answer: Answer
    named: str
    question: str = "moves"
    rules: str = "botzone"
    tries: int = 250


def texts(found: Iterable[Move]) -> list[str]:
    return [str(move) for move in found]


def with_repeats(kind: int, rules: RuleSet = BOTZONE) -> RuleSet:
    """The same rules, but kickers of that kind may repeat."""
    changed = tuple(shape._replace(kicker_rule=REPEATED) if shape.kind == kind else shape for shape in rules.legal)
    return rules._replace(legal=changed, recognised=changed)


def moves_by(rules: RuleSet) -> Answer:
    def answer(asked: dict[str, Any]) -> list[str]:
        return texts(right(rules, asked))

    return answer


def right(rules: RuleSet, asked: dict[str, Any]) -> list[Move]:
    table = read_move(rules, parse_hand(asked["to_beat"])) if asked["to_beat"] else None
    return legal_moves(rules, parse_hand(asked["hand"]), table)


def without(lost: Callable[[Move, dict[str, Any]], bool], rules: str = "botzone") -> Answer:
    """The right moves but for some."""
    return lambda asked: texts(move for move in right(rule_set(rules), asked) if not lost(move, asked))


def also(more: Callable[[Hand, Hand], Iterable[Hand]]) -> Answer:
    """The right moves and others that the hand holds."""

    def answer(asked: dict[str, Any]) -> list[str]:
        hand, table = parse_hand(asked["hand"]), parse_hand(asked["to_beat"])
        added = [hand_text(cards) for cards in more(hand, table) if contains(hand, cards)]
        return list(dict.fromkeys([*texts(right(BOTZONE, asked)), *added]))

    return answer


def rows(copies: int, lengths: Iterable[int], last: str) -> list[Hand]:
    """Ranks in a row, each as often, with the highest one *last* or lower."""
    top = RANKS.index(last)
    return [copies * sum(UNIT[low : low + n]) for n in lengths for low in range(top - n + 2)]


def kickers(move: Move) -> Hand:
    copies = 4 if move.kind in (FOUR_TWO_SOLO, FOUR_TWO_PAIR) else 3
    return move.cards - copies * sum(UNIT[move.rank : move.rank + move.length]) if has_kickers(move) else 0


def bodys_rank(hand: Hand, table: Hand) -> list[Hand]:
    return [] if table else [3 * UNIT[rank] + 4 * UNIT[rank + 1] + UNIT[14] for rank in range(11)]


def has_kickers(move: Move) -> bool:
    return KIND_NAMES[move.kind].startswith(("trio_", "plane_", "four_"))


def like(kind: int, other: int) -> Callable[[Hand, Hand], Iterable[Hand]]:
    """Plays moves of *kind* on those of *other*."""

    def more(hand: Hand, table: Hand) -> Iterable[Hand]:
        on = read_move(BOTZONE, table) if table else None
        return [move.cards for move in legal_moves(BOTZONE, hand) if on and (move.kind, on.kind) == (kind, other)]

    return more


def bomb_like_fours(hand: Hand, table: Hand) -> list[Hand]:
    fours = [move.cards for move in legal_moves(BOTZONE, hand) if move.kind == FOUR_TWO_SOLO]
    return fours if table and read_move(BOTZONE, table).kind not in (BOMB, ROCKET, FOUR_TWO_SOLO) else []


def not_lower(hand: Hand, table: Hand) -> list[Hand]:
    moves = legal_moves(BOTZONE, hand) if table else []
    on = read_move(BOTZONE, table)
    return [
        move.cards for move in moves if move.kind == on.kind != BOMB and (move.size, move.rank) == (on.size, on.rank)
    ]


def any_length(hand: Hand, table: Hand) -> list[Hand]:
    on = read_move(BOTZONE, table)
    moves = legal_moves(BOTZONE, hand) if table else []
    return [move.cards for move in moves if move.kind == on.kind and move.length > on.length and move.rank > on.rank]


def by_highest_card(hand: Hand, table: Hand) -> list[Hand]:
    on = read_move(BOTZONE, table)
    moves = legal_moves(BOTZONE, hand) if table and has_kickers(on) else []
    return [move.cards for move in moves if move.kind == on.kind and move.size == on.size and move.cards > on.cards]


def trios_with_jokers(hand: Hand, table: Hand) -> list[Hand]:
    return [] if table else [3 * UNIT[rank] + ROCKET_CARDS for rank in range(13)]


def separate_trios(hand: Hand, table: Hand) -> list[Hand]:
    return [] if table else [3 * (UNIT[low] + UNIT[high]) for low, high in combinations(range(12), 2)]


def lowest_kickers(move: Move, asked: dict[str, Any]) -> bool:
    hand = parse_hand(asked["hand"])
    left = hand - (move.cards - kickers(move))
    return KIND_NAMES[move.kind] == "trio_solo" and kickers(move) > min(UNIT[r] for r in range(15) if count(left, r))


def chain_from_a_bomb(move: Move, asked: dict[str, Any]) -> bool:
    return move.length > 1 and count(parse_hand(asked["hand"]), move.rank) == 4 != count(move.cards, move.rank)


def bomb_on(*kinds: str) -> Callable[[Move, dict[str, Any]], bool]:
    def lost(move: Move, asked: dict[str, Any]) -> bool:
        on = KIND_NAMES[read_move(BOTZONE, parse_hand(asked["to_beat"])).kind]
        return move.kind == BOMB and bool(asked["to_beat"]) and on != "bomb" and (not kinds or on in kinds)

    return lost


def one_reading(asked: dict[str, Any]) -> list[str]:
    """Compares first readings alone."""
    if not asked["to_beat"]:
        return texts(right(STANDARD, asked))
    on = read_move(STANDARD, parse_hand(asked["to_beat"]))
    return texts(
        move
        for move in right(STANDARD, asked)
        if move.kind in (0, BOMB, ROCKET) or classify(STANDARD, move.cards)[0].kind == on.kind
    )


def kinds_by(rules: RuleSet, *extra: str) -> Answer:
    return lambda asked: (
        asked["cards"] in extra or [KIND_NAMES[m.kind] for m in classify(rules, parse_hand(asked["cards"]))]
    )


def low_bombs_beat(asked: dict[str, Any]) -> bool:
    cards, table = parse_hand(asked["cards"]), parse_hand(asked["to_beat"])
    bomb = [move.kind for move in classify(BOTZONE, cards)] == [BOMB]
    return bool(
        beats(BOTZONE, cards, table) or (bomb and table != ROCKET_CARDS and size(table) == 4 and cards != table)
    )


def game_with(rules: str, change: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]) -> Answer:
    return lambda asked: change(asked, expected(game_of(rule_set(rules), asked)))


def turns_after_a_pass(asked: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "to_beat": ""} if asked["moves"][-1:] == ["pass"] else state


def no_doubling(asked: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    bombs = any(move == "LB" for move in asked["moves"])
    return {**state, "scores": [points / 2 for points in state["scores"]]} if bombs and state["scores"] else state


def no_spring(asked: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    played = [any(move != "pass" for move in asked["moves"][seat::3]) for seat in (1, 2)]
    halved = {**state, "scores": [points / 2 for points in state["scores"] or ()]}
    return halved if state["scores"] and not any(played) else state


def winner_pays(asked: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """As landlord-ai does: the stake of the landlord falls to the peasant who goes out."""
    scores = state["scores"]
    if not scores or scores[state["landlord"]] > 0:
        return state
    out = (state["landlord"] + len(asked["moves"]) - 1) % 3
    stake = max(scores)
    return {**state, "scores": [stake * (seat != state["landlord"]) - 2 * stake * (seat == out) for seat in range(3)]}


def trebled(asked: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """As landlord-ai does: three times the stake if the peasants played no card, and nothing for the other spring."""
    played = [sum(move != "pass" for move in asked["moves"][seat::3]) for seat in range(3)]
    factor = 1.5 if played[1] + played[2] == 0 else 0.5 if played[0] == 1 else 1
    return {**state, "scores": [points * factor for points in state["scores"]]} if state["scores"] else state


def redeal(asked: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "landlord": None} if not any(asked["bids"]) else state


FAULTS = [
    Fault("plane kickers may share a rank", moves_by(with_repeats(PLANE_SOLO)), "kickers of a plane_solo (pair)"),
    Fault("plane kickers may have a rank of the body", also(bodys_rank), "kickers of a plane_solo (body, joker)"),
    Fault(
        "a bomb is two pairs beside a plane",
        moves_by(with_repeats(PLANE_PAIR)),
        "kickers of a plane_pair (bomb, pair, trio)",
    ),
    Fault("four with a pair as two cards", moves_by(with_repeats(FOUR_TWO_SOLO)), "kickers of a four_two_solo (pair)"),
    Fault("no space shuttles", moves_by(rule_set("icga")), "shuttle"),
    Fault("two kickers a quad", moves_by(BOTZONE2), "number of kickers of a shuttle_solo"),
    Fault(
        "shuttles where there are none",
        moves_by(STANDARD._replace(legal=BOTZONE.legal[:-2])),
        "kickers of a plane_solo (body)",
        rules="standard",
    ),
    Fault("kickers must differ everywhere", moves_by(rule_set("icga")), "plane_solo (pair)", rules="standard"),
    Fault(
        "both jokers are no two kickers",
        without(lambda m, _: contains(kickers(m), ROCKET_CARDS)),
        "plane_solo (joker, jokers)",
    ),
    Fault("a joker is no kicker", without(lambda m, _: kickers(m) >= UNIT[13]), "plane_solo (joker)"),
    Fault("a 2 is no kicker", without(lambda m, _: count(kickers(m), TWO) > 0), "plane_solo (two)"),
    Fault(
        "chains go up to the 2",
        also(lambda hand, table: [] if table else rows(1, range(5, 8), "2")),
        "a chain beyond the ace",
    ),
    Fault(
        "chains end at the king",
        without(lambda m, _: "chain" in KIND_NAMES[m.kind] and m.rank + m.length == 12),
        "solo_chain (up to the ace)",
    ),
    Fault("chains of four", also(lambda hand, table: [] if table else rows(1, [4], "A")), "a chain that is too short"),
    Fault(
        "chains of two pairs", also(lambda hand, table: [] if table else rows(2, [2], "A")), "a chain that is too short"
    ),
    Fault("no chain of twelve", without(lambda m, _: m.length == 12), "solo_chain (12 ranks, up to the ace)"),
    Fault(
        "planes of two or three trios alone",
        without(lambda m, _: KIND_NAMES[m.kind].startswith("plane") and m.length > 3, "standard"),
        "plane (4 ranks)",
        rules="standard",
    ),
    Fault("a bomb beats bombs alone", without(bomb_on()), "bomb (as an answer, on another kind)"),
    Fault(
        "a bomb does not beat four with two",
        without(bomb_on("four_two_solo")),
        "bomb (as an answer, on a four_two_solo, on another kind)",
    ),
    Fault("four with two is a bomb", also(bomb_like_fours), "four_two_solo on another kind"),
    Fault(
        "the rocket does not beat bombs",
        without(lambda m, a: m.kind == ROCKET and read_move(BOTZONE, parse_hand(a["to_beat"])).kind == BOMB),
        "rocket (as an answer, on a bomb, on another kind)",
    ),
    Fault("the same rank beats", also(not_lower), "solo on one as high or higher"),
    Fault("longer chains beat", also(any_length), "solo_chain on another length"),
    Fault("the highest card decides", also(by_highest_card), "trio_solo on one as high or higher", tries=700),
    Fault("a trio with a pair beats one with a card", also(like(5, 4)), "trio_pair on another kind"),
    Fault("a pass is never legal", without(lambda m, _: m.is_pass), "the pass"),
    Fault(
        "a lead may be a pass",
        lambda asked: [*texts(right(BOTZONE, asked)), *(["pass"] if not asked["to_beat"] else [])],
        "a pass on a lead",
    ),
    Fault("the jokers are a pair", also(trios_with_jokers), "jokers as a pair"),
    Fault("any two trios are a plane", also(separate_trios), "a trio beside a plane"),
    Fault(
        "no chain from a rank that is held four times",
        without(chain_from_a_bomb),
        "solo_chain (a bomb taken apart, a rank with cards left)",
    ),
    Fault("the lowest kicker alone", without(lowest_kickers), "trio_solo"),
    Fault("each move twice", lambda asked: 2 * texts(right(BOTZONE, asked)), "listed twice"),
    Fault(
        "first readings alone are compared",
        one_reading,
        "plane (4 ranks, another reading, as an answer)",
        rules="standard",
    ),
    Fault("around the corner", kinds_by(BOTZONE, "JQKA2", "TJQKA2"), "a chain beyond the ace", "classify"),
    Fault("the other rules", kinds_by(BOTZONE2), "shuttle_solo", "classify", "mini"),
    Fault("any bomb beats any", low_bombs_beat, "bomb on one as high or higher", "beats"),
    Fault("one pass clears the table", game_with("botzone", turns_after_a_pass), "to_beat", "game"),
    Fault("the rocket does not double", game_with("botzone2", no_doubling), "scores (rocket)", "game", "botzone2"),
    Fault("a spring does not double", game_with("botzone2", no_spring), "scores (spring)", "game", "botzone2"),
    Fault("a peasant who goes out pays", game_with("botzone2", winner_pays), "scores", "game", "botzone2"),
    Fault(
        "a spring trebles, an anti-spring does not count",
        game_with("botzone2", trebled),
        "scores (spring)",
        "game",
        "botzone2",
    ),
    Fault("without a bid there is no game", game_with("botzone2", redeal), "landlord", "game", "botzone2"),
]
