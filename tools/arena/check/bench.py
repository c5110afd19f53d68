"""The bot under test: how it is run, the scenes and games that it plays, and the account of all its turns."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any, NamedTuple

from ddzbot.engine import Engine
from ddzbot.game import SEATS
from ddzbot.search.limit import Limit

from ...judge.game import Bot, JudgeGame, NamedFault
from ...judge.process import Mode
from ...judge.process_answer import Answer
from ...judge.turn_end import TurnEnd, turn_end_of
from ...records.fallbacks import fallback_in
from ...referee.games import make_referee
from ...shared.message import Message, clauses, joined
from ..matches.programs import EngineBot
from .arranged import arrange, quiet
from .reached import Reached
from .scenes import GAMES, LEADS, Scene, Scripted, opening_request
from .turn import Turn, as_line
from .watched import RawTurn, Terms, TurnNote, Watched, raw_turn

OPPONENT = "rule"
OUR_MARK = "v"
"""The field of ``debug`` in which our own bot says its version: of others' words on their turns nothing is known."""

RESTARTED_TURN = 3
"""The turn of the bot before which its process is ended, where a restart is tried."""


class PlayedScene(NamedTuple):
    """What the bot did in a scene or a game."""

    place: str
    """Which one, for people."""
    answers: list[Answer]
    fault: NamedFault | None
    """Its first fault; the scene or game is broken off there."""
    turn: Turn | None
    """Its last turn."""
    said: int = 0
    """So many answers, the first, are none of its own."""


class _Table(NamedTuple):
    """A scene or game to play, with the bot's chair still empty."""

    place: str
    game: str
    initdata: Any
    bots: list[Bot]
    player: int
    starts_anew: Callable[[int], bool]
    answers: int | None = None
    """After so many the game is broken off; None plays to its end."""
    said: Sequence[Any] = ()
    """What the bot is taken to have answered first; these answers count, too."""
    with_data: bool = True
    """The bot gets back what it keeps from turn to turn."""


