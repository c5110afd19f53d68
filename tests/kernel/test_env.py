"""Tables of the kernel: they play as the rules in Python do, and what is no table or no choice is refused."""

import copy
import pickle
from collections.abc import Callable
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
        self.options, self.shown, self.out = Memory(ENV_OPTIONS.size), Memory(ENV_TOLD.size), Memory(16)
        self.fields = [BOTZONE2.deck, BOTZONE2.dealt, BOTZONE2.bottom_size, 1]
        self.tables = Memory(COUNT * ENV_TABLE.size)
        self.arrays = [np.full(2 * size, GUARD, np.uint8) for size in (COUNT * SEEN, COUNT, ROOM * CHOICE, 4 * COUNT)]
        self.chosen, self.rewards = np.zeros(COUNT, np.uint32), np.zeros((COUNT, SEATS), np.float32)
        self.ended = np.zeros(COUNT, np.uint8)
        self.room = ROOM

    def good_calls(self) -> dict[str, list[Any]]:
        ENV_OPTIONS.pack_into(self.options.bytes, 0, *self.fields)
        ENV_TOLD.pack_into(self.shown.bytes, 0, *(array.ctypes.data for array in self.arrays), self.room)
        where = [self.rules, self.options.address, self.tables.address, COUNT]
        arrays = [array.ctypes.data for array in (self.chosen, self.rewards, self.ended)]
        return {
            "ddz_env_layout": [self.out.address, 3],
            "ddz_env_start": [*where, 7],
            "ddz_env_step": [*where, *arrays],
            "ddz_env_tell": [self.rules, self.tables.address, COUNT, self.shown.address],
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
            address = bench.shown.words()[place]
            bench.shown.words()[place] = spoiled and address + 1
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
    """A refusal is named; other input stays within its memory, which the sanitizers watch."""
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
    references = [table_of(rules, tables, index) for index in range(tables.count)]
    for _ in range(130):
        begins = tables.ends - tables.sizes
        options = [reference.choices() for reference in references]
        for index, (reference, choices) in enumerate(zip(references, options, strict=True)):
            assert tables.positions[index] == reference.position
            assert bytes(tables.seen[index]) == reference.seen(reference.position)
            rows = tables.choices[begins[index] : tables.ends[index]]
            assert rows.tolist() == [choice_row(choice) for choice in choices]
        chosen = tables.drawn(generator)
        tables.step(chosen)
        for index, reference in enumerate(references):
            reference.choose(options[index][chosen[index]])
            assert tables.ended[index] == (reference.points is not None)
            assert tables.rewards[index].tolist() == pytest.approx(reference.points or [0] * SEATS)
            if reference.points is not None:
                games += 1
                references[index] = table_of(rules, tables, index)
    assert games > 5


@pytest.mark.usefixtures("kernel")
def test_a_table_depends_on_its_seed_alone() -> None:
    many, few = Tables(30, "mini", seed=5), Tables(2, "mini", seed=5)
    for _ in range(50):
        assert np.array_equal(many.seen[:2], few.seen)
        many.step(many.sizes - 1)
        few.step(few.sizes - 1)
    assert not np.array_equal(many.seen[0], many.seen[1])


@pytest.mark.usefixtures("kernel")
def test_tables_of_two_seeds_share_no_game() -> None:
    rows = [bytes(row) for seed in (*range(20), 1 << 64, (1 << 64) + 1) for row in Tables(50, seed=seed).seen]
    assert len(set(rows)) == len(rows) == 22 * 50


WRONG = ("01", True, [True, False], [0.0, 0.0], [0.9, 0], [0, 1j], [float("nan"), 0], [None, 0], [[0], [0]], [[0], 0])


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("wrong", [*WRONG, [0], [0, 999], [-1, 0], [0, 1 << 70], [0, 0, 0], [], None], ids=str)
def test_what_is_no_choice_is_one_error_before_anything_is_played(wrong: Any) -> None:
    tables = Tables(2, "botzone", seed=1)
    before = bytes(tables._tables.bytes)
    with pytest.raises(IndexError, match="one choice for each of 2 tables, a whole number below"):
        tables.step(wrong)
    assert bytes(tables._tables.bytes) == before


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_share_nothing_and_play_alike(copied: Callable[[Tables], Tables]) -> None:
    one = Tables(5, "botzone2", seed=1)
    generator = np.random.default_rng(1)
    while not one.ended.any():
        one.step(one.drawn(generator))
    other = copied(one)
    kept = [array.copy() for array in (one.seen, one.choices, one.ends, one.rewards, one.ended, one.positions)]
    chosen = [other.sizes - 1]
    other.step(chosen[0])
    shown = [one.seen, one.choices, one.ends, one.rewards, one.ended, one.positions]
    assert all(np.array_equal(before, now) for before, now in zip(kept, shown, strict=True))
    for _ in range(60):
        one.step(chosen[-1])
        assert np.array_equal(one.seen, other.seen) and np.array_equal(one.choices, other.choices)
        assert np.array_equal(one.rewards, other.rewards)
        chosen.append(one.drawn(generator))
        other.step(chosen[-1])


@pytest.mark.usefixtures("kernel")
def test_counts_and_seeds_that_are_none_are_a_sentence() -> None:
    for seed in ("x", 1.5, None, True):
        with pytest.raises(TypeError, match="seed must be a whole number, not "):
            Tables(1, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed must be 0 or more, not -1"):
        Tables(1, seed=-1)
    with pytest.raises(TypeError, match="count must be a whole number, not "):
        Tables(1.5)  # type: ignore[arg-type]


@pytest.mark.usefixtures("kernel")
def test_arrays_are_the_kernels_own_and_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddzbot.env.tables._USUAL_CHOICES", 1)
    tables = Tables(2, "botzone", seed=1)
    seen, before = tables.seen, tables.seen.copy()
    tables.step([0, 0])
    assert tables.seen is seen and not np.array_equal(seen, before)
    with pytest.raises(KernelError, match="0 tables are too few"):
        Tables(0)


def test_without_a_kernel_a_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ddzbot.env.tables.native", lambda: None)
    with pytest.raises(KernelError, match="tables need the kernel: "):
        Tables(1)
