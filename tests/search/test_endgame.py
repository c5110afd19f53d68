"""The endgame solver, in C and in Python: against a brute force, on known endgames, and rule by rule."""

import itertools
import os
from collections import defaultdict

import pytest

from ddzbot.cards import ACE, hand_text, parse_hand, size
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.solver import WITHOUT_ROCKET, NativeSolver
from ddzbot.rules import (
    BOMB,
    BOTZONE,
    DISTINCT,
    ICGA,
    KIND_NAMES,
    PLANE_SOLO,
    ROCKET,
    SOLO_CHAIN,
    STANDARD,
    RuleSet,
    Shape,
    parse_move,
)
from ddzbot.search import endgame as switch
from ddzbot.search.endgame import Solution, Solver
from ddzbot.search.endgame_position import Endgame, without
from ddzbot.search.endgame_reference import Key, ReferenceSolver, key_of
from tests.search import brute_force
from tests.search.brute_force import LARGE, random_endgames
from tests.search.recorded import Recorded, recorded

COUNT = int(os.environ.get("DDZ_ENDGAMES", "25"))
"""How many random endgames are compared; DDZ_ENDGAMES=2000 asks for more."""


@pytest.fixture(params=["kernel", "reference"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Lets :class:`Solver` work with the kernel, then with the reference implementation."""
    kernel = request.getfixturevalue("kernel") if request.param == "kernel" else None
    monkeypatch.setattr(switch, "native", lambda: kernel)
    return str(request.param)


@pytest.fixture
def native_only(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> Kernel:
    monkeypatch.setattr(switch, "native", lambda: kernel)
    return kernel


def endgame(*hands: str, table: str = "", by: int | None = None, seat: int = 0, rules: RuleSet = STANDARD) -> Endgame:
    return Endgame(
        rules, tuple(map(parse_hand, hands)), seat, parse_move(rules, table) if table else None, by, frozenset()
    )


def solve(position: Endgame) -> Solution:
    return Solver(position.rules, position.banned).solve(position)


def winning(position: Endgame) -> set[str]:
    return set(map(str, solve(position).winning))


def described(position: Endgame) -> str:
    """A position for a failure's message."""
    banned = [KIND_NAMES[kind] for kind in sorted(position.banned)]
    where = f"seat {position.seat} to beat {position.to_beat} of {position.table_seat}"
    return f"{position.rules.name} {' '.join(map(hand_text, position.hands))} {where}, banned {banned}"


# Against a brute force.


def test_kernel_and_reference_have_the_winning_moves_of_the_brute_force_and_look_at_the_same_positions(
    monkeypatch: pytest.MonkeyPatch, kernel: Kernel
) -> None:
    for position in itertools.islice(random_endgames("brute force"), COUNT):
        monkeypatch.setattr(switch, "native", lambda: kernel)
        native = solve(position)
        monkeypatch.setattr(switch, "native", lambda: None)
        reference = solve(position)
        assert set(map(str, reference.winning)) == brute_force.winning_moves(position), described(position)
        assert reference.undecided == ()
        assert native._replace(nodes=0) == reference._replace(nodes=0), described(position)
        # Of a table that reads as two kinds of move, the kernel keeps some positions that Python does not.
        fewer = native.nodes < reference.nodes and position.rules is ICGA
        assert native.nodes == reference.nodes or fewer, described(position)


def test_random_endgames_are_of_all_sorts() -> None:
    sorts: dict[str, set[object]] = defaultdict(set)
    for position in itertools.islice(random_endgames("brute force"), 100):
        sorts["rules"].add(position.rules.name)
        sorts["hands and seat"].add((len(position.hands), position.seat))
        sorts["passes"].add(None if position.table_seat is None else (position.seat - position.table_seat) % 3)
        sorts["banned"].add(bool(position.banned))
        sorts["table"].add(position.to_beat.kind if position.to_beat else None)
    assert [len(sorts[sort]) for sort in ("rules", "hands and seat", "passes", "banned")] == [5, 5, 3, 2]
    assert len(sorts["table"]) >= 10


# Known endgames.


@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.whole)])
def test_recorded_endgames_have_all_their_winning_moves(native_only: Kernel, large: bool) -> None:
    for one in (one for one in recorded() if large == (one.reference_nodes > 10_000)):
        solution = solve(one.endgame)
        assert set(map(str, solution.winning)) == one.winning, one.name
        assert solution.winner == one.winner, one.name
        assert one.legal in (None, len(one.endgame.legal_moves())), one.name


SMALL_ONES = [one for one in recorded() if one.reference_nodes < 300 and max(map(size, one.endgame.hands)) < 9][::2]


