"""A board: a table that begins anywhere in a game, all hands open, where one person acts for all seats."""

from collections.abc import Collection
from typing import Any

from ddzbot.cards import size
from ddzbot.game import SEATS
from ddzbot.players.base import Player

from ...records.jsonl import record_of_json
from ...records.notation import NotationError, parse_position, parse_view
from ...records.record import GameRecord, RecordError, record_of
from ..table.bots import deal_name
from ..table.table import Table
from .plan import ServerConfig, TableSetup
from .published import Published, published_board
from .room import Message, Room
from .saved_table import Keeper, SavedTable
from .sentences import RefusedError, in_chinese

EXAMPLE = "botzone TJJQQKKAAB/33477TAL/666K22 68T -@0 55:0 1 33,88,6999,55/55,22,89TJQ/77,TJQKA,4448"
"""A position that a board may begin at."""


def start_of(text: Any) -> GameRecord:
    """
    Reads where a board begins: a position in one line, or the object of a record, at its end.

    :raises RefusedError: for anything else, and where not all cards are known.
    """
    try:
        record = record_of(parse_position(text)) if isinstance(text, str) else record_of_json(text)
        cards = sum(size(cards or 0) for cards in (*record.hands, record.bottom))
        if cards != size(record.rules.deck) or record.landlord_position is None:
            raise RecordError("a board needs all cards, and a landlord")
        Table.resumed(record, 0, [None] * SEATS, board=True)
    except ValueError as error:
        if isinstance(text, str) and _is_view(text):
            raise RefusedError(
                "this line is a view, what one seat knows: a board needs the hands of all three; analyse it instead",
                "这一行是单家所见的局面：分析牌桌需要三家手牌；请改用分析功能",
            ) from None
        raise RefusedError(str(error), f"无法摆出这个局面：{in_chinese(error)}") from None
    return record


def _is_view(text: str) -> bool:
    try:
        parse_view(text)
    except NotationError:
        return False
    return True


class Board(Room):
    """A room with one person, who plays every seat, goes back to any move, and lets bots play on."""

    BOARD = True

    def __init__(
        self,
        plan: TableSetup,
        config: ServerConfig,
        root: str,
        keeper: Keeper | None = None,
        kept: SavedTable | None = None,
    ) -> None:
        """Begins at the start of *plan*, or resumes as a :class:`Room` does."""
        self._start = plan.start
        self._by_bots: set[int] = set()
        super().__init__(plan, config, root, keeper, kept)

    def position_of(self, chair: int) -> int:
        """Gets the position to move: the person acts for all."""
        position = self._published.to_move
        return chair if position is None else position

    def set_bots(self, chair: int | None, positions: Collection[int]) -> None:
        """
        Has bots play on at these *positions*; a thought that is under way continues to its move.

        :raises RefusedError: for a watcher.
        """
        self._player(chair)
        self._by_bots = set(positions)
        self._tell_all()
        self.autoplay.start()

    def take_back(self, chair: int | None, at: int, moves: int | None) -> None:
        """Takes back as a :class:`Room` does; where a bot would be to move, the person is now."""
        super().take_back(chair, at, moves)
        if self.bot_is_to_move():
            self._by_bots.clear()
            self._tell_all()

    def again(self, chair: int | None, game: int) -> None:
        """
        Begins nothing.

        :raises RefusedError: always.
        """
        raise RefusedError("a board has one game", "分析牌桌只有一局")

    def state_for(self, chair: int | None) -> Message:
        """Makes the message that shows the board."""
        watching = {"you": None} if chair is None else {}
        return {**super().state_for(chair), **watching, "bots": sorted(self._by_bots)}

    def _table_of(self, record: GameRecord | None) -> Table:
        start = record or self._start
        assert start is not None
        return Table.resumed(start, self._seed, self._players(), board=True)

    def _players(self) -> list[Player | None]:
        bot = next(chair.who for chair in self.chairs if not chair.is_person)
        return [self._bot(bot, deal_name(self._seed), position) for position in range(SEATS)]

    def _acts_before(self, chair: int | None, at: int, moves: int | None) -> int | None:
        self._player(chair)
        if self.autoplay.thinking:
            raise RefusedError("a bot is thinking", "机器人正在思考")
        if at != self._published.at:
            raise RefusedError("the table has moved on: look again", "局面已经变化，请再看一下")
        bids, made = len(self._table.record().bids), self._published.plays
        if moves is not None:
            return bids + moves
        own = [self._table.last_act(position) for position in range(SEATS) if position not in self._by_bots]
        return max([act for act in own if act is not None and act >= bids], default=bids + made - 1)

    def bot_is_to_move(self) -> bool:
        """Tests whether a bot plays on at the position that is to move."""
        return self._table.position_to_move in self._by_bots

    def _shown(self) -> Published:
        return published_board(self._table)

    def _finish(self) -> None:
        """Keeps nothing: the person goes back and tries something else."""
