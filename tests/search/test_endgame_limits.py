"""The endgame solver's budgets and memory, and positions that cannot be."""

import itertools
import pickle
import subprocess
from collections.abc import Callable

import pytest

from ddzbot.cards import parse_hand
from ddzbot.game import Game
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.library import KernelError
from ddzbot.kernel.solver import NativeSolver
from ddzbot.rules import BOTZONE, MINI, PAIR, PASS, PASS_KIND, SOLO, STANDARD, TRIO, Move, RuleSet, parse_move
from ddzbot.search import endgame as switch
from ddzbot.search.deadline import Clock, Deadline
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import LANDLORD, PEASANTS, Endgame, EndgameError
from ddzbot.search.endgame_reference import ReferenceSolver
from ddzbot.search.limit import Limit
from tests.search.recorded import recorded
from tests.support import ROOT, find_python, require

HARD = Endgame(STANDARD, (parse_hand("448999TJJQQAB"), parse_hand("336688TAA22L")))


@pytest.fixture(autouse=True)
def with_kernel(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> None:
    monkeypatch.setattr(switch, "native", lambda: kernel)


def endgame(*hands: str, rules: RuleSet = STANDARD) -> Endgame:
    return Endgame(rules, tuple(map(parse_hand, hands)))


# Budgets.


@pytest.mark.parametrize("nodes", [1, 100, 3_000, 10_000, 30_000])
def test_what_a_short_budget_decides_is_right(nodes: int) -> None:
    full = Solver(STANDARD).solve(HARD)
    short = Solver(STANDARD).solve(HARD, Deadline(Limit(playouts=nodes)))
    assert set(short.winning) <= set(full.winning)
    assert set(short.losing) <= set(full.losing)
    assert short.winner in (None, full.winner)
    assert short.undecided and short.nodes <= nodes


def test_a_winner_is_known_as_soon_as_one_move_wins() -> None:
    position = endgame("3366789TJQKKB", "789TJQKAA")
    solution = Solver(STANDARD).solve(position, Deadline(Limit(playouts=1_000)))
    assert solution.winning and solution.undecided
    assert solution.winner == LANDLORD


def test_a_loss_is_known_only_when_every_move_is_decided() -> None:
    position = endgame("45577TTKK2", "8AA")
    assert Solver(STANDARD).solve(position).winner == PEASANTS
    short = Solver(STANDARD).solve(position, Deadline(Limit(playouts=300)))
    assert short.losing and short.undecided
    assert short.winner is None and short.line == ()


def test_time_runs_out_by_the_given_clock() -> None:
    times = iter(range(1000))
    deadline = Deadline(Limit(seconds=2), Clock(0, lambda: next(times)))
    solution = Solver(STANDARD).solve(HARD, deadline)
    assert len(solution.undecided) >= 23
    assert solution.winner is None and next(times) < 10


def test_nothing_is_searched_without_time() -> None:
    assert Solver(STANDARD).winner(HARD, Deadline(Limit(playouts=0))) is None


def test_more_budget_continues_from_the_earlier_results() -> None:
    cold = Solver(STANDARD).solve(HARD).nodes
    solver = Solver(STANDARD)
    solver.solve(HARD, Deadline(Limit(playouts=cold // 2)))
    assert solver.solve(HARD).nodes < cold


def test_the_watch_hears_of_every_portion_and_may_end_the_search() -> None:
    heard: list[int] = []
    total = Solver(STANDARD).solve(HARD, Deadline(watch=heard.append)).nodes
    assert heard == sorted(heard) and heard[-1] == total
    assert max(after - before for before, after in itertools.pairwise(heard)) <= NativeSolver.portion
    with pytest.raises(KeyboardInterrupt):
        Solver(STANDARD).solve(HARD, Deadline(watch=interrupt))


def interrupt(nodes: int) -> None:
    raise KeyboardInterrupt


# What a solver remembers.


@pytest.mark.parametrize("entries", [2, 64])
def test_a_solver_that_forgets_gives_the_same_answers(entries: int) -> None:
    forgetful, solver = Solver(STANDARD, entries=entries), Solver(STANDARD)
    for one in recorded("three_player"):
        assert forgetful.solve(one.endgame)._replace(nodes=0) == solver.solve(one.endgame)._replace(nodes=0)


def test_a_second_look_takes_only_the_moves_themselves() -> None:
    solver = Solver(STANDARD)
    first = solver.solve(HARD)
    second = solver.solve(HARD)
    assert second._replace(nodes=0) == first._replace(nodes=0)
    assert second.nodes < 200 < first.nodes


def test_without_a_kernel_the_reference_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "native", lambda: None)
    assert isinstance(Solver(STANDARD)._engine, ReferenceSolver)


def test_rules_that_the_kernel_cannot_order_go_to_the_reference(kernel: Kernel) -> None:
    without_pairs = STANDARD._replace(name="solos", legal=tuple(s for s in STANDARD.legal if s.kind != PAIR))
    solver = Solver(without_pairs)
    assert isinstance(solver._engine, ReferenceSolver)
    assert solver.winner(endgame("335", "44", rules=without_pairs)) == LANDLORD


def test_the_reference_runs_on_python_3_6() -> None:
    python = require(find_python("3.6"), "CPython 3.6")
    program = (
        "from ddzbot.cards import parse_hand\n"
        "from ddzbot.rules import STANDARD\n"
        "from ddzbot.search.endgame import Solver\n"
        "from ddzbot.search.endgame_position import Endgame\n"
        "hands = parse_hand('44677LB'), parse_hand('558888')\n"
        "solution = Solver(STANDARD).solve(Endgame(STANDARD, hands))\n"
        "print(solution.winner, *map(str, solution.winning + solution.line))\n"
    )
    done = subprocess.run(
        [python, "-c", program], cwd=ROOT, env={"DDZ_NO_KERNEL": "1"}, capture_output=True, text=True, check=True
    )
    expected = Solver(STANDARD).solve(endgame("44677LB", "558888"))
    assert done.stdout.split() == [str(expected.winner), *map(str, expected.winning + expected.line)]


# Positions.


def game() -> Game:
    hands = tuple(map(parse_hand, ("35", "46", "4K")))
    return Game(BOTZONE, (hands[0], hands[1], hands[2]), 0, (), (), 0)


def test_a_running_game_is_an_endgame() -> None:
    lead = game()
    assert Endgame.of(lead) == Endgame(BOTZONE, lead.hands)
    followed = lead.play(parse_move(BOTZONE, "3"))
    assert Endgame.of(followed) == Endgame(BOTZONE, followed.hands, 1, parse_move(BOTZONE, "3"), 0)
    passed = followed.play(PASS)
    assert Endgame.of(passed) == Endgame(BOTZONE, passed.hands, 2, parse_move(BOTZONE, "3"), 0)
    assert Endgame.of(passed.play(PASS)) == Endgame(BOTZONE, passed.hands)


def test_an_endgame_continues_as_the_game_does() -> None:
    position, played = Endgame.of(game()), game()
    for text in ("3", "pass", "K", "pass", "pass"):
        move = parse_move(BOTZONE, text)
        position, played = position.played(move), played.play(move)
        assert position == Endgame.of(played)
        assert position.legal_moves() == played.legal_moves()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"hands": (3,)}, "an endgame has two or three hands, not 1"),
        ({"hands": (3, 0)}, "peasant has no cards"),
        ({"hands": (3, 1, 0)}, "landlord_up has no cards"),
        ({"hands": (3, 2)}, "the hands have 5 of 3; the deck of rules standard has 4"),
        ({"seat": 2}, "there is no seat 2 to move: 2 hands are given"),
        ({"table_seat": 1}, "the seat that played a move is given, but not the move"),
        ({"to_beat": PASS, "table_seat": 1}, "a pass lies on the table, but a pass is nothing to beat"),
        ({"to_beat": "7"}, "7: which of the 2 seats played this move must be given"),
        ({"to_beat": "7", "table_seat": 2}, "7: which of the 2 seats played this move must be given"),
        ({"to_beat": "7", "table_seat": 0}, "7: landlord cannot both have played this move and have to beat it"),
        ({"to_beat": "3344556677", "table_seat": 1}, "the hands and the table have 5 of 3; the deck"),
        ({"banned": frozenset({SOLO})}, "a solo cannot be banned"),
        ({"banned": frozenset({PASS_KIND})}, "a pass cannot be banned"),
        ({"rules": MINI}, "the hands have 3 of 3; the deck of rules mini has 0"),
        ({"hands": (parse_hand("33334444555566667777L"), 1 << 32)}, "33334444555566667777L: no hand has more than 20"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(change: dict[str, object], sentence: str) -> None:
    if isinstance(change.get("to_beat"), str):
        change = {**change, "to_beat": parse_move(STANDARD, str(change["to_beat"]))}
    position = Endgame(STANDARD, (3, 1 << 8))._replace(**change)  # type: ignore[arg-type]
    assert (position.fault() or "").startswith(sentence)
    with pytest.raises(EndgameError, match="^" + sentence.split(";")[0]):
        Solver(position.rules, position.banned).solve(position)


def test_a_fault_keeps_what_it_was_made_of_in_copies() -> None:
    fault = Endgame(STANDARD, (3, 0)).fault()
    assert fault
    copied = pickle.loads(pickle.dumps(fault))
    assert (copied, copied.key, copied.values) == (fault, "{seat} has no cards", {"seat": "peasant"})


def test_a_solver_is_for_one_rule_set_and_ban() -> None:
    with pytest.raises(EndgameError, match=r"^this solver is for the rules standard"):
        Solver(STANDARD).winner(endgame("3", "4", rules=BOTZONE))
    with pytest.raises(EndgameError, match=r"^this solver is for the rules standard"):
        Solver(STANDARD).winner(endgame("3", "4")._replace(banned=frozenset({TRIO})))


# The kernel's own refusals: callers in C have no Endgame to check.


def native(kernel: Kernel, entries: int = 64) -> NativeSolver:
    return NativeSolver(kernel, STANDARD, STANDARD, 0, entries)


@pytest.mark.parametrize("entries", [0, 1, 3, 48])
def test_the_kernel_takes_only_powers_of_two_as_memory(kernel: Kernel, entries: int) -> None:
    with pytest.raises((KernelError, ValueError)):
        native(kernel, entries)


@pytest.mark.parametrize(
    ("hands", "seat", "to_beat", "table_seat"),
    [
        ((3,), 0, None, None),
        ((3, 0), 0, None, None),
        ((0, 3), 0, None, None),
        ((3, 3), 0, None, None),
        ((5, 16), 0, None, None),
        ((1, 1 << 60), 0, None, None),
        ((1, 1 << 64), 0, None, None),
        ((3, 16), 2, None, None),
        ((3, 16), 0, None, 1),
        ((3, 16), 0, parse_move(STANDARD, "5"), 0),
        ((3, 16), 0, parse_move(STANDARD, "5"), 2),
        ((3, 16), 0, Move(256, PAIR, 2, 1), 1),
        ((3, 16), 0, Move(0, PAIR, 2, 1), 1),
        ((3, 16), 0, PASS, 1),
        ((3, 16), 0, parse_move(STANDARD, "333"), 1),
    ],
)
def test_the_kernel_refuses_positions_that_contradict_themselves(
    kernel: Kernel, hands: tuple[int, ...], seat: int, to_beat: Move | None, table_seat: int | None
) -> None:
    with pytest.raises(KernelError):
        native(kernel).begin(hands, seat, to_beat, table_seat)
    with pytest.raises(KernelError):
        native(kernel).key(hands, seat, to_beat, table_seat)


@pytest.mark.parametrize(
    "engine", [native, lambda kernel: ReferenceSolver(STANDARD, frozenset())], ids=["kernel", "reference"]
)
def test_cards_of_unknown_kind_are_answered_by_bombs_only(
    kernel: Kernel, engine: Callable[[Kernel], NativeSolver | ReferenceSolver]
) -> None:
    solver = engine(kernel)
    unknown = Move(parse_hand("3344"), 18, -1, 0)
    for hand, winner in (("55559", PEASANTS), ("KK", LANDLORD)):
        solver.begin((parse_hand("6"), parse_hand(hand)), 1, unknown, 0)
        solver.run(1000)
        assert (solver.finished, solver.winner) == (True, winner)
