"""Lists, games and rows that the kernel makes of Python's objects: those of the reference; no reference is lost."""

import gc
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ddzbot import rules_reference as specification
from ddzbot.cards import FULL_DECK, parse_hand
from ddzbot.env.layout import seen
from ddzbot.game import SEATS, Game, shuffled, start
from ddzbot.kernel import objects
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import SHELF, SHELVED
from ddzbot.kernel.library import Memory
from ddzbot.kernel.objects import is_fit
from ddzbot.rules import BOTZONE, ICGA, MINI, PASS, REFERENCE, RULE_SETS, Lister, Move, RuleSet, answer_by, parse_move
from ddzbot.view import View
from tests.kernel.bench import Bench as Spoilt
from tests.kernel.situations import loosened
from tests.support import ROOT, require

PLACES = 8


class Bench(Spoilt):
    """All memory of the calls here, with a shelf of a few places."""

    def __init__(self, kernel: Kernel) -> None:
        self.library, self.out = kernel.library, Memory(16)
        self.slots = Memory(SHELVED.size * PLACES)
        self.shelf = Memory.of(SHELF.pack(self.slots.address, PLACES, 0))

    def good_calls(self) -> dict[str, list[Any]]:
        return {"ddz_python_layout": [self.out.address, 4], "ddz_shelve": [self.shelf.address, 3, id(PASS)]}


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    return Bench(kernel)


def test_every_pointer_is_checked(bench: Bench) -> None:
    bench.check_pointers()


@pytest.mark.parametrize(("slots", "size", "count"), [(0, 8, 0), (1, 8, 0), (2, 0, 0), (2, 7, 0), (2, 8, 8)])
def test_a_shelf_that_is_none_is_refused(bench: Bench, slots: int, size: int, count: int) -> None:
    SHELF.pack_into(bench.shelf.bytes, 0, bench.slots.address if slots == 2 else slots, size, count)
    assert bench.status("ddz_shelve", *bench.good_calls()["ddz_shelve"]) == (
        "bad index" if slots == 2 else "bad pointer"
    )


def test_a_shelf_is_filled_to_three_quarters(bench: Bench) -> None:
    def shelve(cards: int) -> str:
        return bench.status("ddz_shelve", bench.shelf.address, cards, id(PASS))

    assert [shelve(cards << 32) for cards in range(PLACES)] == ["ok"] * 6 + ["short buffer"] * 2
    assert SHELF.unpack(bench.shelf.bytes)[2] == 6 and shelve(5 << 32) == "ok"


@pytest.fixture
def own(kernel: Kernel) -> Lister:
    require(is_fit(), "CPython's own interface")
    # One of its own: in that of all tests the rule sets of others may have taken every place.
    return Kernel(kernel.library.path).lister()


def after(game: Game, move: Move) -> Game:
    """Plays a move by the reference."""
    answer_by(REFERENCE)
    return game.play(move)


def games(rules: RuleSet, seed: int) -> Iterator[tuple[Game, Move]]:
    """Yields each game of a random one, which is long where small moves are drawn, and the move that is played."""
    chance, game = random.Random(seed), start(shuffled(rules, f"objects/{seed}"), (3,) * rules.bidding)
    while not game.finished:
        moves = specification.legal_moves(rules, game.hands[game.seat], game.to_beat)
        move = chance.choice(moves[: chance.choice((3, 99))])
        yield game, move
        game = after(game, move)


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), loosened(ICGA)], ids=lambda rules: rules.name)
def test_games_views_and_what_is_seen_are_those_of_the_reference(own: Lister, rules: RuleSet) -> None:
    at_once = 0
    for seed in range(4):
        for game, move in games(rules, seed):
            expected = specification.legal_moves(rules, game.hands[game.seat], game.to_beat)
            view = View.of(game, game.seat)
            assert own.legal_moves(rules, view.hand, view.to_beat) == expected
            for moves in (own.game_moves(game), own.game_moves(view)):
                assert moves is None or moves == expected
            listed = own.legal_moves(rules, view.hand, view.to_beat)[expected.index(move)]
            made, right = own.game_play(game, listed), after(game, move)
            assert made is None or (type(made) is Game and made == right and hash(made) == hash(right))
            assert made is None or (gc.is_tracked(made) and pickle.loads(pickle.dumps(made)) == right)
            at_once += made is not None
            for seat in range(SEATS):
                assert list(own.game_seen(game, seat) or ()) == seen(View.of(game, seat))
    assert at_once > 50


def test_nothing_is_lost_and_nothing_is_kept(own: Lister) -> None:
    game = start(shuffled(BOTZONE, "references"))
    own.legal_moves(BOTZONE, game.hands[0], None)
    move = own.game_moves(game)[3]  # type: ignore[index]
    objects = (*game, *game.hands, BOTZONE, None, Game, *own.game_moves(game), move.cards)  # type: ignore[misc]
    before = [sys.getrefcount(part) for part in objects]
    for _ in range(300):
        following = own.game_play(game, move)
        answers = [own.game_moves(game), own.game_seen(game, 1), own.game_play(following, move)]
        answers += [own.game_moves(following), own.legal_moves(BOTZONE, 0x11, None), own.game_moves(PASS)]
        assert answers[2] is None is answers[5]
        del following, answers
    # Python itself refers to some of them now and then.
    lost = [sys.getrefcount(part) - count for part, count in zip(objects, before, strict=True)]
    assert max(map(abs, lost)) < 100


