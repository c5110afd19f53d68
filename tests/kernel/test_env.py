"""Tables of the kernel: they play as the rules in Python do, and what is no table or no choice is refused."""

from typing import Any

import numpy as np
import pytest

from ddzbot.env import Tables
from ddzbot.env.layout import CHOICE, SEEN, choice_row
from ddzbot.env.table import Table
from ddzbot.game import SEATS, Deal
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import ENV_OPTIONS, ENV_TABLE, ENV_TOLD, GAME, RANDOM
from ddzbot.kernel.headers import HEADERS
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.rules import BOTZONE2, RULE_SETS, RuleSet
from tests.kernel.bench import Bench as Spoilt

COUNT, ROOM = 4, 4000
GUARD = 0xA5


class Bench(Spoilt):
    """All memory of the calls here."""

    anywhere = (("ddz_env_step", 6),)

    def __init__(self, kernel: Kernel) -> None:
        self.library, self.rules = kernel.library, kernel.compiled(BOTZONE2).address
        self.options, self.told, self.out = Memory(ENV_OPTIONS.size), Memory(ENV_TOLD.size), Memory(16)
        self.fields = [BOTZONE2.deck, BOTZONE2.dealt, BOTZONE2.bottom_size, 1]
        self.tables = Memory(COUNT * ENV_TABLE.size)
        self.arrays = [np.full(2 * size, GUARD, np.uint8) for size in (COUNT * SEEN, COUNT, ROOM * CHOICE, 4 * COUNT)]
        self.chosen, self.rewards = np.zeros(COUNT, np.uint32), np.zeros((COUNT, SEATS), np.float32)
        self.ended = np.zeros(COUNT, np.uint8)
        self.room = ROOM

    def good_calls(self) -> dict[str, list[Any]]:
        ENV_OPTIONS.pack_into(self.options.bytes, 0, *self.fields)
        ENV_TOLD.pack_into(self.told.bytes, 0, *(array.ctypes.data for array in self.arrays), self.room)
        where = [self.rules, self.options.address, self.tables.address, COUNT]
        arrays = [array.ctypes.data for array in (self.chosen, self.rewards, self.ended)]
        return {
            "ddz_env_layout": [self.out.address, 3],
            "ddz_env_start": [*where, 7],
            "ddz_env_step": [*where, *arrays],
            "ddz_env_tell": [self.rules, self.tables.address, COUNT, self.told.address],
        }

    def call(self, name: str) -> str:
        return self.status(name, *self.good_calls()[name])


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    bench = Bench(kernel)
    assert bench.call("ddz_env_start") == "ok"
    return bench


def test_every_pointer_is_checked(bench: Bench) -> None:
    assert bench.good_calls().keys() == HEADERS[-1].entries.keys()
    bench.check_pointers()
    for place in range(4):
        for spoiled in (0, 1):
            arguments = bench.good_calls()["ddz_env_tell"]
            address = bench.told.words()[place]
            bench.told.words()[place] = spoiled and address + 1
            crooked = "ok" if spoiled and place < 2 else "bad pointer"
            assert bench.status("ddz_env_tell", *arguments) == crooked


def test_memory_that_was_never_filled_is_no_rules_and_no_table(bench: Bench) -> None:
    blank = Memory(1 << 20)
    for name in ("ddz_env_start", "ddz_env_step", "ddz_env_tell"):
        assert bench.status(name, blank.address, *bench.good_calls()[name][1:]) == "bad rules"
    bench.tables.bytes[-ENV_TABLE.size :] = bytes(ENV_TABLE.size)
    assert bench.call("ddz_env_step") == bench.call("ddz_env_tell") == "bad game"


@pytest.mark.parametrize(("field", "value"), [(0, 5), (0, BOTZONE2.deck - 1), (1, 0), (1, 18), (2, 4), (3, 2)])
def test_options_out_of_range_are_refused(bench: Bench, field: int, value: int) -> None:
    bench.fields[field] = value
    assert bench.call("ddz_env_start") == bench.call("ddz_env_step") == "bad index"


