"""The drawing of a game in the terminal."""

import io

import pytest
from rich.text import Text

from ddzbot.cards import parse_hand
from ddzbot.game import Game, shuffled, start
from ddzbot.rules import BOTZONE, BOTZONE2, PASS, Move, RuleSet, parse_move
from tools.shared.terminal import Console, GameScreen

NAMES = ["python bot.py --player rule", "random", "a bot [with] brackets"]


def drawn(game: Game, *moves: Move, terminal: bool = False, names: list[str] = NAMES) -> str:
    """Draws a game from its opening to its end."""
    output = io.StringIO()
    screen = GameScreen(Console(file=output, width=80, force_terminal=terminal), names)
    screen.opening(game)
    for move in moves:
        game = game.play(move)
        screen.move(game)
    screen.result(game)
    return output.getvalue()


def game_of(rules: RuleSet, landlord_position: int = 0) -> Game:
    return start(
        shuffled(rules, "drawing"), (0,) * landlord_position + (3,) if rules.bidding else (), landlord_position
    )


def short_game() -> Game:
    """Gets a game in which the landlord holds a bomb and a solo."""
    game = game_of(BOTZONE)
    bomb, solo = parse_move(BOTZONE, "KKKK"), parse_move(BOTZONE, "3")
    return game._replace(hands=(bomb.cards + solo.cards, *game.hands[1:]))


def bomb_and_out(terminal: bool = False) -> str:
    moves = [parse_move(BOTZONE, "KKKK"), PASS, PASS, parse_move(BOTZONE, "3")]
    return drawn(short_game(), *moves, terminal=terminal)


def test_the_opening_shows_seats_hands_and_bottom() -> None:
    game = game_of(BOTZONE2, 1)
    lines = drawn(game).splitlines()
    assert lines[0] == "rules botzone2, bid 3"
    assert lines[1] == "  landlord       player 1: random"
    assert lines[3] == "  landlord_up    player 0: python bot.py --player rule"
    assert lines[4].startswith("  bottom         ")
    assert len(lines[4].split()[1]) == 3
    assert [line.split()[-1] for line in lines[-3:]] == ["20", "17", "17"]


def test_a_move_shows_its_kind_and_what_it_leaves_and_a_pass_is_one_line() -> None:
    lines = bomb_and_out().splitlines()
    at = lines.index("  1 landlord plays KKKK (bomb)")
    assert lines[at + 1] == "    > landlord       3                      1"
    assert lines[at + 2].startswith("      landlord_down  ")
    at = lines.index("  2 landlord_down passes")
    assert lines[at + 1] == "  3 landlord_up passes"


def test_the_end_alone_shows_winner_and_scores() -> None:
    assert bomb_and_out().splitlines()[-2:] == [
        "landlord went out: the landlord wins",
        "scores: landlord +2.11, landlord_down +0, landlord_up +0",
    ]
    assert "wins" not in drawn(short_game())


def test_the_end_says_why_those_who_lose_get_points() -> None:
    game = game_of(BOTZONE)._replace(hands=tuple(map(parse_hand, ("35", "46", "7"))))
    lines = drawn(game, *(parse_move(BOTZONE, text) if text else PASS for text in ("3", "4", "", "5"))).splitlines()
    assert lines[-2:] == [
        "scores: landlord +2.02, landlord_down +0.005, landlord_up +0.005",
        "These rules add hundredths for each move, won or lost.",
    ]


def test_there_is_colour_in_a_terminal_alone_and_it_changes_no_word() -> None:
    assert "\x1b" not in bomb_and_out()
    coloured = bomb_and_out(terminal=True)
    assert "\x1b" in coloured
    assert Text.from_ansi(coloured).plain == Text.from_ansi(bomb_and_out()).plain


def test_names_are_no_markup_and_fold_at_80_columns() -> None:
    assert "player 2: a bot [with] brackets" in drawn(game_of(BOTZONE))
    long = drawn(game_of(BOTZONE), names=["x" * 200] * 3)
    assert (max(map(len, long.splitlines())), long.count("x")) == (80, 600)


@pytest.mark.parametrize("rules", [BOTZONE, BOTZONE2], ids=lambda rules: str(rules.name))
def test_a_whole_game_fits_into_80_columns(rules: RuleSet) -> None:
    game = game_of(rules)
    moves = []
    play = game
    while not play.finished:
        moves.append(play.legal_moves()[-1])
        play = play.play(moves[-1])
    assert max(map(len, drawn(game, *moves).splitlines())) <= 80


def test_bids_faults_and_remarks_are_drawn() -> None:
    output = io.StringIO()
    screen = GameScreen(Console(file=output, width=80), NAMES)
    screen.bid(0, 0)
    screen.bid(1, 2)
    screen.fault("player 2 took longer than 6.0 s (TLE)")
    screen.move(game_of(BOTZONE).play(game_of(BOTZONE).legal_moves()[0]), "auto-pilot")
    lines = output.getvalue().splitlines()
    assert lines[:3] == ["player 0 does not bid", "player 1 bids 2", "  ! player 2 took longer than 6.0 s (TLE)"]
    assert lines[3].endswith("[auto-pilot]")


def test_lines_below_a_move_come_before_the_hands() -> None:
    output = io.StringIO()
    screen = GameScreen(Console(file=output, width=80), NAMES)
    screen.remark("so it is")
    screen.move(short_game().play(parse_move(BOTZONE, "3")), below=[Text("one [thought]"), Text("x" * 90)])
    lines = output.getvalue().splitlines()
    assert lines[:5] == ["", "so it is", "", "  1 landlord plays 3 (solo)", "one [thought]"]
    assert lines[5:7] == ["x" * 80, "    " + "x" * 10]
    assert lines[7].startswith("    > landlord ")