def odd() -> Iterator[tuple[Any, Any]]:
    """Yields games that are none and moves that are none."""
    game = start(shuffled(BOTZONE, "odd"))
    move = Move.from_text("3")
    parts: dict[str, list[Any]] = {
        "rules": [None, BOTZONE._replace(name="odd")],
        "hands": [None, [*game.hands], game.hands[:2], (1.5, 2, 3), (-1, 2, 3), (1 << 70, 2, 3), (15, 2, 3), (0, 1, 2)],
        "plays": [None, [move], (None,), ((),), (PASS, 7), ((1 << 64, 1, 0, 0),), (Move(3, 99, 0, 1),), ((3,),)],
    }
    for field, values in parts.items():
        for value in values:
            yield game._replace(**{field: value}), move
    for other in (None, 7, (), tuple(move), (1 << 64,), [move], Move(4, 1, 0, 1), PASS, Move(True, 1, 0, 1)):
        yield game, other
    no_games: list[Any] = [None, 7, (), (1,) * 6, [None] * 6, (None,) * 8, (1, 2, 3, 4, 5, 6, 7, ())]
    yield from ((other, move) for other in no_games)


def outcome(call: Callable[[], Any]) -> Any:
    """Gets what a call gives, or the type of what it raises."""
    try:
        return call()
    except Exception as error:
        return type(error)


def test_what_is_no_game_and_no_move_is_left_to_python(own: Lister) -> None:
    for game, move in odd():
        for answer in (own.game_moves(game), own.game_play(game, move), own.game_seen(game, 0)):
            assert answer is None or isinstance(game, Game), (game, move)
        if isinstance(game, Game):
            found: list[Any] = []
            for lister in (own, REFERENCE):
                answer_by(lister)
                calls = (game.legal_moves, lambda: game.play(move))  # noqa: B023
                found.append([outcome(call) for call in calls])
            assert found[0] == found[1], (game[1], game[3], move)
    assert [own.game_seen(start(shuffled(BOTZONE, "odd")), seat) for seat in (-1, 3, None)] == [None] * 3  # type: ignore[arg-type]
    for wrong in ((), (1,), (None, None, None), (BOTZONE, None, None), (BOTZONE, 3, 4)):
        assert isinstance(outcome(lambda: own.legal_moves(*wrong)), type), wrong  # noqa: B023


def test_a_move_that_was_listed_elsewhere_is_refused(own: Lister) -> None:
    game, refused = start(shuffled(BOTZONE, "listed")), 0
    for game, _ in games(BOTZONE, 5):
        legal = specification.legal_moves(BOTZONE, game.hands[game.seat], game.to_beat)
        for other, move in games(BOTZONE, 6):
            listed = own.legal_moves(BOTZONE, other.hands[other.seat], other.to_beat)
            (same,) = (each for each in listed if each == move)
            assert (own.game_play(game, same) is None) == (move not in legal)
            refused += move not in legal
    assert refused > 100


def test_a_collection_of_garbage_may_list_moves_meanwhile(own: Lister) -> None:
    hand, other = parse_hand("33334444555566667777"), parse_hand("89TJQK")
    expected, asked = specification.legal_moves(BOTZONE, hand), 0

    class Asks:
        def __del__(self) -> None:
            nonlocal asked
            asked += len(own.legal_moves(BOTZONE, other, None))

    own.legal_moves(BOTZONE, hand, None)
    thresholds = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(50):
            cycle: list[Any] = [Asks()]
            cycle.append(cycle)
            del cycle
            assert own.legal_moves(BOTZONE, hand, None) == expected
    finally:
        gc.set_threshold(*thresholds)
    assert asked


@pytest.mark.whole
def test_the_functions_keep_what_they_need(kernel: Kernel) -> None:
    lister = Kernel(kernel.library.path).lister()
    gc.collect()
    hand = parse_hand("33344455566678LB")
    for _ in range(3):
        assert lister.legal_moves(MINI, hand, None) == specification.legal_moves(MINI, hand)


def test_more_rule_sets_than_places_are_answered_too(kernel: Kernel) -> None:
    lister, hand = Kernel(kernel.library.path).lister(), parse_hand("3334445")
    for number in range(70):
        rules = MINI._replace(name=str(number))
        for _ in range(2):
            assert lister.legal_moves(rules, hand, None) == specification.legal_moves(rules, hand)


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


def test_without_functions_for_python_the_lists_are_the_same(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "is_fit", lambda: False)
    lister, rules = Kernel(kernel.library.path).lister(), RULE_SETS["standard"]
    for hand in (0, 0x3, 0x1234, parse_hand("33344455566678LB")):
        for to_beat in (None, parse_move(rules, "3"), parse_move(rules, "444")):
            for _ in range(2):
                assert lister.legal_moves(rules, hand, to_beat) == specification.legal_moves(rules, hand, to_beat)
    game = start(shuffled(rules, "without"))
    assert lister.game_moves(game) is lister.game_play(game, PASS) is lister.game_seen(game, 0) is None


@pytest.mark.parametrize(
    ("name", "value"), [("implementation.name", "pypy"), ("platform", "emscripten"), ("_is_gil_enabled", lambda: False)]
)
def test_an_interpreter_of_another_kind_has_no_functions(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"sys.{name}", value, raising=False)
    assert not is_fit()


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
