"""Lists that the kernel makes of Python's objects: the moves are those on the shelf, and no reference is lost."""

import ctypes
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ddzbot import rules_reference as specification
from ddzbot.cards import FULL_DECK, parse_hand
from ddzbot.kernel import binding
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import LISTING, MOVE, REQUEST, SHELF, SHELVED
from ddzbot.kernel.headers import HEADERS
from ddzbot.kernel.library import Memory
from ddzbot.kernel.objects import python_functions
from ddzbot.rules import BOTZONE, PASS, RULE_SETS, Move, parse_move
from tests.kernel.bench import Bench as Spoilt
from tests.support import ROOT, require

ROOM = 64
HAND = parse_hand("334")
PLACES = 8


class Bench(Spoilt):
    """All memory of the calls here, with a shelf of a few places."""

    def __init__(self, kernel: Kernel) -> None:
        self.library, self.out = kernel.library, Memory(16)
        self.moves, self.cards, self.slots = Memory(MOVE.size * ROOM), Memory(8 * ROOM), Memory(SHELVED.size * PLACES)
        self.shelf = Memory.of(SHELF.pack(self.slots.address, PLACES, 0))
        question = (kernel.compiled(BOTZONE).address, HAND, 0, -1, self.moves.address, self.cards.address, ROOM, 0, 0)
        self.asked = Memory.of(LISTING.pack(*question))
        require(any(python_functions()), "CPython's own interface")
        self.fields = [self.asked.address, self.shelf.address, *python_functions()]
        self.request = Memory(REQUEST.size)

    def good_calls(self) -> dict[str, list[Any]]:
        return {"ddz_python_layout": [self.out.address, 3], "ddz_shelve": [self.shelf.address, 3, id(PASS)]}

    def listed(self, result: Any = ctypes.py_object) -> Any:
        REQUEST.pack_into(self.request.bytes, 0, *self.fields)
        return self.library.prepared("ddz_list_objects", self.request, result)()


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    return Bench(kernel)


def test_every_pointer_is_checked(bench: Bench) -> None:
    (header,) = (header for header in HEADERS if header.layout == "ddz_python_layout")
    assert bench.good_calls().keys() == header.entries.keys() - {"ddz_list_objects"}
    bench.check_pointers()
    for place, field in enumerate(bench.fields):
        bench.fields[place] = 0
        if place < 2:
            assert bench.listed() is None
            bench.fields[place] = field + 1
            assert bench.listed() is None
        else:
            assert bench.listed(ctypes.c_void_p) is None  # a null pointer
        bench.fields[place] = field
    crooked = Memory.of(bytes(1) + REQUEST.pack(*bench.fields))
    crooked.address += 1
    assert bench.library.prepared("ddz_list_objects", crooked, ctypes.c_void_p)() is None


@pytest.mark.parametrize(("slots", "size", "count"), [(0, 8, 0), (1, 8, 0), (2, 0, 0), (2, 7, 0), (2, 8, 8)])
def test_a_shelf_that_is_none_is_refused(bench: Bench, slots: int, size: int, count: int) -> None:
    SHELF.pack_into(bench.shelf.bytes, 0, bench.slots.address if slots == 2 else slots, size, count)
    assert bench.status("ddz_shelve", *bench.good_calls()["ddz_shelve"]) == (
        "bad index" if slots == 2 else "bad pointer"
    )
    assert bench.listed() is None


def shelve(bench: Bench, move: Move, cards: int | None = None) -> str:
    return bench.status("ddz_shelve", bench.shelf.address, move.cards if cards is None else cards, id(move))


def test_a_list_has_the_objects_themselves_and_refers_to_each_once(bench: Bench) -> None:
    moves = [Move(*move) for move in specification.legal_moves(BOTZONE, HAND)]
    assert len(moves) == 3
    for move in moves:
        assert bench.listed() is None
        assert shelve(bench, move) == shelve(bench, PASS, move.cards) == "ok"  # what is there stays there
    before = [sys.getrefcount(move) for move in moves]
    made = bench.listed()
    assert [*map(id, made)] == [*map(id, moves)] and gc.is_tracked(made)
    assert [sys.getrefcount(move) for move in moves] == [count + 1 for count in before]
    del made
    assert [sys.getrefcount(move) for move in moves] == before
    asked = list(LISTING.unpack(bench.asked.bytes))
    LISTING.pack_into(bench.asked.bytes, 0, *asked[:6], 2, *asked[7:])
    assert bench.listed() is None  # no room for three


