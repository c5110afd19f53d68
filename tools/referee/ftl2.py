"""
The referee of FightTheLandlord2: an auction, and after a fault an auto-pilot plays on for the player.

The auto-pilot follows with a pass and leads the single card of the lowest id; its player is asked no more.
"""

from collections.abc import Mapping
from typing import Any

from ddzbot.cards import hand_of_ids
from ddzbot.game import SEATS, Game, auction, final_bid, is_legal_bid, start
from ddzbot.rules import classify

from ..shared.message import Message
from .answer import Refusal, refuse_ids, refuse_move
from .deal import deal_with_auction
from .referee import Fault, Output, RefereeError, finish_content

ALL_AT_FAULT = (-1, -1, -1)

SILENCE = {"verdict": "OK", "response": []}
"""The platform's reading of a turn in which the player was not asked."""


class FightTheLandlord2Referee:
    """
    Referees FightTheLandlord2; a :class:`tools.referee.referee.Referee`.

    :raises RefereeError: for a deal that makes no game
    """

    def __init__(self, initdata: Any, seed: str) -> None:
        self.faults: list[Fault] = []
        self.bids: tuple[int, ...] = ()
        self.game: Game | None = None
        self._dealt = deal_with_auction(initdata, seed)
        self._history: list[list[Any]] = []
        self._over = False

    def first(self) -> Output:
        """Gets the request for the first bid."""
        return self._request_bid()._replace(initdata=self._dealt.initdata())

    def answer(self, answers: Mapping[str, Any]) -> Output:
        """Judges a bid or a move; an empty *answers* is the turn of an auto-pilot."""
        if self._over:
            raise RefereeError("the game is over: no answer can follow")
        return self._answer_bid(answers) if self.game is None else self._answer_move(self.game, answers)

    # The auction.

    def _answer_bid(self, answers: Mapping[str, Any]) -> Output:
        player = len(self.bids)
        reply = answers.get(str(player))
        if not isinstance(reply, dict):
            raise RefereeError(f"log: the bid of player {player} is missing, and the platform's judge crashes on it")
        bid = _read_bid(reply)
        if bid is None or not is_legal_bid(self.bids, bid):
            bid_text = f"{reply['response']!r:.60}" if "response" in reply else Message("nothing")
            why = Message("{bid} is not a bid after {bids}", bid=bid_text, bids=list(self.bids))
            self._note(player, Refusal("INVALID_BID", why))
            bid = 0
        self.bids = (*self.bids, bid)
        result = auction(self.bids)
        if result:
            self.game = start(self._dealt.deal, self.bids, result[0])
        if len(self.faults) == SEATS:
            return self._finish_without_players()
        return self._request_move(self.game) if self.game else self._request_bid()

    def _request_bid(self) -> Output:
        player = len(self.bids)
        bids = list(self.bids)
        display = {"allocation": list(self._dealt.allocation), "publiccard": self._dealt.publiccard, "bid": bids}
        return Output("request", {str(player): {"own": self._dealt.allocation[player], "bid": bids}}, display)

    # The play.

    def _answer_move(self, game: Game, answers: Mapping[str, Any]) -> Output:
        player = _player(game, game.seat)
        cards, refusal = self._judge(game, answers.get(str(player), SILENCE))
        if refusal:
            self._note(player, refusal)
            cards = [] if game.to_beat else [min(self._own(game))]
            if len(self.faults) == SEATS:
                return self._finish_without_players()
        self._history.append(cards)
        self.game = game = game.played(classify(game.rules, hand_of_ids(map(int, cards)))[0])
        return self._finish(game) if game.finished else self._request_move(game)

    def _judge(self, game: Game, reply: Any) -> tuple[list[Any], Refusal | None]:
        try:
            verdict, response = reply["verdict"], reply.get("response")
        except (KeyError, TypeError):
            raise RefereeError("log: an answer has no verdict, and the platform's judge crashes on it") from None
        if verdict != "OK" or not isinstance(response, list):
            sentence = (
                Message("verdict {verdict}", verdict=verdict)
                if verdict != "OK"
                else Message("the response {response} is not a list of card ids", response=f"{response!r:.60}")
            )
            return [], Refusal(f"INVALID_INPUT_VERDICT_{verdict}", sentence)
        played = [card for cards in self._history for card in cards]
        refusal = refuse_ids(response, self._dealt_to(game), played)
        if refusal:
            return [], refusal
        return sorted(response), refuse_move(game, hand_of_ids(map(int, response)))

    def _dealt_to(self, game: Game) -> list[int]:
        """Gets all ids that the player to move ever had."""
        own = self._dealt.allocation[_player(game, game.seat)]
        return own if game.seat else own + self._dealt.publiccard

    def _own(self, game: Game) -> list[int]:
        """Gets the ids that the player to move still holds."""
        played = {card for cards in self._history for card in cards}
        return [card for card in self._dealt_to(game) if card not in played]

    def _request_move(self, game: Game) -> Output:
        player = _player(game, game.seat)
        content = {} if self._error_codes()[player] else {str(player): self._request(game, player)}
        return Output("request", content, {**self._table(game), "errored": self._error_codes(), **self._event(game)})

    def _request(self, game: Game, player: int) -> dict[str, Any]:
        request: dict[str, Any] = {"history": [[], [], *self._history][-2:]}
        if len(self._history) < SEATS:
            request["own"] = self._dealt.allocation[player]
            request["publiccard"] = self._dealt.publiccard
            request["landlord"] = game.landlord_position
            request["pos"] = player
            request["finalbid"] = final_bid(self.bids)
        return request

    def _table(self, game: Game) -> dict[str, Any]:
        return {"landlord": game.landlord_position, "bid": list(self.bids)}

    def _event(self, game: Game) -> dict[str, Any]:
        if not self._history:
            return {}
        player = _player(game, len(self._history) - 1)
        return {"event": {"player": player, "action": self._history[-1]}}

    # Faults and the end.

    def _error_codes(self) -> list[str | None]:
        """Lists the code of each player's first fault."""
        codes = {fault.player: fault.code for fault in self.faults}
        return [codes.get(player) for player in range(SEATS)]

    def _note(self, player: int, refusal: Refusal) -> None:
        """Notes a fault, unless an auto-pilot plays for the player already."""
        if not self._error_codes()[player]:
            self.faults.append(Fault(player, *refusal))

    def _finish(self, game: Game) -> Output:
        self._over = True
        paid = game.scores()
        first, second, third = (int(paid[(player - game.landlord_position) % SEATS]) for player in range(SEATS))
        content = finish_content((first, second, third))
        return Output("finish", content, {**self._event(game), **content, "landlord": game.landlord_position})

    def _finish_without_players(self) -> Output:
        self._over = True
        content = finish_content(ALL_AT_FAULT)
        return Output("finish", content, {**content, "errored": self._error_codes()})


def _player(game: Game, seat: int) -> int:
    return (game.landlord_position + seat) % SEATS


def _read_bid(reply: Mapping[str, Any]) -> int | None:
    """Reads a bid as the platform does, with ``int``: ``"3"`` and ``2.9`` (2) are bids."""
    try:
        return int(reply["response"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
