"""Random games: the kernel plays and pays as ddzbot.game does."""

import random

import pytest

from ddzbot import rules_reference as reference
from ddzbot.cards import Hand, parse_hand
from ddzbot.game import SEATS, Game, shuffled, start
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.codec import ENV_OPTIONS, ENV_TABLE, GAME, NO_SEAT, RANDOM, game_fields
from ddzbot.kernel.library import KernelError, Memory
from ddzbot.kernel.rng import Generator
from ddzbot.rules import ICGA, MINI, RULE_SETS, Move, RuleSet, parse_move
from tests.kernel.reference import Reference
from tests.kernel.situations import NAMES, PAIRS, loosened, random_rules, with_solos_and_pairs

WINNER = 18


def played(rules: RuleSet, seed: str, plies: int, bids: tuple[int, ...] = ()) -> Game:
    """Gets a game some random moves after the deal, or one that ended before."""
    game, generator = start(shuffled(rules, seed), bids), Generator(plies)
    while len(game.plays) < plies and not game.finished:
        game = game.played(Reference().random_move(rules, game.hands[game.seat], game.to_beat, generator))
    return game


@pytest.mark.parametrize("plies", [0, 1, 2, 5, 11, 23])
@pytest.mark.parametrize("name", NAMES)
def test_kernel_and_reference_play_the_same_random_games(kernel: Kernel, name: str, plies: int) -> None:
    rules = RULE_SETS[name]
    game = played(rules, "references", plies, (2, 0, 0) if rules.bidding else ())
    ours, theirs = Generator(plies), Generator(plies)
    assert kernel.playouts(game, 8, ours) == Reference().playouts(game, 8, theirs)
    assert ours.state == theirs.state


@pytest.mark.parametrize("seed", range(4))
def test_kernel_and_reference_play_the_same_games_under_invented_rules(kernel: Kernel, seed: int) -> None:
    chance, compared = random.Random(f"odd games/{seed}"), 0
    while compared < PAIRS // 250:
        rules = with_solos_and_pairs(random_rules(chance))
        game = start(shuffled(rules, str(compared)))
        try:
            totals = kernel.playouts(game, 2, Generator(seed))
        except KernelError:
            continue  # two rows of one kind and size
        compared += 1
        assert totals == Reference().playouts(game, 2, Generator(seed)), rules


def played_by_reference(game: Game, moves: list[Hand]) -> tuple[int, Game]:
    """Plays moves up to the first that the rules refuse: its number, and the game before it."""
    for number, cards in enumerate(moves):
        if game.finished or reference.explain(game.rules, game.hands[game.seat], cards, game.to_beat):
            return number, game
        game = game.played(reference.classify(game.rules, cards, True)[0])
    return len(moves), game


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), loosened(ICGA), loosened(MINI)], ids=lambda rules: rules.name)
def test_a_replay_stops_where_the_reference_does_and_pays_the_same(kernel: Kernel, rules: RuleSet) -> None:
    chance, bids = random.Random(f"replays/{rules.name}"), (2, 0, 0) if rules.bidding else ()
    stops: set[int] = set()
    for number in range(12):
        game = start(shuffled(rules, f"replays/{number}"), bids)
        moves = [move.cards for move in played(rules, f"replays/{number}", 1000, bids).plays]
        for damage in (None, 0, chance.choice(moves), game.hands[chance.randrange(3)] & 0xF0F, 5, 1 << 60, 1 << 70, -1):
            damaged = moves if damage is None else [*moves]
            if damage is not None:
                damaged[chance.randrange(len(moves))] = damage
            legal, after = played_by_reference(game, damaged)
            paid = pytest.approx(after.scores(), abs=1e-12) if after.finished else None
            assert kernel.replay(rules, game.hands, 2, damaged[:legal]) == (after.winner, paid), (number, damage)
            assert legal == len(moves) or kernel.replay(rules, game.hands, 2, damaged[: legal + 1]) is None
            stops.add(legal)
        assert kernel.replay(rules, game.hands, 2, [*moves, 0]) is None, "the game is over"
    assert len(stops) > 12, "games of many lengths, and damaged anywhere"
    assert kernel.replay(rules, (0, *game.hands[1:]), 2, moves) is None, "a seat without cards has gone out"


class KernelGame:
    """A game at a table of the kernel, which chooses by index among the legal moves."""

    def __init__(self, kernel: Kernel, game: Game) -> None:
        self.kernel, self.game, self.rules = kernel, game, kernel.compiled(game.rules)
        self.options = Memory.of(ENV_OPTIONS.pack(game.rules.deck, game.rules.dealt, game.rules.bottom_size, 0))
        head = RANDOM.pack(*Generator(1).state) + GAME.pack(*game_fields(game))
        self.table = Memory.of(ENV_TABLE.pack(head, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        self.chosen, self.rewards, self.ended = Memory(4), Memory(4 * SEATS), Memory(1)

    def play(self, move: Move) -> None:
        """Plays a legal move, and compares where the game stands after it, or what it pays."""
        legal = [other.cards for other in self.game.legal_moves()]
        self.chosen.counts()[0] = legal.index(move.cards)
        answers = (self.chosen.address, self.rewards.address, self.ended.address)
        self.kernel.library.call(
            "ddz_env_step", self.rules.address, self.options.address, self.table.address, 1, *answers
        )
        self.game = self.game.play(move)
        assert self.ended.bytes[0] == self.game.finished
        if self.game.finished:
            paid = [round(200 * points) for points in self.rewards.bytes.cast("f")[:SEATS]]
            assert paid == [round(200 * points) for points in self.game.scores()]
        else:
            record = bytes(self.table.bytes[RANDOM.size : RANDOM.size + GAME.size])
            assert GAME.unpack(record) == GAME.unpack(GAME.pack(*game_fields(self.game)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_kernel_follows_a_game_move_by_move_and_pays_it(kernel: Kernel, name: str, seed: int) -> None:
    rules = RULE_SETS[name]
    bids = ((0, 0, 0), (1, 0, 0), (2, 0, 0), (3,))[seed % 4] if rules.bidding else ()
    ours = KernelGame(kernel, start(shuffled(rules, f"lay/{seed}"), bids))
    for move in played(rules, f"lay/{seed}", 1000, bids).plays:
        ours.play(move)
    assert ours.game.finished


def played_by_both(kernel: Kernel, rules: RuleSet, hands: tuple[str, str, str], moves: str) -> Game:
    """Plays *moves* in the kernel's game and in ours, which are compared; gets ours."""
    first, second, third = map(parse_hand, hands)
    game = KernelGame(kernel, Game(rules, (first, second, third), 0, (), (0, 2, 0), 1))
    for text in moves.split():
        game.play(parse_move(rules, text))
    assert game.game.finished
    return game.game


@pytest.mark.parametrize(
    ("hands", "moves"),
    [
        # the peasants play nothing: spring
        (("34", "55", "66"), "3 pass pass 4"),
        (("3", "5", "6"), "3"),
        # the landlord plays once: anti-spring; and twice: none
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
    played_by_both(kernel, RULE_SETS[name], hands, moves)


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
    assert played_by_both(kernel, RULE_SETS["botzone"], hands, moves).scores() == (points, 0, 0)


def test_a_finished_game_has_no_playouts(kernel: Kernel) -> None:
    game = played(RULE_SETS["botzone"], "over", 1000)
    assert GAME.unpack(GAME.pack(*game_fields(game)))[WINNER] == game.winner != NO_SEAT
    for engine in (kernel, Reference()):
        with pytest.raises(ValueError, match="game"):
            engine.playouts(game, 1, Generator(1))
