"""A program at a table: it gets what its seat has seen in the judge's messages, anew for each turn."""

from collections.abc import Iterable
from typing import Any

from ddzbot.cards import CARD_IDS, hand_of_ids, ids_for
from ddzbot.game import SEATS
from ddzbot.players.base import Decision, Player
from ddzbot.rules import read_move
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...judge.process import BotProcess
from ...referee.games import GAME_OF_RULES


class ProgramPlayer(Player):
    """A program in the shape of a player. It has the time of the platform, and a process a turn."""

    def __init__(self, spec: str, command: Iterable[str], seed: int = 0) -> None:
        """Makes the player; *spec* is how one writes it."""
        super().__init__(seed)
        self.name = self.label = spec
        self._command = list(command)

    def choose(self, view: View, limit: Limit) -> Decision:
        """
        Asks the program for a move.

        :raises ValueError: for rules without a judge, and for a program at fault.
        """
        return Decision(read_move(view.rules, hand_of_ids(self._answer(view))), {"player": self.label}, self.label)

    def bid(self, view: BidView) -> int:
        """Asks the program for a bid, and raises as :meth:`choose`."""
        return int(self._answer(view))

    def _answer(self, view: View | BidView) -> Any:
        if view.rules.name not in GAME_OF_RULES:
            raise ValueError(f"no judge speaks {view.rules.name}")
        with BotProcess(self._command, name=self.label) as program:
            answer = program.turn(*messages_of(view))
        if not answer.ok:
            raise ValueError(answer.problem)
        return answer.response


def messages_of(view: View | BidView) -> tuple[list[Any], list[Any]]:
    """Gets the judge's requests to a seat, the last one unanswered, and its responses; suits are any that fit."""
    if isinstance(view, BidView):
        return [{"own": ids_for(range(CARD_IDS), view.hand), "bid": list(view.bids)}], []
    deck = ids_for(range(CARD_IDS), view.rules.deck)
    own = ids_for(deck, view.hand + view.played(view.seat))
    others = [card for card in deck if card not in own]
    bottom = ids_for(own if view.seat == 0 else others, view.bottom)
    dealt = [card for card in own if card not in bottom]
    pools = [set(own if seat == view.seat else others) for seat in range(SEATS)]
    plays: list[list[int]] = [[], []]
    for ply, move in enumerate(view.plays):
        pool = pools[ply % SEATS]
        plays.append(ids_for(pool, move.cards))
        pools = [cards - set(plays[-1]) for cards in pools]
    requests: list[Any] = [{"history": plays[ply : ply + 2]} for ply in range(view.seat, len(view.plays) + 1, SEATS)]
    responses: list[Any] = plays[2 + view.seat :: SEATS]
    bidding = view.rules.bidding
    requests[0]["own"] = dealt if bidding or view.seat else [*bottom, *dealt]
    requests[0]["publiccard"] = bottom
    if bidding:
        position = (view.landlord_position + view.seat) % SEATS
        requests[0] |= {"landlord": view.landlord_position, "pos": position, "finalbid": view.stake}
        heard = list(view.bids[: position + 1])
        if len(heard) > position and None not in heard:
            responses.insert(0, heard.pop())
            requests.insert(0, {"own": dealt, "bid": heard})
    return requests, responses
