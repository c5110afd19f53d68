"""Bad input for the searches, the solver and the worlds: each answers with a status, and writes nowhere else."""

import random
from typing import Any

import pytest

from ddzbot.belief.worlds import Worlds
from ddzbot.game import SEATS, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import (
    ENDGAME,
    ENDGAME_KEY,
    MOVE,
    RANDOM,
    SEARCH_ARM,
    SEARCH_OPTIONS,
    SITUATION,
    pack_situation,
)
from ddzbot.kernel.library import Memory
from ddzbot.players.mctshs import SETTINGS
from ddzbot.rules import BOTZONE
from ddzbot.view import View
from tests.kernel.bench import Bench as Spoilt

NODES, ROOM, LONGEST_GAME, ENTRIES, WEIGHTS = 600, 600, 400, 64, 75
SPOILED = 400


class Bench(Spoilt):
    """All memory of the calls here."""

    optional = (("ddz_search_init", 4), ("ddz_solver_init", 2))
    numbers = (("ddz_candidates", 2), ("ddz_worlds_init", 1))

    def __init__(self, kernel: Kernel) -> None:
        self.library, sizes = kernel.library, kernel.library.sizes
        game = start(shuffled(BOTZONE, "bad search"))
        view = View.of(game, 0)
        self.hand, self.unseen, self.first_cards = view.hand, view.unseen, BOTZONE.dealt
        self.rules = [kernel.compiled(BOTZONE).address, kernel.splits(BOTZONE)]
        self.situation = Memory.of(pack_situation(view))
        options = SETTINGS["default"].options
        self.options = Memory.of(SEARCH_OPTIONS.pack(7, *options))
        self.endgame = Memory.of(ENDGAME.pack(*(hand & 0xFFFFFF for hand in game.hands), 0, -1, SEATS, 0, 0))
        self.search, self.proof = Memory(sizes["ddz_search"] + NODES * sizes["node"]), Memory(sizes["ddz_certain"])
        self.solver, self.entries = Memory(sizes["ddz_solver"]), Memory(ENTRIES * ENDGAME_KEY.size)
        self.worlds, self.mixture = Memory(2 * sizes["ddz_worlds"]), Memory(sizes["ddz_worlds"])
        self.weights, self.shares, self.random = Memory(4 * WEIGHTS), Memory(16), Memory(RANDOM.size)
        for place, weight in enumerate(weight for row in Worlds(view, "uniform").table for weight in row):
            self.weights.counts()[place] = weight
        self.shares.words()[0] = 1
        kernel.library.call("ddz_random_seed", self.random.address, 1)
        self.arms, self.branches = Memory(SEARCH_ARM.size * ROOM), Memory(SEARCH_ARM.size)
        legal = view.legal_moves()[0]
        SEARCH_ARM.pack_into(self.branches.bytes, 0, *legal, 4, 2)
        self.moves, self.hands, self.out = Memory(MOVE.size * ROOM), Memory(64), Memory(64)
        self.key, self.nodes = Memory(ENDGAME_KEY.size), Memory(16)

    def good_calls(self) -> dict[str, list[Any]]:
        search, solver, worlds, out = (one.address for one in (self.search, self.solver, self.worlds, self.out))
        situation, endgame, nodes = self.situation.address, self.endgame.address, self.nodes.address
        self.nodes.words()[0] = 50
        moves = [self.moves.address, LONGEST_GAME, out]
        return {
            "ddz_worlds_layout": [out, 1],
            "ddz_worlds_init": [worlds, self.unseen, self.first_cards, self.weights.address],
            "ddz_worlds_mix": [self.mixture.address, worlds, self.shares.address, 1],
            "ddz_worlds_draw": [worlds, self.random.address, self.hands.address, 2],
            "ddz_candidates": [*self.rules, self.hand, 0, -1, 0, 1, self.moves.address, ROOM, out],
            "ddz_search_layout": [out, 6],
            "ddz_search_init": [search, NODES, *self.rules, worlds, situation, self.options.address],
            "ddz_search_branches": [search, self.branches.address, 1, 0],
            "ddz_search_run": [search, 20],
            "ddz_search_arms": [search, self.arms.address, ROOM, out],
            "ddz_search_watch": [search, self.hands.address, *moves],
            "ddz_certain_win": [self.proof.address, *self.rules, situation, nodes, self.moves.address, out],
            "ddz_solver_layout": [out, 3],
            "ddz_solver_init": [solver, *self.rules, 0, self.entries.address, ENTRIES],
            "ddz_solver_begin": [solver, endgame],
            "ddz_solver_run": [solver, nodes, out],
            "ddz_solver_key": [solver, endgame, self.key.address],
        }

    def prepare(self) -> None:
        """Makes every good call once, in order: later ones need what earlier ones fill."""
        for entry, good in self.good_calls().items():
            assert self.status(entry, *good) == "ok", entry


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    bench = Bench(kernel)
    bench.prepare()
    # Branches are set before the first run.
    assert bench.status("ddz_search_init", *bench.good_calls()["ddz_search_init"]) == "ok"
    return bench


def test_every_pointer_is_checked(bench: Bench) -> None:
    bench.check_pointers()


BLANK = [
    *(("ddz_certain_win", 1), ("ddz_certain_win", 2), ("ddz_search_init", 2), ("ddz_search_init", 3)),
    *(("ddz_solver_init", 1), ("ddz_solver_init", 2), ("ddz_worlds_mix", 1)),
    *(("ddz_candidates", 0), ("ddz_candidates", 1)),
]
"""What an entry point reads that another one must have filled."""


