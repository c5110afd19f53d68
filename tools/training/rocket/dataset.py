"""The records of many shards in memory, split by game into training and test."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ddzbot.net.rocket_features import Columns, planes
from ddzbot.net.rocket_kickers import KickerColumns, kicker_planes
from ddzbot.net.rocket_moves import FIRST_PAIR, KICKERS, OUTPUTS

from ..held_out import are_test_games
from ..records import Batch
from ..shards import Array, read_all
from .plan import FORMAT
from .shards import DECISION_COLUMNS, GAME_COLUMNS, KICKER, MASKS, QUESTION_COLUMNS

_SALT = "rocket"
"""What stands before a deal in the hash that says whether its game is in the test."""
ALLOWED, CHOSEN = 1, 2
"""What a target says of an output: 0 where it is illegal."""


class Table:
    """
    Records of one network. ``training`` and ``test`` are numbers of records, in the order of the games; ``label`` and
    ``game`` have a number for each record.

    :raises ValueError: if there is no record at all.
    """

    def __init__(self, name: str, label: Array, game: Array, is_test: Array, heads: Sequence[dict[str, Any]]) -> None:
        if not len(label):
            raise ValueError(f"there is no record for the {name} network")
        self.label, self.game, self.heads = label, game, heads
        self.training: Array = np.flatnonzero(~is_test)
        self.test: Array = np.flatnonzero(is_test)
        self._name = name

    def allowed(self, numbers: Array) -> NDArray[np.uint8]:
        """Tells which outputs were legal: (n, outputs)."""
        raise AssertionError(f"{type(self).__name__} has no outputs")

    def planes(self, numbers: Array) -> Array:
        """Builds the cells of some records."""
        raise AssertionError(f"{type(self).__name__} has no planes")

    def batch(self, numbers: Array) -> Batch:
        """Builds some records; the target of an output is 0 where it is illegal, 2 where it was chosen, else 1."""
        targets = self.allowed(numbers) * np.uint8(ALLOWED)
        targets[np.arange(len(numbers)), self.label[numbers]] = CHOSEN
        return Batch(self.planes(numbers), targets)

    def keep(self, most: int) -> None:
        """Leaves the first *most* training records."""
        self.training = self.training[:most]

    def keep_test(self, most: int) -> None:
        """Leaves the first *most* test records."""
        self.test = self.test[:most]

    def digest(self) -> str:
        """Hashes which records these are and in which order, in 16 hex digits."""
        content = hashlib.sha256()
        for column in (self.game, self.label, self.training, self.test):
            content.update(column.tobytes())
        return content.hexdigest()[:16]

    def summary(self) -> str:
        """Says how many records there are, in one sentence."""
        return (
            f"{len(self.label):,} records for the {self._name} network: {len(self.training):,} for training, "
            f"{len(self.test):,} for the test."
        )


class Decisions(Table):
    """What the policy network learns from."""

    def __init__(self, columns: Columns, label: Array, game: Array, is_test: Array, heads: Sequence[Any]) -> None:
        super().__init__("policy", label, game, is_test, heads)
        self.columns = columns

    def _some(self, numbers: Array) -> Columns:
        some = Columns(*(column[numbers] for column in self.columns))
        return some._replace(**{name: _unpacked(getattr(some, name)) for name in MASKS})

    def allowed(self, numbers: Array) -> NDArray[np.uint8]:
        """Tells which main moves were legal."""
        return _unpacked(self.columns.legal[numbers])

    def planes(self, numbers: Array) -> Array:
        """Builds the planes of some decisions."""
        cells: Array = planes(self._some(numbers))
        return cells


class Questions(Table):
    """What the kicker network learns from."""

    def __init__(self, columns: KickerColumns, label: Array, game: Array, is_test: Array, heads: Sequence[Any]) -> None:
        super().__init__("kicker", label, game, is_test, heads)
        self.columns = columns

    def allowed(self, numbers: Array) -> NDArray[np.uint8]:
        """Tells which kickers there were."""
        outputs = np.arange(KICKERS)
        is_pair = outputs >= FIRST_PAIR
        ranks = np.where(is_pair, outputs - FIRST_PAIR, outputs)
        held = (self.columns.choice[numbers][:, None] >> ranks.astype(np.uint16)) & 1
        allowed: NDArray[np.uint8] = (held * (self.columns.pairs[numbers][:, None] == is_pair)).astype(np.uint8)
        return allowed

    def planes(self, numbers: Array) -> Array:
        """Builds the planes of some questions."""
        cells: Array = kicker_planes(KickerColumns(*(column[numbers] for column in self.columns)))
        return cells


class Loaded(NamedTuple):
    """The records of some shards."""

    policy: Decisions
    kicker: Questions
    settled: int
    """Decisions of the test games that no network is asked for."""


def _unpacked(bits: Array) -> NDArray[np.uint8]:
    return np.unpackbits(bits, axis=1, count=len(OUTPUTS))


def load_records(folders: Sequence[Path]) -> Loaded:
    """
    Reads all shards of *folders*.

    :raises ValueError: if there is none, or something else in a shard's place, or games of several rule sets.
    """
    names = (*DECISION_COLUMNS, *QUESTION_COLUMNS, *GAME_COLUMNS)
    found = read_all(folders, names, FORMAT, "tools train make rocket")
    heads: list[dict[str, Any]] = []
    tests: dict[str, list[Array]] = {"game": [], "kicker_game": [], "played": []}
    for about, columns in found:
        if about not in heads:
            heads.append(about)
        for name, parts in tests.items():
            parts.append(are_test_games(about, columns[names.index(name)], _SALT))
    joined = {
        name: np.concatenate(parts)
        for name, parts in zip(names, zip(*(columns for _, columns in found), strict=True), strict=True)
    }
    in_test = {name: np.concatenate(parts) for name, parts in tests.items()}
    states = Columns(*(joined[f"state_{name}"] for name in Columns._fields))
    questions = KickerColumns(*(joined[KICKER + name] for name in KickerColumns._fields))
    return Loaded(
        Decisions(states, joined["label"], joined["game"], in_test["game"], heads),
        Questions(questions, joined["kicker_label"], joined["kicker_game"], in_test["kicker_game"], heads),
        int(joined["settled"][in_test["played"]].sum()),
    )
