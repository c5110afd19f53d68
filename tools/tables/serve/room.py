"""
One table of the server: who sits where, one game after another, and the bots that play in between.

Everything here runs in the event loop and returns at once, except that a bot's move and a hint are thought out
elsewhere. While a bot thinks its thread has the :class:`tools.tables.table.table.Table` to itself: what connections are
shown meanwhile is what was published before.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from ddzbot.cards import CardsError, parse_hand
from ddzbot.game import SEATS
from ddzbot.players.base import Player

from ...records.record import GameRecord
from ...shared.seeds import player_seed
from ...shared.work.answering import NoAnswerError
from ..table.bots import deal_name
from ..table.table import Table, TableError
from ..table.thinking import RemotePlayer
from .diary import Diary
from .finished import FinishedGames
from .plan import House, Pace, TableSetup, game_seed
from .questions import HintQuestion
from .reviews import Reviews
from .saved import Saved, begun_line, finished_line, first_line, over_line
from .seats import Audience, Chair, Seats, Viewer
from .sentences import RefusedError, refused
from .shown import GameState, may_take_back, shown_game
from .store import Line, Store

Message = dict[str, Any]


class Room:
    """A table with three chairs; *root* is what the deals are made from, and nobody's business."""

    BOARD = False
    """Whether it is a board, which its file has to say."""

    def __init__(
        self, plan: TableSetup, house: House, root: str, store: Store | None = None, saved: Saved | None = None
    ) -> None:
        """
        Begins the first game, or with *saved* goes on where the file ended.

        :raises TableError: if *saved* has a move or bid that the rules refuse.
        :raises tools.records.record.RecordError: if it has cards that no deal has.
        """
        self.name, self.number, self.rules = plan.name, plan.number, plan.rules
        chairs = [Chair(who) for who in plan.who] if saved is None else saved.chairs
        self.seats = Seats(chairs, self._chair_changed)
        self.viewers = Audience()
        self.finished = FinishedGames()
        self.reviews = Reviews(house.desk, self._tell)
        self._noted = 0.0 if saved is None else saved.unused
        self.last_used = _now() - self._noted
        self.closed = False
        self._house, self._root = house, root
        self._pace = Pace(house.pace, house.limit)
        self._diary = Diary(store, plan.name, self._lines)
        self._thinking: asyncio.Task[None] | None = None
        self._hurried = asyncio.Event()
        self._hinting: set[int] = set()
        self._game = 0
        if saved is None:
            self._begin()
        else:
            self._resume(saved)

    # Who is here.

    @property
    def chairs(self) -> list[Chair]:
        """The three chairs, in the order in which the first game is played."""
        return self.seats.chairs

    def join(self, viewer: Viewer, token: str, watch: bool) -> str:
        """
        Lets somebody in on the chair of *token*, or without one on a free chair, or to watch.

        Returns the token that the chair has from now on, empty for who watches.

        :raises RefusedError: for a wrong token, and when too many watch.
        """
        self._check_open()
        if token:
            viewer.chair, token = self.seats.sit(token)
        elif not watch and (seat := self.seats.sit_anywhere()) is not None:
            viewer.chair, token = seat
        self.viewers.add(viewer)
        return token

    def show(self) -> None:
        """Shows the table to everybody, after somebody has joined."""
        self.last_used = _now()
        self._tell_all()
        self._let_bots_play()

    def leave(self, viewer: Viewer) -> None:
        """Notes that somebody has gone, who need not have joined."""
        if viewer in self.viewers:
            self.viewers.discard(viewer)
            # A connection that the server ends is no use of the table.
            if not self.closed:
                self.last_used = _now()
            self._tell_all()

    @property
    def empty(self) -> bool:
        """Tells whether nobody is here or has a seat to come back to."""
        return not self.viewers and not any(chair.taken for chair in self.chairs)

    @property
    def urgency(self) -> int:
        """Whose thoughts come first: 0 where a person plays, 1 where somebody watches, 2 where nobody is."""
        here = self.viewers.chairs
        return 2 if not here else int(here == {None})

    def close(self, en: str, zh: str) -> None:
        """Ends the table for everybody, with one sentence that says why; its file goes too."""
        self._stop()
        for viewer in self.viewers:
            viewer.send({"type": "closed", "sentence": {"en": en, "zh": zh}})
            viewer.close()
        self._diary.remove()

    def pause(self) -> None:
        """Ends with the server; where the table is kept, its pages only lose their connection, and wait."""
        if not self._diary.kept:
            self.close("the server has stopped", "服务器已停止")
            return
        self._stop()
        for viewer in self.viewers:
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
        except TableError as error:
            raise refused(error) from None
        except CardsError as error:
            raise RefusedError(str(error), str(error)) from None
        self._go_on()

    def take_back(self, chair: int | None, at: int, moves: int | None) -> None:
        """
        Takes back the last bid or move of a person who plays alone with bots, and all that followed.

        At a board so many *moves* stay.

        :raises RefusedError: if it is not that chair's turn, there is nothing to take back, or others would lose it.
        """
        acts = self._acts_before(chair, at, moves)
        try:
            self._table.take_back(-1 if acts is None else acts)
        except TableError:
            raise RefusedError("there is nothing that you could take back", "没有可以悔的牌") from None
        self._publish()
        self._diary.resumed(self._table)
        self._tell_all()

    def set_bots(self, chair: int | None, positions: Collection[int]) -> None:
        """
        Has bots play on at these *positions* of a board.

        :raises RefusedError: at a table, where everybody keeps a place.
        """
        raise RefusedError("only at a board bots and persons change places", "只有分析盘可以更换出牌者")

    async def hint(self, chair: int | None, at: int) -> Message:
        """
        Gets an analysis of what that chair may know; everything else goes on meanwhile.

        :raises RefusedError: if it is not that chair's turn, a hint is under way, or there is none to be had.
        """
        position = self._turn_of(chair, at)
        if position in self._hinting:
            raise RefusedError("a hint is on its way", "正在计算提示")
        question = HintQuestion(self._table.view(position), self._house.hint_limit)
        self._hinting.add(position)
        try:
            thinkers = self._house.thinkers
            found = await thinkers.turns.run(partial(thinkers.ask, question), self)
        except NoAnswerError as error:
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
        self._check_open()
        if chair is None and any(one.is_person for one in self.chairs):
            raise RefusedError("watchers cannot start a game", "旁观者不能开始新的一局")
        if game != self._game or not self._shown_over:
            raise RefusedError("the game is not over", "这一局还没有结束")
        self._begin()
        self._tell_all()
        self._let_bots_play()

    def review(self, chair: int | None, game: int) -> None:
        """
        Has the finished game of that number reviewed, beside everything else; :attr:`reviews` tells how far it is.

        :raises RefusedError: for a watcher where persons play, for a game that is not kept, and while a review runs.
        """
        self.last_used = _now()
        self._check_open()
        if chair is None and any(one.is_person for one in self.chairs):
            raise RefusedError("who watches cannot have a game reviewed", "旁观者不能要求复盘")
        record = self.finished.get(game)
        if record is None:
            raise RefusedError(
                f"there is no finished game {game} at this table any more", f"本桌没有已结束的第 {game} 局"
            )
        self.reviews.ask(game, record)

    # Behind the table.

    @property
    def _shown_over(self) -> bool:
        return bool(self._published[None]["phase"] == "over")

    def position_of(self, chair: int) -> int:
        """Gets where a chair sits in this game: in the next one it is one place earlier."""
        return (chair - (self._game - 1)) % SEATS

    def chair_at(self, position: int) -> int:
        """Gets the chair that sits at a position in this game."""
        return (position + self._game - 1) % SEATS

    def _begin(self) -> None:
        self._game += 1
        self._seed = game_seed(self._root, self._game)
        self._table = self._table_of(None)
        self._diary.begun(self._game, self._seed, self._table)
        self._publish()

    def _resume(self, saved: Saved) -> None:
        self._game, self._seed = saved.game, saved.seed
        self._table = self._table_of(saved.record)
        for number, record in saved.finished.items():
            self.finished.add(number, record)
        self._publish()
        if self._table.over:
            self._finish(counted=saved.over)

    def _table_of(self, record: GameRecord | None) -> Table:
        """Makes the table of a new game, or of one that *record* began."""
        if record is not None:
            return Table.resumed(record, self._seed, self._players())
        return Table(self.rules, self._seed, self._players(), [chair.who for chair in self._sitting()])

    def _acts_before(self, chair: int | None, at: int, moves: int | None) -> int | None:
        """Gets how many bids and moves stay when somebody takes back; None if nothing may be taken back."""
        position = self._turn_of(chair, at)
        return self._table.last_act(position) if may_take_back(self._table, position) else None

    def _sitting(self) -> list[Chair]:
        """Lists the chairs by position."""
        return [self.chairs[self.chair_at(position)] for position in range(SEATS)]

    def _players(self) -> list[Player | None]:
        name = deal_name(self._seed)
        return [
            None if chair.is_person else self._bot(chair.who, name, position)
            for position, chair in enumerate(self._sitting())
        ]

    def _bot(self, who: str, deal: str, position: int) -> Player:
        return RemotePlayer(who, player_seed(deal, 0, position), self._house.thinkers, self._pace.took)

    def _publish(self) -> None:
        """Notes what everybody may know from now on; no bot is thinking."""
        self._published: dict[int | None, GameState] = {
            position: shown_game(self._table, position) for position in (None, *range(SEATS))
        }

    def _finish(self, counted: bool = False) -> None:
        """Keeps the record of a game that is over, and counts its points unless they are."""
        self.finished.add(self._game, self._table.record())
        for number, chair in enumerate(self.chairs):
            if not counted:
                chair.points += self._published[None]["result"]["scores"][self.position_of(number)]

    def _happened(self) -> None:
        """Publishes and keeps what happened, and shows it."""
        self._publish()
        if self._table.over:
            self._finish()
        self._diary.happened(self._game, self._table, self.chairs)
        self._tell_all()

    def resumed(self) -> None:
        """Writes the file of a table that was read from it anew."""
        self._diary.resumed(self._table)

    def note_unused(self, step: float) -> None:
        """Has the file say for how long nobody used the table, where it is *step* seconds off: a restart counts on."""
        unused = _now() - self.last_used
        # While a bot thinks, the table is not to be read.
        if abs(unused - self._noted) >= step and self._thinking is None:
            self._noted = unused
            self._diary.unused()

    def _chair_changed(self, number: int) -> None:
        self._diary.chair(number, self.chairs[number])

    def _lines(self) -> list[Line]:
        """Makes everything that stands in the file."""
        record = self._table.record()
        return [
            first_line(self.name, self.number, self.rules, self.chairs, _now() - self.last_used, self.BOARD),
            *(finished_line(*game) for game in self.finished if game[0] != self._game),
            begun_line(self._game, self._seed, record),
            *([over_line(self._game, record, self.chairs)] if self._table.over else []),
        ]

    def _stop(self) -> None:
        self.closed = True
        self.reviews.stop()
        if self._thinking is not None:
            self._thinking.cancel()

    def _tell(self, message: Message) -> None:
        for viewer in self.viewers:
            viewer.send(message)

    def _tell_all(self) -> None:
        for viewer in self.viewers:
            viewer.send(self.state_for(viewer.chair))

    def state_for(self, chair: int | None) -> Message:
        """Makes the message that shows the table to a chair, or to a watcher."""
        here = self.viewers.chairs
        sitting = [self.chair_at(position) for position in range(SEATS)]
        return {
            "type": "state",
            "game": self._game,
            "waiting": self._waiting,
            "kept": self._diary.kept,
            "bots": None,
            "places": [
                {
                    "chair": number,
                    "who": self.chairs[number].who,
                    "here": number in here or not self.chairs[number].is_person,
                    "pages": self.viewers.at(number),
                    "free": number in self.seats.free,
                    "points": round(self.chairs[number].points, 4),
                }
                for number in sitting
            ],
            **self._published[None if chair is None else self.position_of(chair)],
        }

    @property
    def _waiting(self) -> bool:
        """Tells whether the first game waits for somebody."""
        return bool(self.seats.free)

    def _player(self, chair: int | None) -> int:
        """Gets the position of *chair*, unless it is that of somebody who watches."""
        self.last_used = _now()
        self._check_open()
        if chair is None:
            raise RefusedError("watchers cannot play", "旁观者不能出牌")
        return self.position_of(chair)

    def _turn_of(self, chair: int | None, at: int) -> int:
        """Gets the position of *chair* if it may act; *at* is that of the state that its person has seen."""
        position, shown = self._player(chair), self._published[None]
        if shown["phase"] == "over":
            raise RefusedError("the game is over", "这一局已经结束")
        if self._waiting:
            raise RefusedError("not everybody is here yet", "还有人没有入座")
        if self._thinking is not None or shown["to_move"] != position:
            raise RefusedError("it is not your turn", "还没轮到你")
        if at != shown["at"]:
            raise RefusedError("the table has moved on: look again", "牌局已经变化，请再看一下")
        return position

    def _check_open(self) -> None:
        if self.closed:
            raise RefusedError("the table has ended", "牌桌已结束")

    def _go_on(self) -> None:
        """Shows what a person did, and lets the bots answer."""
        self._happened()
        self._let_bots_play()

    def _bot_is_to_move(self) -> bool:
        position = self._table.position_to_move
        return position is not None and not self._table.is_person(position)

    def _let_bots_play(self) -> None:
        if self._thinking is None and self._bot_is_to_move() and not self._waiting and self.viewers:
            self._thinking = asyncio.create_task(self._bots_play())

    async def _bots_play(self) -> None:
        try:
            act = partial(self._act, asyncio.get_running_loop().time)
            while self._bot_is_to_move() and self.viewers:
                began = await self._house.thinkers.turns.run(act, self)
                if began is None:
                    continue
                await self._wait_until(began + self._pace.seconds)
                if not self._bot_is_to_move():
                    self._thinking = None  # whoever is told now may answer at once
                self._happened()
            self._thinking = None
        except Exception:  # the other tables are to go on
            logging.exception("table %s cannot go on", self.name)
            self._thinking = None
            self.close("the server failed at this table: please make another one", "这张牌桌出了故障，请另开一桌")

    def hurry(self) -> None:
        """Has a bot's move that lies ready be shown now."""
        self._hurried.set()

    async def _wait_until(self, moment: float) -> None:
        self._hurried.clear()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._hurried.wait(), max(0.0, moment - _now()))

    def _act(self, clock: Callable[[], float]) -> float | None:
        """
        Lets one bot act, in a thread, and gets when it began to; before that all bots wait alike for their turn.

        None if everybody has left meanwhile: then it does nothing, and the next table has its turn at once.
        """
        began = clock()
        if not self.viewers:
            return None
        self._table.advance_one(self._house.limit)
        return began


def _now() -> float:
    return asyncio.get_running_loop().time()
