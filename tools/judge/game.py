"""
One match: a referee, three bots, and the platform's complete log of it.

Each player has its own requests and responses; ``data`` goes back to the bot with its next turn, and so does
``globaldata``, which is not kept beyond the match.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, Protocol

from ddzbot.game import SEAT_NAMES, SEATS, Game

from ..referee.referee import Fault, Output, Referee
from ..shared.json_text import kept
from ..shared.language import seat_word
from ..shared.message import Message, prose
from ..shared.shell import joined_words
from .process_answer import Answer
from .process_limits import Limits

STDERR_EXCERPT = 500
"""Characters of standard error, the last ones, that a record keeps of a turn. A whole game must stay within a line."""


class Bot(Protocol):
    """What a match needs of a bot; a :class:`BotProcess` is one, and so may be a player of this process."""

    name: str
    """For people; the match sets it to the player and its seat."""
    command: list[str]
    limits: Limits

    @property
    def mode(self) -> str:
        """How it is run, for the record."""

    def turn(self, requests: Sequence[Any], responses: Sequence[Any], data: Any, globaldata: Any) -> Answer:
        """Answers the last of *requests*."""


class NamedFault(NamedTuple):
    """A fault with all that a person asks about it."""

    player: int
    seat: str | None
    """The name of its seat; None during the auction."""
    turn: int
    """The number of the turn, from 1; 0 before the first."""
    verdict: str
    """OK if the bot answered, but wrongly; TLE, MLE, OLE, NJ or RE if it did not."""
    code: str
    """The platform's code."""
    sentence: str
    """The player and its fault, with the verdict or the code in parentheses at its end."""


class Turn(NamedTuple):
    """What happened in one turn."""

    number: int
    """From 1."""
    asked: int | None
    """The player that was asked; None when an auto-pilot played."""
    answer: Answer | None
    faults: list[NamedFault]
    """The faults of this turn."""
    output: Output
    """The referee's output afterwards."""
    game: Game | None
    """The game after the turn; None while an auction runs."""
    bids: tuple[int, ...]


@dataclass
class _Player:
    bot: Bot
    requests: list[Any] = field(default_factory=list)
    responses: list[Any] = field(default_factory=list)
    data: Any = None
    globaldata: Any = None

    def ask(self, request: Any) -> Answer:
        self.requests.append(request)
        answer = self.bot.turn(self.requests, self.responses, self.data, self.globaldata)
        self.responses.append(answer.response)
        self.data = answer.data
        self.globaldata = answer.globaldata or self.globaldata
        return answer


class JudgeGame:
    """
    Plays a match turn by turn. For example::

        match = JudgeGame(make_referee("FightTheLandlord", "", "7"), bots)
        for turn in match.turns():
            print(turn.number, turn.output.command)
        print(match.scores, match.faults)

    The bots stay the caller's, which closes them.
    """

    def __init__(self, referee: Referee, bots: Sequence[Bot]) -> None:
        self.referee = referee
        self.faults: list[NamedFault] = []
        self.log: list[dict[str, Any]] = []
        """The platform's log: what the referee sent and what the bots answered, in turn."""
        self.answers: list[list[Answer]] = [[] for _ in bots]
        """By player, every answer."""
        self.output = referee.first()
        """The referee's last output."""
        self._players = [_Player(bot) for bot in bots]
        self._log_output()
        self._new_faults(0, None, None)

    @property
    def initdata(self) -> dict[str, Any]:
        """The deal, in the form that makes it again."""
        return dict(self.log[0]["output"].get("initdata", {}))

    @property
    def scores(self) -> list[float]:
        """What each player is paid, once the match is over."""
        return [self.output.content[str(player)] for player in range(SEATS)]

    def turns(self) -> Iterator[Turn]:
        """Plays to the end, and yields each turn when it was judged."""
        turn_number = 0
        while self.output.command == "request":
            turn_number += 1
            before = self.referee.game
            asked, answer = self._ask()
            self.output = self.referee.answer(self.log[-1])
            self._log_output()
            faults = self._new_faults(turn_number, before, answer)
            yield Turn(turn_number, asked, answer, faults, self.output, self.referee.game, self.referee.bids)

    def record(self, game: str) -> dict[str, Any]:
        """
        Gets the whole match as one JSON object: the platform's log, what the bots were, scores, faults and times.

        *game* is the platform's name of the game. Times are in milliseconds, memory in MiB, lists go by player.
        """
        return {
            "game": game,
            "initdata": self.initdata,
            "bots": [joined_words(player.bot.command) for player in self._players],
            "modes": [player.bot.mode for player in self._players],
            "limits": [asdict(player.bot.limits) for player in self._players],
            "scores": self.scores,
            "faults": [fault._asdict() for fault in self.faults],
            "times": [[round(answer.seconds * 1000) for answer in answers] for answers in self.answers],
            "log": self.log,
        }

    def _ask(self) -> tuple[int | None, Answer | None]:
        """Asks the player that the referee names, and logs the answer."""
        self.log.append({})
        for key, request in self.output.content.items():
            index = int(key)
            player = self._players[index]
            player.bot.name = name_of(self.referee.game, index)
            answer = player.ask(request)
            self.answers[index].append(answer)
            self.log[-1][key] = _log_entry(answer)
            return index, answer
        return None, None

    def _log_output(self) -> None:
        self.log.append({"output": self.output.as_json(), "verdict": "OK", "time": 0, "memory": 0})

    def _new_faults(self, turn: int, game: Game | None, answer: Answer | None) -> list[NamedFault]:
        """Names the faults that the referee has found since the last time; *game* is that before the turn."""
        faults = [_named(fault, turn, game, answer) for fault in self.referee.faults[len(self.faults) :]]
        self.faults += faults
        return faults


def seat_name(game: Game | None, player: int) -> str | None:
    """Gets the name of a player's seat; None while the landlord is not known."""
    return None if game is None else SEAT_NAMES[(player - game.landlord_position) % SEATS]


def name_of(game: Game | None, player: int) -> Message:
    """Names a player for people. For example, ``player 2 (landlord)``."""
    if game is None:
        return Message("player {number}", number=player)
    seat = (player - game.landlord_position) % SEATS
    return Message("player {number} ({seat})", number=player, seat=seat_word(seat))


def _named(fault: Fault, turn: int, game: Game | None, answer: Answer | None) -> NamedFault:
    values = {"player": name_of(game, fault.player), "why": prose(fault.sentence), "code": fault.code}
    sentence: str = Message("{player} was refused: {why} ({code})", **values)
    verdict = "OK"
    if answer and not answer.ok:
        verdict, sentence = answer.verdict, answer.problem
    return NamedFault(fault.player, seat_name(game, fault.player), turn, verdict, fault.code, sentence)


def _log_entry(answer: Answer) -> dict[str, Any]:
    """Gets an answer in the form of the platform's log, times in milliseconds and memory in MiB."""
    entry: dict[str, Any] = {"verdict": answer.verdict}
    if answer.ok:
        entry["response"] = answer.response
    if answer.debug is not None:
        entry["debug"] = kept(answer.debug)
    entry["time"] = round(answer.seconds * 1000)
    entry["memory"] = round(answer.peak_mib)
    if answer.stderr:
        entry["stderr"] = answer.stderr[-STDERR_EXCERPT:]
    return entry
