"""
One table of the server: its seats, one game after another, and the bots that play in between.

Everything here runs in the event loop and returns at once, except that a bot's move and a hint are thought out
elsewhere. While a bot thinks its thread has the :class:`tools.tables.table.table.Table` to itself: what connections are
shown meanwhile is what was published before.
"""

import asyncio
from collections.abc import Collection
from functools import partial
from typing import Any

from ddzbot.cards import CardsError, parse_hand
from ddzbot.game import SEATS
from ddzbot.players.base import Player

from ...records.jsonl import record_json
from ...records.record import GameRecord
from ...shared.seeds import player_seed
from ...shared.work.answering import NoAnswerError
from ..table.bots import deal_name
from ..table.table import Table, TableError
from ..table.thinking import RemotePlayer
from .autoplay import Autoplay
from .finished import FinishedGames
from .plan import ServerConfig, TableSetup, game_seed
from .published import Published, may_take_back, published
from .questions import HintQuestion
from .reviews import Reviews
from .saved_table import Keeper, SavedGame, SavedTable
from .seats import Audience, Chair, Seats, Viewer
from .sentences import RefusedError, refused

Message = dict[str, Any]


class Room:
    """A table with three chairs; *root* is what the deals are made from, and secret."""

    BOARD = False
    """Whether it is a board."""

    def __init__(
        self,
        plan: TableSetup,
        config: ServerConfig,
        root: str,
        keeper: Keeper | None = None,
        kept: SavedTable | None = None,
    ) -> None:
        """
        Begins the first game, or resumes the table that was *kept*, from its last game, at which *plan* starts.

        :raises TableError: if that game has a move or bid that the rules refuse.
        :raises tools.records.record.RecordError: if it has cards that no deal has.
        """
        self.name, self.number, self.rules = plan.name, plan.number, plan.rules
        self.seats = Seats([Chair(name) for name in plan.who] if kept is None else kept.chairs, self._keep)
        self.viewers = Audience()
        self.finished = FinishedGames([] if kept is None else kept.games[:-1])
        self.reviews = Reviews(config.review_queue, self._tell)
        self.autoplay = Autoplay(self, config)
        self.last_used = _now() - (0.0 if kept is None else kept.unused)
        self.closed = False
        self._config, self._root, self._keeper = config, root, keeper
        self._hinting: set[int] = set()
        if kept is None:
            self._game = 0
            self._begin()
        else:
            self._game, self._seed = kept.games[-1].number, kept.seed
            self._table = self._table_of(plan.start)
            self._publish()
            if self._published.over and not self.BOARD:
                self.finished.add(self._last)

    # Chairs and viewers.

    @property
    def chairs(self) -> list[Chair]:
        """The three chairs, in the order in which the first game is played."""
        return self.seats.chairs

    def join(self, viewer: Viewer, token: str, watch: bool) -> str:
        """
        Lets a viewer in on the chair of *token*, or without one on a free chair, or to watch.

        Returns the token that the chair has from now on, empty for a watcher.

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
        """Shows the table to all viewers, after one has joined."""
        self.last_used = _now()
        self._keep()
        self._tell_all()
        self.autoplay.start()

    def leave(self, viewer: Viewer) -> None:
        """Notes that a viewer has gone, which need not have joined."""
        if viewer in self.viewers:
            self.viewers.discard(viewer)
            # A connection that the server ends is no use of the table.
            if not self.closed:
                self.last_used = _now()
            self._tell_all()

    @property
    def watched(self) -> bool:
        """Tests whether a connection is at the table."""
        return bool(self.viewers)

    @property
    def empty(self) -> bool:
        """Tests whether there is no viewer, and no person with a seat to come back to."""
        return not self.viewers and not any(chair.taken for chair in self.chairs)

    @property
    def urgency(self) -> int:
        """The rank of its bots' thoughts: 0 (first) if a person plays, 1 with watchers alone, 2 without viewers."""
        here = self.viewers.chairs
        return 2 if not here else int(here == {None})

    def close(self, en: str, zh: str) -> None:
        """Ends the table for all viewers, with a message that names the reason; its file goes too."""
        self._stop()
        for viewer in self.viewers:
            viewer.send({"type": "closed", "sentence": {"en": en, "zh": zh}})
            viewer.close()
        if self._keeper is not None:
            self._keeper.remove(self.name)

    def pause(self) -> None:
        """Ends with the server; where the table is kept, its pages only lose their connection, and wait."""
        if not self._is_kept:
            self.close("the server has stopped", "服务器已停止")
            return
        self._keep()
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
        self._publish_act()

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
        self._publish_act()

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
            raise RefusedError("there is no move to take back", "没有可以悔的牌") from None
        self._publish()
        self._keep()
        self._tell_all()

    def set_bots(self, chair: int | None, positions: Collection[int]) -> None:
        """
        Has bots play on at these *positions* of a board.

        :raises RefusedError: at a table, where all players keep their places.
        """
        raise RefusedError("only at a board bots and persons change places", "只有分析牌桌可以更换出牌者")

    async def hint(self, chair: int | None, at: int) -> Message:
        """
        Gets an analysis of what that chair may know; everything else continues meanwhile.

        :raises RefusedError: if it is not that chair's turn, a hint is under way, or there is none to be had.
        """
        position = self._turn_of(chair, at)
        if position in self._hinting:
            raise RefusedError("a hint is on its way", "正在计算提示")
        question = HintQuestion(self._table.view(position), self._config.hint_limit)
        self._hinting.add(position)
        try:
            thinkers = self._config.thinkers
            analysis = await thinkers.turns.run(partial(thinkers.ask, question), self)
        except NoAnswerError as error:
            raise RefusedError(f"there is no hint: {error}", "无法给出提示") from None
        finally:
            self._hinting.discard(position)
        return {"type": "hint", "at": at, "analysis": analysis}

    def again(self, chair: int | None, game: int) -> None:
        """
        Starts the next game after number *game*; all players move on by one position.

        :raises RefusedError: for a watcher where persons play, and while the game runs.
        """
        self.last_used = _now()
        self._check_open()
        if chair is None and any(sitter.is_person for sitter in self.chairs):
            raise RefusedError("watchers cannot start a game", "旁观者不能开始新的一局")
        if game != self._game or not self._published.over:
            raise RefusedError("the game is not over", "这一局还没有结束")
        self._begin()
        self._tell_all()
        self.autoplay.start()

    def review(self, chair: int | None, game: int) -> None:
        """
        Has the finished game of that number reviewed, beside everything else; :attr:`reviews` shows how far it is.

        :raises RefusedError: for a watcher where persons play, for a game that is not kept, and while a review runs.
        """
        self.last_used = _now()
        self._check_open()
        if chair is None and any(sitter.is_person for sitter in self.chairs):
            raise RefusedError("watchers cannot have a game reviewed", "旁观者不能要求复盘")
        record = self.finished.get(game)
        if record is None:
            raise RefusedError(
                f"there is no finished game {game} at this table any more", f"本桌没有已结束的第 {game} 局"
            )
        self.reviews.ask(game, record)

    # Behind the table.

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
        self._publish()
        self._keep()

    def _table_of(self, record: GameRecord | None) -> Table:
        """Makes the table of a new game, or of one that *record* began."""
        if record is not None:
            return Table.resumed(record, self._seed, self._players())
        return Table(self.rules, self._seed, self._players(), [chair.who for chair in self._sitting()])

    def _acts_before(self, chair: int | None, at: int, moves: int | None) -> int | None:
        """Gets how many bids and moves stay when a person takes back; None if nothing may be taken back."""
        position = self._turn_of(chair, at)
        return self._table.last_act(position) if may_take_back(self._table, position) else None

    def _sitting(self) -> list[Chair]:
        """Lists the chairs by position."""
        return [self.chairs[self.chair_at(position)] for position in range(SEATS)]

    def _players(self) -> list[Player | None]:
        deal = deal_name(self._seed)
        return [
            None if chair.is_person else self._bot(chair.who, deal, position)
            for position, chair in enumerate(self._sitting())
        ]

    def _bot(self, name: str, deal: str, position: int) -> Player:
        return RemotePlayer(name, player_seed(deal, 0, position), self._config.thinkers, self.autoplay.pace.took)

    def _publish(self) -> None:
        """Notes what is public from now on, and what is kept of the game; no bot is thinking."""
        self._published = self._shown()
        self._last = SavedGame(self._game, record_json(self._table.record()))

    def _shown(self) -> Published:
        return published(self._table)

    def _finish(self) -> None:
        """Keeps the record of a game that is over, and counts its points."""
        self.finished.add(self._last)
        self._config.finished(self._last.record)
        for index, chair in enumerate(self.chairs):
            chair.points += self._published.scores[self.position_of(index)]

    def happened(self) -> None:
        """Publishes and keeps what happened, and shows it."""
        self._publish()
        if self._published.over:
            self._finish()
        self._keep()
        self._tell_all()

    def advance(self) -> None:
        """Lets one bot act; runs in a thread."""
        self._table.advance_one(self._config.limit)

    def _keep(self) -> None:
        if self._keeper is None:
            return
        first, second, third = self.chairs
        games = [*self.finished.before(self._game), self._last]
        unused = round(_now() - self.last_used, 1)
        saved = SavedTable(self.name, self.number, self.BOARD, (first, second, third), self._seed, games, unused)
        self._keeper.replace(self.name, saved)

    @property
    def _is_kept(self) -> bool | None:
        """Tests whether the table would outlive the server; None if no table of the server would."""
        return None if self._keeper is None else self._keeper.is_kept(self.name)

    def _stop(self) -> None:
        self.closed = True
        self.reviews.stop()
        self.autoplay.stop()

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
            "kept": self._is_kept,
            "bots": None,
            "places": [
                {
                    "chair": index,
                    "who": self.chairs[index].who,
                    "here": index in here or not self.chairs[index].is_person,
                    "pages": self.viewers.at(index),
                    "free": index in self.seats.free,
                    "points": round(self.chairs[index].points, 4),
                }
                for index in sitting
            ],
            **self._published.states[None if chair is None else self.position_of(chair)],
        }

    @property
    def _waiting(self) -> bool:
        """Tests whether the first game waits for a person."""
        return bool(self.seats.free)

    def _player(self, chair: int | None) -> int:
        """Gets the position of *chair*, unless it is that of a watcher."""
        self.last_used = _now()
        self._check_open()
        if chair is None:
            raise RefusedError("watchers cannot play", "旁观者不能出牌")
        return self.position_of(chair)

    def _turn_of(self, chair: int | None, at: int) -> int:
        """Gets the position of *chair* if it may act; *at* is that of the state that its person has seen."""
        position, state = self._player(chair), self._published
        if state.over:
            raise RefusedError("the game is over", "这一局已经结束")
        if self._waiting:
            raise RefusedError("a player is missing", "还有人没有入座")
        if self.autoplay.thinking or state.to_move != position:
            raise RefusedError("it is not your turn", "还没轮到你")
        if at != state.at:
            raise RefusedError("the table has moved on: look again", "局面已经变化，请再看一下")
        return position

    def _check_open(self) -> None:
        if self.closed:
            raise RefusedError("the table has ended", "牌桌已结束")

    def _publish_act(self) -> None:
        """Shows what a person did, and lets the bots answer."""
        self.happened()
        self.autoplay.start()

    def bot_is_to_move(self) -> bool:
        """Tests whether a bot is to bid or to move, and no person is missing."""
        position = self._table.position_to_move
        return position is not None and not self._table.is_person(position) and not self._waiting


def _now() -> float:
    return asyncio.get_running_loop().time()
