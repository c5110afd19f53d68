"""Endgames as games: the puzzles, the exact defence, hints, the slip that is told at the end, and what is refused."""

import random
from collections.abc import Callable, Sequence

import pytest

from ddzbot.cards import hand_text, parse_hand
from ddzbot.rules import BOTZONE, STANDARD, Move
from ddzbot.search.endgame import Solver
from ddzbot.search.endgame_position import LANDLORD, PEASANTS, Endgame
from ddzbot.search.limit import Limit
from tests.search.recorded import recorded
from tools.tables.table.endgames import PUZZLES, EndgameTable, puzzle
from tools.tables.table.table import TableError

NUMBERS = range(1, len(PUZZLES) + 1)
SOME = NUMBERS[::4]
THREE = Endgame(STANDARD, tuple(map(parse_hand, ("46677B", "3455577", "34568"))))


def played_out(table: EndgameTable, choose: Callable[[EndgameTable], Move]) -> EndgameTable:
    while table.winner is None:
        if table.persons_turn:
            table.play(choose(table).cards)
        else:
            table.reply()
    return table


def wrong(table: EndgameTable) -> Move:
    solution = table.solution()
    return (solution.losing or solution.winning)[0]


def texts(moves: Sequence[Move]) -> list[str]:
    return list(map(str, moves))


def test_the_puzzles_are_the_recorded_ones_by_the_nodes_that_they_take() -> None:
    ordered = sorted(recorded("puzzles"), key=lambda one: (one.reference_nodes, one.name))
    assert [" ".join(map(hand_text, one.endgame.hands)) for one in ordered] == list(PUZZLES)
    assert [puzzle(number) for number in NUMBERS] == [one.endgame for one in ordered]


@pytest.mark.parametrize("number", SOME)
def test_a_player_that_always_follows_the_hint_wins(with_kernel: None, number: int) -> None:
    dice = random.Random(f"hints/{number}")
    table = played_out(EndgameTable(puzzle(number)), lambda table: dice.choice(table.solution().winning))
    assert table.winner == table.side and table.slip() is None


@pytest.mark.parametrize("number", SOME)
def test_exact_wins_once_a_move_was_wrong_and_the_slip_names_it(with_kernel: None, number: int) -> None:
    (own,) = (one for one in recorded("puzzles") if one.endgame == puzzle(number))
    dice = random.Random(f"slips/{number}")
    for choose in (wrong, lambda table: dice.choice(table.position.legal_moves())):
        table = played_out(EndgameTable(puzzle(number)), choose)
        solver = Solver(STANDARD)
        kept = [solver.solve(before).winning for before, _ in table.history()]
        wrong_ones = [
            (at, move, kept[at - 1])
            for at, (before, move) in enumerate(table.history(), 1)
            if before.side == table.side and kept[at - 1] and move not in kept[at - 1]
        ]
        assert table.slip() == (wrong_ones[0] if wrong_ones else None)
        assert (table.winner == table.side) == (not wrong_ones)
        slip = table.slip()
        if slip is not None and slip.number == 1:
            assert set(texts(slip.winning)) == own.winning


def test_a_lost_side_plays_the_move_that_most_answers_lose_to(with_kernel: None) -> None:
    table, solver = EndgameTable(puzzle(14)), Solver(STANDARD)
    assert table.side == PEASANTS and not table.persons_turn
    shares = {}
    for move in table.position.legal_moves():
        after = solver.solve(table.position.played(move))
        shares[move] = len(after.losing) / len(after.losing + after.winning)
    table.reply()
    assert len(set(shares.values())) > 1 and shares[table.moves[0]] == max(shares.values())


def test_a_move_is_taken_back_with_the_reply(with_kernel: None) -> None:
    table = EndgameTable(puzzle(14))
    table.reply()
    start = table.position
    with pytest.raises(TableError, match="there is no move of yours to take back"):
        table.take_back()
    for _ in range(2):
        table.play(parse_hand("8"))
        table.reply()
        assert texts(table.moves)[:2] == ["4", "8"] and len(table.moves) == 3 and table.slip()
        table.take_back()
        assert table.position == start and texts(table.moves) == ["4"] and table.slip() is None


def test_the_other_side_may_be_chosen_and_a_lost_game_has_no_slip(with_kernel: None) -> None:
    table = played_out(EndgameTable(puzzle(16), PEASANTS), wrong)
    assert table.winner == LANDLORD and table.slip() is None


@pytest.mark.parametrize("side", [LANDLORD, PEASANTS])
def test_with_three_hands_the_person_plays_both_peasants_or_the_landlord(with_kernel: None, side: int) -> None:
    dice = random.Random(side)
    table = EndgameTable(THREE, side)
    assert table.is_persons(0) == (side == LANDLORD) and table.is_persons(1) == table.is_persons(2) == (
        side == PEASANTS
    )
    played_out(table, lambda table: dice.choice(table.position.legal_moves()))
    seats = [before.seat for before, _ in table.history()]
    assert seats[:3] == [0, 1, 2] and table.winner == table.position.winner


def test_what_the_rules_refuse_changes_nothing(with_kernel: None) -> None:
    table = EndgameTable(puzzle(1))
    for cards, sentence in (("", "a lead cannot be a pass"), ("5", "the hand 3 does not hold these cards")):
        with pytest.raises(TableError, match=sentence):
            table.play(parse_hand(cards))
        assert not table.moves
    table.play(parse_hand("3"))
    with pytest.raises(TableError, match="the game is over"):
        table.play(parse_hand("4"))


def test_a_position_that_cannot_be_or_is_too_large_is_refused(with_kernel: None) -> None:
    with pytest.raises(TableError, match="an endgame has two or three hands, not 1"):
        EndgameTable(Endgame(BOTZONE, (parse_hand("3"),)))
    with pytest.raises(TableError, match="3455667TKA22 3455TJQKA2B: this endgame is too large to be solved"):
        EndgameTable(puzzle(22), limit=Limit(playouts=1000))


@pytest.mark.whole
def test_the_reply_is_the_same_without_a_kernel(without_kernel: None) -> None:
    table = played_out(EndgameTable(puzzle(16), limit=Limit()), wrong)
    assert texts(table.moves) == ["6", "Q", "pass", "334455", "pass", "K", "pass", "2"]