def test_memory_that_was_never_filled_is_refused(bench: Bench) -> None:
    blank = Memory(1 << 21)
    calls = bench.good_calls()
    for entry in ("ddz_search_branches", "ddz_search_run", "ddz_search_arms", "ddz_search_watch"):
        assert bench.status(entry, blank.address, *calls[entry][1:]) == "bad game", entry
    for entry, place in BLANK:
        good = calls[entry]
        assert bench.status(entry, *good[:place], blank.address, *good[place + 1 :]) == "bad rules", entry
    for entry in ("ddz_solver_begin", "ddz_solver_run", "ddz_solver_key"):
        assert bench.status(entry, blank.address, *calls[entry][1:]) == "bad pointer", entry
    assert bench.status("ddz_worlds_draw", blank.address, *calls["ddz_worlds_draw"][1:]) == "bad rules"


READS = [
    ("ddz_search_init", "situation", SITUATION.size),
    ("ddz_search_init", "options", SEARCH_OPTIONS.size),
    ("ddz_certain_win", "situation", SITUATION.size),
    ("ddz_solver_begin", "endgame", ENDGAME.size),
    ("ddz_solver_key", "endgame", ENDGAME.size),
    ("ddz_search_branches", "branches", SEARCH_ARM.size),
    ("ddz_worlds_init", "weights", 4 * WEIGHTS),
    ("ddz_worlds_mix", "shares", 8),
]
"""Each record that a caller fills, and its readers."""


@pytest.mark.parametrize(("entry", "record", "size"), READS, ids=[f"{entry}-{record}" for entry, record, _ in READS])
def test_a_spoiled_record_is_refused_or_taken(bench: Bench, entry: str, record: str, size: int) -> None:
    """A refusal is named; accepted input stays within its memory, which the sanitizers watch."""
    chance, memory = random.Random(f"{entry}/{record}"), getattr(bench, record)
    good, refused = bytes(memory.bytes), 0
    for _ in range(SPOILED):
        for _ in range(chance.randint(1, 3)):
            memory.bytes[chance.randrange(size)] = chance.choice((0, 1, 2, 3, 13, 255, chance.randrange(256)))
        status = bench.status(entry, *bench.good_calls()[entry])
        refused += status != "ok"
        assert status in ("ok", "bad game", "bad cards", "bad index", "bad move", "bad rules", "short buffer")
        if status == "ok" and entry == "ddz_search_init":
            assert bench.status("ddz_search_run", *bench.good_calls()["ddz_search_run"]) == "ok"
        if status == "ok" and entry == "ddz_solver_begin":
            assert bench.status("ddz_solver_run", *bench.good_calls()["ddz_solver_run"]) in ("ok", "short buffer")
        memory.bytes[:] = good
        if entry in ("ddz_search_init", "ddz_search_branches"):
            assert bench.status("ddz_search_init", *bench.good_calls()["ddz_search_init"]) == "ok"
    assert refused


NUMBERS = [
    ("ddz_worlds_layout", 1, 0, "short buffer"),
    ("ddz_worlds_init", 1, 5, "bad cards"),
    ("ddz_worlds_init", 1, (1 << 64) - 1, "bad cards"),
    ("ddz_worlds_init", 2, 21, "bad cards"),
    ("ddz_worlds_init", 2, (1 << 32) - 1, "bad cards"),
    ("ddz_worlds_mix", 3, 0, "bad index"),
    ("ddz_worlds_mix", 3, 513, "bad index"),
    ("ddz_worlds_mix", 3, (1 << 32) - 1, "bad index"),
    ("ddz_candidates", 2, 5, "bad cards"),
    ("ddz_candidates", 3, (1 << 64) - 1, "bad cards"),
    ("ddz_candidates", 4, -2, "bad move"),
    ("ddz_candidates", 4, (1 << 31) - 1, "bad move"),
    ("ddz_candidates", 5, 2, "bad index"),
    ("ddz_candidates", 8, 3, "short buffer"),
    ("ddz_search_layout", 1, 5, "short buffer"),
    ("ddz_search_init", 1, 0, "short buffer"),
    ("ddz_search_branches", 2, 0, "bad index"),
    ("ddz_search_branches", 2, 65, "bad index"),
    ("ddz_search_branches", 3, (1 << 24) + 1, "bad index"),
    ("ddz_search_run", 1, (1 << 32) - 1, "bad index"),
    ("ddz_search_arms", 2, 1, "short buffer"),
    ("ddz_search_watch", 3, 1, "short buffer"),
    ("ddz_solver_layout", 1, 2, "short buffer"),
    ("ddz_solver_init", 3, 2, "bad index"),
    ("ddz_solver_init", 3, (1 << 32) - 1, "bad index"),
    ("ddz_solver_init", 5, 0, "short buffer"),
    ("ddz_solver_init", 5, 3, "short buffer"),
    ("ddz_solver_init", 5, (1 << 64) - 1, "short buffer"),
]


@pytest.mark.parametrize(("entry", "place", "number", "status"), NUMBERS)
def test_a_number_that_cannot_be_is_refused(bench: Bench, entry: str, place: int, number: int, status: str) -> None:
    good = bench.good_calls()[entry]
    assert bench.status(entry, *good[:place], number, *good[place + 1 :]) == status
