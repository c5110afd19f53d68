"""Worlds of views: conservation, the facts, and the same draws in every process."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddzbot.belief.certain import BeliefError, Certain
from ddzbot.belief.models import MODELS, Table
from ddzbot.belief.worlds import BELIEFS, Worlds, worlds_of_belief
from ddzbot.cards import RANK_COUNT, count, size
from ddzbot.game import SEATS, Game
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.rng import Generator
from ddzbot.rules import RULE_SETS
from ddzbot.testing.strategies import games
from ddzbot.view import View
from tests.belief.examples import late_view, view_of
from tests.support import ROOT, find_python, require

GAMES = st.sampled_from(list(RULE_SETS.values())).flatmap(lambda rules: games(rules, finished=False))
MODEL_NAMES = st.sampled_from(sorted(MODELS))
BELIEF_NAMES = st.sampled_from(sorted(BELIEFS))
SEEDS = st.integers(0, 2**64 - 1)

DRAW = """
import sys
sys.path.insert(0, sys.argv[1])
from ddzbot.belief.worlds import worlds_of_belief
from ddzbot.game import shuffled, start
from ddzbot.cards import parse_hand
from ddzbot.kernel.rng import Generator
from ddzbot.rules import BOTZONE, MINI, PASS, read_move
from ddzbot.view import View
game = start(shuffled(BOTZONE, "any process"))
for move in range(4):
    game = game.played(game.legal_moves()[0])
generator = Generator(5)
plays = tuple(read_move(MINI, parse_hand(cards)) if cards else PASS for cards in ("99", "", "QQ", "KK", "", "", "TT"))
four_ranks = View(MINI, 1, parse_hand("AAA222LBJ"), 0, (), 1, 0, plays)
for view, belief in ((View.of(game, game.seat), "fitted"), (four_ranks, "report")):
    print([tuple(world) for world in worlds_of_belief(view, belief).samples(generator, 20)], generator.state)
"""


@given(GAMES, st.integers(0, SEATS - 1), BELIEF_NAMES, SEEDS)
def test_every_world_has_exactly_the_hidden_cards_and_honours_every_fact(
    game: Game, seat: int, belief: str, seed: int
) -> None:
    view = View.of(game, seat)
    worlds, generator = worlds_of_belief(view, belief), Generator(seed)
    for first, second in [worlds.sample(generator) for _ in range(5)]:
        played = sum(move.cards for move in view.plays)
        assert first + second + view.hand + played == view.rules.deck
        next_seat, last_seat = (seat + 1) % SEATS, (seat + 2) % SEATS
        assert (size(first), size(second)) == (view.cards_left(next_seat), view.cards_left(last_seat))
        if seat:
            landlord = first if next_seat == 0 else second
            assert all(count(landlord, rank) >= count(view.bottom_left, rank) for rank in range(RANK_COUNT))


@given(GAMES, st.integers(0, SEATS - 1), BELIEF_NAMES)
def test_probabilities_add_up_to_one_and_to_the_hand_sizes(game: Game, seat: int, belief: str) -> None:
    worlds = worlds_of_belief(View.of(game, seat), belief)
    for hidden, cards in zip(worlds.certain.seats, worlds.certain.sizes, strict=True):
        by_rank = [[worlds.probability(hidden, rank, number) for number in range(5)] for rank in range(RANK_COUNT)]
        assert [sum(row) for row in by_rank] == pytest.approx([1] * RANK_COUNT)
        assert sum(number * row[number] for row in by_rank for number in range(5)) == pytest.approx(cards)


@given(GAMES, st.integers(0, SEATS - 1), MODEL_NAMES)
def test_the_true_hands_are_never_impossible(game: Game, seat: int, model: str) -> None:
    worlds = Worlds(View.of(game, seat), model)
    first = game.hands[worlds.certain.seats[0]]
    assert all(worlds.table[rank][count(first, rank)] > 0 for rank in range(RANK_COUNT))
    assert 0 < worlds.total < 1 << 126


@pytest.mark.parametrize("belief", BELIEFS)
def test_many_worlds_are_the_same_as_one_at_a_time(
    kernel: Kernel, belief: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = worlds_of_belief(late_view(RULE_SETS["botzone"], 3, 25)[0], belief)
    one_at_a_time = Generator(9)
    expected = [worlds.sample(one_at_a_time) for _ in range(50)]
    for native in (kernel, None):
        monkeypatch.setattr("ddzbot.belief.worlds.native", lambda found=native: found)
        generator = Generator(9)
        assert worlds.samples(generator, 50) == expected
        assert generator.state == one_at_a_time.state


@pytest.mark.whole
@pytest.mark.parametrize("version", ["3.6", "3.13"])
def test_every_python_draws_the_same_worlds_with_and_without_the_kernel(kernel: Kernel, version: str) -> None:
    answers = set()
    for python in (sys.executable, require(find_python(version), f"CPython {version}")):
        answers |= {_drawn(python, {"DDZ_NO_KERNEL": "1"}), _drawn(python, {"DDZ_KERNEL": kernel.library.path})}
    assert len(answers) == 1


def _drawn(python: str, environment: dict[str, str]) -> str:
    command = [python, "-I", "-S", "-B", "-W", "error", "-c", DRAW, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_model_may_be_any_function_and_cannot_break_the_facts() -> None:
    def everything_likely(view: View, certain: Certain) -> Table:
        return [[10**9 + number for number in range(5)] for _ in range(RANK_COUNT)]

    view, held = late_view(RULE_SETS["mini"], 4)
    worlds = Worlds(view, everything_likely)
    generator = Generator(1)
    assert all(worlds.certain.allows(*worlds.sample(generator)) for _ in range(200))
    assert all(worlds.table[rank][count(held, rank)] for rank in range(RANK_COUNT))


def test_a_model_that_leaves_no_world_is_refused() -> None:
    view = late_view(RULE_SETS["mini"], 4)[0]
    with pytest.raises(BeliefError, match="no world has"):
        _ = Worlds(view, lambda view, certain: [[0] * 5] * RANK_COUNT).total


@pytest.mark.parametrize("belief", ["uniform", "report"])
def test_the_viewer_is_not_hidden_from_itself(belief: str) -> None:
    worlds = worlds_of_belief(view_of(1, "33445566778LJQKA2", [""]), belief)
    with pytest.raises(BeliefError, match=r"seat 1 is not hidden: the hidden seats are \(2, 0\)"):
        worlds.probability(1, 0, 2)
