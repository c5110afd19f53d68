"""
From initdata to the cards of each player, in card ids.

The platform takes initdata as an object, as a JSON text of one, or as an empty string. The two games differ. In
FightTheLandlord only ``allocation`` makes a deal again and ``seed`` is carried along without effect; in
FightTheLandlord2 ``seed`` makes a deal again. The platform's judges take any sets of cards; here, different ids from
0 to 53 are demanded, in hands of any size.
"""

import random
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from ddzbot.cards import CARD_IDS, CardsError, count, hand_of_ids, rank_of_id
from ddzbot.game import SEATS, Deal, fits
from ddzbot.rules import BOTZONE, BOTZONE2, MINI, RuleSet

from ..shared.json_text import parse_json
from .referee import RefereeError

SEED_LIMIT = 1 << 31


class UnreadableInitdataError(Exception):
    """Initdata that FightTheLandlord's judge counts as a fault of the landlord."""


class Dealt(NamedTuple):
    """The cards as dealt, in ids and in deal order."""

    allocation: tuple[list[int], list[int], list[int]]
    """By player. Without an auction the landlord's hand includes the bottom, with one no hand does."""
    publiccard: list[int]
    """The bottom."""
    seed: Any
    deal: Deal
    """The same without suits."""

    def initdata(self) -> dict[str, Any]:
        """Gets the initdata that makes this deal again."""
        return {"allocation": list(self.allocation), "publiccard": self.publiccard, "seed": self.seed}


def fresh_seed() -> str:
    """Draws a seed of the size that the platform draws."""
    return str(secrets.randbelow(SEED_LIMIT))


def deal_without_auction(initdata: Any, seed: str, rules: RuleSet = BOTZONE) -> Dealt:
    """
    Deals for FightTheLandlord; with *rules* mini, its 30-card sister.

    Without an allocation the deal is the one that :func:`ddzbot.game.shuffled` makes of *seed*. Under an allocation of
    the 30-card deck as 12, 9 and 9 the rules are mini's.

    :raises UnreadableInitdataError: for initdata that the platform counts against the landlord, e.g. a number
    :raises RefereeError: for an allocation that makes no game
    """
    fields = _parse(initdata)
    try:
        given = {field: fields[field] for field in ("seed", "allocation", "publiccard") if field in fields}
    except TypeError:
        raise UnreadableInitdataError from None
    if "allocation" in given:
        allocation = _hands(given["allocation"])
        public = _ids("publiccard", given.get("publiccard", allocation[0][:3]))
    elif "publiccard" in given:
        raise RefereeError("initdata has a publiccard but no allocation")
    else:
        allocation, public = _shuffle(rules, seed)
    if not set(public) <= set(allocation[0]):
        raise RefereeError(f"initdata: the landlord's hand does not hold the publiccard {public}")
    own = [card for card in allocation[0] if card not in public]
    mini = _deal(MINI, (own, allocation[1], allocation[2]), public)
    deal = mini if fits(mini) else mini._replace(rules=BOTZONE)
    return Dealt(allocation, public, given.get("seed", seed), deal)


def deal_with_auction(initdata: Any, seed: str) -> Dealt:
    """
    Deals for FightTheLandlord2, where a seed is enough; the platform deals the same of the same seed.

    :raises RefereeError: for an allocation without publiccard (the platform's judge crashes), and for one that makes no
        game
    """
    fields = _parse(initdata)
    if not isinstance(fields, dict):
        fields = {}
    chosen = seed if fields.get("seed") is None else fields["seed"]
    allocation, public = _shuffled_by_platform(chosen)
    if "allocation" in fields:
        allocation = _hands(fields["allocation"])
        if "publiccard" not in fields:
            raise RefereeError("initdata has an allocation but no publiccard: the platform's judge crashes on it")
    if "publiccard" in fields:
        public = _ids("publiccard", fields["publiccard"])
    deal = _deal(BOTZONE2, allocation, public)
    return Dealt(allocation, public, chosen, deal if fits(deal) else deal._replace(rules=_without_spring(BOTZONE2)))


def _without_spring(rules: RuleSet) -> RuleSet:
    """The platform finds a spring by 17 and 20 cards: in a deal of other sizes there is none."""
    return rules._replace(scoring=rules.scoring._replace(spring_doubles=False))


def _parse(initdata: Any) -> Any:
    """Reads a JSON text; anything else stays as it is."""
    if not isinstance(initdata, str):
        return initdata
    try:
        return parse_json(initdata)
    except ValueError:
        return initdata


Cut = tuple[tuple[list[int], list[int], list[int]], list[int]]


def _shuffle(rules: RuleSet, seed: str) -> Cut:
    """Deals card ids such that their ranks are those of :func:`ddzbot.game.shuffled`: one seed, one deal."""
    ids = [card for card in range(CARD_IDS) if count(rules.deck, rank_of_id(card))]
    _dice("deal/" + seed).shuffle(ids)
    first, second, third = (ids[rules.dealt * player : rules.dealt * (player + 1)] for player in range(SEATS))
    bottom = ids[rules.dealt * SEATS :]
    return (bottom + first, second, third), bottom


def _shuffled_by_platform(seed: Any) -> Cut:
    if not isinstance(seed, str | int | float):
        raise RefereeError(f"initdata: the seed {seed!r:.60} is neither text nor a number")
    ids = list(range(CARD_IDS))
    _dice(seed).shuffle(ids)
    return (ids[3:20], ids[20:37], ids[37:]), ids[:3]


def _dice(seed: Any) -> random.Random:
    try:
        return random.Random(seed)
    except UnicodeEncodeError:
        raise RefereeError(f"the seed {seed!r:.60} has half of a surrogate pair") from None


def _hands(value: Any) -> tuple[list[int], list[int], list[int]]:
    if not isinstance(value, list) or len(value) != SEATS:
        raise RefereeError(f"initdata: the allocation must be a list of three hands, not {value!r:.60}")
    first, second, third = (_ids("allocation", hand) for hand in value)
    if not (first and second and third):
        raise RefereeError("initdata: the allocation has an empty hand")
    return first, second, third


def _ids(name: str, value: Any) -> list[int]:
    if not isinstance(value, list):
        raise RefereeError(f"initdata: {name} {value!r:.60} is not a list of card ids")
    try:
        hand_of_ids(value)
    except CardsError as error:
        raise RefereeError(f"initdata: {name}: {error}") from None
    return list(value)


def _deal(rules: RuleSet, hands: Sequence[Sequence[int]], bottom: Sequence[int]) -> Deal:
    """Builds the deal without suits; *hands* are without the bottom."""
    try:
        hand_of_ids([card for cards in (*hands, bottom) for card in cards])
    except CardsError as error:
        raise RefereeError(f"initdata: {error}") from None
    first, second, third = map(hand_of_ids, hands)
    return Deal(rules, (first, second, third), hand_of_ids(bottom))
