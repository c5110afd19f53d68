"""
One table of the server: who sits where, one game after another, and the bots that play in between.

Everything here runs in the event loop and returns at once, except that a bot's move and a hint are thought out
elsewhere. While a bot thinks its thread has the :class:`tools.table.table.Table` to itself: what connections are
shown meanwhile is what was published before.
"""

import asyncio
import logging
import secrets
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from ddzbot.cards import CardsError, parse_hand
from ddzbot.game import SEATS
from ddzbot.players.base import Player
from ddzbot.rules import RuleSet
from ddzbot.search.limit import Limit
from tools.arena.seeds import player_seed
from tools.serve.finished import FinishedGames
from tools.serve.questions import Question
from tools.serve.sentences import RefusedError, about_cards
from tools.serve.shown import GameState, shown_game
from tools.serve.thinking import RemotePlayer, Thinkers, ThinkingError, in_thread
from tools.table.bots import deal_name
from tools.table.table import PERSON, Table, TableError

__all__ = ["Chair", "House", "Room", "Viewer"]

Message = dict[str, Any]


class House(NamedTuple):
    """What is the same at every table."""

    thinkers: Thinkers
    limit: Limit
    """Of one decision of a bot."""
    hint_limit: Limit
    pace: float
    """Seconds that lie at least between two moves of bots, so that people can follow."""


class Viewer(Protocol):
    """A connection, as far as a room knows it."""

    chair: int | None
    """The chair that it plays for, None for a watcher."""

    def send(self, message: Message) -> None:
        """Sends a message some time soon; never waits."""

    def close(self) -> None:
        """Ends the connection after what was sent."""


@dataclass
class Chair:
    """A place in the room. Its player keeps it from game to game, and sits at another position in each."""

    who: str
    """:data:`tools.table.table.PERSON`, or the name of a bot."""
    token: str = ""
    """What the person shows to sit here."""
    taken: bool = False
    """Somebody has sat down; a free chair goes to whoever comes first."""
    points: float = 0.0
    """From all finished games."""

    @property
    def is_person(self) -> bool:
        """Tells a person from a bot."""
        return self.who == PERSON


