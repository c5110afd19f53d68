"""Bad input: every entry point answers with a status, and neither crashes nor writes where it must not."""

import ctypes
import random
import re
from importlib import import_module
from typing import Any

import pytest

from ddzbot.cards import FULL_DECK, contains, parse_hand
from ddzbot.game import shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import GAME, LISTING, MOVE, SHAPE, TERMS, TOTALS, game_fields, pack_shapes, pack_terms
from ddzbot.kernel.headers import HEADERS
from ddzbot.kernel.library import STATUS_NAMES, KernelError, Memory
from ddzbot.rules import BOTZONE, BOTZONE2, PAIR, RULE_SETS, STANDARD, TRIO, parse_move
from tests.kernel.bench import Bench as Spoilt
from tools.shared import compiling

NO_DECK = (1 << 64) - 1
THREES = 0x0113333333333333
ROOM = 64
FUZZED = 3000


class Bench(Spoilt):
    """All memory of the calls here."""

    anywhere = (("ddz_rules_init", 1), ("ddz_rules_init", 3), ("ddz_fewest_moves_batch", 3))

    def __init__(self, kernel: Kernel) -> None:
        self.library = kernel.library
        self.rules = kernel.compiled(BOTZONE).address
        self.splits = kernel.splits(BOTZONE)
        self.blank_rules = Memory(kernel.library.sizes["ddz_rules"])
        self.blank_splits = Memory(kernel.library.sizes["ddz_splits"])
        self.moves = Memory(MOVE.size * ROOM)
        self.out = Memory(64)
        self.cards = Memory(8 * ROOM)
        question = (self.rules, 0x3, 0, -1, self.moves.address, self.cards.address, ROOM, 0, 0)
        self.listing = Memory.of(LISTING.pack(*question))
        self.hands = Memory(32)
        self.totals = Memory(TOTALS.size)
        self.random = Memory(32)
        kernel.library.call("ddz_random_seed", self.random.address, 1)
        self.game = Memory(GAME.size)
        GAME.pack_into(self.game.bytes, 0, *game_fields(start(shuffled(BOTZONE, "bad"))))
        self.shapes = ctypes.create_string_buffer(pack_shapes(BOTZONE.legal))
        self.terms = ctypes.create_string_buffer(pack_terms(BOTZONE))

    def good_calls(self) -> dict[str, list[Any]]:
        out, moves, random_, game = self.out.address, self.moves.address, self.random.address, self.game.address
        hands = self.hands.address
        shapes, terms = ctypes.addressof(self.shapes), ctypes.addressof(self.terms)
        situation = [self.rules, 0x3, 0, -1]
        rows = len(BOTZONE.legal)
        return {
            "ddz_layout": [out, 9],
            "ddz_rules_init": [self.blank_rules.address, shapes, rows, shapes, rows, terms],
            "ddz_classify": [self.rules, 0x3, 0, moves, ROOM, out],
            "ddz_moves": [*situation, moves, ROOM, out, out + 4],
            "ddz_list": [self.listing.address],
            "ddz_leads_batch": [self.rules, hands, 4, moves, ROOM, out],
            "ddz_random_seed": [random_, 5],
            "ddz_random_move": [*situation, random_, moves],
            "ddz_splits_init": [self.rules, self.blank_splits.address],
            "ddz_fewest_moves": [self.splits, 0x3, out],
            "ddz_fewest_moves_batch": [self.splits, hands, 4, out],
            "ddz_playouts": [self.rules, game, 2, random_, self.totals.address],
            "ddz_replay": [self.rules, game, hands, 4, out, out + 8],
        }


BENCHES = ("bad_input", "bad_search_input", "cnn", "fast_net", "rollout", "selfplay", "bid_values", "env", "objects")
"""The tests that have a bench: each tries null and crooked pointers and bad values in its entry points."""
WITHOUT_INPUT = {"ddz_version", "ddz_build"}
RETURNS_AN_OBJECT = {"ddz_legal_moves", "ddz_game_moves", "ddz_game_play", "ddz_game_seen"}
"""Python calls them."""


