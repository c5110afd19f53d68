"""One match of the mock server: our referee, bots in this process, and the client's seat."""

import time
from collections.abc import Sequence
from typing import Any

from ddzbot.engine import Engine
from ddzbot.search.limit import Limit
from tools.arena.matches.programs import EngineBot
from tools.referee.games import make_referee
from tools.shared.json_text import json_text, parse_json
from tools.shared.seeds import player_seed
from tools.tables.live.match import TWO_PASSES

BOT_LIMIT = Limit(playouts=20)


class MockMatch:
    """
    A match in which *players* (by position) are players of ours, and ``me`` the client.

    :raises RefereeError: for initdata that makes no game.
    """

    REPEATED = "the same answer once more"

    def __init__(self, name: str, game: str, players: Sequence[str], initdata: str, seed: str) -> None:
        self.id = name
        self.position = players.index("me")
        self.number = 0
        """The number of the client's last request, from 1."""
        self.is_asked = False
        self.is_told = False
        """The client has got the last request, or the end."""
        self.is_over = False
        self.scores: list[float] = []
        """Empty where the match was broken off."""
        self.fault = ""
        """What the client did wrong; empty if nothing."""
        self.broken_off_at: int | None = None
        """The number of the request at which the plan breaks the match off."""
        self.doubts = 0
        """How often the client could not know if its answer to two passes had counted."""
        self._doubled = 0
        """The number of the last request that was sent needlessly once more."""
        self.referee = make_referee(game, initdata, seed)
        self._bots: dict[int, EngineBot] = {}
        self._requests: list[list[Any]] = [[], [], []]
        self._responses: list[list[Any]] = [[], [], []]
        self._texts: list[str] = []
        """The client's answers as they came."""
        self._asked_at = 0.0
        for position, player in enumerate(players):
            if player != "me":
                bot = self._bots[position] = EngineBot(player, Engine(player), BOT_LIMIT)
                bot.seed, bot.position = player_seed(seed, 0, position), position
        self._output = self.referee.first()
        self._ask()

    def step(self) -> None:
        """Lets another player, or an auto-pilot, make its move."""
        answers = {}
        for player in self._output.content:
            position = int(player)
            answer = self._bots[position].turn(self._requests[position], self._responses[position])
            self._responses[position].append(answer.response)
            answers[player] = {"verdict": answer.verdict, "response": answer.response}
        self._judge(answers)

    def answer(self, text: str | None) -> None:
        """Takes the client's answer to the last request; None where its time is up."""
        reply: dict[str, Any] = {"verdict": "TLE"}
        if text is not None:
            try:
                reply = {"verdict": "OK", "response": parse_json(text)}
            except ValueError:
                reply = {"verdict": "NJ"}
        self._texts.append(text or "")
        self._responses[self.position].append(reply.get("response"))
        self.is_asked = self.is_told = False
        self._judge({str(self.position): reply})

    def break_off(self) -> None:
        """Ends the match without scores."""
        self.is_over, self.is_asked, self.is_told = True, False, False

    def problem_of(self, text: str) -> str:
        """Says what is wrong with an answer that comes now; empty for one that may come."""
        again = bool(self._texts) and text == self._texts[-1]
        if not self.is_asked:
            if again:
                return self.REPEATED
            return "" if self.is_over and not self.scores else f"answered {text:.60} after {''.join(self._texts[-1:])}"
        if not self.is_told:
            return f"answered {text:.60} before the request was sent"
        if text != "[]" and text.startswith("[") and text in self._texts:
            return f"answered {text:.60} once more"
        return ""

    @property
    def request(self) -> Any:
        """The client's last request; None before the first."""
        return self._requests[self.position][-1] if self.number else None

    @property
    def is_led(self) -> bool:
        """Tests whether the client's last request is two passes, which look alike each time."""
        return bool(self.request == TWO_PASSES)

    def waited(self) -> float:
        """Gets the seconds that the client was asked and gave no answer."""
        return time.monotonic() - self._asked_at if self.is_asked else 0.0

    def has_news(self, repeats: bool) -> bool:
        """Tests whether a poll has news of the match."""
        return (self.is_asked and (repeats or not self.is_told)) or (self.is_over and not self.is_told)

    def request_text(self, envelope: bool) -> str:
        """Gets the last request as it is sent."""
        own, responses = self._requests[self.position], self._responses[self.position]
        message = {"requests": own, "responses": responses[: len(own) - 1]} if envelope else own[-1]
        return json_text(message, ascii_only=True)

    def once_more(self, envelope: bool) -> list[tuple[str, str]]:
        """
        Gets the last request to send it needlessly once more, at most once each.

        Two passes are not sent again after they were answered: no client could tell them from the next request.
        """
        is_told = self.number and (self.is_told or not self.is_asked)
        if self.is_over or not is_told or self._doubled == self.number:
            return []
        if not envelope and not self.is_asked and self.is_led:
            return []
        self._doubled = self.number
        return [(self.id, self.request_text(envelope))]

    def end_line(self) -> str:
        """Gets the line about the end."""
        scores = " ".join(f"{score:g}" for score in self.scores)
        return f"{self.id} {self.position} {len(self.scores)} {scores}".rstrip()

    def _judge(self, answers: dict[str, Any]) -> None:
        self._output = self.referee.answer(answers)
        self._ask()

    def _ask(self) -> None:
        """Notes the player that the referee asks now, or the end."""
        faults = [fault.sentence for fault in self.referee.faults if fault.player == self.position]
        self.fault = faults[0] if faults else ""
        if self._output.command == "finish":
            self.is_over, self.is_told = True, False
            self.scores = [self._output.content[str(position)] for position in range(3)]
            return
        for player, request in self._output.content.items():
            position = int(player)
            self._requests[position].append(request)
            if position == self.position:
                self.number += 1
                self.is_asked, self.is_told, self._asked_at = True, False, time.monotonic()