@pytest.mark.parametrize("one", SMALL_ONES, ids=lambda one: one.name)
def test_small_recorded_endgames_have_the_same_winning_moves_without_a_kernel(
    monkeypatch: pytest.MonkeyPatch, one: Recorded
) -> None:
    monkeypatch.setattr(switch, "native", lambda: None)
    assert winning(one.endgame) == one.winning


def test_all_puzzles_together_take_less_than_200000_nodes(native_only: Kernel) -> None:
    solver = Solver(STANDARD)
    puzzles = recorded("puzzles")
    assert len(puzzles) == 22
    assert sum(solver.solve(one.endgame).nodes for one in puzzles) < 200_000


def test_only_the_4_wins_the_example_of_the_paper(either: str) -> None:
    solution = solve(endgame("4667788QK2", "334455QK2"))
    assert [str(move) for move in solution.winning] == ["4"]
    assert len(solution.losing) == 10


def test_the_hardest_public_puzzles_have_one_winning_move(native_only: Kernel) -> None:
    assert winning(endgame("448999TJJQQAB", "336688TAA22L")) == {"8"}
    assert winning(endgame("5778999TTJK2B", "4445778QQKK2L")) == {"8"}


def test_a_published_puzzle_without_trio_solo_has_the_published_second_solution(native_only: Kernel) -> None:
    position = endgame("45567899JQK", "3469QAAA2B")
    assert winning(position) == {"45678"}
    assert winning(position._replace(banned=frozenset({KIND_NAMES.index("trio_solo")}))) == {"45678", "456789"}


# Rule by rule.


PLANES = ("3", "777888999TJQ2")


@pytest.mark.parametrize(
    ("position", "wins"),
    [
        # The first hand that goes out wins, a peasant for both.
        (endgame("3335", "4444"), {"3335"}),
        (endgame("66", "35", "4", seat=1), {"3"}),
        # After a pass of the other of two hands, and after two passes, the last player leads; a pass counts.
        (endgame("K3", "5"), {"K"}),
        (endgame("3", "44", "5K", table="A", by=2, seat=1), {"pass"}),
        (endgame("3", "44", "5K", table="A", by=0, seat=1), set()),
        # A partner may be let through.
        (endgame("TT", "3A", "K", table="Q", by=2, seat=1), {"pass", "A"}),
        # Cards with two readings are answered as both: here as three trios with kickers, which botzone does not know.
        (
            endgame(*PLANES, table="333444555666", by=0, seat=1),
            {"777888999" + kickers for kickers in ("TJQ", "TJ2", "TQ2", "JQ2")},
        ),
        (endgame(*PLANES, table="333444555666", by=0, seat=1, rules=BOTZONE), set()),
    ],
)
def test_an_endgame_is_won_by_these_moves_alone(either: str, position: Endgame, wins: set[str]) -> None:
    assert winning(position) == wins


def test_after_two_passes_the_last_player_leads(either: str) -> None:
    assert list(map(str, solve(endgame("5", "33", "4Q", table="K", by=2, seat=0)).line[:3])) == ["pass", "pass", "Q"]


def test_cards_with_two_readings_answer_as_both(either: str) -> None:
    # On the table only a plane of three with kickers; the answer is bare trios of four ranks as well.
    position = endgame("3", "6667778889992", table="333444555TJQ", by=0, seat=1)
    assert "666777888999" in winning(position)
    assert "666777888999" not in winning(position._replace(banned=frozenset({PLANE_SOLO})))


@pytest.mark.parametrize(
    ("kind", "table", "hand"), [(BOMB, "3", "44445"), (ROCKET, "3", "44LB"), (PLANE_SOLO, "33344456", "55566678K")]
)
def test_a_banned_kind_is_never_legal(either: str, kind: int, table: str, hand: str) -> None:
    position = endgame("9", hand, table=table, by=0, seat=1)
    assert KIND_NAMES[kind] in {KIND_NAMES[move.kind] for move in position.legal_moves()}
    banned = position._replace(banned=frozenset({kind}))
    assert kind not in {move.kind for move in banned.legal_moves()}
    assert winning(banned) == brute_force.winning_moves(banned)


def test_without_the_rocket_two_jokers_are_two_cards(either: str) -> None:
    position = endgame("LB3", "2")
    assert winning(position) == {"L", "B", "LB"}
    assert winning(position._replace(banned=frozenset({ROCKET}))) == {"L", "B"}


# What is folded.


def key(position: Endgame) -> Key | None:
    return key_of(position, position.legal_moves())


