"""The referee of FightTheLandlord: no auction, and any fault ends the game at once."""

from collections.abc import Mapping, Sized
from typing import Any

from ddzbot.cards import Hand, hand_of_ids
from ddzbot.game import SEATS, Game, start
from ddzbot.rules import BOTZONE, RuleSet, classify

from ..shared.message import Message
from .answer import Refusal, refuse_ids, refuse_move
from .deal import Dealt, UnreadableInitdataError, deal_without_auction
from .referee import Fault, Output, RefereeError, finish_content

NO_PLAYER = -1
"""The player of a fault that the platform finds before it has begun to count turns."""


class _RefusedError(Exception):
    """An answer at fault; *player* and *action* are what the platform names in its display."""

    def __init__(self, refusal: Refusal, player: int, action: Any) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal
        self.player = player
        self.action = action


class FightTheLandlordReferee:
    """
    Referees FightTheLandlord, and on a 30-card deal the mini game; a :class:`tools.referee.referee.Referee`.

    :raises RefereeError: for a deal that makes no game
    """

    def __init__(self, initdata: Any, seed: str, rules: RuleSet = BOTZONE) -> None:
        self.faults: list[Fault] = []
        self.bids: tuple[int, ...] = ()
        self.game: Game | None = None
        self._history: list[list[Any]] = []
        self._said: Any = []
        """The last response exactly as the bot gave it, which the platform shows when the next one fails."""
        self._over = False
        self._dealt: Dealt | None = None
        try:
            self._dealt = deal_without_auction(initdata, seed, rules)
        except UnreadableInitdataError:
            return
        self.game = start(self._dealt.deal)

    def first(self) -> Output:
        """Gets the opening request; unreadable initdata ends the game as the landlord's fault."""
        if self._dealt is None:
            return self._fault(_RefusedError(Refusal("BAD_FORMAT", "the initdata is unreadable"), NO_PLAYER, []))
        display = {"allocation": list(self._dealt.allocation), "publiccard": self._dealt.publiccard}
        return Output("request", self._request(self._dealt), display, self._dealt.initdata())

    def answer(self, answers: Mapping[str, Any]) -> Output:
        """Judges the answer of the player that was asked."""
        if self._over or self._dealt is None or self.game is None:
            raise RefereeError("the game is over: no answer can follow")
        player = self.game.seat
        try:
            response = self._response(answers, player)
            cards = self._cards(response, self._dealt.allocation[player], player)
            _check(self.game, cards)
        except _RefusedError as refused:
            return self._fault(refused)
        self._said = response
        self._history.append(cards)
        self.game = self.game.played(classify(self.game.rules, _hand(cards))[0])
        event = {"event": {"player": player, "action": cards}}
        if not self.game.finished:
            return Output("request", self._request(self._dealt), event)
        self._over = True
        content = finish_content(self.game.scores())
        return Output("finish", content, {**event, **content})

    def _response(self, answers: Mapping[str, Any], player: int) -> Any:
        """Gets what was answered. Before the first move the platform names no player in its refusals."""
        opening = not self._history
        named = NO_PLAYER if opening else player
        try:
            reply = answers[str(player)]
            verdict = reply["verdict"]
            if verdict != "OK":
                raise _RefusedError(
                    Refusal(f"INVALID_INPUT_VERDICT_{verdict}", Message("verdict {verdict}", verdict=verdict)),
                    named,
                    self._said,
                )
            response = reply["response"]
        except (KeyError, TypeError):
            raise _RefusedError(Refusal("BAD_FORMAT", Message("there is no response")), named, self._said) from None
        if opening and not isinstance(response, Sized):
            raise _RefusedError(_no_list(response), named, [])
        if opening and not len(response):
            raise _RefusedError(Refusal("INVALID_PASS", Message("a lead cannot be a pass")), player, [])
        return response

    def _cards(self, response: Any, dealt: list[int], player: int) -> list[Any]:
        """Gets the ids in order; the platform looks into text and objects too before it misses a list."""
        if isinstance(response, list | str | dict):
            played = [card for cards in self._history for card in cards]
            refusal = refuse_ids(response, dealt, played)
            if refusal:
                raise _RefusedError(refusal, player, response)
        if not isinstance(response, list):
            raise _RefusedError(_no_list(response), player, response)
        return sorted(response)

    def _request(self, dealt: Dealt) -> dict[str, Any]:
        turn = len(self._history)
        history = [[], [], *self._history][-2:]
        request: dict[str, Any] = {"history": history}
        if turn < SEATS:
            request = {"own": dealt.allocation[turn], "history": history, "publiccard": dealt.publiccard}
        return {str(turn % SEATS): request}

    def _fault(self, refused: _RefusedError) -> Output:
        self._over = True
        code, sentence = refused.refusal
        player = max(refused.player, 0)
        self.faults.append(Fault(player, code, sentence))
        content = finish_content(BOTZONE.scoring.peasant_fault if player else BOTZONE.scoring.landlord_fault)
        event = {"player": refused.player, "action": refused.action}
        return Output("finish", content, {"event": event, "errorInfo": code, **content})


def _check(game: Game, cards: list[Any]) -> None:
    refusal = refuse_move(game, _hand(cards))
    if refusal and refusal.code == "INVALID_CARDTYPE":
        # The platform's own word for this is hidden by an accident in its small scores.
        refusal = refusal._replace(code="BAD_FORMAT")
    if refusal:
        raise _RefusedError(refusal, game.seat, cards)


def _hand(cards: list[Any]) -> Hand:
    return hand_of_ids(map(int, cards))


def _no_list(response: Any) -> Refusal:
    why = Message("the response {response} is not a list of card ids", response=f"{response!r:.60}")
    return Refusal("BAD_FORMAT", why)
