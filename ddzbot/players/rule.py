"""
The rule player: active when it leads, passive when it follows, and a partner to the other peasant.

It is the rule-based player ("RB") of the literature: a hand is seen as a division into moves, a lead is one
of these moves, and a follow is played when the rest of the hand is worth more than the pass. Each rule has a name, and
``debug["rule"]`` of a decision says which one chose:

* ``finish``: the move that empties the hand;
* ``sure``: every trick but the last is out of the enemies' reach (an unlikely bomb aside), so the sure ones go first;
* ``feed``: the next seat is the partner with one card, and gets the lowest solo;
* ``lead``: the move of the cheapest division that is worth most as a lead;
* ``follow``: the same for an answer, or a pass that is worth as much;
* ``forced``: there is nothing but the pass.

"Worth" is counted in turns. The rest of the hand costs what :meth:`ddzbot.players.rule_threats.Outlook.prices`
says; the lead is worth more the fewer moves its owner has left, and an enemy's lead costs more the fewer cards that
enemy holds. That one sum makes the player keep bombs until they win or stop a loss, finish from two moves with
the stronger one first, leave the partner's strong moves alone, and block an enemy with one card.
"""

from typing import Dict, List, Optional, Tuple

from ddzbot.cards import TWO, UNIT, Hand, counts
from ddzbot.players.base import Decision, Player
from ddzbot.players.rule_threats import WEIGHTS, Outlook
from ddzbot.rules import BOMB, PASS, ROCKET, SOLO, Move, classify
from ddzbot.search.limit import Limit
from ddzbot.split import cheapest_split
from ddzbot.view import View

_LANDLORD, _LANDLORD_DOWN = 0, 1
_ENDGAME = 2
"""With so few moves left a lead is chosen by its worth alone."""
_KICKER_CHOICES = 8
"""With so many choices of kickers for each body, the slowest answer stays within a few milliseconds."""