class Room:
    """A table with three chairs; *root* is what the deals are made from, and nobody's business."""

    def __init__(self, name: str, rules: RuleSet, who: tuple[str, str, str], house: House, root: str) -> None:
        self.name, self.rules = name, rules
        self.chairs = [Chair(one, _new_token() if one == PERSON else "") for one in who]
        self.viewers: set[Viewer] = set()
        self.finished = FinishedGames()
        self.last_used = _now()
        self.closed = False
        self._house, self._root = house, root
        self._thinking: asyncio.Task[None] | None = None
        self._hinting: set[int] = set()
        self._number = 0
        self._begin()

    # Who is here.

    def sit(self, token: str) -> int:
        """
        Takes the chair of *token*, which may be taken already: a person may come back.

        :raises RefusedError: if it is the token of no chair.
        """
        for number, chair in enumerate(self.chairs):
            if chair.is_person and secrets.compare_digest(chair.token, token):
                chair.taken = True
                return number
        raise RefusedError(
            "this link belongs to no seat of the table, or somebody else has taken the seat",
            "这个链接不属于这张牌桌的任何座位，或者座位已被别人占用",
        )

    def sit_anywhere(self) -> int | None:
        """Takes the first free chair, with a new token so that the old link ends; None if there is none."""
        for number in self.free_chairs:
            self.chairs[number].token = _new_token()
            self.chairs[number].taken = True
            return number
        return None

    @property
    def free_chairs(self) -> list[int]:
        """The chairs of persons who have not come yet."""
        return [number for number, chair in enumerate(self.chairs) if chair.is_person and not chair.taken]

    def enter(self, viewer: Viewer) -> None:
        """Lets somebody in, who is shown the table from now on."""
        self.viewers.add(viewer)
        self.last_used = _now()
        self._tell_all()
        self._let_bots_play()

    def leave(self, viewer: Viewer) -> None:
        """Notes that somebody has gone."""
        self.viewers.discard(viewer)
        self._tell_all()

    def close(self, en: str, zh: str) -> None:
        """Ends the table for everybody, with one sentence that says why."""
        self.closed = True
        if self._thinking is not None:
            self._thinking.cancel()
        for viewer in list(self.viewers):
            viewer.send({"type": "closed", "sentence": {"en": en, "zh": zh}})
            viewer.close()

    # What a person does.

    def bid(self, chair: int | None, at: int, bid: int) -> None:
        """
        Bids.

        :raises RefusedError: if it is not that chair's turn, or the bid is not allowed.
        """
        position = self._turn_of(chair, at)
        if not self._table.in_auction:
            raise RefusedError("there is no auction now: play cards", "现在不是叫分阶段，请出牌")
        try:
            self._table.bid(position, bid)
        except TableError as error:
            raise RefusedError(str(error), f"不能叫 {bid} 分") from None
        self._go_on()

    def play(self, chair: int | None, at: int, cards: str) -> None:
        """
        Plays *cards*, the text form of a hand; none are the pass.

        :raises RefusedError: if it is not that chair's turn, or the rules refuse the move.
        """
        position = self._turn_of(chair, at)
        if self._table.in_auction:
            raise RefusedError("the auction is not over: bid first", "叫分还没有结束，请先叫分")
        try:
            self._table.play(position, parse_hand(cards))
        except (CardsError, TableError) as error:
            raise about_cards(str(error)) from None
        self._go_on()

    async def hint(self, chair: int | None, at: int) -> Message:
        """
        Gets an analysis of what that chair may know; everything else goes on meanwhile.

        :raises RefusedError: if it is not that chair's turn, a hint is under way, or there is none to be had.
        """
        position = self._turn_of(chair, at)
        if position in self._hinting:
            raise RefusedError("a hint is on its way", "正在计算提示")
        # Its chance comes from nothing that could tell about the deal.
        question = Question("", 0, self._table.view(position), self._house.hint_limit)
        self._hinting.add(position)
        try:
            found = await in_thread(partial(self._house.thinkers.ask, question))
        except ThinkingError as error:
            raise RefusedError(f"there is no hint: {error}", "无法给出提示") from None
        finally:
            self._hinting.discard(position)
        return {"type": "hint", "at": at, "analysis": found}

    def again(self, chair: int | None, game: int) -> None:
        """
        Starts the next game after number *game*; everybody moves on by one position.

        :raises RefusedError: for a watcher where persons play, and while the game runs.
        """
        self.last_used = _now()
        if chair is None and any(one.is_person for one in self.chairs):
            raise RefusedError("who watches cannot start a game", "旁观者不能开始新的一局")
        if game != self._number or not self._shown_over:
            raise RefusedError("the game is not over", "这一局还没有结束")
        self._begin()
        self._tell_all()
        self._let_bots_play()

    # Behind the table.

    @property
    def _shown_over(self) -> bool:
        return bool(self._published[None]["phase"] == "over")

    def position_of(self, chair: int) -> int:
        """Gets where a chair sits in this game: in the next one it is one place earlier."""
        return (chair - (self._number - 1)) % SEATS

    def chair_at(self, position: int) -> int:
        """Gets the chair that sits at a position in this game."""
        return (position + self._number - 1) % SEATS

    def _begin(self) -> None:
        self._number += 1
        seed = _game_seed(self._root, self._number)
        thinkers = self._house.thinkers
        sitting = [self.chairs[self.chair_at(position)] for position in range(SEATS)]
        players: list[Player | None] = [
            None if chair.is_person else RemotePlayer(chair.who, player_seed(deal_name(seed), 0, position), thinkers)
            for position, chair in enumerate(sitting)
        ]
        self._table = Table(self.rules, seed, players, [chair.who for chair in sitting])
        self._publish()

    def _publish(self) -> None:
        """Notes what everybody may know from now on; no bot is thinking."""
        table = self._table
        self._published: dict[int | None, GameState] = {
            position: shown_game(table, position) for position in (None, *range(SEATS))
        }
        if table.over:
            self.finished.add(self._number, table.record())
            for chair_number, chair in enumerate(self.chairs):
                chair.points += self._published[None]["result"]["scores"][self.position_of(chair_number)]

    def _tell_all(self) -> None:
        for viewer in self.viewers:
            viewer.send(self.state_for(viewer.chair))

    def state_for(self, chair: int | None) -> Message:
        """Makes the message that shows the table to a chair, or to a watcher."""
        here = {viewer.chair for viewer in self.viewers}
        sitting = [self.chair_at(position) for position in range(SEATS)]
        return {
            "type": "state",
            "game": self._number,
            "waiting": self._waiting,
            "places": [
                {
                    "chair": number,
                    "who": self.chairs[number].who,
                    "here": number in here or not self.chairs[number].is_person,
                    "free": number in self.free_chairs,
                    "points": round(self.chairs[number].points, 4),
                }
                for number in sitting
            ],
            **self._published[None if chair is None else self.position_of(chair)],
        }

    @property
    def _waiting(self) -> bool:
        """Tells whether the first game waits for somebody."""
        return bool(self.free_chairs)

    def _turn_of(self, chair: int | None, at: int) -> int:
        """Gets the position of *chair* if it may act; *at* is the number of events that its person has seen."""
        self.last_used = _now()
        if chair is None:
            raise RefusedError("who watches cannot play", "旁观者不能出牌")
        position, shown = self.position_of(chair), self._published[None]
        if shown["phase"] == "over":
            raise RefusedError("the game is over", "这一局已经结束")
        if self._waiting:
            raise RefusedError("not everybody is here yet", "还有人没有入座")
        if self._thinking is not None or shown["to_move"] != position:
            raise RefusedError("it is not your turn", "还没轮到你")
        if at != shown["at"]:
            raise RefusedError("the table has gone on since: look again", "牌局已经变化，请再看一下")
        return position

    def _go_on(self) -> None:
        """Shows what a person did, and lets the bots answer."""
        self._publish()
        self._tell_all()
        self._let_bots_play()

    def _bot_is_to_move(self) -> bool:
        position = self._table.position_to_move
        return position is not None and not self._table.is_person(position)

    def _let_bots_play(self) -> None:
        if self._bot_is_to_move() and self._thinking is None and not self._waiting and self.viewers:
            self._thinking = asyncio.create_task(self._bots_play())

    async def _bots_play(self) -> None:
        try:
            while self._bot_is_to_move():
                began = _now()
                await in_thread(partial(self._table.advance_one, self._house.limit))
                await asyncio.sleep(max(0.0, began + self._house.pace - _now()))
                if not self._bot_is_to_move():
                    self._thinking = None  # whoever is told now may answer at once
                self._publish()
                self._tell_all()
        except Exception:  # the other tables are to go on
            logging.exception("table %s cannot go on", self.name)
            self._thinking = None
            self.close("the server failed at this table: please make another one", "这张牌桌出了故障，请另开一桌")


def _new_token() -> str:
    return secrets.token_urlsafe(18)


def _game_seed(root: str, number: int) -> int:
    """Draws the seed of a game: from one game's record nobody can compute the next."""
    return int.from_bytes(sha256(f"{root}/{number}".encode()).digest()[:8], "big") >> 1


def _now() -> float:
    return asyncio.get_running_loop().time()
