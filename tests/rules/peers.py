"""Move generators of other public projects, asked as ``rules check`` asks programs."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from ddzbot.cards import RANKS

Moves = Callable[[dict[str, Any]], list[str]]
"""Lists what a hand may play, as ``{"hand": ..., "to_beat": ...}`` asks."""

_OURS = {"B": "L", "R": "B"}
_VALUES = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30]
"""DouZero's number of each rank."""


def to_rlcard(text: str) -> str:
    return text.translate(str.maketrans("LB", "BR"))


def from_rlcard(text: str) -> str:
    return text if text == "pass" else "".join(_OURS.get(card, card) for card in text)


class _Holder(NamedTuple):
    current_hand: list[Any]
    played_cards: str


def rlcard_moves(asked: dict[str, Any]) -> list[str]:
    """RLCard's lists: leads of its judge, follows as a player is offered them."""
    from rlcard.games.base import Card
    from rlcard.games.doudizhu.judger import DoudizhuJudger
    from rlcard.games.doudizhu.utils import get_gt_cards

    hand, table = to_rlcard(asked["hand"]), to_rlcard(asked["to_beat"])
    if not table:
        return [from_rlcard(move) for move in DoudizhuJudger.playable_cards_from_hand(hand)]
    jokers = {"B": Card("BJ", ""), "R": Card("RJ", "")}
    cards = [jokers.get(card) or Card("S", card) for card in hand]
    try:
        moves = get_gt_cards(_Holder(cards, ""), _Holder([], table))
    except KeyError:
        return [f"no move of RLCard: {table}"]
    return [from_rlcard(move) for move in moves]


def douzero_values(text: str) -> list[int]:
    return [_VALUES[RANKS.index(card)] for card in text]


def douzero_text(values: list[int]) -> str:
    return "".join(RANKS[_VALUES.index(value)] for value in sorted(values)) or "pass"


def douzero_moves(asked: dict[str, Any]) -> list[str]:
    """DouZero's list for a player with this hand, after that move."""
    from douzero.env.game import GameEnv

    game = GameEnv(dict.fromkeys(("landlord", "landlord_up", "landlord_down")))
    game.acting_player_position = "landlord"
    game.info_sets["landlord"].player_hand_cards = douzero_values(asked["hand"])
    game.card_play_action_seq = [douzero_values(asked["to_beat"])] if asked["to_beat"] else []
    return [douzero_text(move) for move in game.get_legal_card_play_actions()]


def resolver_moves(asked: dict[str, Any]) -> list[str]:
    """The table of doudizhu-resolver, whose cards are names with ``-`` between them."""
    from doudizhu_resolver.doudizhu.engine import Doudizhu

    ours = {"10": "T", "BJ": "L", "CJ": "B"}
    theirs = {card: name for name, card in ours.items()}
    hand, table = ("-".join(theirs.get(card, card) for card in asked[key]) for key in ("hand", "to_beat"))
    kinds = Doudizhu.list_greater_cards(table, hand).values() if table else [Doudizhu.list_playable_cards(hand)]
    return ["".join(ours.get(name, name) for name in cards.split("-")) for moves in kinds for cards in moves]


def landlord_ai_moves(asked: dict[str, Any]) -> list[str]:
    """The moves of landlord-ai's sets of cards."""
    from landlordai.game.card import string_to_card
    from landlordai.game.deck import CardSet

    names = {"T": "10", "L": "LJ", "B": "BJ"}

    def moves(text: str) -> list[tuple[Any, str]]:
        cards = Counter(string_to_card(names.get(card, card)) for card in text)
        of_card = {string_to_card(names.get(card, card)): card for card in RANKS}
        listed = CardSet(cards).get_all_moves()
        return [(move, "".join(of_card[card] * number for card, number in move.cards.items())) for move in listed]

    table = [move for move, text in moves(asked["to_beat"]) if len(text) == len(asked["to_beat"])]
    return [text for move, text in moves(asked["hand"]) if not table or any(move.beats(on) for on in table)]
