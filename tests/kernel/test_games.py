"""Random games: the kernel plays and pays as ddzbot.game does."""

import random

import pytest

from ddzbot.cards import parse_hand
from ddzbot.game import Game, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.chance import Generator
from ddzbot.kernel.codec import GAME, NOBODY, game_fields
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.rules import RULE_SETS, RuleSet, explain, parse_move
from tests.kernel.situations import NAMES, PAIRS, random_rules, with_solos_and_pairs
from tests.kernel.twin import Twin

WINNER = 18


def played(rules: RuleSet, seed: str, plies: int, bids: tuple[int, ...] = ()) -> Game:
    """Gets a game some random moves after the deal, or one that ended before."""
    game, generator = start(shuffled(rules, seed), bids), Generator(plies)
    while len(game.plays) < plies and not game.finished:
        game = game.played(Twin().random_move(rules, game.hands[game.seat], game.to_beat, generator))
    return game


@pytest.mark.parametrize("plies", [0, 1, 2, 5, 11, 23])
@pytest.mark.parametrize("name", NAMES)
def test_kernel_and_twin_play_the_same_random_games(kernel: Kernel, name: str, plies: int) -> None:
    rules = RULE_SETS[name]
    game = played(rules, "twins", plies, (2, 0, 0) if rules.bidding else ())
    ours, theirs = Generator(plies), Generator(plies)
    assert kernel.playouts(game, 8, ours) == Twin().playouts(game, 8, theirs)
    assert ours.state == theirs.state


@pytest.mark.parametrize("seed", range(4))
def test_kernel_and_twin_play_the_same_games_under_rules_that_nobody_plays(kernel: Kernel, seed: int) -> None:
    chance, compared = random.Random(f"odd games/{seed}"), 0
    while compared < PAIRS // 250:
        rules = with_solos_and_pairs(random_rules(chance))
        game = start(shuffled(rules, str(compared)))
        try:
            totals = kernel.playouts(game, 2, Generator(seed))
        except KernelError:
            continue  # two rows of one kind and size
        compared += 1
        assert totals == Twin().playouts(game, 2, Generator(seed)), rules


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_kernel_follows_a_game_move_by_move(kernel: Kernel, name: str, seed: int) -> None:
    rules = RULE_SETS[name]
    bids = ((0, 0, 0), (1, 0, 0), (2, 0, 0), (3,))[seed % 4] if rules.bidding else ()
    full = played(rules, f"lay/{seed}", 1000, bids)
    record, scores = Memory(GAME.size), Memory(24)
    game = start(shuffled(rules, f"lay/{seed}"), bids)
    GAME.pack_into(record.bytes, 0, *game_fields(game))
    for move in full.plays:
        kernel.library.call("ddz_game_lay", kernel.compiled(rules).address, record.address, move.cards)
        game = game.play(move)
        assert GAME.unpack(record.bytes) == GAME.unpack(GAME.pack(*game_fields(game)))
    kernel.library.call("ddz_game_scores", kernel.compiled(rules).address, record.address, scores.address)
    assert list(scores.bytes.cast("q")) == [round(200 * points) for points in full.scores()]


def laid_by_both(kernel: Kernel, rules: RuleSet, hands: tuple[str, str, str], moves: str) -> tuple[list[int], Game]:
    """Lays *moves* in the kernel's game and in ours; returns the kernel's scores and our game."""
    first, second, third = map(parse_hand, hands)
    game, record, scores = Game(rules, (first, second, third), 0, (), (0, 2, 0), 1), Memory(GAME.size), Memory(24)
    compiled = kernel.compiled(rules).address
    GAME.pack_into(record.bytes, 0, *game_fields(game))
    for text in moves.split():
        move = parse_move(rules, text)
        kernel.library.call("ddz_game_lay", compiled, record.address, move.cards)
        game = game.play(move)
    kernel.library.call("ddz_game_scores", compiled, record.address, scores.address)
    return list(scores.bytes.cast("q")), game


@pytest.mark.parametrize(
    ("hands", "moves"),
    [
        # the peasants lay nothing: spring
        (("34", "55", "66"), "3 pass pass 4"),
        (("3", "5", "6"), "3"),
        # the landlord lays once: anti-spring; and twice: none
        (("34", "5", "6"), "3 5"),
        (("3478", "58", "6"), "3 5 pass 7 8"),
        (("3378", "59", "6"), "33 pass pass 7 9 pass pass 5"),
        # bombs and the rocket double
        (("34444", "LB555", "7"), "3 LB pass pass 555"),
        (("33335", "4444", "6"), "3333 4444"),
        # a plane that reads as kickers under some rules, and an answer
        (("333444555666A", "777888999TJQK", "2"), "333444555666 pass pass A"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_kernel_pays_what_the_platform_pays(kernel: Kernel, name: str, hands: tuple[str, str, str], moves: str) -> None:
    scores, game = laid_by_both(kernel, RULE_SETS[name], hands, moves)
    assert scores == [round(200 * points) for points in game.scores()]


@pytest.mark.parametrize(
    ("hands", "moves", "points"),
    [
        (("333344446", "7", "8"), "33334444 pass pass 6", 2.11),
        (("3333444455556", "7", "8"), "333344445555 pass pass 6", 2.21),
        (("3333444455556789", "7", "8"), "333344445555678 pass pass 9", 2.21),
    ],
)
def test_a_shuttle_of_three_quads_is_paid_more(
    kernel: Kernel, hands: tuple[str, str, str], moves: str, points: float
) -> None:
    scores, game = laid_by_both(kernel, RULE_SETS["botzone"], hands, moves)
    assert scores == [round(200 * points), 0, 0]
    assert game.scores() == (points, 0, 0)


def test_an_illegal_move_is_refused_and_changes_nothing(kernel: Kernel) -> None:
    rules = RULE_SETS["botzone"]
    game = played(rules, "refused", 7)
    record = Memory(GAME.size)
    GAME.pack_into(record.bytes, 0, *game_fields(game))
    before = bytes(record.bytes)
    refused = 0
    for cards in (game.hands[(game.seat + 1) % 3], 0x1111, 0x3, 0x12, 0):
        if explain(rules, game.hands[game.seat], cards, game.to_beat) is not None:
            refused += 1
            with pytest.raises(KernelError, match="bad move"):
                kernel.library.call("ddz_game_lay", kernel.compiled(rules).address, record.address, cards)
    assert refused >= 3
    assert bytes(record.bytes) == before


def test_a_finished_game_has_no_playouts(kernel: Kernel) -> None:
    game = played(RULE_SETS["botzone"], "over", 1000)
    assert GAME.unpack(GAME.pack(*game_fields(game)))[WINNER] == game.winner != NOBODY
    for engine in (kernel, Twin()):
        with pytest.raises(ValueError, match="game"):
            engine.playouts(game, 1, Generator(1))