def test_a_shelf_is_filled_to_three_quarters(bench: Bench) -> None:
    shelved = [shelve(bench, PASS, cards << 32) for cards in range(PLACES)]
    assert shelved == ["ok"] * 6 + ["short buffer"] * 2
    assert SHELF.unpack(bench.shelf.bytes)[2] == 6 and shelve(bench, PASS, 5 << 32) == "ok"


def test_moves_are_the_same_objects_in_all_lists_and_in_every_thread(kernel: Kernel) -> None:
    rules = RULE_SETS["standard"]._replace(name="of threads")
    hands = [FULL_DECK & parse_hand("33334444555566667777") << 4 * shift for shift in range(6)]
    found: list[list[list[Move]]] = []

    def ask() -> None:
        found.append([kernel.legal_moves(rules, hand) for hand in hands for _ in range(5)])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [specification.legal_moves(rules, hand) for hand in hands for _ in range(5)]
    assert len(found) == 8 and all(lists == expected for lists in found)
    known = kernel.compiled(rules).shelf.known
    lead, follow = kernel.legal_moves(rules, 0x111), kernel.legal_moves(rules, 0x222, parse_move(rules, "3"))
    assert all(move is known[move.cards] for move in (*lead, *follow)) and len(lead) == len(follow) == 3


def test_without_the_functions_of_python_the_lists_are_the_same(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RULE_SETS["standard"]._replace(name="without functions")
    monkeypatch.setattr(binding, "python_functions", lambda: (0, 0, 0, 0))
    for hand in (0, 0x3, 0x1234, parse_hand("33344455566678LB")):
        for to_beat in (None, parse_move(rules, "3"), parse_move(rules, "444")):
            for _ in range(2):
                assert kernel.legal_moves(rules, hand, to_beat) == specification.legal_moves(rules, hand, to_beat)


@pytest.mark.parametrize(("name", "value"), [("implementation.name", "pypy"), ("platform", "emscripten")])
def test_an_interpreter_of_another_kind_gives_no_functions(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"sys.{name}", value)
    assert python_functions() == (0, 0, 0, 0)


def test_an_interpreter_without_its_lock_gives_no_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys._is_gil_enabled", lambda: False, raising=False)
    assert python_functions() == (0, 0, 0, 0)


EVERYWHERE = """
import multiprocessing, os, pickle, sys, threading
from ddzbot.kernel import native
from ddzbot.rules import RULE_SETS, answers
from ddzbot.game import shuffled, start

def digest(games):
    kernel, games = native(), pickle.loads(games)
    known = [kernel.compiled(game.rules).shelf.known for game in games]
    lists = [game.legal_moves() for game in games]
    shelved = all(moves[move.cards] is move for moves, listed in zip(known, lists) for move in listed)
    return [[[tuple(move) for move in moves] for moves in lists], shelved, answers()]

if __name__ == "__main__":
    games = pickle.dumps([start(shuffled(rules, "everywhere"), (3,) * rules.bidding) for rules in RULE_SETS.values()])
    found = [digest(games)]
    threading.stack_size(1 << 16)
    for _ in range(4):
        thread = threading.Thread(target=lambda: found.append(digest(games)))
        thread.start()
        thread.join()
    threading.stack_size(0)
    for way in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(way).Pool(1) as pool:
            found.append(pool.apply(digest, (games,)))
    assert found[0][1:] == [True, sys.argv[1]] and all(each == found[0] for each in found), found
    print(len(found[0][0]), len(found) - 5 == len(multiprocessing.get_all_start_methods()))
"""


@pytest.mark.whole
def test_forks_new_processes_and_small_stacks_get_the_same_lists(kernel: Kernel, tmp_path: Path) -> None:
    program = tmp_path / "everywhere.py"
    program.write_text(EVERYWHERE)
    environment = {**os.environ, "DDZ_KERNEL": kernel.library.path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, program, "kernel"], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("5 True\n", "")