def test_positions_with_the_same_key_have_the_same_winner() -> None:
    compared = 0
    for position, other in itertools.islice(brute_force.lookalikes("folding"), 3 * COUNT):
        folded = key(position)
        if folded is not None and folded == key(other):
            assert brute_force.winner(position) == brute_force.winner(other), (described(position), described(other))
            compared += 1
    assert compared > COUNT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("35", "8"), ("QA", "2")),
        (("335", "99"), ("44J", "KK")),
        (("3J", "L"), ("4Q", "B")),
        (("34568", "9"), ("4579J", "Q")),  # no chain of five
        (("345679", "T"), ("89TJQA", "2")),
        (("TJQKA2", "L"), ("34567L", "B")),  # the chain ends below the 2, as it does below a gap
        (("L3", "B4"), ("K3", "A4")),  # jokers in two hands are no rocket
    ],
)
def test_names_of_ranks_do_not_matter(kernel: Kernel, one: tuple[str, str], other: tuple[str, str]) -> None:
    assert key(endgame(*one)) == key(endgame(*other))
    assert native_key(kernel, endgame(*one)) == native_key(kernel, endgame(*other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("345679", "K"), ("345689", "K")),  # a chain, a gap
        (("4TJQKA", "L"), ("4JQKA2", "L")),  # no chain reaches the 2
        (("3344559", "K"), ("3344669", "K")),  # pairs
        (("3334449", "K"), ("3335559", "K")),  # trios
        (("LB33", "4"), ("2B33", "4")),  # a rocket, two high cards
        (("35", "4"), ("34", "5")),
        (("3357", "44"), ("33357", "44")),
    ],
)
def test_what_matters_of_ranks_is_kept(kernel: Kernel, one: tuple[str, str], other: tuple[str, str]) -> None:
    assert key(endgame(*one)) != key(endgame(*other))
    assert native_key(kernel, endgame(*one)) != native_key(kernel, endgame(*other))


def test_of_the_table_only_its_answers_matter(kernel: Kernel) -> None:
    six, seven, eight = (endgame("35", "89J", table=table, by=0, seat=1) for table in "678")
    assert key(six) == key(seven) != key(eight)
    assert native_key(kernel, six) == native_key(kernel, seven) != native_key(kernel, eight)


def test_the_player_of_the_table_matters_while_an_answer_is_possible(kernel: Kernel) -> None:
    one, other = (endgame("34", "89", "8T", table="6", by=by, seat=1) for by in (0, 2))
    assert key(one) != key(other)
    assert native_key(kernel, one) != native_key(kernel, other)


def test_the_kernel_folds_what_the_reference_folds(kernel: Kernel) -> None:
    natives: dict[object, set[object]] = defaultdict(set)
    references: dict[object, set[object]] = defaultdict(set)
    for position in itertools.islice(random_endgames("keys", brute_force.TINY), 5 * COUNT):
        native, reference = native_key(kernel, position), key(position)
        if any(native) and reference is not None and len(position.legal_moves()) > 1:
            name = (position.rules.name, position.banned)
            natives[name, reference].add(native)
            references[name, native].add(reference)
    assert len(natives) > COUNT
    assert {len(keys) for keys in (*natives.values(), *references.values())} == {1}


class BelowTheAce(Shape):
    """A row whose chains reach the king, where those of others reach the ace: the solver folds no ranks then."""

    @property
    def top_rank(self) -> int:
        return ACE - 1


NEVER_LEGAL = BelowTheAce(SOLO_CHAIN, 4, ACE + 1, ACE + 1, 0, 0, DISTINCT)
"""A chain of more cards than a hand has."""


def test_folding_changes_no_answer_of_larger_endgames(native_only: Kernel) -> None:
    fewer = 0
    for position in itertools.islice(random_endgames("unfolded", LARGE), COUNT // 3):
        legal = (*position.rules.legal, NEVER_LEGAL)
        unfolded = native_solver(native_only, position._replace(rules=position.rules._replace(legal=legal)))
        folded = native_solver(native_only, position)
        assert run(unfolded, position) == run(folded, position), described(position)
        fewer += folded.nodes < unfolded.nodes
    assert fewer > COUNT // 30


def native_solver(kernel: Kernel, position: Endgame, entries: int = 1 << 16) -> NativeSolver:
    rules = without(position.rules, position.banned)
    options = WITHOUT_ROCKET if ROCKET in position.banned else 0
    return NativeSolver(kernel, rules, position.rules, options, entries)


def native_key(kernel: Kernel, position: Endgame) -> bytes:
    solver = native_solver(kernel, position, 2)
    return solver.key(position.hands, position.seat, position.to_beat, position.table_seat)


def run(solver: NativeSolver | ReferenceSolver, position: Endgame) -> int | None:
    solver.begin(position.hands, position.seat, position.to_beat, position.table_seat)
    while not solver.finished:
        solver.run(solver.portion)
    return solver.winner