def test_every_entry_point_of_the_headers_has_a_row(kernel: Kernel) -> None:
    rows: set[str] = set()
    for name in BENCHES:
        rows |= import_module(f"tests.kernel.test_{name}").Bench(kernel).good_calls().keys()
    headers = "".join(path.read_text("utf-8") for path in compiling.SOURCES.rglob("ddz_*.h"))
    declared = {*re.findall(r"^DDZ_API .*?(ddz_\w+)\(", headers, re.M)}
    assert declared - rows == WITHOUT_INPUT | RETURNS_AN_OBJECT and rows <= declared
    assert declared - WITHOUT_INPUT == {entry for header in HEADERS for entry in header.entries}


@pytest.fixture
def bench(kernel: Kernel) -> Bench:
    return Bench(kernel)


def test_every_pointer_is_checked(bench: Bench) -> None:
    assert bench.good_calls().keys() == HEADERS[0].entries.keys()
    bench.check_pointers()


def test_memory_that_was_never_filled_is_no_rules_and_no_splits(bench: Bench) -> None:
    blank_rules, blank_splits = bench.blank_rules.address, bench.blank_splits.address
    refused = 0
    for name, arguments in bench.good_calls().items():
        blank = {bench.rules: blank_rules, bench.splits: blank_splits}
        if arguments[0] in blank:
            assert bench.status(name, blank[arguments[0]], *arguments[1:]) == "bad rules", name
            refused += 1
    assert refused == 9


def test_a_generator_that_was_never_seeded_is_refused(bench: Bench) -> None:
    blank = Memory(32)
    for name in ("ddz_random_move", "ddz_playouts"):
        arguments = [blank.address if each == bench.random.address else each for each in bench.good_calls()[name]]
        assert bench.status(name, *arguments) == "bad random generator", name


@pytest.mark.parametrize("word", [5, 1 << 60, 15 << 52, 2 << 52, (1 << 64) - 1, FULL_DECK + 1])
def test_words_that_are_no_cards_are_refused(bench: Bench, word: int) -> None:
    for name in ("ddz_classify", "ddz_moves", "ddz_random_move", "ddz_fewest_moves"):
        arguments = bench.good_calls()[name]
        assert bench.status(name, arguments[0], word, *arguments[2:]) == "bad cards", name
    for name in ("ddz_moves", "ddz_random_move"):
        arguments = bench.good_calls()[name]
        assert bench.status(name, *arguments[:2], word, 1, *arguments[4:]) == "bad cards", name


@pytest.mark.parametrize("kind", [-2, 19, 1 << 30, -(1 << 31)])
def test_a_kind_that_does_not_exist_is_refused(bench: Bench, kind: int) -> None:
    arguments = bench.good_calls()["ddz_moves"]
    assert bench.status("ddz_moves", *arguments[:3], kind, *arguments[4:]) == "bad move"


def test_a_lead_with_cards_on_the_table_is_refused(bench: Bench) -> None:
    arguments = bench.good_calls()["ddz_moves"]
    assert bench.status("ddz_moves", *arguments[:2], 0x1, *arguments[3:]) == "bad move"


@pytest.mark.parametrize("capacity", [0, 1, 2, 5, 40, 63])
@pytest.mark.parametrize("name", ["botzone2", "standard"])
def test_a_short_buffer_is_refused_and_not_overrun(bench: Bench, kernel: Kernel, name: str, capacity: int) -> None:
    hand = 0x0110000000444444
    bench.moves.bytes[:] = b"\xa5" * len(bench.moves.bytes)
    rules = kernel.compiled(RULE_SETS[name]).address
    arguments = [rules, hand, 0, -1, bench.moves.address, capacity, bench.out.address, bench.out.address + 4]
    assert bench.status("ddz_moves", *arguments) == "short buffer"
    assert bench.moves.bytes[MOVE.size * capacity :] == b"\xa5" * (MOVE.size * (ROOM - capacity))


