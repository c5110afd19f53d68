"""Thousands of games at once, which the kernel plays: each step is one decision at every table."""

from typing import Any, Dict

from ddzbot.env.given import Copied, checked_seed, whole
from ddzbot.env.layout import CHOICE, SEEN
from ddzbot.env.packages import np
from ddzbot.game import SEATS
from ddzbot.kernel import describe, native
from ddzbot.kernel.codec import ENV_OPTIONS, ENV_TABLE, ENV_TOLD
from ddzbot.kernel.library import SHORT_BUFFER, STATUS_NAMES, KernelError, Memory
from ddzbot.rules import rule_set

_USUAL_CHOICES = 64


class Tables(Copied):
    """
    So many games, which are dealt anew where they end. Table ``i`` depends on nothing but *seed*, ``i`` and its
    choices; tables of other seeds are other ones. The default seed is always 0.

    The arrays are the kernel's own memory: each step writes them again, so copy what is to stay. All are by table but
    *choices*, whose rows are one table's after the other's. Copies share nothing and play alike, also those that pickle
    makes.

    :raises RulesError: for a rule set that is unknown.
    :raises KernelError: without a kernel, and for a number of tables below 1.
    :raises TypeError: for a count or a seed that is no whole number.
    :raises ValueError: for a seed below 0.
    """

    def __init__(self, count: int, rules: str = "botzone", seed: int = 0) -> None:
        streams = np.random.SeedSequence(checked_seed(seed))
        self._set_up(whole("count", count), rules)
        for at, stream in enumerate(streams.generate_state(self.count, np.uint64).tolist()):
            table = self._tables.address + at * ENV_TABLE.size
            self._library.call("ddz_env_start", self._compiled.address, self._options.address, table, 1, stream)
        self._tell()

    def _set_up(self, count: int, rules: str) -> None:
        kernel = native()
        if kernel is None:
            raise KernelError(f"tables need the kernel: {describe()}")
        if count < 1:
            raise KernelError(f"{count} tables are too few")
        self.count, self.rules = count, rule_set(rules)
        self._library, self._compiled = kernel.library, kernel.compiled(self.rules)
        self._options = Memory(ENV_OPTIONS.size)
        dealt = (self.rules.deck, self.rules.dealt, self.rules.bottom_size, int(self.rules.bidding))
        ENV_OPTIONS.pack_into(self._options.bytes, 0, *dealt)
        self._tables, self._told = Memory(ENV_TABLE.size * count), Memory(ENV_TOLD.size)
        self.seen = np.zeros((count, SEEN), np.uint8)
        """What the player to move sees: (count, SEEN), uint8, as in :mod:`ddzbot.env.layout`."""
        self.positions = np.zeros(count, np.uint8)
        """The position to move: (count,), uint8."""
        self.ends = np.zeros(count, np.uint32)
        """The end of each table's choices among :attr:`choices`: (count,), uint32."""
        self.rewards = np.zeros((count, SEATS), np.float32)
        """The points of each position where the last step ended a game, else 0: (count, 3), float32."""
        self.ended = np.zeros(count, np.bool_)
        """Whether it ended a game; :attr:`seen` then shows the next one: (count,), bool."""
        self.sizes = np.zeros(count, np.uint32)
        """The number of choices of each table: (count,), uint32."""
        # To ask an array for its address takes a microsecond.
        self._shown_at = [array.ctypes.data for array in (self.seen, self.positions, self.ends)]
        self._ends_at = [array.ctypes.data for array in (self.rewards, self.ended)]
        self._make_room(count * _USUAL_CHOICES)
        self.choices = self._room[:0]
        """The choices of all tables: (n, 16), uint8: fifteen counts of cards and the kind, in the order of the legal
        moves or bids."""

    def __getstate__(self) -> Dict[str, Any]:
        arrays = {"rewards": self.rewards, "ended": self.ended, "tables": self._tables.bytes.tobytes()}
        return {"count": self.count, "rules": self.rules.name, **arrays}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._set_up(state["count"], state["rules"])
        self._tables.bytes[:] = state["tables"]
        self.rewards[:], self.ended[:] = state["rewards"], state["ended"]
        self._tell()

    def _make_room(self, choices: int) -> None:
        self._room = np.zeros((choices, CHOICE), np.uint8)
        seen, positions, ends = self._shown_at
        ENV_TOLD.pack_into(self._told.bytes, 0, seen, positions, self._room.ctypes.data, ends, choices)

    def drawn(self, generator: Any) -> Any:
        """Draws a choice for each table by a generator of numpy, each as likely as the others."""
        return generator.integers(self.sizes)

    def step(self, chosen: Any) -> None:
        """
        Makes a choice at every table, by its index among those of the table, a whole number.

        :raises IndexError: for a choice that there is not, or that is no whole number; nothing has happened then.
        """
        try:
            wanted = np.asarray(chosen)
        except (TypeError, ValueError):  # rows of several lengths
            wanted = np.zeros(0, np.uint32)
        # Truth values, fractions and what else may stand for numbers are a learner's mistake.
        if wanted.dtype.kind not in "iu" or wanted.shape != (self.count,) or not self._are_there(wanted):
            raise IndexError(f"one choice for each of {self.count} tables, a whole number below its number of choices")
        wanted = np.ascontiguousarray(wanted, np.uint32)
        self._library.call(
            "ddz_env_step",
            *(self._compiled.address, self._options.address, self._tables.address, self.count),
            *(wanted.ctypes.data, *self._ends_at),
        )
        self._tell()

    def _are_there(self, wanted: Any) -> bool:
        return not (wanted < 0).any() and not (wanted >= self.sizes).any()

    def _tell(self) -> None:
        addresses = (self._compiled.address, self._tables.address, self.count, self._told.address)
        while True:
            status = self._library.status("ddz_env_tell", *addresses)
            if status != SHORT_BUFFER:
                break
            self._make_room(2 * len(self._room))
        if status:
            raise KernelError(f"ddz_env_tell: {STATUS_NAMES[status]}")
        self.choices = self._room[: self.ends[-1]]
        self.sizes[0] = self.ends[0]
        np.subtract(self.ends[1:], self.ends[:-1], out=self.sizes[1:])
