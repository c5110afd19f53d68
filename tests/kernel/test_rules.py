"""ddzbot.rules says the same by the kernel as by the reference: lists, readings, refusals and their words."""

import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from ddzbot import rules as asked
from ddzbot import rules_reference as reference
from ddzbot.cards import FULL_DECK, Hand, contains, hand_text, parse_hand
from ddzbot.game import Game, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.rules import BOTZONE, FOUR_TWO_PAIR, FOUR_TWO_SOLO, ICGA, MINI, PASS, RULE_SETS, STANDARD, Move, RuleSet
from tests.kernel.situations import PAIRS, Situations, loosened
from tests.support import ROOT

HOUSE = STANDARD._replace(
    name="house", legal=tuple(shape for shape in STANDARD.legal if shape.kind not in (FOUR_TWO_SOLO, FOUR_TWO_PAIR))
)
OWN = (HOUSE, loosened(ICGA), loosened(MINI))
"""Rule sets of one's own: fewer kinds, kickers of any cards, and shuttles with one kicker or two."""
SETS = pytest.mark.parametrize("rules", [*RULE_SETS.values(), *OWN], ids=lambda rules: rules.name)


@pytest.fixture(autouse=True)
def the_kernel_answers(kernel: Kernel, rules_are_asked_anew: None) -> None:
    asked.answer_by(kernel.lister())


def tried(chance: random.Random, hand: Hand, to_beat: Move | None, legal: list[Move]) -> Iterator[Hand]:
    """Yields cards that a player may try: a legal move, one with other cards, some of the hand, and any at all."""
    part = hand & chance.getrandbits(60)
    yield part if contains(hand, part) else 0
    yield to_beat.cards if to_beat else hand
    if legal:
        move = chance.choice(legal).cards
        other = move + (1 << 4 * chance.randrange(15))
        yield from (move, other if contains(FULL_DECK, other) else 0)