class RulePlayer(Player):
    """Chooses by rules, in well under a millisecond; deterministic, so that the seed changes nothing."""

    name = "rule"

    def choose(self, view: View, limit: Limit) -> Decision:
        """Chooses by the first rule that applies; *limit* is not needed, since the slowest takes milliseconds."""
        outlook = Outlook(view, WEIGHTS)
        move, rule = self._lead(view, outlook) if view.to_beat is None else self._follow(view, outlook)
        return Decision(move, {"rule": rule})

    def _lead(self, view: View, outlook: Outlook) -> Tuple[Move, str]:
        whole = classify(view.rules, view.hand)
        if whole:
            return whole[0], "finish"
        sure = _sure_win(view, outlook)
        if sure:
            return sure, "sure"
        feed = _feed(view)
        if feed:
            return feed, "feed"
        split = cheapest_split(view.rules, view.hand, outlook.prices())
        best, best_worth = PASS, 0.0
        for part in split.moves:
            move = classify(view.rules, part.cards)[0]
            worth = self._worth(outlook, move, split.price - part.price, len(split.moves) - 1)
            if len(split.moves) > _ENDGAME:
                worth += self._lead_bias(view, move)
            if best.is_pass or worth > best_worth:
                best, best_worth = move, worth
        return best, "lead"

    def _lead_bias(self, view: View, move: Move) -> float:
        """Gets how much more than its worth says *move* is liked as a lead."""
        bias = WEIGHTS.chain_lead * (move.length > 1) - WEIGHTS.rank_lead * move.rank
        return bias - WEIGHTS.peasant_solo if view.seat and move.kind == SOLO else bias

    def _follow(self, view: View, outlook: Outlook) -> Tuple[Move, str]:
        answers = [move for move in view.legal_moves() if not move.is_pass]
        if not answers:
            return PASS, "forced"
        for move in answers:
            if move.cards == view.hand:
                return move, "finish"
        answers = _with_good_kickers(view.hand, answers)
        sure = outlook.sure_prices()
        for move in answers:
            if outlook.sure(move) and cheapest_split(view.rules, view.hand - move.cards, sure).price <= 1:
                return move, "sure"
        return self._best_answer(view, outlook, answers), "follow"

    def _best_answer(self, view: View, outlook: Outlook, answers: List[Move]) -> Move:
        owner = view.table_seat
        assert owner is not None
        prices = outlook.prices()
        best, best_worth = PASS, self._pass_worth(view, outlook)
        best_worth -= cheapest_split(view.rules, view.hand, prices).price
        for move in answers:
            if move.kind in (BOMB, ROCKET) and view.is_partner(owner):
                continue
            split = cheapest_split(view.rules, view.hand - move.cards, prices)
            worth = self._worth(outlook, move, split.price, len(split.moves))
            if worth > best_worth:
                best, best_worth = move, worth
        return best

    def _worth(self, outlook: Outlook, move: Move, rest_price: float, rest_moves: int) -> float:
        """Gets the chance of the lead after *move*, less an enemy's lead, less what the rest of the hand costs."""
        hold = outlook.hold(move)
        own = max(WEIGHTS.own / max(1, rest_moves) ** 2, WEIGHTS.own_least)
        return hold * own - (1.0 - hold) * self._enemy_lead(min(outlook.enemy_cards)) - rest_price

    def _pass_worth(self, view: View, outlook: Outlook) -> float:
        """Gets what a pass leads to, the own hand left out."""
        owner, played = view.table_seat, view.to_beat
        assert owner is not None and played is not None
        if not view.is_partner(owner):
            helped = outlook.partner_beats(played) if view.seat == _LANDLORD_DOWN else 0.0
            return (helped - 1.0) * self._enemy_lead(view.cards_left(owner))
        # The landlord has already passed on landlord_up's move.
        hold = 1.0 if view.seat == _LANDLORD_DOWN else outlook.hold(played)
        lead = max(WEIGHTS.partner / max(1, view.cards_left(owner)), WEIGHTS.partner_least)
        return hold * lead - (1.0 - hold) * self._enemy_lead(view.cards_left(_LANDLORD))

    def _enemy_lead(self, cards: int) -> float:
        return WEIGHTS.enemy / max(1, cards) ** 2


def _sure_win(view: View, outlook: Outlook) -> Optional[Move]:
    """Gets a sure trick of a division that has at most one move that an enemy may beat, or None."""
    split = cheapest_split(view.rules, view.hand, outlook.sure_prices())
    if split.price > 1:
        return None
    return next((classify(view.rules, part.cards)[0] for part in split.moves if not part.price), None)


def _feed(view: View) -> Optional[Move]:
    """Gets the lowest solo for a partner who plays next and has one card, or None."""
    if view.seat != _LANDLORD_DOWN or view.cards_left(3 - view.seat) != 1:
        return None
    lowest = next(rank for rank, held in enumerate(counts(view.hand)) if held)
    return classify(view.rules, UNIT[lowest])[0] if lowest < TWO else None


def _with_good_kickers(hand: Hand, answers: List[Move]) -> List[Move]:
    """Keeps of each body the few moves whose kickers break the fewest ranks, low ones first."""
    chosen: List[Move] = []
    tried: Dict[Tuple[int, int], int] = {}
    for move in sorted(answers, key=lambda move: _waste(hand, move)):
        body = (move.kind, move.rank)
        tried[body] = tried.get(body, 0) + 1
        if tried[body] <= _KICKER_CHOICES:
            chosen.append(move)
    return chosen


def _waste(hand: Hand, move: Move) -> Tuple[int, int]:
    """Gets how many ranks *move* breaks, and how high its cards are."""
    held = counts(hand)
    played = counts(move.cards)
    broken = sum(0 < cards < held[rank] for rank, cards in enumerate(played))
    return broken, sum(rank * cards for rank, cards in enumerate(played))
