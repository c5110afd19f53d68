"""The records of many shards in memory, split by game into training and test."""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.net.rocket_features import StateArrays, planes
from ddzbot.net.rocket_kickers import KickerColumns, kicker_planes
from ddzbot.net.rocket_moves import FIRST_PAIR, KICKERS, OUTPUTS

from ..samples import Batch, Samples
from ..shards import Array, read_all
from .plan import FORMAT
from .shards import DECISION_COLUMNS, GAME_COLUMNS, KICKER, MASKS, QUESTION_COLUMNS

ALLOWED, CHOSEN = 1, 2
"""The values of a target for an output: 0 where it is illegal."""


class Choices(Samples):
    """
    What the teacher chose; ``label`` and ``game`` have a number for each sample.

    :raises ValueError: if there is no sample at all.
    """

    network: ClassVar[str]

    def __init__(self, label: Array, game: Array, is_test: Array, heads: Sequence[dict[str, Any]]) -> None:
        if not len(label):
            raise ValueError(f"there is no record for the {self.network} network")
        self.label, self.game = label, game
        self.content = game, label
        super().__init__(np.arange(len(label)), is_test, heads)

    @abstractmethod
    def allowed(self, numbers: Array) -> NDArray[np.uint8]:
        """Tells which outputs were legal: (n, outputs)."""

    @abstractmethod
    def planes(self, numbers: Array) -> Array:
        """Builds the cells of some samples."""

    def batch(self, numbers: Array) -> Batch:
        """Builds some samples; the target of an output is 0 where it is illegal, 2 where it was chosen, else 1."""
        targets = self.allowed(numbers) * np.uint8(ALLOWED)
        targets[np.arange(len(numbers)), self.label[numbers]] = CHOSEN
        return Batch(self.planes(numbers), targets)

    def what(self) -> str:
        """Says how many records there are."""
        return f"{len(self.label):,} records for the {self.network} network"


class Decisions(Choices):
    """The samples of the policy network."""

    network = "policy"

    def __init__(self, columns: StateArrays, label: Array, game: Array, is_test: Array, heads: Sequence[Any]) -> None:
        super().__init__(label, game, is_test, heads)
        self.columns = columns

    def _some(self, numbers: Array) -> StateArrays:
        some = StateArrays(*(column[numbers] for column in self.columns))
        return some._replace(**{mask: _unpacked(getattr(some, mask)) for mask in MASKS})

    def allowed(self, numbers: Array) -> NDArray[np.uint8]:
        """Gets the legal main moves of the decisions *numbers*: (n, 309) of 0 and 1, uint8."""
        return _unpacked(self.columns.legal[numbers])

    def planes(self, numbers: Array) -> Array:
        """Builds the network's input for the decisions *numbers*: (n, 21, 19, 15), uint8."""
        cells: Array = planes(self._some(numbers))
        return cells


class Questions(Choices):
    """The samples of the kicker network."""

    network = "kicker"

    def __init__(self, columns: KickerColumns, label: Array, game: Array, is_test: Array, heads: Sequence[Any]) -> None:
        super().__init__(label, game, is_test, heads)
        self.columns = columns

    def allowed(self, numbers: Array) -> NDArray[np.uint8]:
        """Gets the possible kickers of the questions *numbers*: (n, KICKERS) of 0 and 1, uint8."""
        outputs = np.arange(KICKERS)
        is_pair = outputs >= FIRST_PAIR
        ranks = np.where(is_pair, outputs - FIRST_PAIR, outputs)
        held = (self.columns.choice[numbers][:, None] >> ranks.astype(np.uint16)) & 1
        allowed: NDArray[np.uint8] = (held * (self.columns.pairs[numbers][:, None] == is_pair)).astype(np.uint8)
        return allowed

    def planes(self, numbers: Array) -> Array:
        """Builds the network's input for the questions *numbers*: (n, 3, 9, 15), uint8."""
        cells: Array = kicker_planes(KickerColumns(*(column[numbers] for column in self.columns)))
        return cells


class RocketSamples(NamedTuple):
    """The samples of some shards."""

    policy: Decisions
    kicker: Questions
    settled: int
    """Decisions of the test games that no network is asked for."""
    forced: int
    """Kickers of the test games that no network is asked for."""


def _unpacked(bits: Array) -> NDArray[np.uint8]:
    return np.unpackbits(bits, axis=1, count=len(OUTPUTS))


def load_samples(folders: Sequence[Path]) -> RocketSamples:
    """
    Reads all shards of *folders*.

    :raises ValueError: if there is none, or something else in a shard's place, or games of several rule sets.
    """
    names = (*DECISION_COLUMNS, *QUESTION_COLUMNS, *GAME_COLUMNS)
    heads, columns, is_test = read_all(folders, names, FORMAT, "rocket", ["game", "kicker_game", "played"])
    states = StateArrays(*(columns[f"state_{field}"] for field in StateArrays._fields))
    questions = KickerColumns(*(columns[KICKER + field] for field in KickerColumns._fields))
    return RocketSamples(
        Decisions(states, columns["label"], columns["game"], is_test["game"], heads),
        Questions(questions, columns["kicker_label"], columns["kicker_game"], is_test["kicker_game"], heads),
        *(int(columns[count][is_test["played"]].sum()) for count in ("settled", "forced")),
    )