def test_no_capacity_below_the_number_of_moves_is_overrun(bench: Bench, kernel: Kernel) -> None:
    hand = parse_hand("333444555667777")  # planes that share trios come first, quads after them
    number = len(kernel.legal_moves(STANDARD, hand))
    room = Memory(MOVE.size * (number + 1))
    for capacity in range(number):
        room.bytes[:] = b"\xa5" * len(room.bytes)
        where = [room.address, capacity, bench.out.address, bench.out.address + 4]
        status = bench.status("ddz_moves", kernel.compiled(STANDARD).address, hand, 0, -1, *where)
        assert (status, set(room.bytes[MOVE.size * capacity :])) == ("short buffer", {0xA5})


@pytest.mark.parametrize("field", range(SHAPE.size))
def test_a_row_with_a_field_out_of_range_is_refused(kernel: Kernel, field: int) -> None:
    rows = bytearray(pack_shapes(BOTZONE.legal))
    rows[3 * SHAPE.size + field] = 200
    memory = Memory(kernel.library.sizes["ddz_rules"])
    good, terms, count = pack_shapes(BOTZONE.legal), pack_terms(BOTZONE), len(BOTZONE.legal)
    for pair in ((bytes(rows), good), (good, bytes(rows))):
        with pytest.raises(KernelError, match="bad rules"):
            kernel.library.call("ddz_rules_init", memory.address, pair[0], count, pair[1], count, terms)


@pytest.mark.parametrize("count", [25, 1 << 31])
def test_a_grammar_of_too_many_rows_is_refused(bench: Bench, count: int) -> None:
    arguments = bench.good_calls()["ddz_rules_init"]
    assert bench.status("ddz_rules_init", *arguments[:2], count, *arguments[3:]) == "bad rules"


def test_two_rows_for_the_same_moves_are_refused(kernel: Kernel) -> None:
    twice = BOTZONE._replace(legal=(*BOTZONE.legal, BOTZONE.legal[4]))
    with pytest.raises(KernelError, match="bad rules"):
        kernel.legal_moves(twice, 0x3)


def test_rules_without_solos_have_no_random_games_and_no_splits(kernel: Kernel) -> None:
    odd = STANDARD._replace(legal=STANDARD.legal[1:])
    record, random_, totals = Memory(GAME.size), Memory(32), Memory(TOTALS.size)
    GAME.pack_into(record.bytes, 0, *game_fields(start(shuffled(odd, "odd"))))
    kernel.library.call("ddz_random_seed", random_.address, 1)
    where = (kernel.compiled(odd).address, record.address, 1, random_.address, totals.address)
    with pytest.raises(KernelError, match="bad game"):
        kernel.library.call("ddz_playouts", *where)
    with pytest.raises(KernelError, match="bad rules"):
        kernel.fewest_moves(odd, 0x3)


