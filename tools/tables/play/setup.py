"""The seating of a game, made from options or found in a record, and the table for it."""

from dataclasses import dataclass

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import RuleSet

from ...records.record import GameRecord
from ...shared.message import Message
from ...shared.names import PERSON
from ...shared.paths import call_of
from ...shared.seeds import parse_deal_seed
from ..table.bots import NAMESPACE, bot
from ..table.levels import PROPOSED
from ..table.table import DEAL_TAG, Table

DEFAULT_BOT = PROPOSED.name
POSITIONS = ("0", "1", "2")
"""Places in an auction, as they are typed."""


@dataclass(frozen=True)
class Setup:
    """Everything that decides how a game begins."""

    rules: RuleSet
    seed: int
    position: int
    """Where the person sits."""
    bots: tuple[str, str]
    """The others, the lower position first."""

    @classmethod
    def of_record(cls, record: GameRecord) -> "Setup":
        """
        Finds the setup of a saved game.

        :raises ValueError: if no person is in it, or it does not name its deal.
        """
        persons = [position for position, player in enumerate(record.names) if player == PERSON]
        if len(persons) != 1:
            raise ValueError(
                Message(
                    "the players {names} are not two bots and one {person}",
                    names=", ".join(map(repr, record.names)),
                    person=repr(PERSON),
                )
            )
        deal = parse_deal_seed(record.tags.get(DEAL_TAG, ""))
        if deal.namespace != NAMESPACE:
            raise ValueError(Message("the deal {deal} is none that people play", deal=deal))
        one_bot, other_bot = (player for player in record.names if player != PERSON)
        return cls(record.rules, deal.root, persons[0], (one_bot, other_bot))

    @property
    def names(self) -> tuple[str, str, str]:
        """The players by position."""
        names = list(self.bots)
        names.insert(self.position, PERSON)
        return names[0], names[1], names[2]

    def table(self, record: GameRecord | None = None) -> Table:
        """
        Makes the table of a new game, or of the one that *record* began.

        :raises ValueError: for a bot that there is not, or a record that cannot be resumed.
        """
        players = [
            None if position == self.position else bot(player, self.seed, position)
            for position, player in enumerate(self.names)
        ]
        if record is not None:
            return Table.resumed(record, self.seed, players)
        return Table(self.rules, self.seed, players, self.names)

    @property
    def command(self) -> str:
        """The command line that starts this game again."""
        options = ["--rules", self.rules.name]
        options += ["--seat", (POSITIONS if self.rules.bidding else SEAT_NAMES)[self.position]]
        if self.bots != (DEFAULT_BOT, DEFAULT_BOT):
            for player in self.bots:
                options += ["--bot", player]
        return call_of("play", *options, "--seed", str(self.seed))


def position_for(rules: RuleSet, seat: str | None) -> int:
    """
    Decides where the person sits: on the *seat*, or at that place in the auction; at position 0 without one.

    :raises ValueError: for a seat where an auction gives them out, or a place where there is none.
    """
    names = POSITIONS if rules.bidding else SEAT_NAMES
    if seat is not None and seat not in names:
        why = Message("the auction gives out seats" if rules.bidding else "there is no auction")
        raise ValueError(
            Message(
                "seat {seat}: under rules {name} {why}; use --seat {names}",
                seat=seat,
                name=rules.name,
                why=why,
                names=", ".join(names),
            )
        )
    return 0 if seat is None else names.index(seat)


def is_unfinished(record: GameRecord) -> bool:
    """Tests for a game that a person may resume."""
    return record.result.winner is None and PERSON in record.names