@SETS
def test_every_answer_is_that_of_the_reference(kernel: Kernel, rules: RuleSet) -> None:
    chance, most = random.Random(rules.name), 14 if rules in OWN else 20
    for hand, to_beat in islice(Situations(kernel, rules, "answers", most_cards=most), PAIRS // 4):
        legal = asked.legal_moves(rules, hand, to_beat)
        assert legal == reference.legal_moves(rules, hand, to_beat), (hand_text(hand), to_beat)
        for cards in tried(chance, hand, to_beat, legal):
            compare(rules, hand, cards, to_beat)


def compare(rules: RuleSet, hand: Hand, cards: Hand, to_beat: Move | None) -> None:
    where = (rules.name, hand, cards, to_beat)
    readings = reference.classify(rules, cards, recognised=True)
    assert asked.classify(rules, cards) == reference.classify(rules, cards), where
    assert asked.classify(rules, cards, recognised=True) == readings, where
    refusal = reference.explain(rules, hand, cards, to_beat)
    assert asked.explain(rules, hand, cards, to_beat) == refusal, where
    if to_beat:
        assert asked.beats(rules, cards, to_beat.cards) == reference.beats(rules, cards, to_beat.cards), where
    for move in (asked.read_move(rules, cards), Move(cards, 3, 0, 1)):
        assert asked.is_legal(rules, hand, move, to_beat) == (refusal is None and move in readings), where


def test_cards_beyond_a_deck_and_odd_tables_are_left_to_the_reference() -> None:
    table = Move(parse_hand("3333"), 13, 0, 1)
    for cards in (-1, 1 << 60, 5, 15 << 52, 1 << 200):
        for hand, to_beat in ((cards, None), (cards, table), (FULL_DECK, Move(cards, 3, 0, 1)), (FULL_DECK, PASS)):
            try:
                expected = reference.legal_moves(BOTZONE, hand, to_beat)
            except Exception as error:
                with pytest.raises(type(error)):
                    asked.legal_moves(BOTZONE, hand, to_beat)
            else:
                assert asked.legal_moves(BOTZONE, hand, to_beat) == expected
    for hand in (None, "34", 3.5):
        with pytest.raises(TypeError):
            asked.legal_moves(BOTZONE, hand)  # type: ignore[arg-type]


TWICE = BOTZONE._replace(name="twice", legal=(*BOTZONE.legal, BOTZONE.legal[4]))
ENDLESS = BOTZONE._replace(name="endless", legal=tuple(shape._replace(max_length=999) for shape in BOTZONE.legal))


@pytest.mark.parametrize(("rules", "why"), [(TWICE, "bad rules"), (ENDLESS, "rules endless: .*255")])
def test_rules_that_the_kernel_refuses_are_answered_by_the_reference(kernel: Kernel, rules: RuleSet, why: str) -> None:
    with pytest.raises(KernelError, match=why):
        kernel.legal_moves(rules, FULL_DECK)
    hand = parse_hand("3334445556789TJLB")
    assert asked.legal_moves(rules, hand) == reference.legal_moves(rules, hand)
    assert asked.classify(rules, parse_hand("33344")) == reference.classify(rules, parse_hand("33344"))


@pytest.mark.parametrize("fault", [ZeroDivisionError, MemoryError, ValueError, SystemError])
def test_a_fault_of_the_kernel_is_not_hidden(kernel: Kernel, fault: type[Exception]) -> None:
    def fails(*_: object) -> list[Move]:
        raise fault

    asked.answer_by(kernel.lister()._replace(legal_moves=fails, classify=fails))
    fresh, cards = MINI._replace(name="fresh"), parse_hand("34567")  # no reading of it is kept
    for ask in (asked.legal_moves, asked.classify, asked.read_move):
        with pytest.raises(fault):
            ask(fresh, cards)


def test_a_list_is_its_caller_s_own() -> None:
    hand = parse_hand("34567")
    asked.legal_moves(BOTZONE, hand).clear()
    assert asked.legal_moves(BOTZONE, hand) == reference.legal_moves(BOTZONE, hand)


def test_a_game_refuses_what_was_put_into_its_list() -> None:
    game = start(shuffled(BOTZONE, "put"))
    strange = Move(parse_hand("3333"), 13, 0, 1)
    game.legal_moves().append(strange)
    with pytest.raises(ValueError, match="3333"):
        game.play(strange)


def played(seed: int) -> Game:
    chance, game = random.Random(seed), start(shuffled(STANDARD, str(seed)))
    while not game.finished:
        game = game.play(chance.choice(game.legal_moves()))
    return game


def test_threads_that_ask_at_once_get_their_own_answers() -> None:
    alone = [played(seed) for seed in range(40)]
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(played, range(40))) == alone
    finally:
        sys.setswitchinterval(switching)


LAZY = """
import sys
from ddzbot import rules
assert "ddzbot.kernel" not in sys.modules and "ctypes" not in sys.modules
import ddzbot.api
from ddzbot import kernel
hand = ddzbot.api.parse_hand("34567")
for _ in range(rules.PATIENCE):
    rules.legal_moves(rules.MINI, hand)
assert kernel._choice is None and rules.answers() == "reference"
rules.legal_moves(rules.MINI, hand)
print(rules.answers())
rules.offer(kernel.lister)
kernel._choice = None
kernel.native()
print(rules.answers())
"""


@pytest.mark.parametrize("forbidden", [False, True])
def test_the_kernel_is_loaded_when_that_pays(kernel: Kernel, forbidden: bool) -> None:
    environment = {"DDZ_KERNEL": kernel.library.path, "DDZ_NO_KERNEL": str(int(forbidden)), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", LAZY], env=environment, capture_output=True, text=True)
    name = "reference" if forbidden else "kernel"
    assert (done.stdout.splitlines(), done.stderr) == ([name, name], "")