@pytest.mark.parametrize("seed", range(4))
def test_random_rows_and_terms_are_compiled_or_refused(kernel: Kernel, seed: int) -> None:
    chance, memory = random.Random(f"rows/{seed}"), Memory(kernel.library.sizes["ddz_rules"])
    moves, out = Memory(MOVE.size * ROOM), Memory(8)
    library = kernel.library
    for _ in range(FUZZED // 4):
        rows = bytes(chance.choice((0, 1, 1, 2, 2, 3, 4, 12, 14, 200)) for _ in range(SHAPE.size * 6))
        terms = bytearray(pack_terms(BOTZONE2))
        terms[chance.randrange(TERMS.size)] = chance.randrange(256)
        count = chance.randint(0, 6)
        status = library.status("ddz_rules_init", memory.address, rows, count, rows, count, bytes(terms))
        assert STATUS_NAMES[status] in ("ok", "bad rules")
        if status == 0:
            situation = (memory.address, 0x0110000022233344, 0x333, 3)
            status = library.status("ddz_moves", *situation, moves.address, ROOM, out.address, out.address + 4)
            assert STATUS_NAMES[status] in ("ok", "short buffer", "bad cards")


@pytest.mark.parametrize("seed", range(4))
def test_random_words_get_a_status(bench: Bench, kernel: Kernel, seed: int) -> None:
    chance = random.Random(f"words/{seed}")
    rules = [kernel.compiled(each).address for each in RULE_SETS.values()]
    for _ in range(FUZZED):
        # Every other word is cards: at most three of a rank and one of a joker.
        hand, table = (chance.getrandbits(64) & chance.choice((NO_DECK, THREES, THREES >> 32)) for _ in range(2))
        situation = [chance.choice(rules), hand, table, chance.randint(-3, 20)]
        moves, out = bench.moves.address, bench.out.address
        statuses = {
            bench.status("ddz_moves", *situation, moves, ROOM, out, out + 4),
            bench.status("ddz_random_move", *situation, bench.random.address, moves),
            bench.status("ddz_classify", situation[0], hand, chance.getrandbits(1), moves, ROOM, out),
            bench.status("ddz_fewest_moves", bench.splits, hand, out),
        }
        assert "bad pointer" not in statuses
        if not contains(FULL_DECK, hand) or hand >> 60:
            assert "ok" not in statuses


@pytest.mark.parametrize(
    ("hands", "table"),
    [(("33", "33", "3"), "4"), (("3", "4", "5"), "3333"), (("L", "L", "3"), "4"), (("3", "", "5"), "4")],
)
def test_a_game_that_is_no_deck_or_is_over_is_refused(bench: Bench, hands: tuple[str, ...], table: str) -> None:
    move = parse_move(BOTZONE, table)
    fields = list(GAME.unpack(bench.game.bytes))
    fields[:8] = [*map(parse_hand, hands), move.cards, move.kind, move.rank, move.length, move.size]
    GAME.pack_into(bench.game.bytes, 0, *fields)
    assert bench.status("ddz_playouts", *bench.good_calls()["ddz_playouts"]) == "bad game"


@pytest.mark.parametrize(
    ("field", "value"), [("kind", PAIR), ("rank", 5), ("rank", -1), ("rank", 105), ("length", 2), ("size", 4)]
)
def test_a_table_that_is_no_reading_of_its_cards_is_refused(bench: Bench, field: str, value: int) -> None:
    table = {"cards": parse_hand("555"), "kind": TRIO, "rank": 2, "length": 1, "size": 3}
    fields = list(GAME.unpack(bench.game.bytes))
    fields[:3] = map(parse_hand, ("666", "777", "8"))
    fields[3:8] = table.values()
    GAME.pack_into(bench.game.bytes, 0, *fields)
    assert bench.status("ddz_playouts", *bench.good_calls()["ddz_playouts"]) == "ok"
    fields[3:8] = {**table, field: value}.values()
    GAME.pack_into(bench.game.bytes, 0, *fields)
    assert bench.status("ddz_playouts", *bench.good_calls()["ddz_playouts"]) == "bad game"


@pytest.mark.parametrize("seed", range(4))
def test_random_games_are_played_or_refused(bench: Bench, seed: int) -> None:
    chance, good = random.Random(f"games/{seed}"), bytes(bench.game.bytes)
    played = 0
    for _ in range(FUZZED):
        record = bytearray(good)
        for _ in range(chance.randint(0, 3)):
            record[chance.randrange(24, GAME.size)] = chance.choice((0, 1, 2, 3, 13, 255, chance.randrange(256)))
        bench.game.bytes[:] = record
        status = bench.status("ddz_playouts", *bench.good_calls()["ddz_playouts"])
        assert status in ("ok", "bad game") and bytes(bench.game.bytes) == record
        played += status == "ok"
    assert 0 < played < FUZZED