class Bench:
    """
    A bot on the bench.

    *command* is that of a process a turn; *kept_command* that of keep-running, if it is another one. For example,
    ``Bench(["python3", "bot.py"], None).scene(LEADS[0]).fault`` is None after a legal lead.
    """

    def __init__(
        self,
        command: Sequence[str],
        kept_command: Sequence[str] | None = None,
        games: Sequence[str] = GAMES,
        terms: Terms | None = None,
        rounds: int = SEATS,
    ) -> None:
        self.command = command
        self.games = games
        self.terms = terms or Terms()
        self.rounds = rounds
        """Whole games of each kind; the bot changes its place from one to the next."""
        self.notes: list[TurnNote] = []
        """Every turn of a scene or game so far."""
        self.seen = {game: Reached() for game in games}
        """By game, what came up so far in all scenes and games."""
        self._reached: dict[tuple[str, bool], Reached] = {}
        self._kept_command = kept_command
        self._scenes: dict[tuple[str, str, int], PlayedScene] = {}

    @cached_property
    def turn_end(self) -> TurnEnd:
        """How a turn of the command ends, as the judge has found in the first one."""
        self.opening()
        return turn_end_of(self.command, self.terms.folder)

    @property
    def asks_to_keep_running(self) -> bool:
        """Whether the command prints the marker line after its first answer."""
        return self.turn_end is TurnEnd.STAYS

    @property
    def keep_command(self) -> Sequence[str] | None:
        """The command that keeps running; None for a bot that does not."""
        return self._kept_command or (self.command if self.asks_to_keep_running else None)

    def line(self, **more: Any) -> bytes:
        """Gets the first line to player 0, with *more* keys in its envelope than the two that are always there."""
        envelope = {"requests": [opening_request(self.games[0])], "responses": [], **more}
        return as_line(envelope)

    def raw(self, line: bytes) -> RawTurn:
        """Hands *line* to a fresh process, in a turn that ends as others do."""
        return raw_turn(self.command, line, self.terms, self.turn_end)

    def last_line(self, line: bytes) -> RawTurn:
        """Hands *line* to a fresh process, and ends its input after it."""
        return raw_turn(self.command, line, self.terms)

    def opening(self) -> PlayedScene:
        """Plays the first turn of the first game."""
        return self.scene(next(scene for scene in LEADS if scene.game == self.games[0])._replace(answers=1))

    def scene(self, scene: Scene) -> PlayedScene:
        """Plays a scene, once: later calls get the same answers."""
        key = scene.game, scene.name, scene.answers
        if key not in self._scenes:
            bots: list[Bot] = [Scripted(script) for script in scene.scripts]
            label = Message("{game}, {scene}", game=scene.game, scene=scene.name)
            own_script = scene.scripts[scene.player]
            table = _Table(label, scene.game, scene.initdata, bots, scene.player, _never, scene.answers, own_script)
            self._scenes[key] = self._play(table, self.command)
        return self._scenes[key]

    def played_on(self, scene: Scene) -> PlayedScene:
        """Starts a process that is kept in a scene, and plays on to the end of the game with quiet companions."""
        bots: list[Bot] = [quiet(script) for script in scene.scripts]
        label = Message("{game}, kept {scene}", game=scene.game, scene=scene.name)
        own_script = scene.scripts[scene.player]
        return self._whole(
            _Table(label, scene.game, scene.initdata, bots, scene.player, _never, None, own_script), kept=True
        )

    def fallbacks(self) -> dict[str, int]:
        """Counts the turns in which another player chose than the bot's own, by that player; our own bot says it."""
        debugs = [note.answer.debug for note in self.notes]
        ours = [debug for debug in debugs if isinstance(debug, dict) and OUR_MARK in debug]
        return dict(sorted(Counter(filter(None, map(fallback_in, ours))).items()))

    def unseen(self) -> str:
        """Names what never came up, by game; empty if nothing is missing."""
        missing = {game: reached.missing() for game, reached in self.seen.items()}
        return joined(
            Message("{game} ({unseen})", game=game, unseen=clauses(parts)) for game, parts in missing.items() if parts
        )

    def reached(self, game: str, kept: bool) -> Reached:
        """Gets what came up so far in whole games, in processes that are kept or not."""
        return self._reached.setdefault((game, kept), Reached())

    def game(self, game: str, number: int, kept: bool) -> PlayedScene:
        """Plays a whole game against built-in players, with a process for each of the bot's turns or for all."""
        template = "{game}, kept game {number}" if kept else "{game}, game {number}"
        label = Message(template, game=game, number=number + 1)
        return self._whole(_Table(label, game, "", _opponents(), number % SEATS, _never if kept else _always), kept)

    def arranged_game(self, game: str, number: int, kept: bool) -> PlayedScene:
        """Plays an arranged game; see :mod:`.arranged`."""
        title, initdata, player, bots = arrange(game, number, self.reached(game, kept).asked)
        label = Message("{game}, kept {scene}" if kept else "{game}, {scene}", game=game, scene=title)
        return self._whole(_Table(label, game, initdata, bots, player, _never if kept else _always), kept)

    def _whole(self, table: _Table, kept: bool) -> PlayedScene:
        reached = self.reached(table.game, kept)
        if kept:
            return self._play(table, self.keep_command or self.command, "keep_running", reached)
        return self._play(table, self.command, reached=reached)

    def restarted_game(self, game: str, number: int) -> PlayedScene:
        """Plays the beginning of a game in which the process is ended after two turns, and started again."""
        command = self.keep_command
        starts_anew = _always if command is None else _at_restart
        label = Message("{game}, restarted game {number}", game=game, number=number + 1)
        table = _Table(label, game, "", _opponents(), number % SEATS, starts_anew, RESTARTED_TURN + 1)
        return self._play(table, command or self.command)

    @cached_property
    def needs_data(self) -> bool:
        """Whether the bot keeps data from turn to turn, and fails in a game of its own without them."""
        return any(note.answer.data is not None for note in self.notes) and any(
            self._without_data(index).fault for index in range(SEATS)
        )

    def _without_data(self, number: int) -> PlayedScene:
        game = self.games[0]
        label = Message("{game}, game {number}", game=game, number=number + 1)
        table = _Table(label, game, "", _opponents(), number, _always, RESTARTED_TURN + 1, with_data=False)
        return self._play(table, self.command)

    def _play(
        self, table: _Table, command: Sequence[str], mode: Mode = "auto", reached: Reached | None = None
    ) -> PlayedScene:
        """Plays it, by default in the mode of a match."""
        how = table.starts_anew, table.said, table.with_data
        with closing(Watched(command, mode, self.terms, self.notes, table.place, *how)) as bot:
            table.bots[table.player], bot.game, bot.player = bot, table.game, table.player
            match = bot.match = JudgeGame(
                make_referee(table.game, table.initdata, f"compliance/{table.place}"), table.bots
            )
            answers = match.answers[table.player]
            before = match.referee.game
            for turn in match.turns():
                faults = [fault for fault in match.faults if fault.player == table.player]
                if faults:
                    return PlayedScene(table.place, answers, faults[0], self.notes[-1].turn, len(table.said))
                if turn.asked == table.player and len(answers) > len(table.said):
                    for coverage in (self.seen[table.game], *([reached] if reached else [])):
                        coverage.note(before, turn)
                if len(answers) == table.answers:
                    break
                before = turn.game
        return PlayedScene(table.place, answers, None, self.notes[-1].turn if answers else None, len(table.said))


def _always(turn: int) -> bool:
    return True


def _never(turn: int) -> bool:
    return False


def _at_restart(turn: int) -> bool:
    return turn == RESTARTED_TURN


def _opponents() -> list[Bot]:
    return [EngineBot(OPPONENT, Engine(OPPONENT), Limit()) for _ in range(SEATS)]
