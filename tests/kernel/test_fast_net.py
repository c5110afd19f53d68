"""The fast network in the kernel: one answer on every processor, and from Python; its files; and what it refuses."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ddzbot.cards import parse_hand
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import NET_PARAMETERS, SEEN
from ddzbot.kernel.fast_net import (
    AVX2,
    AVX512,
    BEST_CODE,
    CODE_NAMES,
    MOST_ACTIVE,
    PORTABLE,
    FastNet,
    codes_of,
    packed_view,
)
from ddzbot.kernel.fast_records import HEADS, MoveValue
from ddzbot.kernel.library import FILE_NAME, KernelError, Library, Memory
from ddzbot.net.fast_features import GROUPS
from ddzbot.net.fast_reference import FastReference
from ddzbot.rules import PAIR, PASS, RULE_SETS, SOLO, UNKNOWN, Move, RuleSet
from ddzbot.view import View
from tests.kernel.bench import Bench as Spoilt
from tests.net.fast_models import SATURATING, USUAL, random_seats, wishing_seat
from tests.net.positions import random_views
from tests.support import made_once, require_avx2
from tools.shared import compiling

NAMES = sorted(RULE_SETS)
MOVE_BYTES, ROOM = 16, 65536


@pytest.fixture(scope="module")
def net(kernel: Kernel) -> FastNet:
    return FastNet(kernel, random_seats())


# Values.


@pytest.mark.parametrize(
    ("spread", "units"), [(USUAL, 256), (SATURATING, 256), (USUAL, 512), (USUAL, 768), (SATURATING, 1024)]
)
def test_every_code_of_this_processor_gives_the_same_bits(kernel: Kernel, spread: int, units: int) -> None:
    codes = codes_of(kernel.library)
    require_avx2(AVX2 in codes)
    portable, *others = (FastNet(kernel, random_seats(2, spread, units), code) for code in codes)
    assert portable.code == PORTABLE
    for view in random_views(90)[::2]:
        expected = portable.values(view)
        for other in others:
            assert other.values(view) == expected, CODE_NAMES[other.code]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    """A kernel for a processor of which the sources know no instruction."""

    def make(folder: Path) -> None:
        flags = [*compiling.FLAGS, "-O1", "-DPLAIN_VECTORS"]
        compiling.built(compiling.find_compiler(os.environ), flags, folder / FILE_NAME)

    return Kernel(str(made_once(tmp_path_factory, "plain-kernel", make) / FILE_NAME))


@pytest.mark.whole
@pytest.mark.parametrize(("spread", "units"), [(USUAL, 256), (SATURATING, 256), (SATURATING, 1024)])
def test_plain_vectors_give_the_same_bits(kernel: Kernel, plain: Kernel, spread: int, units: int) -> None:
    usual, other = (FastNet(one, random_seats(2, spread, units), PORTABLE) for one in (kernel, plain))
    for view in random_views(60)[::2]:
        assert other.values(view) == usual.values(view)


@pytest.mark.parametrize(("name", "units"), [*((name, 256) for name in NAMES), ("botzone", 1024)])
def test_values_are_those_of_the_reference(kernel: Kernel, name: str, units: int) -> None:
    net, reference = (kind(random_seats(units=units)) for kind in (partial(FastNet, kernel), FastReference))
    for view in random_views(30, name)[3::4]:
        ours, theirs = net.values(view), reference.values(view)
        assert [worth.move for worth in ours] == [worth.move for worth in theirs] == view.legal_moves()
        assert np.array(numbers(ours)) == pytest.approx(np.array(numbers(theirs)), abs=1e-5)


def numbers(worths: list[MoveValue]) -> list[float]:
    return [number for worth in worths for number in worth[1:]]


def test_values_differ_from_move_to_move(net: FastNet) -> None:
    worths = net.values(random_views(1)[0])
    assert len({worth.win for worth in worths}) > len(worths) / 2
    assert np.std([worth.score for worth in worths]) > 0.05


def test_each_seat_has_parameters_of_its_own(kernel: Kernel) -> None:
    nets = [FastNet(kernel, seats) for seats in (random_seats(), random_seats()[::-1])]
    first, second, third = random_views(3)
    assert nets[0].values(second) == nets[1].values(second)
    for view in (first, third):
        assert nets[0].values(view) != nets[1].values(view)


def test_a_wish_for_a_feature_is_the_logit_of_every_move_that_has_it(kernel: Kernel) -> None:
    feature = next(group.first for group in GROUPS if group.meaning == "kind of the move") + PAIR
    net = FastNet(kernel, [wishing_seat({feature: 1.5})] * 3)
    wins = {worth.move.kind: worth.win for worth in net.values(random_views(1)[0])}
    assert wins.pop(PAIR) == pytest.approx(1.5)
    assert set(wins.values()) == {0}


def test_a_long_list_of_moves_is_valued_whole(net: FastNet) -> None:
    hand = parse_hand("333444555666789TJQK2")
    view = random_views(1)[0]._replace(hand=hand, bottom=0)
    moves = view.legal_moves()
    assert len(moves) > 400
    assert [worth.move for worth in net.values(view)] == moves


# What is refused.


def spoilt(change: Callable[[View], View]) -> View:
    return change(random_views(9)[8])


def with_move(view: View, **fields: int) -> View:
    return view._replace(plays=(view.plays[0]._replace(**fields), *view.plays[1:]))


@pytest.mark.parametrize(
    "change",
    [
        lambda view: view._replace(hand=view.hand - (view.hand & -view.hand)),
        lambda view: view._replace(hand=1 << 60),
        lambda view: view._replace(plays=view.plays[1:]),
        lambda view: view._replace(seat=(view.seat + 1) % 3),
        lambda view: view._replace(stake=0),
        lambda view: view._replace(stake=4),
        lambda view: view._replace(bottom=5),
        lambda view: view._replace(plays=(PASS, *view.plays[1:])),
        lambda view: with_move(view, kind=len(NAMES) + 50),
        lambda view: with_move(view, kind=SOLO, rank=-1),
        lambda view: with_move(view, kind=SOLO, rank=100),
        lambda view: with_move(view, kind=PAIR),
        lambda view: with_move(view, kind=UNKNOWN, rank=15),
        lambda view: with_move(view, kind=UNKNOWN, length=200),
        lambda view: with_move(view, cards=0),
    ],
)
def test_views_that_contradict_themselves_are_refused(net: FastNet, change: Callable[[View], View]) -> None:
    assert net.values(spoilt(lambda view: view))
    with pytest.raises(KernelError, match="ddz_net_values: bad game"):
        net.values(spoilt(change))


def test_a_view_of_other_rules_is_refused(net: FastNet) -> None:
    with pytest.raises(KernelError, match="ddz_net_values: bad"):
        net.values(random_views(1)[0]._replace(rules=RULE_SETS["mini"]))


@pytest.mark.parametrize("place", range(9))
def test_a_field_of_another_size_is_refused(kernel: Kernel, place: int) -> None:
    seats = random_seats()
    fields = list(seats[1])
    fields[place] += b"\0"
    with pytest.raises(KernelError, match="parameters of three seats, each of the right size"):
        FastNet(kernel, [seats[0], type(seats[1])(*fields), seats[2]])
    with pytest.raises(KernelError, match="parameters of three seats"):
        FastNet(kernel, seats[:2])


@pytest.mark.parametrize("code", [BEST_CODE + 1, 1 << 31])
def test_a_code_that_does_not_exist_is_refused(kernel: Kernel, code: int) -> None:
    with pytest.raises(KernelError, match="ddz_net_init: bad index"):
        FastNet(kernel, random_seats(), code)


def test_the_best_code_is_what_the_processor_has(kernel: Kernel) -> None:
    chosen = FastNet(kernel, random_seats(), BEST_CODE).code
    assert chosen == codes_of(kernel.library)[-1]
    assert CODE_NAMES[chosen] in ("portable", "avx2", "avx512")


def test_a_processor_with_avx512_has_avx2(kernel: Kernel) -> None:
    assert codes_of(kernel.library) in ([PORTABLE], [PORTABLE, AVX2], [PORTABLE, AVX2, AVX512])


@pytest.mark.parametrize("code", [PORTABLE, AVX2, AVX512])
def test_code_is_run_if_the_processor_has_it_and_else_refused(kernel: Kernel, code: int) -> None:
    if code in codes_of(kernel.library):
        assert FastNet(kernel, random_seats(), code).code == code
        return
    with pytest.raises(KernelError, match="ddz_net_init: bad index"):
        FastNet(kernel, random_seats(), code)


class Bench(Spoilt):
    """All memory of the calls here."""

    numbers = (("ddz_net_features", 3),)

    def __init__(self, kernel: Kernel) -> None:
        self.net = FastNet(kernel, random_seats())
        self.library = kernel.library
        self.view = random_views(9)[8]
        self.seen, self.plays = packed_view(self.view)
        self.rules: RuleSet = self.view.rules
        self.where = [kernel.compiled(self.rules).address, kernel.splits(self.rules), self.seen.address]
        self.blank = Memory(1 << 20)
        self.moves, self.heads, self.out = Memory(MOVE_BYTES * ROOM), Memory(4 * HEADS * ROOM), Memory(16)
        self.features = Memory(2 * MOST_ACTIVE)
        self.fields = [Memory(len(field) + 8) for field in random_seats()[0]]  # a test moves them by a byte
        self.parameters = Memory(3 * NET_PARAMETERS.size)
        for place in range(27):
            self.parameters.words()[place] = self.fields[place % 9].address

    def good_calls(self) -> dict[str, list[Any]]:
        cards = self.view.legal_moves()[-1].cards
        return {
            "ddz_cpu_avx2": [self.out.address],
            "ddz_cpu_avx512": [self.out.address],
            "ddz_net_layout": [self.out.address, 3],
            "ddz_net_init": [self.net.address, self.parameters.address, 256, BEST_CODE, self.out.address],
            "ddz_net_values": [
                *(self.net.address, *self.where, self.moves.address),
                *(self.heads.address, ROOM, self.out.address),
            ],
            "ddz_net_features": [*self.where, cards, self.features.address, self.out.address],
        }


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    return Bench(kernel)


@pytest.mark.parametrize("units", [0, 128, 384, 1280, 1 << 31])
def test_units_that_no_network_has_are_refused(bench: Bench, units: int) -> None:
    net, parameters, _, *rest = bench.good_calls()["ddz_net_init"]
    assert bench.status("ddz_net_init", net, parameters, units, *rest) == "bad index"


def test_every_pointer_is_checked(bench: Bench) -> None:
    bench.check_pointers()


@pytest.mark.parametrize("place", range(27))
def test_every_field_of_the_parameters_is_checked(bench: Bench, place: int) -> None:
    good = bench.good_calls()["ddz_net_init"]
    bench.parameters.words()[place] = 0
    assert bench.status("ddz_net_init", *good) == "bad pointer"
    bench.parameters.words()[place] = bench.fields[place % 9].address + 1
    assert bench.status("ddz_net_init", *good) == ("ok" if place % 9 == 2 else "bad pointer")  # second is bytes


def test_memory_that_was_never_filled_is_no_network_and_no_rules(bench: Bench) -> None:
    good = bench.good_calls()["ddz_net_values"]
    for place in range(3):
        arguments = [*good[:place], bench.blank.address, *good[place + 1 :]]
        assert bench.status("ddz_net_values", *arguments) == "bad rules", place


def test_the_moves_of_a_view_must_be_where_it_says(bench: Bench) -> None:
    good = bench.good_calls()["ddz_net_values"]
    bench.seen.words()[3] = 0
    assert bench.status("ddz_net_values", *good) == "bad pointer"


@pytest.mark.parametrize("byte", range(32, SEEN.size - 7))
def test_no_count_or_seat_of_a_view_crashes_the_kernel(bench: Bench, byte: int) -> None:
    good, whole = bench.good_calls()["ddz_net_values"], bench.seen.bytes[byte]
    for value in (0, 1, 2, 3, 17, 21, 200, 255):
        bench.seen.bytes[byte] = value
        assert bench.status("ddz_net_values", *good) == "bad game" or value == whole or byte == 37


def test_a_short_buffer_is_refused_and_not_overrun(bench: Bench) -> None:
    good, number = bench.good_calls()["ddz_net_values"], len(bench.view.legal_moves())
    for capacity in range(number):
        bench.moves.bytes[:], bench.heads.bytes[:] = (b"\xa5" * len(part.bytes) for part in (bench.moves, bench.heads))
        assert bench.status("ddz_net_values", *good[:6], capacity, good[7]) == "short buffer"
        assert set(bench.moves.bytes[MOVE_BYTES * capacity :]) | set(bench.heads.bytes) == {0xA5}


def test_a_short_layout_is_refused(bench: Bench) -> None:
    assert bench.status("ddz_net_layout", bench.out.address, 2) == "short buffer"


def test_an_unknown_move_on_the_table_is_answered(net: FastNet) -> None:
    odd = parse_hand("79TJ")
    view = random_views(2)[1]
    view = view._replace(hand=parse_hand("3333444455556688L"), bottom=0, plays=(Move(odd, UNKNOWN, -1, 0),))
    assert [worth.move for worth in net.values(view)] == view.legal_moves()


# Files. tests/training/champion has the networks that are trained.


def test_an_entry_point_that_is_not_there_is_named(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(kernel.library.path)
    monkeypatch.setattr(library, "_long", object())
    with pytest.raises(KernelError, match="this kernel has no ddz_net_values"):
        library.call("ddz_net_values")


def test_a_view_is_packed_once_and_another_one_anew(kernel: Kernel) -> None:
    first, second = random_views(20)[-2:]
    packed = packed_view(first)
    assert packed_view(first) is packed and packed_view(second) is not packed
    again = packed_view(View(*first))
    assert again is not packed and [bytes(part.bytes) for part in again][1:] == [bytes(packed[1].bytes)]