@pytest.mark.parametrize("place", [0, *range(32, ENV_TABLE.size - 3)])
def test_a_spoiled_table_is_refused_or_played(bench: Bench, place: int) -> None:
    """What is refused is named; whatever else it is goes on within its memory, which the sanitizers watch."""
    for value in (1, 2, 3, 5, 85, 255):
        bench.tables.bytes[place] = value
        statuses = {bench.call(name) for name in ("ddz_env_tell", "ddz_env_step", "ddz_env_tell")}
        assert statuses <= {"ok", "bad game", "bad index"}
        assert bench.call("ddz_env_start") == "ok"


def test_a_choice_that_there_is_not_is_refused(bench: Bench) -> None:
    bench.chosen[-1] = 4
    assert bench.call("ddz_env_step") == "bad index"


def test_nothing_is_written_beyond_the_room(bench: Bench) -> None:
    assert bench.call("ddz_env_tell") == "ok"
    for array in bench.arrays:
        half = len(array) // 2
        assert set(array[half:]) == {GUARD} and set(array[:half]) != {GUARD}
    needed = int(bench.arrays[3][: 4 * COUNT].view(np.uint32)[-1])
    for bench.room in range(needed):
        bench.arrays[2][:] = GUARD
        assert bench.call("ddz_env_tell") == "short buffer"
        assert set(bench.arrays[2][bench.room * CHOICE :]) == {GUARD}


# As the rules in Python.


def table_of(rules: RuleSet, tables: Tables, index: int) -> Table:
    """Sets up the same deal in Python."""
    head, bottom, *_ = ENV_TABLE.unpack_from(tables._tables.bytes, index * ENV_TABLE.size)
    first, second, third = GAME.unpack(head[RANDOM.size :])[:SEATS]
    return Table(Deal(rules, (first if rules.bidding else first - bottom, second, third), bottom))


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@pytest.mark.usefixtures("kernel")
def test_tables_play_as_the_rules_do(rules: RuleSet) -> None:
    generator, tables, games = np.random.default_rng(5), Tables(6, rules.name, seed=3), 0
    twins = [table_of(rules, tables, index) for index in range(tables.count)]
    for _ in range(130):
        begins = tables.ends - tables.sizes
        options = [twin.choices() for twin in twins]
        for index, (twin, choices) in enumerate(zip(twins, options, strict=True)):
            assert tables.positions[index] == twin.position
            assert tables.seen[index].tolist() == twin.seen(twin.position)
            rows = tables.choices[begins[index] : tables.ends[index]]
            assert rows.tolist() == [choice_row(choice) for choice in choices]
        chosen = tables.drawn(generator)
        tables.step(chosen)
        for index, twin in enumerate(twins):
            twin.choose(options[index][chosen[index]])
            assert tables.ended[index] == (twin.points is not None)
            assert tables.rewards[index].tolist() == pytest.approx(twin.points or [0] * SEATS)
            if twin.points is not None:
                games += 1
                twins[index] = table_of(rules, tables, index)
    assert games > 5


@pytest.mark.usefixtures("kernel")
def test_a_table_depends_on_its_seed_alone() -> None:
    many, one = Tables(3, "mini", seed=5), Tables(1, "mini", seed=7)
    for _ in range(50):
        assert np.array_equal(many.seen[2], one.seen[0])
        many.step(many.sizes - 1)
        one.step(one.sizes - 1)
    assert not np.array_equal(many.seen[0], many.seen[1])


@pytest.mark.usefixtures("kernel")
def test_arrays_are_the_kernels_own_and_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddzbot.env.tables._USUAL_CHOICES", 1)
    tables = Tables(2, "botzone", seed=1)
    seen, before = tables.seen, tables.seen.copy()
    tables.step([0, 0])
    assert tables.seen is seen and not np.array_equal(seen, before)
    for wrong in ([0], [0, 999], [-1, 0]):
        with pytest.raises(IndexError, match="one choice for each of 2 tables"):
            tables.step(wrong)
    with pytest.raises(KernelError, match="0 tables are too few"):
        Tables(0)


def test_without_a_kernel_a_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddzbot.env.tables.native", lambda: None)
    with pytest.raises(KernelError, match="tables need the kernel: "):
        Tables(1)
